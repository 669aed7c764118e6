"""Müller-Lyer fins in a Ponzo corridor: two illusions in one picture."""

from __future__ import annotations

import math
from collections.abc import Sequence

from veridical.media.draw import Item, Line, Polygon, Scene, TextLine
from veridical.media.draw.raster import PaintedBase
from veridical.media.draw.scene import Colour, Point
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.geometric.marks import traces
from veridical.suites.viabench.puzzles.geometric.muller_lyer import fins, lengths
from veridical.suites.viabench.puzzles.puzzle import NO, Pixels, Puzzle, Variant, misleading_figure, yes_if

_DIFFERENCES = (0.3, 0.25, 0.2)
_READ = 0.08
_BARS: Colour = (214, 58, 42)
_FINS: Colour = (44, 46, 58)
_ROOMS: tuple[tuple[Colour, Colour, Colour, Colour, Colour, Colour], ...] = (
    ((214, 196, 166), (196, 174, 140), (226, 222, 212), (204, 199, 188), (240, 239, 234), (148, 164, 172)),
    ((176, 184, 194), (156, 166, 178), (222, 228, 234), (200, 208, 217), (240, 243, 246), (92, 116, 142)),
    ((206, 178, 160), (188, 156, 138), (232, 226, 206), (214, 206, 184), (246, 243, 232), (122, 148, 118)),
)
"""Colors of floor tiles (two), left and right wall, ceiling, and the door at the end."""


class CorridorView(BaseItem):
    """The nuisances of one picture: where the corridor vanishes, its depth, and of each bar its place and stroke."""

    def __init__(self, nuisances: Nuisances) -> None:
        self.x = nuisances.between(0.44, 0.56) * nuisances.size
        self.y = nuisances.between(0.31, 0.38) * nuisances.size
        self.far = nuisances.between(0.14, 0.2)
        self.heights = nuisances.between(0.52, 0.56), nuisances.between(0.8, 0.88)
        self.asides = nuisances.px(-14, 14), nuisances.px(-40, 40)
        self.strokes = nuisances.stroke(5.5, 8), nuisances.stroke(5.5, 8)
        self.fins = nuisances.px(25, 33), nuisances.px(25, 33)


class Corridor(BaseItem):
    """The nuisances: the room, the bars' length, which is longer if they differ, and the views of both pictures."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.equal = nuisances.px(128, 146)
        self.difference = _DIFFERENCES[grade - 1]
        self.longer = nuisances.one_of("AB")
        self.angle = nuisances.between(34, 42)
        self.tiles = nuisances.one_of((5, 6, 7))
        self.room = nuisances.one_of(range(len(_ROOMS)))
        self.views = CorridorView(nuisances), CorridorView(nuisances)
        self.size = nuisances.size


def _at(view: CorridorView, x: float, y: float, nearness: float) -> Point:
    """A point of the frame of the picture, drawn toward the vanishing point; nearness 1 is the frame itself."""
    return view.x + (x - view.x) * nearness, view.y + (y - view.y) * nearness


def _ground(corridor: Corridor, view: CorridorView, variant: Variant) -> PaintedBase:
    """The corridor, or a flat ground of its wall's color."""
    floor, joint, left, right, ceiling, door = _ROOMS[corridor.room]
    size = float(corridor.size)
    if variant == "ordinary":
        return PaintedBase.of(Scene(corridor.size, corridor.size, left, ()))

    def quad(corners: Sequence[tuple[float, float, float]], color: Colour) -> Polygon:
        return Polygon(tuple(_at(view, *corner) for corner in corners), color)

    far = view.far
    items: list[Item] = [
        quad(((0, 0, 1), (size, 0, 1), (size, 0, far), (0, 0, far)), ceiling),
        quad(((0, size, 1), (size, size, 1), (size, size, far), (0, size, far)), floor),
        quad(((0, 0, 1), (0, 0, far), (0, size, far), (0, size, 1)), left),
        quad(((size, 0, 1), (size, 0, far), (size, size, far), (size, size, 1)), right),
    ]
    depths = [1 / (1 + (1 / far - 1) * k / 9) for k in range(10)]
    for k in range(9):
        for tile in range(k % 2, corridor.tiles, 2):
            x0, x1 = size * tile / corridor.tiles, size * (tile + 1) / corridor.tiles
            near, away = depths[k], depths[k + 1]
            items.append(quad(((x0, size, near), (x1, size, near), (x1, size, away), (x0, size, away)), joint))
        if k > 0:
            for x, shade in ((0.0, right), (size, left)):
                wide = 1 + 0.02 * depths[k]
                panel = (
                    (x, 0.0, depths[k]),
                    (x, size, depths[k]),
                    (x, size, depths[k] / wide),
                    (x, 0.0, depths[k] / wide),
                )
                items.append(quad(panel, shade))
    for k in (1, 3, 5, 7):
        near, away = depths[k] * 0.96, depths[k + 1] * 1.04
        lamp = ((0.4 * size, 0, near), (0.6 * size, 0, near), (0.6 * size, 0, away), (0.4 * size, 0, away))
        items.append(quad(lamp, (255, 253, 238)))
    dim: Colour = (right[0] - 22, right[1] - 22, right[2] - 20)
    for x0, y0, x1, y1, color in (
        (0.0, 0.0, 1.0, 1.0, dim),
        (0.28, 0.2, 0.72, 1.0, door),
        (0.34, 0.27, 0.66, 0.6, ceiling),
    ):
        corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        items.append(quad([(x * size, y * size, far) for x, y in corners], color))
    return PaintedBase.of(Scene(corridor.size, corridor.size, ceiling, tuple(items)))


def _draw(corridor: Corridor, answer: str, variant: Variant) -> tuple[Pixels]:
    drawn = lengths(corridor.equal, corridor.difference, corridor.longer, answer)
    size, view = corridor.size, corridor.views[answer == NO]
    items: list[Item] = []
    shafts: list[Item] = []
    letters: list[Item] = []
    for k, bar in enumerate("AB"):
        x, y, stroke = view.x + view.asides[k], view.heights[k] * size, view.strokes[k]
        if variant == "unusual":
            reach = view.fins[k] * (1 if bar == "A" else -1)
            items += fins((x, y), drawn[bar], reach, corridor.angle, 0.75 * min(view.strokes), _FINS)
        shafts.append(Line((x - drawn[bar] / 2, y), (x + drawn[bar] / 2, y), stroke, _BARS))
        letters.append(TextLine((x, y - 0.042 * size), bar, 0.05 * size, _FINS))
    return (_ground(corridor, view, variant).with_items((*items, *shafts, *letters)),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001
    """Whether the two bars, by their color, are equally long."""
    marks = [mark for mark in traces(pictures[0], (_BARS,)) if mark.length > 0.15 * pictures[0].shape[1]]
    if len(marks) != 2:
        return None
    return yes_if(abs(math.log(marks[0].length / marks[1].length)) < _READ)


CORRIDOR = Puzzle(
    name="corridor",
    title="Fins in a corridor",
    category="geometric",
    capability="size and length",
    sees="a far bar that is longer than the near one, because of the corridor and of the fins",
    truth="whether the two red bars are equally long on the picture's surface",
    source="ours, after Müller-Lyer 1889 and Ponzo 1911, crossed",
    graded="a smaller difference: 30, 25, 20 %",
    question="Measured on the surface of the picture, are the red bars A and B equally long?",
    question_reversed="Measured on the surface of the picture, do the red bars A and B differ in length?",
    sample=Corridor,
    draw=_draw,
    usual=misleading_figure(lambda corridor: corridor.longer == "A"),
    read=_read,
)
