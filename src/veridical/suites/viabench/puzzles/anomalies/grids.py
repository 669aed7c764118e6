"""A grid whose cells hold as many lines each, but for one cell with a line too few or too many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Item, Rectangle
from veridical.media.draw.scene import Colour
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import Nuisances
from veridical.suites.viabench.puzzles.anomalies.ruled_boards import (
    RuledArea,
    RuledBoard,
    line_width,
    ruled_area,
    sheet_on_table,
)
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, counting_puzzle, possible_answer
from veridical.suites.viabench.puzzles.shapes import color_mask

_MARGIN = 0.04
_PAPERS: tuple[Colour, ...] = ((254, 252, 246), (244, 248, 252), (250, 242, 236), (240, 248, 240), (248, 244, 252))
_INKS: tuple[Colour, ...] = ((44, 62, 104), (104, 50, 44), (44, 84, 70), (84, 56, 104), (50, 50, 56))
_FRAME: Colour = (226, 60, 40)


class PatternGrid(RuledBoard):
    """The nuisances of a grid: how many lines its cells hold, and, of each picture, its framed cell in the grid."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        super().__init__(nuisances, ((405, 420), (395, 410), (385, 400))[grade - 1])
        self.lines = nuisances.one_of(((3, 4), (4,), (4, 5))[grade - 1])
        self.cells = nuisances.one_of(((4, 5), (5,), (5, 6))[grade - 1])
        self.framed = tuple(
            (nuisances.one_of(range(self.cells)), nuisances.one_of(range(self.cells))) for _ in self.views
        )
        self.ink = nuisances.one_of(range(len(_INKS)))


def _draw(grid: PatternGrid, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ARG001 (the answer has one variant)
    k = int(answer) - grid.lines + 1
    paper, view = _PAPERS[grid.wood], grid.views[k]
    ink = mix_colors(_INKS[grid.ink], paper, 0.3 * view.faint)
    area, width = ruled_area(grid, k, grid.cells, grid.cells, _MARGIN), line_width(grid, k)
    items = area.lines(0.9 * width, mix_colors(ink, paper, 0.45))
    for column in range(grid.cells):
        for row in range(grid.cells):
            count = int(answer) if (column, row) == grid.framed[k] else grid.lines
            items += _bars(area, (column, row), count, max(1.5, 0.05 * area.wide * view.thick), ink)
    items += _frame(area, grid.framed[k], 1.6 * width)
    return (sheet_on_table(grid, k, area, _MARGIN, paper, items),)


def _bars(area: RuledArea, cell: tuple[int, int], count: int, width: float, ink: Colour) -> list[Item]:
    """Upright lines in a cell, evenly apart."""
    items: list[Item] = []
    for place in range(count):
        x, y0 = area.at(cell[0] + 0.5 + 0.7 * ((place + 0.5) / count - 0.5), cell[1] + 0.25)
        items.append(Rectangle(x - width / 2, y0, x + width / 2, y0 + 0.5 * area.tall, ink))
    return items


def _frame(area: RuledArea, cell: tuple[int, int], width: float) -> list[Item]:
    (x0, y0), (x1, y1) = area.at(*cell), area.at(cell[0] + 1, cell[1] + 1)
    sides = ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1))
    return [Rectangle(a - width, b - width, c + width, d + width, _FRAME) for a, b, c, d in sides]


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The number of lines across the middle of the framed cell, from where it is darker than its paper."""
    framed = color_mask(pictures[0], _FRAME)
    rows, columns = np.flatnonzero(framed.any(1)), np.flatnonzero(framed.any(0))
    if len(rows) < 9 or len(columns) < 9:
        return None
    edge = round(0.16 * len(columns))
    middle = pictures[0][(rows[0] + rows[-1]) // 2, columns[0] + edge : columns[-1] - edge].mean(1)
    return possible_answer(_dark_runs(middle), answers)


def _dark_runs(levels: NDArray[np.float64]) -> int:
    dark = np.concatenate([[False], levels < (levels.min() + levels.max()) / 2])
    return int(np.count_nonzero(dark[1:] & ~dark[:-1]))


GRIDS = Puzzle(
    name="grids",
    title="Grid of lines",
    sees="a grid in which each cell holds as many lines as the others, as all but the framed one do",
    truth="the number of lines in the framed cell: as many as in the others, one less, or one more",
    graded="more and smaller cells with more lines",
    question="How many lines does the cell with the red frame hold, in the grid in the image?",
    sample=PatternGrid,
    draw=_draw,
    prior=None,
    **counting_puzzle(lambda grid: grid.lines),
    read=_read,
)
