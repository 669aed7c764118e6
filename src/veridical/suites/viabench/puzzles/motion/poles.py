"""Barber poles, whose stripes seem to run, and do run or not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Disc, Item, Patch, Polygon, Rectangle, Scene, rasterise
from veridical.media.draw.scene import Colour
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.motion import frames
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant

_FINE = 8
_METALS: tuple[tuple[Colour, Colour], ...] = (
    ((120, 126, 136), (188, 194, 202)),
    ((150, 112, 54), (214, 178, 108)),
    ((70, 74, 84), (128, 134, 146)),
)


class Poles(BaseItem):
    """The nuisances of barber poles: how many, their size, the stripes' period and slope, and how far they run."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.count = nuisances.one_of((3, 4))
        self.period = nuisances.px(34, 44)
        share = nuisances.between(*((0.34, 0.4), (0.22, 0.26), (0.13, 0.15))[grade - 1])
        self.width = round(nuisances.px(*((70, 82) if self.count == 3 else (54, 62))))
        self.height = round(nuisances.px(330, 364))
        self.slope = nuisances.between(0.55, 0.9)
        self.phase = nuisances.between(0, 1)
        self.run = nuisances.one_of((-1, 1)) * share * self.period
        self.inks = nuisances.one_of(range(len(frames.INKS)))
        self.ground = nuisances.one_of(range(len(frames.GROUNDS)))
        self.metal = nuisances.one_of(range(len(_METALS)))
        self.flipped = nuisances.one_of((0, 1))
        self.lights = frames.lights(nuisances)
        self.size = nuisances.size


def _stripes(poles: Poles, run: float, variant: Variant) -> NDArray[np.uint8]:
    """The round body of a pole: stripes from a finely sampled period, darker toward the sides."""
    parts = frames.steps(frames.INKS[poles.inks], variant)
    fine = round(poles.period * _FINE)
    at = (np.arange(fine) + 0.5) / fine
    which = np.searchsorted(np.cumsum([share for _, share in parts])[:-1], at)
    period = np.array([color for color, _ in parts], float)[which]
    smooth = np.mean([np.roll(period, k - _FINE // 2, 0) for k in range(_FINE + 1)], 0).astype(np.float32)
    x = np.linspace(-1, 1, poles.width, dtype=np.float32) * 0.98
    rise = poles.slope * poles.width / 2 * np.arcsin(x)
    index = ((np.arange(poles.height)[:, None] + rise[None] - run + poles.phase * poles.period) * _FINE).astype(int)
    light = 0.42 + 0.58 * np.sqrt(1 - x**2) ** 0.8
    return np.asarray(smooth[index % fine] * light[None, :, None], np.uint8)


@lru_cache(maxsize=4)
def _frame(poles: Poles, run: float, variant: Variant) -> Pixels:
    size, scale = poles.size, poles.size / 512
    dark, bright = _METALS[poles.metal]
    body = _stripes(poles, run, variant)
    top = (size - poles.height) // 2
    bottom, half, cap = top + poles.height, poles.width / 2, 20 * scale
    items: list[Item] = []
    for k in range(poles.count):
        left = round(size * (2 * k + 1.1) / (2 * poles.count + 0.2) - half)
        x, right = left + half, left + poles.width
        items.append(Disc((x, top - 1.55 * cap), 0.85 * cap, bright))
        items.append(Disc((x, bottom + 1.55 * cap), 0.85 * cap, bright))
        for y in (top - cap, bottom):
            items.append(Rectangle(left - 5 * scale, y, right + 5 * scale, y + cap, dark))
            items.append(Rectangle(left - 5 * scale, y + 0.25 * cap, right + 5 * scale, y + 0.5 * cap, bright))
        items.append(Patch(left, top, body[:, ::-1] if (k + poles.flipped) % 2 else body))
        for edge, way in ((left, -1), (right, 1)):
            tip, back = edge + way * 2 * scale, edge + way * 14 * scale
            middle = size / 2
            corners = ((tip, middle), (back, middle - 6 * scale), (back, middle + 6 * scale))
            items.append(Polygon(corners, frames.MARK))
    return rasterise(Scene(size, size, frames.GROUNDS[poles.ground], tuple(items)))


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001 (always the same two)
    """The shift of the colors along the middle of the first pole."""
    return frames.read_motion(pictures, _middle, 3 * pictures[0].shape[0] / 512)


def _middle(picture: Pixels) -> NDArray[np.float64] | None:
    boxes = frames.mark_boxes(picture)
    if len(boxes) not in {6, 8}:
        return None
    x = (boxes[0][1].stop + boxes[1][1].start) / 2
    rows = np.arange(0.2 * len(picture), 0.8 * len(picture))
    return frames.profile_at(picture, np.full(len(rows), x), rows)


POLES = Puzzle(
    name="poles",
    title="Change detection: poles",
    sees="stripes that run up or down the poles",
    truth="whether the second picture has the stripes shifted against the pointers beside the poles; light changes",
    source="ours, after the barber-pole illusion and the steps of luminance of Kitaoka & Ashida 2003",
    graded="a smaller shift",
    question="Compare the first picture with the second. Have the stripes on the poles traveled up or down?",
    question_reversed="Compare the first picture with the second. Are the stripes on the poles just where they were?",
    sample=Poles,
    **frames.two_frames(_frame, lambda base: base.run),
    read=_read,
)
