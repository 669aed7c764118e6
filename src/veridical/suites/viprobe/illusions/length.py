"""Figures in which equal lengths look unequal."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np

from veridical.media.draw import Item, Line, Ring
from veridical.media.draw.scene import Point
from veridical.records import Box
from veridical.suites.viprobe.illusions.case import (
    BLACK,
    INKS,
    Case,
    CaseFigure,
    CaseItem,
    CaseNuisances,
    Factor,
    LazyItems,
    Measurement,
    TargetComparison,
    dashes,
)
from veridical.suites.viprobe.illusions.scatter import Rng, ScatterField
from veridical.suites.viprobe.illusions.view import Target, View

REACH = 0.5


class Shafts(CaseItem):
    """Two level lines of one length; `outward` names the one whose attachments lie beyond its ends."""

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame, wide=True)
        self.changed, self.outward = frame.in_turn(("top", "bottom"), ("top", "bottom"))
        self.ink = frame.one_of(tuple(INKS))
        self.length = frame.base_scale(150, 220) * frame.scale
        self.stroke = frame.stroke(2.4, 3.6)
        self.top_x, self.bottom_x = frame.px(240, 272), frame.px(240, 272)
        self.top, self.bottom = frame.px(58, 72), frame.px(184, 198)


class MullerLyer(Shafts):
    """Shafts with fins, whose length is in pixels and whose angle to the shaft is in degrees."""

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame)
        self.fin = self.length * frame.between(0.18, 0.22)
        self.angle = frame.between(32, 42)
        self.scatter = frame.scatter()


class CircleMullerLyer(Shafts):
    """Shafts with a ring at each end, which touches that end from within or from beyond."""

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame)
        self.radius = self.length * frame.between(0.085, 0.1)
        self.scatter = frame.scatter()


def _length(base: Shafts, place: str, alpha: float) -> float:
    """The shaft at a place; congruent change lengthens the shaft that looks longer or shortens the other."""
    return base.length * (1 + base.change(place, base.outward, REACH * alpha))


def _figure(
    base: Shafts, alpha: float, attached: Callable[[Point, int], Iterable[Item]], clutter: LazyItems
) -> CaseFigure:
    """The shafts with what is attached at each end, given its place and which way (-1 left, 1 right) it lies."""
    shafts: list[Item] = []
    inducers: list[Item] = []
    hint: list[Item] = []
    middle = (base.top + base.bottom) / 2
    places = ("top", base.top_x, base.top, 0.0, middle), ("bottom", base.bottom_x, base.bottom, middle, base.height)
    for place, x, y, above, below in places:
        half = _length(base, place, alpha) / 2
        shafts.append(Line((x - half, y), (x + half, y), base.stroke, INKS[base.ink]))
        hint += rulers(x, base.length, (above, below), base.stroke)
        away = 1 if place == base.outward else -1
        for end in (-1, 1):
            inducers += attached((x + end * half, y), end * away)
    return base.figure(inducers=inducers, targets=shafts, hint=hint, clutter=clutter)


def _strewn(base: Shafts, seed: int, element: Item, count: int) -> tuple[Item, ...]:
    """So many elements about each shaft, half above and half below it, half on its left and half on its right.

    They keep clear of the shafts at their longest; the first of each side lies close to the shaft also at its shortest.
    """
    rng = np.random.default_rng(seed)
    half = base.length / 2
    shafts = [
        Line((x - (1 + REACH) * half, y), (x + (1 + REACH) * half, y), base.stroke, BLACK)
        for x, y in ((base.top_x, base.top), (base.bottom_x, base.bottom))
    ]
    near = base.stroke / 2
    field = ScatterField(rng, (base.width, base.height), [(shaft, near) for shaft in shafts], apart=base.stroke)
    for shaft in shafts:
        ways = quarters(rng, count)

        def ray(place: int, shaft: Line = shaft, ways: list[tuple[int, int]] = ways) -> tuple[Point, float]:
            side, up = ways[place]
            along = rng.uniform(0, 1 - REACH) if not place else rng.uniform(0.2, 1 + REACH)
            return ((shaft.start[0] + shaft.end[0]) / 2 + side * along * half, shaft.start[1]), 90.0 * up

        field.strew_around(shaft, [element] * count, near, 4 * base.stroke, ray)
    return tuple(field.items)


def quarters(rng: Rng, count: int) -> list[tuple[int, int]]:
    """For each of an even number of elements its side (-1 left, 1 right) and -1 above, 1 below, at random, balanced."""
    sides, ups = ([int(way) for way in rng.permutation([-1, 1] * (count // 2))] for _ in range(2))
    return list(zip(sides, ups, strict=True))


def rulers(x: float, length: float, ys: tuple[float, float], stroke: float) -> tuple[Item, ...]:
    """Upright dashed lines through the ends that level lines of one length about x have."""
    ends = (x - length / 2, x + length / 2)
    return tuple(dash for end in ends for dash in dashes((end, ys[0]), (end, ys[1]), max(1.0, stroke / 2)))


def _with_fins(base: MullerLyer, alpha: float) -> CaseFigure:
    run, rise = base.fin * math.cos(math.radians(base.angle)), base.fin * math.sin(math.radians(base.angle))

    def fins(tip: Point, way: int) -> list[Item]:
        return [Line(tip, (tip[0] + way * run, tip[1] + up * rise), base.stroke, BLACK) for up in (-1, 1)]

    return _figure(base, alpha, fins, lambda: _strewn_fins(base))


@lru_cache(maxsize=64)
def _strewn_fins(base: MullerLyer) -> tuple[Item, ...]:
    return _strewn(base, base.scatter, Line((-base.fin / 2, 0.0), (base.fin / 2, 0.0), base.stroke, BLACK), 4)


def _with_rings(base: CircleMullerLyer, alpha: float) -> CaseFigure:
    def ring(tip: Point, way: int) -> list[Item]:
        return [Ring((tip[0] + way * base.radius, tip[1]), base.radius, base.stroke, BLACK)]

    return _figure(base, alpha, ring, lambda: _strewn_rings(base))


@lru_cache(maxsize=64)
def _strewn_rings(base: CircleMullerLyer) -> tuple[Item, ...]:
    return _strewn(base, base.scatter, Ring((0.0, 0.0), base.radius, base.stroke, BLACK), 2)


def _value(base: Shafts, alpha: float) -> float:
    return _length(base, "top", alpha) - _length(base, "bottom", alpha)


def _region(base: Shafts, beyond: float, rise: float) -> tuple[Box, ...]:
    """Around the changed shaft at its longest, with attachments that reach so far beyond its ends and up."""
    x, y = (base.top_x, base.top) if base.changed == "top" else (base.bottom_x, base.bottom)
    half = base.length * (1 + REACH) / 2 + beyond + base.stroke
    rise += base.stroke
    return (base.box((x - half, x + half), (y - rise, y + rise)),)


def measure_lines(view: View) -> Measurement | None:
    """The lengths of two colored horizontal lines, one above the other: top minus bottom."""
    targets = view.targets
    if len(targets) != 2:
        return None
    top, bottom = (_length_of(target) for target in targets)
    if top is None or bottom is None or max(top, bottom) > 0.75 * view.width:
        return None
    above, below = (target.centre for target in targets)
    if abs(above[0] - below[0]) > 0.25 * max(top, bottom) or below[1] - above[1] < 0.1 * view.height:
        return None
    return Measurement(top - bottom)


def _length_of(target: Target) -> float | None:
    """The length of a horizontal stroke with square ends, from its ink by column; `None` for another shape."""
    width = target.coverage.shape[1]
    if width < 6:
        return None
    inner = target.coverage[:, 2:-2]
    by_column = inner.sum(0)
    stroke = float(by_column.mean())
    length = target.area / stroke
    if stroke > 0.25 * length or np.ptp(by_column) > 0.2 * stroke or np.ptp(inner, axis=1).max() > 0.2:
        return None
    return length


LENGTH = Factor("difference in length, top minus bottom", "px", least=1.0, tolerance=0.4, grows=True)
LONGER = TargetComparison(
    "Which of the two horizontal {ink} lines is longer, the top or the bottom one?", "top", "bottom"
)

CASES = (
    Case(
        name="muller_lyer",
        number=1,
        title="Müller-Lyer",
        category="size",
        sees="The line whose fins flare out looks longer than the one whose fins fold back.",
        truth="Both horizontal lines have the same length.",
        source="Müller-Lyer 1889; VI-Probe, Table 4, case 1",
        factor=LENGTH,
        question="Are the two horizontal {ink} lines equally long?",
        question_reversed="Do the two horizontal {ink} lines have different lengths?",
        comparison=LONGER,
        state="equally long",
        measurand="the length of each horizontal {ink} line",
        departs="Published: black lines of whole pixels; the lower one always changes, and its fins always flare out.",
        sample=MullerLyer,
        geometry=_with_fins,
        value=_value,
        regions=lambda base: _region(base, base.fin, base.fin * math.sin(math.radians(base.angle))),
        read=measure_lines,
        smallest_size=64,
    ),
    Case(
        name="circle_muller_lyer",
        number=2,
        title="Circle Müller-Lyer",
        category="size",
        sees="The line with circles beyond its ends looks longer than the one with circles inside them.",
        truth="Both horizontal lines have the same length.",
        source="After Müller-Lyer 1889; VI-Probe, Table 4, case 2",
        factor=LENGTH,
        question="Do both horizontal {ink} lines have the same length?",
        question_reversed="Is one of the horizontal {ink} lines longer than the other?",
        comparison=LONGER,
        state="of the same length",
        measurand="the length of each horizontal {ink} line",
        departs="Published: as case 1; the outer circles are centered on the ends instead of lying beyond them.",
        sample=CircleMullerLyer,
        geometry=_with_rings,
        value=_value,
        regions=lambda base: _region(base, 2 * base.radius, base.radius),
        read=measure_lines,
        smallest_size=64,
    ),
)
