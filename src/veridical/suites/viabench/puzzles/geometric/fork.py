"""The impossible fork: round prongs that fade into the square ones of its block, of which there are more or fewer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Item, Patch, Polygon, Rectangle, Scene, rasterise
from veridical.media.draw.scene import Colour, Point
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.geometric.solids import GROUNDS, TONES, Tones, edge_line
from veridical.suites.viabench.puzzles.puzzle import YES, Pixels, Puzzle, Variant, anomaly, yes_if

_FADES = ((0.32, 0.68), (0.26, 0.74), (0.2, 0.8))
_COUNTS = ((2, 3), (3, 2), (3, 4), (4, 3))
_INK = (0.48, 0.72)
"""How much of the fork's width is prong, at either end: the number of prongs has no part in it."""

_FAINT = 60
"""How far the paper is from the ground at most, in levels of three channels."""


class Fork(BaseItem):
    """The nuisances: where it lies, how wide and long it is, where one end turns into the other, and its counts."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.size = nuisances.size
        self.wide = nuisances.px(190, 290)
        self.left, length = nuisances.px(50, 92), nuisances.px(270, 355)
        start, end = _FADES[grade - 1]
        self.neck = self.left + nuisances.between(0.68, 0.82) * length
        self.right = self.left + length
        self.top = (self.size - self.wide) / 2 + nuisances.px(-16, 34)
        self.deep = nuisances.px(36, 62)
        self.fade_from = start + nuisances.between(-0.08, 0.08)
        self.fade_to = end + nuisances.between(-0.08, 0.08)
        self.prongs, self.other = nuisances.one_of(_COUNTS)
        self.round_share = nuisances.between(*_INK)
        self.square_share = nuisances.between(*_INK)
        self.spread = nuisances.one_of((-1, 1)) * nuisances.between(0.03, 0.12)
        self.margins = [nuisances.px(36, 84) for _ in range(4)]
        self.paper = nuisances.between(9, 15)
        self.stroke = max(1.0, nuisances.px(1.4, 4.2))
        self.swaps_tips = nuisances.one_of((True, False))
        self.flipped = nuisances.one_of((True, False))
        self.upright = nuisances.one_of((True, False))
        self.tones = nuisances.one_of(range(len(TONES)))
        self.ground = nuisances.one_of(range(len(GROUNDS)))


def _paper(fork: Fork) -> Rectangle:
    """A sheet behind the fork, as large as chance has it: how much of the picture is not ground tells nothing."""
    left, right, above, below = fork.margins
    red, green, blue = (round(value - fork.paper) for value in GROUNDS[fork.ground])
    x0, x1 = max(fork.left - left, 0), min(fork.right + fork.deep + right, fork.size)
    y0, y1 = max(fork.top - above, 0), min(fork.top + fork.wide + below, fork.size)
    return Rectangle(x0, y0, x1, y1, (red, green, blue))


def _counts(fork: Fork, answer: str) -> tuple[int, int]:
    """How many prongs there are at the tips, and how many at the block."""
    if answer == YES:
        return fork.prongs, fork.prongs
    return (fork.other, fork.prongs) if fork.swaps_tips else (fork.prongs, fork.other)


def _spans(fork: Fork, count: int, *, square: bool) -> list[Point]:
    """From where to where each prong reaches across the fork, from the top; round ones stand wider or closer."""
    wide = fork.wide if square else fork.wide * (1 + fork.spread)
    thick = (fork.square_share if square else fork.round_share) * fork.wide / count
    middle = fork.top + fork.wide / 2
    starts = np.linspace(middle - wide / 2, middle + wide / 2 - thick, count)
    return [(float(start), float(start) + thick) for start in starts]


def _mixed(a: Colour, b: Colour, t: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.array(a, float) + t[..., None] * (np.array(b, float) - np.array(a, float)))


def _across(
    fork: Fork, tones: Tones, heights: NDArray[np.float64], count: int, stroke: float, *, square: bool
) -> NDArray[np.float64]:
    """The color across so many prongs, at heights in px: round ones, or the top and the front of square ones."""
    colors = np.tile(np.array(_paper(fork).colour, float), (len(heights), 1))
    lines: list[float] = []
    for top, bottom in _spans(fork, count, square=square):
        within = (heights >= top) & (heights < bottom)
        t = (heights[within] - top) / (bottom - top)
        light = np.clip(np.cos(math.pi * (t - 0.3) / 1.15), 0, 1)
        dark, bright = _mixed(tones.x, tones.y, 2 * light), _mixed(tones.y, tones.z, 2 * light - 1)
        shades = np.where((light > 0.5)[:, None], bright, dark)
        colors[within] = np.where((t < 0.5)[:, None], tones.z, tones.y) if square else shades
        lines += [top, (top + bottom) / 2, bottom] if square else [top, bottom]
    for line in lines:
        inked = np.clip(0.5 + stroke / 2 - np.abs(heights - line), 0, 1)[:, None]
        colors = colors * (1 - inked) + inked * np.array(tones.edge, float)
    return colors


def _prongs(fork: Fork, tones: Tones, stroke: float, tips: int, ends: int) -> Patch:
    """The prongs as an array that changes from round ones to square ones along its length."""
    x0, x1 = math.ceil(fork.left), math.ceil(fork.neck)
    margin = 0.11 * fork.wide
    y0, y1 = math.floor(fork.top - margin), math.ceil(fork.top + fork.wide + margin)
    heights = np.arange(y0, y1, dtype=np.float64) + 0.5
    first = _across(fork, tones, heights, tips, stroke, square=False)
    last = _across(fork, tones, heights, ends, stroke, square=True)
    along = (np.arange(x0, x1) + 0.5 - fork.left) / (fork.neck - fork.left)
    t = np.clip((along - fork.fade_from) / (fork.fade_to - fork.fade_from), 0, 1)
    t = (t * t * (3 - 2 * t))[None, :, None]
    return Patch(x0, y0, np.rint(first[:, None] * (1 - t) + last[:, None] * t).astype(np.uint8))


def _caps(fork: Fork, tones: Tones, stroke: float, tips: int) -> list[Item]:
    """The flat ends of round prongs."""
    items: list[Item] = []
    angles = np.linspace(0, 2 * np.pi, 49)
    for top, bottom in _spans(fork, tips, square=False):
        for grow, color in ((stroke / 2, tones.edge), (-stroke / 2, tones.z)):
            half, flat = (bottom - top) / 2 + grow, 0.1 * fork.wide / tips + grow
            x, y = fork.left + flat * np.cos(angles), (top + bottom) / 2 + half * np.sin(angles)
            items.append(Polygon(tuple(zip(x.tolist(), y.tolist(), strict=True)), color))
    return items


def _block(fork: Fork, tones: Tones, stroke: float, ends: int) -> list[Item]:
    """The block in which square prongs end: their fronts, and the top of the upper one, go on in it without an edge."""
    spans, x0, x1, deep = _spans(fork, ends, square=True), fork.neck, fork.right, fork.deep
    (rear, first_bottom), bottom = spans[0], spans[-1][1]
    top = (rear + first_bottom) / 2
    front = (x0, top), (x1, top), (x1, bottom), (x0, bottom)
    upper = (x0, rear), (x1 + deep, rear), (x1, top), (x0, top)
    side = (x1, top), (x1 + deep, rear), (x1 + deep, bottom - (top - rear)), (x1, bottom)
    edges = [(front[0], front[1]), (front[1], front[2]), (front[2], front[3]), (upper[0], upper[1])]
    edges += [(side[0], side[1]), (side[1], side[2]), (side[2], side[3])]
    # Between two prongs the block shows an edge: from the lower end of one's front to the upper end of the next's.
    edges += [((x0, a[1]), (x0, (b[0] + b[1]) / 2)) for a, b in pairwise(spans)]
    faces = [Polygon(upper, tones.z), Polygon(side, tones.x), Polygon(front, tones.y)]
    return [*faces, *(edge_line(a, b, stroke, tones.edge, 0.45) for a, b in edges)]


def _items(fork: Fork, answer: str) -> list[Item]:
    tones, stroke = TONES[fork.tones], fork.stroke
    tips, ends = _counts(fork, answer)
    return [
        _paper(fork),
        _prongs(fork, tones, stroke, tips, ends),
        *_block(fork, tones, stroke, ends),
        *_caps(fork, tones, stroke, tips),
    ]


def _draw(fork: Fork, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ARG001 (the answer has one variant)
    picture = rasterise(Scene(fork.size, fork.size, GROUNDS[fork.ground], tuple(_items(fork, answer))))
    turned = picture.swapaxes(0, 1) if fork.upright else picture
    return (np.ascontiguousarray(turned[:, ::-1] if fork.flipped else turned),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001
    """Whether as many prongs begin at the tips as end at the neck: runs of ink across it."""
    ink = np.abs(pictures[0].astype(int) - pictures[0][0, 0]).sum(2) > _FAINT
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
    prior="an ordinary drawing of a fork",
    **anomaly(lambda fork: YES),  # noqa: ARG005
    read=_read,
)
