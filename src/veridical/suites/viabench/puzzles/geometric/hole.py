"""A hole in a wall, or one that is only painted on it: told by what passes through it or lies on it."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from veridical.media.draw import Disc, Item, Patch, Polygon, Rectangle, Scene, rasterise
from veridical.media.draw.scene import Colour, Point
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.puzzle import NO, YES, Pixels, Puzzle, Variant, illusion

_BEYOND = ((70.0, 90.0), (48.0, 62.0), (32.0, 42.0))
_WALLS: tuple[tuple[Colour, Colour, str], ...] = (
    ((206, 164, 116), (160, 118, 78), "planks"),
    ((176, 190, 198), (134, 150, 162), "planks"),
    ((200, 128, 102), (226, 210, 194), "bricks"),
    ((214, 202, 178), (184, 170, 146), "bricks"),
    ((152, 176, 150), (112, 138, 112), "planks"),
)
_STICKS: tuple[tuple[Colour, Colour, Colour], ...] = (
    ((214, 66, 52), (240, 130, 110), (146, 36, 30)),
    ((52, 110, 190), (120, 168, 230), (28, 66, 126)),
    ((246, 190, 60), (255, 224, 140), (190, 132, 26)),
    ((238, 236, 230), (255, 255, 255), (176, 172, 164)),
)

_DEPTH: tuple[Colour, Colour] = ((120, 110, 122), (72, 66, 84))
_PAINT: Colour = (90, 84, 100)
_LIGHT = (0.5, 0.87)


class Hole(BaseItem):
    """The nuisances of one picture: the wall, the round patch, the stick and how far it reaches past it, the light."""

    def __init__(self, nuisances: Nuisances, grade: int, *, cut: bool) -> None:
        self.degrees = nuisances.one_of((14.0, 118.0, 140.0, 162.0)) + nuisances.between(-9, 9)
        self.degrees += nuisances.one_of((0.0, 180.0))
        self.radius = nuisances.px(80, 108)
        self.aside = nuisances.px(-26, 26)
        self.before = nuisances.px(40, 110)
        self.beyond = nuisances.px(*_BEYOND[grade - 1])
        self.thickness = nuisances.px(15, 24)
        self.deep = nuisances.px(15, 19)
        self.light = nuisances.px(22, 30)
        self.shade = nuisances.between(0.34, 0.56)
        self.bright, self.dim = nuisances.between(0.84, 1), nuisances.between(0.7, 1.35)
        self.wall = nuisances.one_of(range(len(_WALLS)))
        self.stick = nuisances.one_of(range(len(_STICKS)))
        self.size = nuisances.size
        self.scatter = nuisances.scatter()
        # The patch lies as far to one side of the middle as the stick to the other: so neither's place tells.
        shift = (self.before + self.beyond if cut else self.before - self.beyond) / 4
        self.x = nuisances.size / 2 + nuisances.px(-48, 48) + shift * math.cos(math.radians(self.degrees))
        self.y = nuisances.size / 2 + nuisances.px(-48, 48) + shift * math.sin(math.radians(self.degrees))


class Holes(BaseItem):
    """The pictures of a unit: one of a stick in a hole, one of a stick on a painted wall."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.views = Hole(nuisances, grade, cut=True), Hole(nuisances, grade, cut=False)


def _shaded(color: Colour, factor: float) -> Colour:
    red, green, blue = (min(255, round(factor * value)) for value in color)
    return red, green, blue


def _wall(hole: Hole) -> list[Item]:
    """Planks or bricks over the whole picture, each in a shade of its own."""
    tone, joint, kind = _WALLS[hole.wall]
    rng, size, unit = np.random.default_rng(hole.scatter), hole.size, hole.size / 512
    items: list[tuple[float, Rectangle]] = []
    if kind == "planks":
        width = 74 * unit
        for k in range(8):
            x, shade = (k - 0.5) * width, 0.96 + 0.02 * int(rng.integers(5))
            items.append((shade, Rectangle(x + 1.2 * unit, 0, x + width - 1.2 * unit, size, _shaded(tone, shade))))
            for _ in range(3):
                at = x + float(rng.uniform(0.1, 0.9)) * width
                items.append((2.0, Rectangle(at, 0, at + 1.3 * unit, size, _shaded(tone, 0.92))))
    else:
        width, height, gap = 92 * unit, 37 * unit, 2 * unit
        for row in range(15):
            for column in range(-1, 7):
                x, y, shade = (column + 0.5 * (row % 2)) * width, row * height, 0.94 + 0.03 * int(rng.integers(5))
                color = _shaded(tone, shade)
                box = Rectangle(x + gap, y + gap, x + width - gap, y + height - gap, color)
                items.append((shade, box))
    ground = Rectangle(0, 0, size, size, joint)
    return [ground, *(item for _, item in sorted(items, key=lambda each: each[0]))]


