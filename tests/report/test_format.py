"""Numbers and text as people read them."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.report.toy import estimate
from veridical.errors import InputError
from veridical.report import format_estimate, format_interval, format_number, format_value, visible

SCALE = {"proportion": (100, " %", 0.05), "points": (1, " pts", 0.05), "ratio": (1, "", 0.005)}


def number(text: str) -> float:
    return float(text.replace("\N{MINUS SIGN}", "-").replace(",", ""))


@given(st.floats(-1000, 1000), st.sampled_from(sorted(SCALE)))
def test_a_shown_value_is_the_value_to_half_its_last_digit(value, unit):
    factor, suffix, half = SCALE[unit]
    shown = format_value(value, unit)
    assert shown.endswith(suffix)
    assert number(shown.removesuffix(suffix)) == pytest.approx(value * factor, abs=half * 1.001)


@given(st.floats(-0.049, 0.049))
def test_points_that_round_to_zero_have_no_sign(value):
    assert format_value(value, "points") == "0.0 pts"


def test_an_estimate_reads_as_value_and_interval():
    assert format_estimate(estimate("PFA", 0.917, 0.881, 0.942)) == "91.7 % [88.1, 94.2]"
    assert format_estimate(estimate("gap", 12.3, -3.14, 20, unit="points")) == "+12.3 pts [−3.1, +20.0]"
    assert format_estimate(estimate("R", 1.966, 1.2, 3, unit="ratio")) == "1.97 [1.20, 3.00]"


def test_a_side_without_bound_is_shown_as_one():
    assert format_interval(estimate("R", 1.9, 0.8, None, unit="ratio")) == "[≥ 0.80]"
    assert format_interval(estimate("R", 1.9, None, 7.5, unit="ratio")) == "[≤ 7.50]"
    assert format_estimate(estimate("R", 1.9, None, None, unit="ratio")) == "1.90"


def test_an_undefined_estimate_says_why():
    assert format_estimate(estimate("PFA", None, None, None, reason="no pair")) == "undefined: no pair"


def test_a_unit_that_estimates_do_not_have_is_refused():
    with pytest.raises(InputError, match="furlong"):
        format_value(0.5, "furlong")


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_a_plain_number_that_is_not_zero_never_reads_as_zero(value):
    shown = number(format_number(value))
    assert (shown == 0) == (value == 0)
    assert shown == pytest.approx(value, rel=0.05, abs=0.0005)


@given(st.text(st.characters(exclude_categories=())))
def test_visible_text_encodes_and_hides_nothing(text):
    shown = visible(text)
    shown.encode()
    assert all(c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs", "Zl", "Zp") for c in shown)
    assert all(unicodedata.bidirectional(c) not in {"LRE", "RLE", "LRO", "RLO", "PDF"} for c in shown)
    assert all(unicodedata.bidirectional(c) not in {"LRI", "RLI", "FSI", "PDI"} for c in shown)


@given(st.text(st.characters(categories=("L", "N", "P", "S", "Zs"))))
def test_visible_leaves_ordinary_text_alone(text):
    assert visible(text) == text


def test_joiners_stay_for_the_scripts_that_need_them():
    family = "\U0001f468\u200d\U0001f469"
    assert visible(family) == family
