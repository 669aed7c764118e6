"""A picture with regions boxed and numbered."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veridical.errors import InputError
from veridical.media.derive import Pictured
from veridical.media.draw import Item, Patch, Rectangle, Scene, Text, rasterise
from veridical.media.draw.paths import path_of
from veridical.media.labels import Label, placed
from veridical.media.pictures import Picture
from veridical.records import Box, Json

Colour = tuple[int, int, int]
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
COLORS: tuple[Colour, ...] = (
    (214, 39, 40),
    (31, 99, 200),
    (24, 130, 60),
    (150, 40, 170),
    (205, 90, 0),
    (0, 128, 140),
    (120, 70, 40),
    (60, 60, 60),
)
"""The colors of outlines and labels, in turn; all are dark enough for white digits."""


def draw_marks(
    pixels: NDArray[np.uint8], boxes: Sequence[Box], prefix: str = "", colors: Sequence[Colour] = COLORS
) -> tuple[NDArray[np.uint8], list[Label]]:
    """A picture with these boxes outlined and numbered, and the label of each.

    A label is the number after the `prefix`, such as "R1". The `colors` take turns; white text must be legible on each.
    """
    height, width, _ = pixels.shape
    # White edges on both sides of the color make it visible on any background.
    longer = max(width, height)
    core = max(2, round(longer / 200))
    halo = max(1, core // 2)
    rim = core + 2 * halo
    outlines = [outline(box, rim, width, height) for box in boxes]
    labels = placed(outlines, rim, width, height, lambda number, scale: _size(f"{prefix}{number}", scale, longer))
    items: list[Item] = [Patch(0, 0, pixels)]
    for number, around in enumerate(outlines):
        items += _frame(around, 0, rim, WHITE)
        items += _frame(around, halo, core, colors[number % len(colors)])
    for number, label in enumerate(labels, 1):
        items += _tile(f"{prefix}{number}", label, colors[(number - 1) % len(colors)])
    return rasterise(Scene(width, height, WHITE, tuple(items))), labels


def outline(box: Box, rim: int, width: int, height: int) -> Box:
    """A box with its outline, clipped to the picture."""
    return Box(max(box.x0 - rim, 0), max(box.y0 - rim, 0), min(box.x1 + rim, width), min(box.y1 + rim, height))


def _frame(around: Box, inset: int, width: int, color: Colour) -> list[Item]:
    """Four bars, `inset` pixels inside a box; each ends where the next begins."""
    x0, y0, x1, y1 = around.x0 + inset, around.y0 + inset, around.x1 - inset, around.y1 - inset
    return [
        Rectangle(x0, y0, x1, y0 + width, color),
        Rectangle(x0, y1 - width, x1, y1, color),
        Rectangle(x0, y0 + width, x0 + width, y1 - width, color),
        Rectangle(x1 - width, y0 + width, x1, y1 - width, color),
    ]


def _size(text: str, scale: float, longer: int) -> tuple[int, int]:
    """Width and height of a label with its white edge; the height is 1/24 of the longer side, at least 11 pixels."""
    height = max(11, round(max(16, longer / 24) * scale))
    extent = path_of(Text((0.0, 0.0), text, _em(height), BLACK)).get_extents()
    return max(height, math.ceil(extent.width) + 6), height


def _em(height: int) -> float:
    """The font size at which digits fill the height of the tile, minus its edge and some margin."""
    return (height - 5) / 0.73


def _tile(name: str, label: Label, color: Colour) -> list[Item]:
    x0, y0, x1, y1 = label.box
    text = Text(((x0 + x1) / 2, (y0 + y1) / 2), name, _em(y1 - y0), WHITE)
    return [Rectangle(x0, y0, x1, y1, WHITE), Rectangle(x0 + 1, y0 + 1, x1 - 1, y1 - 1, color), text]


def region_in(stimulus: Pictured, region: Json, picture: Picture) -> Box:
    """A region of a stimulus as a box in its picture; raises `InputError` for one that is none or lies outside."""
    numbers = [value for value in region if isinstance(value, int | float)] if isinstance(region, list | tuple) else []
    if len(numbers) == 4 and all(map(math.isfinite, numbers)):
        box = Box(*map(math.floor, numbers[:2]), *map(math.ceil, numbers[2:]))
        if 0 <= box.x0 < box.x1 <= picture.width and 0 <= box.y0 < box.y1 <= picture.height:
            return box
    raise InputError(
        f"stimulus {stimulus.id!r}: region {region!r} is not a box x0, y0, x1, y1 in {picture.width}x{picture.height}"
    )
