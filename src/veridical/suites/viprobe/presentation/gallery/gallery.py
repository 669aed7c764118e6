"""The gallery: one page of every case with its questions and its truth, beside SVG files; and the contact sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.base.files import check_stems
from veridical.base.format import format_number
from veridical.base.options import parse_options
from veridical.errors import InputError
from veridical.media.draw import Item, Scene, area_resize, rasterise, to_svg
from veridical.records import Json
from veridical.report.gallery.page import (
    INK,
    SOFT,
    WHITE,
    PlateGroup,
    former,
    framed_picture,
    line_of_text,
    render,
    write,
)
from veridical.suites.viprobe.balance import MOST_UNITS, drawn_separations
from veridical.suites.viprobe.illusions import CASES, GROUPS, Case
from veridical.suites.viprobe.illusions.drawing import CHANGED, VARIANTS, strength_text
from veridical.suites.viprobe.options import VIProbeOptions

_ROWS = (("Figure", "O", "P"), ("Control", "OC", "PC"), ("Clutter", "OS", "PS"), ("Hint", "OH", "PH"))
_TITLES = {"size": "Size", "color": "Color", "orientation": "Orientation", "novel": "Novel figures"}
_MUCH_EASIER = 0.25


@dataclass(frozen=True, slots=True)
class GalleryPicture:
    """One variant of a base item at one strength, and its file inside the gallery."""

    case: Case
    base: Any
    variant: str
    alpha: float

    @property
    def file(self) -> str:
        strength = strength_text(self.alpha) if self.variant in CHANGED else ""
        return f"svg/{self.case.name}/{self.variant}{strength}.svg"

    @property
    def alt(self) -> str:
        strength = f" at strength {signed_text(self.alpha)}" if self.variant in CHANGED else ""
        return f"{self.case.title}, {VARIANTS[self.variant]} {self.variant}{strength}"

    @property
    def width(self) -> int:
        return int(self.base.width)

    @property
    def height(self) -> int:
        return int(self.base.height)

    def svg(self) -> bytes:
        return to_svg(self.case.geometry(self.base, self.alpha).scene(VARIANTS[self.variant])).encode()


def write_gallery(
    folder: Path, *, size: int = 512, seed: int = 0, alphas: Sequence[float] = (-1, -0.4, 0.4, 1)
) -> Path:
    """The path of `index.html` in the folder, after it and the SVG of each picture were written there.

    Shown is the first base item of every case, `size` px on the longer side; `alphas` are the strengths beside 0.
    Raises `InputError` for a number out of range, or a folder that is neither new, empty nor a former gallery.
    """
    strengths = parse_options(VIProbeOptions, {"size": size, "seed": seed, "alphas": tuple(alphas)}).alphas
    check_stems("case", CASES)
    for case in CASES.values():
        if size < case.smallest_size:
            raise InputError(f"size {size}: {case.name} needs at least {case.smallest_size} px on the longer side")
    old = former(folder, "svg")
    plates = {name: _plate(case, case.base(size, seed, 0), strengths) for name, case in CASES.items()}
    page = render(
        __package__,
        [
            PlateGroup(name, title, [plate for plate in plates.values() if GROUPS[name](plate["case"])])
            for name, title in _TITLES.items()
        ],
        columns=len(strengths) + 1,
        size=size,
        seed=seed,
    )
    pictures = ((picture.file, picture.svg()) for plate in plates.values() for picture in plate["pictures"])
    return write(folder, page, pictures, old)


def _plate(case: Case, base: Any, strengths: Iterable[float]) -> dict[str, Json]:  # noqa: ANN401
    """What the page shows of one case: its words with the base item filled in, column heads, rows of pictures."""
    alphas = sorted({0.0, *strengths})
    rows = [
        (name, code, [GalleryPicture(case, base, changed if alpha else code, alpha) for alpha in alphas])
        for name, code, changed in _ROWS
        if case.shows(VARIANTS[code])
    ]
    alone = None if case.inseparable else GalleryPicture(case, base, "I", 0.0)
    same, other = ("yes", "no") if case.yes_if_unchanged else ("no", "yes")
    return {
        "name": case.name,
        "number": case.number,
        "title": case.title,
        "thumbnail": rows[0][2][alphas.index(0.0)],
        "case": case,
        "base": base,
        "columns": [_column(case, base, alpha) for alpha in alphas],
        "original": alphas.index(0.0),
        "rows": rows,
        "alone": alone,
        "pictures": [picture for _, _, pictures in rows for picture in pictures] + [alone] * (alone is not None),
        "question": case.fill(base, case.question),
        "reversed": case.fill(base, case.question_reversed),
        "comparison": case.comparison and case.fill(base, case.comparison.question),
        "same": same,
        "other": other,
        "whole_picture": _easier_in_the_control(case),
    }


@cache
def _easier_in_the_control(case: Case) -> str:
    """What is to be said where a statistic of the whole picture tells the answer much better in the control."""
    aucs = drawn_separations(case, units=MOST_UNITS, seed=0) or {}
    gaps = {name: each["control"] - each["figure"] for name, each in aucs.items()}
    name = max(gaps, key=lambda name: gaps[name], default="")
    if not name or gaps[name] < _MUCH_EASIER:
        return ""
    return (
        f"The control is easier for a statistic that looks at no target: {name}, AUC {aucs[name]['control']:.2f} "
        f"(figure {aucs[name]['figure']:.2f})."
    )


def _column(case: Case, base: Any, alpha: float) -> dict[str, Json]:  # noqa: ANN401
    direction = "congruent" if alpha > 0 else "opposing"
    return {
        "alpha": signed_text(alpha),
        "value": f"{signed_text(case.value(base, alpha))} {case.factor.unit}",
        "direction": direction if alpha and case.directed else "",
    }


def signed_text(value: float) -> str:
    """A number with its sign: two decimals, from 10 on one.

    >>> signed_text(-0.4), signed_text(102.345), signed_text(-0.0)
    ('−0.4', '+102.3', '0')
    """
    text = format_number(abs(round(value, 1 if abs(value) >= 10 else 2)))
    return text if text == "0" else f"{'+' if value > 0 else '−'}{text}"


_TITLE, _CAPTION, _LINE, _GAP, _REST = 0.094, 0.075, 0.14, 0.1, 0.12


def contact_sheet(
    cases: Sequence[Case], *, columns: int = 9, tile: int = 220, seed: int = 0, alpha: float = 1.0
) -> NDArray[np.uint8]:
    """One picture of the cases in rows, shape (height, width, 3), uint8: O with its state, below it P with its value.

    Each picture stands in a square of `tile` px, its first base item reduced by area; lengths in px are those of that
    item at 512 px, or at `tile` where that is more. Raises `InputError` without a case, or for a number out of range.
    """
    if not cases or columns < 1 or not 64 <= tile <= 1024 or seed < 0 or not 0 < abs(alpha) <= 1:
        raise InputError(
            f"contact sheet of {len(cases)} cases in {columns} columns, tile {tile}, seed {seed}, strength {alpha:g}: "
            "allowed are 1 case or more, 1 column or more, tiles of 64 to 1024 px, seeds from 0, strengths to ±1"
        )
    gap, line, rest = (round(tile * share) for share in (_GAP, _LINE, _REST))
    pitch = 2 * (tile + line) + line + rest
    across = min(columns, len(cases))
    rows = -(-len(cases) // columns)
    items: list[Item] = []
    for place, case in enumerate(cases):
        row, column = divmod(place, columns)
        items += _cell(case, gap + column * (tile + gap), gap + row * pitch, tile, seed, alpha)
    return rasterise(Scene(gap + across * (tile + gap), gap + rows * pitch - rest + gap // 2, WHITE, tuple(items)))


def _cell(case: Case, x: int, y: int, tile: int, seed: int, alpha: float) -> list[Item]:
    """The title, the unchanged figure and its state, the changed figure and its value."""
    base = case.base(max(512, tile), seed, 0)
    line = round(tile * _LINE)
    value = f"{signed_text(case.value(base, alpha))} {case.factor.unit}"
    items: list[Item] = [line_of_text(case.title, x, y + 0.62 * line, _TITLE * tile, tile, INK)]
    y += line
    for strength, caption in ((0.0, case.state.partition(":")[0]), (alpha, value)):
        picture = area_resize(rasterise(case.geometry(base, strength).scene()), tile)
        items += [
            *framed_picture(picture, x, y, tile),
            line_of_text(caption, x, y + tile + 0.66 * line, _CAPTION * tile, tile, SOFT),
        ]
        y += tile + line
    return items
