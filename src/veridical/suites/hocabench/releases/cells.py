"""Cells of annotations as values: text, lists of text, intervals in seconds; and why one cannot be used."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from fractions import Fraction

from veridical.records import Json
from veridical.stimulus_set.imported.write_import import CLIP_NOT_OPENED

NO_INDEX, SAME_INDEX = "no index", "an index that is repeated"
NO_CLIP, MISSING, BROKEN = "no clip is named", "a missing clip", CLIP_NOT_OPENED
LOW, LONG = "a real clip below 720 px", "a clip longer than 10 minutes"
LACKING, SUB_TYPE = "a missing key", "an unknown sub-type"
CONTRADICTED = "a type or category of another sub-type"
INTERVAL, OUTSIDE = "an interval that ends before it starts", "an interval outside the clip"
TEXT, REPEATED = "text that cannot be read", "a repeated annotation"
LONGEST_TEXT = 10_000
_SHOWN = 60
_NUMBER = r"(-?\d{1,9}(?:\.\d{1,9})?)"
_PAIR = re.compile(rf"[\[(]?\s*{_NUMBER}\s*s?\s*(?:-|–|to|,)\s*{_NUMBER}\s*s?\s*[\])]?")
_SLACK = Fraction(1, 10)
"""By how many seconds a rounded end may exceed the clip; the interval then ends with the clip."""


class UnusableError(Exception):
    """A clip that is left out: the kind of reason, and the reason in a line that names the place."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


def text_of(value: Json, what: str, place: str) -> str:
    """The text of a cell, stripped: "" for an empty one, numbers as they are written.

    >>> text_of(4.0, "id", "row 1"), text_of(None, "prompt", "row 1"), text_of(" a mug ", "scene", "row 1")
    ('4', '', 'a mug')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, str | int | float):
        raise UnusableError(TEXT, f"{place}: {what} is no text")
    text = str(value).strip()
    if len(text) > LONGEST_TEXT:
        raise UnusableError(TEXT, f"{place}: {what} has {len(text):,} characters: at most {LONGEST_TEXT:,} are read")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UnusableError(TEXT, f"{place}: {what} holds half of a character") from None
    return text


def texts_of(value: Json, what: str, place: str) -> list[str]:
    """The texts of a cell: a list, a list as JSON text, or text with commas, semicolons or bars between.

    >>> texts_of("Gravity Anomaly; Collision Anomaly", "sub_category", "row 1")
    ['Gravity Anomaly', 'Collision Anomaly']
    """
    value = _as_json(value)
    if isinstance(value, dict):
        value = list(value.values())
    parts = value if isinstance(value, list) else re.split(r"[;,|]", text_of(value, what, place))
    return [text for part in parts if (text := text_of(part, what, place))]


def intervals_of(cells: Mapping[str, Json], place: str) -> list[tuple[float, float]]:
    """The intervals of a record, in seconds; raises `UnusableError` for one that cannot be read or ends early.

    >>> intervals_of({"intervals": "1.5-4; 5 to 6"}, "row 1"), intervals_of({"start": "1", "end": 2.5}, "row 1")
    ([(1.5, 4.0), (5.0, 6.0)], [(1.0, 2.5)])
    """
    value = _as_json(cells.get("intervals"))
    if value is None and ("start" in cells or "end" in cells):
        value = [cells.get("start"), cells.get("end")]
    return [_interval(each, place) for each in _each(value, place)]


def within_clip(intervals: list[tuple[float, float]], duration: Fraction, place: str) -> list[tuple[float, float]]:
    """The intervals, none of which leaves the clip; an end that is rounded up is that of the clip.

    Raises `UnusableError` for an interval outside.
    """
    for start, end in intervals:
        if start < 0 or start >= duration or end > duration + _SLACK:
            stated = f"{start:g} to {end:g} s"
            raise UnusableError(OUTSIDE, f"{place}: interval {stated}: the clip takes {float(duration):g} s")
    return [(start, min(end, float(duration))) for start, end in intervals]


def _each(value: Json, place: str) -> list[Json]:
    """The intervals in a cell, each in whatever form."""
    if value is None:
        return []
    if isinstance(value, str):
        pairs = [_PAIR.fullmatch(part.strip()) for part in value.split(";") if part.strip()]
        if not all(pairs):
            raise UnusableError(INTERVAL, f"{place}: interval '{value[:_SHOWN]}': START-END in seconds is needed")
        return [[pair[1], pair[2]] for pair in pairs if pair]
    if isinstance(value, list) and len(value) == 2 and not any(isinstance(each, list | dict) for each in value):
        return [value]
    return value if isinstance(value, list) else [value]


def _interval(value: Json, place: str) -> tuple[float, float]:
    if isinstance(value, dict):
        value = [value.get("start", value.get("start_time")), value.get("end", value.get("end_time"))]
    numbers = [_seconds(each) for each in value] if isinstance(value, list) else []
    if len(numbers) != 2 or not all(math.isfinite(number) for number in numbers):
        raise UnusableError(INTERVAL, f"{place}: interval {str(value)[:_SHOWN]!r}: two numbers of seconds are needed")
    start, end = numbers
    if end <= start:
        raise UnusableError(INTERVAL, f"{place}: interval {start:g} to {end:g} s: the end must be after the start")
    return start, end


def _seconds(value: Json) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return math.nan
    try:
        return float(value)
    except (ValueError, OverflowError):
        return math.nan


def _as_json(value: Json) -> Json:
    """The list or object that text holds as JSON; any other value unchanged."""
    if not isinstance(value, str) or value.strip()[:1] not in ("[", "{"):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
