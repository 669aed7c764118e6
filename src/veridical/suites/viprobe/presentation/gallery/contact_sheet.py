"""Many cases in one picture: each as the figure that deceives and, below it, as the same figure changed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veridical.errors import InputError
from veridical.media.draw import Item, Scene, area_resize, rasterise
from veridical.report.gallery.page import INK, SOFT, WHITE, framed_picture, line_of_text
from veridical.suites.viprobe.illusions import Case
from veridical.suites.viprobe.presentation.gallery.gallery import signed

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
    value = f"{signed(case.value(base, alpha))} {case.factor.unit}"
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
