"""Doubles of dominoes with a pip too few or too many on one half."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridical.media.draw import Disc, Item, Scene, rasterise
from veridical.media.draw.scene import Colour
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.anomalies.dice import pattern
from veridical.suites.viabench.puzzles.anomalies.outline import Points, marks, polygon, smooth_line, stroke, to_pixels
from veridical.suites.viabench.puzzles.anomalies.views import views
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, counting_puzzle, possible_answer

_TILES: tuple[tuple[Colour, Colour], ...] = (
    ((248, 243, 230), (46, 42, 48)),
    ((58, 60, 66), (250, 248, 242)),
    ((132, 82, 58), (252, 244, 228)),
    ((60, 104, 122), (246, 250, 248)),
)
_TABLES: tuple[Colour, ...] = ((198, 216, 200), (222, 208, 186), (206, 214, 226), (226, 214, 222))


class Domino(BaseItem):
    """The nuisances of a double; `half` is the side of a half in px, and `first` tells whether its first is changed."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.size = nuisances.size
        self.value = nuisances.one_of((4, 5, 6))
        self.which = nuisances.one_of(range(4))
        self.first = nuisances.one_of((False, True))
        self.half = nuisances.px(*((185, 205), (150, 175), (115, 145))[grade - 1])
        self.tilt = nuisances.between(-1, 1) * (10, 40, 90)[grade - 1]
        self.kind = nuisances.one_of(range(len(_TILES)))
        self.table = nuisances.one_of(range(len(_TABLES)))
        self.views = views(nuisances, 3)


def _draw(domino: Domino, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ARG001 (the answer has one variant)
    more = int(answer) - 2 * domino.value
    view, (color, pip), table = domino.views[1 + more], _TILES[domino.kind], _TABLES[domino.table]
    half = view.near * domino.half
    free = max(0.0, 0.49 * domino.size - 1.2 * half)
    center = 0.5 * domino.size + view.x * free, 0.5 * domino.size + view.y * free

    def put(points: Points) -> Points:
        return to_pixels(points, half, domino.tilt, center)

    tile = put(smooth_line([(-1.04, -0.54), (1.04, -0.54), (1.04, 0.54), (-1.04, 0.54)], 0.02, 0.055))
    depth = np.array([0.03, 0.05]) * half
    dark, groove = mix_colors(color, (20, 16, 20), 0.35), mix_colors(color, pip, 0.45)
    shadow = mix_colors(table, (40, 40, 50), 0.2)
    items: list[Item] = [
        polygon(tile + 2.2 * depth, shadow),
        polygon(tile + depth, dark),
        polygon(tile, color),
        stroke(put(np.linspace((0, -0.42), (0, 0.42), 5)), 0.03 * half, groove),
    ]
    for middle, change in ((-0.52, more if domino.first else 0), (0.52, 0 if domino.first else more)):
        for place in pattern(domino.value, change, domino.which):
            x, y = put(np.array([place]) * 0.29 + (middle, 0.0))[0].tolist()
            items.append(Disc((x, y), 0.092 * view.thick * half, pip))
    return (view.streaked(rasterise(Scene(domino.size, domino.size, table, tuple(items))), table, shadow),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The number of patches in the color of pips."""
    count = max(marks(pictures[0], pip, 0.0001) for _, pip in _TILES)
    return possible_answer(count, answers)


DOMINOES = Puzzle(
    name="dominoes",
    title="Domino",
    sees="a double, whose two halves have as many pips",
    truth="the number of pips on both halves: that of the double, one less, or one more",
    graded="a smaller, more tilted tile",
    question="How many pips does the domino in the image have on both halves together?",
    sample=Domino,
    subject=lambda domino: "domino",  # noqa: ARG005
    draw=_draw,
    prior=None,
    **counting_puzzle(lambda domino: 2 * domino.value),
    read=_read,
)
