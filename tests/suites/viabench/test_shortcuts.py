"""What a coarse look tells of the answers: statistics of the whole picture, and its thumbnail.

No statistic tells more in the illusion than in its ordinary counterpart. And no learner that looks coarsely is above
chance, by three standard errors, where the illusion or the anomaly is drawn.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from studies.shortcut_learners import features, learned
from tests.suites.viabench.conftest import matched
from veridical.records import Chunk
from veridical.suite.shortcuts import OF_A_PICTURE, STATISTICS, auc
from veridical.suites.viabench.options import VIABenchOptions
from veridical.suites.viabench.puzzles import PUZZLES
from veridical.suites.viabench.puzzles import make as drawing
from veridical.suites.viabench.puzzles.puzzle import VARIANTS

UNITS, ALLOWED, ERRORS = 36, 0.1, 3.0
TOLD_BY_PICTURE = [name for name, puzzle in PUZZLES.items() if not puzzle.tells_by_text]
MATCHED = [name for name in TOLD_BY_PICTURE if matched(name)]


@cache
def looks(name):
    """Of every picture of a puzzle its variant, the place of the answer, its unit, and what a coarse look sees."""
    options = VIABenchOptions(units=UNITS, size=256, seed=3)
    return [
        (stimulus.variant, stimulus.truth["answers"].index(stimulus.truth["answer"]), index, features(files))
        for index in range(UNITS)
        for stimulus, files in drawing.make(options, Chunk(name, index))
    ]


def measured(name):
    """The statistics of the pictures of each variant, by the place of the answer among those of its unit."""
    found = {variant: {} for variant in VARIANTS}
    for variant, place, _, (statistics, _) in looks(name):
        found[variant].setdefault(place, []).append(statistics[-len(STATISTICS) :])
    return {variant: {place: np.array(rows) for place, rows in by.items()} for variant, by in found.items()}


def told(name, variant=None):
    """What the learners tell of the answers in the pictures of a variant, or of both."""
    rows = [row for row in looks(name) if variant in (None, row[0])]
    return learned([row[3] for row in rows], [row[1] for row in rows], [row[2] for row in rows])


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


@pytest.mark.parametrize("name", TOLD_BY_PICTURE)
def test_a_coarse_look_tells_no_answer(name):
    found = told(name, "unusual" if name in MATCHED else None)
    assert not {learner: each for learner, each in found.items() if each.above > ERRORS}


def test_learners_tell_what_is_coarse_and_not_what_is_random():
    rng = np.random.default_rng(0)
    answers = np.arange(96) % 2
    pictures = rng.integers(0, 256, (96, 64, 64, 3)).astype(np.uint8)
    plain = [features([picture]) for picture in pictures]
    pictures[answers == 1, 40:48] //= 2
    striped = [features([picture]) for picture in pictures]
    assert max(each.above for each in learned(plain, answers, np.arange(96) // 2).values()) < ERRORS
    assert min(each.right for each in learned(striped, answers, np.arange(96) // 2).values()) > 0.9
