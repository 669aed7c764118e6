"""Two pictures in different light: what moves is told from what is lit otherwise, by the ratio of their levels."""

from __future__ import annotations

import numpy as np
import pytest

from veridical.suites.viabench.options import VIABenchOptions
from veridical.suites.viabench.puzzles import PUZZLES
from veridical.suites.viabench.puzzles.make import sample_unit
from veridical.suites.viabench.puzzles.motion.frames import MARK
from veridical.suites.viabench.puzzles.puzzle import NO, VARIANTS, YES
from veridical.suites.viabench.puzzles.shapes import color_mask, dilation

NAMES = ("wheels", "window", "tunnel", "poles", "rays")
UNITS, SIZE, DARK = 6, 256, 50
STEP = 0.1
"""A change of the ratio between neighbors that no light makes: a wave is longer than a third of the picture."""


@pytest.fixture(scope="module", params=NAMES)
def pairs(request):
    """Both pictures of each unit, answer and variant."""
    puzzle, options = PUZZLES[request.param], VIABenchOptions(units=UNITS, size=SIZE, seed=2)
    bases = [sample_unit(puzzle, options, index)[0] for index in range(UNITS)]
    return [(answer, puzzle.draw(base, answer, v)) for base in bases for answer in (YES, NO) for v in VARIANTS]


def steps(first, second):
    """The share of neighbors between which the ratio of two pictures jumps; dark pixels and marks are left out."""
    bright = (np.minimum(first, second).max(2) > DARK) & ~dilation(color_mask(first, MARK), 3)
    ratio = np.log(second.astype(float).sum(2) + 1) - np.log(first.astype(float).sum(2) + 1)
    jumps = [
        np.abs(np.diff(ratio, axis=axis))[
            np.take(bright, range(1, SIZE), axis) & np.take(bright, range(SIZE - 1), axis)
        ]
        for axis in (0, 1)
    ]
    return float(max((jump > STEP).mean() for jump in jumps))


def test_light_differs_in_each_pair_and_only_a_motion_changes_it_in_steps(pairs):
    for answer, (first, second) in pairs:
        assert (first != second).any(2).mean() > 0.5
        assert (steps(first, second) > 0.001) is (answer == YES)


def test_marks_keep_their_color_and_place_in_any_light(pairs):
    for _, (first, second) in pairs:
        marks = color_mask(first, MARK)
        assert marks.any()
        assert (marks == color_mask(second, MARK)).all()
