"""A set of real clips with what was added to it: constraints, words, types, and critical windows with boxes.

Windows stand in a table: what happens in secret, when and where.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from veridical.errors import InputError
from veridical.records import Json, Stimulus
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.imports import Import, write_import
from veridical.stimulus_set.imports.sheets import SheetRow, number, read_rows
from veridical.suite.releases import SHOWN, error_place, item_of, text_of
from veridical.suites.magicbench.asking.trials import duration_of
from veridical.suites.magicbench.make import DESIGN
from veridical.suites.magicbench.releases.atoms import atoms_of
from veridical.suites.magicbench.releases.release import ABOUT, MIRRORED, STATED
from veridical.suites.magicbench.releases.rows import json_in, letter_of, patter_of, speech_of
from veridical.suites.magicbench.releases.timeline import Region, meet, mirror_images, pixel_boxes, quarters
from veridical.suites.magicbench.stimuli import NAME, OWN, REAL

Change = Callable[[Stimulus], Stimulus]
_BOX = ("left", "top", "right", "bottom")
_PLACEBO = tuple(f"placebo_{side}" for side in _BOX)
_SLACK = 0.01
"""How far, in shares, the sides of a placebo may differ from those of its box; and in seconds, times from the end."""


class Additions(NamedTuple):
    """Files to add: windows as a table, and constraints, words and types as JSON objects by the id of a clip."""

    windows: Path | None = None
    pcs: Path | None = None
    words: Path | None = None
    types: Path | None = None


def with_additions(whole: StimulusSet, what: Additions, out: Path) -> StimulusSet:
    """The set in the folder `out`: the clips of a set with the additions to them, media copied byte for byte.

    Clips that a file does not name stay as they are. Raises `InputError` for a set without real clips, where nothing is
    added, for a file that names another clip, and for what cannot be read.
    """
    real = [each for each in whole.stimuli if each.suite == NAME and each.variant == REAL]
    if not real:
        raise InputError(f"{whole.folder} has no real clips of {NAME}: `veridical import {NAME}` makes such a set")
    names = {name: each.id for each in real for name in (each.id, each.unit, str(each.truth.get("index", each.id)))}
    stimuli = {each.id: each for each in whole.stimuli}
    counts: dict[str, int] = {}
    for key, path in what._asdict().items():
        changes = {} if path is None else _windows(path) if key == "windows" else _by_clip(path, _CHANGES[key])
        for name, change in changes.items():
            if name not in names:
                raise InputError(f"{path}: '{name[:SHOWN]}' is no real clip of {whole.folder}")
            stimuli[names[name]] = change(stimuli[names[name]])
            counts[key] = counts.get(key, 0) + 1
    if not counts:
        raise InputError("nothing is added: name a file of windows, constraints, words or types that has a clip")
    before: Mapping[str, Json] = whole.manifest.get("import") or {}
    made = Import(
        name="add",
        title="MagicBench, released clips with additions",
        suite=NAME,
        items=[item_of(whole, each) for each in stimuli.values()],
        about={key: whole.manifest.get(key, usual) for key, usual in ABOUT.items()},
        facts={
            "added": counts,
            "to": whole.digest,
            # The comparison with a paper is made anew.
            "before": {key: value for key, value in before.items() if key != "published"},
        },
        published=DESIGN.published,
        factors=DESIGN.factors,
        kinds=("video",),
    )
    return write_import(made, out)


def _with(stimulus: Stimulus, truth: Mapping[str, Json], **factors: Json) -> Stimulus:
    return replace(stimulus, truth={**stimulus.truth, **truth}, factors={**stimulus.factors, **factors})


def _constraints(value: Json) -> Change:
    atoms = atoms_of(value.get("atoms") if isinstance(value, dict) else value)
    return lambda stimulus: _with(stimulus, {"pcs": [dict(atom) for atom in atoms]})


def _words(value: Json) -> Change:
    stated = value if isinstance(value, dict) else {"timeline": value}
    speech = speech_of(stated.get("timeline"))
    whole = text_of(stated.get("text"), "text") or " ".join(words for _, _, words in speech)

    def change(stimulus: Stimulus) -> Stimulus:
        own = patter_of(whole, speech, duration_of(stimulus))
        return _with(stimulus, {"patter": {**stimulus.truth["patter"], OWN: own}})

    return change


def _type(value: Json) -> Change:
    letter = letter_of(value)
    return lambda stimulus: _with(stimulus, {}, linguistic_type=letter)


_CHANGES: Mapping[str, Callable[[Json], Change]] = {"pcs": _constraints, "words": _words, "types": _type}


def _by_clip(path: Path, change_of: Callable[[Json], Change]) -> dict[str, Change]:
    """The change that a JSON file makes of each clip; an error names the file and the clip."""

    def change(name: str, value: Json) -> Change:
        place = f"{path}, {json.dumps(name[:SHOWN], ensure_ascii=False)}"

        def changed(stimulus: Stimulus) -> Stimulus:
            with error_place(place):
                return own(stimulus)

        with error_place(place):
            own = change_of(value)
        return changed

    return {name: change(name, value) for name, value in clip_objects(path).items()}


def clip_objects(path: Path) -> dict[str, Json]:
    """What a JSON file has for each clip: an object by id, which may be the value of its key `clips`."""
    content = json_in(path)
    if isinstance(content, dict) and isinstance(content.get("clips"), dict):
        content = content["clips"]
    if not isinstance(content, dict) or not content:
        raise InputError(f"{path}: an object with a value for the id of each clip is needed")
    return content


class WindowStretch(NamedTuple):
    """A stretch of a critical window, in seconds, with its box and its placebo as shares of the picture, or none."""

    place: str
    start: float
    end: float
    box: Region | None
    placebo: Region | None


def _stretches(path: Path) -> dict[str, list[WindowStretch]]:
    """The stretches of each clip by its id, in the order of their beginnings.

    Raises `InputError`, which names the row, for a stretch that ends before it begins, a box that is none, a placebo of
    another size or that meets its box, two boxes at one time, and a clip of which some boxes have a placebo and others
    have none.
    """
    made: dict[str, list[WindowStretch]] = {}
    for row in read_rows(path, ("id", "start", "end"), (*_BOX, *_PLACEBO)):
        name = row.cells["id"]
        if not name:
            raise InputError(f"{row.place}: the id is empty")
        made.setdefault(name, []).append(_stretch(row))
    for rows in made.values():
        rows.sort(key=lambda each: each.start)
        _require_apart(rows)
    return made


def _windows(path: Path) -> dict[str, Change]:
    def change(rows: Sequence[WindowStretch]) -> Change:
        def changed(stimulus: Stimulus) -> Stimulus:
            truth = _window_truth(stimulus, rows)
            start, end = truth["window"]
            return _with(stimulus, truth, window_length=round(end - start, 3))

        return changed

    return {name: change(rows) for name, rows in _stretches(path).items()}


def _window_truth(stimulus: Stimulus, rows: Sequence[WindowStretch]) -> Mapping[str, Json]:
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
    placebo = stated or mirror_images(critical)
    medium = stimulus.media[0]
    return {
        "window": window,
        "critical": [list(each) for each in pixel_boxes(critical, medium.width, medium.height)],
        "placebo": [list(each) for each in pixel_boxes(placebo, medium.width, medium.height)],
        "placebo_is": STATED if stated else MIRRORED if placebo else None,
    }


def _times(row: WindowStretch, duration: float) -> list[float]:
    every = list(quarters(Fraction(duration)))
    inside = [time for time in every if row.start <= time < row.end]
    return inside or [min(every, key=lambda time: abs(time - (row.start + row.end) / 2))]


def _stretch(row: SheetRow) -> WindowStretch:
    start, end = number(row, "start"), number(row, "end")
    if not 0 <= start < end:
        raise InputError(f"{row.place}: {start:g} to {end:g} s: a start from 0 on and a later end are needed")
    box, placebo = _region(row, _BOX), _region(row, _PLACEBO)
    if placebo is not None:
        _require_placebo(row, box, placebo)
    return WindowStretch(row.place, start, end, box, placebo)


def _region(row: SheetRow, columns: Sequence[str]) -> Region | None:
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


def _require_placebo(row: SheetRow, box: Region | None, placebo: Region) -> None:
    if box is None:
        raise InputError(f"{row.place}: a placebo needs a box")
    sizes = [(each[2] - each[0], each[3] - each[1]) for each in (box, placebo)]
    if any(abs(one - two) > _SLACK for one, two in zip(*sizes, strict=True)):
        raise InputError(f"{row.place}: the placebo has another size than the box")
    if meet(box, placebo):
        raise InputError(f"{row.place}: the placebo meets the box")


def _require_apart(rows: Sequence[WindowStretch]) -> None:
    boxed = [row for row in rows if row.box is not None]
    for one, two in combinations(boxed, 2):
        if two.start < one.end - 1e-9:
            raise InputError(f"{two.place}: it overlaps {one.place.rpartition(', ')[2]}, which has a box as well")
    if len({row.placebo is None for row in boxed}) > 1:
        lacking = next(row for row in boxed if row.placebo is None)
        raise InputError(f"{lacking.place}: it has no placebo, but another box of the clip has one")
