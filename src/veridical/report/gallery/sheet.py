"""What contact sheets are made of: a picture in a frame, and lines of text that fit above or below it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Item, Patch, Rectangle, Text
from veridical.media.draw.paths import path_of
from veridical.media.draw.scene import Colour

INK: Colour = (28, 30, 33)
SOFT: Colour = (95, 99, 105)
WHITE: Colour = (255, 255, 255)
_RULE: Colour = (217, 214, 207)
_SMALLEST = 0.65


def framed(picture: NDArray[np.uint8], x: int, y: int, tile: int) -> list[Item]:
    """A picture centered in a square of `tile` px, whose upper left corner is (x, y), with a fine frame."""
    height, width, _ = picture.shape
    return [
        Rectangle(x - 1, y - 1, x + tile + 1, y + tile + 1, _RULE),
        Rectangle(x, y, x + tile, y + tile, WHITE),
        Patch(x + (tile - width) // 2, y + (tile - height) // 2, picture),
    ]


def line_of_text(text: str, x: float, baseline: float, size: float, room: float, color: Colour) -> Text:
    """A line of text from `x` on its baseline; a wide one is smaller, and a very wide one loses its last words."""
    while " " in text and _extent(text, size)[0] * _SMALLEST > room:
        text = text.removesuffix("…").rpartition(" ")[0] + "…"
    size *= min(1.0, room / _extent(text, size)[0])
    width, height = _extent(text, size)
    # An accented capital is as tall as any letter and stands on the baseline: what it adds nothing to, hangs below it.
    descent = _extent(text + "Å", size)[1] - _extent("Å", size)[1]
    return Text((x + width / 2, baseline + descent - height / 2), text, size, color)


def _extent(text: str, size: float) -> tuple[float, float]:
    """The width and height of the ink of a line of text."""
    box = path_of(Text((0.0, 0.0), text, size, INK)).get_extents()
    return float(box.width), float(box.height)
