"""Insects and spiders from above, with a leg too few or too many."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from veridical.media.draw import Item, Scene, rasterise
from veridical.media.draw.scene import Colour
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.anomalies.outline import (
    Points,
    marks,
    polygon,
    smooth_line,
    stroke,
    to_pixels,
)
from veridical.suites.viabench.puzzles.anomalies.views import views
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, counting_puzzle, possible_answer

_GROUNDS: tuple[Colour, ...] = ((236, 232, 220), (222, 232, 218), (230, 222, 210), (216, 226, 232), (240, 230, 232))
_LEGS: tuple[Colour, ...] = ((46, 36, 34), (74, 44, 28), (38, 42, 54))
"""The colors of legs, which nothing else has."""
Oval = tuple[float, float, float, float]
"""Middle x and y, half the width and half the length, along the body with the head up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BugSpecies:
    """An insect or a spider; ovals are painted in order, each with its tone."""

    name: str
    legs: int
    ovals: tuple[tuple[Oval, Colour], ...]
    marked: tuple[tuple[Oval, Colour], ...] = ()
    """Spots, stripes and eyes, without outlines."""
    wings: tuple[Oval, ...] = ()
    roots: tuple[float, float]
    """Between which heights legs leave the body."""
    reach: float
    """How far legs reach from the middle."""
    fan: float = 50.0
    """The angle of the first leg forward, and of the last backward, in degrees."""
    horns: bool = True
    """Whether it has antennae."""


_BLACK: Colour = (52, 46, 48)
ANT = BugSpecies(
    name="ant",
    legs=6,
    ovals=(
        ((0.0, -0.3, 0.125, 0.2), (116, 62, 44)),
        ((0.0, -0.06, 0.035, 0.05), (98, 50, 36)),
        ((0.0, 0.1, 0.075, 0.15), (128, 70, 50)),
        ((0.0, 0.33, 0.1, 0.115), (116, 62, 44)),
    ),
    marked=(((-0.066, 0.36, 0.02, 0.028), (24, 20, 22)), ((0.066, 0.36, 0.02, 0.028), (24, 20, 22))),
    roots=(0.0, 0.2),
    reach=0.43,
)
BEETLE = BugSpecies(
    name="beetle",
    legs=6,
    ovals=(
        ((0.0, 0.4, 0.1, 0.09), (44, 74, 64)),
        ((0.0, 0.25, 0.17, 0.13), (58, 104, 88)),
        ((0.0, -0.12, 0.225, 0.32), (66, 130, 104)),
    ),
    marked=(
        ((0.0, -0.13, 0.008, 0.3), (34, 66, 56)),
        ((-0.1, -0.05, 0.02, 0.16), (120, 176, 150)),
        ((0.06, 0.29, 0.05, 0.02), (110, 160, 140)),
    ),
    roots=(-0.2, 0.25),
    reach=0.47,
)
LADYBUG = BugSpecies(
    name="ladybug",
    legs=6,
    ovals=(((0.0, 0.3, 0.15, 0.12), _BLACK), ((0.0, -0.05, 0.31, 0.34), (208, 54, 42))),
    marked=(
        ((0.0, -0.05, 0.009, 0.335), _BLACK),
        *(((x, y, 0.055, 0.06), _BLACK) for x, y in ((-0.15, 0.1), (0.15, 0.1), (-0.17, -0.12), (0.17, -0.12))),
        *(((x, -0.27, 0.04, 0.045), _BLACK) for x in (-0.1, 0.1)),
        *(((x, 0.34, 0.035, 0.03), (244, 240, 230)) for x in (-0.08, 0.08)),
    ),
    roots=(-0.2, 0.2),
    reach=0.47,
)
BEE = BugSpecies(
    name="bee",
    legs=6,
    ovals=(
        ((0.0, -0.24, 0.15, 0.25), (238, 184, 52)),
        ((0.0, 0.13, 0.13, 0.14), (196, 134, 46)),
        ((0.0, 0.34, 0.105, 0.09), (70, 56, 50)),
    ),
    marked=(
        *(((0.0, y, wide, 0.03), (58, 48, 44)) for y, wide in ((-0.11, 0.12), (-0.22, 0.142), (-0.33, 0.13))),
        *(((x, 0.36, 0.025, 0.04), (24, 20, 22)) for x in (-0.07, 0.07)),
    ),
    wings=((0.13, -0.22, 0.062, 0.2), (-0.13, -0.22, 0.062, 0.2)),
    roots=(0.04, 0.24),
    reach=0.46,
    fan=38.0,
)
SPIDER = BugSpecies(
    name="spider",
    legs=8,
    ovals=(((0.0, -0.24, 0.19, 0.23), (112, 88, 70)), ((0.0, 0.1, 0.13, 0.15), (134, 106, 84))),
    marked=(
        *(((0.0, y, wide, 0.022), (170, 142, 112)) for y, wide in ((-0.12, 0.07), (-0.21, 0.1), (-0.3, 0.07))),
        *(((x, y, 0.016, 0.016), (24, 20, 22)) for x in (-0.045, 0.045) for y in (0.19, 0.215)),
    ),
    roots=(0.0, 0.2),
    reach=0.47,
    fan=56.0,
    horns=False,
)
BUG_SPECIES = (ANT, BEETLE, LADYBUG, BEE, SPIDER)


