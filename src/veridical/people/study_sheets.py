"""The votes of a study in files: the table that readers of filled-in sheets take, with its key, and the audit trail."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical.base.files import os_errors, write_whole
from veridical.base.format import visible
from veridical.errors import InputError
from veridical.judges.sampling import key_of
from veridical.people.resolution import valid_votes
from veridical.records import canonical
from veridical.report.table_files import inert

if TYPE_CHECKING:
    from veridical.people.study import Study

SHEET, AUDIT = "sheet.csv", "audit.jsonl"


def tables_of(places: Sequence[Path], task: str, database: str | None = None) -> list[Path]:
    """Tables as they are; of a study, the votes of its task as `sheet.csv` in its folder, written anew with its key.

    `database` is the address of the study's votes where they are in no file of its own. Raises `InputError` where it
    is stated with no study or several, for a study of another task than `task`, and for one without an answer.
    """
    studies = sum(place.is_dir() for place in places)
    if database is not None and studies != 1:
        advice = f"; of another, name its {SHEET}" if studies else ""
        raise InputError(f"--database: it is that of one study, and {studies} are named{advice}")
    return [_table_of(place, task, database) if place.is_dir() else place for place in places]


def _table_of(place: Path, task: str, database: str | None) -> Path:
    from veridical.base.requirements import extra_needed

    with extra_needed("people", "a study"):
        from veridical.people.study import open_study
    study = open_study(place, database)
    if study.design.task != task:
        raise InputError(f"{place} is a study of the task '{study.design.task}': one of the task '{task}' is needed")
    sheet = study.task.sheet
    assert sheet is not None, f"the task '{task}' has rows for a table"
    try:
        rows = sheet(valid_votes(study.votes()))
    finally:
        study.store.close()
    if not rows:
        raise InputError(f"{place}: nobody has answered yet")
    return write_rows(place / SHEET, rows)


def write_rows(out: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Writes rows as CSV and, where they name an `item`, the first row of each as the key beside it; returns `out`.

    No cell is taken for a formula by a spreadsheet, and hidden characters are spelled out. Raises `InputError` where
    they cannot be written.
    """
    with os_errors(out, "written"):
        write_whole(out, csv_bytes(list(rows[0]), rows))
        if "item" in rows[0]:
            first = {str(row["item"]): row for row in reversed(rows)}
            write_whole(key_of(out), csv_bytes(list(rows[0]), [first[item] for item in sorted(first)]))
    return out


def csv_bytes(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> bytes:
    """These columns of the rows as CSV, in a form that no spreadsheet takes for formulas."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([_cell(row.get(name, "")) for name in columns] for row in rows)
    return text.getvalue().encode(errors="backslashreplace")


def _cell(value: object) -> object:
    return inert(visible(value)) if isinstance(value, str) else "" if value is None else value


def write_audit(study: Study) -> Path:
    """Writes every vote that a study ever stored as `audit.jsonl` in its folder, and returns its path.

    A line says who, what, when, the answer, and what stood there before (see `Study.audit`).
    """
    place = study.folder / AUDIT
    with os_errors(place, "written"):
        return write_whole(place, "".join(f"{canonical(line)}\n" for line in study.audit()).encode())
