"""Read-outs cross-validated by unit: scikit-learn's refits are the oracle, planted and lost signals the truth."""

import numpy as np
import pytest

from veridical.stats.readouts import (
    PENALTIES,
    RidgePath,
    cross_validated,
    read_out,
    shuffled_in_units,
    unit_folds,
    z_scores,
)

UNITS = np.repeat(np.arange(24), 5)


@pytest.mark.parametrize("size", [6, 200])
def test_predictions_and_penalties_are_those_of_new_fits(size):
    from sklearn.linear_model import Ridge

    rng = np.random.default_rng(size)
    x, folds = rng.normal(size=(len(UNITS), size)), unit_folds(UNITS)
    y = np.stack([x[:, 0] + rng.normal(size=len(x)), rng.normal(size=len(x))], 1)
    predicted, means = cross_validated(x, y[:, None, :], folds)

    def errors_of(rows, held, alpha):
        return (y[held] - Ridge(alpha=alpha).fit(x[rows], y[rows]).predict(x[held])) ** 2

    for fold in range(5):
        train = folds != fold
        path = RidgePath(x[train], y[train])
        inner = [
            sum(errors_of(train & (folds != each), folds == each, alpha).sum(0) for each in range(5) if each != fold)
            for alpha in path.penalties
        ]
        assert np.allclose(path.left_out_errors(folds[train]), inner, rtol=1e-5)
        for target, place in enumerate(np.argmin(inner, 0)):
            own = Ridge(alpha=path.penalties[place]).fit(x[train], y[train, target]).predict(x[~train])
            assert np.allclose(predicted[~train, 0, target], own, atol=1e-6)
        assert np.allclose(means[~train, 0], y[train].mean(0))
    assert len(path.penalties) == len(PENALTIES)


def test_every_unit_is_in_one_fold_and_folds_are_of_equal_size():
    folds = unit_folds(UNITS, seed=3)
    assert all(len(np.unique(folds[unit == UNITS])) == 1 for unit in range(24))
    sizes = np.bincount(folds) / 5
    assert sizes.max() - sizes.min() <= 1


def test_shuffles_keep_what_each_unit_has():
    rng = np.random.default_rng(0)
    units, values = rng.permutation(UNITS), rng.normal(size=(len(UNITS), 2))
    shuffled = shuffled_in_units(values, units, 30)
    assert not np.array_equal(shuffled[..., 0], shuffled[..., 1])
    for unit in range(24):
        own = values[units == unit]
        for place in range(30):
            found = shuffled[units == unit][:, :, place]
            assert np.array_equal(found[np.argsort(found[:, 0])], own[np.argsort(own[:, 0])])


def test_siblings_say_nothing_of_a_unit_that_was_not_seen():
    """Where the states tell a unit alone, and the target is the unit's own, a fit on siblings would be perfect."""
    from sklearn.linear_model import RidgeCV

    rng = np.random.default_rng(1)
    x = rng.normal(size=(24, 60))[UNITS] + 0.05 * rng.normal(size=(len(UNITS), 60))
    y = rng.normal(size=24)[UNITS]
    assert RidgeCV(np.logspace(-3, 3, 7)).fit(x, y).score(x, y) > 0.9
    found = read_out(x, y, UNITS).explained()
    assert found.low <= 0


def test_noise_explains_nothing_and_its_interval_says_so():
    rng = np.random.default_rng(5)
    above = 0
    for seed in range(60):
        x, y = rng.normal(size=(len(UNITS), 12)), rng.normal(size=len(UNITS))
        found = read_out(x, y, UNITS, seed=seed).explained()
        assert found.value < 0.15
        above += found.low > 0
    assert above <= 4


def test_what_is_planted_is_found_and_its_interval_covers_the_share_that_it_is():
    """The target is one direction of the states and as much noise again: half of its variance."""
    rng = np.random.default_rng(7)
    covered = 0
    for seed in range(60):
        x = rng.normal(size=(len(UNITS), 4))
        y = x @ np.full(4, 0.5) + rng.normal(size=len(x))
        found = read_out(x, y, UNITS, seed=seed).explained()
        covered += found.low <= 0.5 <= found.high
    assert covered >= 50


