"""Kappa and alpha against other libraries' numbers, their definitions, published examples, and in coverage."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.stats import cohen_kappa, krippendorff_alpha

SOME = st.integers(0, 2**32 - 1)
WEIGHTS = {"plain": None, "linear": "linear", "quadratic": "quadratic"}
NONE = np.nan
OF_FOUR = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
    [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
]
"""Four observers and twelve units (Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, section E)."""


@pytest.mark.parametrize("weights", WEIGHTS)
@given(seed=SOME, rows=st.integers(2, 60), levels=st.integers(2, 6))
def test_kappa_is_that_of_scikit_learn(weights, seed, rows, levels):
    from sklearn.metrics import cohen_kappa_score

    rng = np.random.default_rng(seed)
    one = rng.integers(0, levels, rows)
    two = np.where(rng.random(rows) < 0.5, one, rng.integers(0, levels, rows))
    ours = cohen_kappa(one, two, weights=weights, levels=range(levels))
    if len({*one.tolist(), *two.tolist()}) < 2:
        assert ours.value is None
    else:
        theirs = cohen_kappa_score(one, two, weights=WEIGHTS[weights], labels=list(range(levels)))
        assert ours.value == pytest.approx(theirs, abs=1e-9)
        assert -1 <= ours.low <= ours.value <= ours.high <= 1
        assert ours.high - ours.low > 0.001


def test_the_interval_of_many_rows_is_that_of_statsmodels():
    from statsmodels.stats.inter_rater import cohens_kappa

    rng = np.random.default_rng(1)
    one = rng.integers(0, 3, 20_000)
    two = np.where(rng.random(20_000) < 0.7, one, rng.integers(0, 3, 20_000))
    table = np.zeros((3, 3))
    np.add.at(table, (one, two), 1)
    theirs, ours = cohens_kappa(table), cohen_kappa(one, two)
    assert (ours.low, ours.high) == pytest.approx((theirs.kappa_low, theirs.kappa_upp), abs=3e-4)


def test_kappa_that_means_nothing_has_no_value_but_a_reason():
    assert cohen_kappa([], []).reason == "nothing was rated by both"
    assert cohen_kappa(["a", "a"], ["a", "a"]).reason == "both raters give one and the same rating"
    assert cohen_kappa([1, 0], [1, 0], units=["u", "u"]).reason == "an interval needs at least two units"
    with pytest.raises(ValueError, match="rating 11: 0, 1 are the levels"):
        cohen_kappa([0, 1], [0, 11], levels=[0, 1])
    with pytest.raises(ValueError, match="the same length"):
        cohen_kappa([0, 1], [0])


def test_rows_of_a_unit_that_repeat_each_other_make_kappa_no_more_certain():
    rng = np.random.default_rng(2)
    one = rng.integers(0, 2, 40)
    two = np.where(rng.random(40) < 0.8, one, 1 - one)
    single, repeated = (
        cohen_kappa(np.repeat(one, k), np.repeat(two, k), units=np.repeat(np.arange(40), k)) for k in (1, 10)
    )
    assert repeated.value == pytest.approx(single.value)
    assert repeated.high - repeated.low >= 0.8 * (single.high - single.low)


@pytest.mark.parametrize(("units", "rows", "rate"), [(30, 1, 0.05), (100, 1, 0.2), (20, 4, 0.1), (40, 4, 0.03)])
def test_the_interval_of_kappa_covers_the_truth(units, rows, rate):
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(300):
        one = rng.integers(0, 2, (units, rows))
        errors = rng.beta(rate, 1 - rate, units)[:, None] if rows > 1 else rate
        two = np.where(rng.random((units, rows)) < errors, 1 - one, one)
        ours = cohen_kappa(one.ravel(), two.ravel(), units=np.repeat(np.arange(units), rows))
        covered += ours.value is None or ours.low <= 1 - 2 * rate <= ours.high
    assert covered >= 0.92 * 300


def by_definition(ratings, squared):
    """Alpha from all pairs of ratings: those within items, each weighted 1 / (m − 1), against all pairs at large."""
    items = [[r for r in item if not np.isnan(r)] for item in np.transpose(ratings)]
    items = [item for item in items if len(item) > 1]
    everything = [r for item in items for r in item]
    within = sum(squared(a, b) / (len(item) - 1) for item in items for a, b in permutations(item, 2))
    at_large = sum(squared(a, b) for a, b in permutations(everything, 2))
    return 1 - within / (at_large / (len(everything) - 1))


def distances(ratings):
    """The squared distance on each scale, written as in Krippendorff's tables."""
    rated = np.asarray(ratings, float)
    rated = rated[:, (~np.isnan(rated)).sum(0) > 1]
    count = {level: int((rated == level).sum()) for level in np.unique(rated[~np.isnan(rated)])}

    def ordinal(a, b):
        between = sum(n for level, n in count.items() if min(a, b) <= level <= max(a, b))
        return 0 if a == b else (between - (count[a] + count[b]) / 2) ** 2

    return {
        "nominal": lambda a, b: float(a != b),
        "ordinal": ordinal,
        "interval": lambda a, b: (a - b) ** 2,
        "ratio": lambda a, b: ((a - b) / (a + b)) ** 2 if a + b else 0.0,
    }


