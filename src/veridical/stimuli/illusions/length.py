"""Figures in which equal lengths look unequal."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridical.draw import Line
from veridical.records import Box
from veridical.stimuli.illusions.case import INKS, Case, Factor, Figure, Frame, Measurement, Pixels, box_around
from veridical.stimuli.illusions.reading import coverage, groups

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
    length = frame.px(150, 220)
    return MullerLyer(
        width=frame.size,
        height=round(frame.size / 2),
        changed=changed,
        outward=outward,
        ink=frame.one_of(tuple(INKS)),
        length=length,
        fin=length * frame.between(0.18, 0.22),
        angle=frame.between(32, 42),
        stroke=frame.stroke(2, 3.2),
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
    ink = INKS[base.ink]
    shafts, fins = [], []
    for place, y in (("top", base.top), ("bottom", base.bottom)):
        half = _length(base, place, alpha) / 2
        shafts.append(Line((base.x - half, y), (base.x + half, y), base.stroke, ink))
        away = 1 if place == base.outward else -1
        run, rise = base.fin * math.cos(math.radians(base.angle)), base.fin * math.sin(math.radians(base.angle))
        for end in (-1, 1):
            tip = base.x + end * half
            fins += [Line((tip, y), (tip + end * away * run, y + up * rise), base.stroke, ink) for up in (-1, 1)]
    white = (255, 255, 255)
    return Figure(base.width, base.height, white, white, tuple(fins), tuple(shafts))


def _value(base: MullerLyer, alpha: float) -> float:
    return _length(base, "top", alpha) - _length(base, "bottom", alpha)


def _regions(base: MullerLyer) -> tuple[Box, ...]:
    y = base.top if base.changed == "top" else base.bottom
    half = base.length * (1 + _REACH) / 2 + base.fin
    rise = base.fin * math.sin(math.radians(base.angle)) + base.stroke
    return (box_around((base.x - half, base.x + half), (y - rise, y + rise), base.width, base.height),)


def _measure(pixels: Pixels) -> Measurement | None:
    """Shaft lengths from the ends of the two long horizontal runs, or from where the fins meet the axis."""
    ink = coverage(pixels)
    if ink is None:
        return None
    rows = groups(_longest_run(ink > 0.4) > 0.1 * ink.shape[1])
    if len(rows) != 2:
        return None
    middle = (rows[0][1] + rows[1][0]) // 2
    halves = ink[:middle], ink[middle:]
    lengths = [_shaft(half, rows[i][0] - i * middle, rows[i][1] - i * middle) for i, half in enumerate(halves)]
    if lengths[0] is None or lengths[1] is None:
        return None
    return Measurement(lengths[0] - lengths[1])


def _longest_run(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The longest run of True in each row."""
    count = np.zeros(mask.shape[0], np.int64)
    longest = count.copy()
    for column in mask.T:
        count = (count + 1) * column
        longest = np.maximum(longest, count)
    return longest


def _shaft(ink: NDArray[np.float64], first: int, last: int) -> float | None:
    """The length of the shaft on rows first..last; `None` where the ink is no straight shaft."""
    runs = groups(ink[first:last].max(0) > 0.4)
    start, stop = max(runs, key=lambda run: run[1] - run[0])
    middle = (start + stop) // 2
    stroke = float(ink[:, middle].sum())
    if stroke > 0.1 * ink.shape[1]:
        return None
    axis = (first + last) / 2
    left, right = _vertex(ink[:, :middle], axis, stroke), _vertex(ink[:, middle:], axis, stroke)
    if left is None or right is None:
        return float(ink.sum()) / stroke
    return middle + right - left


def _vertex(ink: NDArray[np.float64], axis: float, stroke: float) -> float | None:
    """Where the two arms of a fin meet the axis, by a line through the centres of their ink row by row."""
    distance = np.abs(np.arange(ink.shape[0]) + 0.5 - axis)
    mass = ink.sum(1)
    arms = (mass > 0.8 * stroke) & (distance > stroke / 2 + 1)
    if not arms.any():
        return None
    usable = arms & (distance > 0.9 * stroke + 0.5) & (distance < distance[arms].max() - 0.8 * stroke)
    if np.unique(np.round(distance[usable])).size < 2:
        usable = arms
    centre = (ink[usable] @ (np.arange(ink.shape[1]) + 0.5)) / mass[usable]
    if np.unique(np.round(distance[usable])).size < 2:
        return float(centre.mean())
    return float(np.polyfit(distance[usable], centre, 1)[1])


CASES = (
    Case(
        name="muller_lyer",
        number=1,
        title="Müller-Lyer",
        category="size",
        sees="The shaft whose fins flare out looks longer than the one whose fins fold back.",
        truth="Both shafts have the same length.",
        source="Müller-Lyer 1889; VI-Probe, Table 4, case 1",
        factor=Factor("difference in length, top minus bottom", "px", visible=2.0, grows=True),
        question="Are the two horizontal lines equally long?",
        question_reversed="Do the two horizontal lines have different lengths?",
        sample=_sample,
        geometry=_geometry,
        value=_value,
        regions=_regions,
        measure=_measure,
        smallest_size=128,
    ),
)
