"""Sampling of frames by named rules: the requested times, and the frame on display at each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from veridical.errors import InputError
from veridical.media.clips.read import Clip, Frame

MOST_SAMPLES = 1024


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A requested time, in seconds from the clip's first frame, and the frame on display at that time."""

    requested: Fraction
    frame: Frame


def uniform(clip: Clip, count: int) -> tuple[Fraction, ...]:
    """The times of the rule `uniform-N`: the centers of N equal bins of the clip's duration.

    These are (k + 1/2) / N of the duration for k = 0 to N - 1, never its first or last moment. Raises `InputError` for
    a clip without a duration.
    """
    require_count(count)
    if not clip.duration:
        raise InputError(f"{clip.name} has no duration: frames cannot be sampled by time")
    return tuple(Fraction(2 * k + 1, 2 * count) * clip.duration for k in range(count))


def require_count(count: int) -> None:
    """Raises `InputError` for a number of samples outside the allowed range."""
    if not 1 <= count <= MOST_SAMPLES:
        raise InputError(f"{count} frames: 1 to {MOST_SAMPLES} may be sampled from a clip")


def sampled(clip: Clip, times: Sequence[Fraction]) -> Iterator[Sample]:
    """The frame on display at each of these ascending times: the last frame whose own time is not later.

    There is one sample per time, so a clip with few frames returns some of them repeatedly. Frames are streamed, one at
    a time in memory, and the clip is checked to its end. Raises `InputError` for an incomplete clip and for a time
    outside its duration.
    """
    for time in times:
        if not 0 <= time < clip.duration:
            raise InputError(f"{clip.name}: {float(time):g} s lies outside its duration of {float(clip.duration):g} s")
    if list(times) != sorted(times):
        raise ValueError("sampling times must ascend")
    # Times are compared in whole steps: rounding a time down to a step does not change the frame on display.
    due = [bisect_right(clip.pts, time // clip.time_base) - 1 for time in times]
    wanted: dict[int, list[Fraction]] = {}
    for index, time in zip(due, times, strict=True):
        wanted.setdefault(index, []).append(time)
    for frame in clip.frames(wanted):
        yield from (Sample(time, frame) for time in wanted[frame.index])
