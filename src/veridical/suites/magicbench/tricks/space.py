"""Solids in space, seen from the front without perspective: capsules, plates and discs as shapes with a depth.

Screen x points right, screen y down, and depth towards the viewer; lengths are units of the scene.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from veridical.media.draw.scene import Item, Point
from veridical.media.figures.brush import Brush, BrushForm

Vector = tuple[float, float, float]
Paint = Callable[[Brush], None]


class Layer(NamedTuple):
    """Something to be painted, with its depth: parts further away are painted first."""

    depth: float
    entity: str
    paint: Paint


def paint_layers(brush: Brush, parts: Sequence[Layer]) -> None:
    """Paint the parts from the furthest to the nearest, each as a part of its entity."""
    for part in sorted(parts, key=lambda part: part.depth):
        brush.items += _painted(part, brush.form)


@lru_cache(maxsize=4096)
def _painted(part: Layer, form: BrushForm) -> tuple[tuple[str, Item], ...]:
    """What a brush of that form paints: a hand that rests, or is in both films of a unit, is painted once."""
    brush = form.brush()
    with brush.of(part.entity):
        part.paint(brush)
    return tuple(brush.items)


@dataclass(frozen=True, slots=True)
class BodyFrame:
    """A body's own axes: where they are on the screen, and how long a unit of the body is."""

    origin: Vector
    size: float
    x: Vector
    y: Vector
    z: Vector

    def at(self, point: Vector) -> Vector:
        """The body's point on the screen: x, y and depth."""
        a, b, c = (self.size * each for each in point)
        return (
            self.origin[0] + a * self.x[0] + b * self.y[0] + c * self.z[0],
            self.origin[1] + a * self.x[1] + b * self.y[1] + c * self.z[1],
            self.origin[2] + a * self.x[2] + b * self.y[2] + c * self.z[2],
        )


def frame(
    origin: Vector, size: float, turn: float, pitch: float = 0.0, roll: float = 0.0, flip: float = 1.0
) -> BodyFrame:
    """Axes whose y points up the screen, turned clockwise by `turn`, tilted to the viewer by `pitch`; in degrees.

    `roll` turns about the body's y: at 0 its z points to the viewer, at 180 away. `flip` −1 mirrors the body's x.

    >>> [round(each) for each in frame((0, 0, 0), 10, 90).at((0, 1, 0))]
    [10, 0, 0]
    """
    turn, pitch, roll = (math.radians(each) for each in (turn, pitch, roll))

    def turned(vector: Vector) -> Vector:
        x, y, z = vector
        x, z = x * math.cos(roll) + z * math.sin(roll), z * math.cos(roll) - x * math.sin(roll)
        y, z = y * math.cos(pitch) - z * math.sin(pitch), z * math.cos(pitch) + y * math.sin(pitch)
        x, y = x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn)
        return x, -y, z

    return BodyFrame(origin, size, turned((flip, 0.0, 0.0)), turned((0.0, 1.0, 0.0)), turned((0.0, 0.0, 1.0)))


_ARC = [(math.cos(math.pi * k / 6), math.sin(math.pi * k / 6)) for k in range(7)]


def capsule(start: Point, end: Point, first: float, second: float) -> list[Point]:
    """The outline of a limb between two joints with a radius at each; a circle where it points to the viewer."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    long = math.hypot(dx, dy)
    if long < 1e-6:
        dx, dy, long = 1.0, 0.0, 1.0
    ux, uy = dx / long, dy / long
    points = [(end[0] + second * (uy * c + ux * s), end[1] + second * (uy * s - ux * c)) for c, s in _ARC]
    points += [(start[0] - first * (uy * c + ux * s), start[1] - first * (uy * s - ux * c)) for c, s in _ARC]
    return points


def hull(points: Sequence[Point]) -> list[Point]:
    """The convex hull, in order around it.

    >>> hull([(0, 0), (2, 0), (1, 0.5), (1, 2)])
    [(0, 0), (2, 0), (1, 2)]
    """
    ordered = sorted(set(points))

    def half(side: Sequence[Point]) -> list[Point]:
        kept: list[Point] = []
        for x, y in side:
            while len(kept) > 1:
                (ax, ay), (bx, by) = kept[-2:]
                if (bx - ax) * (y - ay) > (by - ay) * (x - ax):
                    break
                kept.pop()
            kept.append((x, y))
        return kept[:-1]

    return half(ordered) + half(ordered[::-1])


def round_plate(body: BodyFrame, middle: Vector, radius: float, corners: int = 24) -> list[Point]:
    """The outline of a disc in the body's x-y plane, as the screen shows it."""
    x, y, _ = body.at(middle)
    reach = radius * body.size
    turns = (2 * math.pi * k / corners for k in range(corners))
    return [
        (
            x + reach * (math.cos(a) * body.x[0] + math.sin(a) * body.y[0]),
            y + reach * (math.cos(a) * body.x[1] + math.sin(a) * body.y[1]),
        )
        for a in turns
    ]
