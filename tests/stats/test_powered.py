"""Prediction-powered means: the published estimator, its limits, and the coverage that it states."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.stats import powered_mean

SOME = st.integers(0, 2**32 - 1)


def drawn(rng, labeled, more, rate=0.5, right=0.9):
    truth = (rng.random(labeled + more) < rate).astype(float)
    judge = np.where(rng.random(labeled + more) < right, truth, 1 - truth)
    return truth[:labeled], judge[:labeled], judge[labeled:]


@given(seed=SOME, labeled=st.integers(5, 80), more=st.integers(5, 200))
def test_the_value_and_the_weight_are_those_of_the_paper(seed, labeled, more):
    """Angelopoulos et al. 2024, equation 2 and example 6.1, with the variance of the judge taken on each side."""
    truth, judge, others = drawn(np.random.default_rng(seed), labeled, more)
    ours = powered_mean(truth, judge, others)
    both = np.cov(truth, judge, ddof=0)
    below = both[1, 1] / labeled + others.var() / more
    weight = float(np.clip(both[0, 1] / labeled / below, 0, 1)) if below > 0 else 0.0
    assert ours.weight == pytest.approx(weight, abs=1e-9)
    value = truth.mean() + weight * (others.mean() - judge.mean())
    assert ours.value == pytest.approx(float(np.clip(value, 0, 1)), abs=1e-9)
    assert 0 <= ours.low <= ours.value <= ours.high <= 1
    assert ours.labeled == pytest.approx(truth.mean())
    assert ours.judged == pytest.approx(np.concatenate([judge, others]).mean())


def test_a_judge_that_knows_nothing_is_not_used_and_one_that_knows_all_is():
    rng = np.random.default_rng(1)
    truth, _, others = drawn(rng, 400, 4000)
    useless = powered_mean(truth, (rng.random(400) < 0.5).astype(float), others)
    assert useless.weight < 0.15
    perfect = powered_mean(truth, truth, others)
    assert perfect.weight > 0.85
    assert perfect.high - perfect.low < 0.5 * (useless.high - useless.low)


def test_a_judge_that_always_says_right_is_corrected():
    rng = np.random.default_rng(2)
    truth = (rng.random(3000) < 0.6).astype(float)
    judge = np.where(rng.random(3000) < 0.5, 1.0, truth)
    ours = powered_mean(truth[:300], judge[:300], judge[300:])
    assert ours.judged > 0.75
    assert ours.low < 0.6 < ours.high < 0.7


def test_without_other_rows_it_is_the_mean_of_the_labels():
    ours = powered_mean([1, 0, 1, 1], [1, 1, 1, 1], [])
    assert (ours.value, ours.weight, ours.more) == (0.75, 0.0, 0)


def test_what_cannot_be_estimated_says_why():
    assert powered_mean([], [], [1, 0]).reason == "nothing was labeled"
    assert powered_mean([1], [1], [1, 0]).reason == "an interval needs at least two labeled units"
    with pytest.raises(ValueError, match="the same length"):
        powered_mean([1, 0], [1], [])
    with pytest.raises(ValueError, match="one side alone"):
        powered_mean([1, 0], [1, 0], [1], units=["a", "b"])


def test_rows_that_repeat_each_other_count_once():
    truth, judge, others = drawn(np.random.default_rng(3), 60, 600)
    single = powered_mean(truth, judge, others)
    units = [np.repeat(np.arange(n) + start, 5) for n, start in ((60, 0), (600, 60))]
    repeated = powered_mean(
        *(np.repeat(each, 5) for each in (truth, judge, others)), units=units[0], more_units=units[1]
    )
    assert repeated.value == pytest.approx(single.value)
    assert repeated.weight == pytest.approx(single.weight)
    assert repeated.high - repeated.low == pytest.approx(single.high - single.low, rel=0.1)


def test_scores_without_a_range_are_not_cut():
    rng = np.random.default_rng(4)
    truth = rng.normal(100, 10, 50)
    ours = powered_mean(truth, truth + rng.normal(3, 1, 50), rng.normal(103, 10, 500), bounds=None)
    assert 95 < ours.low < ours.value < ours.high < 105


@pytest.mark.parametrize(
    ("labeled", "more", "rate", "right", "rows"),
    [(50, 500, 0.5, 0.9, 1), (50, 500, 0.5, 1.0, 1), (30, 1000, 0.9, 0.95, 1), (100, 1000, 0.97, 0.99, 1),
     (80, 800, 0.5, 0.9, 4)],
)  # fmt: skip
def test_the_interval_covers_the_truth(labeled, more, rate, right, rows):
    rng = np.random.default_rng(5)
    groups, covered = (labeled + more) // rows, 0
    units, mine = np.repeat(np.arange(groups), rows), labeled // rows * rows
    for _ in range(300):
        own = rng.beta(2 * rate, 2 - 2 * rate, groups) if rows > 1 else np.full(groups, rate)
        truth = (rng.random((groups, rows)) < own[:, None]).astype(float).ravel()
        judge = np.where(rng.random(len(truth)) < right, truth, 1 - truth)
        ours = powered_mean(truth[:mine], judge[:mine], judge[mine:], units=units[:mine], more_units=units[mine:])
        covered += ours.low <= rate <= ours.high
    assert covered >= 0.92 * 300


def test_rows_that_were_drawn_more_often_count_less():
    """A judge's 0s and 1s are labeled in equal numbers, though 0s are rare: the weights undo this."""
    rng = np.random.default_rng(6)
    covered = 0
    for _ in range(300):
        truth = (rng.random(2000) < 0.9).astype(float)
        judge = np.where(rng.random(2000) < 0.9, truth, 1 - truth)
        strata = [np.flatnonzero(judge == score) for score in (0, 1)]
        drawn = np.concatenate([rng.choice(rows, 60, replace=False) for rows in strata])
        weights = np.repeat([len(rows) / 60 for rows in strata], 60)
        options = {"units": drawn, "more_units": np.arange(2000)}
        ours = powered_mean(truth[drawn], judge[drawn], judge, weights=weights, **options)
        covered += ours.low <= 0.9 <= ours.high
    assert covered >= 0.92 * 300
    assert ours.judged == judge.mean()
    with pytest.raises(ValueError, match="one above 0 for each row"):
        powered_mean([1, 0], [1, 0], [1, 0], weights=[1, 0])
