"""Figures in which parallel lines look tilted."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridical.draw import Line
from veridical.records import Box
from veridical.stimuli.illusions.case import INKS, Case, Factor, Figure, Frame, Measurement, Pixels, box_around
from veridical.stimuli.illusions.reading import chroma, groups

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
    lines = frame.one_of((7, 8, 9, 10))
    spacing = frame.px(390, 410) / (lines - 1)
    return Zollner(
        width=frame.size,
        height=frame.size,
        changed=None,
        ink=frame.one_of(("red", "blue", "green")),
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
            hatches.append(Line(start, end, base.hatch_stroke, INKS["black"]))
    white = (255, 255, 255)
    return Figure(base.width, base.height, white, white, tuple(hatches), tuple(lines))


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
    colour = chroma(pixels)
    if colour.max() < 64 or (colour > 16).mean() > 0.3:
        return None
    colour /= colour.max()
    rows = groups(colour.max(1) > 0.25)
    if len(rows) < 3:
        return None
    slopes = [slope for start, stop in rows if (slope := _slope(colour[max(start - 1, 0) : stop + 1])) is not None]
    if len(slopes) < len(rows):
        return None
    return Measurement(float(np.mean(slopes[::2]) - np.mean(slopes[1::2])) / 2)


def _slope(band: NDArray[np.float64]) -> float | None:
    """The slope in degrees of the one line in a band of rows; `None` where its ink is no long unbroken line."""
    mass = band.sum(0)
    solid = np.flatnonzero(mass > 0.6 * np.median(mass[mass > 0.25]))[1:-1]
    if len(solid) < 0.4 * band.shape[1] or np.ptp(solid) >= 1.1 * len(solid):
        return None
    centre = ((np.arange(len(band)) + 0.5) @ band[:, solid]) / mass[solid]
    return -math.degrees(math.atan(np.polyfit(solid, centre, 1)[0]))


CASES = (
    Case(
        name="zollner",
        number=21,
        title="Zöllner",
        category="orientation",
        sees="Neighbouring lines seem to lean towards and away from each other.",
        truth="All coloured lines are parallel.",
        source="Zöllner 1860; VI-Probe, Table 4, case 21 (asked there as straightness, which never changes)",
        factor=Factor("alternating tilt of the lines", "deg", visible=0.5, grows=False),
        question="Are the long {ink} lines all parallel to each other?",
        question_reversed="Are some of the long {ink} lines not parallel to the others?",
        sample=_sample,
        geometry=_geometry,
        value=_value,
        regions=_regions,
        measure=_measure,
    ),
)
