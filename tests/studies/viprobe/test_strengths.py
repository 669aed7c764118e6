"""The page about strengths: its cells are counts of simulated runs, and its promise holds in them."""

from itertools import product

import pytest

from studies.viprobe.validation.strengths import GRIDS, KINDS, UNITS, Cell, page, simulated_cell

GRID = "±.05 to ±1"


def cell(grid, kind, units, sigma, shift, runs=6):
    return Cell(*simulated_cell(runs, [grid, kind, units, sigma, shift]))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("sigma", "shift"), [(0.03, 0.4), (0.15, 0.0), (0.4, 0.4)])
def test_forty_units_bound_the_pse_and_the_jnd_of_coarse_noise(kind, sigma, shift):
    found = cell(GRID, kind, 40, sigma, shift)
    assert found.pse == found.runs
    assert found.finer == found.runs
    assert found.jnd == found.runs or sigma < 0.15


def test_a_cell_is_the_same_each_time_and_counts_no_more_than_its_runs():
    found = cell("10 levels", "first", 10, 0.06, 0.15)
    assert found == cell("10 levels", "first", 10, 0.06, 0.15)
    assert all(0 <= count <= found.runs for count in found[6:])
    assert found.jnd <= found.finer


def test_the_page_tells_the_least_of_each_grid():
    cells = [
        Cell(grid, kind, units, sigma, 0.0, 9, pse, 5, jnd, 9, 9, 9)
        for grid, kind, units in product(GRIDS, KINDS, UNITS)
        for sigma, pse, jnd in ((0.03, 7, 2), (0.15, 8, 6), (0.4, 9, 4))
    ]
    rows = [line for line in page(cells).splitlines() if line.startswith("| ±.05 to ±1 | comparison | 10 |")]
    assert rows[0] == "| ±.05 to ±1 | comparison | 10 | 7 of 9 | 5 of 9 | 4 of 9 | 2 of 9 | 9 of 9 |"
    assert len(rows) == 4
