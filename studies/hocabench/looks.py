"""What learners see of a clip: single pictures that stand for it, how much changes when, and the size of its file."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from studies.shortcut_learners import LEARNERS, Pixels, Told, features, forest, linear, out_of_fold, told
from veridical.media.clips.sample import sample_frames, times_of
from veridical.media.decode import Clip
from veridical.records import Stimulus
from veridical.stats import GradedTrials, Interval, graded_sensitivity
from veridical.suite.rates import cluster_rows, mean_rate
from veridical.suite.shortcuts import Values
from veridical.suites.hocabench.observers.motion import SAMPLING, changes, gray, suddenness
from veridical.suites.hocabench.stimuli import VIOLATING

_LOUDER = 8
"""By how much the mean change of a clip's pixels, which is small, is multiplied to make a picture."""
MOST_ERRORS = 3.0
"""The standard errors above chance from which a learner tells something."""


class ClipLook(NamedTuple):
    """What is seen of a clip: a digest of its first frame, its size in bytes, and what learners and `motion` measure.

    `numbers` are the values of each learner, by its name; `sudden` is how many times the usual change the largest is.
    """

    unit: str
    family: str
    variant: str
    first: str
    size: int
    sudden: float
    numbers: dict[tuple[str, str], Values]


def look_at(stimulus: Stimulus, content: bytes) -> ClipLook:
    """What is seen of a stimulus whose clip is in these bytes."""
    clip = Clip.open(content, stimulus.media[0].file)
    first, last, mean, energy, sizes = _summed([frame.pixels for frame in clip.frames()])
    pictures = {"first frame": first, "last frame": last, "mean frame": mean, "motion energy": energy}
    numbers = {
        (name, learner): seen[part]
        for name, seen in ((name, features([picture])) for name, picture in pictures.items())
        for learner, (part, _) in LEARNERS.items()
    }
    numbers |= {(_COURSE, learner): sizes for learner in ("linear", "forest")}
    numbers[_SIZE, "forest"] = np.array([float(len(content))])
    sampled = [gray(sample.frame.pixels) for sample in sample_frames(clip, times_of(SAMPLING, clip.span))]
    return ClipLook(
        unit=stimulus.unit,
        family=stimulus.family,
        variant=stimulus.variant,
        first=sha256(first.tobytes()).hexdigest(),
        size=len(content),
        sudden=suddenness(changes(sampled)),
        numbers=numbers,
    )


_COURSE, _SIZE = "amount of change, frame by frame", "size of the file"


def _summed(shots: Sequence[Pixels]) -> tuple[Pixels, Pixels, Pixels, Pixels, Values]:
    """The first, last and mean frame, the mean change of each pixel as a picture, and of each pair of frames."""
    frames = np.stack(shots).astype(np.float32)
    change = np.abs(np.diff(frames, axis=0))
    energy = _picture(_LOUDER * change.mean(0))
    return shots[0], shots[-1], _picture(frames.mean(0)), energy, change.mean((1, 2, 3)).astype(float)


def _picture(values: NDArray[np.float32]) -> Pixels:
    return np.clip(values.round(), 0, 255).astype(np.uint8)


class LearnerResult(NamedTuple):
    """What a learner makes of the clips of a set: its guesses, how often it is right with interval, and by how much."""

    says: dict[str, str]
    right: float
    bounds: Interval
    told: Told


def learner_results(looks: Sequence[ClipLook]) -> dict[tuple[str, str], LearnerResult]:
    """The result of every learner, by what it sees and its name; it is taught with the clips of other units.

    Guesses are variants by unit and variant, joined by a slash.
    """
    units, answers = ([getattr(look, name) for look in looks] for name in ("unit", "variant"))
    results = {}
    for name in looks[0].numbers:
        makes = linear if name[1].endswith("linear") else forest
        says = out_of_fold([look.numbers[name] for look in looks], answers, units, makes)
        right = says == np.array(answers)
        table = pl.DataFrame({"unit": units, "family": [look.family for look in looks], "right": right.astype(float)})
        value, bounds = mean_rate(cluster_rows(table, ("right",), np.zeros(len(table), np.int64), 1), 0, (1.0,))
        guesses = {f"{look.unit}/{look.variant}": str(own) for look, own in zip(looks, says, strict=True)}
        results[name] = LearnerResult(guesses, value, bounds, told(right, answers, units))
    return results


def motion_area(looks: Sequence[ClipLook]) -> tuple[float, Interval]:
    """The area under the curve by which sudden changes tell violating clips from plausible ones; chance is .5."""
    violating = [look.variant == VIOLATING for look in looks]
    area = graded_sensitivity(
        GradedTrials(
            grade=[look.sudden for look in looks],
            signal=violating,
            said=np.zeros(len(looks), bool),
            unit=[look.unit for look in looks],
            stratum=[look.family for look in looks],
        )
    ).area
    assert area.value is not None
    return area.value, Interval(area.low, area.high)
