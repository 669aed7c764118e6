"""Familiar things: many species, boards whose lines another method counts too, and marks that a picture teaches."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.signal import find_peaks

from veridical.suites.viabench.options import VIABenchOptions
from veridical.suites.viabench.puzzles import PUZZLES
from veridical.suites.viabench.puzzles.make import sample_unit

SIZE = 288
LIVING = ("animals", "birds", "insects")
FORMER = {"elephant", "horse", "dog", "cow"}
RULED = {"go_board": (0, 0, max), "shogi_board": (1, 1, min), "sudoku": (0, 1, min)}
"""Of boards the axis across their lines, by how many the lines are more than what is counted, and which of the numbers
in single rows of pixels is that of lines: stones hide some, pieces and digits add some.
"""


def units(name, count, seed=2):
    return [sample_unit(PUZZLES[name], VIABenchOptions(size=SIZE, seed=seed), index)[0] for index in range(count)]


def pictures(name, base, answer):
    return PUZZLES[name].draw(base, answer, *PUZZLES[name].variants(base, answer))


def drawn(name, count):
    """Every answer of some units: the unit, the answer, and its pictures."""
    for base in units(name, count):
        for answer in PUZZLES[name].answers(base):
            yield base, answer, pictures(name, base, answer)


def first_of_each_species():
    for name in LIVING:
        kinds = {}
        for base in units(name, 120):
            kinds.setdefault(base.species, base)
        yield from ((name, base) for base in kinds.values())


def test_at_least_ten_more_species_are_drawn_and_each_of_their_legs_is_counted():
    found = list(first_of_each_species())
    assert len({base.species for _, base in found} - FORMER) >= 10
    for name, base in found:
        for answer in PUZZLES[name].answers(base):
            shown = PUZZLES[name].read(pictures(name, base, answer), PUZZLES[name].answers(base))
            assert shown == answer, base.species


def test_what_is_usual_is_what_a_species_has():
    usual = {base.species: PUZZLES[name].usual(base, "", "unusual") for name, base in first_of_each_species()}
    assert {usual[each] for each in ("duck", "chicken", "ostrich", "flamingo")} == {"2"}
    assert {usual[each] for each in ("cat", "pig", "giraffe", "camel", "lion", *FORMER)} == {"4"}
    assert {usual[each] for each in ("ant", "bee", "beetle", "ladybug")} == {"6"}
    assert usual["spider"] == "8"


def lines_by_peaks(picture, axis, choose):
    """Narrow peaks of darkness along an axis: one of the numbers that several rows of pixels have."""
    levels = np.pad(picture.mean(2).swapaxes(0, axis), ((2, 2), (0, 0)), mode="edge")
    counts = [len(find_peaks(-column, prominence=30, width=(None, 5))[0]) for column in levels.T]
    often = np.flatnonzero(np.bincount(counts) >= 9)
    return choose(often[often > 5])


@pytest.mark.parametrize("name", RULED)
def test_another_method_counts_as_many_lines_on_boards(name):
    axis, more, choose = RULED[name]
    for _, answer, (picture,) in drawn(name, 12):
        assert lines_by_peaks(picture, axis, choose) == int(answer) + more


def test_only_the_framed_cell_of_a_grid_may_differ():
    for base, answer, (picture,) in drawn("grids", 6):
        others = pictures("grids", base, str(base.lines))[0]
        assert PUZZLES["grids"].read((picture,), PUZZLES["grids"].answers(base)) == answer
        same = np.array_equal(picture, others)
        assert same == (answer == str(base.lines))


def test_boards_of_checkers_have_as_many_light_pieces_whatever_the_other_side_has():
    others = set()
    for base, answer, shown in drawn("draughts", 24):
        assert PUZZLES["draughts"].read(shown, PUZZLES["draughts"].answers(base)) == answer
        others.add((answer, base.other[int(answer) - 11]))
    assert others == set(product(("11", "12", "13"), (-1, 0, 1)))


def test_the_first_picture_of_a_mark_teaches_the_same_to_every_answer():
    for name in ("logos", "logo_matches"):
        for base in units(name, 4):
            taught = [pictures(name, base, answer)[0] for answer in PUZZLES[name].answers(base)]
            assert all(np.array_equal(taught[0], each) for each in taught)


def test_a_mark_that_another_one_was_taught_for_is_not_read():
    first, second = (next(base for base in units("logos", 40) if base.count == count) for count in (3, 5))
    other = pictures("logos", second, "5")
    own = pictures("logos", first, "3")
    assert PUZZLES["logos"].read((other[0], own[1]), ("2", "3", "4")) is None
    assert PUZZLES["logos"].read(own, ("2", "3", "4")) == "3"
    assert PUZZLES["logo_matches"].read((other[0], own[1]), ("Yes", "No")) == "No"


def test_every_way_in_which_a_mark_changes_is_read_as_a_change():
    changes = set()
    for base, answer, shown in drawn("logo_matches", 12):
        assert PUZZLES["logo_matches"].read(shown, ("Yes", "No")) == answer
        changes.add(base.change)
    assert changes == {"missing", "added", "other color"}
