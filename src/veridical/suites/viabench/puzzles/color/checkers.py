"""The checker shadow: a dark check in light and a light check in shade."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Item, PaintedBase, Patch, Polygon, Scene, rasterise
from veridical.media.draw.colour import from_linear, grey, luminance_of, to_linear
from veridical.media.draw.scene import Colour, Point
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.color.flats import LABEL, commonest, labels, letter
from veridical.suites.viabench.puzzles.puzzle import NO, YES, Pixels, Puzzle, Variant, illusion

_CHECKS = 5
_A, _B = (1, 0), (2, 2)
"""Column and row of the two checks: a dark one in light, a light one in shade."""
_FOOT = (4.05, 0.95)
"""Where the cylinder stands, in checks; its shadow runs from there over B."""
_UMBRA, _EDGE = 0.8, 1.12
"""Half the width of the full shade, and of the shade with its soft rim, in checks."""
_STEPS = 48
_GAPS = ((14.0, 17.0), (10.5, 13.0), (8.0, 9.5))
_LEAST = -11.0
"""If B is darker than A, then by no more: it stays lighter than the dark checks in shade."""
_TONES: tuple[tuple[Colour, Colour], ...] = (
    ((136, 184, 142), (58, 96, 70)),
    ((152, 170, 212), (66, 78, 122)),
    ((222, 176, 128), (124, 74, 44)),
)


class Checkers(BaseItem):
    """The nuisances of a board with a cylinder; `gap` is how much lighter B is than A, in L*, if they differ."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.gap = max(_LEAST, nuisances.between(*_GAPS[grade - 1]) * nuisances.one_of((-1, 1)))
        self.level = nuisances.between(48, 52)
        self.contrast = nuisances.between(22, 25)
        self.lean = nuisances.between(0.75, 1.15)
        self.tone = nuisances.one_of(range(len(_TONES)))
        self.mirrored = nuisances.one_of((False, True))
        self.scatter = nuisances.scatter()
        self.size = nuisances.size

    def at(self, u: float, v: float) -> Point:
        """A point of the board in px; `u` and `v` count checks from the far left corner."""
        right, down = self.axes()
        x, y = (np.array([0.5, 0.6]) * self.size + (u - 2.5) * right + (v - 2.5) * down).tolist()
        return (self.size - x if self.mirrored else x), y

    def axes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """One check to the right and one toward the viewer, in px, before mirroring."""
        right = np.array([0.126, -0.034 * self.lean]) * self.size
        return right, np.array([0.052 * self.lean, 0.1]) * self.size

    def check(self, u: int, v: int) -> tuple[Point, ...]:
        """The corners of a check."""
        return self.at(u, v), self.at(u + 1, v), self.at(u + 1, v + 1), self.at(u, v + 1)


def _shade(base: Checkers) -> NDArray[np.uint8]:
    """How deep each pixel lies in the cylinder's shadow, from 0 to `_STEPS` - 1."""
    size = base.size
    right, down = base.axes()
    inverse = np.linalg.inv(np.stack([right, down], 1))
    middle = np.array([0.5, 0.6]) * size
    xs, ys = np.arange(size) + 0.5 - middle[0], np.arange(size) + 0.5 - middle[1]
    foot = np.array(_FOOT) - 2.5
    u, v = (inverse[k, 0] * xs[None, :] + inverse[k, 1] * ys[:, None] - foot[k] for k in (0, 1))
    off, along = np.abs(u + v) / math.sqrt(2), (v - u) / math.sqrt(2)
    depth = np.clip((_EDGE - off) / (_EDGE - _UMBRA), 0, 1) * np.clip(along * 2 + 1, 0, 1)
    smooth = depth * depth * (3 - 2 * depth)
    levels = np.rint(smooth * (_STEPS - 1)).astype(np.uint8)
    return np.asarray(levels[:, ::-1] if base.mirrored else levels, np.uint8)


def _board(base: Checkers) -> Pixels:
    """The checks in light, all but A and B a little lighter or darker than the pattern has them."""
    rng = np.random.default_rng(base.scatter)
    low = 0.045 * base.size
    corners = [base.at(0, 0), base.at(0, _CHECKS), base.at(_CHECKS, _CHECKS)]
    items: list[Item] = []
    for (x0, y0), (x1, y1), shade in ((corners[0], corners[1], 34.0), (corners[1], corners[2], 42.0)):
        items.append(Polygon(((x0, y0), (x1, y1), (x1, y1 + low), (x0, y0 + low)), grey(shade)))
    whole = (base.at(0, 0), base.at(_CHECKS, 0), base.at(_CHECKS, _CHECKS), base.at(0, _CHECKS))
    items.append(Polygon(whole, grey(base.level + base.contrast)))
    for u in range(_CHECKS):
        for v in range(_CHECKS):
            shade = base.level + (0 if (u + v) % 2 else base.contrast) + rng.uniform(-2, 2)
            items.append(Polygon(base.check(u, v), grey(shade)))
    return rasterise(Scene(base.size, base.size, grey(84), tuple(items)))


