"""A chessboard with a row too few or too many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Rectangle, Scene, rasterise
from veridical.media.draw.scene import Colour
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.anomalies.views import streaks, views
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, counting_puzzle

_ROWS = ("7", "8", "9")
_TURN, _FRAME = 130, 250
"""How much neighboring squares differ, and the frame from the table, at least, in levels of three channels."""
_WOODS: tuple[tuple[Colour, Colour], ...] = (
    ((238, 216, 181), (150, 98, 62)),
    ((232, 235, 220), (96, 128, 88)),
    ((226, 222, 214), (92, 96, 106)),
    ((246, 232, 200), (190, 132, 78)),
    ((214, 184, 146), (112, 66, 46)),
    ((224, 230, 236), (112, 142, 168)),
    ((240, 224, 214), (140, 66, 58)),
)
_RIMS: tuple[Colour, ...] = ((84, 54, 36), (52, 48, 48), (116, 82, 52), (64, 74, 66))
_TABLES: tuple[Colour, ...] = ((246, 244, 240), (222, 230, 226), (228, 216, 200), (208, 216, 228))


class Board(BaseItem):
    """The nuisances of a board: its outline in px, whatever the number of rows, its place, and its woods.

    `views` has the distance of each picture, and `dark_first` whether the square in its upper left corner is dark.
    """

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.size = nuisances.size
        self.side = nuisances.px(*((41, 47), (36, 42), (30, 37))[grade - 1])
        self.stretch = nuisances.between(0.8, 1.18)
        self.edge = nuisances.between(0.1, 0.35)
        self.place = nuisances.between(0.2, 0.8), nuisances.between(0.2, 0.8)
        self.views = views(nuisances, len(_ROWS))
        self.dark_first = tuple(nuisances.one_of((False, True)) for _ in _ROWS)
        self.wood = nuisances.one_of(range(len(_WOODS)))
        self.rim = nuisances.one_of(range(len(_RIMS)))
        self.table = nuisances.one_of(range(len(_TABLES)))
        self.grain, self.table_grain = nuisances.between(0, 0.08), nuisances.between(0, 0.12)
        self.across, self.table_across = (nuisances.one_of((False, True)) for _ in range(2))
        self.veins = nuisances.scatter()


def _draw(board: Board, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ARG001 (the answer has one variant)
    light, dark = _WOODS[board.wood]
    rows, k = int(answer), _ROWS.index(answer)
    wide = 8 * board.side * board.views[k].near
    high = wide * board.stretch
    side, tall, edge = wide / 8, high / rows, board.edge * high / 9
    left, top = board.place[0] * (board.size - wide), board.place[1] * (board.size - high)
    right, bottom = left + wide, top + high
    frame = Rectangle(left - edge, top - edge, right + edge, bottom + edge, _RIMS[board.rim])
    squares = [
        Rectangle(left + column * side, top + row * tall, left + (column + 1) * side, top + (row + 1) * tall, dark)
        for row in range(rows)
        for column in range(8)
        if (row + column) % 2 != board.dark_first[k]
    ]
    ground = Rectangle(left, top, right, bottom, light)
    picture = rasterise(Scene(board.size, board.size, _TABLES[board.table], (frame, ground, *squares)))
    area = slice(round(top), round(bottom)), slice(round(left), round(right))
    shade = _veins(board, board.table_grain, 0, across=board.table_across)
    shade[area] = _veins(board, board.grain, 1, across=board.across)[area]
    return (np.rint(picture * shade[..., None]).astype(np.uint8),)


def _veins(board: Board, depth: float, more: int, *, across: bool) -> NDArray[np.float64]:
    """The light of veins that run through the whole picture, from side to side or from top to bottom."""
    light = np.broadcast_to(streaks(board.size, depth, depth, board.veins + more), (board.size, board.size))
    return (light.T if across else light).copy()


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The number of squares in the first column, from where the color changes down the board."""
    colors = pictures[0].astype(np.int16)
    drawn = np.abs(colors - colors[0, 0]).sum(2) > _FRAME
    rows, columns = np.flatnonzero(drawn.any(1)), np.flatnonzero(drawn.any(0))
    if len(columns) < colors.shape[1] // 4:
        return None
    column = colors[max(rows[0] - 2, 0) : rows[-1] + 3, columns[0] + (columns[-1] - columns[0]) // 12]
    turns = np.flatnonzero(np.abs(column[2:] - column[:-2]).sum(1) > _TURN)
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
    subject=lambda board: "chessboard",  # noqa: ARG005
    draw=_draw,
    prior="an ordinary chessboard",
    **counting_puzzle(lambda board: 8),  # noqa: ARG005
    read=_read,
)
