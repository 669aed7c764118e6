"""A shore and its reflection in a lake, which matches or has one thing otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import lru_cache

import numpy as np

from veridical.media.draw import Disc, Gradient, Item, Rectangle, Scene, rasterise
from veridical.media.draw.scene import Colour
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles import shapes
from veridical.suites.viabench.puzzles.general.shore_things import THINGS, ShoreColors
from veridical.suites.viabench.puzzles.puzzle import NO, YES, Pixels, Puzzle, Variant, anomaly

_SKIES: tuple[tuple[Colour, Colour], ...] = (
    ((132, 184, 220), (222, 236, 240)),
    ((240, 178, 138), (252, 228, 190)),
    ((150, 158, 206), (236, 208, 214)),
    ((170, 204, 210), (238, 240, 228)),
)
_HILLS: tuple[Colour, ...] = ((128, 154, 164), (146, 132, 150), (134, 160, 138))
_WALLS: tuple[Colour, ...] = ((244, 234, 214), (226, 204, 176), (214, 222, 226), (238, 214, 196))
_ROOFS: tuple[Colour, ...] = ((168, 66, 52), (92, 78, 84), (146, 92, 56), (70, 92, 118))
_GREENS: tuple[Colour, ...] = ((62, 110, 70), (84, 128, 62), (48, 96, 84))
_DEEP: Colour = (38, 74, 96)
_DULL = 0.38
_GLINT = 26
_KINDS = ("house", "pine", "oak", "tower", "boat")
_CHANGES = {1: ("order", "tree"), 2: ("tree", "roof"), 3: ("side",)}


class Shore(BaseItem):
    """The nuisances of a shore: what stands there, its colors, and what is otherwise in a reflection."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        rng = np.random.default_rng(nuisances.scatter())
        self.change = nuisances.one_of(_CHANGES[grade])
        row = [str(kind) for kind in rng.permutation(_KINDS)]
        needed = {
            "order": _KINDS,
            "tree": ("pine", "oak"),
            "roof": ("house", "tower"),
            "side": ("house", "boat", "tower"),
        }
        places = [place for place, kind in enumerate(row) if kind in needed[self.change]]
        self.row = " ".join(row)
        self.place = nuisances.one_of(places)
        self.way = nuisances.one_of((-1, 1))
        self.grow = nuisances.between(0.92, 1.1)
        self.sky = nuisances.one_of(range(len(_SKIES)))
        self.hill = nuisances.one_of(range(len(_HILLS)))
        self.wall = nuisances.one_of(range(len(_WALLS)))
        self.roof = nuisances.one_of(range(len(_ROOFS)))
        self.green = nuisances.one_of(range(len(_GREENS)))
        self.phase = nuisances.between(0, 6.3)
        self.size = nuisances.size
        self.ripples = nuisances.scatter()


def _changed(shore: Shore) -> Shore:
    """The shore of which a wrong reflection is the image."""
    row = shore.row.split()
    if shore.change == "order":
        beside = shore.place + 1 if shore.place + 1 < len(row) else shore.place - 1
        row[shore.place], row[beside] = row[beside], row[shore.place]
    elif shore.change == "tree":
        row[shore.place] = "oak" if row[shore.place] == "pine" else "pine"
    elif shore.change == "roof":
        row[shore.place] = "house" if row[shore.place] == "tower" else "tower"
    else:
        row[shore.place] += "~"
    other = copy(shore)
    other.row = " ".join(row)
    return other


@lru_cache(maxsize=4)
def _above(shore: Shore) -> Pixels:
    """Everything above the water's edge."""
    size = shore.size
    edge = size // 2
    unit = 0.13 * size * shore.grow
    top, low = _SKIES[shore.sky]
    xs = np.linspace(0, size, 60)
    hills = edge - size * (
        0.1 + 0.03 * np.sin(xs / size * 7 + shore.phase) + 0.02 * np.sin(xs / size * 17 + 2 * shore.phase)
    )
    far = mix_colors(_HILLS[shore.hill], low, 0.45)
    items: list[Item] = [
        Gradient(0, 0, size, edge, top, low, "y"),
        Disc((size * (0.3 + 0.06 * shore.phase), 0.1 * size), 0.045 * size, (255, 246, 214)),
        shapes.polygon([0, *xs, size], [edge, *hills - 0.05 * size, edge], far),
        shapes.polygon([0, *xs, size], [edge, *hills[::-1], edge], _HILLS[shore.hill]),
        Rectangle(0, edge - 0.02 * size, size, edge, mix_colors(_GREENS[shore.green], (200, 180, 110), 0.4)),
    ]
    row = shore.row.split()
    paint = ShoreColors(_WALLS[shore.wall], _ROOFS[shore.roof], _GREENS[shore.green])
    for place, kind in enumerate(row):
        x = size * (place + 0.5) / len(row)
        way = shore.way * (-1 if place % 2 else 1) * (-1 if kind.endswith("~") else 1)
        items += THINGS[kind.rstrip("~")](paint, x, edge - (0 if "boat" in kind else 0.008) * size, unit, way)
    return rasterise(Scene(size, edge, low, tuple(items)))


def _draw(shore: Shore, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ARG001 (each answer has one variant)
    above = _above(shore)
    below = _mirrored(above if answer == YES else _above(_changed(shore)))
    rng = np.random.default_rng(shore.ripples)
    water, rows, scale = below.copy(), len(below), shore.size / 512
    for depth in np.sort(rng.uniform(0.04, 1, 15)) ** 1.3:
        row, half = int(depth * (rows - 4)), (20 + 90 * depth * rng.uniform(0.3, 1)) * scale
        middle = rng.uniform(0, shore.size)
        thick = max(1, round((1 + 2 * depth) * scale))
        box = slice(row, row + thick), slice(max(0, int(middle - half)), int(middle + half))
        water[box] = below[box] + np.uint8(_GLINT)
    return (np.concatenate([above, water]),)


def _mirrored(above: Pixels) -> Pixels:
    """The image of a picture in still water: upside down and duller."""
    below = np.empty_like(above)
    levels = np.arange(256)
    for channel in range(3):
        table = np.rint(levels + _DULL * (_DEEP[channel] - levels)).astype(np.uint8)
        below[..., channel] = table[above[::-1, :, channel]]
    return below


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001 (always the same two)
    """Whether the lower half is the image of the upper half, apart from thin glints."""
    edge = len(pictures[0]) // 2
    above, below = pictures[0][:edge], pictures[0][edge : 2 * edge]
    apart = np.abs(_mirrored(above)[..., 2].astype(np.int16) - below[..., 2])
    other = (apart > 6) & (apart != _GLINT)
    if other.mean() > 0.2 or pictures[0].std() < 8:
        return None
    return YES if other.mean() < 0.0005 else NO


REFLECTION = Puzzle(
    name="reflection",
    title="Reflection in a lake",
    category="general",
    capability="shape and orientation",
    sees="a shore and its mirror image",
    truth="whether the reflection shows the same things in the same order and turned the same way",
    source="ours, after the paper's Appendix A: misdirection by composition",
    graded="from swapped things to one that faces the other way",
    question="Does the reflection in the water agree with everything that stands on the shore?",
    question_reversed="Is anything in the water's reflection different from what stands on the shore?",
    sample=Shore,
    draw=_draw,
    prior="a shore and its reflection in still water, as usual",
    **anomaly(lambda base: YES),  # noqa: ARG005
    read=_read,
)
