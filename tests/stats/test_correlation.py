"""Correlations, percentage errors, false positives: against other libraries' numbers, and in coverage."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from veridical.stats import false_positive_rate, pearson, percentage_error, spearman, wilson
from veridical.stats.resample import jackknife_error

SOME = st.integers(0, 2**32 - 1)


def columns(seed, rows, rounded):
    rng = np.random.default_rng(seed)
    one = rng.normal(size=rows)
    two = one * rng.uniform(-1, 1) + rng.normal(size=rows)
    return (np.round(one), np.round(two)) if rounded else (one, two)


@given(seed=SOME, rows=st.integers(4, 60), rounded=st.booleans())
def test_pearson_and_its_interval_are_those_of_scipy(seed, rows, rounded):
    one, two = columns(seed, rows, rounded)
    ours = pearson(one, two)
    if np.ptp(one) == 0 or np.ptp(two) == 0:
        assert ours.value is None
        assert ours.reason == "all values of one column are the same"
        return
    theirs = scipy_stats.pearsonr(one, two)
    assert ours.value == pytest.approx(theirs.statistic, abs=1e-9)
    if abs(ours.value) < 1 - 1e-9:
        assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval(0.95)), abs=1e-9)


@given(seed=SOME, rows=st.integers(2, 60), rounded=st.booleans())
def test_spearman_is_that_of_scipy(seed, rows, rounded):
    one, two = columns(seed, rows, rounded)
    ours = spearman(one, two)
    if np.ptp(one) > 0 and np.ptp(two) > 0:
        assert ours.value == pytest.approx(scipy_stats.spearmanr(one, two).statistic, abs=1e-9)
        assert (ours.low is None) == (rows < 4)
        if ours.low is not None:
            assert -1 <= ours.low <= ours.value <= ours.high <= 1
    else:
        assert ours.value is None


@pytest.mark.parametrize("correlation", [pearson, spearman])
def test_a_perfect_correlation_has_an_interval_that_is_no_point(correlation):
    ours = correlation(range(20), range(0, 40, 2))
    assert ours.value == pytest.approx(1)
    assert ours.high == 1
    assert 0 < ours.low < 0.95
    assert correlation(range(20), range(20, 0, -1)).low == -1


@pytest.mark.parametrize("correlation", [pearson, spearman])
def test_rows_that_repeat_each_other_count_once(correlation):
    one, two = columns(7, 40, False)
    single = correlation(one, two)
    repeated = correlation(np.repeat(one, 5), np.repeat(two, 5), units=np.repeat(np.arange(40), 5))
    assert repeated.value == pytest.approx(single.value)
    assert repeated.high - repeated.low == pytest.approx(single.high - single.low, rel=0.25)


def test_the_jackknife_of_ranks_ranks_anew_without_each_unit():
    from veridical.stats.correlation import _left_out

    one, two = columns(8, 30, True)
    units = np.random.default_rng(8).integers(0, 9, 30)
    codes = np.unique(units, return_inverse=True)[1]
    expected = [scipy_stats.spearmanr(one[codes != u], two[codes != u]).statistic for u in np.unique(codes)]
    assert _left_out(one, two, codes) == pytest.approx(np.array(expected), abs=1e-9)


@pytest.mark.parametrize(("correlation", "truth"), [(pearson, 0.6), (spearman, 6 / np.pi * np.arcsin(0.3))])
@pytest.mark.parametrize("rows", [1, 4])
def test_the_interval_of_a_correlation_covers_the_truth(correlation, truth, rows):
    rng = np.random.default_rng(9)
    covariance, covered = [[1, 0.6], [0.6, 1]], 0
    for _ in range(300):
        unit = rng.multivariate_normal([0, 0], covariance, 30)[:, None]
        both = np.sqrt(0.5) * unit + np.sqrt(0.5) * rng.multivariate_normal([0, 0], covariance, (30, rows))
        ours = correlation(both[..., 0].ravel(), both[..., 1].ravel(), units=np.repeat(np.arange(30), rows))
        covered += ours.low <= truth <= ours.high
    assert covered >= 0.92 * 300


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=30))
def test_the_jackknife_of_a_mean_is_its_standard_error(values):
    array = np.array(values)
    left_out = (array.sum() - array) / (len(array) - 1)
    assert jackknife_error(left_out) == pytest.approx(array.std(ddof=1) / np.sqrt(len(array)), abs=1e-6)


@given(seed=SOME, rows=st.integers(1, 40))
def test_the_percentage_error_is_that_of_scikit_learn_without_references_of_zero(seed, rows):
    from sklearn.metrics import mean_absolute_percentage_error

    rng = np.random.default_rng(seed)
    truth, seen = rng.integers(-3, 10, rows).astype(float), rng.normal(4, 2, rows)
    ours = percentage_error(truth, seen)
    counted = truth != 0
    assert ours.left_out == (~counted).sum()
    assert ours.n == counted.sum()
    if counted.any():
        assert ours.value == pytest.approx(mean_absolute_percentage_error(truth[counted], seen[counted]))
        assert ours.low is None or 0 <= ours.low <= ours.value <= ours.high
    else:
        assert ours.value is None
        assert ours.reason == "no row has a reference other than 0"


def test_a_percentage_error_of_units_that_deviate_alike_says_so():
    assert percentage_error([2, 4, 8], [2, 4, 8]).reason == "all units deviate alike"
    assert percentage_error([2, 4], [1, 4], units=["u", "u"]).reason == "an interval needs at least two units"


def test_any_score_above_zero_is_a_false_positive():
    ours = false_positive_rate([0, 0.01, 5, 0, 0])
    assert ours.value == 0.4
    assert (ours.low, ours.high) == wilson(0.4, 5)
    assert false_positive_rate([]).value is None


def test_false_positives_of_repeated_answers_are_no_more_certain():
    ours = false_positive_rate([1] * 20 + [0] * 60, units=np.repeat(np.arange(8), 10))
    single = wilson(0.25, 8)
    assert ours.value == 0.25
    assert ours.high - ours.low >= 0.8 * (single.high - single.low)
