"""Butterflies with a pattern that runs across both wings; whether their outline is even."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Curve, Disc, Item, Scene, rasterise
from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles import shapes
from veridical.suites.viabench.puzzles.puzzle import NO, YES, Pixels, Puzzle, Variant, illusion

_BODY: Colour = (52, 40, 38)
_GROUNDS: tuple[Colour, ...] = ((244, 242, 234), (230, 238, 238), (242, 234, 226), (234, 236, 246))
_WINGS: tuple[tuple[Colour, Colour], ...] = (
    ((232, 146, 54), (120, 62, 30)),
    ((84, 146, 204), (32, 62, 112)),
    ((238, 208, 92), (146, 108, 34)),
    ((176, 106, 176), (88, 44, 104)),
    ((104, 176, 130), (34, 94, 82)),
)
_UPPER: tuple[Point, ...] = (
    (0.02, -0.06), (0.16, -0.36), (0.44, -0.66), (0.78, -0.76), (0.92, -0.6), (0.84, -0.34), (0.66, -0.1), (0.3, 0.02),
)  # fmt: skip
_LOWER: tuple[Point, ...] = (
    (0.02, -0.02), (0.3, -0.04), (0.56, 0.1), (0.68, 0.32), (0.58, 0.56), (0.4, 0.68), (0.24, 0.52), (0.08, 0.24),
)  # fmt: skip
"""Right wings round a body of which the middle is the origin; the longest reach is about 1."""
_UNEVEN = (("upper", 3), ("upper", 5), ("lower", 3), ("lower", 5))


class ButterflyView(BaseItem):
    """The nuisances of one picture of a butterfly: its size, its place, its colors, and the pattern of its wings."""

    def __init__(self, nuisances: Nuisances) -> None:
        self.span = nuisances.px(164, 206)
        self.x, self.y = nuisances.between(-1, 1), nuisances.between(-1, 1)
        self.wing = nuisances.one_of(range(len(_WINGS)))
        self.ground = nuisances.one_of(range(len(_GROUNDS)))
        self.slant = nuisances.one_of((-1, 1)) * nuisances.between(0.6, 1.1)
        self.period = nuisances.px(38, 56)


class Butterfly(BaseItem):
    """The nuisances of a butterfly: its outline, which part of a wing is longer and where, and both pictures' views."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.stretch = nuisances.between(0.88, 1.06)
        self.part = nuisances.one_of(range(len(_UNEVEN)))
        self.right = nuisances.one_of((0, 1))
        self.longer = nuisances.one_of((-1, 1)) * (0.22, 0.165, 0.125)[grade - 1]
        self.views = ButterflyView(nuisances), ButterflyView(nuisances)
        self.size = nuisances.size
        self.outline = nuisances.scatter()


def _wings(butterfly: Butterfly, span: float, *, uneven: bool, right: bool) -> list[NDArray[np.float64]]:
    """The outlines of the lower and the upper wing of one side, in px from the middle of the body."""
    rng = np.random.default_rng(butterfly.outline)
    part, corner = _UNEVEN[butterfly.part]
    wings = []
    for name, points in (("lower", _LOWER), ("upper", _UPPER)):
        corners = np.array(points) * (1, butterfly.stretch)
        corners[1:] *= rng.uniform(0.95, 1.05, (len(points) - 1, 1))
        if uneven and name == part and right == bool(butterfly.right):
            corners[corner] *= 1 + butterfly.longer
            corners[[corner - 1, corner + 1]] *= 1 + butterfly.longer / 2
        wings.append(shapes.closed_curve(corners.tolist()) * span * (1 if right else -1, 1))
    return wings


