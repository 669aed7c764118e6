"""The impossible fork: three round prongs at one end, two square ones at the other."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Item, Line, Patch, Polygon, Scene, rasterise
from veridical.media.draw.scene import Colour, Point
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.geometric.solids import GROUNDS, TONES, Tones, edge_line
from veridical.suites.viabench.puzzles.puzzle import NO, YES, Pixels, Puzzle, Variant, anomaly, yes_if

_FADES = ((0.3, 0.72), (0.25, 0.78), (0.2, 0.82))


class Fork(BaseItem):
    """The nuisances: where it lies, how thick and long it is, where one end turns into the other, and its kind."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.size = nuisances.size
        self.prong, self.gap = nuisances.px(50, 58), nuisances.px(44, 52)
        tall = 3 * self.prong + 2 * self.gap
        self.left, length = nuisances.px(62, 80), nuisances.px(330, 350)
        start, end = _FADES[grade - 1]
        self.neck = self.left + nuisances.between(0.74, 0.78) * length
        self.right = self.left + length
        self.top = (self.size - tall) / 2 + nuisances.px(-10, 24)
        self.deep = nuisances.between(0.8, 1.1) * self.gap
        self.fade_from = start
        self.fade_to = end
        self.possible = nuisances.one_of(("square", "round"))
        self.flipped = nuisances.one_of((True, False))
        self.upright = nuisances.one_of((True, False))
        self.tones = nuisances.one_of(range(len(TONES)))
        self.ground = nuisances.one_of(range(len(GROUNDS)))


def _levels(fork: Fork) -> list[float]:
    """The heights of the six long lines, from the top."""
    step, levels = fork.prong + fork.gap, []
    for k in range(3):
        levels += [fork.top + k * step, fork.top + k * step + fork.prong]
    return levels


def _mixed(a: Colour, b: Colour, t: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.array(a, float) + t[..., None] * (np.array(b, float) - np.array(a, float)))


