"""Painting in a scene's own coordinates, in three styles, with the name of the thing that each stroke belongs to.

A scene is 640 wide and 360 high, x points right, y points down; whatever the size of the clip. In "flat" style a shape
has one color, "shaded" adds light from above, "textured" adds the grain of the material.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import NamedTuple

from veridical.media.draw import Curve, Disc, Item, Line, Polygon, Ring, TextLine, Veil
from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.grain import clip_polygon, grain, lighter
from veridical.media.figures.style import Style

WIDTH, HEIGHT = 640, 360
GROUND = ""
"""The name under which the still ground is painted."""


class BrushForm(NamedTuple):
    """The form of a brush: its kind, and how it draws, enlarges and moves what it paints."""

    kind: type[Brush]
    style: Style
    scale: float
    shift: Point

    def brush(self) -> Brush:
        """A brush of this form, which has painted nothing."""
        return self.kind.blank(self)


class Brush:
    """Collects the items of one frame; every stroke belongs to the entity that `of` names.

    `scale` is in pixels per unit of the scene, `shift` moves the picture, as a camera that drifts does.
    """

    def __init__(self, style: Style, scale: float = 1.0, shift: Point = (0.0, 0.0)) -> None:
        self.style = style
        self.scale = scale
        self.shift = shift
        self._affine = (scale, shift[0] * scale, scale, shift[1] * scale)
        self.items: list[tuple[str, Item]] = []
        self._entity = GROUND

    @classmethod
    def blank(cls, form: BrushForm) -> Brush:
        """A brush of this kind that has painted nothing."""
        return cls(form.style, form.scale, form.shift)

    @property
    def form(self) -> BrushForm:
        """All that what it paints depends on."""
        return BrushForm(type(self), self.style, self.scale, self.shift)

    @contextmanager
    def of(self, entity: str) -> Iterator[None]:
        """What is painted within belongs to this entity, and its box and mask are made of it."""
        before, self._entity = self._entity, entity
        yield
        self._entity = before

    def disc(self, centre: Point, radius: float, color: Colour, material: str = "", turn: float = 0.0) -> None:
        """A ball or a round thing; `turn`, in radians, shows that it rolls."""
        if self.style == "flat" or radius < 3:
            self._disc(centre, radius, color)
        else:
            x, y = centre
            self._disc(centre, radius, lighter(color, -0.22))
            self._disc((x - 0.07 * radius, y - 0.1 * radius), 0.88 * radius, color)
            self._disc((x - 0.28 * radius, y - 0.36 * radius), 0.3 * radius, lighter(color, 0.35))
        if self.style == "textured" and material:
            self._grained(circle(centre, 0.96 * radius), color, material, turn)

    def polygon(self, points: Sequence[Point], color: Colour, material: str = "", turn: float = 0.0) -> None:
        """A filled polygon, convex where it has a material; its grain turns with it."""
        self._polygon(points, color)
        if self.style != "flat":
            top, bottom = min(y for _, y in points), max(y for _, y in points)
            edge = bottom - 0.3 * (bottom - top)
            self._polygon(clip_polygon(points, (0.0, 1.0), edge), lighter(color, -0.12))
        if self.style == "textured" and material:
            self._grained(points, color, material, turn)

    def box(
        self, x0: float, y0: float, x1: float, y1: float, color: Colour, material: str = "", turn: float = 0.0
    ) -> None:
        """A rectangle from (x0, y0) to (x1, y1), turned about its center by `turn` radians."""
        self.polygon(rotate_points([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], turn), color, material, turn)

    def plain(self, points: Sequence[Point], color: Colour) -> None:
        """A filled polygon of one color in every style."""
        self._polygon(points, color)

    def ellipse(self, centre: Point, rx: float, ry: float, color: Colour, material: str = "") -> None:
        """A filled ellipse with upright axes."""
        self.polygon(circle(centre, rx, ry), color, material)

    def line(self, start: Point, end: Point, width: float, color: Colour) -> None:
        """A straight stroke with butt caps."""
        self._add(Line(self._at(start), self._at(end), width * self.scale, color))

    def stroke(self, points: Sequence[Point], width: float, color: Colour) -> None:
        """A bent stroke with round joints and ends, such as a limb or a rope."""
        for start, end in pairwise(points):
            self.line(start, end, width, color)
        for point in points:
            self._disc(point, width / 2, color)

    def curve(self, points: Sequence[Point], width: float, color: Colour) -> None:
        """A smooth stroke through densely spaced points."""
        self._add(Curve(self._all(points), width * self.scale, color))

    def ring(self, centre: Point, radius: float, width: float, color: Colour) -> None:
        """The outline of a circle."""
        self._add(Ring(self._at(centre), radius * self.scale, width * self.scale, color))

    def veil(self, points: Sequence[Point], color: Colour, alpha: float) -> None:
        """A polygon that lets what is below it through: glass, water, smoke, a shadow."""
        self._add(Veil(self._all(points), color, alpha))

    def shadow(self, centre: Point, rx: float, ry: float | None = None, strength: float = 0.28) -> None:
        """The soft shadow of a thing on the ground below it."""
        ry = 0.22 * rx if ry is None else ry
        for share, alpha in ((1.0, 0.45), (0.75, 0.55)) if self.style != "flat" else ((1.0, 0.8),):
            self.veil(circle(centre, share * rx, share * ry), (0, 0, 0), alpha * strength)

    def text(self, centre: Point, text: str, size: float, color: Colour) -> None:
        """One line of text."""
        self._add(TextLine(self._at(centre), text, size * self.scale, color))

    def _disc(self, centre: Point, radius: float, color: Colour) -> None:
        self._add(Disc(self._at(centre), radius * self.scale, color))

    def _polygon(self, points: Sequence[Point], color: Colour) -> None:
        if len(points) > 2:
            self._add(Polygon(self._all(points), color))

    def _grained(self, points: Sequence[Point], color: Colour, material: str, turn: float) -> None:
        for start, end, width, tone in grain(points, material, turn):
            self.line(start, end, width, lighter(color, tone))

    def _at(self, point: Point) -> Point:
        across, left, down, top = self._affine
        return point[0] * across + left, point[1] * down + top

    def _all(self, points: Sequence[Point]) -> tuple[Point, ...]:
        """The points as `_at` gives them."""
        across, left, down, top = self._affine
        if self._affine == (1.0, 0.0, 1.0, 0.0):
            return tuple(map(tuple, points))  # type: ignore[arg-type]
        return tuple([(x * across + left, y * down + top) for x, y in points])

    def _add(self, item: Item) -> None:
        self.items.append((self._entity, item))


def circle(centre: Point, rx: float, ry: float | None = None, corners: int = 32) -> list[Point]:
    """The corners of an ellipse as a polygon."""
    ry = rx if ry is None else ry
    steps = (2 * math.pi * k / corners for k in range(corners))
    return [(centre[0] + rx * math.cos(at), centre[1] + ry * math.sin(at)) for at in steps]


def rotate_points(points: Sequence[Point], angle: float, about: Point | None = None) -> list[Point]:
    """The points turned by an angle in radians, clockwise as seen, about a point (default: the middle of their box).

    >>> [(round(x), round(y)) for x, y in rotate_points([(0, 0), (2, 0)], 3.14159265, (0, 0))]
    [(0, 0), (-2, 0)]
    """
    if not angle:
        return list(points)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    cx, cy = about or ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    cos, sin = math.cos(angle), math.sin(angle)
    return [(cx + cos * (x - cx) - sin * (y - cy), cy + sin * (x - cx) + cos * (y - cy)) for x, y in points]


def capsule(start: Point, end: Point, first: float, second: float) -> list[Point]:
    """The outline of a limb between two joints, with a radius at each."""
    along = math.atan2(end[1] - start[1], end[0] - start[0])
    points = []
    for middle, radius, quarter in ((end, second, -0.5), (start, first, 0.5)):
        for k in range(7):
            angle = along + math.pi * (quarter + k / 6)
            points.append((middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle)))
    return points


class _Flipped(Brush):
    """Paints into the same items as another brush, with left and right exchanged; text stays readable."""

    def __init__(self, brush: Brush) -> None:
        super().__init__(brush.style, brush.scale, brush.shift)
        across, left, down, top = self._affine
        self._affine = -across, WIDTH * across + left, down, top
        self.items = brush.items

    @classmethod
    def blank(cls, form: BrushForm) -> Brush:
        """Mirrors what it paints into items of its own."""
        return cls(Brush(form.style, form.scale, form.shift))


def face_brush(brush: Brush, flipped: bool) -> Brush:
    """The brush itself, or one that adds to its items and mirrors each x to 640 − x."""
    return _Flipped(brush) if flipped else brush
