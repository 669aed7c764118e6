"""Two well-known striped flags with a stripe too few or too many."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from veridical.media.draw import Disc, Item, Patch, Polygon, Rectangle, Scene, rasterise
from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.anomalies.views import views
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, counting_puzzle, possible_answer

_COUNTRIES = ("the United States", "Greece")
_USUAL = (13, 9)
"""The stripes of the flags of these countries."""
_FIRST: tuple[Colour, Colour] = ((182, 36, 52), (32, 92, 172))
_CANTON: tuple[Colour, Colour] = ((44, 58, 108), (32, 92, 172))
_WHITE: Colour = (252, 252, 250)
_SKIES: tuple[Colour, ...] = ((158, 198, 224), (188, 206, 214), (226, 196, 160), (176, 196, 178))
_KNOTS = 36


class Flag(BaseItem):
    """The nuisances of a flag that waves on its pole; lengths in px, `wave` the height of its waves.

    Of each picture, `shares` has the cloth's height by its width, `depths` the part of it that the canton takes, and
    `colored_first` whether its first stripe is colored.
    """

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.size = nuisances.size
        self.width = nuisances.px(*((375, 395), (330, 365), (290, 330))[grade - 1])
        self.kind = nuisances.one_of((0, 1))
        self.country = _COUNTRIES[self.kind]
        self.wave = nuisances.px(*((6, 10), (8, 13), (10, 15))[grade - 1])
        self.turns = nuisances.between(0.9, 1.4)
        self.phase = nuisances.between(0, 2 * math.pi)
        self.sky = nuisances.one_of(range(len(_SKIES)))
        self.mirrored = nuisances.one_of((False, True))
        self.views = views(nuisances, 3, 0.8, 0.16)
        self.shares = tuple(nuisances.between(0.55, 0.75) for _ in range(3))
        self.depths = tuple(nuisances.between(0.42, 0.66) for _ in range(3))
        self.colored_first = tuple(nuisances.one_of((False, True)) for _ in range(3))


class _Cloth:
    """The cloth in the k-th picture of a flag; `fold` is how deep its folds are shaded."""

    def __init__(self, flag: Flag, k: int) -> None:
        view = flag.views[k]
        self.width = view.near * flag.width
        self.height = flag.shares[k] * self.width
        self.left = 0.5 * (flag.size - self.width) + view.x * (0.5 * (flag.size - self.width) - 0.05 * flag.size)
        self.top = 0.45 * (flag.size - self.height) + view.y * 0.2 * (flag.size - self.height)
        self.wave, self.phase, self.turns = flag.wave, flag.phase, flag.turns
        self.size, self.fold = flag.size, 0.05 + 0.1 * (view.thick - 0.8) / 0.4

    def at(self, u: float, v: float) -> Point:
        """A point of the cloth: `u` and `v` from its upper left corner, 0 to 1."""
        swing = self.wave * (math.sin(self.phase + 2 * math.pi * self.turns * u) - math.sin(self.phase))
        return self.left + u * self.width, self.top + v * self.height + swing * (0.25 + 0.75 * u)

    def band(self, u0: float, u1: float, v0: float, v1: float) -> tuple[Point, ...]:
        """The outline of a part of the cloth."""
        us = np.linspace(u0, u1, max(4, round(_KNOTS * (u1 - u0)))).tolist()
        return (*(self.at(u, v0) for u in us), *(self.at(u, v1) for u in reversed(us)))


def _draw(flag: Flag, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ARG001 (the answer has one variant)
    count, sky, size = int(answer), _SKIES[flag.sky], flag.size
    k = count - _USUAL[flag.kind] + 1
    cloth = _Cloth(flag, k)
    color, blue = (
        mix_colors(dye, _WHITE, 0.5 * flag.views[k].faint) for dye in (_FIRST[flag.kind], _CANTON[flag.kind])
    )
    items: list[Item] = [Polygon(cloth.band(0, 1, 0, 1), _WHITE)]
    colored = range(0 if flag.colored_first[k] else 1, count, 2)
    items += [Polygon(cloth.band(0, 1, stripe / count, (stripe + 1) / count), color) for stripe in colored]
    deep = round(count * flag.depths[k]) / count
    items += _stars(cloth, deep, blue) if flag.kind == 0 else _cross(cloth, deep, blue)
    picture = rasterise(Scene(size, size, sky, tuple(items)))
    _folded(picture, cloth, sky)
    picture = rasterise(Scene(size, size, sky, (Patch(0, 0, picture), *_pole(cloth))))
    picture = flag.views[k].streaked(picture, sky)
    return (np.ascontiguousarray(picture[:, ::-1]) if flag.mirrored else picture,)


def _pole(cloth: _Cloth) -> list[Item]:
    wide = 0.011 * cloth.size
    x, top = cloth.left - 1.2 * wide, cloth.top - 0.06 * cloth.size
    return [
        Rectangle(x - wide, top, x + wide, cloth.size, (150, 138, 124)),
        Rectangle(x - wide, top, x - 0.2 * wide, cloth.size, (186, 176, 162)),
        Disc((x, top - 0.01 * cloth.size), 2.1 * wide, (206, 168, 84)),
    ]


def _stars(cloth: _Cloth, deep: float, blue: Colour) -> list[Item]:
    """The blue canton with fifty stars in nine rows."""
    items: list[Item] = [Polygon(cloth.band(0, 0.4, 0, deep), blue)]
    reach = 0.025 * cloth.height
    turns = np.arange(10) * math.pi / 5
    radii = np.where(np.arange(10) % 2, 0.42, 1.0) * reach
    corners = np.stack([radii * np.sin(turns), -radii * np.cos(turns)], 1)
    for row in range(9):
        for column in range(6 - row % 2):
            u, v = 0.4 * (2 * column + 1 + row % 2) / 12, deep * (row + 1) / 10
            star = corners + cloth.at(u, v)
            items.append(Polygon(tuple(map(tuple, star.tolist())), _WHITE))
    return items


def _cross(cloth: _Cloth, deep: float, blue: Colour) -> list[Item]:
    """The blue canton with a white cross."""
    wide = deep * cloth.height / cloth.width
    arm = deep / 10
    slim = arm * cloth.height / cloth.width
    return [
        Polygon(cloth.band(0, wide, 0, deep), blue),
        Polygon(cloth.band(0, wide, deep / 2 - arm, deep / 2 + arm), _WHITE),
        Polygon(cloth.band(wide / 2 - slim, wide / 2 + slim, 0, deep), _WHITE),
    ]


def _folded(picture: Pixels, cloth: _Cloth, sky: Colour) -> None:
    """Darkens the cloth, column by column, where it turns away from the light."""
    x0, x1 = math.floor(cloth.left), min(math.ceil(cloth.left + cloth.width), cloth.size)
    y0, y1 = max(0, round(cloth.top - 3 * cloth.wave)), round(cloth.top + cloth.height + 3 * cloth.wave)
    u = (np.arange(x0, x1) + 0.5 - cloth.left) / cloth.width
    slope = np.cos(cloth.phase + 2 * math.pi * cloth.turns * u)
    light = np.rint(256 * (1 - cloth.fold + cloth.fold * slope)).astype(np.uint16)
    part = picture[y0:y1, x0:x1]
    drawn = (part != np.array(sky, np.uint8)).any(2)
    for channel in range(3):
        shaded = (part[..., channel] * light[None, :] >> 8).astype(np.uint8)
        np.copyto(part[..., channel], shaded, where=drawn)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The number of runs of one color down the cloth, on its free side."""
    picture = pictures[0].astype(np.int16)
    cloth = np.abs(picture - picture[:, :1]).sum(2) > 0
    columns = np.flatnonzero(cloth.sum(0) > len(picture) // 6)
    if len(columns) < len(picture) // 4 or not cloth[-1].any():
        return None
    if np.flatnonzero(cloth[-1])[0] > columns.mean():  # the pole stands on the right
        picture, cloth, columns = picture[:, ::-1], cloth[:, ::-1], len(picture) - 1 - columns[::-1]
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
    subject=lambda flag: f"flag of {flag.country}",
    draw=_draw,
    prior="the flag of {country}",
    **counting_puzzle(lambda flag: _USUAL[flag.kind]),
    read=_read,
)
