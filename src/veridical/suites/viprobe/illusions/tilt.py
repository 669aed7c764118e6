"""Figures in which parallel lines look tilted; the strokes of other figures of long lines are read here, too."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Item, Line
from veridical.media.draw.scene import Point
from veridical.media.figures.hering import hatch_lines, tilted_line
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
)
from veridical.suites.viprobe.illusions.scatter import ScatterField, map_points, shuffle, turns
from veridical.suites.viprobe.illusions.view import Map, groups

_REACH = 3.0


class Zollner(CaseItem):
    """Colored lines crossed by short black hatches that lean the other way on every other line.

    `lean` is +1 where the hatches of the first line are turned counter-clockwise from it, else -1. Described for level
    lines; for upright ones x and y are exchanged, so that counter-clockwise becomes clockwise.
    """

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame)
        (lean,) = frame.in_turn(("+1", "-1"))
        self.lines = round(frame.base_scale(6.5, 10.5))
        self.spacing = frame.px(390, 410) / (self.lines - 1)
        self.ink = frame.one_of(tuple(INKS))
        self.lean = int(lean)
        self.angle = frame.between(22, 34)
        self.hatch = frame.px(44, 56)
        self.hatches = frame.one_of((11, 12, 13, 14))
        self.hatch_stroke = frame.stroke(1.6, 2.4)
        self.stroke = frame.stroke(2.4, 3.6)
        self.x = frame.px(250, 262)
        self.half = frame.px(196, 210)
        self.first = (frame.size - self.spacing * (self.lines - 1)) / 2 + frame.px(-10, 10)
        self.scatter = frame.scatter()


def _tilt(base: Zollner, line: int, alpha: float) -> float:
    """Degrees counter-clockwise; congruent change turns a line away from its hatches, as it seems to be turned."""
    return -_REACH * alpha * _lean(base, line)


def _lean(base: Zollner, line: int) -> int:
    return base.lean if line % 2 == 0 else -base.lean


def _geometry(base: Zollner, alpha: float) -> CaseFigure:
    lines, hatches = [], []
    places = [base.x + float(place) * base.half for place in np.linspace(-0.94, 0.94, base.hatches)]
    for line in range(base.lines):
        y = base.first + line * base.spacing
        lines.append(tilted_line((base.x, y), base.half, _tilt(base, line, alpha), base.stroke, INKS[base.ink]))
        lean = base.angle * _lean(base, line)
        hatches += hatch_lines([(x, y) for x in places], base.hatch, lean, base.hatch_stroke, BLACK)
    between = (base.first + (line + 0.5) * base.spacing for line in range(base.lines - 1))
    ruler = max(1.0, base.hatch_stroke / 2)
    hint = [dash for y in between for dash in dashes((base.x - base.half, y), (base.x + base.half, y), ruler)]
    return base.figure(inducers=hatches, targets=lines, hint=hint, clutter=lambda: _strewn(base))


@lru_cache(maxsize=64)
def _strewn(base: Zollner) -> tuple[Item, ...]:
    """The hatches of each line turned evenly into all directions, and moved along it and off it."""
    rng = np.random.default_rng(base.scatter)
    field = ScatterField(rng, (base.width, base.height), apart=base.hatch_stroke / 2)
    hatch = Line((-base.hatch / 2, 0.0), (base.hatch / 2, 0.0), base.hatch_stroke, BLACK)
    rows = [base.first + line * base.spacing for line in range(base.lines)]
    drawn = [(y, turn) for y in rows for turn in turns(rng, base.hatches)]
    order = shuffle(rng, drawn)

    def spot(place: int) -> Point:
        return base.x + rng.uniform(-1, 1) * base.half, order[place][0] + rng.uniform(-0.4, 0.4) * base.hatch

    field.strew([hatch] * len(order), [turn for _, turn in order], spot)
    return tuple(field.items)


def _regions(base: Zollner) -> tuple[Box, ...]:
    sway = base.half * math.sin(math.radians(_REACH)) + base.stroke
    return tuple(
        base.box((base.x - base.half - base.stroke, base.x + base.half + base.stroke), (y - sway, y + sway))
        for y in (base.first + line * base.spacing for line in range(base.lines))
    )


def _alternation(depth: NDArray[np.uint8]) -> Measurement | None:
    """Half the difference in slope between odd and even colored lines, by a straight fit to each; degrees."""
    strokes = long_strokes(depth)
    slopes = [slope for slope in map(_slope, strokes) if slope is not None]
    if len(strokes) < 5 or len(slopes) < len(strokes):
        return None
    return Measurement(float(np.mean(slopes[::2]) - np.mean(slopes[1::2])) / 2)


def _slope(stroke: Stroke) -> float | None:
    """The slope in degrees, up on the right positive; `None` where the stroke is not straight."""
    heights = stroke.heights - stroke.heights.mean()
    at = np.arange(len(heights)) - (len(heights) - 1) / 2
    slope = float(at @ heights / (at @ at))
    if np.abs(heights - slope * at).max() > 0.45:
        return None
    return -math.degrees(math.atan(slope))


class Stroke(NamedTuple):
    """A long thin stroke from left to right: how long it is, and the y of its middle at each column but the last few.

    At both ends 1 % of it, or 2 px, are left out of `heights`.
    """

    length: float
    heights: Map


def long_strokes(depth: NDArray[np.uint8]) -> list[Stroke]:
    """The long thin strokes from left to right in a map of chroma, from the top.

    Empty where anything colored is not such a stroke, of at least half the width, without a gap, in rows of its own.
    """
    width = depth.shape[1]
    rows = groups(depth.max(1) > 2)
    if not rows or max(stop - start for start, stop in rows) > 0.2 * width:
        return []
    strokes = [_stroke(depth[start:stop], start) for start, stop in rows]
    traced = [stroke for stroke in strokes if stroke is not None]
    return traced if len(traced) == len(rows) else []


def _stroke(band: NDArray[np.uint8], top: int) -> Stroke | None:
    """The one stroke in a band of rows."""
    width = band.shape[1]
    coverage = band.astype(np.float32) / band.max()
    mass = coverage.sum(0)
    covered = np.flatnonzero(mass > 0.5 * mass.max())
    if len(covered) < max(0.5 * width, 12) or covered[-1] - covered[0] >= len(covered):
        return None
    trim = max(2, len(covered) // 100)
    inner = slice(covered[0] + trim, covered[-1] + 1 - trim)
    thickness = float(mass[inner].mean())
    if np.ptp(mass[inner]) > 0.25 * thickness or thickness > 0.01 * width + 2:
        return None
    return Stroke(float(mass.sum()) / thickness, midline(coverage[:, inner]) + top)


def midline(coverage: NDArray[np.floating]) -> Map:
    """The y of the middle of a stroke, a pixel thick or more, by column: halfway between its two edges.

    Exact for soft edges, where the center of mass is not: it takes a part of a pixel for all of it, thinned.
    """
    columns = np.arange(coverage.shape[1])
    fullest = coverage.argmax(0)
    covered = coverage[fullest, columns]
    upto = coverage.cumsum(0)
    below = upto[-1] - upto[fullest, columns]
    lean = below - (upto[fullest, columns] - covered)
    middle: Map = fullest + 0.5 + (lean + np.sign(lean) * (1 - covered)) / 2
    return middle


def transpose(case: Case, **changes: Any) -> Case:  # noqa: ANN401 (any field of a case)
    """A case on a square canvas with x and y exchanged: level strokes become upright ones, and the first the left one.

    `changes` names and words it anew, and gives it a measure of its own.
    """
    return replace(
        case,
        geometry=lambda base, alpha: _exchanged(case.geometry(base, alpha)),
        regions=lambda base: tuple(Box(y0, x0, y1, x1) for x0, y0, x1, y1 in case.regions(base)),
        **changes,
    )


def _exchanged(figure: CaseFigure) -> CaseFigure:
    def flip(items: tuple[Item, ...]) -> tuple[Item, ...]:
        return tuple(map_points(item, lambda point: (point[1], point[0])) for item in items)

    clutter = figure.clutter
    return replace(
        figure,
        width=figure.height,
        height=figure.width,
        inducers=flip(figure.inducers),
        targets=flip(figure.targets),
        hint=flip(figure.hint),
        clutter=clutter and (lambda: flip(clutter())),
    )


ZOLLNER = Case(
    name="zollner",
    number=21,
    title="Zöllner",
    category="orientation",
    sees="Neighboring lines seem to lean toward and away from each other.",
    truth="All colored lines are parallel.",
    source="Zöllner 1860; VI-Probe, Table 4, case 21 (asked there as straightness, which never changes)",
    factor=Factor("alternating tilt of the lines", "deg", least=0.25, tolerance=0.2, grows=False),
    question="Are the long {ink} lines all parallel to each other?",
    question_reversed="Are some of the long {ink} lines not parallel to the others?",
    comparison=TargetComparison(
        "Do the top two long {ink} lines come closer to each other towards the left or towards the right?",
        "left",
        "right",
    ),
    state="all parallel",
    measurand="the slope of each long {ink} line",
    departs="Published: asked as straightness, which never changes; end points cut to whole pixels; 45° hatches.",
    sample=Zollner,
    geometry=_geometry,
    value=lambda base, alpha: _tilt(base, 0, alpha),
    regions=_regions,
    read=lambda view: _alternation(view.chroma),
    smallest_size=96,
)

CASES = (
    ZOLLNER,
    transpose(
        ZOLLNER,
        name="zollner_vertical",
        number=22,
        title="Zöllner, vertical",
        source="Zöllner 1860; VI-Probe, Table 4, case 22 (asked there as straightness, which never changes)",
        question="Are the long upright {ink} lines all parallel to each other?",
        question_reversed="Are some of the long upright {ink} lines not parallel to the others?",
        comparison=TargetComparison(
            "Do the two leftmost long {ink} lines come closer to each other towards the top or towards the bottom?",
            "top",
            "bottom",
        ),
        read=lambda view: _alternation(view.chroma.T),
    ),
)
