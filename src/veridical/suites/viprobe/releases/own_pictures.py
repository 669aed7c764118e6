"""A user's own pictures: charts, interfaces, scans, or anything else, in an original and a changed state.

A table has a row per unit: `unit`, the pictures `original`, `changed`, `control` and `control_changed` (the last three
may be empty), the questions `forward` and `reversed`, and `label`, the true answer to the forward question about the
original. Optional columns: `case` and `category`, which group the results; `alpha`, the signed strength of the change
(default: 1 for all); `state` and `measurand`, the words that instructions need.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from veridical.errors import InputError
from veridical.records import Json, Stimulus
from veridical.stimulus_set.imports import Import, ImportItem
from veridical.stimulus_set.imports.item import file_inside
from veridical.stimulus_set.imports.sheets import SheetRow, number, read_rows
from veridical.suite.releases import error_place, name_of
from veridical.suites.viprobe.design import DESIGN

REQUIRED = ("unit", "original", "forward", "reversed", "label")
OPTIONAL = ("changed", "control", "control_changed", "case", "category", "alpha", "state", "measurand")
VARIANTS = {"original": "O", "changed": "P", "control": "OC", "control_changed": "PC"}
ABOUT: dict[str, Json] = {
    "source": "pictures of the user's own",
    "license": "not stated",
    "attribution": "not stated",
    "may_be_passed_on": None,
}
_ANSWERS = {"1": "1", "yes": "1", "true": "1", "0": "0", "no": "0", "false": "0"}


def read_pictures(table: Path) -> Import:
    """The pictures of a table, by paths relative to its folder; a changed picture has the opposite answer.

    `label` is used as given, and nothing is measured. Raises `InputError` for a missing column or picture, a path
    outside the folder, a label that is neither yes nor no, and duplicate units.
    """
    rows = read_rows(table, REQUIRED, OPTIONAL)
    seen: dict[tuple[str, str], str] = {}
    items: list[ImportItem] = []
    graded = any(row.cells["alpha"] for row in rows)
    for index, row in enumerate(rows, start=1):
        alpha = _alpha(row) if graded else 1.0
        with error_place(row.place):
            key = _name(row, "case"), _name(row, "unit")
            first = seen.setdefault(key, row.place)
            if first != row.place:
                raise InputError(f"the unit '{key[1]}' of case '{key[0]}' is in {first} already")
            items += _items(table.parent, row, index, key, alpha)
    return Import(
        name="pictures",
        title="Pictures of the user's own",
        suite="viprobe",
        items=items,
        about=ABOUT,
        factors=DESIGN.factors,
        kinds=("image",),
    )


def _name(row: SheetRow, column: str) -> str:
    return name_of(row.cells[column] or ("" if column == "unit" else "pictures"), column)


def _items(folder: Path, row: SheetRow, index: int, key: tuple[str, str], alpha: float) -> Iterator[ImportItem]:
    case, unit = key
    label = _ANSWERS.get(row.cells["label"].lower())
    if label is None:
        raise InputError(f"label '{row.cells['label']}': yes, no, 1 or 0 is needed")
    for column in ("original", "forward", "reversed"):
        if not row.cells[column]:
            raise InputError(f"{column} is empty")
    for column, variant in VARIANTS.items():
        name = row.cells[column]
        if not name:
            continue
        with error_place(column):
            file = file_inside(folder, name)
            if file is None:
                raise InputError(f"there is no file '{name}' in {folder}")
        changed = variant.startswith("P")
        record = Stimulus(
            id=f"{case}/{unit}/{variant}",
            suite="viprobe",
            family=case,
            unit=f"{case}/{unit}",
            variant=variant,
            category=_name(row, "category"),
            question=row.cells["forward"],
            label=str(int((label == "1") != changed)),
            seed=0,
            factors={"alpha": alpha if changed else 0.0},
            truth={
                "question_reversed": row.cells["reversed"],
                "imported": "pictures",
                **dict.fromkeys(("value", "unit")),
                "answer_if_unchanged": label,
                "comparison": None,
                **{key: row.cells[key] for key in ("state", "measurand") if row.cells[key]},
            },
        )
        # Content of a table never becomes a path.
        yield ImportItem(record=record, files=(file,), places=(f"media/{index:05d}/{variant}",))


def _alpha(row: SheetRow) -> float:
    value = number(row, "alpha")
    if not -1 <= value <= 1 or value == 0:
        raise InputError(f"{row.place}: alpha {value:g}: -1 to 1 without 0 is allowed (0 is the original)")
    return value
