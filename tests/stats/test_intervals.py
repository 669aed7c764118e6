"""Intervals against other libraries' numbers and against their own promise: the coverage that they state."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from veridical.stats import Cells, Interval, linear, ratio, sign_flip_p, wilson


@given(n=st.integers(1, 500), share=st.floats(0, 1), level=st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_wilson_agrees_with_statsmodels(n, share, level):
    from statsmodels.stats.proportion import proportion_confint

    k = round(share * n)
    assert wilson(k / n, n, level) == pytest.approx(proportion_confint(k, n, 1 - level, "wilson"), abs=1e-9)


@given(a=st.floats(0.01, 0.99), b=st.floats(0.01, 0.99), n=st.integers(5, 300))
def test_a_difference_by_variance_recovery_is_newcombes_hybrid_score(a, b, n):
    first, second = wilson(a, n), wilson(b, n)
    below = np.hypot(a - first.low, second.high - b)
    above = np.hypot(first.high - a, b - second.low)
    assert linear([1, -1], [a, b], [first, second]) == pytest.approx((a - b - below, a - b + above), abs=1e-12)


@given(a=st.floats(5, 100), b=st.floats(5, 100), spread=st.floats(0.01, 0.15))
def test_a_ratio_of_symmetric_intervals_is_fiellers(a, b, spread):
    za, zb = a * spread, b * spread
    low, high = ratio(a, b, Interval(a - za, a + za), Interval(b - zb, b + zb))
    roots = np.roots([b * b - zb * zb, -2 * a * b, a * a - za * za])
    assert (low, high) == pytest.approx(tuple(sorted(roots.real)), rel=1e-6)


def test_a_ratio_whose_lower_quantity_may_be_zero_has_no_upper_bound():
    assert ratio(0.5, 0.1, Interval(0.4, 0.6), Interval(0.0, 0.3)).high is None


def cells_of(values, strata=None, **options):
    """One cell, one metric: `values` is a list of the rows of each unit."""
    sums = np.array([[[np.sum(v)]] for v in values], float)
    rows = np.array([[len(v)] for v in values], float)
    strata = np.zeros(len(values), int) if strata is None else np.array(strata)
    return Cells(sums, rows, strata, **options)


def test_the_bootstrap_variance_of_a_mean_is_the_textbook_one_even_for_few_units():
    values = [[0.0], [0.0], [1.0], [1.0]]
    variance = cells_of(values, draws=200_000).replicates.var()
    assert variance == pytest.approx(np.var([0, 0, 1, 1], ddof=1) / 4, rel=0.02)


def test_the_bootstrap_resamples_within_strata():
    values = [[0.0]] * 5 + [[1.0]] * 5
    assert cells_of(values, [0] * 5 + [1] * 5).replicates.var() == pytest.approx(0, abs=1e-12)
    assert cells_of(values).replicates.var() > 0.01


def test_the_bootstrap_resamples_within_strata_that_lie_among_each_other():
    assert cells_of([[0.0], [1.0]] * 5, [0, 1] * 5).replicates.var() == pytest.approx(0, abs=1e-12)
    values, strata = [[0.0], [0.0], [5.0], [1.0], [6.0], [1.0]] * 2, [0, 0, 1, 0, 1, 0] * 2
    textbook = (8 * 8 * np.var([0, 0, 1, 1] * 2, ddof=1) / 8 + 4 * 4 * np.var([5, 6] * 2, ddof=1) / 4) / 12**2
    assert cells_of(values, strata, draws=50_000).replicates.var() == pytest.approx(textbook, rel=0.03)


def test_the_bootstrap_of_many_units_is_that_of_few():
    """So many that they are drawn and weighted some draws at a time."""
    values = np.random.default_rng(4).integers(0, 2, 5000).astype(float)
    variance = cells_of([[value] for value in values]).replicates.var()
    assert variance == pytest.approx(values.var(ddof=1) / 5000, rel=0.2)


def test_strata_of_one_unit_are_resampled_together():
    data = cells_of([[0.0], [1.0], [0.0], [1.0]], [0, 1, 2, 3])
    assert data.replicates.var() > 0.01
    assert data.df == 3


def test_the_bootstrap_agrees_with_scipy_on_one_stratum():
    rng = np.random.default_rng(1)
    values = rng.integers(0, 2, (60, 5)).astype(float)
    ours = np.quantile(cells_of(values.tolist(), draws=20_000).replicates[:, 0, 0], [0.025, 0.975])
    theirs = scipy_stats.bootstrap((values.mean(1),), np.mean, n_resamples=20_000, method="percentile", rng=rng)
    assert ours == pytest.approx(list(theirs.confidence_interval), abs=0.005)


def test_the_same_seed_gives_the_same_replicates():
    values = [[0.0, 1.0], [1.0], [0.0]]
    assert np.array_equal(cells_of(values, seed=3).replicates, cells_of(values, seed=3).replicates)
    assert not np.array_equal(cells_of(values, seed=3).replicates, cells_of(values, seed=4).replicates)


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=10))
def test_the_sign_flip_test_agrees_with_scipys_permutation_test(values):
    assume(any(values))
    share = np.array(values, float)
    theirs = scipy_stats.permutation_test(
        (share,), np.sum, permutation_type="samples", n_resamples=np.inf, alternative="two-sided"
    )
    assert sign_flip_p(share) == pytest.approx(min(theirs.pvalue, 1.0), abs=1e-9)


def test_the_random_sign_flip_test_agrees_with_the_exact_one():
    share = np.random.default_rng(2).normal(0.4, 1, 20)
    patterns = 1 - 2 * ((np.arange(2**20)[:, None] >> np.arange(20)) & 1).astype(np.int8)
    exact = (np.abs(patterns @ share) >= abs(share.sum()) - 1e-12).mean()
    assert sign_flip_p(share) == pytest.approx(exact, abs=0.015)


@pytest.mark.parametrize("ones", [10, 13, 16])
def test_the_random_sign_flip_test_of_differences_of_few_sizes_is_a_binomial_one(ones):
    share = [1] * ones + [-1] * (20 - ones) + [0] * 5
    assert sign_flip_p(share) == pytest.approx(scipy_stats.binomtest(ones, 20).pvalue, abs=0.015)


def test_the_sign_flip_test_errs_no_more_often_than_it_says():
    rng = np.random.default_rng(5)
    rejected = sum(sign_flip_p(rng.normal(size=12)) <= 0.05 for _ in range(600))
    assert scipy_stats.binomtest(rejected, 600, 0.05).pvalue > 0.001