def _lens(first: Disc, second: Disc) -> Polygon:
    """The area that two discs share, in the color of the second."""
    angles = np.linspace(0, 2 * np.pi, 181)
    points: list[NDArray[np.float64]] = []
    for one, other in ((first, second), (second, first)):
        at = np.array(one.centre) + one.radius * np.stack([np.cos(angles), np.sin(angles)], 1)
        points.append(at[np.hypot(*(at - other.centre).T) <= other.radius + 1e-6])
    every = np.concatenate(points)
    middle = every.mean(0)
    order = np.argsort(np.arctan2(*(every - middle).T[::-1]))
    return Polygon(tuple(map(tuple, every[order].tolist())), second.colour)


def _patch(hole: Hole, variant: Variant) -> list[Item]:
    """The round patch: with the wall's thickness and darkness behind it, or flat."""
    tone = _WALLS[hole.wall][0]
    rim = Disc((hole.x, hole.y), hole.radius, _shaded(tone, 0.62))
    if variant == "ordinary":
        return [Disc(rim.centre, rim.radius, _shaded(_PAINT, hole.dim))]
    items: list[Item] = [rim]
    for step, shade in zip(np.linspace(0.1, 0.9, 7), np.linspace(0.6, 0.5, 7), strict=True):
        items.append(_lens(rim, _shifted(hole, float(step), _shaded(tone, float(shade)))))
    for step, t in zip(np.linspace(1.0, 3.2, 15), np.linspace(0.0, 1.0, 15), strict=True):
        red, green, blue = (round(a + t * (b - a)) for a, b in zip(_DEPTH[0], _DEPTH[1], strict=True))
        items.append(_lens(rim, _shifted(hole, float(step), _shaded((red, green, blue), hole.dim))))
    return items


def _shifted(hole: Hole, step: float, color: Colour) -> Disc:
    return Disc((hole.x - step * hole.deep, hole.y - 0.9 * step * hole.deep), hole.radius, color)


def _reach(hole: Hole, off: float) -> tuple[float, float]:
    """Where a line along the stick, `off` px off its middle, enters and leaves the patch; 0 is next to its center."""
    half = math.sqrt(max(hole.radius**2 - (hole.aside + off) ** 2, 0.0))
    return -half, half


def _at(hole: Hole, along: float, off: float) -> Point:
    """A point by its place along the stick and beside it, in px."""
    cos, sin = math.cos(math.radians(hole.degrees)), math.sin(math.radians(hole.degrees))
    aside = hole.aside + off
    return hole.x + along * cos - aside * sin, hole.y + along * sin + aside * cos


def _strip(hole: Hole, low: float, high: float, color: Colour, *, cut: bool, shift: Point = (0.0, 0.0)) -> Polygon:
    """A stripe along the stick from one end to the other, or to the far rim of the patch where it is cut.

    What is seen of a stick is as long as if it were not: one that is cut begins as much earlier.
    """
    offs = np.linspace(low, high, 13).tolist()
    start = -math.sqrt(hole.radius**2 - hole.aside**2) - hole.before - (hole.beyond if cut else 0)
    end = math.sqrt(hole.radius**2 - hole.aside**2) + hole.beyond
    upper = [_at(hole, start, off) for off in (high, low)]
    lower = [_at(hole, _reach(hole, off)[1] if cut else end, off) for off in offs]
    return Polygon(tuple((x + shift[0], y + shift[1]) for x, y in (*upper, *lower)), color)


