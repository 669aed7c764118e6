"""Sensitivity and bias against their definitions, other libraries, and the error rates that they state."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from veridical.stats import Cells, SignalCounts, detection, detection_change, sensitivity, sign_flip_p, yes_bias

COUNTS = st.integers(0, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def z(rate):
    return scipy_stats.norm.ppf(rate)


def replies(rng, d_prime, criterion, units=20, trials=6, spread=0.3):
    """Units whose own criterion differs from that of all by normal noise of the given spread."""
    own = criterion + rng.normal(0, spread, units)
    hit, false = (scipy_stats.norm.cdf(side * d_prime / 2 - own) for side in (1, -1))
    many = np.full(units, trials)
    return SignalCounts(rng.binomial(many, hit), many, rng.binomial(many, false), many)


@given(signal=COUNTS, noise=COUNTS)
def test_sensitivity_is_what_its_definition_says(signal, noise):
    (hits, signals), (false, noises) = signal, noise
    d_prime, criterion = sensitivity(hits, signals, false, noises)
    h, f = z((hits + 0.5) / (signals + 1)), z((false + 0.5) / (noises + 1))
    assert (float(d_prime), float(criterion)) == pytest.approx((h - f, -(h + f) / 2), abs=1e-9)


@given(signal=COUNTS, noise=COUNTS)
def test_calling_same_different_and_different_same_turns_both_signs(signal, noise):
    (hits, signals), (false, noises) = signal, noise
    one, two = sensitivity(hits, signals, false, noises), sensitivity(signals - hits, signals, noises - false, noises)
    assert float(one.d_prime) == pytest.approx(-float(two.d_prime), abs=1e-9)
    assert float(one.criterion) == pytest.approx(-float(two.criterion), abs=1e-9)


def test_an_observer_that_says_same_to_all_has_no_sensitivity_and_a_high_criterion():
    d_prime, criterion = sensitivity(0, 50, 0, 50)
    assert float(d_prime) == 0
    assert float(criterion) > 2


def test_counts_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="between 0"):
        sensitivity(5, 4, 0, 4)
    with pytest.raises(ValueError, match="between 0"):
        detection(SignalCounts([5, 1], [4, 4], [0, 0], [4, 4]))


def test_intervals_over_units_agree_with_scipys_bootstrap():
    table = replies(np.random.default_rng(4), 1.5, 0.3, units=80)
    ours = detection(table, draws=8000)

    def of(part):
        def statistic(hits, signal, false, noise, axis=-1):
            return sensitivity(*(each.sum(axis) for each in (hits, signal, false, noise)))[part]

        return statistic

    for part, known in enumerate((ours.d_prime, ours.criterion)):
        theirs = scipy_stats.bootstrap(
            tuple(np.asarray(each) for each in table),
            of(part),
            paired=True,
            n_resamples=8000,
            method="percentile",
            rng=1,
        )
        half = scipy_stats.t.ppf(0.975, 79) * theirs.standard_error
        assert (known.low, known.high) == pytest.approx((known.value - half, known.value + half), abs=0.03)


def test_intervals_of_d_prime_and_criterion_cover_what_they_promise():
    rng, covered = np.random.default_rng(11), np.zeros(2)
    # The rates over all units are those of one observer whose noise and spread of criterion add up.
    widened = np.sqrt(1 + 0.3**2)
    for _ in range(400):
        found = detection(replies(rng, 1.2, 0.2), draws=300)
        truths = (1.2 / widened, 0.2 / widened)
        covered += [
            part.low <= truth <= part.high for part, truth in zip((found.d_prime, found.criterion), truths, strict=True)
        ]
    assert (covered >= 0.93 * 400).all()
    assert (covered <= 0.97 * 400).all()


def test_an_observer_without_a_fault_is_bounded_below_alone():
    many = [2] * 20
    found = detection(SignalCounts(many, many, [0] * 20, many))
    assert found.d_prime.value > found.d_prime.low > 0.5
    assert found.d_prime.high is None
    assert found.criterion.low is found.criterion.high is None
    fewer = detection(SignalCounts([2] * 5, [2] * 5, [0] * 5, [2] * 5))
    assert fewer.d_prime.low < found.d_prime.low


def test_a_rate_alike_in_all_units_still_has_an_interval():
    found = detection(SignalCounts([3] * 10, [4] * 10, [1] * 10, [4] * 10))
    assert found.d_prime.low < found.d_prime.value - 0.1 < found.d_prime.value + 0.1 < found.d_prime.high


@pytest.mark.parametrize(
    "table",
    [
        SignalCounts([1, 1], [2, 2], [0, 0], [0, 0]),
        SignalCounts([0, 0], [0, 0], [1, 1], [2, 2]),
        SignalCounts([1], [2], [1], [2]),
    ],
)
def test_what_cannot_be_estimated_has_no_value_and_a_reason(table):
    for found in (detection(table), detection_change(table, table)):
        assert found.d_prime == found.criterion == (None, None, None)
        assert found.reason


def test_a_change_is_the_difference_and_turns_with_the_order():
    rng = np.random.default_rng(8)
    one, two = replies(rng, 1.5, 0.0), replies(rng, 0.5, 0.4)
    there, back = detection_change(one, two), detection_change(two, one)
    assert there.d_prime.value == pytest.approx(detection(two).d_prime.value - detection(one).d_prime.value, abs=1e-9)
    assert there.d_prime.value == pytest.approx(-back.d_prime.value, abs=1e-9)
    assert there.d_prime.low == pytest.approx(-back.d_prime.high, abs=1e-9)
    assert there.d_prime_p == pytest.approx(back.d_prime_p, abs=0.02)
    same = detection_change(one, one)
    assert same.d_prime.value == 0
    assert same.d_prime_p == same.criterion_p == 1


def test_a_moved_criterion_is_found_and_is_not_taken_for_sensitivity():
    """300 pairs of conditions with one d' and two criteria, 400 units' worth of noise in each unit's own."""
    rng, moved, mistaken = np.random.default_rng(3), 0, 0
    for _ in range(300):
        change = detection_change(replies(rng, 1.2, -0.2), replies(rng, 1.2, 0.4), draws=20)
        moved += change.criterion_p <= 0.05
        mistaken += change.d_prime_p <= 0.05
    assert moved > 0.9 * 300
    assert scipy_stats.binomtest(mistaken, 300, 0.05, alternative="greater").pvalue > 0.01


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=30))
def test_yes_bias_is_the_sum_of_both_rates_less_one(pairs):
    forward, backward = np.array(pairs, float).T
    bias = yes_bias(forward, backward)
    assert bias.value == pytest.approx(forward.mean() + backward.mean() - 1)
    assert -1 <= bias.low <= bias.value + 1e-9
    assert bias.value - 1e-9 <= bias.high <= 1


