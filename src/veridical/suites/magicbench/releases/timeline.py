"""The timeline of frames that a released item has, and where its regions are at each quarter of a second."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from veridical.records import Json
from veridical.suites.magicbench.releases.cells import (
    LONG,
    REGION,
    TIMELINE,
    UnusableError,
    first_of,
    number_of,
    text_of,
)

LONGEST = 600
"""The longest duration of a clip, in seconds."""
MOST_FRAMES = 10_000
_SHOWN = 60
_SLACK = 0.001
Region = tuple[float, float, float, float]


class Entry(NamedTuple):
    """A frame from a time on, in seconds: its file name, and its region as shares of width and height, or none."""

    time: float
    name: str
    region: Region | None


def timeline_of(value: Json, place: str) -> list[Entry]:
    """The frames of an item in order; raises `UnusableError` for one that cannot be read.

    >>> timeline_of([{"timestamp": 0.5, "filename": "a.jpg", "roi_normalized": [0, 0, 0.5, 1]}], "item 1")
    [Entry(time=0.5, name='a.jpg', region=(0.0, 0.0, 0.5, 1.0))]
    """
    rows = value if isinstance(value, list) else [] if value is None else [value]
    if len(rows) > MOST_FRAMES:
        raise UnusableError(TIMELINE, f"{place}: {len(rows):,} frames: at most {MOST_FRAMES:,} are read")
    made = [_entry(row, number, place) for number, row in enumerate(rows, start=1)]
    late = next((number for number, (one, two) in enumerate(pairwise(made), start=2) if two.time <= one.time), None)
    if late is not None:
        raise UnusableError(TIMELINE, f"{place}: frame {late} is not after the one before it")
    if made and made[-1].time >= LONGEST:
        raise UnusableError(LONG, f"{place}: its frames take {made[-1].time:,.0f} s: at most {LONGEST} s are allowed")
    return made


def region_of(value: Json, place: str) -> Region | None:
    """A region: left, top, right and bottom as shares from 0 to 1; `None` for none.

    Raises `UnusableError` for anything else, such as pixels or a region without area.
    """
    if value in (None, "", [], {}):
        return None
    corners = [number_of(each) for each in value] if isinstance(value, list) else []
    made = [each for each in corners if each is not None]
    if len(corners) != 4 or len(made) != 4:
        raise UnusableError(REGION, f"{place}: region {str(value)[:_SHOWN]}: left, top, right and bottom are needed")
    x0, y0, x1, y1 = made
    if not (0 <= x0 < x1 <= 1 + _SLACK and 0 <= y0 < y1 <= 1 + _SLACK):
        shown = ", ".join(f"{each:g}" for each in made)
        raise UnusableError(REGION, f"{place}: region {shown}: shares from 0 to 1 are needed, left before right")
    return x0, y0, min(x1, 1.0), min(y1, 1.0)


def place_at(entries: Sequence[Entry], time: float) -> int:
    """The place of the frame on display at a time: the last that has begun, or the first.

    >>> place_at([Entry(0.0, "a.jpg", None), Entry(0.5, "b.jpg", None)], 0.5)
    1
    """
    return max(0, bisect_right(entries, time + _SLACK, key=lambda entry: entry.time) - 1)


def _entry(row: Json, number: int, place: str) -> Entry:
    where = f"{place}, frame {number}"
    if not isinstance(row, Mapping):
        raise UnusableError(TIMELINE, f"{where}: an object is needed")
    time = number_of(first_of(row, "timestamp", "time"))
    if time is None or time < 0:
        raise UnusableError(TIMELINE, f"{where}: timestamp {str(row.get('timestamp'))[:_SHOWN]!r}: seconds are needed")
    name = text_of(first_of(row, "filename", "file", "frame"), "filename", where)
    return Entry(time, name, region_of(first_of(row, "roi_normalized", "roi"), where))


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
