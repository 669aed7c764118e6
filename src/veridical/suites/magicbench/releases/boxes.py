"""Boxes of released clips: where regions are at each quarter of a second, and a placebo of the same size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import ceil

from veridical.suites.magicbench.releases.timeline import Entry, Region, place_at

PER_SECOND = 4
"""Rows of boxes per second, as in our clips; each stands for a quarter of a second."""
Row = tuple[float, float, float, float, float]
_FLIPS: Sequence[Callable[[Region], Region]] = (
    lambda box: (1 - box[2], box[1], 1 - box[0], box[3]),
    lambda box: (box[0], 1 - box[3], box[2], 1 - box[1]),
    lambda box: (1 - box[2], 1 - box[3], 1 - box[0], 1 - box[1]),
)


def quarters(duration: Fraction) -> Iterator[float]:
    """The times of the rows of a clip, in seconds."""
    return (k / PER_SECOND for k in range(ceil(duration * PER_SECOND)))


def regions_of(entries: Sequence[Entry], duration: Fraction) -> list[tuple[float, Region]]:
    """The regions of a timeline of frames, at each quarter of a second at which a frame with one is on display."""
    if not entries:
        return []
    held = ((time, entries[place_at(entries, time)].region) for time in quarters(duration))
    return [(time, region) for time, region in held if region is not None]


def mirrored(regions: Sequence[tuple[float, Region]]) -> list[tuple[float, Region]]:
    """The same regions on another side of the picture: left for right, up for down, or both.

    The first of the three in which no region meets its own mirror image is taken for all; where there is none, nothing.

    >>> mirrored([(1.0, (0.0, 0.25, 0.25, 0.5))]), mirrored([(1.0, (0.25, 0.25, 0.75, 0.75))])
    ([(1.0, (0.75, 0.25, 1.0, 0.5))], [])
    """
    for flip in _FLIPS:
        made = [(time, flip(box)) for time, box in regions]
        if not any(_meet(box, other) for (_, box), (_, other) in zip(regions, made, strict=True)):
            return made
    return []


def in_pixels(regions: Sequence[tuple[float, Region]], width: int, height: int) -> list[Row]:
    """Rows (seconds, x0, y0, x1, y1) in pixels."""
    return [(time, box[0] * width, box[1] * height, box[2] * width, box[3] * height) for time, box in regions]


def _meet(one: Region, two: Region) -> bool:
    return max(one[0], two[0]) < min(one[2], two[2]) and max(one[1], two[1]) < min(one[3], two[3])
