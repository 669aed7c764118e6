"""Primitives in float pixels. Pixel i covers [i, i + 1); x points right, y points down; nothing is ever rounded.

Colours are 8-bit sRGB triples. Items are painted in order, each over those before it. Lines end in butt caps: a line
from 10 to 20 is exactly 10 pixels long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib
import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D
from numpy.typing import NDArray

Colour = tuple[int, int, int]
Point = tuple[float, float]
_QUAD = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
_FONT = FontProperties(fname=f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans.ttf")


@dataclass(frozen=True, slots=True)
class Line:
    """A straight stroke of a given width between two points."""

    start: Point
    end: Point
    width: float
    colour: Colour

    def path(self) -> Path:
        return strokes([self])


@dataclass(frozen=True, slots=True)
class Curve:
    """A smooth stroke through points that lie densely on a curve."""

    points: tuple[Point, ...]
    width: float
    colour: Colour

    def path(self) -> Path:
        return _stroke(np.array(self.points, float), self.width)


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle."""

    centre: Point
    radius: float
    colour: Colour

    def path(self) -> Path:
        return Path.circle(self.centre, self.radius)


@dataclass(frozen=True, slots=True)
class Ring:
    """A circle's stroke, `width` wide, centred on `radius`."""

    centre: Point
    radius: float
    width: float
    colour: Colour

    def path(self) -> Path:
        outer = Path.circle(self.centre, self.radius + self.width / 2)
        inner = Path.circle(self.centre, max(self.radius - self.width / 2, 0.0))
        hole = Affine2D().translate(-self.centre[0], 0).scale(-1, 1).translate(self.centre[0], 0).transform_path(inner)
        return Path.make_compound_path(outer, hole)


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled polygon."""

    points: tuple[Point, ...]
    colour: Colour

    def path(self) -> Path:
        return Path([*self.points, self.points[0]], closed=True)


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A filled rectangle with its edges where they are said to be, also inside a pixel."""

    x0: float
    y0: float
    x1: float
    y1: float
    colour: Colour

    def path(self) -> Path:
        corners = [(self.x0, self.y0), (self.x1, self.y0), (self.x1, self.y1), (self.x0, self.y1), (self.x0, self.y0)]
        return Path(corners, closed=True)


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text in the bundled DejaVu Sans, as outlines: its box is centred on `centre`, `size` px to the em."""

    centre: Point
    text: str
    size: float
    colour: Colour

    def path(self) -> Path:
        path = TextPath((0, 0), self.text, size=self.size, prop=_FONT)
        box = path.get_extents()
        move = Affine2D().translate(-(box.x0 + box.x1) / 2, -(box.y0 + box.y1) / 2).scale(1, -1)
        return move.translate(*self.centre).transform_path(path)


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
    """A ramp from one colour to another over a box of whole pixels, even in sRGB steps, along "x" or "y"."""

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


Shape = Line | Curve | Disc | Ring | Polygon | Rectangle | Text
Item = Shape | Patch | Gradient


@dataclass(frozen=True, slots=True)
class Scene:
    """A canvas of whole pixels, its ground colour, and what is painted on it, in order."""

    width: int
    height: int
    ground: Colour
    items: tuple[Item, ...]


def strokes(lines: Sequence[Line]) -> Path:
    """Straight strokes as one path of closed quads, all turning the same way: where they cross, nothing cancels."""
    ends = np.array([(*line.start, *line.end) for line in lines], float)
    along = ends[:, 2:] - ends[:, :2]
    half = np.array([line.width / 2 for line in lines]) / np.hypot(along[:, 0], along[:, 1])
    edge = np.stack([-along[:, 1], along[:, 0]], 1) * half[:, None]
    start, end = ends[:, :2], ends[:, 2:]
    corners = np.stack([start + edge, end + edge, end - edge, start - edge, start + edge], 1)
    return Path(corners.reshape(-1, 2), _QUAD * len(lines))


def _stroke(points: NDArray[np.float64], width: float) -> Path:
    """The outline of a stroke with butt caps; the normals of a curve come from central differences."""
    along = np.gradient(points, axis=0)
    normal = np.stack([-along[:, 1], along[:, 0]], 1) / np.linalg.norm(along, axis=1, keepdims=True)
    edge = normal * width / 2
    outline = np.concatenate([points + edge, (points - edge)[::-1], points[:1] + edge[:1]])
    return Path(outline, closed=True)
