"""A chessboard with a row too few or too many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridical.media.draw import Rectangle, Scene
from veridical.media.draw.scene import Colour
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, counting_puzzle

_ROWS = ("7", "8", "9")
_SEEN = 24
_WOODS: tuple[tuple[Colour, Colour], ...] = (
    ((238, 216, 181), (150, 98, 62)),
    ((232, 235, 220), (96, 128, 88)),
    ((226, 222, 214), (92, 96, 106)),
)


class Board(BaseItem):
    """The nuisances of a board: its squares' side, its colors, where it lies, and whether coordinates stand beside."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.side = nuisances.px(*((44, 46), (38, 42), (33, 36))[grade - 1])
        self.left = nuisances.between(0.35, 0.65) * (nuisances.size - 8 * self.side)
        self.bottom = (
            nuisances.size - nuisances.between(0.4, 0.6) * (nuisances.size - 9.5 * self.side) - 0.7 * self.side
        )
        self.wood = nuisances.one_of(range(len(_WOODS)))
        self.size = nuisances.size


def _draw(board: Board, answer: str, variant: Variant) -> tuple[Scene]:  # noqa: ARG001 (the answer has one variant)
    light, dark = _WOODS[board.wood]
    rows, side = int(answer), board.side
    middle = board.bottom - 4 * side
    top, bottom = middle - rows * side / 2, middle + rows * side / 2
    left, right, edge = board.left, board.left + 8 * side, 0.22 * side
    rim: Colour = (84, 54, 36)
    frame = Rectangle(left - edge, top - edge, right + edge, bottom + edge, rim)
    squares = [
        Rectangle(left + column * side, top + row * side, left + (column + 1) * side, top + (row + 1) * side, dark)
        for row in range(rows)
        for column in range(8)
        if (row + column) % 2
    ]
    ground = Rectangle(left, top, right, bottom, light)
    return (Scene(board.size, board.size, (246, 244, 240), (frame, ground, *squares)),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The number of squares in the first column, from where the color changes down the board."""
    colors = pictures[0].astype(np.int16)
    drawn = np.flatnonzero((np.abs(colors - colors[0, 0]).sum(2) > _SEEN).any(0))
    if len(drawn) < colors.shape[1] // 4:
        return None
    column = colors[:, drawn[0] + (drawn[-1] - drawn[0]) // 12]
    turns = np.flatnonzero(np.abs(np.diff(column, axis=0)).sum(1) > _SEEN)
    runs = np.diff(turns)
    squares = int(np.count_nonzero(runs > runs.max() / 2)) if len(runs) else 0
    return str(squares) if str(squares) in answers else None


BOARDS = Puzzle(
    name="boards",
    title="Chessboard",
    sees="a chessboard, which has eight rows",
    truth="the number of rows that are drawn: 7, 8 or 9",
    graded="smaller squares",
    question="How many rows of squares does the board in the image have, from top to bottom?",
    sample=Board,
    draw=_draw,
    **counting_puzzle(lambda board: 8),  # noqa: ARG005
    read=_read,
)
