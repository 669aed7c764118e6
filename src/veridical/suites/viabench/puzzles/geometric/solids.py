"""Boxes in space, seen from afar: where their corners fall, which one hides which, and their faces as flat shades."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Line, Polygon
from veridical.media.draw.scene import Colour, Point

Corner = tuple[float, float, float]
_FACES = ("x", "y", "z")
"""The three faces that are seen: toward +x, +y and +z."""


@dataclass(frozen=True, slots=True)
class Tones:
    """The colors of faces toward +x, +y and +z, and of edges."""

    x: Colour
    y: Colour
    z: Colour
    edge: Colour

    def lit_from(self, side: int) -> Tones:
        """The same shades on other faces: the light comes from one of six sides."""
        x, y, z = list(permutations((self.x, self.y, self.z)))[side]
        return Tones(x, y, z, self.edge)


TONES = (
    Tones((166, 108, 62), (204, 148, 92), (236, 194, 138), (92, 56, 30)),
    Tones((52, 92, 146), (92, 138, 192), (160, 198, 232), (26, 50, 88)),
    Tones((54, 116, 98), (98, 164, 138), (170, 216, 190), (26, 66, 56)),
    Tones((160, 74, 62), (210, 118, 98), (242, 176, 152), (96, 38, 32)),
    Tones((104, 84, 142), (148, 128, 186), (204, 190, 228), (58, 42, 88)),
)
GROUNDS: tuple[Colour, ...] = ((246, 243, 236), (238, 242, 246), (244, 240, 246), (240, 245, 240))


@dataclass(frozen=True, slots=True)
class Projection:
    """A parallel projection: the viewer's direction, scale in px, turn and mirror on the surface, and the origin."""

    azimuth: float
    height: float
    scale: float
    turn: float = 0.0
    mirrored: bool = False
    origin: Point = (0.0, 0.0)

    def at(self, corner: Corner) -> Point:
        """Where a corner falls on the surface, in px."""
        x, y = self._plain(corner)
        cos, sin = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        x, y = x * cos - y * sin, x * sin + y * cos
        return self.origin[0] + self.scale * (-x if self.mirrored else x), self.origin[1] + self.scale * y

    def _plain(self, corner: Corner) -> Point:
        a, h = math.radians(self.azimuth), math.radians(self.height)
        x, y, z = corner
        right = -x * math.sin(a) + y * math.cos(a)
        up = -(x * math.cos(a) + y * math.sin(a)) * math.sin(h) + z * math.cos(h)
        return right, -up

    def nearness(self, corner: Corner) -> float:
        """How near a corner is to the viewer, in units of the boxes."""
        a, h = math.radians(self.azimuth), math.radians(self.height)
        x, y, z = corner
        return (x * math.cos(a) + y * math.sin(a)) * math.cos(h) + z * math.sin(h)

    def moved(self, corners: Sequence[Corner], middle: Point) -> Projection:
        """The same view with the box around these corners centered on a point."""
        at = np.array([self.at(corner) for corner in corners])
        shift = np.array(middle) - (at.min(0) + at.max(0)) / 2 + self.origin
        return Projection(
            self.azimuth, self.height, self.scale, self.turn, self.mirrored, (float(shift[0]), float(shift[1]))
        )


