"""Boards and sheets that are ruled into fields: where they lie in each picture of a unit, and how lines are counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from veridical.media.draw import Item, Rectangle, Scene, rasterise
from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.anomalies.views import streaks, views
from veridical.suites.viabench.puzzles.puzzle import Pixels

_TABLES: tuple[Colour, ...] = ((246, 244, 240), (214, 226, 220), (228, 214, 196), (204, 214, 228), (176, 186, 180))
_DARKER = 45
"""How much darker than what is beside it a line is, at least, in levels of the mean of the channels."""
_GRAIN = 0.04
_DEEP = 0.03
"""The height of a wooden board, as a share of the picture's side."""
_EDGE = 0.025
"""How much of the table is seen beside a board, at least: less would look like a line."""


class RuledBoard(BaseItem):
    """The nuisances of a board whose outline is so long in px at size 512, whatever the number of its fields.

    Of each picture, `stretches` has the outline's height by its width, and `strewn` a seed for what lies on the board.
    """

    def __init__(self, nuisances: Nuisances, side: tuple[float, float], pictures: int = 3) -> None:
        self.size = nuisances.size
        self.side = nuisances.px(*side)
        self.table = nuisances.one_of(range(len(_TABLES)))
        self.views = views(nuisances, pictures, 0.84, 0.12)
        self.stretches = tuple(nuisances.between(0.88, 1.04) for _ in range(pictures))
        self.wood = nuisances.one_of(range(5))
        self.strewn = tuple(nuisances.scatter() for _ in range(pictures))


@dataclass(frozen=True, slots=True)
class RuledArea:
    """The outline of a board in px, and into how many columns and rows of fields it is ruled."""

    left: float
    top: float
    width: float
    height: float
    columns: int
    rows: int

    @property
    def wide(self) -> float:
        """The width of a field."""
        return self.width / self.columns

    @property
    def tall(self) -> float:
        """The height of a field."""
        return self.height / self.rows

    def at(self, column: float, row: float) -> Point:
        """A point of the board: its upper left corner is (0, 0), and a field is 1 wide and 1 high."""
        return self.left + column * self.wide, self.top + row * self.tall

    def field(self, column: int, row: int, color: Colour) -> Rectangle:
        """A field, filled."""
        return Rectangle(*self.at(column, row), *self.at(column + 1, row + 1), color)

    def box(self, margin: float, color: Colour) -> Rectangle:
        """The outline with a margin around it, filled."""
        left, top = self.left - margin, self.top - margin
        return Rectangle(left, top, left + self.width + 2 * margin, top + self.height + 2 * margin, color)

    def lines(
        self, width: float, color: Colour, heavy: Sequence[Sequence[int]] = ((), ()), by: float = 2
    ) -> list[Item]:
        """All lines between fields and around them; the heavy columns' and rows' lines are wider by a factor."""
        items: list[Item] = []
        for column in range(self.columns + 1):
            half = 0.5 * width * (by if column in heavy[0] else 1)
            (x, y0), (_, y1) = self.at(column, 0), self.at(column, self.rows)
            items.append(Rectangle(x - half, y0 - width / 2, x + half, y1 + width / 2, color))
        for row in range(self.rows + 1):
            half = 0.5 * width * (by if row in heavy[1] else 1)
            (x0, y), (x1, _) = self.at(0, row), self.at(self.columns, row)
            items.append(Rectangle(x0 - width / 2, y - half, x1 + width / 2, y + half, color))
        return items


def ruled_area(board: RuledBoard, k: int, columns: int, rows: int, margin: float) -> RuledArea:
    """Where the k-th picture of a board has it; `margin` is the room around its outline, as a share of its width."""
    view = board.views[k]
    width = view.near * board.side
    height = width * board.stretches[k]
    across, down = (length + 2 * margin * width + 1.9 * _DEEP * board.size for length in (width, height))
    inner = (1 - 2 * _EDGE) * board.size
    x, y = (
        _EDGE * board.size + 0.5 * (1 + place) * max(0.0, inner - room)
        for place, room in ((view.x, across), (view.y, down))
    )
    return RuledArea(x + margin * width, y + margin * width, width, height, columns, rows)


def line_width(board: RuledBoard, k: int) -> float:
    """The width of a thin line in the k-th picture, in px: never so thin that it fades."""
    return max(1.45, 1.7 * board.size / 512) * math.sqrt(board.views[k].thick)


def board_on_table(
    board: RuledBoard, k: int, area: RuledArea, margin: float, wood: Colour, items: Sequence[Item]
) -> Pixels:
    """A wooden board with its margin, its side and its shadow on a table, and items on it."""
    table, deep = _TABLES[board.table], _DEEP * board.size
    shadow, dim = _shade(table, 0.28), mix_colors(wood, (40, 26, 18), 0.4)
    plate = area.box(margin * area.width, wood)
    below = [
        Rectangle(plate.x0 + deep, plate.y0 + deep, plate.x1 + 0.9 * deep, plate.y1 + 1.9 * deep, shadow),
        Rectangle(plate.x0, plate.y0 + deep, plate.x1, plate.y1 + deep, dim),
    ]
    picture = rasterise(Scene(board.size, board.size, table, (*below, plate, *items)))
    return board.views[k].streaked(picture, table, shadow)


def sheet_on_table(
    board: RuledBoard, k: int, area: RuledArea, margin: float, paper: Colour, items: Sequence[Item]
) -> Pixels:
    """A sheet of paper with its margin and its shadow on a table, and items on it."""
    table, deep = _TABLES[board.table], 0.3 * _DEEP * board.size
    sheet = area.box(margin * area.width, paper)
    shadow = Rectangle(sheet.x0 + deep, sheet.y0 + deep, sheet.x1 + deep, sheet.y1 + deep, _shade(table, 0.14))
    picture = rasterise(Scene(board.size, board.size, table, (shadow, sheet, *items)))
    return board.views[k].streaked(picture, table)


def _shade(table: Colour, depth: float) -> Colour:
    return mix_colors(table, (40, 40, 50), depth)


def wood_grain(picture: Pixels, color: Colour, seed: int) -> Pixels:
    """The picture with upright veins wherever it has exactly a color."""
    light = streaks(len(picture), _GRAIN, _GRAIN, seed)
    shades = np.rint(light[:, None] * np.array(color)).astype(np.uint8)
    return np.where((picture == np.array(color, np.uint8)).all(2)[..., None], shades[None], picture)


def line_count(picture: Pixels, *, upright: bool = False) -> int:
    """How many lines run through a board from side to side, or, upright, from top to bottom; 0 without a board.

    A line is a row of pixels of which half as many as in any row are darker than what is near above or below.
    """
    level = picture.mean(2).astype(np.float32)
    level = level.T if upright else level
    reach = 2 * round(len(level) / 128) + 1
    dark = ndimage.grey_closing(level, size=(reach, 1)) - level > _DARKER
    return _runs(dark.sum(1))


def _runs(across: NDArray[np.int64]) -> int:
    """How many runs of numbers are at least half as large as the largest."""
    if not across.max():
        return 0
    high = np.concatenate([[False], across > across.max() / 2])
    return int(np.count_nonzero(high[1:] & ~high[:-1]))
