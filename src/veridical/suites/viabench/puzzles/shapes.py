"""Smooth outlines, ellipses and rounded limbs, and where a picture has a color."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Disc, Item, Line, Polygon
from veridical.media.draw.scene import Colour, Point
from veridical.suites.viabench.puzzles.puzzle import Pixels

_AROUND = tuple(part(np.linspace(0, 2 * math.pi, 48, endpoint=False)) for part in (np.cos, np.sin))


def ellipse(center: Point, half_width: float, half_height: float, color: Colour, degrees: float = 0.0) -> Polygon:
    """A filled ellipse, turned clockwise by some degrees."""
    x, y = half_width * _AROUND[0], half_height * _AROUND[1]
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return polygon(center[0] + x * cos - y * sin, center[1] + x * sin + y * cos, color)


def polygon(
    xs: Sequence[float] | NDArray[np.float64], ys: Sequence[float] | NDArray[np.float64], color: Colour
) -> Polygon:
    """A polygon from its corners' coordinates."""
    return Polygon(tuple(zip(np.asarray(xs).tolist(), np.asarray(ys).tolist(), strict=True)), color)


def closed_curve(points: Sequence[Point], steps: int = 12) -> NDArray[np.float64]:
    """Points of a smooth closed curve through some points, shape (n, 2), with so many steps between two of them."""
    corners = np.array([*points, points[0]], float)
    at = np.arange(len(corners))
    from scipy.interpolate import CubicSpline  # it takes long to import, and plans draw nothing

    return np.asarray(CubicSpline(at, corners, bc_type="periodic")(np.linspace(0, at[-1], steps * at[-1], False)))


def profile(heights: Sequence[float], values: Sequence[float], at: NDArray[np.float64]) -> NDArray[np.float64]:
    """A smooth curve through values at rising heights, which hardly overshoots them."""
    from scipy.interpolate import Akima1DInterpolator

    return np.asarray(Akima1DInterpolator(heights, values, method="makima")(at))


def color_mask(picture: Pixels, color: Colour) -> NDArray[np.bool_]:
    """Where a picture has exactly a color."""
    red, green, blue = (picture[..., channel] == color[channel] for channel in range(3))
    return np.asarray(red & green & blue)


def dilation(mask: NDArray[np.bool_], by: int) -> NDArray[np.bool_]:
    """A mask grown by some pixels upward, downward and to both sides."""
    wide = mask.copy()
    for shift in range(1, by + 1):
        wide[:, shift:] |= mask[:, :-shift]
        wide[:, :-shift] |= mask[:, shift:]
    high = wide.copy()
    for shift in range(1, by + 1):
        high[shift:] |= wide[:-shift]
        high[:-shift] |= wide[shift:]
    return high


def limb(points: Sequence[Point], width: float, color: Colour) -> list[Item]:
    """A rounded stroke through points."""
    lines = [Line(start, end, width, color) for start, end in pairwise(points)]
    return [*lines, *(Disc(point, width / 2, color) for point in points)]


def rounded_box(x0: float, y0: float, x1: float, y1: float, radius: float) -> tuple[tuple[float, float], ...]:
    """The outline of a rectangle with round corners."""
    points = []
    for k, (x, y) in enumerate(
        ((x1 - radius, y1 - radius), (x0 + radius, y1 - radius), (x0 + radius, y0 + radius), (x1 - radius, y0 + radius))
    ):
        for step in range(9):
            angle = math.pi / 2 * (k + step / 8)
            points.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return tuple(points)
