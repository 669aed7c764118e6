"""Ranges of printed numbers hold what could have been printed so, and nothing leaves them by arithmetic."""

from decimal import ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from studies.published.ranges import Range, count, exact, highest, mean, printed
from studies.published.relations import pearson, rank, tau
from veridical.errors import InputError

NUMBERS = st.fractions(-1000, 1000, max_denominator=10**4)
DIGITS = st.integers(0, 3)
MODES = st.sampled_from([ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN])


def as_printed(value, digits, mode=ROUND_HALF_EVEN):
    """A fraction with at most four decimals as a paper would print it."""
    return str(
        Decimal(value.numerator * 10**6 // value.denominator).scaleb(-6).quantize(Decimal(1).scaleb(-digits), mode)
    )


TENTHS = st.integers(-(10**6), 10**6).map(lambda n: Fraction(n, 10**3))


@given(TENTHS, DIGITS, MODES)
def test_a_printed_number_holds_what_was_rounded_to_it(value, digits, mode):
    found = printed(as_printed(value, digits, mode))
    assert found.low <= value <= found.high
    assert found.high - found.low == Fraction(1, 10**digits)


@st.composite
def inside(draw):
    """A range, and a value in it."""
    ends = sorted([draw(NUMBERS), draw(NUMBERS)])
    share = draw(st.fractions(0, 1))
    return Range(*ends), ends[0] + share * (ends[1] - ends[0])


@given(inside(), inside())
def test_arithmetic_on_ranges_holds_arithmetic_on_their_values(first, second):
    (a, x), (b, y) = first, second
    for found, value in ((a + b, x + y), (a - b, x - y), (a * b, x * y), (abs(a), abs(x)), (-a, -x)):
        assert found.low <= value <= found.high
    if not b.low <= 0 <= b.high:
        assert (a / b).low <= x / y <= (a / b).high
    else:
        with pytest.raises(ZeroDivisionError):
            a / b


@given(inside(), inside())
def test_a_comparison_that_is_decided_holds_for_the_values(first, second):
    (a, x), (b, y) = first, second
    assert a.above(b) in (x > y, None)
    assert (not a.meets(b)) <= (x != y)


@given(st.lists(inside(), min_size=1, max_size=6), st.data())
def test_means_and_extremes_hold_those_of_the_values(pairs, data):
    ranges, values = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    weights = data.draw(st.lists(st.integers(1, 50), min_size=len(pairs), max_size=len(pairs)))
    plain, weighted, most = mean(ranges), mean(ranges, weights), highest(ranges)
    assert plain.low <= sum(values) / len(values) <= plain.high
    assert weighted.low <= sum(map(lambda v, w: v * w, values, weights)) / sum(weights) <= weighted.high
    assert most.low <= max(values) <= most.high


@given(st.lists(inside(), min_size=2, max_size=7))
def test_ranks_hold_the_ranks_of_the_values(pairs):
    ranges, values = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    for own, value in zip(ranges, values, strict=True):
        place = rank(own, ranges)
        assert place.low <= 1 + sum(other > value for other in values) <= place.high


@given(st.lists(st.tuples(inside(), inside()), min_size=2, max_size=7))
def test_tau_holds_the_tau_of_the_values(rows):
    first, second = ([row[side][0] for row in rows] for side in (0, 1))
    x, y = ([row[side][1] for row in rows] for side in (0, 1))
    signs = [np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]) for i in range(len(x)) for j in range(i)]
    found = tau(first, second)
    assert found.low <= Fraction(int(sum(signs)), len(signs)) <= found.high


def test_tau_is_scipys_where_nothing_is_tied_or_rounded():
    for order in permutations(range(5)):
        found = tau([exact(value) for value in range(5)], [exact(value) for value in order])
        assert float(found.low) == float(found.high) == pytest.approx(stats.kendalltau(range(5), order).statistic)


@given(st.lists(st.tuples(TENTHS, TENTHS), min_size=3, max_size=12), DIGITS)
def test_pearson_holds_the_correlation_of_the_unrounded_values(rows, digits):
    x, y = zip(*rows, strict=True)
    found = pearson(
        [printed(as_printed(value, digits)) for value in x], [printed(as_printed(value, digits)) for value in y]
    )
    if len(set(x)) > 1 and len(set(y)) > 1:
        r = np.corrcoef([float(value) for value in x], [float(value) for value in y])[0, 1]
        assert float(found.low) - 1e-9 <= r <= float(found.high) + 1e-9


@given(st.lists(st.sampled_from([True, False, None]), max_size=20))
def test_a_count_is_reached_by_some_way_of_settling_what_is_open(facts):
    found = count(facts)
    assert found.low == sum(fact is True for fact in facts)
    assert found.high == sum(fact is not False for fact in facts)


@pytest.mark.parametrize("text", ["", "-", "about 3", "1.2.3", "1e3x", "nan", "½"])
def test_what_is_no_printed_number_is_refused_in_one_line(text):
    with pytest.raises(InputError, match="printed number") as caught:
        printed(text)
    assert "\n" not in str(caught.value)


@given(inside(), DIGITS)
def test_what_is_shown_of_a_range_holds_the_range(pair, digits):
    found, _ = pair
    low, _, high = found.show(digits).partition(" to ")
    tolerance = Fraction(1, 10**9) if high else Fraction(1, 10**digits)
    assert Fraction(low) <= found.low + tolerance
    assert Fraction(high or low) >= found.high - tolerance
