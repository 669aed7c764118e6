"""Two discs side by side: what figures of them share, and how their sizes are read back from pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from veridical.media.draw import Disc, Item
from veridical.media.draw.scene import Point
from veridical.records import Box
from veridical.suites.viprobe.illusions.case import (
    BLACK,
    INKS,
    CaseFigure,
    CaseItem,
    CaseNuisances,
    Factor,
    LazyItems,
    Measurement,
    TargetComparison,
    dashes,
)
from veridical.suites.viprobe.illusions.scatter import ScatterField
from veridical.suites.viprobe.illusions.view import Target, View

REACH = 0.5
CLEAR = 1.1 * (1 + REACH)
"""Where inducers may begin, in radii of the unchanged disc: 10 % beyond the largest disc."""


class Discs(CaseItem):
    """Two discs of one radius side by side; `larger` names the one that looks larger.

    The radius lies between two bounds in pixels at size 512.
    """

    scatter: int

    def __init__(self, frame: CaseNuisances, low: float, high: float) -> None:
        super().__init__(frame, wide=True)
        self.changed, self.larger = frame.in_turn(("left", "right"), ("left", "right"))
        self.ink = frame.one_of(tuple(INKS))
        self.radius = frame.base_scale(low, high) * frame.scale
        self.stroke = frame.stroke(2.0, 3.2)
        self.left, self.right = frame.px(122, 134), frame.px(378, 390)
        self.left_y, self.right_y = frame.px(116, 140), frame.px(116, 140)

    def centre(self, place: str | None) -> Point:
        return (self.left, self.left_y) if place == "left" else (self.right, self.right_y)


def radius_of(base: Discs, place: str, alpha: float) -> float:
    """The radius of a disc; congruent change enlarges the disc that looks larger or shrinks the other."""
    return base.radius * (1 + base.change(place, base.larger, REACH * alpha))


def figure(base: Discs, alpha: float, inducers: list[Item], clutter: LazyItems) -> CaseFigure:
    """The discs amid inducers; the hint is two level lines beside each that an unchanged disc touches."""
    ink = INKS[base.ink]
    discs = tuple(Disc(base.centre(place), radius_of(base, place, alpha), ink) for place in ("left", "right"))
    hint: list[Item] = []
    middle = (base.left + base.right) / 2
    for place, start, end in (("left", 0.0, middle), ("right", middle, float(base.width))):
        for side in (-base.radius, base.radius):
            y = base.centre(place)[1] + side
            hint += dashes((start, y), (end, y), max(1.0, base.stroke / 2))
    return base.figure(inducers=inducers, targets=discs, hint=hint, clutter=clutter)


def strew_about(base: Discs, elements: Sequence[Item], near: float, far: float) -> tuple[Item, ...]:
    """Half of the elements about each disc, from `near` to `far` px off its unchanged edge, clear of it at its largest.

    Elements are drawn about the origin, those of a kind together, the largest first.
    """
    discs = [Disc(base.centre(place), base.radius, BLACK) for place in ("left", "right")]
    clear = 0.06 * base.radius
    keep = [(replace(disc, radius=base.radius * (1 + REACH)), clear) for disc in discs]
    keep += [(disc, near * 0.99) for disc in discs]
    field = ScatterField(np.random.default_rng(base.scatter), (base.width, base.height), keep, apart=clear)
    field.deal([(disc, disc.centre) for disc in discs], elements, near, far)
    return tuple(field.items)


def value(base: Discs, alpha: float) -> float:
    """The difference in diameter, left minus right, in pixels."""
    return 2 * (radius_of(base, "left", alpha) - radius_of(base, "right", alpha))


def regions(base: Discs) -> tuple[Box, ...]:
    """The box around the largest disc that the changed one may become."""
    (x, y), reach = base.centre(base.changed), (1 + REACH) * base.radius
    return (base.box((x - reach, x + reach), (y - reach, y + reach)),)


def measure_discs(view: View) -> Measurement | None:
    """The diameters of two colored discs side by side, from their areas: left minus right."""
    targets = view.targets
    if len(targets) != 2:
        return None
    first, second = sorted(targets, key=lambda target: target.centre)
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
        # A picture that is a little reduced is softened twice, which widens small discs; a square's chord is 11 % off.
        if abs(profile.max() / diameter - 1) > 0.02 + 0.5 / diameter**2:
            return None
        if abs(spread / diameter - 1) > 0.005 + 1.8 / diameter**2:
            return None
    return diameter


DIAMETER = Factor("difference in diameter, left minus right", "px", least=1.0, tolerance=0.4, grows=True)
LARGER = TargetComparison("Which of the two {ink} discs is larger, the left or the right one?", "left", "right")
