"""A figure that no textbook shows: colored pills of one length inside spirals of wedges."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from veridical.media.draw import Item, Line, Polygon
from veridical.media.draw.scene import Colour, Point
from veridical.records import Box
from veridical.suites.viprobe.illusions.case import (
    BLACK,
    INKS,
    Case,
    CaseFigure,
    CaseItem,
    CaseNuisances,
    Factor,
    Measurement,
    TargetComparison,
    dashes,
    difference,
)
from veridical.suites.viprobe.illusions.scatter import ScatterField, nearest_distance
from veridical.suites.viprobe.illusions.view import Target, View

_LONGER = 0.4
_RULER = (110, 110, 110)
_SEES = "No impression is known: the figure was made for this set."
_SOURCE = "veridical, novel"


class SpiralPills(CaseItem):
    """Two upright pills, each amid a spiral of black triangles; `clockwise` names the one whose spiral winds so."""

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame, wide=True)
        self.changed, self.clockwise = frame.in_turn(("left", "right"), ("left", "right"))
        self.length = frame.base_scale(54, 76) * frame.scale
        self.ink = frame.one_of(tuple(INKS))
        self.thickness = self.length * frame.between(0.3, 0.38)
        self.triangles = frame.one_of((17, 19, 21))
        self.turns = frame.between(1.3, 1.5)
        self.start = frame.between(0, 360)
        self.left = frame.px(124, 132)
        self.right = frame.px(380, 388)
        self.left_y = frame.px(120, 136)
        self.right_y = frame.px(120, 136)
        self.scatter = frame.scatter()


def _pill_length(base: SpiralPills, place: str, alpha: float) -> float:
    return base.length * (1 + _LONGER * alpha) if place == base.changed else base.length


def _pill(x: float, y: float, length: float, thickness: float, colour: Colour) -> Polygon:
    """An upright bar with round ends."""
    turn = np.linspace(0, math.pi, 33)
    xs, ys = np.cos(turn) * thickness / 2, np.sin(turn) * thickness / 2 + (length - thickness) / 2
    corners = np.concatenate([np.stack([x + xs, y + ys], 1), np.stack([x - xs, y - ys], 1)])
    return Polygon(tuple((float(px), float(py)) for px, py in corners), colour)


def _spiral(base: SpiralPills, x: float, y: float, winding: int) -> list[Polygon]:
    """Triangles at even distances along a spiral whose radius grows with its angle, each pointing outwards along it."""
    inner, outer = 0.92, 1.36
    made = []
    for radius in np.sqrt(np.linspace(inner**2, outer**2, base.triangles)).tolist():
        at = math.radians(base.start + winding * 360 * base.turns * (radius - inner) / (outer - inner))
        centre = x + radius * base.length * math.cos(at), y + radius * base.length * math.sin(at)
        made.append(_wedge(base, centre, at, winding))
    return made


def _wedge(base: SpiralPills, centre: Point, at: float, winding: int) -> Polygon:
    size = 0.13 * base.length
    heads = [(at + winding * math.radians(85 + away), size * long) for away, long in ((0, 1.4), (135, 1), (225, 1))]
    corners = tuple((centre[0] + out * math.cos(head), centre[1] + out * math.sin(head)) for head, out in heads)
    return Polygon(corners, BLACK)


def _pill_figure(base: SpiralPills, alpha: float) -> CaseFigure:
    pills, inducers = [], []
    hint: list[Item] = []
    middle = (base.left + base.right) / 2
    places = ("left", base.left, base.left_y, 0.0, middle), ("right", base.right, base.right_y, middle, base.width)
    for place, x, y, start, end in places:
        pills.append(_pill(x, y, _pill_length(base, place, alpha), base.thickness, INKS[base.ink]))
        inducers += _spiral(base, x, y, 1 if place == base.clockwise else -1)
        for level in (y - base.length / 2, y + base.length / 2):
            hint += dashes((start, level), (end, level), max(1.0, base.width / 400), _RULER)
    return base.figure(inducers=inducers, targets=pills, hint=hint, clutter=lambda: _strewn(base))


@lru_cache(maxsize=64)
def _strewn(base: SpiralPills) -> tuple[Item, ...]:
    """The wedges of both spirals, as many about either pill, turned anyhow."""
    middles = [(base.left, base.left_y), (base.right, base.right_y)]
    pills = [_axis(base, middle, base.length) for middle in middles]
    longest = [_axis(base, middle, base.length * (1 + _LONGER)) for middle in middles]
    spirals = [
        (_spiral(base, *middle, winding), pill)
        for middle, pill in zip(middles, pills, strict=True)
        for winding in (-1, 1)
    ]
    near = min(nearest_distance(spiral, pill) for spiral, pill in spirals)
    unit = base.width / 512
    keep = [(pill, 0.99 * near) for pill in pills]
    keep += [(pill, unit) for pill in longest]
    field = ScatterField(np.random.default_rng(base.scatter), (base.width, base.height), keep, apart=2 * unit)
    wedge = _wedge(base, (0.0, 0.0), 0.0, 1)
    field.deal(list(zip(pills, middles, strict=True)), [wedge] * (2 * base.triangles), near, 0.95 * base.length)
    return tuple(field.items)


def _axis(base: SpiralPills, middle: Point, length: float) -> Line:
    """The stroke that with round ends is a pill."""
    (x, y), half = middle, (length - base.thickness) / 2
    return Line((x, y - half), (x, y + half), base.thickness, BLACK)


def _pill_regions(base: SpiralPills) -> tuple[Box, ...]:
    x, y = (base.left, base.left_y) if base.changed == "left" else (base.right, base.right_y)
    edge, half = base.thickness / 2, base.length * (1 + _LONGER) / 2
    return (base.box((x - edge, x + edge), (y - half, y + half)),)


def _measure_pills(view: View) -> Measurement | None:
    """The lengths of two colored upright bars with round ends, side by side: left minus right."""
    targets = sorted(view.targets, key=lambda target: target.x)
    if len(targets) != 2 or abs(targets[0].centre[1] - targets[1].centre[1]) > 0.1 * view.height:
        return None
    left, right = (_length_of_pill(target) for target in targets)
    return difference(left, right)


def _length_of_pill(target: Target) -> float | None:
    """The length by the area, given the width halfway down; `None` where the ends are not round."""
    rows = len(target.coverage)
    middle = target.coverage[rows * 2 // 5 : rows - rows * 2 // 5].sum(1)
    width = float(middle.mean())
    length = target.area / width + (1 - math.pi / 4) * width
    tallest = float(target.coverage.sum(0).max())
    if np.ptp(middle) > 0.05 * width or not 1.3 * width < length < 8 * width:
        return None
    return length if abs(length - tallest) < 0.08 * width + 0.1 else None


CASES = (
    Case(
        name="spiral_pills",
        number=28,
        title="Pills in spirals",
        category="size",
        sees=_SEES,
        truth="Both pills have the same length.",
        source=_SOURCE,
        factor=Factor("difference in length, left minus right", "px", least=1.0, tolerance=0.4, grows=True),
        question="Does one {ink} pill reach exactly as far from end to end as the other?",
        question_reversed="Does one {ink} pill reach farther from end to end than the other?",
        comparison=TargetComparison(
            "Which of the two {ink} pills reaches farther from end to end, the left or the right one?", "left", "right"
        ),
        state="equally far from end to end",
        measurand="the length of each {ink} pill",
        directed=False,
        novel=True,
        sample=SpiralPills,
        geometry=_pill_figure,
        value=lambda base, alpha: _pill_length(base, "left", alpha) - _pill_length(base, "right", alpha),
        regions=_pill_regions,
        read=_measure_pills,
    ),
)
