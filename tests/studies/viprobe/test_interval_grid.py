"""The grid on which intervals are held against the truth: its units are as alike as it says, and its counts add up."""

import numpy as np
import pytest

from studies.viprobe.validation.interval_grid import (
    ALIKE,
    FIGURES,
    LEAST,
    TRUTHS,
    _own,
    grid,
    gridded,
    means,
    nears,
)
from studies.viprobe.validation.planned import plans, powered


@pytest.mark.parametrize("alike", ALIKE)
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize(("rate", "correlation"), [(0.03, 0.7), (0.5, 0.2), (0.95, 0.7)])
def test_units_have_the_rate_and_the_correlation_that_the_cell_names(rate, correlation, alike, shared):
    expected = np.full((40, 2), rate)
    own = _own(np.random.default_rng(1), expected, 20_000, correlation, alike, shared).reshape(-1, 2)
    assert own.mean(0) == pytest.approx(rate, abs=0.006)
    assert own.var(0) / (rate * (1 - rate)) == pytest.approx(correlation, abs=0.02)
    assert np.corrcoef(own.T)[0, 1] == pytest.approx(float(shared), abs=0.03)


def test_the_grid_takes_ten_runs_a_seed_in_every_cell_and_each_cell_once():
    items = grid(7)
    assert {item[-1] for item in items} == {70}
    assert len({tuple(item[1:-1]) for item in items}) == len(items) == 3 * 5 * 2 * 2 * 2 * 2
    assert [item[0] for item in items] == list(range(len(items)))


def test_intervals_keep_their_promise_in_the_hardest_cells():
    """300 runs in each of the cells with the fewest and the most alike units."""
    hard = [item for item in grid(30) if item[3] == 0.7 and item[1] in (4, 40) and item[2] in TRUTHS[1:4]]
    found = nears(gridded({"seed": 11}, item) for item in hard)
    assert {each.figure for each in found} == {*FIGURES, "R"}
    assert min(each.worst for each in found) > LEAST - 2 * found[0].allowed
    assert all(0.93 <= mean <= 1 for mean in means(found).values())


def test_the_worst_cell_and_the_mean_are_those_of_the_rows():
    cell = [4, 0.5, 0.2, ALIKE[0], True, False]
    rows = [[["R", cell, 100, 90, 20, 2.0]], [["R", [10, *cell[1:]], 100, 96, 0, None]]]
    (found,) = nears(rows)
    assert (found.worst, found.mean, found.open, found.cells) == (0.9, pytest.approx(0.93), 0.1, 2)
    assert found.widths == (2.0, None, None)
    assert found.where.startswith("4 units")
    assert means([found]) == {"R": pytest.approx(0.93)}


def test_planned_effects_are_simulated_as_often_as_asked():
    items = plans(60)
    assert sum(item[-1] for item in items if item[0] == 0 and item[2] == 0.2) == 120
    units, pictures, correlation, found, runs = powered({"seed": 1}, [0, 0, 0.5, 40])
    assert (units, pictures, correlation, runs) == (10, 10, 0.5, 40)
    assert 22 <= found <= 40
