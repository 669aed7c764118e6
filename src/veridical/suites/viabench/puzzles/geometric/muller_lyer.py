"""The Müller-Lyer figure: two bars whose ends make them look unequal."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from veridical.media.draw import Curve, Disc, Item, Line, Scene, TextLine, rasterise
from veridical.media.draw.scene import Colour, Point
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.geometric.marks import INKS, Ink, panel, traces
from veridical.suites.viabench.puzzles.puzzle import NO, Pixels, Puzzle, Variant, misleading_figure, yes_if

_DIFFERENCES = (0.24, 0.19, 0.15)
_READ = 0.06


class BarsView(BaseItem):
    """The nuisances of one picture of a unit: the height of the bars, and of each its stroke, its fins, its place."""

    def __init__(self, nuisances: Nuisances) -> None:
        self.middle = nuisances.between(0.38, 0.62)
        self.gap = nuisances.between(0.26, 0.38)
        self.strokes = nuisances.stroke(5.2, 8.2), nuisances.stroke(5.2, 8.2)
        self.fins = nuisances.px(36, 54), nuisances.px(36, 54)
        self.shifts = nuisances.px(-12, 40), nuisances.px(-12, 40)

    def along(self, bar: int) -> float:
        """The height of a bar as a part of the picture's."""
        return self.middle + (bar - 0.5) * self.gap


class Bars(BaseItem):
    """The nuisances: length, the ends' shape, which bar is longer when they differ, and the views of both pictures."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.equal = nuisances.px(185, 222)
        self.difference = _DIFFERENCES[grade - 1]
        self.longer = nuisances.one_of("AB")
        self.stretched = nuisances.one_of("AB")
        self.ends = nuisances.one_of(("fins", "fins", "arcs"))
        self.angle = nuisances.between(32, 42)
        self.upright = nuisances.one_of((True, False))
        self.ink = nuisances.one_of(range(len(INKS)))
        self.views = BarsView(nuisances), BarsView(nuisances)
        self.size = nuisances.size


def lengths(equal: float, difference: float, longer: str, answer: str) -> dict[str, float]:
    """The two bars' lengths, whose ratio is 1 + `difference` if the answer is "No"."""
    root = math.sqrt(1 + difference) if answer == NO else 1.0
    return {bar: equal * (root if bar == longer else 1 / root) for bar in "AB"}


def fins(middle: Point, length: float, reach: float, degrees: float, width: float, color: Colour) -> list[Item]:
    """Arrowheads at the ends of a level bar: positive `reach` opens them outward, which stretches the bar."""
    x, y = middle
    items: list[Item] = []
    for side in (-1, 1):
        end = x + side * length / 2
        for up in (-1, 1):
            tip = (
                end + side * reach * math.cos(math.radians(degrees)),
                y + up * abs(reach) * math.sin(math.radians(degrees)),
            )
            items.append(Line((end, y), tip, width, color))
        items.append(Disc((end, y), width / 2, color))
    return items


def _arcs(middle: Point, length: float, reach: float, width: float, color: Colour) -> list[Item]:
    """Half circles at the ends of a level bar: positive `reach` opens them outward, which stretches the bar."""
    angles = np.radians(np.linspace(-90, 90, 33))
    radius, open_to = 0.62 * abs(reach), math.copysign(1, reach)
    items: list[Item] = []
    for side in (-1, 1):
        x = middle[0] + side * length / 2 + side * open_to * radius * (1 - np.cos(angles))
        y = middle[1] + radius * np.sin(angles)
        items.append(Curve(tuple(zip(x.tolist(), y.tolist(), strict=True)), width, color))
    return items


def _draw(bars: Bars, answer: str, variant: Variant) -> tuple[Pixels]:
    ink, size, view = INKS[bars.ink], bars.size, bars.views[answer == NO]
    drawn = lengths(bars.equal, bars.difference, bars.longer, answer)
    items: list[Item] = []
    shafts: list[Item] = []
    for k, bar in enumerate("AB"):
        x, y, length = size / 2 + view.shifts[k], view.along(k) * size, drawn[bar]
        if variant == "unusual":
            reach, width = view.fins[k] * (1 if bar == bars.stretched else -1), 0.8 * min(view.strokes)
            ends = fins((x, y), length, reach, bars.angle, width, ink.inducer)
            items += ends if bars.ends == "fins" else _arcs((x, y), length, reach, width, ink.inducer)
        shafts.append(Line((x - length / 2, y), (x + length / 2, y), view.strokes[k], ink.target))
    shown = rasterise(Scene(size, size, ink.page, (panel(size, ink), *items, *shafts)))
    picture = np.ascontiguousarray(shown.swapaxes(0, 1)) if bars.upright else shown
    return (_lettered(picture, bars.upright, view, ink),)


def _lettered(picture: Pixels, upright: bool, view: BarsView, ink: Ink) -> Pixels:
    """The picture with the bars' names beside them."""
    size = picture.shape[0]
    box = size // 10
    for k, name in enumerate("AB"):
        tile = rasterise(Scene(box, box, ink.panel, (TextLine((box / 2, box / 2), name, 0.62 * box, ink.letter),)))
        x, y = round(0.09 * size), round(view.along(k) * size)
        x, y = (y, x) if upright else (x, y)
        picture[y - box // 2 : y - box // 2 + box, x - box // 2 : x - box // 2 + box] = tile
    return picture


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001
    """Whether the two bars, by their color, are equally long."""
    marks = [mark for mark in traces(pictures[0]) if mark.length > 0.2 * pictures[0].shape[1]]
    if len(marks) != 2:
        return None
    return yes_if(abs(math.log(marks[0].length / marks[1].length)) < _READ)


MULLER_LYER = Puzzle(
    name="muller_lyer",
    title="Müller-Lyer",
    category="geometric",
    capability="size and length",
    sees="two bars that differ, because of what is at their ends",
    truth="whether the two bars are drawn equally long",
    source="Müller-Lyer 1889",
    graded="a smaller difference: 24, 19, 15 %",
    question="Are the thick straight bars A and B equally long, without what is attached to their ends?",
    question_reversed="Do the thick straight bars A and B differ in length, without what is attached to their ends?",
    sample=Bars,
    draw=_draw,
    usual=misleading_figure(lambda bars: bars.stretched == bars.longer),
    read=_read,
)
