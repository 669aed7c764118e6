"""Snakes that pass behind posts: one in a row or two, whose ends are seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from scipy import ndimage

from veridical.media.draw import Disc, Item, Line, Polygon, Rectangle, Scene
from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles import shapes
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, illusion

_SKINS: tuple[tuple[Colour, Colour], ...] = (
    ((96, 152, 84), (196, 212, 118)),
    ((206, 118, 62), (246, 206, 130)),
    ((98, 126, 178), (186, 208, 228)),
    ((170, 92, 116), (236, 188, 180)),
    ((132, 120, 72), (220, 204, 148)),
)
_WOODS: tuple[tuple[Colour, Colour], ...] = (
    ((140, 104, 76), (112, 82, 60)),
    ((168, 148, 124), (140, 122, 102)),
    ((120, 112, 108), (98, 92, 90)),
)
_GROUNDS: tuple[Colour, ...] = ((238, 236, 220), (226, 238, 240), (242, 232, 222))
_PUPIL: Colour = (16, 16, 20)
_POSTS = {1: 3, 2: 4, 3: 5}
_ROWS = 3


class SnakePosts(BaseItem):
    """The nuisances of snakes behind posts: the posts, the waves and size of the snakes, and where two of them meet."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        rng = np.random.default_rng(nuisances.scatter())
        self.posts = _POSTS[grade]
        gap = nuisances.size / (self.posts + 1)
        self.post = gap * nuisances.between(0.3, 0.36)
        self.thick = nuisances.px(38, 44)
        self.wave = nuisances.px(10, 16)
        self.cycles = nuisances.between(1.6, 2.4)
        self.meeting = "".join(
            str(rng.integers(*((2, 4) if self.posts == 5 else (1, self.posts)))) for _ in range(_ROWS)
        )
        self.facing = "".join(str(rng.integers(4)) for _ in range(_ROWS))
        self.skins = "".join(str(k) for k in rng.permutation(len(_SKINS))[:_ROWS])
        self.rows = "".join(str(k) for k in rng.permutation(_ROWS))
        self.wood = nuisances.one_of(range(len(_WOODS)))
        self.ground = nuisances.one_of(range(len(_GROUNDS)))
        self.size = nuisances.size


