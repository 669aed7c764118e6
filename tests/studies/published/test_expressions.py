"""The language of claims computes what Python's fractions do, reads cells, and executes nothing."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.published.expressions import Comparison, Scope, compute, fact_of
from studies.published.functions import FUNCTIONS
from studies.published.printed import sheet
from studies.published.ranges import Range, printed
from veridical.errors import InputError

SCOPE = Scope("magic", FUNCTIONS)
CENTS = st.integers(-5000, 5000)


def of(text, **values):
    return compute(text, SCOPE.having(values))


@given(CENTS, CENTS, st.integers(1, 99))
def test_arithmetic_of_plain_numbers_is_that_of_fractions(a, b, c):
    one, other = f"{a / 100:.2f}", f"{b / 100:.2f}"
    expected = (Fraction(a, 100) + Fraction(b, 100) * 2) / c - Fraction(1, 2)
    assert of(f"({one} + {other} * 2) / {c} - 0.5") == expected


@given(CENTS, CENTS)
def test_arithmetic_of_printed_numbers_holds_that_of_what_was_rounded(a, b):
    x, y = printed(f"{a / 100:.2f}"), printed(f"{b / 100:.2f}")
    total, gap = of("x + y", x=x, y=y), of("abs(x - y)", x=x, y=y)
    assert total.low <= Fraction(a + b, 100) <= total.high
    assert gap.low <= abs(Fraction(a - b, 100)) <= gap.high


@given(CENTS, CENTS)
def test_a_comparison_is_decided_only_where_rounding_cannot_turn_it(a, b):
    x, y = printed(f"{a / 100:.2f}"), printed(f"{b / 100:.2f}")
    facts = [fact_of(of(f"x {sign} y", x=x, y=y)) for sign in (">", "<", ">=", "<=", "==")]
    off = abs(a - b) >= 1
    assert facts[0] == (a > b if off else None)
    assert facts[1] == (a < b if off else None)
    assert facts[4] == (abs(a - b) <= 1)
    assert facts[2] in (True, None) if a >= b else facts[2] in (False, None)
    assert facts[3] in (True, None) if a <= b else facts[3] in (False, None)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("2 > 1 and 3 > 2", True),
        ("2 > 1 and wide > 2", None),
        ("1 > 2 and wide > 2", False),
        ("1 > 2 or wide > 2", None),
        ("not wide > 2", None),
        ("not 1 > 2", True),
        ('"a" in ["a", "b"]', True),
        ('"a" not in ["a", "b"]', False),
        ('"a" != "a"', False),
    ],
)
def test_facts_are_combined_with_what_rounding_leaves_open(text, fact):
    assert fact_of(of(text, wide=Range(Fraction(1), Fraction(3)))) is fact


def test_cells_are_read_by_their_labels_and_remembered():
    scope = Scope("viabench", FUNCTIONS)
    cell = compute('runs["Openai o3", "1", "VA / Match"]', scope)
    assert cell.text == sheet("viabench", "runs").text("1", "VA / Match", "Openai o3")
    assert scope.cells == {("viabench", "runs", "Openai o3", "1", "VA / Match")}


def test_counts_are_exact_and_rates_are_ranges_and_products_are_multiplied():
    assert (of('T1["# of Instances", "WS"]').low, of('T4["Gemma 3 12B", "Self-Heal"]').low) == (
        5534, Fraction("31.45"),
    )  # fmt: skip
    images = sheet("viprobe", "1").cell("Ours", "visual hints / images in the experiments".replace("/ images ", ""))
    assert images.low == images.high == 9570


def test_loops_nest_filter_and_label():
    assert of('[f"{a}{b}" for a in ["x", "y"] if a != "y" for b in ["1", "2"]]') == ["x1", "x2"]
    assert of('{f"{a}": len(a) > 1 for a in ["x", "yy"]} + {"z": 1 > 2 for a in ["z"]}').keys() == {"x", "yy", "z"}


def test_a_definition_means_what_its_names_mean_where_it_is_used():
    scope = Scope("magic", FUNCTIONS, {"a": 1}, {"double": "a * 2"})
    assert (compute("double", scope), compute("double", scope.having({"a": 5}))) == (2, 10)


@pytest.mark.parametrize(
    "text",
    [
        "(1).real", '"a".upper()', "lambda: 1", "__import__('os')", "open('x')", "[1][0:1]", "2 ** 9", "1 if 2 else 3",
        "unknown", 'T1["no", "such"]', "mean([])", "1 / 0", "f(x=1)", "1 +",
        "[x for x, y in [[1, 2]]]", "1 < 2 < 3", "{1, 2}",
    ],
)  # fmt: skip
def test_what_is_not_of_the_language_is_one_line_and_never_runs(text):
    with pytest.raises(InputError) as caught:
        of(text)
    assert "\n" not in str(caught.value)


def test_a_comparison_says_both_sides_and_how_far_apart_they_are():
    found = of("x > 2", x=printed("1.5"))
    assert isinstance(found, Comparison)
    assert found.text == "1.45 to 1.55 (limit 2)"
    assert (found.gap.low, found.gap.high) == (Fraction("-0.55"), Fraction("-0.45"))
