"""All families of tricks in one picture: of each a trick, and its honest control below it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veridical.errors import InputError
from veridical.media.draw import Item, Patch, Scene, area_fit, rasterise
from veridical.report.gallery.page import INK, SOFT, WHITE, line_of_text
from veridical.suites.magicbench.presentation.gallery.shots import performance, shots, times
from veridical.suites.magicbench.stimuli import HONEST, TRICK

_GAP, _HEAD, _DRAWN = 4, 30, 360


def contact_sheet(families: Sequence[str], *, width: int = 192, seed: int = 0) -> NDArray[np.uint8]:
    """One picture, shape (height, width, 3), uint8: six frames of each family's trick, and of its control below.

    Frames are `width` px wide. Raises `InputError` without a family, or for a number out of range.
    """
    if not families or not 64 <= width <= 640 or seed < 0:
        raise InputError(
            f"contact sheet of {len(families)} families, frames of {width} px, seed {seed}: allowed are 1 family or "
            "more, frames of 64 to 640 px, seeds from 0"
        )
    height = width * 9 // 16 // 4 * 4
    items: list[Item] = []
    across, y = 0, 0
    for place, family in enumerate(families):
        own = performance(family, _DRAWN, seed, place)
        rows = [_smaller(shots(own.films[variant], times(own)), height) for variant in (TRICK, HONEST)]
        across = max(across, rows[0].shape[1])
        items.append(line_of_text(own.trick.title, _GAP, y + _HEAD - 9, 13, 0.4 * across, INK))
        text = own.trick.text(own.trick.principle, own.base)
        items.append(line_of_text(text, _GAP + 0.4 * across, y + _HEAD - 9, 11, 0.58 * across, SOFT))
        for line, pixels in enumerate(rows):
            items.append(Patch(_GAP, y + _HEAD + line * (rows[0].shape[0] + _GAP), pixels))
        y += _HEAD + 2 * (rows[0].shape[0] + _GAP)
    return rasterise(Scene(across + 2 * _GAP, y + _GAP, WHITE, tuple(items)))


def _smaller(pixels: NDArray[np.uint8], height: int) -> NDArray[np.uint8]:
    return area_fit(pixels, pixels.shape[1] * height // pixels.shape[0], height)
