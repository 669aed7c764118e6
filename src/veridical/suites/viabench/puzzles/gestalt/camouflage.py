"""A shape that only the direction of short strokes sets off from its ground."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import label, uniform_filter

from veridical.media.draw import Line, Scene
from veridical.media.draw.scene import Colour
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant

_CONTRASTS = (90.0, 66.0, 54.0)
_WANDER = (5.0, 5.5, 6.0)
_GROUNDS: tuple[tuple[Colour, tuple[Colour, ...], Colour], ...] = (
    ((244, 240, 230), ((62, 92, 72), (84, 116, 88), (44, 72, 58)), (204, 96, 60)),
    ((30, 44, 66), ((226, 216, 190), (204, 198, 184), (240, 232, 210)), (244, 152, 76)),
    ((240, 236, 242), ((96, 72, 124), (120, 92, 148), (76, 56, 104)), (36, 140, 132)),
    ((248, 242, 234), ((150, 92, 56), (174, 112, 70), (126, 76, 46)), (44, 104, 176)),
)
_COARSE = 64


def _disc(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
    return x * x + y * y < 1


def _square(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.maximum(np.abs(x), np.abs(y)) < 0.95


def _triangle(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
    return (np.abs(x) < (y + 1) / 1.75) & (y < 0.85)


def _cross(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
    return (np.minimum(np.abs(x), np.abs(y)) < 0.36) & (np.maximum(np.abs(x), np.abs(y)) < 1.05)


def _ring(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.abs(np.hypot(x, y) - 0.8) < 0.29


def _bar(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
    return (np.abs(x) < 0.42) & (np.abs(y) < 1.1)


_SHAPES = {
    "a disc": _disc,
    "a square": _square,
    "a triangle": _triangle,
    "a cross": _cross,
    "a ring": _ring,
    "an upright bar": _bar,
}


class Strokes(BaseItem):
    """The nuisances: directions in degrees, the strokes' spacing and length in px, and where the shape lies."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.spacing = nuisances.px(15.5, 17.5)
        self.radius = nuisances.px(125, 140)
        room = nuisances.size / 2 - 1.25 * self.radius
        shapes = list(_SHAPES)
        while len(shapes) > 4:
            shapes.remove(nuisances.one_of(shapes))
        self.degrees = nuisances.between(0, 180)
        self.contrast = _CONTRASTS[grade - 1] * nuisances.one_of((-1, 1))
        self.wander = _WANDER[grade - 1]
        self.length = 0.92 * self.spacing
        self.width = 0.2 * self.spacing
        self.x = nuisances.size / 2 + nuisances.between(-1, 1) * room
        self.y = nuisances.size / 2 + nuisances.between(-1, 1) * room
        self.ground = nuisances.one_of(range(len(_GROUNDS)))
        self.shapes = tuple(shapes)
        self.size = nuisances.size
        self.scatter = nuisances.scatter()


@lru_cache(maxsize=2)
def _field(base: Strokes) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """The strokes' middles, how far each wanders from its direction in degrees, and which shade each has."""
    rng = np.random.default_rng(base.scatter)
    steps = int(base.size / base.spacing) + 3
    across, down = np.meshgrid(np.arange(steps) - 0.5, np.arange(steps) - 0.5)
    middles = np.stack([across + 0.5 * (np.arange(steps) % 2)[:, None] - 0.5, down], -1).reshape(-1, 2) * base.spacing
    middles += rng.uniform(-0.16, 0.16, middles.shape) * base.spacing
    return middles, rng.normal(0, base.wander, len(middles)), rng.integers(3, size=len(middles))


def _draw(base: Strokes, answer: str, variant: Variant) -> tuple[Scene]:
    middles, wander, shades = _field(base)
    ground, inks, pop = _GROUNDS[base.ground]
    inside = _SHAPES[answer](*((middles - (base.x, base.y)) / base.radius).T)
    angles = np.radians(base.degrees + wander + base.contrast * inside)
    reach = base.length / 2 * np.stack([np.cos(angles), -np.sin(angles)], 1)
    starts, ends = (middles - reach).tolist(), (middles + reach).tolist()
    lines: list[list[Line]] = [[], [], [], []]
    groups = np.where(inside & (variant == "ordinary"), 3, shades).tolist()
    for start, end, group in zip(starts, ends, groups, strict=True):
        lines[group].append(Line((start[0], start[1]), (end[0], end[1]), base.width, (*inks, pop)[group]))
    return (Scene(base.size, base.size, ground, tuple(line for group in lines for line in group)),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The shape that fits best where the local direction of edges is not the one at the picture's rim."""
    step = pictures[0].shape[0] / _COARSE
    gray = pictures[0][..., 1].astype(np.float32)
    down, across = np.diff(gray, axis=0)[:, :-1], np.diff(gray, axis=1)[:-1]
    doubled = (across + 1j * down) ** 2
    parts = [
        uniform_filter(part, 3.2 * step)[:: max(int(step), 1), :: max(int(step), 1)]
        for part in (doubled.real, doubled.imag)
    ]
    local = parts[0] + 1j * parts[1]
    if float(np.abs(local).max()) < 1:
        return None
    rim = np.ones(local.shape, bool)
    edge = len(local) // 16
    rim[edge:-edge, edge:-edge] = False
    turned = np.abs(np.angle(local / (local[rim] / np.abs(local[rim])).mean()))
    return _best(turned, answers)


def _best(turned: NDArray[np.float64], answers: Sequence[str]) -> str | None:
    """The shape whose outline, stretched over the turned area, agrees with it best."""
    mask = turned > (np.percentile(turned, 50) + np.percentile(turned, 96)) / 2
    parts, count = label(mask)
    if not count:
        return None
    mask = parts == 1 + int(np.argmax(np.bincount(parts.ravel())[1:]))
    if not 0.03 < mask.mean() < 0.5:
        return None
    y, x = np.nonzero(mask)
    agreement = {}
    rows, columns = np.indices(mask.shape).astype(float)
    for answer in answers:
        shape = _SHAPES.get(answer)
        if shape is None:
            return None
        best = 0.0
        for radius in np.linspace(0.2, 0.3, 6) * len(mask):
            for shift in (0.0, 0.12):
                fit = shape(
                    (columns - (x.min() + x.max()) / 2) / radius, (rows - (y.min() + y.max()) / 2) / radius + shift
                )
                best = max(best, float((fit & mask).sum() / (fit | mask).sum()))
        agreement[answer] = best
    answer = max(agreement, key=lambda each: agreement[each])
    return answer if agreement[answer] > 0.55 and not math.isnan(agreement[answer]) else None


CAMOUFLAGE = Puzzle(
    name="camouflage",
    title="A shape in the grain",
    category="gestalt",
    capability="shape and orientation",
    sees="a texture of short strokes",
    truth="the shape inside which the strokes run in another direction",
    source="ours, after Olson and Attneave 1970 and Nothdurft 1985: grouping by direction",
    graded="a smaller change of direction: 90, 66, 54 degrees, and more wander",
    question="Which shape is hidden in the pattern of strokes?",
    sample=Strokes,
    answers=lambda base: base.shapes,
    draw=_draw,
    read=_read,
)
