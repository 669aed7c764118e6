"""A round window onto checks that lie across those around it, and that slide or not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Patch, Ring, Scene, rasterise
from veridical.media.draw.scene import Colour
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.motion import frames
from veridical.suites.viabench.puzzles.puzzle import NO, YES, Pixels, Puzzle, Variant

_PAIRS: tuple[tuple[Colour, Colour], ...] = (
    ((18, 18, 20), (250, 250, 248)),
    ((24, 36, 84), (248, 244, 228)),
    ((20, 66, 60), (240, 248, 240)),
    ((70, 30, 84), (250, 240, 246)),
)
_LONG = 4
_MIDDLE = 83
_MIXED = 0.1


class Window(BaseItem):
    """The nuisances of a window: its radius, the short side of its checks in px, and how far they slide."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.short = round(nuisances.px(12, 15))
        slide = round(nuisances.between(*((0.8, 0.95), (0.6, 0.7), (0.42, 0.5))[grade - 1]) * self.short)
        sideways, sign = nuisances.one_of((True, False)), nuisances.one_of((-1, 1))
        period = 2 * _LONG * self.short
        self.radius = nuisances.px(124, 150)
        self.inner_x = nuisances.one_of(range(period))
        self.inner_y = nuisances.one_of(range(period))
        self.outer_x = nuisances.one_of(range(period))
        self.outer_y = nuisances.one_of(range(period))
        self.right = sign * slide if sideways else 0
        self.down = 0 if sideways else sign * slide
        self.upright = nuisances.one_of((0, 1))
        self.pair = nuisances.one_of(range(len(_PAIRS)))
        self.lights = frames.lights(nuisances)
        self.size = nuisances.size


def _checks(size: int, width: int, height: int, x: int, y: int) -> NDArray[np.bool_]:
    columns, rows = ((np.arange(size) + offset) // side % 2 for side, offset in ((width, x), (height, y)))
    return np.asarray(rows[:, None] != columns[None])


@lru_cache(maxsize=4)
def _inside(size: int, radius: float) -> NDArray[np.bool_]:
    squares = (np.arange(size) + 0.5 - size / 2) ** 2
    return np.asarray(squares[:, None] + squares[None] < radius**2)


@lru_cache(maxsize=4)
def _frame(window: Window, slide: tuple[int, int], variant: Variant) -> Pixels:
    right, down = slide
    size, short, long = window.size, window.short, _LONG * window.short
    if variant == "ordinary":
        short = long = 2 * window.short
    around, within = ((short, long), (long, short)) if window.upright else ((long, short), (short, long))
    inner = _checks(size, *within, window.inner_x - right, window.inner_y - down)
    outer = _checks(size, *around, window.outer_x, window.outer_y)
    dark = np.where(_inside(size, window.radius), inner, outer)
    array = np.array(_PAIRS[window.pair][::-1], np.uint8)[dark.astype(np.intp)]
    middle, scale = (size / 2, size / 2), size / 512
    edge = Ring(middle, window.radius, 7 * scale, (196, 190, 180))
    marks = frames.pointers(middle, window.radius + 2 * scale, 24 * scale)
    return rasterise(Scene(size, size, (255, 255, 255), (Patch(0, 0, array), edge, *marks)))


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001 (always the same two)
    """The shift along or across that brings the checks of the first picture onto those of the second."""
    if len(pictures) != 2 or pictures[0].shape != pictures[1].shape:
        return None
    places = [frames.dial(picture) for picture in pictures]
    if places[0] is None or places[0] != places[1]:
        return None
    (x, y), radius = places[0]
    half, reach = int(0.4 * radius), int(0.16 * radius)
    box = slice(int(y) - half, int(y) + half), slice(int(x) - half, int(x) + half)
    first, second = (picture[box][..., 1] > _MIDDLE for picture in pictures)
    if not _MIXED < first.mean() < 1 - _MIXED:
        return None
    inner = slice(reach, -reach)
    target = second[inner, inner]
    if np.array_equal(first[inner, inner], target):
        return NO
    for shift in range(2, reach):
        for down, right in ((shift, 0), (-shift, 0), (0, shift), (0, -shift)):
            moved = first[reach - down : len(first) - reach - down, reach - right : len(first) - reach - right]
            if (moved == target).mean() > 1 - _MIXED / 10:
                return YES
    return None


WINDOW = Puzzle(
    name="window",
    title="Change detection: window",
    sees="a disk that floats and slides before its surround",
    truth="whether the second picture has the checks in the window shifted against its fixed frame; light changes",
    source="ours, after Ouchi 1977",
    graded="a smaller shift",
    question="Here are a first and a second picture. Did the pattern inside the round frame slide in between?",
    question_reversed=(
        "Here are a first and a second picture. Did the pattern inside the round frame stay in its place?"
    ),
    sample=Window,
    **frames.two_frames(_frame, lambda base: (base.right, base.down), (0, 0)),
    read=_read,
)
