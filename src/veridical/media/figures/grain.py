"""The grain of materials: short strokes inside a convex shape that move and turn with it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from veridical.media.draw.scene import Colour, Point


class Grain(NamedTuple):
    """How a material is drawn: strokes at an angle, so far apart, so wide, lighter or darker than the material.

    `dash` is the share of each line that is drawn, in pieces; 1 draws whole lines.
    """

    angle: float
    spacing: float
    width: float
    tone: float
    dash: float = 1.0


MATERIALS: dict[str, tuple[Grain, ...]] = {
    "wood": (Grain(0.03, 6.5, 1.2, -0.16), Grain(-0.02, 15.0, 1.0, 0.12)),
    "metal": (Grain(1.1, 17.0, 3.0, 0.28), Grain(1.1, 17.0, 1.0, -0.12)),
    "stone": (Grain(0.5, 7.0, 2.0, -0.16, 0.3), Grain(2.2, 9.0, 1.6, 0.16, 0.25)),
    "fabric": (Grain(0.8, 7.0, 1.0, -0.12), Grain(2.35, 7.0, 1.0, 0.12)),
    "rubber": (Grain(0.0, 11.0, 2.4, 0.14, 0.5),),
    "plaster": (Grain(0.4, 26.0, 1.2, -0.05, 0.2), Grain(2.6, 31.0, 1.2, 0.05, 0.2)),
    "paper": (Grain(0.0, 8.0, 0.8, -0.1),),
    "ice": (Grain(0.9, 11.0, 1.4, 0.5, 0.6),),
    "grass": (Grain(1.45, 8.0, 1.4, -0.14, 0.35), Grain(1.7, 11.0, 1.2, 0.14, 0.3)),
    "skin": (),
    "glass": (Grain(0.9, 23.0, 2.2, 0.6, 0.7),),
}


def lighter(color: Colour, share: float) -> Colour:
    """The color moved towards white by a share, or towards black by a negative one.

    >>> lighter((100, 100, 100), 0.5), lighter((100, 100, 100), -0.5)
    ((178, 178, 178), (50, 50, 50))
    """
    goal = 255 if share > 0 else 0
    red, green, blue = (round(each + abs(share) * (goal - each)) for each in color)
    return red, green, blue


def mix_colors(first: Colour, second: Colour, share: float) -> Colour:
    """The color that has a share (0 to 1) of the second.

    >>> mix_colors((0, 0, 0), (200, 100, 0), 0.5)
    (100, 50, 0)
    """
    red, green, blue = (round(a + share * (b - a)) for a, b in zip(first, second, strict=True))
    return red, green, blue


def grain(points: Sequence[Point], material: str, turn: float) -> Iterator[tuple[Point, Point, float, float]]:
    """Strokes (start, end, width, tone) of a material inside a convex polygon that is turned by `turn` radians."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    cx, cy = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    reach = math.hypot(max(xs) - cx, max(ys) - cy)
    for each in MATERIALS[material]:
        angle = each.angle + turn
        along, across = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
        for k in range(-int(reach / each.spacing), int(reach / each.spacing) + 1):
            offset = (k + 0.35) * each.spacing
            middle = (cx + offset * across[0], cy + offset * across[1])
            span = _inside(points, middle, along)
            if span is not None:
                for low, high in _dashes(span, each, k):
                    start = (middle[0] + low * along[0], middle[1] + low * along[1])
                    yield start, (middle[0] + high * along[0], middle[1] + high * along[1]), each.width, each.tone


def _dashes(span: tuple[float, float], each: Grain, k: int) -> Iterator[tuple[float, float]]:
    if each.dash >= 1:
        yield span
        return
    period = 4 * each.spacing
    at = math.floor(span[0] / period) * period + (k * 0.37 % 1.0) * period - period
    while at < span[1]:
        low, high = max(at, span[0]), min(at + each.dash * period, span[1])
        if high - low > 1:
            yield low, high
        at += period


def _inside(points: Sequence[Point], middle: Point, along: Point) -> tuple[float, float] | None:
    """The part of a line that lies inside a convex polygon, as distances from its middle."""
    hits = []
    for (x0, y0), (x1, y1) in zip(points, [*points[1:], points[0]], strict=True):
        a = (x0 - middle[0]) * along[1] - (y0 - middle[1]) * along[0]
        b = (x1 - middle[0]) * along[1] - (y1 - middle[1]) * along[0]
        if (a > 0) != (b > 0):
            share = a / (a - b)
            x, y = x0 + share * (x1 - x0) - middle[0], y0 + share * (y1 - y0) - middle[1]
            hits.append(x * along[0] + y * along[1])
    return (min(hits), max(hits)) if len(hits) > 1 else None


def clip_polygon(points: Sequence[Point], normal: Point, least: float) -> list[Point]:
    """The part of a polygon on which x·normal is at least `least`.

    >>> clip_polygon([(0, 0), (2, 0), (2, 2), (0, 2)], (0, 1), 1)
    [(2.0, 1.0), (2, 2), (0, 2), (0.0, 1.0)]
    """
    kept: list[Point] = []
    for one, two in zip(points, [*points[1:], points[0]], strict=True):
        a = one[0] * normal[0] + one[1] * normal[1] - least
        b = two[0] * normal[0] + two[1] * normal[1] - least
        if a >= 0:
            kept.append(one)
        if (a >= 0) != (b >= 0):
            share = a / (a - b)
            kept.append((one[0] + share * (two[0] - one[0]), one[1] + share * (two[1] - one[1])))
    return kept
