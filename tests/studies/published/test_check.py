"""Verdicts: what is right holds however it was rounded, and what is wrong by more than rounding does not."""

from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.published.check import checked
from studies.published.claims import Claim, Relation, Source
from studies.published.functions import part
from studies.published.order import main, weight
from studies.published.printed import Cell
from studies.published.ranges import printed
from veridical.errors import InputError

CENTS = st.integers(0, 10_000)
MODES = st.sampled_from([ROUND_HALF_UP, ROUND_HALF_DOWN])
UNCHECKED = {"cause": "here {computed}", "certainty": "certain", "consequence": 1}


def shown(value, mode=ROUND_HALF_UP, digits=2):
    """A fraction, printed with two decimals or other ones."""
    return str((Decimal(value.numerator) / Decimal(value.denominator)).quantize(Decimal(1).scaleb(-digits), mode))


def cell(text):
    value = printed(text)
    return Cell(value.low, value.high, text)


def verdict(operator, readings, values, also=(), **keys):
    """The result of a claim on cells by name."""
    first = Relation(operator=operator, readings=readings if isinstance(readings, dict) else {"": readings}, **keys)
    claim = Claim(
        id="magic-x", paper="magic", place="p", quote="q", compares="c", relations=(first, *also), **UNCHECKED
    )  # fmt: skip
    cells = {name: cell(text) if isinstance(text, str) else text for name, text in values.items()}
    return checked(claim, Source(paper="magic", lists=cells, define={}, claims=(claim,)))


@given(st.lists(st.fractions(0, 100, max_denominator=997), min_size=1, max_size=8), MODES)
def test_a_mean_of_rounded_parts_holds_as_printed(values, mode):
    parts = [cell(shown(value, mode)) for value in values]
    total = shown(sum(values) / len(values), mode)
    assert verdict("mean", "mean(parts)", {"parts": parts, "total": total}, stated="total").verdict == "holds"


@given(st.lists(CENTS, min_size=1, max_size=8), st.sampled_from([-1, 1]))
def test_a_mean_that_is_off_by_more_than_rounding_contradicts_and_says_by_how_much(cents, sign):
    parts = [cell(shown(Fraction(cent, 100))) for cent in cents]
    off = shown(Fraction(sum(cents), 100 * len(cents)) + sign * Fraction(2, 100))
    found = verdict("mean", "mean(parts)", {"parts": parts, "total": off}, stated="total")
    assert found.verdict == "contradicts"
    assert float(found.gap) == pytest.approx(float(off) - sum(cents) / 100 / len(cents), abs=0.006)
    assert found.cause == f"here {found.items[0].outcomes[''].computed}"


@given(CENTS, CENTS, st.integers(0, 1))
def test_a_number_is_a_copy_of_itself_and_of_what_rounds_to_it_alone(first, second, digits):
    one, other = (str(Decimal(cents).scaleb(-2)) for cents in (first, second))

    def copies(a, b):
        return verdict("copy", "b", {"a": a, "b": b}, stated="a").verdict == "holds"

    assert copies(one, other) == (first == second)
    short = str(Decimal(one).quantize(Decimal(1).scaleb(-digits)))
    assert copies(short, one)
    assert copies(one, short)


@given(st.integers(0, 10), st.integers(0, 10), st.integers(0, 30))
def test_what_rounding_leaves_open_is_settled_in_favor_of_the_paper(true, undecided, stated):
    labels = [f"t{i}" for i in range(true)] + [f"u{i}" for i in range(undecided)] + [f"f{i}" for i in range(10)]
    values = {f"t{i}": 2 for i in range(true)} | {f"f{i}": 0 for i in range(10)}
    values |= {f"u{i}": printed("1") for i in range(undecided)}
    found = verdict(
        "count", "{x: table[x] > 1 for x in labels}", {"table": values, "labels": labels, "stated": stated},
        stated="stated",
    )  # fmt: skip
    assert (found.verdict == "holds") == (true <= stated <= true + undecided)


@given(st.integers(1, 500), st.data(), MODES)
def test_a_rate_of_a_whole_count_is_never_called_impossible(n, data, mode):
    k = data.draw(st.integers(0, n))
    assert verdict("whole", "n", {"rate": shown(Fraction(100 * k, n), mode), "n": n}, stated="rate").verdict == "holds"


@given(CENTS, st.integers(1, 300))
def test_a_rate_is_impossible_where_a_search_finds_no_count(cents, n):
    text = shown(Fraction(cents, 100))
    fits = any(abs(Fraction(100 * k, n) - Fraction(cents, 100)) <= Fraction(1, 200) for k in range(n + 1))
    assert verdict("whole", "n", {"rate": text, "n": n}, stated="rate").verdict == ("holds" if fits else "impossible")


