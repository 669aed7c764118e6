"""Areas, neutral points, thresholds and calibration of graded answers: other libraries' numbers and known observers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.calibration import calibration_curve
from sklearn.metrics import roc_auc_score

from veridical.stats import GradedTrials, calibration, graded_sensitivity, rank_threshold


def observer(units: int, d: float, criterion: float, *, seed: int = 0, lapse: float = 0.0) -> GradedTrials:
    """An observer with normal noise: two trials of each kind per unit, half of the variance shared in a unit."""
    rng = np.random.default_rng(seed)
    unit, signal = np.repeat(np.arange(units), 4), np.tile([0, 1, 0, 1], units)
    shared = rng.normal(0, np.sqrt(0.5), (units, 2))[unit, signal]
    seen = shared + rng.normal(0, np.sqrt(0.5), len(unit)) + d * signal
    seen = np.where(rng.random(len(unit)) < lapse, rng.normal(0, 1, len(unit)) + d / 2, seen)
    return GradedTrials(1 / (1 + np.exp(-2 * (seen - criterion))), signal, seen > criterion, unit)


@pytest.mark.parametrize("digits", [1, 12])
def test_the_area_is_that_of_scikit_learn_with_ties_too(digits: int) -> None:
    trials = observer(40, 1.0, 0.5)
    rounded = trials._replace(grade=np.round(trials.grade, digits))
    found = graded_sensitivity(rounded, draws=200)
    assert found.area.value == pytest.approx(roc_auc_score(rounded.signal, rounded.grade))
    assert found.d_prime.value == pytest.approx(np.sqrt(2) * norm.ppf(found.area.value))


@pytest.mark.parametrize("criterion", [0.5, 1.5, 2.5])
def test_a_criterion_moves_what_is_said_and_not_what_is_graded(criterion: float) -> None:
    found = graded_sensitivity(observer(400, 1.0, criterion))
    hits, alarms = norm.sf(criterion - 1), norm.sf(criterion)
    true = {"area": norm.cdf(1 / np.sqrt(2)), "d_prime": 1.0, "response": 2 * norm.cdf(0.5) - 1}
    true |= {"spoken": hits - alarms, "neutral": 1 / (1 + np.exp(-2 * (0.5 - criterion)))}
    true["gap"] = true["spoken"] - true["response"]
    for name, value in true.items():
        each = getattr(found, name)
        assert each.low <= value <= each.high, name
    assert (found.gap.high < 0) == (criterion > 1)
    assert found.neutral.value < 0.5 or criterion == 0.5


def test_lapses_and_blindness_are_seen_in_ranks_as_in_answers() -> None:
    lapsing, blind = (graded_sensitivity(each) for each in (observer(300, 3, 1.5, lapse=0.4), observer(300, 0, 1)))
    assert lapsing.area.high < norm.cdf(3 / np.sqrt(2))
    assert abs(lapsing.gap.value) < 0.05
    assert blind.area.low < 0.5 < blind.area.high
    assert blind.area.high < 0.6


def test_intervals_hold_the_truth() -> None:
    held: dict[str, int] = dict.fromkeys(("area", "response", "gap", "neutral"), 0)
    true = {"area": norm.cdf(1 / np.sqrt(2)), "response": 2 * norm.cdf(0.5) - 1, "neutral": 1 / (1 + np.exp(2))}
    true["gap"] = norm.sf(0.5) - norm.sf(1.5) - true["response"]
    for seed in range(60):
        found = graded_sensitivity(observer(20, 1.0, 1.5, seed=seed), draws=200)
        for name in held:
            each = getattr(found, name)
            held[name] += each.low <= true[name] <= each.high
    assert min(held.values()) >= 54


def test_perfect_order_has_no_point_for_an_interval_and_no_endless_sensitivity() -> None:
    found = graded_sensitivity(GradedTrials([0.1, 0.9] * 10, [0, 1] * 10, [0, 1] * 10, np.repeat(np.arange(10), 2)))
    assert (found.area.value, found.area.high, found.d_prime.value, found.d_prime.high) == (1, 1, None, None)
    assert found.area.low < 0.95
    assert found.gap.low < found.gap.value == 0 < found.gap.high
    assert found.neutral.low <= 0.5 <= found.neutral.high


def test_trials_are_compared_within_their_panel() -> None:
    apart = GradedTrials([0.1, 0.2, 0.8, 0.9] * 3, [0, 1] * 6, [0] * 12, np.repeat(np.arange(3), 4), [0, 0, 1, 1] * 3)
    assert graded_sensitivity(apart).area.value == 1
    assert graded_sensitivity(apart._replace(panel=None)).area.value == 0.75


def test_what_cannot_be_told_has_a_reason_and_odd_grades_are_refused() -> None:
    one = GradedTrials([0.1, 0.9], [0, 1], [0, 1], ["a", "a"])
    assert (graded_sensitivity(one).area.value, graded_sensitivity(one).reason) == (None, "at least 2 units are needed")
    assert "with and without" in str(graded_sensitivity(one._replace(signal=[1, 1], unit=["a", "b"])).reason)
    assert graded_sensitivity(GradedTrials([], [], [], [])).reason is not None
    for grades in ([0.1, float("nan")], [0.1], [[0.1, 0.2]]):
        with pytest.raises(ValueError, match="one finite number"):
            graded_sensitivity(one._replace(grade=grades))


@pytest.mark.parametrize("criterion", [0.0, 2.0])
def test_the_threshold_is_where_the_noise_is_whatever_the_criterion(criterion: float) -> None:
    rng = np.random.default_rng(3)
    size = np.tile([0.0, 0.1, 0.2, 0.4, 0.0, 0.8], 200)
    seen = rng.normal(4 * size)
    trials = GradedTrials(seen, size > 0, seen > criterion, np.repeat(np.arange(200), 6))
    found = rank_threshold(trials, size, draws=200)
    assert found.low < 0.25 < found.high
    assert found.high - found.low < 0.12


def test_a_threshold_out_of_reach_has_no_value() -> None:
    blind = observer(50, 0.0, 0.0)
    found: Any = rank_threshold(blind, np.asarray(blind.signal) * 0.5, draws=100)
    assert (found.value, found.high) == (None, None)


def test_a_threshold_below_changes_that_are_all_seen_has_bounds_and_no_value() -> None:
    size = np.tile([0.0, 0.5, 1.0], 20)
    trials = GradedTrials(size, size > 0, size > 0, np.repeat(np.arange(20), 3))
    assert rank_threshold(trials, size, draws=100) == (None, 0.0, 0.5)


def test_the_calibration_error_is_that_of_bins_and_zero_where_all_is_right() -> None:
    rng = np.random.default_rng(0)
    held = rng.random(4000)
    came = (rng.random(4000) < held**2).astype(float)
    found = calibration(held, came, np.repeat(np.arange(400), 10))
    share, mean = calibration_curve(came, held, n_bins=10)
    counts = np.bincount((held * 10).astype(int), minlength=10)
    assert found.error.value == pytest.approx(float(np.abs(share - mean) @ counts / 4000))
    assert found.error.low < 1 / 6 < found.error.high
    right = calibration(held, (rng.random(4000) < held).astype(float))
    assert found.floor == pytest.approx(right.floor, abs=0.005)
    assert right.error.value < 2 * right.floor


def test_odd_probabilities_are_refused_and_nothing_has_no_error() -> None:
    assert calibration([], []).error.value is None
    assert calibration([0.5], [1], ["a"]).error.low is None
    for odd in ([1.5], [float("nan")], [-0.1]):
        with pytest.raises(ValueError, match=r"\[0, 1\]"):
            calibration(odd, [1])
