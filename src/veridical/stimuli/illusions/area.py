"""Figures in which discs look unequal that are equal."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from veridical.draw import Disc, Item, Line, Ring
from veridical.draw.scene import Point
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
_CLEAR = 1.1 * (1 + _REACH)
"""Where inducers may begin, in radii of the unchanged disc: 10 % beyond the largest disc."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Discs:
    """Two discs of one radius side by side; `larger` names the one that looks larger."""

    width: int
    height: int
    changed: str
    larger: str
    ink: str
    radius: float
    stroke: float
    left: float
    right: float
    y: float

    def centre(self, place: str) -> Point:
        return (self.left if place == "left" else self.right), self.y


@dataclass(frozen=True, slots=True, kw_only=True)
class Ebbinghaus(Discs):
    """Discs amid grey ones, `few` large or `many` small (for the square: so many to a side); sizes in radii.

    `phase` turns a ring of them, in steps from one to the next.
    """

    square: bool
    many: int
    few: int
    small: float
    large: float
    phase: float
    shade: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Delboeuf(Discs):
    """Discs in black rings whose radii, `tight` and `wide`, are given in radii of the disc."""

    tight: float
    wide: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CirclePonzo(Discs):
    """Discs between converging rails, `gap` from the axis at the far disc, which meet `depth` beyond it."""

    gap: float
    depth: float


def _pair(frame: Frame, low: float, high: float) -> dict[str, Any]:
    """What all base items share; the radius lies between two bounds in pixels at size 512."""
    changed, larger = frame.in_turn(("left", "right"), ("left", "right"))
    return {
        "width": frame.size,
        "height": round(frame.size / 2),
        "changed": changed,
        "larger": larger,
        "ink": frame.one_of(tuple(INKS)),
        "radius": frame.base_scale(low, high) * frame.scale,
        "stroke": frame.stroke(2.0, 3.2),
        "left": frame.px(122, 134),
        "right": frame.px(378, 390),
        "y": frame.px(122, 134),
    }


def _sample_ebbinghaus(frame: Frame) -> Ebbinghaus:
    return Ebbinghaus(
        **_pair(frame, 17, 25),
        square=False,
        many=frame.one_of((8, 9, 10, 11)),
        few=frame.one_of((5, 6)),
        small=frame.between(0.36, 0.46),
        large=frame.between(1.15, 1.28),
        phase=frame.between(0, 1),
        shade=frame.one_of((70, 85, 100)),
    )


def _sample_rectangular(frame: Frame) -> Ebbinghaus:
    return Ebbinghaus(
        **_pair(frame, 17, 25),
        square=True,
        many=frame.one_of((4, 5)),
        few=3,
        small=frame.between(0.34, 0.40),
        large=frame.between(1.05, 1.2),
        phase=0.0,
        shade=frame.one_of((70, 85, 100)),
    )


def _sample_delboeuf(frame: Frame) -> Delboeuf:
    pair = _pair(frame, 22, 33)
    edge = pair["stroke"] / 2 / pair["radius"]
    return Delboeuf(**pair, tight=_CLEAR + edge + frame.between(0, 0.06), wide=frame.between(2.9, 3.2))


def _sample_circle_ponzo(frame: Frame) -> CirclePonzo:
    pair = _pair(frame, 17, 23)
    pair |= {"left": frame.px(152, 164), "right": frame.px(348, 360)}
    return CirclePonzo(**pair, gap=pair["radius"] * frame.between(1.8, 1.85), depth=frame.px(208, 240))


def _radius(base: Discs, place: str, alpha: float) -> float:
    """The radius of a disc; congruent change enlarges the disc that looks larger or shrinks the other."""
    if place != base.changed:
        return base.radius
    return base.radius * (1 + _REACH * alpha * (1 if base.larger == base.changed else -1))


