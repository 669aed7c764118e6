"""The Hering figure: two lines that a fan of rays makes look bowed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridical.media.draw import Item, Line, Scene, rasterise
from veridical.media.figures.hering import bowed_line, fan
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.geometric.marks import INKS, panel, traces
from veridical.suites.viabench.puzzles.puzzle import NO, Pixels, Puzzle, Variant, misleading_figure, yes_if

_BOWS = (13.0, 10.0, 7.5)
_READ = 0.006


class HeringRays(BaseItem):
    """The nuisances: the lines' length and distance, the rays, the bow when there is one, in px, and its direction."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.along = nuisances.one_of((True, False))
        self.half = nuisances.px(195, 208)
        self.away = nuisances.px(52, 66)
        self.stroke = nuisances.stroke(5.4, 6.4)
        self.rays = nuisances.one_of((15, 16, 17, 18))
        self.phase = nuisances.between(0.2, 0.8)
        self.bow = _BOWS[grade - 1] * nuisances.scale * (1 if self.along else -1)
        self.upright = nuisances.one_of((True, False))
        self.ink = nuisances.one_of(range(len(INKS)))
        self.size = nuisances.size


def _draw(rays: HeringRays, answer: str, variant: Variant) -> tuple[Pixels]:
    ink, middle = INKS[rays.ink], rays.size / 2
    reach, thin = 0.43 * rays.size, 0.36 * rays.stroke
    inducers: tuple[Item, ...]
    if variant == "unusual":
        inducers = fan((middle, middle), reach, rays.rays, rays.phase, thin, ink.inducer)
    else:
        places = np.linspace(middle - 0.95 * reach, middle + 0.95 * reach, 2 * rays.rays)
        inducers = tuple(
            Line((float(x), middle - 0.7 * reach), (float(x), middle + 0.7 * reach), thin, ink.inducer) for x in places
        )
    bow = rays.bow if answer == NO else 0.0
    lines = [
        bowed_line((middle, middle + side * rays.away - side * bow / 2), rays.half, side * bow, rays.stroke, ink.target)
        for side in (-1, 1)
    ]
    picture = rasterise(Scene(rays.size, rays.size, ink.page, (panel(rays.size, ink), *inducers, *lines)))
    return (np.ascontiguousarray(picture.swapaxes(0, 1)) if rays.upright else picture,)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001
    """Whether the two lines, by their color, are straight: the part of a parabola in their course."""
    size = pictures[0].shape[1]
    lines = [mark for mark in traces(pictures[0]) if mark.length > 0.5 * size]
    if len(lines) != 2:
        return None
    bows = []
    for line in lines:
        along, off = (line.x, line.y) if abs(line.degrees) < 45 else (line.y, line.x)
        bows.append(abs(float(np.polyfit((along - size / 2) / (0.4 * size), off / size, 2)[0])))
    return yes_if(max(bows) < _READ)


HERING = Puzzle(
    name="hering",
    title="Hering",
    category="geometric",
    capability="shape and orientation",
    sees="two lines that bow, because of the rays behind them",
    truth="whether the two lines are drawn straight",
    source="Hering 1861",
    graded="a smaller bow: 13, 10, 7.5 px at 512 px either way",
    question="Are the two thick lines in the image straight?",
    question_reversed="Are the two thick lines in the image curved?",
    sample=HeringRays,
    draw=_draw,
    usual=misleading_figure(lambda rays: rays.along),
    read=_read,
)