@given(st.integers(1, 2000), st.integers(0, 2), st.sampled_from([1, 10, 100]))
def test_a_test_of_whole_counts_that_cannot_fail_is_left_out(n, digits, scale):
    half = Fraction(1, 2 * 10**digits)
    numbers = [Fraction(i, 10**digits) for i in range(scale * 10**digits + 1)]

    def whole(value):
        k = round(value * n / scale)
        return abs(Fraction(scale * k, n) - value) <= half

    can_fail = n < scale * 10**digits
    if can_fail and n <= 60:
        assert not all(map(whole, numbers)) or scale * 10**digits <= 2 * n
    other = Relation(operator="equals", readings={"": "1"}, stated="1")
    text = shown(Fraction(scale, 3), digits=digits)
    found = verdict("whole", "n", {"rate": text, "n": n}, also=(other,), stated="rate", scale=scale)
    assert len(found.items) == 1 + can_fail
    if not can_fail:
        assert all(map(whole, numbers[:200]))


@given(st.lists(st.tuples(st.integers(1, 60), st.booleans()), min_size=2, max_size=6), st.data())
def test_parts_of_a_whole_never_exceed_it_however_they_are_rounded(sizes, data):
    right = [data.draw(st.integers(0, n)) for n, _ in sizes]
    shares = [[cell(shown(Fraction(100 * k, n))), n, 100] for k, (n, _) in zip(right, sizes, strict=True)]
    total = sum(n for n, _ in sizes)
    whole = [cell(shown(Fraction(100 * sum(right), total))), total, 100]
    chosen = [share for share, (_, inside) in zip(shares, sizes, strict=True) if inside] or shares[:1]
    assert part(chosen, whole).fact is True


def test_parts_exceed_a_whole_in_right_or_in_wrong_answers():
    found = part([[cell("0.72"), 110, 1]], [cell("2.23"), 1210, 100])
    assert found.fact is False
    assert found.text == "at least 79 of 110 right; whole: at most 27 of 1210"
    assert part([[cell("0.00"), 110, 1]], [cell("99.00"), 1210, 100]).text.startswith("at least 110 of 110 wrong")


def test_a_claim_of_which_no_comparison_can_fail_is_refused():
    with pytest.raises(InputError, match="no comparison can fail"):
        verdict("whole", "1000", {"rate": "50.0"}, stated="rate")


def test_the_plain_reading_that_fits_all_rows_holds():
    found = verdict("equals", {"plain": "2", "other": "3"}, {"x": "2.0"}, stated="x")
    assert (found.verdict, found.condition) == ("holds", "")


def test_another_reading_that_fits_all_rows_is_named():
    found = verdict("equals", {"plain": "3", "by items": "2"}, {"x": "2.0"}, stated="x")
    assert (found.verdict, found.condition) == ("only if", "by items")
    assert found.failing == found.items


def test_one_reading_must_fit_all_rows_else_they_are_mixed():
    rows = {"each": {"row": [1, 2]}, "stated": "row"}
    found = verdict("equals", {"plain": "1", "by items": "2"}, {}, **rows)
    assert found.verdict == "only if"
    assert found.condition == "readings are mixed: plain (1 of 2), by items (1 of 2)"
    assert verdict("equals", {"plain": "1", "by items": "5"}, {}, **rows).verdict == "contradicts"


def test_a_test_by_n_counts_only_where_the_points_fit_and_is_no_contradiction():
    def found(point, low, high):
        bounds = Cell(Fraction(low), Fraction(high), "interval")
        return verdict("order", "r > 1", {"r": point, "bounds": bounds}, by_n="bounds > 1").verdict

    assert found("1.30", 1.1, 1.5) == "holds"
    assert found("1.30", 0.9, 1.7) == "not shown by n"
    assert found("0.90", 0.7, 1.1) == "contradicts"


def test_the_worst_relation_makes_the_verdict_of_a_claim():
    def also(operator, readings, **keys):
        return Relation(operator=operator, readings=readings, **keys)

    condition = also("equals", {"a": "1", "b": "2"}, stated="2")
    unshown = also("interval", {"": "span(0.5, 2) > 1"})
    wrong = also("equals", {"": "1"}, stated="2")
    impossible = also("whole", {"": "3"}, stated="rate")
    values = {"rate": "50.0"}
    order = ["holds", "not shown by n", "only if", "contradicts", "impossible"]
    relations = [unshown, condition, wrong, impossible]
    for number, name in enumerate(order):
        assert verdict("equals", "1", values, also=relations[:number], stated="1").verdict == name


def test_most_is_more_than_half_and_all_names_the_exceptions():
    facts = "{x: x in chosen for x in labels}"
    labels = ["a", "b", "c", "d"]
    for chosen, kind in ((["a", "b", "c"], "holds"), (["a", "b"], "contradicts")):
        assert verdict("count", facts, {"labels": labels, "chosen": chosen}, stated='"most"').verdict == kind
    found = verdict("all", facts, {"labels": labels, "chosen": labels[:3]})
    assert found.items[0].outcomes[""].computed == "3 of 4 (not d)"


def test_what_matters_most_is_certain_consequential_and_no_judgment_of_ours(found):
    chosen = main(found)
    assert len(chosen) == 10
    assert [weight(each) for each in chosen] == sorted(map(weight, chosen), reverse=True)
    assert all(each.verdict not in ("holds", "not shown by n") for each in chosen)
    assert all(each.claim.certainty != "judgment of ours" for each in chosen)
    least = min(map(weight, chosen))
    assert all(each in chosen or weight(each) <= least or each.claim.certainty == "judgment of ours" for each in found)