def _figure(base: Discs, alpha: float, inducers: list[Item]) -> Figure:
    """The discs amid inducers; the hint is two level lines that equal discs touch."""
    ink = INKS[base.ink]
    discs = tuple(Disc(base.centre(place), _radius(base, place, alpha), ink) for place in ("left", "right"))
    hint: list[Item] = []
    for y in (base.y - base.radius, base.y + base.radius):
        hint += dashes((0, y), (base.width, y), max(1.0, base.stroke / 2))
    return Figure(width=base.width, height=base.height, inducers=tuple(inducers), targets=discs, hint=tuple(hint))


def _ebbinghaus(base: Ebbinghaus, alpha: float) -> Figure:
    surrounds: list[Item] = []
    for place in ("left", "right"):
        x, y = base.centre(place)
        size, count = (base.small, base.many) if place == base.larger else (base.large, base.few)
        away = (_CLEAR + size) * base.radius
        around = _square(count) if base.square else _circle(count, base.phase)
        grey = (base.shade,) * 3
        surrounds += [Disc((x + dx * away, y + dy * away), size * base.radius, grey) for dx, dy in around]
    return _figure(base, alpha, surrounds)


def _circle(count: int, phase: float) -> list[Point]:
    """So many points on the unit circle, turned by a part of a step."""
    turns = [math.tau * (k + phase) / count for k in range(count)]
    return [(math.cos(turn), math.sin(turn)) for turn in turns]


def _square(count: int) -> list[Point]:
    """Points on the square of half-side 1, so many to a side, each corner once."""
    steps = [2 * k / (count - 1) - 1 for k in range(count)]
    return [(x, y) for x in steps for y in steps if max(abs(x), abs(y)) == 1]


def _delboeuf(base: Delboeuf, alpha: float) -> Figure:
    rings: list[Item] = [
        Ring(
            base.centre(place),
            base.radius * (base.tight if place == base.larger else base.wide),
            base.stroke,
            BLACK,
        )
        for place in ("left", "right")
    ]
    return _figure(base, alpha, rings)


def _circle_ponzo(base: CirclePonzo, alpha: float) -> Figure:
    margin = 0.025 * base.width
    far = base.centre(base.larger)[0]
    near_end, far_end = (margin, base.width - margin) if base.larger == "right" else (base.width - margin, margin)
    rails: list[Item] = []
    for side in (-1, 1):
        start, end = (
            (x, base.y + side * base.gap * (1 + sign * abs(x - far) / base.depth))
            for x, sign in ((near_end, 1), (far_end, -1))
        )
        rails.append(Line(start, end, base.stroke, BLACK))
    return _figure(base, alpha, rails)


def _value(base: Discs, alpha: float) -> float:
    return 2 * (_radius(base, "left", alpha) - _radius(base, "right", alpha))


def _regions(base: Discs) -> tuple[Box, ...]:
    (x, y), reach = base.centre(base.changed), (1 + _REACH) * base.radius
    return (box_around((x - reach, x + reach), (y - reach, y + reach), base.width, base.height),)


def measure_discs(pixels: Pixels) -> Measurement | None:
    """The diameters of two coloured discs side by side, from their areas: left minus right."""
    found = targets(pixels)
    if len(found) != 2:
        return None
    first, second = sorted(found, key=lambda target: target.centre)
    left, right = _diameter_of(first), _diameter_of(second)
    if left is None or right is None or second.x < first.x + first.coverage.shape[1]:
        return None
    return Measurement(left - right)


def _diameter_of(target: Target) -> float | None:
    """The diameter of the disc with the target's area; `None` where its chords or its spread are not a disc's."""
    diameter = 2 * math.sqrt(target.area / math.pi)
    for axis in (0, 1):
        profile = target.coverage.sum(axis)
        at = np.arange(len(profile))
        mean = profile @ at / target.area
        variance = profile @ (at - mean) ** 2 / target.area - 1 / 12  # less what the pixels' own width adds
        spread = 4 * math.sqrt(max(variance, 0.0))
        if abs(profile.max() / diameter - 1) > 0.02 + 1.2 / diameter**2:
            return None
        if abs(spread / diameter - 1) > 0.005 + 0.9 / diameter**2:
            return None
    return diameter


