"""Fitted psychometric functions against an independent fit, other libraries, and the promise of their intervals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize
from scipy import stats as scipy_stats

from studies.viprobe.validation.fit_coverage import LEVELS, OBSERVERS, Observer, same_different_coverage, simulated
from veridical.stats import (
    first_probability,
    fit_same_different,
    fit_sigmoid,
    psychometric,
    same_probability,
    shift,
)

UNIT = st.floats(-1, 1)
SPREAD = st.floats(0.02, 2)
STEEP = np.array(LEVELS)


def height(p, counts, rows):
    """The log-likelihood without the binomial coefficient, by another library."""
    n = rows.sum(0)
    coefficient = scipy_stats.binom.logpmf(counts.sum(0), n, 0.5) - n * np.log(0.5)
    return float((scipy_stats.binom.logpmf(counts.sum(0), n, np.clip(p, 1e-10, 1 - 1e-10)) - coefficient).sum())


def searched(counts, rows, fixed=None):
    """The best log-likelihood of the same/different model by Nelder and Mead's search, with mu held where given."""

    def model(free):
        mu, sigma, criterion, lapse = (fixed, *free) if fixed is not None else free
        return same_probability(STEEP, mu, np.exp(sigma), abs(criterion), np.clip(lapse, 0, 0.5))

    starts = [(0.0, np.log(s), c, 0.05) for s in (0.05, 0.2) for c in (0.1, 0.3)]
    found = [
        optimize.minimize(
            lambda free: -height(model(free), counts, rows),
            start if fixed is None else start[1:],
            method="Nelder-Mead",
            options={"maxiter": 4000, "maxfev": 4000, "xatol": 1e-7, "fatol": 1e-9},
        )
        for start in starts
    ]
    best = min(found, key=lambda each: each.fun)
    return -best.fun, best.x


