"""The timeline of frames that a released item has, and where its regions are at each quarter of a second."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from veridical.records import Json
from veridical.suite.releases import LONGEST_CLIP, SHOWN, UnusableItemError, error_place, number_of, text_of

_MOST_FRAMES = 10_000
_TIMELINE, _REGION = "a timeline of frames that cannot be read", "a region that is none"
_SLACK = 0.001
Region = tuple[float, float, float, float]


class TimelineEntry(NamedTuple):
    """A frame from a time on, in seconds: its file name, and its region as shares of width and height, or none."""

    time: float
    name: str
    region: Region | None


def first_of(row: Mapping[str, Json], *names: str) -> Json:
    """The value of the first of these keys that a row fills, `None` where it fills none.

    >>> first_of({"id": "", "video_id": 7}, "id", "video_id")
    7
    """
    return next((row[name] for name in names if row.get(name) not in (None, "", [], {})), None)


def timeline_of(value: Json) -> list[TimelineEntry]:
    """The frames of an item in order; raises `UnusableItemError` for one that cannot be read.

    >>> timeline_of([{"timestamp": 0.5, "filename": "a.jpg", "roi_normalized": [0, 0, 0.5, 1]}])
    [TimelineEntry(time=0.5, name='a.jpg', region=(0.0, 0.0, 0.5, 1.0))]
    """
    rows = value if isinstance(value, list) else [] if value is None else [value]
    if len(rows) > _MOST_FRAMES:
        raise UnusableItemError(_TIMELINE, f"{len(rows):,} frames: at most {_MOST_FRAMES:,} are read")
    made: list[TimelineEntry] = []
    for number, row in enumerate(rows, start=1):
        with error_place(f"frame {number}"):
            entry = _entry(row)
            if made and entry.time <= made[-1].time:
                raise UnusableItemError(_TIMELINE, "it is not after the one before it")
            made.append(entry)
    if made and made[-1].time >= LONGEST_CLIP:
        detail = f"its frames take {made[-1].time:,.0f} s: at most {LONGEST_CLIP} s are allowed"
        raise UnusableItemError("a clip longer than 10 minutes", detail)
    return made


def _region(value: Json) -> Region | None:
    """A region: left, top, right and bottom as shares from 0 to 1; `None` for none.

    Raises `UnusableItemError` for anything else, such as pixels or a region without area.
    """
    if value in (None, "", [], {}):
        return None
    made = [number for each in value if (number := number_of(each)) is not None] if isinstance(value, list) else []
    if len(made) != 4 or len(value) != 4:
        raise UnusableItemError(_REGION, f"region {str(value)[:SHOWN]}: left, top, right and bottom are needed")
    x0, y0, x1, y1 = made
    if not (0 <= x0 < x1 <= 1 + _SLACK and 0 <= y0 < y1 <= 1 + _SLACK):
        stated = ", ".join(f"{each:g}" for each in made)
        raise UnusableItemError(_REGION, f"region {stated}: shares from 0 to 1 are needed, left before right")
    return x0, y0, min(x1, 1.0), min(y1, 1.0)


def place_at(entries: Sequence[TimelineEntry], time: float) -> int:
    """The place of the frame on display at a time: the last that has begun, or the first.

    >>> place_at([TimelineEntry(0.0, "a.jpg", None), TimelineEntry(0.5, "b.jpg", None)], 0.5)
    1
    """
    return max(0, bisect_right(entries, time + _SLACK, key=lambda entry: entry.time) - 1)


def _entry(row: Json) -> TimelineEntry:
    if not isinstance(row, Mapping):
        raise UnusableItemError(_TIMELINE, "an object is needed")
    time = number_of(first_of(row, "timestamp", "time"))
    if time is None or time < 0:
        raise UnusableItemError(_TIMELINE, f"timestamp {str(row.get('timestamp'))[:SHOWN]!r}: seconds are needed")
    name = text_of(first_of(row, "filename", "file", "frame"), "filename")
    return TimelineEntry(time, name, _region(first_of(row, "roi_normalized", "roi")))


_PER_SECOND = 4
"""Rows of boxes per second, as in our clips; each stands for a quarter of a second."""
BoxRow = tuple[float, float, float, float, float]
_FLIPS: Sequence[Callable[[Region], Region]] = (
    lambda box: (1 - box[2], box[1], 1 - box[0], box[3]),
    lambda box: (box[0], 1 - box[3], box[2], 1 - box[1]),
    lambda box: (1 - box[2], 1 - box[3], 1 - box[0], 1 - box[1]),
)


def quarters(duration: Fraction) -> Iterator[float]:
    """The times of the rows of a clip, in seconds."""
    return (k / _PER_SECOND for k in range(ceil(duration * _PER_SECOND)))


def regions_of(entries: Sequence[TimelineEntry], duration: Fraction) -> list[tuple[float, Region]]:
    """The regions of a timeline of frames, at each quarter of a second at which a frame with one is on display."""
    if not entries:
        return []
    held = ((time, entries[place_at(entries, time)].region) for time in quarters(duration))
    return [(time, region) for time, region in held if region is not None]


def mirror_images(regions: Sequence[tuple[float, Region]]) -> list[tuple[float, Region]]:
    """The same regions on another side of the picture: left for right, up for down, or both.

    The first of the three in which no region meets its own mirror image is taken for all; where there is none, nothing.

    >>> mirror_images([(1.0, (0.0, 0.25, 0.25, 0.5))]), mirror_images([(1.0, (0.25, 0.25, 0.75, 0.75))])
    ([(1.0, (0.75, 0.25, 1.0, 0.5))], [])
    """
    for flip in _FLIPS:
        made = [(time, flip(box)) for time, box in regions]
        if not any(meet(box, other) for (_, box), (_, other) in zip(regions, made, strict=True)):
            return made
    return []


def pixel_boxes(regions: Sequence[tuple[float, Region]], width: int, height: int) -> list[BoxRow]:
    """Rows (seconds, x0, y0, x1, y1) in pixels."""
    return [(time, box[0] * width, box[1] * height, box[2] * width, box[3] * height) for time, box in regions]


def meet(one: Region, two: Region) -> bool:
    """Whether two regions share some area."""
    return max(one[0], two[0]) < min(one[2], two[2]) and max(one[1], two[1]) < min(one[3], two[3])
