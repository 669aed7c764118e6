"""A sudoku with a row too few or too many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridical.media.draw import Item, TextLine
from veridical.media.draw.scene import Colour
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import Nuisances
from veridical.suites.viabench.puzzles.anomalies.ruled_boards import (
    RuledArea,
    RuledBoard,
    line_count,
    line_width,
    ruled_area,
    sheet_on_table,
)
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, counting_puzzle, possible_answer

_ROWS = 9
_BLOCKS = (0, 3, 6, 9)
_MARGIN = 0.045
_PAPERS: tuple[Colour, ...] = ((255, 254, 250), (250, 246, 234), (246, 248, 250), (252, 244, 240), (242, 248, 240))
_INKS: tuple[Colour, ...] = ((30, 30, 36), (38, 48, 84), (70, 40, 36), (30, 64, 58), (60, 44, 78))


class SudokuSheet(RuledBoard):
    """The nuisances of a sudoku: its first changed block of rows, and, of each picture, its share of filled cells."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        super().__init__(nuisances, ((400, 420), (375, 400), (345, 375))[grade - 1])
        self.block = nuisances.one_of((1, 2, 3))
        self.filled = tuple(nuisances.between(0.25, 0.5) for _ in self.views)
        self.ink = nuisances.one_of(range(len(_INKS)))
        self.grade = grade


def _draw(sheet: SudokuSheet, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ARG001 (the answer has one variant)
    rows, k, paper = int(answer), int(answer) - _ROWS + 1, _PAPERS[sheet.wood]
    area = ruled_area(sheet, k, _ROWS, rows, _MARGIN)
    ink = mix_colors(_INKS[sheet.ink], paper, 0.3 * sheet.views[k].faint)
    blocks = [edge + (rows - _ROWS) * (place >= sheet.block) for place, edge in enumerate(_BLOCKS)]
    items = area.lines(line_width(sheet, k), ink, (_BLOCKS, blocks), 2.1)
    items += _digits(sheet, k, area, ink)
    return (sheet_on_table(sheet, k, area, _MARGIN, paper, items),)


def _digits(sheet: SudokuSheet, k: int, area: RuledArea, ink: Colour) -> list[Item]:
    """Digits in some cells: those of a solved sudoku, its rows and columns in another order within their blocks."""
    chance = np.random.default_rng(sheet.strewn[k])
    order = [3 * block + place for block in chance.permutation(3) for place in chance.permutation(3)]
    columns = [3 * block + place for block in chance.permutation(3) for place in chance.permutation(3)]
    names = chance.permutation(9) + 1
    items: list[Item] = []
    size = 0.62 * min(area.wide, area.tall)
    for row in range(area.rows):
        for column in range(area.columns):
            if chance.random() < sheet.filled[k]:
                line = order[row % _ROWS]
                digit = names[(3 * (line % 3) + line // 3 + columns[column]) % 9]
                items.append(TextLine(area.at(column + 0.5, row + 0.5), str(digit), size, ink))
    return items


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """One less than the number of lines that run through the sudoku from side to side."""
    return possible_answer(line_count(pictures[0]) - 1, answers)


SUDOKU = Puzzle(
    name="sudoku",
    title="Sudoku",
    sees="a sudoku, which has nine rows of cells",
    truth="the number of rows that are drawn: 8, 9 or 10",
    graded="a smaller sudoku",
    question="How many rows of cells does the sudoku in the image have, from top to bottom?",
    sample=SudokuSheet,
    subject=lambda sheet: "sudoku",  # noqa: ARG005
    draw=_draw,
    prior="an ordinary sudoku",
    **counting_puzzle(lambda sheet: _ROWS),  # noqa: ARG005
    read=_read,
)
