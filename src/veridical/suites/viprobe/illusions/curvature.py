"""Figures in which straight lines look bowed."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Item, Line
from veridical.media.figures.hering import bowed_line, fan
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
from veridical.suites.viprobe.illusions.scatter import ScatterField, pieces, turns
from veridical.suites.viprobe.illusions.tilt import long_strokes, transpose
from veridical.suites.viprobe.illusions.view import Map

_HERING_REACH = 16.0


class Fan(CaseItem):
    """A black fan of `rays` lines that all run through its center, and the ink and stroke of what lies on it."""

    scatter: int

    def __init__(self, frame: CaseNuisances, low: float, high: float) -> None:
        """The number of rays, a base scale, lies between two bounds."""
        super().__init__(frame)
        self.ink = frame.one_of(tuple(INKS))
        self.rays = round(frame.base_scale(low, high))
        self.phase = frame.one_of((0.0, 0.5))
        self.ray_stroke = frame.stroke(1.2, 1.8)
        self.fan = frame.px(238, 246)
        self.stroke = frame.stroke(2.4, 3.6)
        self.x, self.y = frame.px(251, 261), frame.px(251, 261)

    def lines(self) -> tuple[Line, ...]:
        return fan((self.x, self.y), self.fan, self.rays, self.phase, self.ray_stroke, BLACK)


@lru_cache(maxsize=64)
def strew_rays(base: Fan) -> tuple[Item, ...]:
    """The rays, each broken into three, turned evenly into all directions and strewn over the whole canvas."""
    rng = np.random.default_rng(base.scatter)
    parts = [piece for line in base.lines() for piece in pieces(line, 3)]
    field = ScatterField(rng, (base.width, base.height), apart=base.ray_stroke)
    places = turns(rng, len(parts), base.width)
    field.strew(parts, turns(rng, len(parts)), lambda place: (places[place], rng.uniform(0, base.height)))
    return tuple(field.items)


class Hering(Fan):
    """Two colored lines, one on either side of the center of the fan.

    Described for level lines; for upright ones x and y are exchanged.
    """

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame, 9.5, 20.5)
        self.half, self.distance = frame.px(211, 221), frame.px(58, 72)
        self.scatter = frame.scatter()


def _sagitta(base: Hering, alpha: float) -> float:
    """How far both lines bow outward, away from the center, as they seem to: outward is congruent."""
    return _HERING_REACH * alpha * base.width / 512


def _hering(base: Hering, alpha: float) -> CaseFigure:
    ruler, lines = max(1.0, base.ray_stroke), []
    hint: list[Item] = []
    for side in (-1, 1):
        middle, bow = (base.x, base.y + side * base.distance), side * _sagitta(base, alpha)
        lines.append(bowed_line(middle, base.half, bow, base.stroke, INKS[base.ink]))
        beside = base.y + side * (base.distance + 2.5 * base.stroke)
        hint += dashes((base.x - base.half, beside), (base.x + base.half, beside), ruler)
    return base.figure(inducers=base.lines(), targets=lines, hint=hint, clutter=lambda: strew_rays(base))


def _regions_hering(base: Hering) -> tuple[Box, ...]:
    sway, half = _sagitta(base, 1) + base.stroke, base.half + base.stroke
    return tuple(
        base.box((base.x - half, base.x + half), (y - sway, y + sway))
        for y in (base.y - base.distance, base.y + base.distance)
    )


def _bow(depth: NDArray[np.uint8]) -> Measurement | None:
    """How far two long colored lines bow away from each other: the mean of both sagittas, by a parabola each."""
    strokes = long_strokes(depth)
    if len(strokes) != 2 or min(stroke.length for stroke in strokes) < 0.75 * depth.shape[1]:
        return None
    upper, lower = (parabola(stroke.heights) for stroke in strokes)
    if upper is None or lower is None:
        return None
    return Measurement((upper.bend * strokes[0].length ** 2 - lower.bend * strokes[1].length ** 2) / 8)


class Parabola(NamedTuple):
    """Its quadratic term, and its height in the middle."""

    bend: float
    middle: float


def parabola(heights: Map) -> Parabola | None:
    """The parabola through the heights by column; `None` where they lie on none."""
    at = np.arange(len(heights)) - (len(heights) - 1) / 2
    square = at**2 - (at**2).mean()
    bend, slope, mean = float(square @ heights / (square @ square)), float(at @ heights / (at @ at)), heights.mean()
    if np.abs(mean + slope * at + bend * square - heights).max() > 0.45:
        return None
    return Parabola(bend, float(mean + bend * (square[0] - at[0] ** 2)))


HERING = Case(
    name="hering",
    number=19,
    title="Hering",
    category="orientation",
    sees="The two lines seem to bow outward, away from the center of the fan.",
    truth="Both colored lines are straight.",
    source="Hering 1861; VI-Probe, Table 4, case 19",
    factor=Factor("bow of both lines in the middle, outward positive", "px", least=1.0, tolerance=0.4, grows=True),
    question="Are both horizontal {ink} lines straight?",
    question_reversed="Is at least one of the two horizontal {ink} lines curved?",
    comparison=TargetComparison(
        "Are the two horizontal {ink} lines farther from each other in the middle than at their ends, or closer?",
        "farther",
        "closer",
    ),
    state="both straight",
    measurand="how far the middle of each horizontal {ink} line lies off the straight line between its ends",
    departs="Published: black lines, drawn in another way where they are bowed; the fan runs on to its center.",
    sample=Hering,
    geometry=_hering,
    value=_sagitta,
    regions=_regions_hering,
    read=lambda view: _bow(view.chroma),
)

CASES = (
    HERING,
    transpose(
        HERING,
        name="hering_vertical",
        number=20,
        title="Hering, vertical",
        source="Hering 1861; VI-Probe, Table 4, case 20",
        question="Are both vertical {ink} lines straight?",
        question_reversed="Is at least one of the two vertical {ink} lines curved?",
        comparison=TargetComparison(
            "Are the two vertical {ink} lines farther from each other in the middle than at their ends, or closer?",
            "farther",
            "closer",
        ),
        measurand="how far the middle of each vertical {ink} line lies off the straight line between its ends",
        read=lambda view: _bow(view.chroma.T),
    ),
)
