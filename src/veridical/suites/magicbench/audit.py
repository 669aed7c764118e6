"""The audit of a sampling rule: the share of clips of which it shows a frame inside the critical window.

Of a window that begins before anything can be seen, the part from then on counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from veridical.errors import InputError
from veridical.media.clips.sample import require_sampling
from veridical.media.derive import frame_times
from veridical.records import Stimulus
from veridical.stats.intervals import Interval, wilson
from veridical.stimulus_set import StimulusSet
from veridical.suites.magicbench.stimuli import HONEST, NAME


class Audit(NamedTuple):
    """How a rule samples the clips of a set.

    `clips` have a critical window; of `hit` the rule shows a frame in it, of `twice` two or more. `interval` is
    Wilson's of the share `hit / clips`, at 95 %. `frames` is the mean number of frames in the window.
    """

    rule: str
    clips: int
    hit: int
    twice: int
    frames: float
    interval: Interval

    @property
    def share(self) -> float:
        """The share of clips of which a frame lies inside the window, 0 to 1."""
        return self.hit / self.clips


def audit(folder: Path, rules: Sequence[str]) -> tuple[list[Audit], int]:
    """How each rule samples the tricks and real clips of a set, and how many of them have no critical window.

    Raises `InputError` for an unknown rule, and if no clip of the suite has a window.
    """
    for rule in rules:
        require_sampling(rule)
    clips = [each for each in StimulusSet.open(folder).stimuli if each.suite == NAME and each.variant != HONEST]
    with_window = [stimulus for stimulus in clips if stimulus.truth["window"] is not None]
    if not with_window:
        raise InputError(f"{folder} has no clip of {NAME} with a critical window")
    return [_audit(rule, with_window) for rule in rules], len(clips) - len(with_window)


def _audit(rule: str, clips: Sequence[Stimulus]) -> Audit:
    counts = [count_window_frames(stimulus, rule) for stimulus in clips]
    hit = sum(count > 0 for count in counts)
    twice = sum(count > 1 for count in counts)
    mean = sum(counts) / len(counts)
    return Audit(rule, len(clips), hit, twice, mean, wilson(hit / len(clips), len(clips)))


def count_window_frames(stimulus: Stimulus, rule: str) -> int:
    """The number of different frames in the critical window of a clip, as far as it can be seen, that a rule shows.

    A frame counts if its display begins in the window, and not before trick and control differ; of clips without a
    constant rate, if the time that is requested lies there.
    """
    start, end = stimulus.truth["window"]
    start = max(start, stimulus.truth.get("first_visible") or start)
    ((place, times),) = frame_times(stimulus, {"sampling": rule})
    rate = stimulus.media[place].rate
    shown = set(times) if rate is None else {int(time * Fraction(rate)) / Fraction(rate) for time in times}
    return sum(start <= time <= end for time in shown)
