"""VI-Probe's published pictures on a user's disk: a folder per class, with its table and its pictures.

A class folder `5_NameOfClass` holds a folder per picture type. Its table, inside it or beside it under the name
`NameOfClass_generation_metadata`, has one row per picture with the columns class_name, type, base_scale, strength,
image_path and prompt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from veridical.base.path_checks import sort_paths
from veridical.errors import InputError, unknown
from veridical.records import Json, Stimulus
from veridical.stimulus_set.imports import Import, ImportItem
from veridical.stimulus_set.imports.item import file_inside
from veridical.stimulus_set.imports.sheets import SUFFIXES, SheetRow, number, read_rows
from veridical.suites.viprobe.design import DESIGN
from veridical.suites.viprobe.illusions.verify import measure_imported
from veridical.suites.viprobe.releases.published_cases import CASES, TYPES, PublishedCase

COLUMNS = ("class_name", "type", "base_scale", "strength", "image_path", "prompt")
ABOUT: dict[str, Json] = {
    "source": "the published pictures of VI-Probe, from a copy on disk",
    "license": "CC-BY-4.0",
    "attribution": "Sun et al. 2026, arXiv:2601.22150",
    "may_be_passed_on": True,
}
STRENGTHS = (0.5, 1.5)


class _Class(NamedTuple):
    folder: Path
    table: Path
    case: PublishedCase


def read_viprobe(folder: Path) -> Import:
    """The pictures in the tables of a release, or of one of its class folders, ordered by case and base scale.

    Labels follow from the picture type; the question is the first line of the published prompt. Pictures in a table but
    not on disk are listed under `missing`, files on disk but in no table under `extra`. Raises `InputError` for a
    folder without a class and for a table unlike the release's.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder: the folder of the release is needed")
    classes = list(_classes(folder))
    if not classes:
        raise InputError(f"{folder} holds no class of VI-Probe: folders such as 1_..., each with its table, are needed")
    missing: list[str] = []
    mine = {path for each in classes for path in (each.folder, each.table)}
    extra = [] if folder in mine else _not_named(folder, folder.iterdir(), mine)
    items: list[ImportItem] = []
    for each in sorted(classes, key=lambda entry: entry.case.number):
        rows = read_rows(each.table, COLUMNS)
        files = {row.cells["image_path"]: file_inside(each.folder, row.cells["image_path"]) for row in rows}
        named = {path for path in files.values() if path} | {each.table.resolve()}
        missing += [f"{each.folder.name}/{name}" for name, path in files.items() if path is None]
        own = (path for path in each.folder.rglob("*") if path.is_file())
        extra += [f"{each.folder.name}/{name}" for name in _not_named(each.folder, own, named)]
        items += _items(each.case, rows, files)
    if not items:
        raise InputError(f"{folder}: none of the {len(missing):,} pictures in the tables exists")
    return Import(
        name="viprobe",
        title="VI-Probe, the published pictures",
        suite="viprobe",
        items=items,
        about=ABOUT,
        facts={"missing": missing, "extra": extra},
        factors=DESIGN.factors,
        kinds=("image",),
        measure=measure_imported,
    )


def _classes(folder: Path) -> Iterator[_Class]:
    """The class folders in a folder, or the folder itself if it is one."""
    seen: dict[str, Path] = {}
    for place in [folder] if _case_of(folder.resolve().name) else sort_paths(folder.iterdir()):
        case = _case_of(place.resolve().name) if place.is_dir() else None
        if case is None:
            continue
        table = _table(place)
        if table is None:
            raise InputError(f"{place} holds no table ({', '.join(SUFFIXES)}): each class of the release has one")
        if case.name in seen:
            raise InputError(f"{seen[case.name]} and {place} are of one case: one folder for each is needed")
        seen[case.name] = place
        yield _Class(place, table, case)


def _case_of(name: str) -> PublishedCase | None:
    match = re.match(r"(\d{1,2})[_-]", name)
    return CASES.get(int(match[1])) if match else None


def _table(folder: Path) -> Path | None:
    """The table of a class folder."""
    stem = f"{folder.resolve().name.partition('_')[2]}_generation_metadata"
    beside = [folder.resolve().parent / f"{stem}{suffix}" for suffix in SUFFIXES]
    tables = [path for path in sorted(folder.iterdir()) if path.suffix.lower() in SUFFIXES and path.is_file()]
    tables = tables or [path for path in beside if path.is_file()]
    if len(tables) > 1:
        raise InputError(f"{folder} holds {len(tables)} tables ({', '.join(p.name for p in tables)}): one is needed")
    return tables[0] if tables else None


def _not_named(folder: Path, paths: Iterable[Path], named: set[Path]) -> list[str]:
    """Paths in a folder that are neither hidden nor among those that are named, in order."""
    places = {path.resolve() for path in named}
    others = (path for path in paths if not path.name.startswith(".") and path.resolve() not in places)
    return sorted(path.relative_to(folder).as_posix() for path in others)


def _items(case: PublishedCase, rows: list[SheetRow], files: dict[str, Path | None]) -> list[ImportItem]:
    first: dict[str, str] = {}
    items = []
    for row in rows:
        record = _record(case, row)
        if first.setdefault(record.id, row.place) != row.place:
            raise InputError(f"{row.place}: the same picture type, base scale and strength as in {first[record.id]}")
        file = files[row.cells["image_path"]]
        if file is not None:
            items.append(ImportItem(record=record, files=(file,), places=(f"media/{record.id}",)))
    return sorted(items, key=lambda item: item.record.unit)


def _record(case: PublishedCase, row: SheetRow) -> Stimulus:
    kind = row.cells["type"]
    if kind not in TYPES:
        raise InputError(f"{row.place}: {unknown('type', kind, TYPES)}")
    variant, base_scale, strength = TYPES[kind], number(row, "base_scale"), number(row, "strength")
    if not STRENGTHS[0] <= strength <= STRENGTHS[1]:
        raise InputError(f"{row.place}: strength {strength:g}: {STRENGTHS[0]} to {STRENGTHS[1]} are published")
    if variant.startswith("P") == (strength == 1):
        wanted = "1" if strength != 1 else "any but 1"
        raise InputError(f"{row.place}: strength {strength:g} of type {kind}: {wanted} is needed")
    question = row.cells["prompt"].split("\n")[0].strip()
    if not question:
        raise InputError(f"{row.place}: the prompt is empty")
    alpha = case.alpha(variant, strength)
    unit = f"{case.name}/{base_scale:.2f}"
    name = f"{unit}/{variant}{f'{alpha:+.2f}' if alpha else ''}"
    return Stimulus(
        id=name,
        suite="viprobe",
        family=case.name,
        unit=unit,
        variant=variant,
        category=case.category,
        question=question,
        label=case.label(variant),
        seed=0,
        factors={
            "base_scale": base_scale,
            "strength": strength,
            "alpha": alpha,
            "congruent": alpha > 0 if alpha and case.sign else None,
            "side": case.side,
        },
        truth={
            "imported": "viprobe",
            "measurable": case.shows_targets(variant),
            "question_reversed": case.question_reversed,
            "value": None,
            "unit": None,
            "answer_if_unchanged": case.label("O"),
            "comparison": None,
            "state": case.state,
            "measurand": case.measurand,
            "doubts": list(case.doubts(variant, strength)),
        },
    )
