"""A tunnel of rings in steps of luminance, which seem to widen, and which do widen or not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Disc, Item, Polygon, Ring, Scene, rasterise
from veridical.media.draw.scene import Colour, Point
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.motion import frames
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant

_HUB = 0.13
_ARC = 4
_CROSS = ((1, 0), (0, 1), (-1, 0), (0, -1))
_METAL: Colour = (92, 92, 98)


class Tunnel(BaseItem):
    """The nuisances of a tunnel: its radius, its sectors, the ratio of a period, and by how much it widens."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.ratio = nuisances.between(1.32, 1.38)
        share = nuisances.between(*((0.34, 0.4), (0.24, 0.28), (0.16, 0.19))[grade - 1])
        self.radius = nuisances.px(196, 212)
        self.sectors = nuisances.one_of((28, 32, 36, 40))
        self.turn = nuisances.between(0, 360)
        self.phase = nuisances.between(0, 1)
        self.widening = nuisances.one_of((-1, 1)) * share
        self.inks = nuisances.one_of(range(len(frames.INKS)))
        self.ground = nuisances.one_of(range(len(frames.GROUNDS)))
        self.inward = nuisances.one_of((0, 1))
        self.lights = frames.lights(nuisances)
        self.size = nuisances.size


def cogs(center: Point, radii: tuple[float, float], sectors: int, turn: float, color: Colour) -> Polygon:
    """A disk whose even and odd sectors have different radii, as one polygon."""
    points: list[Point] = []
    for k in range(sectors):
        for step in range(_ARC + 1):
            angle = math.radians(turn + 360 * (k + step / _ARC) / sectors)
            points.append((center[0] + radii[k % 2] * math.cos(angle), center[1] + radii[k % 2] * math.sin(angle)))
    return Polygon(tuple(points), color)


def rings(
    center: Point,
    reach: tuple[float, float],
    ratio: float,
    phase: float,
    parts: Sequence[tuple[Colour, float]],
    spokes: tuple[int, float],
) -> list[Item]:
    """Rings between two radii in periods of a ratio, from the outer to the inner; odd sectors are half a period on."""
    inner, outer = reach
    shares = np.cumsum([0.0, *(share for _, share in parts)])
    borders = [
        (period + share, color)
        for period in range(math.ceil(math.log(outer / inner) / math.log(ratio)) + 3)
        for share, (color, _) in zip(shares[:-1].tolist(), parts, strict=True)
    ]
    items: list[Item] = []
    for at, color in borders:
        radii = [outer * ratio ** (1.5 + phase - at - odd / 2) for odd in (0, 1)]
        if max(radii) < inner:
            break
        items.append(cogs(center, (min(radii[0], outer), min(radii[1], outer)), spokes[0], spokes[1], color))
    return items


@lru_cache(maxsize=4)
def _frame(tunnel: Tunnel, widening: float, variant: Variant) -> Pixels:
    size, radius = tunnel.size, tunnel.radius
    center, scale = (size / 2, size / 2), size / 512
    parts = frames.steps(frames.INKS[tunnel.inks], variant)
    if tunnel.inward:
        parts = parts[::-1]
    hub = _HUB * radius
    items = rings(center, (hub, radius), tunnel.ratio, tunnel.phase + widening, parts, (tunnel.sectors, tunnel.turn))
    dots = [(center[0] + dx * radius / 2, center[1] + dy * radius / 2) for dx, dy in _CROSS]
    fixed: list[Item] = [
        Ring(center, radius, 8 * scale, _METAL),
        Disc(center, hub, _METAL),
        Disc(center, 0.55 * hub, (236, 236, 232)),
        *(Disc(dot, 7 * scale, (255, 255, 255)) for dot in dots),
        *(Disc(dot, 5 * scale, frames.MARK) for dot in dots),
    ]
    return rasterise(Scene(size, size, frames.GROUNDS[tunnel.ground], tuple(items + fixed)))


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001 (always the same two)
    """The shift of the colors along rays, on a scale of the logarithm of the radius."""
    return frames.read_motion(pictures, _rays, 5, frames.open_shift)


def _rays(picture: Pixels) -> NDArray[np.float64] | None:
    place = frames.dial(picture)
    if place is None:
        return None
    (x, y), half = place
    radii = half * np.exp(np.linspace(math.log(0.7), math.log(1.85), 400))
    angles = np.radians(np.arange(5.0, 360.0, 13.0))[:, None]
    return frames.profile_at(picture, x + radii * np.cos(angles), y + radii * np.sin(angles))


TUNNEL = Puzzle(
    name="tunnel",
    title="Change detection: tunnel",
    sees="rings that widen or draw together",
    truth="whether the second picture has the rings larger or smaller, against the dots that stay; light changes",
    source="ours, after Fraser & Wilcox 1979 and Kitaoka & Ashida 2003",
    graded="a smaller change of the rings",
    question="A first picture is followed by a second. Did the rings grow or shrink from one to the other?",
    question_reversed="A first picture is followed by a second. Do the rings have exactly the same sizes in both?",
    sample=Tunnel,
    **frames.two_frames(_frame, lambda base: base.widening),
    read=_read,
)
