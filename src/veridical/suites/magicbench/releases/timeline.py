"""The timeline of frames that a released item has: when each is shown, its file, and its region."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from veridical.records import Json
from veridical.suites.magicbench.releases.cells import first_of, number_of, text_of
from veridical.suites.magicbench.releases.reasons import LONG, REGION, TIMELINE, UnusableError

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
