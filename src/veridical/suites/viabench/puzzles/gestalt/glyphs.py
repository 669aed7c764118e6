"""Little drawings for the cells of grids, in a square of side 1 around the origin, x to the right, y down."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Disc, Polygon, Scene, rasterise
from veridical.media.draw.scene import Colour
from veridical.suites.viabench.puzzles.puzzle import Pixels

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Paint:
    """A color with a lighter and a darker shade of it."""

    body: Colour
    light: Colour
    dark: Colour


PAINTS = {
    "teal": Paint((38, 140, 136), (98, 188, 182), (20, 92, 92)),
    "coral": Paint((226, 104, 80), (246, 160, 136), (170, 62, 48)),
    "plum": Paint((138, 82, 150), (184, 136, 194), (90, 48, 104)),
    "ocher": Paint((222, 160, 48), (244, 204, 116), (160, 106, 26)),
    "blue": Paint((58, 110, 188), (118, 162, 224), (32, 68, 130)),
    "green": Paint((88, 152, 70), (148, 198, 122), (54, 104, 44)),
}
POPS = {"teal": "coral", "coral": "blue", "plum": "ocher", "ocher": "plum", "blue": "coral", "green": "plum"}
"""For each paint one that is plainly different."""


@dataclass(frozen=True, slots=True)
class Fill:
    """A filled outline."""

    points: Points
    color: Colour


@dataclass(frozen=True, slots=True)
class Dot:
    """A filled circle."""

    x: float
    y: float
    radius: float
    color: Colour


GlyphPart = Fill | Dot


def cell(parts: Sequence[GlyphPart], pitch: int, ground: Colour, scale: float = 0.8, degrees: float = 0.0) -> Pixels:
    """A square of pixels with the drawing in its middle, `scale` of its side large, turned counterclockwise."""
    cos, sin = math.cos(math.radians(degrees)), -math.sin(math.radians(degrees))
    turn, factor, middle = np.array(((cos, sin), (-sin, cos))), scale * pitch, pitch / 2
    items: list[Polygon | Disc] = []
    for part in parts:
        if isinstance(part, Fill):
            at = part.points @ turn * factor + middle
            items.append(Polygon(tuple(map(tuple, at.tolist())), part.color))
        else:
            x, y = np.array((part.x, part.y)) @ turn * factor + middle
            items.append(Disc((float(x), float(y)), part.radius * factor, part.color))
    return rasterise(Scene(pitch, pitch, ground, tuple(items)))


def oval(x: float, y: float, width: float, height: float, start: float = 0.0, end: float = 360.0) -> Points:
    """Points of an ellipse, or of a part of it between two angles in degrees, clockwise from the right."""
    angles = np.radians(np.linspace(start, end, 41))
    return np.stack([x + width / 2 * np.cos(angles), y + height / 2 * np.sin(angles)], 1)


def smooth(*points: tuple[float, float]) -> Points:
    """A closed smooth outline through points (a Catmull-Rom spline)."""
    at = np.array(points, float)
    before, after, beyond = np.roll(at, 1, 0), np.roll(at, -1, 0), np.roll(at, -2, 0)
    t = np.linspace(0, 1, 9)[:-1, None, None]
    curve = 0.5 * (
        2 * at
        + (after - before) * t
        + (2 * before - 5 * at + 4 * after - beyond) * t**2
        + (3 * at - before - 3 * after + beyond) * t**3
    )
    return np.asarray(curve.swapaxes(0, 1).reshape(-1, 2), float)


def sharp(*points: tuple[float, float]) -> Points:
    """A closed outline with corners."""
    return np.array(points, float)
