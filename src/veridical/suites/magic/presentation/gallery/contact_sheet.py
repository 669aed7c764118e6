"""All nouns in one picture, each in its materials, below scenes of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veridical.errors import InputError
from veridical.media.draw import Item, Patch, Scene, area_fit, rasterise
from veridical.report.gallery.page import INK, WHITE, line_of_text
from veridical.suites.magic.presentation.gallery.examples import EXAMPLES
from veridical.suites.magic.presentation.gallery.shown import every_material
from veridical.suites.magic.scenes.kinds import MATERIALS, Kind
from veridical.suites.magic.scenes.paint import painted

_GAP, _LINE = 12, 20


def contact_sheet(kinds: Sequence[Kind], *, columns: int = 3, cell: int = 92) -> NDArray[np.uint8]:
    """One picture, shape (height, width, 3), uint8: example scenes, and each noun in a row of squares of `cell` px.

    Colors take turns. Raises `InputError` without a noun, or for a number out of range.
    """
    if not kinds or not 1 <= columns <= 8 or not 48 <= cell <= 256:
        raise InputError(
            f"contact sheet of {len(kinds)} nouns in {columns} columns, squares of {cell} px: allowed are 1 noun or "
            "more, 1 to 8 columns, squares of 48 to 256 px"
        )
    strip = cell * len(MATERIALS)
    across = columns * (strip + _GAP) + _GAP
    wide = min((across - _GAP) // 2 - _GAP, 640)
    high = wide * 3 // 4
    items: list[Item] = []
    for place, scene in enumerate(EXAMPLES.values()):
        x, y = _GAP + place % 2 * (wide + _GAP), _GAP + place // 2 * (high + _GAP)
        items.append(Patch(x, y, area_fit(painted(scene), wide, high)))
    begin = _GAP + -(-len(EXAMPLES) // 2) * (high + _GAP)
    for place, kind in enumerate(kinds):
        row, column = divmod(place, columns)
        x, y = _GAP + column * (strip + _GAP), begin + row * (cell + _LINE + _GAP)
        items.append(Patch(x, y + _LINE, every_material(kind, cell, 3 * place)))
        items.append(line_of_text(kind.name, x, y + _LINE - 6, 13, strip, INK))
    rows = -(-len(kinds) // columns)
    return rasterise(Scene(across, begin + rows * (cell + _LINE + _GAP), WHITE, tuple(items)))
