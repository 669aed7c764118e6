"""VIA-Bench's published items on a user's disk: one or several tables, with pictures inside or beside them.

A picture stands in its table as bytes, base64, a path, or the index of another record.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from veridical.errors import InputError
from veridical.media.pictures import LARGEST_FILE, too_large
from veridical.records import Json, Stimulus
from veridical.stimulus_set.imports import EmbeddedFile, Import, ImportItem, bytes_of
from veridical.stimulus_set.imports.write_import import NOT_OPENED
from veridical.suite.releases import SHOWN, UnusableItemError, errors_as, file_in, index_of, tables_in, use_each
from veridical.suites.viabench.design import DESIGN
from veridical.suites.viabench.releases.rows import RELEASE, ReleaseQuestion, question_of
from veridical.suites.viabench.releases.tables import FORMS, ItemRecord, records

NAME = "viabench"
ABOUT: dict[str, Json] = {
    "source": "the published items of VIA-Bench, from a copy on disk",
    "license": "not stated",
    "attribution": "the authors of VIA-Bench",
    "may_be_passed_on": None,
}
MISSING = "a missing picture"
_PATH = re.compile(r"\.(png|jpe?g|webp|gif|bmp|tiff?|avif|heic)$", re.IGNORECASE)
Files = tuple[Path | EmbeddedFile, ...]


def read_viabench(place: Path) -> Import:
    """The items of a release: a table, or a folder with tables of one form.

    An item that cannot be used is left out with the reason. Raises `InputError` where no table is found or one cannot
    be read, and for a path of a picture that leaves the folder.
    """
    root, tables = tables_in(place, FORMS, ("", "data"))
    forms = {FORMS[path.suffix.lower()] for path in tables}
    if len(forms) > 1:
        raise InputError(f"{place} holds tables in {' and '.join(sorted(forms))}: name the one that is to be read")
    if not tables:
        raise InputError(f"{place} holds no table ({', '.join(FORMS)}), nor does a folder 'data' in it")
    listed = [record for table in tables for record in records(table)]
    selection = _Selection(root, listed)
    kept, left_out = use_each(((each.place, (each, k)) for k, each in enumerate(listed, start=1)), selection.item)
    return Import(
        name=NAME,
        title="VIA-Bench, the published items",
        suite=NAME,
        items=[_item(question, files, number) for number, (question, files) in enumerate(kept, start=1)],
        about=ABOUT,
        facts={"tables": [table.name for table in tables]},
        left_out=left_out,
        published=DESIGN.published,
        factors=DESIGN.factors,
        kinds=("image",),
    )


class _Selection:
    """What stands in a release so far: indices, and pictures with what was asked about them."""

    def __init__(self, root: Path, records: Sequence[ItemRecord]) -> None:
        self._root = root
        self._indices: dict[str, str] = {}
        self._asked: dict[tuple[str, ...], ReleaseQuestion] = {}
        self._by_index: dict[str, ItemRecord] = {}
        for number, record in enumerate(records, start=1):
            with suppress(UnusableItemError):
                self._by_index.setdefault(index_of(record.cells, number), record)

    def item(self, numbered: tuple[ItemRecord, int]) -> tuple[ReleaseQuestion, Files]:
        """The question of a record with its pictures; `UnusableItemError` for one of no use or that is repeated."""
        record, number = numbered
        index = index_of(record.cells, number)
        if index in self._indices:
            raise UnusableItemError(
                "an index that is repeated", f"the index '{index}' is that of {self._indices[index]}"
            )
        self._indices[index] = record.place
        question = question_of(record, index)
        files = self._pictures(record)
        with errors_as(NOT_OPENED):
            key = (question.text, *(sha256(bytes_of(file)).hexdigest() for file in files))
        first = self._asked.setdefault(key, question)
        if first is not question:
            alike = "about the same picture" if first.label == question.label else "with another answer"
            raise UnusableItemError(
                f"a repeated question {alike}", f"the same picture and question as in {first.place}"
            )
        return question, files

    def _pictures(self, record: ItemRecord) -> Files:
        """The pictures of a record, in order; text that is the index of another record stands for that one's."""
        cell = record.pictures
        parts = cell() or ()
        if len(parts) == 1 and isinstance(parts[0], str) and parts[0].strip() in self._by_index:
            cell = self._by_index[parts[0].strip()].pictures
            parts = cell() or ()
        if not parts:
            raise UnusableItemError(MISSING, "it has no picture")
        return tuple(self._picture(cell, k, f"the picture of {record.place}") for k in range(len(parts)))

    def _picture(self, cell: Callable[[], Sequence[Json] | None], k: int, name: str) -> Path | EmbeddedFile:
        def content() -> bytes:
            return _content((cell() or ())[k], name)

        value = (cell() or ())[k]
        path = value.get("path") if isinstance(value, dict) and not value.get("bytes") else value
        if isinstance(path, str) and (isinstance(value, dict) or _PATH.search(path)):
            file = file_in(self._root, (path, f"images/{path}"))
            if file is None:
                raise UnusableItemError(MISSING, f"there is no file '{path[:SHOWN]}'")
            return file
        content()
        return EmbeddedFile(name, content)


def _content(value: Json, name: str) -> bytes:
    """The bytes in a cell; raises `UnusableItemError` where it holds none."""
    if isinstance(value, dict):
        value = value.get("bytes")
    if isinstance(value, str):
        text = "".join(value.partition("base64,")[2].split() if value.startswith("data:") else value.split())
        if len(text) > LARGEST_FILE // 3 * 4 + 4:
            raise UnusableItemError(NOT_OPENED, str(too_large(name)))
        try:
            return base64.b64decode(text, validate=True)
        except ValueError:
            raise UnusableItemError(NOT_OPENED, f"{name} is neither base64 nor a path") from None
    if isinstance(value, bytes):
        return value
    raise UnusableItemError(NOT_OPENED, f"{name} is neither bytes, nor base64, nor a path")


def _item(question: ReleaseQuestion, files: Files, number: int) -> ImportItem:
    family = f"{RELEASE}-{question.category}"
    unit = f"{family}/{question.index}"
    record = Stimulus(
        id=f"{unit}/unusual",
        suite=NAME,
        family=family,
        unit=unit,
        variant="unusual",
        category=question.category,
        question=question.text,
        label=question.label,
        seed=0,
        factors={
            "capability": question.capability,
            **dict.fromkeys(("difficulty", "polarity", "usual", "name_written")),
            "live_options": len(question.live),
            "provable": False,
            "taken_from": RELEASE,
        },
        truth={
            "imported": NAME,
            "index": question.index,
            "answer": question.label,
            "answers": list(question.live),
            "options": list(question.options),
        },
    )
    # Content of a table never becomes a path.
    places = tuple(f"media/release/{number:05d}{f'-{k}' if len(files) > 1 else ''}" for k in range(1, len(files) + 1))
    return ImportItem(record=record, files=files, places=places, rights=question.rights)