DIAMETER = Factor("difference in diameter, left minus right", "px", visible=2.0, tolerance=0.4, grows=True)
_LARGER = Comparison("Which of the two {ink} discs is larger, the left or the right one?", "left", "right")

CASES = (
    Case(
        name="ebbinghaus",
        number=5,
        title="Ebbinghaus",
        category="size",
        sees="The disc amid small discs looks larger than the one amid large discs.",
        truth="Both coloured discs have the same size.",
        source="Ebbinghaus, in Titchener 1901; VI-Probe, Table 4, case 5",
        factor=DIAMETER,
        question="Are the two {ink} discs equally large?",
        question_reversed="Is one of the two {ink} discs larger than the other?",
        comparison=_LARGER,
        state="equally large",
        measurand="the diameter of each {ink} disc",
        departs="Published: whole pixels; the left disc always changes, and its surrounds move with it.",
        sample=_sample_ebbinghaus,
        geometry=_ebbinghaus,
        value=_value,
        regions=_regions,
        measure=measure_discs,
        smallest_size=128,
    ),
    Case(
        name="ebbinghaus_rectangular",
        number=6,
        title="Rectangular Ebbinghaus",
        category="size",
        sees="The disc in a square of small discs looks larger than the one in a square of large discs.",
        truth="Both coloured discs have the same size.",
        source="After Ebbinghaus, in Titchener 1901; VI-Probe, Table 4, case 6",
        factor=DIAMETER,
        question="Do the two {ink} discs have the same size?",
        question_reversed="Do the two {ink} discs have different sizes?",
        comparison=_LARGER,
        state="of the same size",
        measurand="the diameter of each {ink} disc",
        departs="Published: as case 5; both squares have eight discs, corners drawn twice, and may leave the canvas.",
        sample=_sample_rectangular,
        geometry=_ebbinghaus,
        value=_value,
        regions=_regions,
        measure=measure_discs,
        smallest_size=128,
    ),
    Case(
        name="delboeuf",
        number=7,
        title="Delboeuf",
        category="size",
        sees="The disc in the tight ring looks larger than the one in the wide ring.",
        truth="Both coloured discs have the same diameter.",
        source="Delboeuf 1865; VI-Probe, Table 4, case 7",
        factor=DIAMETER,
        question="Are both {ink} discs of the same diameter?",
        question_reversed="Do the two {ink} discs differ in diameter?",
        comparison=_LARGER,
        state="of the same diameter",
        measurand="the diameter of each {ink} disc",
        departs="Published: the right disc always changes; its ring, nearer than here, follows and may merge with it.",
        sample=_sample_delboeuf,
        geometry=_delboeuf,
        value=_value,
        regions=_regions,
        measure=measure_discs,
        smallest_size=128,
    ),
    Case(
        name="circle_ponzo",
        number=11,
        title="Circle Ponzo",
        category="size",
        sees="The disc where the rails come together looks larger than the other.",
        truth="Both coloured discs have the same size.",
        source="After Ponzo 1911; VI-Probe, Table 4, case 11",
        factor=DIAMETER,
        question="Is the left {ink} disc exactly as large as the right {ink} disc?",
        question_reversed="Is the left {ink} disc larger or smaller than the right {ink} disc?",
        comparison=_LARGER,
        state="equally large",
        measurand="the diameter of each {ink} disc",
        departs="Published: black discs that overlap the black rails; the right one always changes.",
        sample=_sample_circle_ponzo,
        geometry=_circle_ponzo,
        value=_value,
        regions=_regions,
        measure=measure_discs,
        smallest_size=128,
    ),
)
