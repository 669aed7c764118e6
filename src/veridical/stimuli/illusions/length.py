"""Figures in which equal lengths look unequal."""

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

_REACH = 0.5


@dataclass(frozen=True, slots=True)
class MullerLyer:
    """Two horizontal shafts of one length; `outward` names the one whose fins flare out beyond its ends."""

    width: int
    height: int
    changed: str
    outward: str
    ink: str
    length: float
    fin: float
    angle: float
    stroke: float
    x: float
    top: float
    bottom: float


def _sample(frame: Frame) -> MullerLyer:
    changed, outward = frame.in_turn(("top", "bottom"), ("top", "bottom"))
    length = frame.base_scale(150, 220) * frame.scale
    return MullerLyer(
        width=frame.size,
        height=round(frame.size / 2),
        changed=changed,
        outward=outward,
        ink=frame.one_of(tuple(INKS)),
        length=length,
        fin=length * frame.between(0.18, 0.22),
        angle=frame.between(32, 42),
        stroke=frame.stroke(2.4, 3.6),
        x=frame.px(246, 266),
        top=frame.px(58, 72),
        bottom=frame.px(184, 198),
    )


def _length(base: MullerLyer, place: str, alpha: float) -> float:
    """The shaft at a place; congruent change lengthens the shaft that looks longer or shortens the other."""
    if place != base.changed:
        return base.length
    return base.length * (1 + _REACH * alpha * (1 if base.outward == base.changed else -1))


def _geometry(base: MullerLyer, alpha: float) -> Figure:
    shafts, fins, hint = [], [], []
    for place, y in (("top", base.top), ("bottom", base.bottom)):
        half = _length(base, place, alpha) / 2
        shafts.append(Line((base.x - half, y), (base.x + half, y), base.stroke, INKS[base.ink]))
        away = 1 if place == base.outward else -1
        run, rise = base.fin * math.cos(math.radians(base.angle)), base.fin * math.sin(math.radians(base.angle))
        for end in (-1, 1):
            tip = base.x + end * half
            fins += [Line((tip, y), (tip + end * away * run, y + up * rise), base.stroke, BLACK) for up in (-1, 1)]
    for end in (-1, 1):
        x = base.x + end * base.length / 2
        hint += dashes((x, 0), (x, base.height), max(1.0, base.stroke / 2))
    return Figure(width=base.width, height=base.height, inducers=tuple(fins), targets=tuple(shafts), hint=tuple(hint))


def _value(base: MullerLyer, alpha: float) -> float:
    return _length(base, "top", alpha) - _length(base, "bottom", alpha)


def _regions(base: MullerLyer) -> tuple[Box, ...]:
    y = base.top if base.changed == "top" else base.bottom
    half = base.length * (1 + _REACH) / 2 + base.fin
    rise = base.fin * math.sin(math.radians(base.angle)) + base.stroke
    return (box_around((base.x - half, base.x + half), (y - rise, y + rise), base.width, base.height),)


def measure_lines(pixels: Pixels) -> Measurement | None:
    """The lengths of two coloured horizontal lines, one above the other: top minus bottom."""
    found = targets(pixels)
    if len(found) != 2:
        return None
    top, bottom = (_length_of(target) for target in found)
    if top is None or bottom is None or max(top, bottom) > 0.8 * pixels.shape[1]:
        return None
    return Measurement(top - bottom)


def _length_of(target: Target) -> float | None:
    """The length of a horizontal stroke with square ends, from its ink by column; `None` for another shape."""
    height, width = target.coverage.shape
    if width < 6 or height > 0.25 * width:
        return None
    mass = target.coverage.sum(0)
    stroke = float(mass[2:-2].mean())
    inner = target.coverage[:, 2:-2]
    if np.ptp(mass[2:-2]) > 0.2 * stroke or np.ptp(inner, axis=1).max() > 0.2:
        return None
    return float(mass.sum()) / stroke


LENGTH = Factor("difference in length, top minus bottom", "px", visible=2.0, tolerance=0.4, grows=True)

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
        comparison=Comparison(
            "Which of the two horizontal {ink} lines is longer, the top or the bottom one?", "top", "bottom"
        ),
        state="equally long",
        measurand="the length of each horizontal {ink} line",
        departs="Published: black lines of whole pixels; the lower one always changes, and its fins always flare out.",
        sample=_sample,
        geometry=_geometry,
        value=_value,
        regions=_regions,
        measure=measure_lines,
    ),
)