@lru_cache(maxsize=16)
def _snake(posts: SnakePosts, row: int, ends: tuple[float, float], *, to_right: bool) -> tuple[Item, ...]:
    """A snake along the wave of its row between two ends, with its head at one of them."""
    skin, belly = _SKINS[int(posts.skins[row])]
    thick, (left, right) = posts.thick, ends
    xs = np.linspace(left, right, 100)
    level = posts.size * (row + 0.55) / _ROWS
    ys = level + posts.wave * np.sin(2 * math.pi * posts.cycles * xs / posts.size + 2.1 * row)
    slope = np.gradient(ys, xs)
    from_tail = xs - left if to_right else right - xs
    half = thick / 2 * np.clip(from_tail / (1.9 * thick), 0.0, 1) ** 0.6
    over, down = -half * slope / np.sqrt(1 + slope**2), half / np.sqrt(1 + slope**2)

    def band(low: float, high: float, color: Colour) -> Polygon:
        edge = np.concatenate([xs + low * over, (xs + high * over)[::-1]])
        return shapes.polygon(edge, np.concatenate([ys + low * down, (ys + high * down)[::-1]]), color)

    dark = mix_colors(skin, (40, 34, 30), 0.32)
    every = max(1, round(0.9 * thick * len(xs) / (right - left)))
    spots = [
        Disc((float(xs[k]), float(ys[k] - 0.2 * half[k])), 0.15 * thick, dark) for k in range(every // 2, 100, every)
    ]
    full = [spot for spot, k in zip(spots, range(every // 2, 100, every), strict=True) if half[k] > 0.49 * thick]
    tip = -1 if to_right else 0
    head = _head((float(xs[tip]), float(ys[tip])), thick, 1 if to_right else -1, (skin, belly))
    return (band(-1, 1, skin), band(0.45, 1, belly), *full, *head)


def _head(neck: Point, thick: float, way: int, skins: tuple[Colour, Colour]) -> list[Item]:
    """A head from one side, with its tongue out; `way` is 1 if it looks to the right."""

    def at(forward: float, down: float) -> Point:
        return neck[0] + way * forward * thick, neck[1] + down * thick

    red: Colour = (206, 62, 66)
    return [
        Line(at(0.5, 0.08), at(0.94, 0.08), 0.09 * thick, red),
        Line(at(0.9, 0.08), at(1.1, -0.04), 0.07 * thick, red),
        Line(at(0.9, 0.08), at(1.1, 0.2), 0.07 * thick, red),
        shapes.ellipse(at(0.1, 0), 0.74 * thick, 0.58 * thick, skins[0]),
        shapes.ellipse(at(0.26, 0.27), 0.5 * thick, 0.22 * thick, skins[1]),
        Disc(at(0.24, -0.16), 0.21 * thick, (252, 250, 240)),
        Disc(at(0.28, -0.15), 0.12 * thick, _PUPIL),
    ]


def _draw(posts: SnakePosts, answer: str, variant: Variant) -> tuple[Scene]:
    size, gap = posts.size, posts.size / (posts.posts + 1)
    doubled = {int(row) for row in posts.rows[: int(answer) - _ROWS]}
    snakes: list[Item] = []
    for row in range(_ROWS):
        facing = int(posts.facing[row])
        left, right = 0.1 * size, 0.9 * size
        if row not in doubled:
            snakes += _snake(posts, row, (left, right), to_right=facing % 2 == 0)
            continue
        middle = gap * (int(posts.meeting[row]) + 0.5)
        space = 0.12 * gap
        snakes += _snake(posts, row, (left, middle - space), to_right=False)
        snakes += _snake(posts, row, (middle + space, right), to_right=True)
    wood = _fence(posts)
    items = (*snakes, *wood) if variant == "unusual" else (*wood, *snakes)
    return (Scene(size, size, _GROUNDS[posts.ground], items),)


def _fence(posts: SnakePosts) -> list[Item]:
    """Rounded posts with a lit and a shaded side and some grain."""
    size, gap, wide = posts.size, posts.size / (posts.posts + 1), posts.post
    bright, dark = _WOODS[posts.wood]
    grain, end = mix_colors(bright, dark, 0.6), mix_colors(bright, (255, 246, 226), 0.45)
    shadow = mix_colors(_GROUNDS[posts.ground], dark, 0.35)
    middles = [gap * (k + 1) for k in range(posts.posts)]
    top, foot = 0.035 * size, 0.98 * size

    def strips(left: float, right: float, high: float, low: float, color: Colour) -> list[Item]:
        return [Rectangle(x + left * wide, high * size, x + right * wide, low * size, color) for x in middles]

    return [
        *(shapes.ellipse((x, foot), 0.72 * wide, 0.02 * size, shadow) for x in middles),
        *strips(-0.5, 0.5, 0.035, 0.98, bright),
        *strips(0.18, 0.5, 0.035, 0.98, dark),
        *strips(-0.36, -0.31, 0.1, 0.93, grain),
        *strips(-0.1, -0.05, 0.2, 0.8, grain),
        *(shapes.ellipse((x, top), wide / 2, 0.16 * wide, end) for x in middles),
    ]


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The number of eyes, each snake being drawn from one side."""
    dark = shapes.color_mask(pictures[0], _PUPIL)
    rows = np.flatnonzero(dark.any(1))
    if not len(rows):
        return None
    eyes = str(ndimage.label(dark[rows[0] : rows[-1] + 1])[1])
    return eyes if eyes in answers else None


BEHIND_POSTS = Puzzle(
    name="behind_posts",
    title="Snakes behind posts",
    category="general",
    capability="counting",
    sees="one long snake in each row, going on behind the posts",
    truth="the number of snakes, each with its head and tail in sight",
    source="ours, after Kanizsa 1979 on completion behind an occluder",
    graded="more posts, with less room between them",
    question="How many snakes are there in this picture?",
    sample=SnakePosts,
    answers=lambda posts: ("3", "4", "5", "6"),  # noqa: ARG005
    draw=_draw,
    usual=illusion("3"),
    read=_read,
    told_by_a_glance=True,
)
