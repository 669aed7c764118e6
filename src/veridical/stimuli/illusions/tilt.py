"""Figures in which parallel lines look tilted."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from veridical.draw import Line
from veridical.records import Box
from veridical.stimuli.illusions.case import (
    BLACK,
    INKS,
    Case,
    Comparison,
    Factor,
    Figure,
    Frame,
    Measurement,
    Pixels,
    box_around,
)
from veridical.stimuli.illusions.hints import dashes
from veridical.stimuli.illusions.reading import Target, targets

_REACH = 3.0


@dataclass(frozen=True, slots=True)
class Zollner:
    """Coloured lines crossed by short black hatches that lean the other way on every other line.

    `lean` is +1 where the hatches of the first line are turned counter-clockwise from it, else -1.
    """

    width: int
    height: int
    changed: None
    ink: str
    lines: int
    lean: int
    angle: float
    hatch: float
    hatches: int
    hatch_stroke: float
    stroke: float
    x: float
    half: float
    first: float
    spacing: float


def _sample(frame: Frame) -> Zollner:
    (lean,) = frame.in_turn(("+1", "-1"))
    lines = round(frame.base_scale(6.5, 10.5))
    spacing = frame.px(390, 410) / (lines - 1)
    return Zollner(
        width=frame.size,
        height=frame.size,
        changed=None,
        ink=frame.one_of(tuple(INKS)),
        lines=lines,
        lean=int(lean),
        angle=frame.between(22, 34),
        hatch=frame.px(44, 56),
        hatches=frame.one_of((11, 12, 13, 14)),
        hatch_stroke=frame.stroke(1.6, 2.4),
        stroke=frame.stroke(2.4, 3.6),
        x=frame.px(250, 262),
        half=frame.px(196, 210),
        first=(frame.size - spacing * (lines - 1)) / 2 + frame.px(-10, 10),
        spacing=spacing,
    )


def _tilt(base: Zollner, line: int, alpha: float) -> float:
    """Degrees counter-clockwise; congruent change turns a line away from its hatches, as it seems to be turned."""
    return -_REACH * alpha * _lean(base, line)


def _lean(base: Zollner, line: int) -> int:
    return base.lean if line % 2 == 0 else -base.lean


def _across(
    centre: tuple[float, float], half: float, degrees: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """The ends of a segment through a centre; counter-clockwise means up on the right."""
    dx, dy = half * math.cos(math.radians(degrees)), -half * math.sin(math.radians(degrees))
    return (centre[0] - dx, centre[1] - dy), (centre[0] + dx, centre[1] + dy)


def _geometry(base: Zollner, alpha: float) -> Figure:
    lines, hatches = [], []
    for line in range(base.lines):
        y = base.first + line * base.spacing
        start, end = _across((base.x, y), base.half, _tilt(base, line, alpha))
        lines.append(Line(start, end, base.stroke, INKS[base.ink]))
        lean = base.angle * _lean(base, line)
        for place in np.linspace(-0.94, 0.94, base.hatches):
            start, end = _across((base.x + place * base.half, y), base.hatch / 2, lean)
            hatches.append(Line(start, end, base.hatch_stroke, BLACK))
    hint = [
        line
        for y in (base.first - base.spacing / 2 + row * base.spacing for row in range(base.lines + 1))
        for line in dashes((0, y), (base.width, y), max(1.0, base.hatch_stroke / 2))
    ]
    return Figure(width=base.width, height=base.height, inducers=tuple(hatches), targets=tuple(lines), hint=tuple(hint))


def _value(base: Zollner, alpha: float) -> float:
    return _tilt(base, 0, alpha)


def _regions(base: Zollner) -> tuple[Box, ...]:
    sway = base.half * math.sin(math.radians(_REACH)) + base.stroke
    return tuple(
        box_around(
            (base.x - base.half - base.stroke, base.x + base.half + base.stroke),
            (y - sway, y + sway),
            base.width,
            base.height,
        )
        for y in (base.first + line * base.spacing for line in range(base.lines))
    )


def _measure(pixels: Pixels) -> Measurement | None:
    """Half the difference in slope between odd and even coloured lines, by a straight fit to each."""
    found = targets(pixels)
    slopes = [_slope(line, pixels.shape[1]) for line in found]
    if len(found) < 3 or None in slopes:
        return None
    known = np.array(slopes, float)
    return Measurement(float(known[::2].mean() - known[1::2].mean()) / 2)


def _slope(line: Target, width: int) -> float | None:
    """The slope in degrees, counter-clockwise positive; `None` where the target is no long straight level line."""
    mass = line.coverage.sum(0)[2:-2]
    if len(mass) < 0.5 * width or line.coverage.shape[0] > 0.2 * width:
        return None
    at = np.arange(len(mass))
    centre = ((np.arange(len(line.coverage)) + 0.5) @ line.coverage[:, 2:-2]) / mass
    slope, offset = np.polyfit(at, centre, 1)
    if np.abs(centre - slope * at - offset).max() > 0.45:
        return None
    return -math.degrees(math.atan(slope))


CASES = (
    Case(
        name="zollner",
        number=21,
        title="Zöllner",
        category="orientation",
        sees="Neighbouring lines seem to lean towards and away from each other.",
        truth="All coloured lines are parallel.",
        source="Zöllner 1860; VI-Probe, Table 4, case 21 (asked there as straightness, which never changes)",
        factor=Factor("alternating tilt of the lines", "deg", visible=0.5, tolerance=0.2, grows=False),
        question="Are the long {ink} lines all parallel to each other?",
        question_reversed="Are some of the long {ink} lines not parallel to the others?",
        comparison=Comparison(
            "Do the top two long {ink} lines come closer to each other towards the left or towards the right?",
            "left",
            "right",
        ),
        state="all parallel",
        measurand="the slope of each long {ink} line",
        departs="Published: asked as straightness, which never changes; end points cut to whole pixels; 45° hatches.",
        sample=_sample,
        geometry=_geometry,
        value=_value,
        regions=_regions,
        measure=_measure,
    ),
)
