"""Two well-known striped flags with a stripe too few or too many."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from veridical.media.draw import Disc, Item, Patch, Polygon, Rectangle, Scene, rasterise
from veridical.media.draw.scene import Colour, Point
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, counting_puzzle, possible_answer

_USUAL = (13, 9)
"""The stripes of the flags of the United States and of Greece."""
_FIRST: tuple[Colour, Colour] = ((182, 36, 52), (32, 92, 172))
_WHITE: Colour = (252, 252, 250)
_BLUE: Colour = (44, 58, 108)
_SKIES: tuple[Colour, ...] = ((158, 198, 224), (188, 206, 214), (226, 196, 160), (176, 196, 178))
_SHARE = (7 / 13, 5 / 9)
_KNOTS = 36


class Flag(BaseItem):
    """The nuisances of a flag that waves on its pole; lengths in px, `wave` the height of its waves."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.size = nuisances.size
        self.width = nuisances.px(*((375, 395), (330, 365), (290, 330))[grade - 1])
        self.height = self.width * nuisances.between(0.62, 0.68)
        self.kind = nuisances.one_of((0, 1))
        self.left = 0.5 * (self.size - self.width) + nuisances.px(0, 20)
        self.top = 0.5 * (self.size - self.height) - nuisances.px(10, 50)
        self.wave = nuisances.px(*((6, 10), (8, 13), (10, 15))[grade - 1])
        self.turns = nuisances.between(0.9, 1.4)
        self.phase = nuisances.between(0, 2 * math.pi)
        self.sky = nuisances.one_of(range(len(_SKIES)))

    def at(self, u: float, v: float) -> Point:
        """A point of the cloth: `u` and `v` from its upper left corner, 0 to 1."""
        swing = self.wave * (math.sin(self.phase + 2 * math.pi * self.turns * u) - math.sin(self.phase))
        return self.left + u * self.width, self.top + v * self.height + swing * (0.25 + 0.75 * u)

    def band(self, u0: float, u1: float, v0: float, v1: float) -> tuple[Point, ...]:
        """The outline of a part of the cloth."""
        us = np.linspace(u0, u1, max(4, round(_KNOTS * (u1 - u0)))).tolist()
        return (*(self.at(u, v0) for u in us), *(self.at(u, v1) for u in reversed(us)))


def _draw(flag: Flag, answer: str, variant: Variant) -> tuple[Scene]:  # noqa: ARG001 (the answer has one variant)
    count, sky, size = int(answer), _SKIES[flag.sky], flag.size
    items: list[Item] = [Polygon(flag.band(0, 1, 0, 1), _WHITE)]
    items += [Polygon(flag.band(0, 1, k / count, (k + 1) / count), _FIRST[flag.kind]) for k in range(0, count, 2)]
    deep = round(count * _SHARE[flag.kind]) / count
    items += _stars(flag, deep) if flag.kind == 0 else _cross(flag, deep, count)
    picture = rasterise(Scene(size, size, sky, tuple(items)))
    _folded(picture, flag, sky)
    wide = 0.011 * size
    pole = flag.left - 1.2 * wide
    return (
        Scene(
            size,
            size,
            sky,
            (
                Patch(0, 0, picture),
                Rectangle(pole - wide, flag.top - 0.06 * size, pole + wide, size, (150, 138, 124)),
                Rectangle(pole - wide, flag.top - 0.06 * size, pole - 0.2 * wide, size, (186, 176, 162)),
                Disc((pole, flag.top - 0.07 * size), 2.1 * wide, (206, 168, 84)),
            ),
        ),
    )


def _stars(flag: Flag, deep: float) -> list[Item]:
    """The blue canton with fifty stars in nine rows."""
    items: list[Item] = [Polygon(flag.band(0, 0.4, 0, deep), _BLUE)]
    reach = 0.025 * flag.height
    turns = np.arange(10) * math.pi / 5
    radii = np.where(np.arange(10) % 2, 0.42, 1.0) * reach
    corners = np.stack([radii * np.sin(turns), -radii * np.cos(turns)], 1)
    for row in range(9):
        for column in range(6 - row % 2):
            u, v = 0.4 * (2 * column + 1 + row % 2) / 12, deep * (row + 1) / 10
            star = corners + flag.at(u, v)
            items.append(Polygon(tuple(map(tuple, star.tolist())), _WHITE))
    return items


def _cross(flag: Flag, deep: float, count: int) -> list[Item]:
    """The blue canton with a white cross."""
    wide = deep * flag.height / flag.width
    arm = 0.5 / count
    slim = arm * flag.height / flag.width
    return [
        Polygon(flag.band(0, wide, 0, deep), _FIRST[1]),
        Polygon(flag.band(0, wide, deep / 2 - arm, deep / 2 + arm), _WHITE),
        Polygon(flag.band(wide / 2 - slim, wide / 2 + slim, 0, deep), _WHITE),
    ]


def _folded(picture: Pixels, flag: Flag, sky: Colour) -> None:
    """Darkens the cloth, column by column, where it turns away from the light."""
    x0, x1 = math.floor(flag.left), min(math.ceil(flag.left + flag.width), flag.size)
    y0, y1 = max(0, round(flag.top - 3 * flag.wave)), round(flag.top + flag.height + 3 * flag.wave)
    u = (np.arange(x0, x1) + 0.5 - flag.left) / flag.width
    slope = np.cos(flag.phase + 2 * math.pi * flag.turns * u)
    light = np.rint(256 * (0.9 + 0.1 * slope)).astype(np.uint16)
    part = picture[y0:y1, x0:x1]
    cloth = (part != np.array(sky, np.uint8)).any(2)
    for channel in range(3):
        shaded = (part[..., channel] * light[None, :] >> 8).astype(np.uint8)
        np.copyto(part[..., channel], shaded, where=cloth)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The number of runs of one color down the cloth, on its free side."""
    picture = pictures[0].astype(np.int16)
    cloth = np.abs(picture - picture[0, 0]).sum(2) > 0
    columns = np.flatnonzero(cloth.sum(0) > len(picture) // 4)
    if len(columns) < len(picture) // 4 or cloth.all():
        return None
    counts = []
    for share in (0.62, 0.7, 0.78, 0.86, 0.94):
        column = columns[0] + round(share * (columns[-1] - columns[0]))
        rows = np.flatnonzero(cloth[:, column])
        strip = picture[rows[0] : rows[-1] + 1, column]
        colored = strip.max(1) - strip.min(1) > 60
        edges = np.flatnonzero(np.diff(np.concatenate([[-1], colored.astype(int), [-1]])) != 0)
        runs = np.diff(edges)
        counts.append(int(np.count_nonzero(runs > 0.35 * runs.max())))
    count = int(np.bincount(counts).argmax())
    return possible_answer(count, answers)


FLAGS = Puzzle(
    name="flags",
    title="Flag",
    sees="the flag of the United States, which has thirteen stripes, or that of Greece, which has nine",
    truth="the number of stripes that are drawn: the usual one, one less, or one more",
    graded="a smaller flag that waves more",
    question="How many stripes, of both colors together, does the flag in the image have?",
    sample=Flag,
    draw=_draw,
    **counting_puzzle(lambda flag: _USUAL[flag.kind]),
    read=_read,
)