@dataclass(frozen=True, slots=True)
class Beam:
    """A beam with faces along the axes, between two opposite corners."""

    low: Corner
    high: Corner

    def corners(self) -> list[Corner]:
        """All eight corners."""
        (x0, y0, z0), (x1, y1, z1) = self.low, self.high
        return [(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (z0, z1)]

    def axis(self) -> int:
        """The direction of its length: 0, 1 or 2."""
        return int(np.argmax(np.subtract(self.high, self.low)))

    def ends(self) -> tuple[Corner, Corner]:
        """The middles of its two end faces."""
        middle = [(low + high) / 2 for low, high in zip(self.low, self.high, strict=True)]
        first, last = list(middle), list(middle)
        first[self.axis()], last[self.axis()] = self.low[self.axis()], self.high[self.axis()]
        return (first[0], first[1], first[2]), (last[0], last[1], last[2])

    def part(self, start: float, end: float) -> Beam:
        """The piece of it between two coordinates along its length."""
        low, high = list(self.low), list(self.high)
        low[self.axis()], high[self.axis()] = start, end
        return Beam((low[0], low[1], low[2]), (high[0], high[1], high[2]))

    def hides(self, other: Beam) -> bool:
        """Whether it may hide the other, and not be hidden by it, from a viewer on the positive side of all axes."""
        before = any(a >= b for a, b in zip(self.low, other.high, strict=True))
        behind = any(b >= a for a, b in zip(self.high, other.low, strict=True))
        return before and not behind

    def face(self, name: str) -> tuple[Corner, Corner, Corner, Corner]:
        """The corners of a face that is seen, in turn."""
        (x0, y0, z0), (x1, y1, z1) = self.low, self.high
        if name == "x":
            return (x1, y0, z0), (x1, y1, z0), (x1, y1, z1), (x1, y0, z1)
        if name == "y":
            return (x0, y1, z0), (x1, y1, z0), (x1, y1, z1), (x0, y1, z1)
        return (x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1)


def back_to_front(boxes: Sequence[Beam]) -> list[int]:
    """The order in which boxes that do not meet are painted."""
    left = set(range(len(boxes)))
    order = []
    while left:
        farthest = next(k for k in sorted(left) if not any(boxes[k].hides(boxes[j]) for j in left if j != k))
        order.append(farthest)
        left.remove(farthest)
    return order


def faces(
    box: Beam, view: Projection, tones: Tones, stroke: float, *, open_ended: bool = False
) -> list[Polygon | Line]:
    """The faces that are seen, with edges `stroke` px wide; an open-ended piece has no end face, nor edges there."""
    items: list[Polygon | Line] = []
    seen = [name for name in _FACES if not (open_ended and _FACES[box.axis()] == name)]
    items += [Polygon(tuple(map(view.at, box.face(name))), getattr(tones, name)) for name in seen]
    if stroke:
        for name in seen:
            corners = box.face(name)
            for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
                if not open_ended or a[box.axis()] != b[box.axis()]:
                    items.append(edge_line(view.at(a), view.at(b), stroke, tones.edge))
    return items


def edge_line(start: Point, end: Point, stroke: float, color: Colour, reach: float = 0.4) -> Line:
    """A line that reaches so many of its widths past its ends, so that corners close."""
    x, y = end[0] - start[0], end[1] - start[1]
    more = reach * stroke / max(math.hypot(x, y), 1e-9)
    return Line((start[0] - more * x, start[1] - more * y), (end[0] + more * x, end[1] + more * y), stroke, color)


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where two beams cross on the surface, far apart in space: their numbers, and the place along each."""

    near: int
    far: int
    at: Point
    place: float


def crossings(boxes: Sequence[Beam], view: Projection, apart: float) -> list[Crossing]:
    """The crossings of the beams' middle lines that are at least `apart` away from each other in depth."""
    met = []
    for i, j in combinations(range(len(boxes)), 2):
        (a, b), (c, d) = boxes[i].ends(), boxes[j].ends()
        p, q, r, s = (np.array(view.at(corner)) for corner in (a, b, c, d))
        sides = np.stack([q - p, r - s], 1)
        if abs(np.linalg.det(sides)) < 1e-6:
            continue
        t, u = np.linalg.solve(sides, r - p)
        if not (0.06 < t < 0.94 and 0.06 < u < 0.94):
            continue
        first, second = _between(a, b, float(t)), _between(c, d, float(u))
        depth = view.nearness(first) - view.nearness(second)
        if abs(depth) < apart:
            continue
        near, far, point = (i, j, second) if depth > 0 else (j, i, first)
        x, y = view.at(point)
        met.append(Crossing(near, far, (x, y), point[boxes[far].axis()]))
    return met


def _between(start: Corner, end: Corner, t: float) -> Corner:
    x, y, z = (a + t * (b - a) for a, b in zip(start, end, strict=True))
    return x, y, z


def hidden_stretch(box: Beam, other: Beam, view: Projection, around: float) -> tuple[float, float]:
    """The stretch of a beam, along its length, whose silhouette meets that of another, with a margin.

    Where they do not meet, it is the place `around` alone.
    """
    axis = box.axis()
    low, high = box.low[axis], box.high[axis]
    starts = np.array([view.at(corner) for corner in box.part(low, low).corners()])
    ends = np.array([view.at(corner) for corner in box.part(high, high).corners()])
    along = np.linspace(0, 1, 121)[:, None, None]
    within = np.zeros((121, len(starts)), bool)
    for name in _FACES:
        within |= _inside([view.at(corner) for corner in other.face(name)], starts + along * (ends - starts))
    touched = np.flatnonzero(within.any(1)) / 120
    if not len(touched):
        return around, around
    return low + (float(touched[0]) - 0.025) * (high - low), low + (float(touched[-1]) + 0.025) * (high - low)


def covers(box: Beam, view: Projection, point: Point) -> bool:
    """Whether a face of the box that is seen lies at a point of the surface."""
    return any(bool(_inside([view.at(corner) for corner in box.face(name)], np.array(point))) for name in _FACES)


def _inside(outline: Sequence[Point], points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which points lie in a convex outline."""
    start = np.array(outline)
    side = np.roll(start, -1, 0) - start
    off = points[..., None, :] - start
    turn = side[:, 0] * off[..., 1] - side[:, 1] * off[..., 0]
    return np.asarray((turn >= 0).all(-1) | (turn <= 0).all(-1))