def _draw(butterfly: Butterfly, answer: str, variant: Variant) -> tuple[Pixels]:
    size, view = butterfly.size, butterfly.views[answer == NO]
    scale = view.span / 230
    x = round(size / 2 + view.x * (size / 2 - 1.18 * view.span))
    y = size / 2 + view.y * (size / 2 - 0.98 * view.span)
    light, dark = _WINGS[view.wing]
    items: list[Item] = []
    sides = [_wings(butterfly, view.span, uneven=answer == NO, right=right) for right in (False, True)]
    for wing in (0, 1):
        color = light if wing else mix_colors(light, dark, 0.3)
        for side in sides:
            items.append(shapes.polygon(x + side[wing][:, 0], y + side[wing][:, 1], dark))
            center = side[wing].mean(0)
            inner = center + (side[wing] - center) * 0.9
            items.append(shapes.polygon(x + inner[:, 0], y + inner[:, 1], color))
    items += _body(x, y, scale)
    picture = rasterise(Scene(size, size, _GROUNDS[view.ground], tuple(items)))
    if variant == "unusual":
        _stripe(view, picture)
    return (picture,)


def _stripe(view: ButterflyView, picture: Pixels) -> None:
    """Bands and dots that run the same way across both wings, on their flat colors alone."""
    light, dark = _WINGS[view.wing]
    at = np.arange(len(picture))
    band = (at[None] + view.slant * at[:, None]) % view.period < 0.4 * view.period
    for color in (light, mix_colors(light, dark, 0.3)):
        picture[shapes.color_mask(picture, color) & band] = mix_colors(color, (255, 255, 255), 0.45)


def _body(x: int, y: float, scale: float) -> list[Item]:
    """A body and feelers."""
    bend = np.linspace(0, 1, 14)
    feelers: list[Item] = []
    for way in (-1, 1):
        xs, ys = x + way * scale * (4 + 44 * bend**1.4), y - scale * (64 + 84 * bend - 12 * bend**3)
        feelers.append(Curve(tuple(zip(xs.tolist(), ys.tolist(), strict=True)), max(1.0, 3 * scale), _BODY))
        feelers.append(Disc((float(xs[-1]), float(ys[-1])), 5.5 * scale, _BODY))
    return [
        *feelers,
        shapes.ellipse((x, y - 60 * scale), 11 * scale, 12 * scale, _BODY),
        shapes.ellipse((x, y - 26 * scale), 13 * scale, 32 * scale, _BODY),
        shapes.ellipse((x, y + 52 * scale), 10 * scale, 62 * scale, _BODY),
    ]


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001 (always the same two)
    """Whether the area that is not ground is its own image in a line down the middle of the body."""
    picture = pictures[0]
    body = np.flatnonzero(shapes.color_mask(picture, _BODY).any(0))
    drawn = ~shapes.color_mask(picture, (int(picture[0, 0, 0]), int(picture[0, 0, 1]), int(picture[0, 0, 2])))
    if not len(body) or drawn.mean() < 0.1:
        return None
    middle = int(body[0] + body[-1] + 1) // 2
    uneven = min(_uneven(drawn, column) for column in (middle, middle + 1)) / np.count_nonzero(drawn)
    return YES if uneven < 0.004 else NO if uneven > 0.01 else None


def _uneven(drawn: NDArray[np.bool_], column: int) -> int:
    """How many pixels differ from their images in a line at the left of a column."""
    half = min(column, drawn.shape[1] - column)
    left, right = drawn[:, column - half : column][:, ::-1], drawn[:, column : column + half]
    return int(np.count_nonzero(left ^ right))


SYMMETRY = Puzzle(
    name="symmetry",
    title="Butterfly",
    category="general",
    capability="shape and orientation",
    sees="wings that are uneven, because their pattern is",
    truth="whether the outlines of the two sides are mirror images",
    source="ours, after the paper's Appendix A: misdirection by composition",
    graded="a smaller difference between the wings",
    question="Do the left and the right wings of the butterfly have the same outline, mirrored?",
    question_reversed="Does a wing on the left of the butterfly have another outline than its partner on the right?",
    sample=Butterfly,
    draw=_draw,
    usual=illusion(NO),
    read=_read,
)
