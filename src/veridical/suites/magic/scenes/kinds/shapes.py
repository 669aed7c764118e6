"""Outlines that things are made of: corners as an array of shape (n, 2), x right, y down, in heights of the thing."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Outline = NDArray[np.float64]


def polygon(*points: tuple[float, float]) -> Outline:
    """The polygon of these corners."""
    return np.array(points, float)


def rect(x0: float, y0: float, x1: float, y1: float, corner: float = 0.0) -> Outline:
    """A rectangle, whose corners are rounded with a radius of `corner`.

    >>> rect(0, 0, 2, 1).tolist()
    [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]]
    """
    if not corner:
        return polygon((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    turn = np.linspace(0, math.pi / 2, 6)
    quarter = corner * np.stack([np.cos(turn), np.sin(turn)], 1)
    pieces = []
    for k, (x, y) in enumerate(((x1, y1), (x0, y1), (x0, y0), (x1, y0))):
        cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[k]
        rotated = quarter @ np.array([[cos, sin], [-sin, cos]], float)
        inner = (x - corner if x == x1 else x + corner, y - corner if y == y1 else y + corner)
        pieces.append(rotated + inner)
    return np.concatenate(pieces)


def oval(x: float, y: float, rx: float, ry: float | None = None) -> Outline:
    """An ellipse with upright axes about (x, y); a circle without `ry`."""
    turn = np.linspace(0, 2 * math.pi, 41)[:-1]
    return np.stack([x + rx * np.cos(turn), y + (rx if ry is None else ry) * np.sin(turn)], 1)


def lathe(x: float, *profile: tuple[float, float], smooth: bool = True) -> Outline:
    """The outline of a thing turned on a lathe about the upright line at `x`; its profile is (y, radius) downwards.

    A smooth one passes through the points without overshooting them, so that its width is that of the widest point.
    """
    from scipy.interpolate import PchipInterpolator

    ys, radii = np.array(profile, float).T
    if smooth:
        dense = np.linspace(ys[0], ys[-1], 40)
        dense = np.unique(np.concatenate([dense, ys]))
        radii = PchipInterpolator(ys, radii)(dense)
        ys = dense
    right = np.stack([x + radii, ys], 1)
    left = np.stack([x - radii, ys], 1)[::-1]
    return np.concatenate([right, left])


def arc(x: float, y: float, rx: float, ry: float, width: float, start: float = 0.0, end: float = 360.0) -> Outline:
    """A band along an ellipse, `width` wide, inside it; angles in degrees, clockwise as seen, 0 to the right."""
    turn = np.radians(np.linspace(start, end, 33))
    way = np.stack([np.cos(turn), np.sin(turn)], 1)
    outer = way * (rx, ry) + (x, y)
    inner = way * (rx - width, ry - width) + (x, y)
    return np.concatenate([outer, inner[::-1]])


def stroke(points: Sequence[tuple[float, float]], width: float, end_width: float | None = None) -> Outline:
    """A smooth band through the points, which may become thinner or wider towards its end."""
    along = np.array(points, float)
    if len(along) > 2:
        from scipy.interpolate import PchipInterpolator

        at = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(along, axis=0).T))])
        along = np.asarray(PchipInterpolator(at, along)(np.linspace(0, at[-1], 24)))
    way = np.gradient(along, axis=0)
    normal = np.stack([-way[:, 1], way[:, 0]], 1) / np.linalg.norm(way, axis=1, keepdims=True)
    half = np.linspace(width, width if end_width is None else end_width, len(along))[:, None] / 2
    return np.concatenate([along + normal * half, (along - normal * half)[::-1]])


def star(x: float, y: float, radius: float, inner: float, points: int = 5) -> Outline:
    """A star with a point at the top."""
    turn = np.arange(2 * points) * math.pi / points - math.pi / 2
    radii = np.where(np.arange(2 * points) % 2, inner, radius)
    return np.stack([x + radii * np.cos(turn), y + radii * np.sin(turn)], 1)


def heart(x: float, y: float, width: float) -> Outline:
    """A heart whose box begins at (x, y); it is 0.91 as high as wide."""
    turn = np.linspace(0, 2 * math.pi, 49)[:-1]
    up = 13 * np.cos(turn) - 5 * np.cos(2 * turn) - 2 * np.cos(3 * turn) - np.cos(4 * turn)
    across = 16 * np.sin(turn) ** 3
    return np.stack([x + width * (across + 16) / 32, y + width * (up.max() - up) / 32], 1)
