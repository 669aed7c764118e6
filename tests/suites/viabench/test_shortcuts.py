"""No statistic of the whole picture tells answers apart better in the illusion than in its ordinary counterpart."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from tests.suites.viabench.conftest import matched
from veridical.records import Chunk
from veridical.suite.shortcuts import OF_A_PICTURE, STATISTICS, auc, statistics
from veridical.suites.viabench.options import VIABenchOptions
from veridical.suites.viabench.puzzles import PUZZLES
from veridical.suites.viabench.puzzles import make as drawing
from veridical.suites.viabench.puzzles.puzzle import VARIANTS

UNITS, ALLOWED = 24, 0.1
MATCHED = [name for name, puzzle in PUZZLES.items() if not puzzle.tells_by_text and matched(name)]


def measured(name):
    """The statistics of the pictures of each variant, by the place of the answer among those of its unit."""
    found = {variant: {} for variant in VARIANTS}
    for index in range(UNITS):
        for stimulus, files in drawing.make(VIABenchOptions(units=UNITS, size=256, seed=3), Chunk(name, index)):
            place = stimulus.truth["answers"].index(stimulus.truth["answer"])
            values = [statistics(file) for file in files]
            found[stimulus.variant].setdefault(place, []).append(values[-1] - values[0] if values[1:] else values[0])
    return {variant: {place: np.array(rows) for place, rows in by.items()} for variant, by in found.items()}


def separation(by_answer, place):
    """How well a statistic tells two answers apart at best, 0.5 to 1, by its value or its size."""
    best = 0.5
    for one, other in combinations(by_answer.values(), 2):
        for first, second in ((one[:, place], other[:, place]), (abs(one[:, place]), abs(other[:, place]))):
            best = max(best, auc(first, second), auc(second, first))
    return best


@pytest.fixture(scope="module", autouse=True)
def _unfiled():
    """Pictures stay pixels: that they are sound, and files the same as they, is tested elsewhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "_require_sound", lambda *_: None)
        patch.setattr(drawing, "encode_png", lambda pixels: pixels)
        patch.setattr(drawing, "pixel_hash", lambda _: "")
        patch.setattr(drawing, "_of_one_length", iter)
        yield


@pytest.mark.parametrize("name", MATCHED)
def test_no_statistic_tells_more_in_the_illusion(name):
    found = measured(name)
    unusual, ordinary = (
        {statistic: separation(found[variant], k) for k, statistic in enumerate(STATISTICS)} for variant in VARIANTS
    )
    most = max(ordinary.values())
    told = [
        statistic
        for statistic in STATISTICS
        if unusual[statistic] > ordinary[statistic] + ALLOWED
        and (unusual[statistic] > most + ALLOWED or statistic in OF_A_PICTURE)
    ]
    assert not told, {statistic: (unusual[statistic], ordinary[statistic]) for statistic in told}
