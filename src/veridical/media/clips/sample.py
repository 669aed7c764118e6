"""Sampling of frames by named rules: the requested times, and the frame on display at each."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil

from veridical.errors import InputError
from veridical.media.clips.read import Clip, ClipSpan, Frame

GRID = 4
"""Frames per second of the rules `4fps` and `adaptive`."""
MOST_SAMPLES = 1024
"""The maximum number of frames that may be sampled from a clip."""
ALLOWED = "uniform-N, uniform-N-ends, 4fps, adaptive and adaptive-CAP are allowed, N and CAP being numbers"

_NAMED = re.compile(r"uniform-(?P<count>[1-9][0-9]{0,5})(?P<ends>-ends)?|4fps|adaptive(-(?P<cap>[1-9][0-9]{0,5}))?")


@dataclass(frozen=True, slots=True, eq=False)
class FrameSample:
    """A requested time, in seconds from the clip's first frame, and the frame on display at that time."""

    requested: Fraction
    frame: Frame


def require_sampling(name: str) -> None:
    """Raises `InputError`, which lists the allowed names, if no rule of sampling has this name.

    >>> require_sampling("8fps")
    Traceback (most recent call last):
    ...
    veridical.errors.InputError: sampling '8fps' is unknown: uniform-N, uniform-N-ends, 4fps, adaptive and \
adaptive-CAP are allowed, N and CAP being numbers
    """
    _parsed(name)


@lru_cache(maxsize=256)
def times_of(name: str, span: ClipSpan) -> tuple[Fraction, ...]:
    """The times at which the rule of this name samples a clip, ascending, in seconds from its first frame.

    - `uniform-N`: the centers of N equal bins of the duration, (k + 1/2) / N of it for k = 0 to N - 1.
    - `uniform-N-ends`: N times evenly from the first frame to the last, k / (N - 1) of the time of the last frame.
    - `4fps`: k / 4 s within the duration.
    - `adaptive-CAP`: those of `4fps`; of more than CAP, CAP evenly from the first to the last, rounded down to one.
    - `adaptive`: the same as `4fps`.

    Raises `InputError` for an unknown name, a clip without a duration, and more than 1,024 times.

    >>> [float(time) for time in times_of("uniform-4", ClipSpan("a", Fraction(4), Fraction(95, 24)))]
    [0.5, 1.5, 2.5, 3.5]
    >>> [float(time) for time in times_of("adaptive-3", ClipSpan("a", Fraction(4), Fraction(95, 24)))]
    [0.0, 1.75, 3.75]
    """
    rule, number = _parsed(name)
    if not span.duration:
        raise InputError(f"{span.name} has no duration: frames cannot be sampled by time")
    if rule == "centers":
        return tuple(Fraction(2 * k + 1, 2 * number) * span.duration for k in range(number))
    if rule == "ends":
        return tuple(Fraction(k, number - 1) * span.last for k in range(number))
    grid = ceil(span.duration * GRID)
    if not number and grid > MOST_SAMPLES:
        raise InputError(
            f"{span.name}: {name} takes {grid:,} frames of its {float(span.duration):g} s: at most {MOST_SAMPLES:,} "
            "may be sampled from a clip; choose adaptive-CAP or uniform-N"
        )
    if not number or grid <= number:
        return tuple(Fraction(k, GRID) for k in range(grid))
    return tuple(Fraction(k * (grid - 1) // (number - 1), GRID) for k in range(number))


def _parsed(name: str) -> tuple[str, int]:
    """The kind of a rule of sampling, and its number; 0 if it has none."""
    named = _NAMED.fullmatch(name)
    if named is None:
        raise InputError(f"sampling {name[:40]!r} is unknown: {ALLOWED}")
    rule = "grid" if named["count"] is None else "ends" if named["ends"] else "centers"
    stated = named["count"] or named["cap"]
    fewest = 1 if rule == "centers" else 2
    if stated and not fewest <= int(stated) <= MOST_SAMPLES:
        raise InputError(f"sampling {name!r}: {fewest} to {MOST_SAMPLES:,} frames may be sampled from a clip")
    return rule, int(stated or 0)


def sample_frames(clip: Clip, times: Sequence[Fraction], longest: int | None = None) -> Iterator[FrameSample]:
    """The frame on display at each of these ascending times: the last frame whose own time is not later.

    There is one sample per time, so a clip with few frames returns some of them repeatedly. Frames are streamed, one at
    a time in memory, scaled down so that no side is longer than `longest` pixels, and the clip is checked to its end.
    Raises `InputError` for an incomplete clip and for a time outside its duration.
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
    for frame in clip.frames(wanted, longest):
        yield from (FrameSample(time, frame) for time in wanted[frame.index])
