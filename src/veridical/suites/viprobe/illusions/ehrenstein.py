"""A figure in which the straight sides of squares look bowed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Item, Line, Polygon
from veridical.media.draw.scene import Point
from veridical.media.figures.hering import fan
from veridical.records import Box
from veridical.suites.viprobe.illusions.case import (
    BLACK,
    INKS,
    Case,
    Comparison,
    Factor,
    Figure,
    Frame,
    Measurement,
    box_around,
)
from veridical.suites.viprobe.illusions.curvature import parabola
from veridical.suites.viprobe.illusions.hints import dashes
from veridical.suites.viprobe.illusions.scatter import scattered
from veridical.suites.viprobe.illusions.tilt import midline
from veridical.suites.viprobe.illusions.view import Map, View

_EHRENSTEIN_REACH = 14.0


@dataclass(frozen=True, slots=True)
class Ehrenstein:
    """Two hollow coloured squares on a black fan of `rays` lines, on either side of its centre.

    `arrangement` is "beside" (left and right of the centre) or "above" (above and below it). A positive change bends
    all sides inward, towards the middle of their own square. What was published is not of one mind on the direction in
    which the sides seem to bend, and it differs from side to side here, so no direction counts as congruent.
    """

    width: int
    height: int
    changed: None
    arrangement: str
    ink: str
    rays: int
    phase: float
    ray_stroke: float
    fan: float
    stroke: float
    side: float
    x: float
    y: float
    distance: float
    scatter: int


def _sample_ehrenstein(frame: Frame) -> Ehrenstein:
    (arrangement,) = frame.in_turn(("beside", "above"))
    side = frame.px(148, 168)
    return Ehrenstein(
        width=frame.size,
        height=frame.size,
        changed=None,
        arrangement=arrangement,
        ink=frame.one_of(tuple(INKS)),
        rays=round(frame.base_scale(7.5, 17.5)),
        phase=frame.one_of((0.0, 0.5)),
        ray_stroke=frame.stroke(1.2, 1.8),
        fan=frame.px(238, 246),
        stroke=frame.stroke(2.4, 3.6),
        side=side,
        x=frame.px(251, 261),
        y=frame.px(251, 261),
        distance=side / 2 + frame.px(23, 31),
        scatter=frame.scatter(),
    )


def _inward(base: Ehrenstein, alpha: float) -> float:
    """How far the middle of each side lies inside the straight line between its corners."""
    return _EHRENSTEIN_REACH * alpha * base.width / 512


def _centres(base: Ehrenstein) -> tuple[Point, Point]:
    dx, dy = (base.distance, 0.0) if base.arrangement == "beside" else (0.0, base.distance)
    return (base.x - dx, base.y - dy), (base.x + dx, base.y + dy)


def _ehrenstein(base: Ehrenstein, alpha: float) -> Figure:
    squares = []
    hint: list[Item] = []
    reach = base.side / 2 + 2.5 * base.stroke
    outer, inner = (_contour(base.side, -_inward(base, alpha), away * base.stroke / 2) for away in (1, -1))
    outline = np.concatenate([outer, outer[:1], inner[::-1], inner[-1:]]).tolist()
    for x, y in _centres(base):
        squares.append(Polygon(tuple((x + dx, y + dy) for dx, dy in outline), INKS[base.ink]))
        corners = [(x + reach * i, y + reach * j) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        for corner, following in zip(corners, corners[1:] + corners[:1], strict=True):
            hint += dashes(corner, following, max(1.0, base.ray_stroke))
    return Figure(
        width=base.width,
        height=base.height,
        inducers=_rays(base),
        targets=tuple(squares),
        hint=tuple(hint),
        clutter=lambda: _strewn(base),
    )


def _rays(base: Ehrenstein) -> tuple[Line, ...]:
    return fan((base.x, base.y), base.fan, base.rays, base.phase, base.ray_stroke, BLACK)


@lru_cache(maxsize=64)
def _strewn(base: Ehrenstein) -> tuple[Item, ...]:
    return scattered(base.scatter, (base.width, base.height), _rays(base), 3)


def _contour(side: float, outward: float, away: float) -> NDArray[np.float64]:
    """The edge of a bowed square's stroke, `away` from its middle line, from a corner round; mitred at the corners."""
    along = np.linspace(-1, 1, 25)
    slope = -4 * outward * along / side
    normal = np.stack([-slope, np.ones_like(slope)], 1) / np.hypot(slope, 1)[:, None]
    middle = np.stack([along * side / 2, side / 2 + outward * (1 - along**2)], 1)
    edge = middle + away * normal
    corner = np.array([-1.0, 1.0])
    edge[0] = corner * (side / 2 + away / (normal[0] @ corner))
    quarter = np.array([[0, -1], [1, 0]])
    return np.concatenate([edge[:-1] @ np.linalg.matrix_power(quarter, turn) for turn in range(4)])


