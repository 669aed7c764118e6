"""Numbers and text as people read them."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.report.toy import estimate
from veridical.records import POINTS, PROPORTION, RATIO, SHARE, Unit
from veridical.report import format_interval, format_number, format_value, visible

DEGREES = Unit(name="deg", digits=2, suffix="°")
UNITS = st.sampled_from([PROPORTION, POINTS, RATIO, SHARE, DEGREES])


def number(text: str) -> float:
    return float(text.replace("\N{MINUS SIGN}", "-").replace(",", ""))


@given(st.floats(-1000, 1000), UNITS)
def test_a_shown_value_is_the_value_to_half_its_last_digit(value, unit):
    shown = format_value(value, unit)
    assert shown.endswith(unit.suffix)
    half = 0.5 * 10**-unit.digits
    assert number(shown.removesuffix(unit.suffix)) == pytest.approx(value * unit.scale, abs=half * 1.001)


@given(st.floats(0.1, 1000), UNITS)
def test_a_plus_stands_where_the_unit_is_signed_and_nowhere_else(value, unit):
    assert format_value(value, unit).startswith("+") == unit.signed
    assert format_value(-value, unit).startswith("−")


def test_units_read_as_their_fields_say():
    shown = [(0.9166, PROPORTION), (12.3, POINTS), (1.966, RATIO), (0.02, SHARE), (1.5, DEGREES)]
    assert [format_value(*each) for each in shown] == ["91.7 %", "+12.3 pts", "1.97", "0.020", "1.50°"]


@given(st.floats(-0.049, 0.049))
def test_points_that_round_to_zero_have_no_sign(value):
    assert format_value(value, POINTS) == "0.0 pts"


def test_a_side_without_bound_is_shown_as_one():
    assert format_interval(estimate("R", 1.9, 0.8, None, unit=RATIO)) == "[≥ 0.80]"
    assert format_interval(estimate("R", 1.9, None, 7.5, unit=RATIO)) == "[≤ 7.50]"


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