def _cylinder(base: Checkers) -> tuple[Item, ...]:
    """An upright cylinder, lit from the side that lies away from its shadow."""
    (x, y), size = base.at(*_FOOT), base.size
    wide, deep, tall = 0.098 * size, 0.05 * size, 0.27 * size
    light, dark = (np.array(tone, float) for tone in _TONES[base.tone])
    turns = np.linspace(math.pi, 0, 33)
    items: list[Item] = []
    for one, other in pairwise(turns):
        lit = max(0.0, math.cos((one + other) / 2 - (math.pi - 0.75 if base.mirrored else 0.75)))
        tone = dark + (light - dark) * lit**0.9
        corners = [(x + wide * math.cos(t), y + deep * math.sin(t)) for t in (one + 0.02, other - 0.02)]
        top = [(x + wide * math.cos(t), y + deep * math.sin(t) - tall) for t in (other - 0.02, one + 0.02)]
        red, green, blue = np.rint(tone).astype(int).tolist()
        items.append(Polygon((*corners, *top), (red, green, blue)))
    around = np.linspace(0, 2 * math.pi, 72)
    rim = tuple((x + wide * math.cos(t), y - tall + deep * math.sin(t)) for t in around.tolist())
    red, green, blue = np.rint(light + (255 - light) * 0.25).astype(int).tolist()
    return (*items, Polygon(rim, (red, green, blue)))


@lru_cache(maxsize=2)
def _lit(base: Checkers) -> PaintedBase:
    """The board in light and shade with its cylinder."""
    factor = float(luminance_of(base.level) / luminance_of(base.level + base.contrast))
    light = to_linear(np.arange(256))
    factors = 1 + (factor - 1) * np.arange(_STEPS) / (_STEPS - 1)
    table = np.rint(from_linear(light[None] * factors[:, None])).astype(np.uint8)
    board = _board(base)[..., 0]
    grounds = board == grey(84)[0]
    seen = table[np.where(grounds, 0, _shade(base)), board]
    picture = np.repeat(seen[..., None], 3, 2)
    return PaintedBase.of(Scene(base.size, base.size, grey(84), (Patch(0, 0, picture), *_cylinder(base))))


@lru_cache(maxsize=2)
def _plain(base: Checkers) -> PaintedBase:
    return PaintedBase.of(Scene(base.size, base.size, grey(base.level + base.contrast), ()))


def _draw(base: Checkers, answer: str, variant: Variant) -> tuple[Pixels]:
    start = _lit(base) if variant == "unusual" else _plain(base)
    items: list[Item] = [
        Polygon(base.check(*_A), grey(base.level)),
        Polygon(base.check(*_B), grey(base.level + (base.gap if answer == NO else 0))),
    ]
    for name, (u, v) in (("A", _A), ("B", _B)):
        items += letter(base.at(u + 0.5, v + 0.5), name, 0.058 * base.size)
    return (start.with_items(tuple(items)),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001 (Yes or No)
    """Whether the commonest colors around the two letters are the same."""
    boxes = labels(pictures[0])
    rim = len(pictures[0]) // 80
    tones = [
        commonest(pictures[0][top - rim : bottom + rim, left - rim : right + rim], LABEL)
        for top, bottom, left, right in boxes
    ]
    return None if not tones else YES if tones[0] == tones[1] else NO


CHECKERS = Puzzle(
    name="checkers",
    title="Checker shadow",
    category="color",
    capability="color",
    sees="two checks of a board, one in light and one in shade, of different gray",
    truth="whether the two checks have one gray; if not, they differ by 8 to 17 in L*",
    source="Adelson 1995",
    graded="a smaller difference: from 17 down to 8 in L*",
    question="Are the squares marked A and B the same shade of gray in the image?",
    question_reversed="Do the squares marked A and B have different shades of gray in the image?",
    sample=Checkers,
    draw=_draw,
    usual=illusion(NO),
    read=_read,
    told_by_a_glance=True,
)