def _round(fork: Fork, tones: Tones, heights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The color across three round prongs, at heights in px."""
    colors = np.tile(np.array(GROUNDS[fork.ground], float), (len(heights), 1))
    levels = _levels(fork)
    for top, bottom in zip(levels[::2], levels[1::2], strict=True):
        within = (heights >= top) & (heights < bottom)
        t = (heights[within] - top) / (bottom - top)
        light = np.clip(np.cos(math.pi * (t - 0.3) / 1.15), 0, 1)
        colors[within] = np.where(
            (light > 0.5)[:, None], _mixed(tones.y, tones.z, 2 * light - 1), _mixed(tones.x, tones.y, 2 * light)
        )
    return colors


def _square(fork: Fork, tones: Tones, heights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The color across two square prongs: the top and the front of each."""
    colors = np.tile(np.array(GROUNDS[fork.ground], float), (len(heights), 1))
    levels = _levels(fork)
    for top, bottom, color in zip((0, 1, 3, 4), (1, 2, 4, 5), (tones.z, tones.y) * 2, strict=True):
        colors[(heights >= levels[top]) & (heights < levels[bottom])] = color
    return colors


def _prongs(fork: Fork, tones: Tones, *, start: str, end: str) -> Patch:
    """The prongs as an array that changes from one kind to another along its length."""
    x0, x1 = math.ceil(fork.left), math.ceil(fork.neck)
    y0, y1 = math.floor(fork.top), math.ceil(_levels(fork)[-1])
    heights = np.arange(y0, y1, dtype=np.float64) + 0.5
    kinds = {"round": _round, "square": _square}
    first, last = kinds[start](fork, tones, heights), kinds[end](fork, tones, heights)
    along = (np.arange(x0, x1) + 0.5 - fork.left) / (fork.neck - fork.left)
    t = np.clip((along - fork.fade_from) / (fork.fade_to - fork.fade_from), 0, 1)
    t = (t * t * (3 - 2 * t))[None, :, None]
    mixed = first[:, None] * (1 - t) + last[:, None] * t
    return Patch(x0, y0, np.rint(mixed).astype(np.uint8))


def _caps(fork: Fork, tones: Tones, stroke: float) -> list[Item]:
    """The flat ends of round prongs."""
    items: list[Item] = []
    levels = _levels(fork)
    angles = np.linspace(0, 2 * np.pi, 49)
    for top, bottom in zip(levels[::2], levels[1::2], strict=True):
        for grow, color in ((stroke / 2, tones.edge), (-stroke / 2, tones.z)):
            half = (bottom - top) / 2 + grow
            x, y = fork.left + (0.42 * half) * np.cos(angles), (top + bottom) / 2 + half * np.sin(angles)
            items.append(Polygon(tuple(zip(x.tolist(), y.tolist(), strict=True)), color))
    return items


def _slab(fork: Fork, tones: Tones, stroke: float, top: float, bottom: float, *, closed: bool) -> list[Item]:
    """The block in which the prongs end; the long edges of one that is not closed belong to the prongs' lines."""
    x0, x1, deep, rise = fork.neck, fork.right, fork.deep, fork.prong
    front = (x0, top), (x1, top), (x1, bottom), (x0, bottom)
    upper = (x0, top), (x0 + deep, top - rise), (x1 + deep, top - rise), (x1, top)
    side = (x1, top), (x1 + deep, top - rise), (x1 + deep, bottom - rise), (x1, bottom)
    edges = [(front[1], front[2]), (side[1], side[2]), (side[2], side[3]), (upper[2], upper[3])]
    edges += [(front[0], front[1]), (front[2], front[3]), (upper[1], upper[2])] if closed else []
    return [
        Polygon(upper, tones.z),
        Polygon(side, tones.x),
        Polygon(front, tones.y),
        *(_stroke(a, b, stroke, tones.edge) for a, b in edges),
    ]


def _stroke(start: Point, end: Point, width: float, color: Colour) -> Line:
    return edge_line(start, end, width, color, 0.45)


def _items(fork: Fork, answer: str) -> list[Item]:
    tones, stroke = TONES[fork.tones], max(1.0, fork.size / 220)
    start, end = ("round", "square") if answer == NO else (fork.possible, fork.possible)
    prongs = _prongs(fork, tones, start=start, end=end)
    ends = _round_end(fork, tones, stroke) if end == "round" else _square_end(fork, tones, stroke, start)
    return [prongs, *ends, *(_caps(fork, tones, stroke) if start == "round" else [])]


def _round_end(fork: Fork, tones: Tones, stroke: float) -> list[Item]:
    """The block in which round prongs end, and their long lines."""
    levels, x, edge = _levels(fork), fork.neck, tones.edge
    top, bottom = levels[0] - 0.1 * fork.prong, levels[-1] + 0.35 * fork.prong
    return [
        *(_stroke((fork.left, y), (x, y), stroke, edge) for y in levels),
        *_slab(fork, tones, stroke, top, bottom, closed=True),
        _stroke((x, top), (x, bottom), stroke, edge),
        _stroke((x, top), (x + fork.deep, top - fork.prong), stroke, edge),
    ]


def _square_end(fork: Fork, tones: Tones, stroke: float, start: str) -> list[Item]:
    """The block in which square prongs end, and the long lines of prongs that start as they do, or round."""
    levels, edge, x, deep = _levels(fork), tones.edge, fork.neck, fork.deep
    items = _slab(fork, tones, stroke, levels[1], levels[-1], closed=False)
    # The top of the block goes on as the top of the upper prong, without an edge between them.
    for reach, upper, lower, color in ((deep, 0, 1, tones.z), (stroke, 1, 2, tones.y), (stroke, 4, 5, tones.y)):
        (left, right), (y0, y1) = (x - stroke, x + reach), (levels[upper], levels[lower])
        items.append(Polygon(((left, y0), (right, y0), (right, y1), (left, y1)), color))
    starts = [fork.left] * 6
    if start == "square":
        starts = [fork.left + deep, fork.left, fork.left, fork.left + deep, fork.left, fork.left]
        for upper, lower in ((0, 1), (3, 4)):
            corner = (fork.left, levels[upper]), (fork.left + deep, levels[upper]), (fork.left, levels[lower])
            above = levels[upper] - 2
            outside = (fork.left - 1, above), (fork.left + deep, above), *corner[1:], (fork.left - 1, levels[lower])
            items.append(Polygon(outside, GROUNDS[fork.ground]))
            items.append(_stroke(corner[1], corner[2], stroke, edge))
            items.append(_stroke(corner[2], (fork.left, levels[lower + 1]), stroke, edge))
    stops = (fork.right + deep, fork.right, x, x, x, fork.right)
    items += [_stroke((a, y), (b, y), stroke, edge) for a, b, y in zip(starts, stops, levels, strict=True)]
    return [*items, _stroke((x, levels[2]), (x, levels[4]), stroke, edge)]


def _draw(fork: Fork, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ARG001 (the answer has one variant)
    picture = rasterise(Scene(fork.size, fork.size, GROUNDS[fork.ground], tuple(_items(fork, answer))))
    turned = picture.swapaxes(0, 1) if fork.upright else picture
    return (np.ascontiguousarray(turned[:, ::-1] if fork.flipped else turned),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001
    """Whether as many prongs begin at the tips as end at the neck: runs of ink across it."""
    ink = (pictures[0] != pictures[0][0, 0]).any(2)
    rows, columns = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
    if len(rows) < 32 or len(columns) < 32:
        return None
    ink = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    along = ink if ink.shape[1] > ink.shape[0] else ink.T
    runs = [_runs(along[:, int(at * along.shape[1])]) for at in np.linspace(0.02, 0.98, 49)]
    if runs[3] == 1:
        runs.reverse()
    many = [n for n in runs[2:40] if n > 1]
    if len(many) > 8 and runs[-4] == 1 and runs[3] > 1:
        return yes_if(int(np.median(many[:5])) == int(np.median(many[-3:])))
    return None


def _runs(line: NDArray[np.bool_]) -> int:
    return int(np.count_nonzero(np.diff(np.concatenate([[False], line]).astype(np.int8)) > 0))


FORK = Puzzle(
    name="fork",
    title="Impossible fork",
    category="geometric",
    capability="space and depth",
    sees="a fork with solid prongs",
    truth="whether as many prongs begin at the tips as end at the block",
    source="Schuster 1964",
    graded="a longer stretch in which one end turns into the other",
    question="Could the fork in the image be built as a solid object, exactly as it is drawn?",
    question_reversed="Is it impossible to build the fork in the image as a solid object, exactly as it is drawn?",
    sample=Fork,
    draw=_draw,
    **anomaly(lambda fork: YES),  # noqa: ARG005
    read=_read,
)