def test_yes_to_everything_is_a_bias_of_one_and_its_interval_no_point():
    bias = yes_bias([1] * 20, [1] * 20)
    assert bias.value == bias.high == 1
    assert 0.6 < bias.low < 0.95


def test_yes_bias_needs_questions_of_both_kinds_and_two_units():
    assert yes_bias([1, 0], [0, 0], [1, 1], [0, 0]) == (None, None, None)
    assert yes_bias([1], [1]) == (1.0, None, None)


def test_yes_bias_agrees_with_scipys_bootstrap():
    rng = np.random.default_rng(6)
    forward, backward = rng.binomial(4, 0.7, 60), rng.binomial(4, 0.5, 60)
    ours = yes_bias(forward, backward, [4] * 60, [4] * 60)
    theirs = scipy_stats.bootstrap(((forward + backward) / 4,), np.mean, n_resamples=8000, method="percentile", rng=rng)
    half = scipy_stats.t.ppf(0.975, 59) * theirs.standard_error
    assert (ours.low, ours.high) == pytest.approx((ours.value - half, ours.value + half), abs=0.01)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=13))
def test_the_sign_flip_test_of_single_pairs_is_mcnemars_exact_test(pairs):
    from statsmodels.stats.contingency_tables import mcnemar

    table = np.zeros((2, 2), int)
    for one, two in pairs:
        table[int(one), int(two)] += 1
    assert sign_flip_p([int(a) - int(b) for a, b in pairs]) == pytest.approx(
        mcnemar(table, exact=True).pvalue, abs=1e-9
    )


def test_the_bootstrap_of_units_has_the_clustered_variance_of_a_regression():
    import statsmodels.api as sm

    rng = np.random.default_rng(9)
    rates, sizes = rng.beta(1, 1, 40), rng.integers(2, 9, 40)
    rows = [rng.random(n) < rate for rate, n in zip(rates, sizes, strict=True)]
    y, unit = np.concatenate(rows).astype(float), np.repeat(np.arange(40), sizes)
    theirs = sm.OLS(y, np.ones_like(y)).fit(cov_type="cluster", cov_kwds={"groups": unit}).bse[0]
    sums, counts = np.array([[[r.sum()]] for r in rows], float), sizes[:, None].astype(float)
    ours = Cells(sums, counts, np.zeros(40, int), draws=20_000).replicates.std(ddof=1)
    assert ours == pytest.approx(theirs, rel=0.04)