class Bug(BaseItem):
    """The nuisances of an insect or a spider, `unit` px long; `left` tells which side has the odd leg.

    Of each picture, `tilts` has the way it walks, in degrees from upward, and `bends` how far legs are bent.
    """

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.size = nuisances.size
        self.kind = nuisances.one_of((*range(len(BUG_SPECIES)), len(BUG_SPECIES) - 1))
        self.species = BUG_SPECIES[self.kind].name
        self.unit = nuisances.px(*((400, 430), (350, 390), (310, 345))[grade - 1])
        self.left = nuisances.one_of((False, True))
        self.leg = nuisances.one_of(range(len(_LEGS)))
        self.ground = nuisances.one_of(range(len(_GROUNDS)))
        self.views = views(nuisances, 3)
        turn = nuisances.between(0, 360)
        self.tilts = tuple(turn + nuisances.between(-25, 25) for _ in range(3))
        self.bends = tuple(nuisances.between(0.8, 1.2) for _ in range(3))


def _legs(bug: Bug, k: int, count: int, *, left: bool) -> list[Points]:
    """The legs of a side in the k-th picture, from front to back: each a line from inside the body to its tip."""
    kind, legs = BUG_SPECIES[bug.kind], []
    low, high = kind.roots
    for place in range(count):
        share = 1 - 2 * place / (count - 1)
        root = (low + high) / 2 + share * (high - low) / 2
        angle = math.radians(kind.fan * share)
        way = np.array([math.cos(angle), math.sin(angle)])
        knee = np.array([0.0, root]) + 0.62 * kind.reach * way * (1, 0.85) + np.array([0, 0.05 * bug.bends[k]])
        tip = np.array([0.0, root]) + kind.reach * way * (1, 1.15) - np.array([0, 0.05 * bug.bends[k]])
        line = smooth_line([(0.05, root), knee, tip], 0.02, 0.03, closed=False)
        legs.append(line * (-1 if left else 1, 1))
    return legs


def _ring(oval: Oval) -> Points:
    x, y, wide, high = oval
    turn = np.linspace(0, 2 * math.pi, 41)[:-1]
    return np.stack([x + wide * np.cos(turn), y + high * np.sin(turn)], 1)


def _draw(bug: Bug, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ARG001 (the answer has one variant)
    kind, size = BUG_SPECIES[bug.kind], bug.size
    k = int(answer) - kind.legs + 1
    view, ground, ink = bug.views[k], _GROUNDS[bug.ground], _LEGS[bug.leg]
    unit = 0.82 * view.near * bug.unit
    free = max(0.0, 0.49 * size - 0.66 * unit)
    center = 0.5 * size + view.x * free, 0.5 * size + view.y * free

    def put(points: Points) -> Points:
        return to_pixels(points, unit, bug.tilts[k], center)

    half = kind.legs // 2
    sides = [(half + k - 1, bug.left), (half, not bug.left)]
    width = max(3.3, 0.028 * unit * view.thick)
    shade = mix_colors(ground, (40, 40, 50), 0.2)
    legs = [leg for count, left in sides for leg in _legs(bug, k, count, left=left)]
    items: list[Item] = []
    away = np.array([0.018, 0.026]) * unit
    items += [stroke(put(leg) + away, width, shade) for leg in legs]
    items += [polygon(put(_ring(oval)) + away, shade) for oval, _ in kind.ovals]
    items += [stroke(put(leg), width, ink) for leg in legs]
    items += _body(kind, ink, max(1.2, 0.008 * unit), put)
    return (view.streaked(rasterise(Scene(size, size, ground, tuple(items))), ground, shade),)


def _body(kind: BugSpecies, ink: Colour, line: float, put: Callable[[Points], Points]) -> list[Item]:
    items: list[Item] = []
    if kind.horns:
        top = kind.ovals[-1 if kind.ovals[-1][0][1] > 0 else 0][0]
        for side in (-1, 1):
            horn = [(0.4 * side * top[2], top[1]), (0.05 * side, top[1] + 0.12), (0.1 * side, top[1] + 0.16)]
            items.append(
                stroke(
                    put(smooth_line(horn, 0.02, 0.03, closed=False)), 2 * line, mix_colors(ink, (255, 255, 255), 0.2)
                )
            )
    for oval, color in kind.ovals:
        points, light = put(_ring(oval)), mix_colors(color, (255, 255, 255), 0.3)
        x, y, wide, high = oval
        glow = put(_ring((x - 0.12 * wide, y + 0.1 * high, 0.6 * wide, 0.65 * high)))
        items += [polygon(points, color), polygon(glow, mix_colors(color, light, 0.35))]
        items.append(stroke(points, line, mix_colors(color, (10, 8, 10), 0.55), closed=True))
    items += [polygon(put(_ring(oval)), color) for oval, color in kind.marked]
    for x, y, wide, high in kind.wings:
        wing = _ring((0.0, 0.0, wide, high))
        lean = math.radians(12 if x > 0 else -12)
        turn = np.array([[math.cos(lean), -math.sin(lean)], [math.sin(lean), math.cos(lean)]])
        points = put(wing @ turn.T + (x, y))
        items += [polygon(points, (222, 232, 240)), stroke(points, line, (128, 140, 152), closed=True)]
    return items


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The number of parts in the color of legs."""
    return possible_answer(max(marks(pictures[0], ink, 0.0004) for ink in _LEGS), answers)


INSECTS = Puzzle(
    name="insects",
    title="Insect or spider",
    sees="an insect, which has six legs, or a spider, which has eight",
    truth="the number of legs that are drawn: the usual one, one less, or one more",
    graded="a smaller animal",
    question="Seen from above, how many legs does the {species} in the image have?",
    sample=Bug,
    subject=lambda bug: bug.species,
    draw=_draw,
    prior="an ordinary {species}",
    **counting_puzzle(lambda bug: BUG_SPECIES[bug.kind].legs),
    read=_read,
)