def _stick(hole: Hole, *, cut: bool) -> list[Item]:
    body, light, dark = _STICKS[hole.stick]
    half = hole.thickness / 2
    away = math.radians(hole.degrees)
    stripes = ((-1.0, 1.0, body), (-0.55, -0.15, light), (0.45, 1.0, dark)) if (
        _LIGHT[1] * math.cos(away) > _LIGHT[0] * math.sin(away)
    ) else ((-1.0, 1.0, body), (0.15, 0.55, light), (-1.0, -0.45, dark))  # fmt: skip
    return [_strip(hole, low * half, high * half, color, cut=cut) for low, high, color in stripes]


@lru_cache(maxsize=2)
def _masks(hole: Hole, *, cut: bool) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How much the stick's shadow darkens each pixel, from 0 to 1, and how much of it the patch covers."""

    def mask(item: Item) -> NDArray[np.float32]:
        levels = rasterise(Scene(hole.size, hole.size, (0, 0, 0), (item,)))[..., 0]
        return np.asarray(levels / np.float32(255), np.float32)

    half = hole.thickness / 2
    shift = _LIGHT[0] * hole.light, _LIGHT[1] * hole.light
    shadow = mask(_strip(hole, -half, half, (255, 255, 255), cut=cut, shift=shift))
    disc = mask(Disc((hole.x, hole.y), hole.radius, (255, 255, 255)))
    return gaussian_filter(shadow, 2.0 * hole.size / 512), disc


@lru_cache(maxsize=4)
def _scenery(hole: Hole, variant: Variant) -> Pixels:
    return rasterise(Scene(hole.size, hole.size, (0, 0, 0), (*_wall(hole), *_patch(hole, variant))))


def _draw(holes: Holes, answer: str, variant: Variant) -> tuple[Scene]:
    hole = holes.views[answer == NO]
    shadow, disc = _masks(hole, cut=answer == YES)
    if answer == YES:
        shadow = shadow * (1 - disc) * _before(hole)
    scenery = _scenery(hole, variant)
    shaded = np.empty_like(scenery)
    factor = hole.bright * (1 - hole.shade * shadow)
    for channel in range(3):
        np.multiply(scenery[..., channel], factor, out=shaded[..., channel], casting="unsafe")
    items = (Patch(0, 0, shaded), *_stick(hole, cut=answer == YES))
    return (Scene(hole.size, hole.size, (0, 0, 0), items),)


@lru_cache(maxsize=2)
def _before(hole: Hole) -> NDArray[np.float32]:
    """1 on the side of the patch where the stick stands before the wall, 0 beyond."""
    x, y = np.arange(hole.size, dtype=np.float32) + 0.5, np.arange(hole.size, dtype=np.float32)[:, None] + 0.5
    cos, sin = math.cos(math.radians(hole.degrees)), math.sin(math.radians(hole.degrees))
    return np.asarray((x - hole.x) * cos + (y - hole.y) * sin < 0, np.float32)


def _counted(holes: Holes, answer: str, variant: Variant) -> str | None:  # noqa: ARG001
    """Whether the stick ends at the far rim, in a drawing where the wall, the patch and the stick have own colors."""
    hole = holes.views[answer == NO]
    wall, patch, stick = (60, 0, 0), (120, 0, 0), (180, 0, 0)
    half = hole.thickness / 2
    items = (Disc((hole.x, hole.y), hole.radius, patch), _strip(hole, -half, half, stick, cut=answer == YES))
    ids = rasterise(Scene(hole.size, hole.size, wall, items))[..., 0]
    _, rim = _reach(hole, 0.0)
    inside, outside = (_at(hole, rim + step * hole.beyond, 0.0) for step in (-0.5, 0.5))
    tops = tuple(int(ids[int(y), int(x)]) for x, y in (inside, outside))
    return YES if tops == (180, 60) else NO if tops == (180, 180) else None


HOLE = Puzzle(
    name="hole",
    title="A hole, or a painted one",
    category="geometric",
    capability="space and depth",
    sees="an opening with the thickness of the wall at its rim",
    truth="whether the stick ends behind the far rim, or lies on the wall with its shadow across the patch",
    source="ours, after painted trompe-l'oeil openings",
    graded="a stick that reaches less far beyond the rim",
    question="Is the round patch in the image a real hole in the wall?",
    question_reversed="Is the round patch in the image merely painted on the wall?",
    sample=Holes,
    draw=_draw,
    usual=illusion(YES),
    counted=_counted,
    unreadable="depth: the patch looks the same, and only what lies in front of its rim tells",
)