def _regions_ehrenstein(base: Ehrenstein) -> tuple[Box, ...]:
    reach = base.side / 2 + _inward(base, 1) + base.stroke
    return tuple(
        box_around((x - reach, x + reach), (y - reach, y + reach), base.width, base.height) for x, y in _centres(base)
    )


def _measure_ehrenstein(view: View) -> Measurement | None:
    """How far the sides of two hollow coloured squares bend inward: the mean of all eight."""
    found = view.targets
    if len(found) != 2 or any(min(target.coverage.shape) < 0.15 * view.width for target in found):
        return None
    bows = [_pinch(ink) for target in found for ink in (target.coverage, target.coverage.T)]
    known = [bow for bow in bows if bow is not None]
    return Measurement(sum(known) / 4) if len(known) == 4 else None


def _pinch(coverage: Map) -> float | None:
    """How far the upper and the lower side of a hollow square bend towards each other; `None` for another shape.

    Their distance by column is a parabola. Corners are where it equals the side, that is, their own distance.
    """
    height, width = coverage.shape
    columns = slice(round(0.2 * width), round(0.8 * width))
    upper, lower = (_edge(half[:, columns]) for half in (coverage[: height // 2], coverage[height // 2 :]))
    if abs(height - width) > 0.1 * width or upper is None or lower is None:
        return None
    fitted = parabola(lower + height // 2 - upper)
    if fitted is None:
        return None
    bend, middle = fitted
    root = 1 - bend * middle
    side = 2 * middle / (1 + math.sqrt(root)) if root > 0.05 else 0.0
    pinch = (side - middle) / 2
    return pinch if abs(pinch) < 0.15 * side else None


def _edge(half: Map) -> Map | None:
    """The height of the one thin stroke that crosses half a square, by column; `None` for anything else."""
    mass = half.sum(0)
    if mass.max() > 0.2 * len(half) or np.ptp(mass) > 0.3 * mass.max():
        return None
    return midline(half)


CASES = (
    Case(
        name="ehrenstein",
        number=27,
        title="Ehrenstein",
        category="orientation",
        sees="The sides of the squares seem to bend where the fan crosses them.",
        truth="All sides of both squares are straight.",
        source="Ehrenstein 1925; VI-Probe, Table 4, case 27",
        factor=Factor("bow of all sides in the middle, inward positive", "px", visible=2.0, tolerance=0.4, grows=True),
        question="Are all sides of the two {ink} squares straight?",
        question_reversed="Are some sides of the two {ink} squares curved?",
        comparison=Comparison(
            "Do the sides of the two {ink} squares bend inward or outward in the middle?", "inward", "outward"
        ),
        state="bounded by straight sides",
        measurand="how far the middle of each side of the {ink} squares lies off the straight line between its corners",
        departs="Published: smaller black squares on a grey fan, drawn in another way where they are bowed.",
        sample=_sample_ehrenstein,
        geometry=_ehrenstein,
        value=_inward,
        regions=_regions_ehrenstein,
        read=_measure_ehrenstein,
        smallest_size=128,
        directed=False,
    ),
)
