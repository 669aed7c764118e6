"""Figures in which discs look unequal that are equal."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from veridical.media.draw import Curve, Disc, Item, Line, Ring
from veridical.media.draw.scene import Colour, Point
from veridical.suites.viprobe.illusions.case import BLACK, Case, CaseFigure, CaseNuisances
from veridical.suites.viprobe.illusions.discs import (
    CLEAR,
    DIAMETER,
    LARGER,
    Discs,
    figure,
    measure_discs,
    regions,
    strew_about,
    value,
)
from veridical.suites.viprobe.illusions.scatter import nearest_distance, pieces


class Ebbinghaus(Discs):
    """Discs amid gray ones, `few` large or `many` small (for the square: so many to a side); sizes in radii.

    `phase` turns a ring of them, in steps from one to the next.
    """

    def __init__(self, frame: CaseNuisances, *, square: bool = False) -> None:
        super().__init__(frame, 17, 25)
        self.square = square
        self.many = frame.one_of((4, 5) if square else (8, 9, 10, 11))
        self.few = 3 if square else frame.one_of((5, 6))
        self.small = frame.between(0.34, 0.40) if square else frame.between(0.36, 0.46)
        self.large = frame.between(1.05, 1.2) if square else frame.between(1.15, 1.28)
        self.phase = 0.0 if square else frame.between(0, 1)
        self.shade = frame.one_of((70, 85, 100))
        self.scatter = frame.scatter()


class Delboeuf(Discs):
    """Discs in black rings whose radii, `tight` and `wide`, are given in radii of the disc."""

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame, 22, 33)
        self.tight = CLEAR + self.stroke / 2 / self.radius + frame.between(0, 0.06)
        self.wide = frame.between(2.9, 3.2)
        self.scatter = frame.scatter()


class CirclePonzo(Discs):
    """Discs between converging rails, `gap` from the axis at the far disc, which meet `depth` beyond it."""

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame, 17, 23)
        self.left, self.right, self.right_y = frame.px(152, 164), frame.px(348, 360), self.left_y
        self.gap = self.radius * frame.between(1.8, 1.85)
        self.depth = frame.px(208, 240)
        self.scatter = frame.scatter()


def _ebbinghaus(base: Ebbinghaus, alpha: float) -> CaseFigure:
    surrounds: list[Item] = []
    for place in ("left", "right"):
        x, y = base.centre(place)
        size, count = (base.small, base.many) if place == base.larger else (base.large, base.few)
        away = (CLEAR + size) * base.radius
        around = _square(count) if base.square else _circle(count, base.phase)
        grey = (base.shade,) * 3
        surrounds += [Disc((x + dx * away, y + dy * away), size * base.radius, grey) for dx, dy in around]
    return figure(base, alpha, surrounds, lambda: _strewn_surrounds(base))


@lru_cache(maxsize=64)
def _strewn_surrounds(base: Ebbinghaus) -> tuple[Item, ...]:
    """Half of the large discs and half of the small ones about either target."""
    few, many = (len(_square(count)) if base.square else count for count in (base.few, base.many))
    kinds = [(base.large, few), (base.small, many)]
    elements = [Disc((0.0, 0.0), size * base.radius, (base.shade,) * 3) for size, count in kinds for _ in range(count)]
    return strew_about(base, elements, (CLEAR - 1) * base.radius, (CLEAR - 0.2) * base.radius)


def _circle(count: int, phase: float) -> list[Point]:
    """So many points on the unit circle, turned by a part of a step."""
    turns = [math.tau * (k + phase) / count for k in range(count)]
    return [(math.cos(turn), math.sin(turn)) for turn in turns]


def _square(count: int) -> list[Point]:
    """Points on the square of half-side 1, so many to a side, each corner once."""
    steps = [2 * k / (count - 1) - 1 for k in range(count)]
    return [(x, y) for x in steps for y in steps if max(abs(x), abs(y)) == 1]


def _delboeuf(base: Delboeuf, alpha: float) -> CaseFigure:
    rings: list[Item] = [
        Ring(base.centre(place), base.radius * (base.tight if place == base.larger else base.wide), base.stroke, BLACK)
        for place in ("left", "right")
    ]
    return figure(base, alpha, rings, lambda: _strewn_arcs(base))


@lru_cache(maxsize=64)
def _strewn_arcs(base: Delboeuf) -> tuple[Item, ...]:
    """Both rings broken into arcs, half of each about either target."""
    broken = [(base.wide, 8), (base.tight, 4)]
    elements = [_arc(size * base.radius, count, base.stroke, BLACK) for size, count in broken for _ in range(count)]
    return strew_about(base, elements, (base.tight - 1) * base.radius - base.stroke / 2, 1.9 * base.radius)


def _arc(radius: float, count: int, width: float, colour: Colour) -> Item:
    """One of so many equal arcs of a circle, about the origin."""
    turns = np.linspace(-math.pi / count, math.pi / count, 25).tolist()
    middle = radius * (1 + math.cos(math.pi / count)) / 2
    return Curve(tuple((radius * math.cos(t) - middle, radius * math.sin(t)) for t in turns), width, colour)


def _circle_ponzo(base: CirclePonzo, alpha: float) -> CaseFigure:
    return figure(base, alpha, list(_rails(base)), lambda: _strewn_rails(base))


def _rails(base: CirclePonzo) -> tuple[Line, Line]:
    margin = 0.025 * base.width
    far = base.centre(base.larger)[0]
    near_end, far_end = (margin, base.width - margin) if base.larger == "right" else (base.width - margin, margin)
    rails = []
    for side in (-1, 1):
        start, end = (
            (x, base.left_y + side * base.gap * (1 + sign * abs(x - far) / base.depth))
            for x, sign in ((near_end, 1), (far_end, -1))
        )
        rails.append(Line(start, end, base.stroke, BLACK))
    upper, lower = rails
    return upper, lower


@lru_cache(maxsize=64)
def _strewn_rails(base: CirclePonzo) -> tuple[Item, ...]:
    """Both rails broken into pieces."""
    rails = _rails(base)
    elements = [piece for rail in rails for piece in pieces(rail, 10)]
    disc = Disc(base.centre(base.larger), base.radius, BLACK)
    return strew_about(base, elements, nearest_distance(rails, disc), 3 * base.radius)


CASES = (
    Case(
        name="ebbinghaus",
        number=5,
        title="Ebbinghaus",
        category="size",
        sees="The disc amid small discs looks larger than the one amid large discs.",
        truth="Both colored discs have the same size.",
        source="Ebbinghaus, in Titchener 1901; VI-Probe, Table 4, case 5",
        factor=DIAMETER,
        question="Are the two {ink} discs equally large?",
        question_reversed="Is one of the two {ink} discs larger than the other?",
        comparison=LARGER,
        state="equally large",
        measurand="the diameter of each {ink} disc",
        departs="Published: whole pixels; the left disc always changes, and its surrounds move with it.",
        sample=Ebbinghaus,
        geometry=_ebbinghaus,
        value=value,
        regions=regions,
        read=measure_discs,
    ),
    Case(
        name="ebbinghaus_rectangular",
        number=6,
        title="Rectangular Ebbinghaus",
        category="size",
        sees="The disc in a square of small discs looks larger than the one in a square of large discs.",
        truth="Both colored discs have the same size.",
        source="After Ebbinghaus, in Titchener 1901; VI-Probe, Table 4, case 6",
        factor=DIAMETER,
        question="Do the two {ink} discs have the same size?",
        question_reversed="Do the two {ink} discs have different sizes?",
        comparison=LARGER,
        state="of the same size",
        measurand="the diameter of each {ink} disc",
        departs="Published: as case 5; both squares have eight discs, corners drawn twice, and may leave the canvas.",
        sample=lambda frame: Ebbinghaus(frame, square=True),
        geometry=_ebbinghaus,
        value=value,
        regions=regions,
        read=measure_discs,
    ),
    Case(
        name="delboeuf",
        number=7,
        title="Delboeuf",
        category="size",
        sees="The disc in the tight ring looks larger than the one in the wide ring.",
        truth="Both colored discs have the same diameter.",
        source="Delboeuf 1865; VI-Probe, Table 4, case 7",
        factor=DIAMETER,
        question="Are both {ink} discs of the same diameter?",
        question_reversed="Do the two {ink} discs differ in diameter?",
        comparison=LARGER,
        state="of the same diameter",
        measurand="the diameter of each {ink} disc",
        departs="Published: the right disc always changes; its ring, nearer than here, follows and may merge with it.",
        sample=Delboeuf,
        geometry=_delboeuf,
        value=value,
        regions=regions,
        read=measure_discs,
    ),
    Case(
        name="circle_ponzo",
        number=11,
        title="Circle Ponzo",
        category="size",
        sees="The disc where the rails come together looks larger than the other.",
        truth="Both colored discs have the same size.",
        source="After Ponzo 1911; VI-Probe, Table 4, case 11",
        factor=DIAMETER,
        question="Is the left {ink} disc exactly as large as the right {ink} disc?",
        question_reversed="Is the left {ink} disc larger or smaller than the right {ink} disc?",
        comparison=LARGER,
        state="equally large",
        measurand="the diameter of each {ink} disc",
        departs="Published: black discs that overlap the black rails; the right one always changes.",
        aligned="Both discs lie on the axis of the rails: beside it, the far one would touch a rail.",
        sample=CirclePonzo,
        geometry=_circle_ponzo,
        value=value,
        regions=regions,
        read=measure_discs,
    ),
)
