"""Intervals of clustered rates, contrasts and ratios: continuous at 0 and 1, against oracles, and in coverage."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from veridical.stats import Rates, linear, wilson
from veridical.stats.rates import mid_p

SOME = st.integers(0, 2**32 - 1)


def of_one_case(hits, rows):
    """The rate of units with so many hits of so many rows each, and its interval."""
    counts = np.broadcast_to(np.asarray(rows, float), np.shape(hits))
    return Rates(np.asarray(hits, float)[:, None], counts[:, None], np.zeros(len(hits))).mean([1])


@given(n=st.integers(1, 300), share=st.floats(0, 1), level=st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_mid_p_bounds_leave_half_of_what_is_seen_in_each_tail(n, share, level):
    k = round(share * n)
    low, high = (float(bound) for bound in mid_p(k, n, level))
    half = scipy_stats.binom.pmf(k, n, [low, high]) / 2
    assert (low == 0) == (k == 0)
    assert (high == 1) == (k == n)
    if k > 0:
        assert scipy_stats.binom.sf(k, n, low) + half[0] == pytest.approx((1 - level) / 2, abs=1e-9)
    if k < n:
        assert scipy_stats.binom.cdf(k - 1, n, high) + half[1] == pytest.approx((1 - level) / 2, abs=1e-9)


@given(n=st.integers(1, 200), share=st.floats(0, 1))
def test_mid_p_lies_inside_the_exact_interval_and_turns_with_the_answers(n, share):
    k = round(share * n)
    low, high = (float(bound) for bound in mid_p(k, n))
    exact = scipy_stats.binomtest(k, n).proportion_ci(method="exact")
    assert exact.low <= low <= k / n <= high <= exact.high
    assert (1 - high, 1 - low) == pytest.approx(tuple(float(bound) for bound in mid_p(n - k, n)), abs=1e-9)


def test_units_of_one_picture_have_the_mid_p_interval_and_others_have_not():
    low, high = mid_p(7, 10)
    assert of_one_case([1] * 7 + [0] * 3, 1) == (0.7, low, high)
    assert of_one_case([2] * 7 + [0] * 3, 2)[1:] != (low, high)


@st.composite
def units_with_an_error_more(draw):
    """Hits of units with several pictures each, in cases of at least 4 units, and the same with one hit less."""
    units, rows = draw(st.integers(4, 40)), draw(st.integers(2, 20))
    rng = np.random.default_rng(draw(SOME))
    rate, alike = draw(st.sampled_from([0.0, 0.03, 0.2, 0.5, 0.9, 1.0])), draw(st.sampled_from([0.05, 0.5, 3, 50]))
    own = rng.beta(rate * alike, (1 - rate) * alike, units) if 0 < rate < 1 else np.full(units, rate)
    errors = rng.binomial(rows, own)
    if draw(st.booleans()):  # one unit that differs from units alike
        errors = np.full(units, draw(st.integers(0, rows)))
        errors[0] = draw(st.integers(0, rows))
    at = draw(st.integers(0, units - 1))
    assume(errors[at] < rows)
    per_case = draw(st.integers(4, 40))
    strata = np.minimum(np.arange(units) // per_case, max(units // per_case - 1, 0))
    more = errors + (np.arange(units) == at)
    return [Rates((rows - each)[:, None], np.full((units, 1), rows), strata) for each in (errors, more)], units


@given(units_with_an_error_more())
def test_an_error_more_changes_no_width_by_more_than_a_third_and_moves_no_bound_towards_fewer_errors(case):
    (before, after), units = (tuple(each.mean([1]) for each in case[0]), case[1])
    width = before.high - before.low
    assert abs((after.high - after.low) - width) <= width / 3
    assert max(after.low - before.low, after.high - before.high) <= (0.03 if units < 10 else 0.01)


@given(units=st.integers(1, 40), rows=st.integers(1, 12), cases=st.integers(1, 5), seed=SOME, rate=st.floats(0, 1))
def test_intervals_hold_their_value_lie_within_reach_and_are_never_points(units, rows, cases, seed, rate):
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, rows + 1, (units, 4))
    rates = Rates(rng.binomial(counts, rate), counts, rng.integers(0, cases, units))
    for each in (rates.mean([0.25] * 4), rates.mean([0.5, 0.5, 0, 0]), rates.mean([0, 1, 0, 0])):
        assert 0 <= each.low <= each.value <= each.high <= 1
        assert each.high - each.low > 0.001
    for weights in ([1, -1, 0, 0], [1, -1, -1, 1], [0.25, 0.25, -0.25, -0.25]):
        value, low, high = rates.contrast(weights)
        reach = np.maximum(weights, 0).sum()
        assert -reach <= low <= value <= high <= reach
        assert high - low > 0.001
    value, low, high = rates.ratio([1, -1, 0, 0], [0, 0, 1, -1])
    assert np.isnan(value) or 0 <= low <= value <= high


@given(units=st.integers(2, 30), rows=st.integers(2, 10), seed=SOME)
def test_right_and_wrong_are_alike_and_the_order_of_units_is_nothing(units, rows, seed):
    rng = np.random.default_rng(seed)
    counts, strata = rng.integers(1, rows + 1, (units, 2)), rng.integers(0, 3, units)
    hits, order = rng.binomial(counts, 0.3), rng.permutation(units)
    here, turned = Rates(hits, counts, strata), Rates((counts - hits)[order], counts[order], strata[order])
    for weights in ([1, 0], [0.5, 0.5]):
        one, other = here.mean(weights), turned.mean(weights)
        assert (1 - other.value, 1 - other.high, 1 - other.low) == pytest.approx(one, abs=1e-9)
    one, other = ([float(each) for each in rates.contrast([1, -1])] for rates in (here, turned))
    assert [-other[0], -other[2], -other[1]] == pytest.approx(one, abs=1e-9)


def test_rows_that_repeat_each_other_count_once():
    """Ten copies of each of two rows have five times the rows, and no narrower an interval than units of one row."""
    hits = np.array([1.0] * 12 + [0.0] * 8)
    copies, single = of_one_case(10 * hits, 10), wilson(0.6, 20)
    assert copies.high - copies.low >= (single.high - single.low) * 0.999


def test_a_mean_of_many_units_has_the_clustered_variance_of_a_regression():
    import statsmodels.api as sm

    rng = np.random.default_rng(9)
    sizes = rng.integers(2, 9, 3000)
    rows = [rng.random(n) < rate for n, rate in zip(sizes, rng.beta(1, 1, 3000), strict=True)]
    y, unit = np.concatenate(rows).astype(float), np.repeat(np.arange(3000), sizes)
    theirs = sm.OLS(y, np.ones_like(y)).fit(cov_type="cluster", cov_kwds={"groups": unit}).conf_int()[0]
    assert of_one_case([part.sum() for part in rows], sizes)[1:] == pytest.approx(tuple(theirs), abs=3e-4)


@given(st.lists(st.integers(1, 8), min_size=2, max_size=6), st.lists(st.integers(1, 8), min_size=2, max_size=6), SOME)
def test_rates_of_different_units_are_joined_as_independent_ones(one, two, seed):
    rng = np.random.default_rng(seed)
    sizes = np.array([*one, *two])
    rows = np.zeros((len(sizes), 2))
    rows[: len(one), 0], rows[len(one) :, 1] = one, two
    rates = Rates(rng.binomial(rows.astype(int), 0.6), rows, np.zeros(len(sizes)))
    _, low, high = rates.cells
    bounds = list(zip(low.tolist(), high.tolist(), strict=True))
    assert rates.contrast([1, -1])[1:] == pytest.approx(linear([1, -1], rates.value.tolist(), bounds), abs=1e-9)


def test_a_difference_over_many_units_is_that_of_a_paired_t_test():
    rng = np.random.default_rng(3)
    own = rng.beta(1, 1, 4000)
    hits = np.stack([rng.binomial(5, own), rng.binomial(5, 0.8 * own)], 1)
    theirs = scipy_stats.ttest_1samp((hits[:, 0] - hits[:, 1]) / 5, 0).confidence_interval()
    found = Rates(hits, np.full((4000, 2), 5), np.zeros(4000)).contrast([1, -1])
    assert found[1:] == pytest.approx((theirs.low, theirs.high), abs=3e-4)


@given(units=st.integers(4, 40), rows=st.integers(1, 6), seed=SOME)
def test_a_ratio_is_held_where_the_difference_at_that_ratio_may_be_0(units, rows, seed):
    rng = np.random.default_rng(seed)
    rates = Rates(rng.binomial(rows, rng.random((units, 4))), np.full((units, 4), rows), rng.integers(0, 2, units))
    one, two = np.array([1.0, -1, 0, 0]), np.array([0.0, 0, 1, -1])
    value, low, high = rates.ratio(one, two)
    assume(not np.isnan(value))
    scale = np.concatenate([np.linspace(0, 3, 61), np.geomspace(3, 300, 60)])
    of_both = [rates.contrast(one - sign * q * two) for q in scale for sign in (1, -1)]
    held = np.array([each.low <= 0 <= each.high for each in of_both]).reshape(-1, 2).any(1)
    assert (low - 1e-6 <= scale[held]).all()
    assert (scale[held] <= high + 1e-6).all()
    below = rates.contrast(two)
    assert np.isinf(high) == (below.low <= 0 <= below.high)
    for end in (low, high):
        if 0 < end < np.inf:
            reach = [rates.contrast(one - sign * end * two) for sign in (1, -1)]
            assert min(abs(bound) for each in reach for bound in each[1:]) < 1e-6 * max(1, end)
