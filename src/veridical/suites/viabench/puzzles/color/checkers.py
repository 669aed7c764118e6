"""The checker shadow: a dark check in light and a light check in shade."""

from __future__ import annotations

import math
from collections.abc import Sequence
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


class BoardView(BaseItem):
    """The nuisances of one picture of a board with a cylinder: its grays, its scale and place, and its side."""

    def __init__(self, nuisances: Nuisances) -> None:
        self.level = nuisances.between(40, 56)
        self.contrast = nuisances.between(22, 25)
        self.lean = nuisances.between(0.75, 1.15)
        self.near = nuisances.between(0.84, 1)
        self.x, self.y = nuisances.between(0.46, 0.54), nuisances.between(0.55, 0.61)
        self.mirrored = nuisances.one_of((False, True))
        self.size = nuisances.size

    def at(self, u: float, v: float) -> Point:
        """A point of the board in px; `u` and `v` count checks from the far left corner."""
        right, down = self.axes()
        x, y = (self.middle() + (u - 2.5) * right + (v - 2.5) * down).tolist()
        return (self.size - x if self.mirrored else x), y

    def middle(self) -> NDArray[np.float64]:
        """The middle of the board in px, before mirroring."""
        return np.array([self.x, self.y]) * self.size

    def axes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """One check to the right and one toward the viewer, in px, before mirroring."""
        unit = self.near * self.size
        return np.array([0.126, -0.034 * self.lean]) * unit, np.array([0.052 * self.lean, 0.1]) * unit

    def check(self, u: int, v: int) -> tuple[Point, ...]:
        """The corners of a check."""
        return self.at(u, v), self.at(u + 1, v), self.at(u + 1, v + 1), self.at(u, v + 1)


class Checkers(BaseItem):
    """The nuisances of a unit; `gap` is how much lighter B is than A, in L*, if they differ."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.gap = max(_LEAST, nuisances.between(*_GAPS[grade - 1]) * nuisances.one_of((-1, 1)))
        self.tone = nuisances.one_of(range(len(_TONES)))
        self.views = tuple(BoardView(nuisances) for _ in (YES, NO))
        self.scatter = nuisances.scatter()


def _shade(view: BoardView) -> NDArray[np.uint8]:
    """How deep each pixel lies in the cylinder's shadow, from 0 to `_STEPS` - 1."""
    size = view.size
    right, down = view.axes()
    inverse = np.linalg.inv(np.stack([right, down], 1))
    middle = view.middle()
    xs, ys = np.arange(size) + 0.5 - middle[0], np.arange(size) + 0.5 - middle[1]
    foot = np.array(_FOOT) - 2.5
    u, v = (inverse[k, 0] * xs[None, :] + inverse[k, 1] * ys[:, None] - foot[k] for k in (0, 1))
    off, along = np.abs(u + v) / math.sqrt(2), (v - u) / math.sqrt(2)
    depth = np.clip((_EDGE - off) / (_EDGE - _UMBRA), 0, 1) * np.clip(along * 2 + 1, 0, 1)
    smooth = depth * depth * (3 - 2 * depth)
    levels = np.rint(smooth * (_STEPS - 1)).astype(np.uint8)
    return np.asarray(levels[:, ::-1] if view.mirrored else levels, np.uint8)


def _board(view: BoardView, scatter: int) -> Pixels:
    """The checks in light, all but A and B a little lighter or darker than the pattern has them."""
    rng = np.random.default_rng(scatter)
    low = 0.045 * view.near * view.size
    corners = [view.at(0, 0), view.at(0, _CHECKS), view.at(_CHECKS, _CHECKS)]
    items: list[Item] = []
    for (x0, y0), (x1, y1), shade in ((corners[0], corners[1], 34.0), (corners[1], corners[2], 42.0)):
        items.append(Polygon(((x0, y0), (x1, y1), (x1, y1 + low), (x0, y0 + low)), grey(shade)))
    whole = (view.at(0, 0), view.at(_CHECKS, 0), view.at(_CHECKS, _CHECKS), view.at(0, _CHECKS))
    items.append(Polygon(whole, grey(view.level + view.contrast)))
    for u in range(_CHECKS):
        for v in range(_CHECKS):
            shade = view.level + (0 if (u + v) % 2 else view.contrast) + rng.uniform(-2, 2)
            items.append(Polygon(view.check(u, v), grey(shade)))
    return rasterise(Scene(view.size, view.size, grey(84), tuple(items)))


def _cylinder(view: BoardView, tone: int) -> tuple[Item, ...]:
    """An upright cylinder, lit from the side that lies away from its shadow."""
    (x, y), size = view.at(*_FOOT), view.near * view.size
    wide, deep, tall = 0.098 * size, 0.05 * size, 0.27 * size
    light, dark = (np.array(tone, float) for tone in _TONES[tone])
    turns = np.linspace(math.pi, 0, 33)
    items: list[Item] = []
    for one, other in pairwise(turns):
        lit = max(0.0, math.cos((one + other) / 2 - (math.pi - 0.75 if view.mirrored else 0.75)))
        shade = dark + (light - dark) * lit**0.9
        corners = [(x + wide * math.cos(t), y + deep * math.sin(t)) for t in (one + 0.02, other - 0.02)]
        top = [(x + wide * math.cos(t), y + deep * math.sin(t) - tall) for t in (other - 0.02, one + 0.02)]
        red, green, blue = np.rint(shade).astype(int).tolist()
        items.append(Polygon((*corners, *top), (red, green, blue)))
    around = np.linspace(0, 2 * math.pi, 72)
    rim = tuple((x + wide * math.cos(t), y - tall + deep * math.sin(t)) for t in around.tolist())
    red, green, blue = np.rint(light + (255 - light) * 0.25).astype(int).tolist()
    return (*items, Polygon(rim, (red, green, blue)))


def _lit(view: BoardView, scatter: int, tone: int) -> PaintedBase:
    """The board in light and shade with its cylinder."""
    factor = float(luminance_of(view.level) / luminance_of(view.level + view.contrast))
    light = to_linear(np.arange(256))
    factors = 1 + (factor - 1) * np.arange(_STEPS) / (_STEPS - 1)
    table = np.rint(from_linear(light[None] * factors[:, None])).astype(np.uint8)
    board = _board(view, scatter)[..., 0]
    grounds = board == grey(84)[0]
    seen = table[np.where(grounds, 0, _shade(view)), board]
    picture = np.repeat(seen[..., None], 3, 2)
    return PaintedBase.of(Scene(view.size, view.size, grey(84), (Patch(0, 0, picture), *_cylinder(view, tone))))


def _plain(view: BoardView) -> PaintedBase:
    return PaintedBase.of(Scene(view.size, view.size, grey(view.level + view.contrast), ()))


def _draw(base: Checkers, answer: str, variant: Variant) -> tuple[Pixels]:
    view = base.views[answer == NO]
    start = _lit(view, base.scatter, base.tone) if variant == "unusual" else _plain(view)
    items: list[Item] = [
        Polygon(view.check(*_A), grey(view.level)),
        Polygon(view.check(*_B), grey(view.level + (base.gap if answer == NO else 0))),
    ]
    for name, (u, v) in (("A", _A), ("B", _B)):
        items += letter(view.at(u + 0.5, v + 0.5), name, 0.058 * view.near * view.size)
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
)