@pytest.mark.parametrize(
    ("scale", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_alpha_is_the_published_one(scale, published):
    assert krippendorff_alpha(OF_FOUR, scale).value == pytest.approx(published, abs=5e-4)


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval", "ratio"])
@given(seed=SOME, raters=st.integers(2, 4), items=st.integers(2, 12), levels=st.integers(2, 5))
@settings(max_examples=50)
def test_alpha_is_its_definition_by_pairs(scale, seed, raters, items, levels):
    rng = np.random.default_rng(seed)
    ratings = rng.integers(0, levels, (raters, items)).astype(float)
    ratings[rng.random(ratings.shape) < 0.3] = NONE
    ours = krippendorff_alpha(ratings, scale)
    if ours.value is None:
        paired = ratings[:, (~np.isnan(ratings)).sum(0) > 1]
        assert paired.shape[1] < 2 or len(np.unique(paired[~np.isnan(paired)])) < 2
        assert ours.reason
    else:
        assert ours.value == pytest.approx(by_definition(ratings, distances(ratings)[scale]), abs=1e-9)
        assert ours.low <= ours.value <= ours.high <= 1
        assert ours.high - ours.low > 0.001


def test_alpha_of_two_raters_with_two_levels_tends_to_kappa():
    rng = np.random.default_rng(4)
    one = rng.integers(0, 2, 4000)
    two = np.where(rng.random(4000) < 0.85, one, 1 - one)
    alpha, kappa = krippendorff_alpha(np.stack([one, two])), cohen_kappa(one, two)
    assert (alpha.value, alpha.low, alpha.high) == pytest.approx((kappa.value, kappa.low, kappa.high), abs=2e-3)


@pytest.mark.parametrize("scale", ["ordinal", "interval"])
def test_the_interval_of_alpha_covers_the_truth(scale):
    rng = np.random.default_rng(5)

    def drawn(items):
        return np.clip(np.round(5 + 2 * (rng.normal(size=items) + 0.5 * rng.normal(size=(2, items)))), 0, 10)

    truth = krippendorff_alpha(drawn(100_000), scale, units=np.arange(100_000) % 20).value
    found = [krippendorff_alpha(drawn(40), scale) for _ in range(300)]
    assert sum(each.low <= truth <= each.high for each in found) >= 0.92 * 300


def test_ratings_below_zero_are_on_no_ratio_scale():
    with pytest.raises(ValueError, match="no ratings below 0"):
        krippendorff_alpha([[-1, 2], [1, 2]], "ratio")
    with pytest.raises(ValueError, match="raters by items"):
        krippendorff_alpha([1, 2])