@given(alpha=UNIT, mu=UNIT, sigma=SPREAD, criterion=st.floats(0, 1), lapse=st.floats(0, 1))
def test_same_is_said_where_the_noisy_difference_lies_within_the_criterion(alpha, mu, sigma, criterion, lapse):
    noise = scipy_stats.norm(alpha - mu, sigma)
    expected = lapse / 2 + (1 - lapse) * (noise.cdf(criterion) - noise.cdf(-criterion))
    assert float(same_probability(alpha, mu, sigma, criterion, lapse)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("curve", [psychometric._curve, psychometric._sigmoid_curve])
@given(mu=UNIT, spread=st.floats(-2, 1), lapse=st.floats(0.01, 0.49), criterion=st.floats(0.01, 1))
def test_the_slopes_of_a_curve_are_its_differences(curve, mu, spread, lapse, criterion):
    theta = np.array([mu, spread, lapse, criterion])[: 4 if curve is psychometric._curve else 3]
    at = curve(STEEP)
    for j, slope in enumerate(np.moveaxis(at(theta[None])[1][0], -1, 0)):
        step = 1e-5 * np.eye(len(theta))[j]
        numeric = (at((theta + step)[None])[0] - at((theta - step)[None])[0])[0] / 2e-5
        assert slope == pytest.approx(numeric, abs=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_the_fit_is_as_good_as_an_independent_search_finds(seed):
    counts, rows = simulated(OBSERVERS[seed], np.random.default_rng(seed))
    fit = fit_same_different(LEVELS, counts, rows)
    best, x = searched(counts, rows)
    assert fit.log_likelihood == pytest.approx(best, abs=0.01)
    assert fit.log_likelihood >= best - 1e-3
    if fit.identified:
        assert fit.mu.value == pytest.approx(x[0], abs=0.005)
        assert fit.sigma.value == pytest.approx(np.exp(x[1]), rel=0.05)
    saturated = height(counts.sum(0) / rows.sum(0), counts, rows)
    assert fit.deviance == pytest.approx(2 * (saturated - fit.log_likelihood), abs=1e-6)


def test_the_likelihood_has_fallen_alike_at_both_bounds_of_mu():
    counts, rows = simulated(OBSERVERS[4], np.random.default_rng(2))
    fit = fit_same_different(LEVELS, counts, rows)
    below, above = (fit.log_likelihood - searched(counts, rows, bound)[0] for bound in (fit.mu.low, fit.mu.high))
    assert below == pytest.approx(above, rel=0.05)
    # Half the square of Student's t at least, as replies of a unit do not tell more than independent ones.
    assert below > 0.95 * scipy_stats.t.ppf(0.975, 14) ** 2 / 2


@given(seed=st.integers(0, 20), scale=st.sampled_from([0.01, 3.0, 100.0]))
@settings(max_examples=8, deadline=None)
def test_levels_in_another_unit_or_turned_round_change_the_fit_alike(seed, scale):
    counts, rows = simulated(OBSERVERS[0], np.random.default_rng(seed))
    fit = fit_same_different(LEVELS, counts, rows)
    scaled = fit_same_different(scale * STEEP, counts, rows)
    turned = fit_same_different(STEEP, counts[:, ::-1], rows)
    assert scaled.mu.value == pytest.approx(scale * fit.mu.value, abs=0.002 * scale)
    assert (turned.mu.low, turned.mu.high) == pytest.approx((-fit.mu.high, -fit.mu.low), abs=0.005)
    assert fit.jnd.value == pytest.approx(scipy_stats.norm.ppf(0.75) * fit.sigma.value)


def test_replies_that_repeat_each_other_count_once():
    counts, rows = simulated(OBSERVERS[0], np.random.default_rng(5))
    once, often = fit_same_different(LEVELS, counts, rows), fit_same_different(LEVELS, 8 * counts, 8 * rows)
    assert often.mu.value == pytest.approx(once.mu.value, abs=1e-3)
    assert often.mu.high - often.mu.low > 0.98 * (once.mu.high - once.mu.low)


def fitted(p, units=12, reps=2, levels=LEVELS, seed=0):
    rows = np.full((units, len(levels)), reps)
    return fit_same_different(levels, np.random.default_rng(seed).binomial(reps, np.broadcast_to(p, rows.shape)), rows)


@pytest.mark.parametrize(
    ("fit", "why"),
    [
        (lambda: fitted(1.0), "all replies are"),
        (lambda: fitted(0.0), "all replies are"),
        (lambda: fitted(0.5), "flat"),
        (lambda: fitted(0.97), "flat"),
        (lambda: fitted([0.9, 0.1], levels=(0, 0.5)), "2 levels"),
        (lambda: fitted(0.5, units=1), "1 unit"),
        (lambda: fitted(0.5, reps=0), "no replies"),
    ],
)
def test_what_says_nothing_of_the_curve_is_not_identified(fit, why):
    found = fit()
    assert not found.identified
    assert why in found.reason
    assert found.mu == found.sigma == found.lapse == found.criterion == found.jnd == (None, None, None)


def test_a_perfect_observer_bounds_sigma_from_above_and_mu_from_both_sides():
    found = fitted(STEEP == 0)
    assert not found.identified
    assert found.sigma.value is found.sigma.low is None
    assert 0.01 < found.sigma.high < 0.1
    # A criterion between 0 and the smallest step: mu may lie anywhere within half of that.
    assert found.mu.value is None
    assert (found.mu.low, found.mu.high) == pytest.approx((-0.05, 0.05), abs=0.005)
    assert fitted(STEEP == 0, units=4).sigma.high > found.sigma.high


@pytest.mark.parametrize(("mu", "criterion", "sigma"), [(0.6, 0.2, 0.15), (-0.6, 0.6, 0.1), (0.8, 0.5, 0.2)])
def test_an_equality_beyond_the_levels_is_bounded_on_the_near_side_alone(mu, criterion, sigma):
    found = fitted(same_probability(STEEP, mu, sigma, criterion, 0.0))
    near, far = (found.mu.low, found.mu.high) if mu > 0 else (found.mu.high, found.mu.low)
    assert far is None
    assert near is not None
    assert abs(near) < abs(mu)
    assert found.criterion.high is None
    assert not found.identified


def test_blind_observers_are_seldom_taken_to_depend_on_the_level():
    rng, mistaken = np.random.default_rng(17), 0
    for _ in range(400):
        own = rng.beta(2, 2, (12, 1))
        counts = rng.binomial(3, np.broadcast_to(own, (12, 11)))
        mistaken += "flat" not in (fit_same_different(LEVELS, counts, np.full(counts.shape, 3)).reason or "")
    assert scipy_stats.binomtest(mistaken, 400, 0.05, alternative="greater").pvalue > 0.01


def test_intervals_of_mu_and_sigma_cover_what_they_promise():
    found = list(same_different_coverage(50))
    for name in ("mu", "sigma"):
        covered = sum(each.covered for each in found if each.parameter == name)
        runs = sum(each.runs for each in found if each.parameter == name)
        assert scipy_stats.binomtest(covered, runs, 0.95).pvalue > 0.01


def test_intervals_that_take_replies_for_independent_cover_less():
    observer, covered = Observer(20, 0.05, 0.1, 0.2, 0.05, shared=0.7, repeated=1.0), np.zeros(2)
    rng = np.random.default_rng(1)
    for _ in range(40):
        counts, rows = simulated(observer, rng)
        each = np.eye(11)[np.tile(np.arange(11), 20)]
        apart = fit_same_different(LEVELS, each * counts.reshape(-1, 1), each * rows.reshape(-1, 1))
        together = fit_same_different(LEVELS, counts, rows)
        covered += [fit.mu.low <= observer.mu <= fit.mu.high for fit in (apart, together)]
    assert covered[0] < 34 < covered[1]


def test_units_without_replies_count_for_nothing_and_keep_their_place():
    counts, rows = simulated(OBSERVERS[0], np.random.default_rng(3))
    gaps = [np.insert(part, [0, 4], 0, axis=0) for part in (counts, rows)]
    one, two = fit_same_different(LEVELS, counts, rows), fit_same_different(LEVELS, *gaps)
    assert (one.mu, one.sigma, one.units, one.n) == (two.mu, two.sigma, two.units, two.n)
    assert np.flatnonzero(np.isnan(two.left_out)).tolist() == [0, 5]


def test_a_difference_between_strata_is_not_spread():
    """Two kinds of figure with equalities apart: within each, units are alike."""
    rng = np.random.default_rng(4)
    rows = np.full((20, 11), 4)
    p = same_probability(STEEP, np.repeat([-0.15, 0.15], 10)[:, None], 0.08, 0.2, 0.02)
    counts = rng.binomial(rows, p)
    pooled = fit_same_different(LEVELS, counts, rows)
    apart = fit_same_different(LEVELS, counts, rows, np.repeat([0, 1], 10))
    assert apart.mu.value == pooled.mu.value
    assert apart.mu.high - apart.mu.low < 0.7 * (pooled.mu.high - pooled.mu.low)


@st.composite
def tables(draw):
    units, levels = draw(st.integers(1, 8)), draw(st.integers(1, 7))
    cell = st.integers(0, 3).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
    cells = draw(st.lists(cell, min_size=units * levels, max_size=units * levels))
    counts, rows = np.moveaxis(np.array(cells).reshape(units, levels, 2), -1, 0)
    # Levels that matter, so that not all of these are flat.
    return np.arange(levels) - levels // 2, np.where(np.arange(levels) == levels // 2, rows, counts // 2), rows


# Sockets that an earlier test left are closed whenever garbage is collected, which may be here.
@pytest.mark.filterwarnings("error", "ignore::ResourceWarning")
@given(tables())
@settings(max_examples=60, deadline=None)
def test_whatever_the_replies_bounds_hold_the_value_and_nothing_is_not_a_number(table):
    for fit in (fit_same_different(*table), fit_sigmoid(*table)):
        assert fit.identified == (fit.reason is None) == (None not in (*fit.mu, *fit.sigma))
        for part in (fit.mu, fit.sigma, fit.lapse):
            known = [each for each in (part.low, part.value, part.high) if each is not None]
            assert np.isfinite(known).all()
            assert known == sorted(known)
        assert fit.sigma.value is None or fit.sigma.value > 0
        assert fit.lapse.value is None or 0 <= fit.lapse.low <= fit.lapse.high <= 0.5
        assert fit.deviance is None or fit.deviance >= 0


@pytest.mark.parametrize(
    ("alpha", "same", "rows"),
    [
        ([0, 1], np.ones((3, 3)), np.ones((3, 3))),
        ([0, 1, 2], np.ones((3, 3)), np.zeros((3, 3))),
        ([0, 1, 1], np.ones((3, 3)), np.ones((3, 3))),
        ([0, 1, np.nan], np.ones((3, 3)), np.ones((3, 3))),
        ([0, 1, 2], np.ones((3, 3)), np.ones((2, 3))),
    ],
)
def test_counts_that_cannot_be_are_refused(alpha, same, rows):
    for fit in (fit_same_different, fit_sigmoid):
        with pytest.raises(ValueError, match=r"levels|counts"):
            fit(alpha, same, rows)


def compared(rng, mu, units=20, sigma=0.15, lapse=0.0, shared=0.5, reps=2):
    """Replies "first" of units with an equality of their own, and the equalities."""
    own = rng.normal(0, sigma * np.sqrt(shared), (units, 1)) + mu
    p = first_probability(STEEP, own, sigma * np.sqrt(1 - shared), lapse)
    return rng.binomial(reps, p), np.full(p.shape, reps)


@pytest.mark.parametrize("seed", range(5))
def test_without_lapses_the_sigmoid_is_statsmodels_probit_with_clustered_errors(seed):
    import statsmodels.api as sm

    counts, rows = compared(np.random.default_rng(seed), 0.1)
    fit = fit_sigmoid(LEVELS, counts, rows)
    x = np.tile(np.column_stack([np.ones(11), STEEP]), (20, 1))
    hits = np.column_stack([counts.ravel(), (rows - counts).ravel()])
    model = sm.GLM(hits, x, family=sm.families.Binomial(link=sm.families.links.Probit()))
    theirs = model.fit(cov_type="cluster", cov_kwds={"groups": np.repeat(np.arange(20), 11)})
    a, b = theirs.params
    mu, slope = -a / b, np.array([-1 / b, a / b**2])
    error = float(np.sqrt(slope @ theirs.cov_params() @ slope))
    assert fit.log_likelihood >= height(scipy_stats.norm.cdf(a + b * STEEP), counts, rows) - 1e-4
    assert fit.mu.value == pytest.approx(mu, abs=0.01 if fit.lapse.value > 0 else 1e-3)
    if fit.lapse.value == 0:
        assert fit.sigma.value == pytest.approx(1 / b, rel=0.01)
    half = scipy_stats.t.ppf(0.975, 19) * error
    assert fit.mu.high - fit.mu.low == pytest.approx(2 * half, rel=0.25)


def test_a_sigmoid_that_steps_between_two_levels_has_its_equality_there():
    rows = np.full((12, 11), 2)
    found = fit_sigmoid(LEVELS, rows * (STEEP > 0.15), rows)
    assert (found.mu.low, found.mu.high) == pytest.approx((0.1, 0.2), abs=0.03)
    assert found.mu.value is found.sigma.low is None
    assert found.sigma.high < 0.1
    assert not found.identified


def test_an_observer_that_names_the_smaller_has_no_threshold():
    counts, rows = compared(np.random.default_rng(1), 0.0)
    assert not fit_sigmoid(LEVELS, rows - counts, rows).identified


def test_a_shift_of_independent_fits_adds_their_spread_and_turns_with_the_order():
    rng = np.random.default_rng(2)
    figure, control = (fit_sigmoid(LEVELS, *compared(rng, mu)) for mu in (0.2, 0.0))
    there, back = shift(figure, control), shift(control, figure)
    assert there.value == pytest.approx(figure.mu.value - control.mu.value)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
    below = np.hypot(figure.mu.value - figure.mu.low, control.mu.high - control.mu.value)
    assert there.value - there.low == pytest.approx(below)


def test_a_paired_shift_takes_off_what_units_share_and_covers_what_it_promises():
    rng, covered, narrower = np.random.default_rng(3), 0, 0
    for _ in range(150):
        own = rng.normal(0, 0.15, (15, 1))
        figure, control = (
            fit_sigmoid(LEVELS, rng.binomial(4, first_probability(STEEP, own + mu, 0.1, 0.02)), np.full((15, 11), 4))
            for mu in (0.1, 0.0)
        )
        paired, apart = shift(figure, control, paired=True), shift(figure, control)
        narrower += paired.high - paired.low < apart.high - apart.low
        covered += paired.low <= 0.1 <= paired.high
    assert narrower > 140
    assert scipy_stats.binomtest(covered, 150, 0.95).pvalue > 0.01


def test_a_shift_from_a_fit_without_a_value_has_the_widest_bounds():
    rows = np.full((12, 11), 2)
    step, control = fit_sigmoid(LEVELS, rows * (STEEP > 0.15), rows), fit_sigmoid(LEVELS, rows * (STEEP > 0.05), rows)
    moved = shift(step, control)
    assert moved.value is None
    assert (moved.low, moved.high) == (step.mu.low - control.mu.high, step.mu.high - control.mu.low)
    nothing = fit_sigmoid(LEVELS, rows, rows)
    assert shift(step, nothing) == (None, None, None)
    with pytest.raises(ValueError, match="same units"):
        shift(*(fit_sigmoid(LEVELS, *compared(np.random.default_rng(1), 0, units=n)) for n in (10, 12)), paired=True)
