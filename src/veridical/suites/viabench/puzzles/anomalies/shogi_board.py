"""A shogi board with a column of squares too few or too many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridical.media.draw import Disc, Item
from veridical.media.draw.scene import Colour
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import Nuisances
from veridical.suites.viabench.puzzles.anomalies.outline import polygon, stroke
from veridical.suites.viabench.puzzles.anomalies.ruled_boards import (
    RuledArea,
    RuledBoard,
    board_on_table,
    line_count,
    line_width,
    ruled_area,
    wood_grain,
)
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, counting_puzzle, possible_answer

_SQUARES = 9
_MARGIN = 0.05
_WOODS: tuple[Colour, ...] = ((238, 200, 130), (226, 186, 118), (244, 216, 158), (216, 174, 112), (232, 204, 150))
_INK: Colour = (52, 34, 24)
_PIECE: Colour = (250, 232, 188)
_SHAPE = np.array([(-0.36, 0.42), (-0.27, -0.22), (0, -0.42), (0.27, -0.22), (0.36, 0.42)])
"""A piece that points up, in squares around the middle of its own."""
_BRUSH = (
    ((-0.13, -0.14), (0.13, -0.14)),
    ((0.0, -0.2), (0.0, 0.06)),
    ((-0.15, -0.02), (0.15, -0.02)),
    ((-0.02, 0.1), (-0.14, 0.3)),
    ((0.02, 0.1), (0.14, 0.3)),
    ((-0.1, 0.2), (0.1, 0.2)),
    ((-0.16, 0.08), (0.16, 0.08)),
    ((0.0, 0.06), (0.0, 0.32)),
)
"""Strokes of the brush, some of which stand on each piece; no sign of any script."""


class ShogiBoard(RuledBoard):
    """The nuisances of a shogi board; of each picture, `pieces` has how many pieces stand on it."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        super().__init__(nuisances, ((385, 400), (365, 385), (340, 365))[grade - 1])
        self.pieces = tuple(nuisances.one_of(range(8, 25)) for _ in self.views)


def _draw(board: ShogiBoard, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ARG001 (the answer has one variant)
    columns, k, wood = int(answer), int(answer) - _SQUARES + 1, _WOODS[board.wood]
    area = ruled_area(board, k, columns, _SQUARES, _MARGIN)
    width, ink = line_width(board, k), mix_colors(_INK, wood, 0.3 * board.views[k].faint)
    items = area.lines(width, ink)
    items += [Disc(area.at(x, y), 2.2 * width, ink) for x in (3, columns - 3) for y in (3, 6)]
    items += _pieces(board, k, area)
    picture = board_on_table(board, k, area, _MARGIN, wood, items)
    return (wood_grain(picture, wood, board.strewn[k]),)


def _pieces(board: ShogiBoard, k: int, area: RuledArea) -> list[Item]:
    """Pieces on some squares: those that point up mostly in the lower half, those that point down in the upper one."""
    chance = np.random.default_rng(board.strewn[k])
    squares = chance.permutation(area.columns * area.rows)[: board.pieces[k]]
    scale, items = np.array([min(area.wide, area.tall)] * 2), list[Item]()
    for square in squares.tolist():
        row, column = divmod(square, area.columns)
        upward = row + chance.normal(0, 1.2) > (area.rows - 1) / 2
        turn, center = scale if upward else -scale, np.array(area.at(column + 0.5, row + 0.5))
        outline = center + 0.95 * _SHAPE * turn
        items += [polygon(outline + 0.03 * scale, (150, 112, 66)), polygon(outline, _PIECE)]
        items.append(stroke(outline, 0.03 * scale[0], (176, 140, 92), closed=True))
        for which in chance.permutation(len(_BRUSH))[:5].tolist():
            items.append(stroke(center + 0.95 * np.array(_BRUSH[which]) * turn, 0.05 * scale[0], _INK))
    return items


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """One less than the number of lines that run through the board from top to bottom."""
    return possible_answer(line_count(pictures[0], upright=True) - 1, answers)


SHOGI_BOARD = Puzzle(
    name="shogi_board",
    title="Shogi board",
    sees="a shogi board, which has nine columns of squares",
    truth="the number of columns that are drawn: 8, 9 or 10",
    graded="a smaller board",
    question="How many columns of squares does the shogi board in the image have, from left to right?",
    sample=ShogiBoard,
    subject=lambda board: "shogi board",  # noqa: ARG005
    draw=_draw,
    prior="an ordinary shogi board",
    **counting_puzzle(lambda board: _SQUARES),  # noqa: ARG005
    read=_read,
)