def test_a_difference_of_read_outs_is_paired_by_unit():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(len(UNITS), 5))
    y = x[:, 0] + 0.3 * rng.normal(size=len(x))
    clear, lost = read_out(x, y, UNITS), read_out(x[:, 1:], y, UNITS)
    apart = clear.explained(lost)
    assert apart.value == pytest.approx(clear.explained().value - lost.explained().value)
    assert apart.low > 0
    assert clear.explained(clear).value == 0
    few = read_out(x[:60], y[:60], UNITS[:60])
    assert (few.explained().units, clear.explained(few).units, clear.explained(few).n) == (12, 24, 60)
    assert clear.explained(few).value == pytest.approx(clear.explained().value - few.explained().value)
    assert clear.explained(read_out(x, y, UNITS // 8)).reason == read_out(x, y, UNITS // 8).reason


def test_the_interval_of_a_difference_covers_zero_for_tables_that_carry_a_target_equally():
    rng, covered, units = np.random.default_rng(11), 0, np.repeat(np.arange(10), 5)
    target = np.tile(np.linspace(-1, 1, 5), 10)

    def states():
        direction = rng.normal(size=16)
        carried = 3 * target[:, None] * direction / np.linalg.norm(direction)
        return rng.normal(size=(10, 16))[units] * 3 + rng.normal(size=(50, 16)) + carried

    for seed in range(120):
        first, second = (read_out(states(), target, units, within=True, seed=seed) for _ in range(2))
        found = first.explained(second)
        covered += found.low <= 0 <= found.high
    assert covered >= 0.93 * 120


def test_a_difference_over_few_units_has_a_reason_and_no_figure():
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(40, 3)), rng.normal(size=40)
    for count, known in ((7, False), (8, True)):
        rows = np.repeat(np.arange(8), 5) < count
        few, all_units = (read_out(x[kept], y[kept], np.repeat(np.arange(8), 5)[kept]) for kept in (rows, slice(None)))
        for found in (few.explained(few), all_units.explained(few), few.explained(all_units)):
            assert (found.value is not None, found.low is not None) == (known, known)
            assert known or found.reason == "a difference of read-outs needs at least 8 units"
        assert few.explained().value is not None


def test_scales_of_states_do_not_matter_and_constant_ones_are_left_out():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(len(UNITS), 5))
    y = x[:, 0] + rng.normal(size=len(x))
    scaled = np.column_stack([x * [1e6, 1, 1e-3, 7, 1] + 5, np.full(len(x), 0.1)])
    assert np.allclose(z_scores(scaled)[:, :5], z_scores(x))
    assert not z_scores(scaled)[:, 5].any()
    assert read_out(scaled, y, UNITS).explained().value == pytest.approx(read_out(x, y, UNITS).explained().value)


def test_what_cannot_be_read_has_no_value_and_a_reason():
    x, y = np.random.default_rng(0).normal(size=(20, 3)), np.arange(20.0)
    units = np.arange(20)
    assert "four units" in read_out(x, y, units // 7).reason
    assert read_out(np.where(x > 1, np.nan, x), y, units).reason.endswith("are not finite")
    assert read_out(x, np.ones_like(y), units).reason == "the target takes one value"
    assert read_out(x, (units // 2) + 1e9, units // 2, within=True).reason == "the target takes one value in each unit"
    assert read_out(np.ones_like(x), y, units).reason == "the states are constant"
    assert read_out(x[:0], y[:0], units[:0], within=True).explained().n == 0
    with pytest.raises(ValueError, match="one unit for each row"):
        read_out(x, y, units[:5])
    with pytest.raises(ValueError, match="a target of shape"):
        read_out(x, y[:5], units)


def test_within_units_only_what_differs_between_siblings_counts():
    rng = np.random.default_rng(4)
    own, common = rng.normal(size=(len(UNITS), 3)), rng.normal(size=(24, 3))[UNITS]
    x = own + 10 * common
    y = own[:, 0] + 0.1 * rng.normal(size=len(x))
    alone, change = (read_out(x, y, UNITS, within=within).explained().value for within in (False, True))
    assert change > 0.9 > 0.6 > alone


def test_shuffled_targets_tell_chance_from_a_signal():
    rng = np.random.default_rng(6)
    x = rng.normal(size=(len(UNITS), 3))
    bound, p = read_out(x, x[:, 0] + rng.normal(size=len(x)), UNITS, shuffles=99).chance
    assert bound < 0.1
    assert p == 0.01
    chances = [
        read_out(x, rng.normal(size=len(x)), UNITS, within=True, shuffles=19, seed=seed).chance[1] for seed in range(60)
    ]
    assert 0.35 < np.mean(chances) < 0.7
    assert np.mean(np.array(chances) <= 0.1) < 0.25
    assert read_out(x, UNITS.astype(float), UNITS, shuffles=9).chance is None
    assert read_out(x, x[:, 0], UNITS).chance is None


def test_a_label_of_two_levels_is_read_alike_in_one_column_or_two():
    rng = np.random.default_rng(8)
    x = rng.normal(size=(len(UNITS), 4))
    y = (x[:, 0] + rng.normal(size=len(x)) > 0).astype(float)
    both = np.stack([y, 1 - y], 1)
    assert read_out(x, both, UNITS).explained().value == pytest.approx(read_out(x, y, UNITS).explained().value)
