"""Snakes that pass behind posts: one in a row or two, whose ends are seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from scipy import ndimage

from veridical.media.draw import Disc, Gradient, Item, Line, Polygon, Rectangle, Scene
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
_SHADE: Colour = (70, 74, 84)
_PUPIL: Colour = (16, 16, 20)
_POSTS = {1: 3, 2: 4, 3: 5}
_ROWS = 3


class SnakeView(BaseItem):
    """The nuisances of the snakes of one row in one picture: their course, ends, size and color.

    Their ends lie no farther from the picture's sides than `edge`, so that no post hides them.
    """

    def __init__(self, nuisances: Nuisances, row: int, skin: int, edge: float) -> None:
        self.size = nuisances.size
        self.skin = skin
        self.level = (row + nuisances.between(0.3, 0.74)) / _ROWS * self.size
        self.thick = nuisances.px(32, 44)
        self.left, right = (nuisances.between(1.15 * self.thick, edge) for _ in range(2))
        self.right = self.size - right
        self.wave = nuisances.px(6, 18)
        self.cycles = nuisances.between(1.6, 2.4)
        self.phase = nuisances.between(0, 2 * math.pi)
        self.to_right = nuisances.one_of((False, True))


class FenceView(BaseItem):
    """The nuisances of one picture: how wide its posts are, their wood, the ground, and the view of each row."""

    def __init__(self, nuisances: Nuisances, posts: int) -> None:
        self.gap = nuisances.size / (posts + 1)
        self.middles = tuple(self.gap * (k + 1) for k in range(posts))
        self.post = self.gap * nuisances.between(0.26, 0.38)
        self.wood = nuisances.one_of(range(len(_WOODS)))
        self.ground = nuisances.one_of(range(len(_GROUNDS)))
        skins = np.random.default_rng(nuisances.scatter()).permutation(len(_SKINS)).tolist()
        edge = self.middles[0] - self.post / 2 - nuisances.scale * 12
        self.rows = tuple(SnakeView(nuisances, row, skins[row], edge) for row in range(_ROWS))
        self.shades = nuisances.between(0, 0.14), nuisances.between(0, 0.14)
        self.light: Literal["x", "y"] = nuisances.one_of(("x", "y"))
        self.leaves = tuple(nuisances.one_of(range(4, 30)) for _ in range(2))
        self.leaf = nuisances.between(0.25, 0.55)
        self.fallen = nuisances.scatter()


class SnakePosts(BaseItem):
    """The nuisances of a unit: the number of posts, where two snakes meet, the rows that get two, and the views."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        rng = np.random.default_rng(nuisances.scatter())
        self.posts = _POSTS[grade]
        self.meeting = "".join(
            str(rng.integers(*((2, 4) if self.posts == 5 else (1, self.posts)))) for _ in range(_ROWS)
        )
        self.rows = "".join(str(k) for k in rng.permutation(_ROWS))
        self.size = nuisances.size
        self.views = tuple(FenceView(nuisances, self.posts) for _ in range(_ROWS + 1))


def _snake(view: SnakeView, left: float, right: float, *, to_right: bool) -> list[Item]:
    """A snake along the wave of its row between two ends, with its head at one of them."""
    skin, belly = _SKINS[view.skin]
    thick = view.thick
    xs = np.linspace(left, right, 100)
    ys = view.level + view.wave * np.sin(2 * math.pi * view.cycles * xs / view.size + view.phase)
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
        Disc((float(xs[k]), float(ys[k] - 0.2 * half[k])), 0.15 * thick, dark)
        for k in range(every // 2, 100, every)
        if half[k] > 0.49 * thick
    ]
    tip = -1 if to_right else 0
    head = _head((float(xs[tip]), float(ys[tip])), thick, 1 if to_right else -1, (skin, belly))
    return [band(-1, 1, skin), band(0.45, 1, belly), *spots, *head]


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
    size, view = posts.size, posts.views[int(answer) - _ROWS]
    doubled = {int(row) for row in posts.rows[: int(answer) - _ROWS]}
    snakes: list[Item] = []
    for row, each in enumerate(view.rows):
        if row not in doubled:
            snakes += _snake(each, each.left, each.right, to_right=each.to_right)
            continue
        middle, space = view.gap * (int(posts.meeting[row]) + 0.5), 0.12 * view.gap
        snakes += _snake(each, each.left, middle - space, to_right=False)
        snakes += _snake(each, middle + space, each.right, to_right=True)
    wood = _fence(view, size)
    ground = _GROUNDS[view.ground]
    light, shade = (mix_colors(ground, _SHADE, share) for share in view.shades)
    floor = Gradient(0, 0, size, size, light, shade, view.light)
    items = (*snakes, *wood) if variant == "unusual" else (*wood, *snakes)
    return (Scene(size, size, ground, (floor, *_leaves(view, size), *items)),)


def _leaves(view: FenceView, size: int) -> list[Item]:
    """Leaves on the ground, more on one side than on the other: so heads are not all that is fine in the picture."""
    rng = np.random.default_rng(view.fallen)
    color = mix_colors(_GROUNDS[view.ground], (120, 126, 84), view.leaf)
    return [
        shapes.ellipse((x, y), long, 0.42 * long, color, turn)
        for side, count in enumerate(view.leaves)
        for x, y, long, turn in zip(
            rng.uniform(side * size / 2, (side + 1) * size / 2, count),
            rng.uniform(0, size, count),
            rng.uniform(0.012, 0.022, count) * size,
            rng.uniform(0, 180, count),
            strict=True,
        )
    ]


def _fence(view: FenceView, size: int) -> list[Item]:
    """Rounded posts with a lit and a shaded side and some grain."""
    wide = view.post
    bright, dark = _WOODS[view.wood]
    grain, end = mix_colors(bright, dark, 0.6), mix_colors(bright, (255, 246, 226), 0.45)
    shadow = mix_colors(_GROUNDS[view.ground], dark, 0.35)
    top, foot = 0.035 * size, 0.98 * size

    def strips(left: float, right: float, high: float, low: float, color: Colour) -> list[Item]:
        return [Rectangle(x + left * wide, high * size, x + right * wide, low * size, color) for x in view.middles]

    return [
        *(shapes.ellipse((x, foot), 0.72 * wide, 0.02 * size, shadow) for x in view.middles),
        *strips(-0.5, 0.5, 0.035, 0.98, bright),
        *strips(0.18, 0.5, 0.035, 0.98, dark),
        *strips(-0.36, -0.31, 0.1, 0.93, grain),
        *strips(-0.1, -0.05, 0.2, 0.8, grain),
        *(shapes.ellipse((x, top), wide / 2, 0.16 * wide, end) for x in view.middles),
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
)
