"""VIA-Bench's published items on a user's disk: one or several tables, with pictures inside or beside them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from veridical.base.places import in_order
from veridical.errors import InputError
from veridical.records import Json, Stimulus
from veridical.stimulus_set.imported import Embedded, Import, Item, LeftOut, bytes_of
from veridical.suites.viabench.design import DESIGN
from veridical.suites.viabench.releases.pictures import Places, pictures_of
from veridical.suites.viabench.releases.rows import (
    BROKEN,
    CONTRADICTED,
    RELEASE,
    REPEATED,
    SAME_INDEX,
    Row,
    UnusableError,
    family_of,
    index_of,
    row_of,
)
from veridical.suites.viabench.releases.tables import FORMS, Record, records

NAME = "viabench"
ABOUT: dict[str, Json] = {
    "source": "the published items of VIA-Bench, from a copy on disk",
    "license": "not stated",
    "attribution": "the authors of VIA-Bench",
    "may_be_passed_on": None,
}


def read_viabench(place: Path) -> Import:
    """The items of a release: a table, or a folder with tables of one form.

    An item that cannot be used is left out with the reason. Raises `InputError` where no table is found or one cannot
    be read, and for a path of a picture that leaves the folder.
    """
    root, tables = _tables(place)
    kept, left_out = _kept(root, [record for table in tables for record in records(table)])
    return Import(
        name=NAME,
        title="VIA-Bench, the published items",
        suite=NAME,
        items=[_item(row, files, number) for number, (row, files) in enumerate(kept, start=1)],
        about=ABOUT,
        facts={"tables": [table.name for table in tables]},
        left_out=left_out,
        published=DESIGN.published,
        factors=DESIGN.factors,
        kinds=("image",),
    )


def _tables(place: Path) -> tuple[Path, Sequence[Path]]:
    """The folder of a release, and its tables in order."""
    if not place.is_dir():
        if place.suffix.lower() not in FORMS:
            raise InputError(f"{place}: a table ends in {', '.join(FORMS)}")
        return place.parent, [place]
    inside = [path for folder in (place, place / "data") if folder.is_dir() for path in in_order(folder.iterdir())]
    tables = [path for path in inside if path.suffix.lower() in FORMS and path.is_file() and path.name[0] != "."]
    forms = {FORMS[path.suffix.lower()] for path in tables}
    if len(forms) > 1:
        raise InputError(f"{place} holds tables in {' and '.join(sorted(forms))}: name the one that is to be read")
    if not tables:
        raise InputError(f"{place} holds no table ({', '.join(FORMS)}), nor does a folder 'data' in it")
    return place, tables


def _kept(root: Path, records: Sequence[Record]) -> tuple[list[tuple[Row, tuple[Path | Embedded, ...]]], list[LeftOut]]:
    """The items that can be used, with their pictures, and the others with the reason."""
    selection = _Selection(root, records)
    kept, left_out = [], []
    for number, record in enumerate(records, start=1):
        try:
            kept.append(selection.item(record, number))
        except UnusableError as error:
            left_out.append(LeftOut(record.place, error.reason, error.detail))
    return kept, left_out


class _Selection:
    """What stands in a release so far: indices, and pictures with what was asked about them."""

    def __init__(self, root: Path, records: Sequence[Record]) -> None:
        self._places = Places(root, _by_index(records))
        self._indices: dict[str, str] = {}
        self._asked: dict[tuple[str, ...], Row] = {}

    def item(self, record: Record, number: int) -> tuple[Row, tuple[Path | Embedded, ...]]:
        """The row of a record with its pictures; raises `UnusableError` for one that cannot be used or is repeated."""
        index = index_of(record, number)
        if index in self._indices:
            raise UnusableError(SAME_INDEX, f"{record.place}: the index '{index}' is that of {self._indices[index]}")
        self._indices[index] = record.place
        row = row_of(record, index)
        files = pictures_of(record, self._places)
        key = (row.question, *(_digest(file) for file in files))
        first = self._asked.setdefault(key, row)
        if first is not row:
            reason = REPEATED if first.label == row.label else CONTRADICTED
            raise UnusableError(reason, f"{record.place}: the same picture and question as in {first.place}")
        return row, files


def _by_index(records: Sequence[Record]) -> dict[str, Record]:
    by_index: dict[str, Record] = {}
    for number, record in enumerate(records, start=1):
        with suppress(UnusableError):
            by_index.setdefault(index_of(record, number), record)
    return by_index


def _digest(file: Path | Embedded) -> str:
    try:
        return sha256(bytes_of(file)).hexdigest()
    except InputError as error:
        raise UnusableError(BROKEN, str(error)) from error


def _item(row: Row, files: Sequence[Path | Embedded], number: int) -> Item:
    family = family_of(row.category)
    unit = f"{family}/{row.index}"
    record = Stimulus(
        id=f"{unit}/unusual",
        suite=NAME,
        family=family,
        unit=unit,
        variant="unusual",
        category=row.category,
        question=row.question,
        label=row.label,
        seed=0,
        factors={
            "capability": row.capability,
            "difficulty": None,
            "polarity": None,
            "usual": None,
            "live_options": len(row.live),
            "provable": False,
            "taken_from": RELEASE,
        },
        truth={
            "imported": NAME,
            "index": row.index,
            "answer": row.label,
            "answers": list(row.live),
            "options": list(row.options),
        },
    )
    # Content of a table never becomes a path.
    places = tuple(f"media/release/{number:05d}{f'-{k}' if len(files) > 1 else ''}" for k in range(1, len(files) + 1))
    return Item(record=record, files=tuple(files), places=places, rights=row.rights)
