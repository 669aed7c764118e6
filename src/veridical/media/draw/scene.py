"""Primitives in float pixels. Pixel i covers [i, i + 1); x points right, y points down; nothing is rounded.

Colors are 8-bit sRGB triples. Items are painted in order, later ones over earlier ones. Lines have butt caps: a line
from 10 to 20 is exactly 10 pixels long.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Colour = tuple[int, int, int]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A straight stroke between two points."""

    start: Point
    end: Point
    width: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Curve:
    """A smooth stroke through densely spaced points of a curve."""

    points: tuple[Point, ...]
    width: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle."""

    centre: Point
    radius: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Ring:
    """The stroke of a circle, `width` wide, centered on `radius`."""

    centre: Point
    radius: float
    width: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled polygon."""

    points: tuple[Point, ...]
    colour: Colour


@dataclass(frozen=True, slots=True)
class Veil:
    """A filled polygon that lets what is below it through; `alpha` is 0 (clear) to 1 (opaque)."""

    points: tuple[Point, ...]
    colour: Colour
    alpha: float


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A filled rectangle; its edges may lie inside a pixel."""

    x0: float
    y0: float
    x1: float
    y1: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of text as outlines in the bundled DejaVu Sans; its box is centered on `centre`, at `size` px per em."""

    centre: Point
    text: str
    size: float
    colour: Colour


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """An array of pixels, shape (height, width, 3), uint8, whose top left corner lies on the whole pixel (x, y)."""

    x: int
    y: int
    array: NDArray[np.uint8]

    def pixels(self) -> NDArray[np.uint8]:
        return self.array


@dataclass(frozen=True, slots=True)
class Gradient:
    """A ramp from one color to another over a box of whole pixels, in even sRGB steps, along "x" or "y"."""

    x: int
    y: int
    width: int
    height: int
    start: Colour
    end: Colour
    along: str = "x"

    def pixels(self) -> NDArray[np.uint8]:
        steps = self.width if self.along == "x" else self.height
        at = (np.arange(steps) + 0.5)[:, None] / steps
        ramp = np.rint(np.array(self.start) + at * (np.array(self.end) - np.array(self.start))).astype(np.uint8)
        line = ramp[None] if self.along == "x" else ramp[:, None]
        return np.broadcast_to(line, (self.height, self.width, 3)).copy()


Shape = Line | Curve | Disc | Ring | Polygon | Veil | Rectangle | TextLine
Item = Shape | Patch | Gradient


@dataclass(frozen=True, slots=True)
class Scene:
    """A canvas of whole pixels, its background color, and its items in painting order."""

    width: int
    height: int
    ground: Colour
    items: tuple[Item, ...]
