"""Figures in which equal lengths look unequal because one seems to lie farther away."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Item, Line, Polygon
from veridical.media.draw.scene import Point
from veridical.records import Box
from veridical.suites.viprobe.illusions.case import BLACK, INKS, Case, CaseFigure, CaseItem, CaseNuisances, LazyItems
from veridical.suites.viprobe.illusions.length import LENGTH, LONGER, REACH, measure_lines, rulers
from veridical.suites.viprobe.illusions.scatter import Rng, ScatterField, nearest_distance, pieces, turns

_MARGIN = 0.04
_PIECES, _SLABS = 7, 6


class RecedingLines(CaseItem):
    """Two level lines of one length between edges that come together toward `far`, the top or the bottom.

    The edges are `gap` apart at the far line and `spread` times that at the near one; 8 % are left between the far line
    at its longest and the edges.
    """

    scatter: int

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame, wide=True)
        self.changed, self.far = frame.in_turn(("top", "bottom"), ("top", "bottom"))
        self.length = frame.base_scale(60, 88) * frame.scale
        self.ink = frame.one_of(tuple(INKS))
        self.stroke = frame.stroke(2.4, 3.6)
        self.x, self.top, self.bottom = frame.px(248, 264), frame.px(60, 70), frame.px(186, 196)
        self.gap = self.length * (1 + REACH) * frame.between(1.08, 1.14)
        self.spread = frame.between(2.0, 2.25)


class Ponzo(RecedingLines):
    """Between two black rails, `rail` thick."""

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame)
        self.rail = frame.stroke(2.0, 3.2)
        self.gap += 3 * self.rail
        self.scatter = frame.scatter()


class PonzoTrapezoid(RecedingLines):
    """On a trapezoid of a light gray."""

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame)
        self.shade = frame.one_of((200, 210, 220))
        self.scatter = frame.scatter()


def _length(base: RecedingLines, place: str, alpha: float) -> float:
    """The line at a place; congruent change lengthens the far line, which looks longer, or shortens the near one."""
    return base.length * (1 + base.change(place, base.far, REACH * alpha))


def _half(base: RecedingLines, y: float) -> float:
    """Half the distance between the edges at a height."""
    far, near = (base.top, base.bottom) if base.far == "top" else (base.bottom, base.top)
    return base.gap * (1 + (base.spread - 1) * (y - far) / (near - far)) / 2


def _edges(base: RecedingLines) -> tuple[tuple[Point, Point], tuple[Point, Point]]:
    """The left and the right edge, each from its end at the top of the picture to the one at the bottom."""
    ends = (_MARGIN * base.height, (1 - _MARGIN) * base.height)
    upper, lower = (_half(base, y) for y in ends)
    left, right = (((base.x + side * upper, ends[0]), (base.x + side * lower, ends[1])) for side in (-1, 1))
    return left, right


def _figure(base: RecedingLines, alpha: float, inducers: tuple[Item, ...], clutter: LazyItems) -> CaseFigure:
    lines: list[Item] = []
    for place, y in (("top", base.top), ("bottom", base.bottom)):
        half = _length(base, place, alpha) / 2
        lines.append(Line((base.x - half, y), (base.x + half, y), base.stroke, INKS[base.ink]))
    beyond = base.length / 4
    return base.figure(
        inducers=inducers,
        targets=lines,
        hint=rulers(base.x, base.length, (base.top - beyond, base.bottom + beyond), base.stroke),
        clutter=clutter,
    )


def _between_rails(base: Ponzo, alpha: float) -> CaseFigure:
    return _figure(base, alpha, _rails(base), lambda: _strewn_rails(base))


def _rails(base: Ponzo) -> tuple[Line, ...]:
    return tuple(Line(start, end, base.rail, BLACK) for start, end in _edges(base))


@lru_cache(maxsize=64)
def _strewn_rails(base: Ponzo) -> tuple[Item, ...]:
    """Both rails broken into pieces, as many about either line, as near to it as the rails are to the far one."""
    rng = np.random.default_rng(base.scatter)
    rails, half = _rails(base), base.length / 2
    lines = [Line((base.x - half, y), (base.x + half, y), base.stroke, BLACK) for y in (base.top, base.bottom)]
    longest = [
        replace(
            line, start=(base.x - (1 + REACH) * half, line.start[1]), end=(base.x + (1 + REACH) * half, line.end[1])
        )
        for line in lines
    ]
    near = min(nearest_distance(rails, line) for line in lines)
    keep = [*((line, 1.5 * base.stroke) for line in longest), *((line, 0.99 * near) for line in lines)]
    field = ScatterField(rng, (base.width, base.height), keep, apart=base.rail)
    for line in lines:
        y = line.start[1]
        own = pieces(rails[0], _PIECES)
        spread = turns(rng, len(own), 360.0)

        def ray(place: int, y: float = y, spread: list[float] = spread) -> tuple[Point, float]:
            return (base.x + rng.uniform(-1, 1) * half, y), spread[place] + rng.uniform(-60, 60)

        field.strew_around(line, own, near, near + base.length, ray)
    return tuple(field.items)


def _on_trapezoid(base: PonzoTrapezoid, alpha: float) -> CaseFigure:
    left, right = _edges(base)
    trapezoid = Polygon((*left, *right[::-1]), (base.shade, base.shade, base.shade))
    return _figure(base, alpha, (trapezoid,), lambda: _ragged(base))


@lru_cache(maxsize=64)
def _ragged(base: PonzoTrapezoid) -> tuple[Item, ...]:
    """The trapezoid cut into slabs, whose ends change places at random on either side.

    Either line lies on a slab with one end as near to it as the edges are to the far line, and the other as far off as
    they are at the near line. No end beside that slab is nearer.
    """
    rng = np.random.default_rng(base.scatter)
    (_, high), (_, low) = _edges(base)[0]
    step = (base.bottom - base.top) / _SLABS
    middles = [base.top + k * step for k in range(-_SLABS, 2 * _SLABS)]
    tops = [high, *(y - step / 2 for y in middles if high + step / 2 < y - step / 2 < low - step / 2)]
    bottoms = [*tops[1:], low]
    lines = [
        k for k, (y0, y1) in enumerate(zip(tops, bottoms, strict=True)) if y0 < base.top < y1 or y0 < base.bottom < y1
    ]
    close, off = base.gap / 2, base.gap * base.spread / 2
    halves = [_half(base, (y0 + y1) / 2) for y0, y1 in zip(tops, bottoms, strict=True)]
    ends = [_dealt_ends(rng, halves, lines, close) for _ in range(2)]
    for line in lines:
        side = int(rng.integers(2))
        ends[side][line], ends[1 - side][line] = close, off
    heights = np.subtract(bottoms, tops)
    own = np.isin(np.arange(len(tops)), lines)
    area, kept = 2 * heights @ halves, heights[own] @ np.sum(ends, 0)[own]
    scale = (area - kept) / (heights[~own] @ np.sum(ends, 0)[~own])
    corners: list[list[Point]] = [[], []]
    for k, (y0, y1) in enumerate(zip(tops, bottoms, strict=True)):
        for side, way in ((0, -1), (1, 1)):
            x = base.x + way * float(ends[side][k] * (1 if own[k] else scale))
            corners[side] += [(x, y0), (x, y1)]
    return (Polygon((*corners[0], *corners[1][::-1]), (base.shade, base.shade, base.shade)),)


def _dealt_ends(rng: Rng, halves: list[float], lines: list[int], least: float) -> NDArray[np.float64]:
    """The distances in random order, those above and below the lines no less than `least`."""
    beside = [k for line in lines for k in (line - 1, line + 1) if 0 <= k < len(halves)]
    while True:
        drawn = rng.permutation(halves)
        if drawn[beside].min() >= least:
            return drawn


def _value(base: RecedingLines, alpha: float) -> float:
    return _length(base, "top", alpha) - _length(base, "bottom", alpha)


def _regions(base: RecedingLines) -> tuple[Box, ...]:
    y = base.top if base.changed == "top" else base.bottom
    half, thick = base.length * (1 + REACH) / 2, base.stroke / 2
    return (base.box((base.x - half, base.x + half), (y - thick, y + thick)),)


CASES = (
    Case(
        name="ponzo",
        number=3,
        title="Ponzo",
        category="size",
        sees="The line where the rails come together looks longer than the other.",
        truth="Both horizontal lines have the same length.",
        source="Ponzo 1911; VI-Probe, Table 4, case 3",
        factor=LENGTH,
        question="Is the upper {ink} line exactly as long as the lower {ink} line?",
        question_reversed="Is the upper {ink} line longer or shorter than the lower {ink} line?",
        comparison=LONGER,
        state="equally long",
        measurand="the length of each horizontal {ink} line",
        departs="Published: black lines of whole pixels that run into the rails; the upper, far one always changes.",
        aligned="Both lines lie about the middle between the rails: to one side, the far one would touch a rail.",
        sample=Ponzo,
        geometry=_between_rails,
        value=_value,
        regions=_regions,
        read=measure_lines,
    ),
    Case(
        name="ponzo_trapezoid",
        number=4,
        title="Ponzo trapezoid",
        category="size",
        sees="The line where the trapezoid is narrow looks longer than the one where it is wide.",
        truth="Both horizontal lines have the same length.",
        source="After Ponzo 1911; VI-Probe, Table 4, case 4",
        factor=LENGTH,
        question="Are the upper and the lower {ink} line equal in length?",
        question_reversed="Are the upper and the lower {ink} line unequal in length?",
        comparison=LONGER,
        state="equal in length",
        measurand="the length of each horizontal {ink} line",
        departs="Published: black lines of whole pixels that overrun the trapezoid; the upper one always changes.",
        aligned="Both lines lie about the trapezoid's axis: to one side, the far one would leave it.",
        sample=PonzoTrapezoid,
        geometry=_on_trapezoid,
        value=_value,
        regions=_regions,
        read=measure_lines,
    ),
)
