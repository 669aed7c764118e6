"""Pictures of others: a folder with `list.csv`, which has file, color, license and attribution of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.probe_suite.design import COLORS, DESIGN, color_of
from veridical.errors import InputError
from veridical.media.decode import Decoded
from veridical.records import Stimulus
from veridical.stimulus_set.imports import Import, ImportItem, MeasuredMedia
from veridical.stimulus_set.imports.item import file_inside
from veridical.stimulus_set.imports.sheets import SheetRow, read_rows
from veridical.suite.parts import Release

_COLUMNS = ("file", "color", "license", "attribution")


def _read(place: Path) -> Import:
    rows = read_rows(place / "list.csv", _COLUMNS)
    return Import(
        name="probe-pictures",
        title="Probe: tiles of others",
        suite="probe",
        items=[_item(place, row, number) for number, row in enumerate(rows)],
        about={"source": "a test", "license": "by item", "attribution": "by item", "may_be_passed_on": None},
        measure=_measured,
        factors=DESIGN.factors,
    )


def _item(place: Path, row: SheetRow, number: int) -> ImportItem:
    file = file_inside(place, row.cells["file"])
    if file is None:
        raise InputError(f"{row.place}: there is no file '{row.cells['file']}'")
    options = list(COLORS)[:3]
    record = Stimulus(
        id=f"tiles/{number:04}/easy",
        suite="probe",
        family="tiles",
        unit=f"tiles/{number:04}",
        variant="easy",
        category="still",
        question="Which color does tile 1 have?",
        label="ABC"[options.index(row.cells["color"])],
        seed=0,
        factors={"ink": row.cells["color"]},
        truth={"place": 0, "options": options},
    )
    rights = {name: row.cells[name] for name in ("license", "attribution")}
    return ImportItem(record=record, files=(file,), places=(f"media/tiles/{number:04}",), rights=rights)


def _measured(stimulus: Stimulus, media: Sequence[Decoded]) -> MeasuredMedia | None:
    color = color_of(media[0].pixels)
    return MeasuredMedia("ABC"[stimulus.truth["options"].index(color)], {"color": color})


RELEASES = {"probe-pictures": Release(help="tiles of others, listed in list.csv", read=_read)}
