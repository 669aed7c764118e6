"""Critical windows and boxes of real clips, from a table: what happens in secret, when and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from veridical.errors import InputError
from veridical.records import Json, Stimulus
from veridical.stimulus_set.imported.sheets import Row, number, read_rows
from veridical.suites.magicbench.asking.trials import duration_of
from veridical.suites.magicbench.releases.release import MIRRORED, STATED
from veridical.suites.magicbench.releases.timeline import Region, in_pixels, mirrored, quarters

SIDES = ("left", "top", "right", "bottom")
BOX, PLACEBO = SIDES, tuple(f"placebo_{side}" for side in SIDES)
COLUMNS = ("id", "start", "end")
_SLACK = 0.01
"""How far, in shares, the sides of a placebo may differ from those of its box; and in seconds, times from the end."""


class Stretch(NamedTuple):
    """A stretch of a critical window, in seconds, with its box and its placebo as shares of the picture, or none."""

    place: str
    start: float
    end: float
    box: Region | None
    placebo: Region | None


def stretches_of(path: Path) -> dict[str, list[Stretch]]:
    """The stretches of each clip by its id, in the order of their beginnings.

    Raises `InputError`, which names the row, for a stretch that ends before it begins, a box that is none, a placebo of
    another size or that meets its box, two boxes at one time, and a clip of which some boxes have a placebo and others
    have none.
    """
    made: dict[str, list[Stretch]] = {}
    for row in read_rows(path, COLUMNS, (*BOX, *PLACEBO)):
        name = row.cells["id"]
        if not name:
            raise InputError(f"{row.place}: the id is empty")
        made.setdefault(name, []).append(_stretch(row))
    for rows in made.values():
        rows.sort(key=lambda each: each.start)
        _require_apart(rows)
    return made


def with_windows(stimulus: Stimulus, rows: Sequence[Stretch]) -> Mapping[str, Json]:
    """The changes of a clip's truth: its window, from the first beginning to the last end, and its boxes.

    Boxes hold for each quarter of a second within their stretch, or for the one nearest to it. Where no placebo is
    stated, it is the box mirrored in the picture. Raises `InputError` for a stretch beyond the clip.
    """
    duration = duration_of(stimulus)
    for row in rows:
        if row.end > duration + _SLACK:
            raise InputError(f"{row.place}: {row.start:g} to {row.end:g} s is beyond the clip of {duration:g} s")
    window = [rows[0].start, min(max(row.end for row in rows), duration)]
    boxed = [row for row in rows if row.box is not None]
    if not boxed:
        return {"window": window}
    critical = [(time, row.box) for row in boxed for time in _times(row, duration) if row.box]
    stated = [(time, row.placebo) for row in boxed for time in _times(row, duration) if row.placebo]
    placebo = stated or mirrored(critical)
    medium = stimulus.media[0]
    return {
        "window": window,
        "critical": [list(each) for each in in_pixels(critical, medium.width, medium.height)],
        "placebo": [list(each) for each in in_pixels(placebo, medium.width, medium.height)],
        "placebo_is": STATED if stated else MIRRORED if placebo else None,
    }


def _times(row: Stretch, duration: float) -> list[float]:
    every = list(quarters(Fraction(duration)))
    inside = [time for time in every if row.start <= time < row.end]
    return inside or [min(every, key=lambda time: abs(time - (row.start + row.end) / 2))]


def _stretch(row: Row) -> Stretch:
    start, end = number(row, "start"), number(row, "end")
    if not 0 <= start < end:
        raise InputError(f"{row.place}: {start:g} to {end:g} s: a start from 0 on and a later end are needed")
    box, placebo = _region(row, BOX), _region(row, PLACEBO)
    if placebo is not None:
        _require_placebo(row, box, placebo)
    return Stretch(row.place, start, end, box, placebo)


def _region(row: Row, columns: Sequence[str]) -> Region | None:
    filled = [column for column in columns if row.cells[column]]
    if not filled:
        return None
    if len(filled) < len(columns):
        missing = next(column for column in columns if not row.cells[column])
        raise InputError(f"{row.place}: '{missing}' is empty: all of {', '.join(columns)} are needed, or none")
    x0, y0, x1, y1 = (number(row, column) for column in columns)
    if not (0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1):
        shown = ", ".join(f"{each:g}" for each in (x0, y0, x1, y1))
        raise InputError(f"{row.place}: box {shown}: shares of width and height from 0 to 1 are needed")
    return x0, y0, x1, y1


def _require_placebo(row: Row, box: Region | None, placebo: Region) -> None:
    if box is None:
        raise InputError(f"{row.place}: a placebo needs a box")
    sizes = [(each[2] - each[0], each[3] - each[1]) for each in (box, placebo)]
    if any(abs(one - two) > _SLACK for one, two in zip(*sizes, strict=True)):
        raise InputError(f"{row.place}: the placebo has another size than the box")
    if max(box[0], placebo[0]) < min(box[2], placebo[2]) and max(box[1], placebo[1]) < min(box[3], placebo[3]):
        raise InputError(f"{row.place}: the placebo meets the box")


def _require_apart(rows: Sequence[Stretch]) -> None:
    boxed = [row for row in rows if row.box is not None]
    for one, two in combinations(boxed, 2):
        if two.start < one.end - 1e-9:
            raise InputError(f"{two.place}: it overlaps {one.place.rpartition(', ')[2]}, which has a box as well")
    if len({row.placebo is None for row in boxed}) > 1:
        lacking = next(row for row in boxed if row.placebo is None)
        raise InputError(f"{lacking.place}: it has no placebo, but another box of the clip has one")
