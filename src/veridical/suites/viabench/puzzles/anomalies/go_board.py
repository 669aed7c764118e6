"""A Go board with a line too few or too many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridical.media.draw import Disc, Item
from veridical.media.draw.scene import Colour
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import Nuisances
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

_LINES = 19
_MARGIN = 0.04
_WOODS: tuple[Colour, ...] = ((226, 184, 116), (214, 166, 98), (236, 204, 148), (204, 160, 104), (222, 190, 136))
_INK: Colour = (48, 32, 22)
_STONES: tuple[tuple[Colour, Colour], ...] = (((40, 40, 46), (112, 112, 122)), ((240, 240, 236), (255, 255, 255)))
"""Black and white stones, with their gloss."""


class GoBoard(RuledBoard):
    """The nuisances of a Go board; of each picture, `stones` has how many stones lie on it."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        super().__init__(nuisances, ((390, 405), (375, 392), (358, 378))[grade - 1])
        self.stones = tuple(nuisances.one_of(range(4, 13)) * grade for _ in self.views)


def _draw(board: GoBoard, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ARG001 (the answer has one variant)
    rows, k, wood = int(answer) - 1, int(answer) - _LINES + 1, _WOODS[board.wood]
    area = ruled_area(board, k, _LINES - 1, rows, _MARGIN)
    ink, dot = mix_colors(_INK, wood, 0.3 * board.views[k].faint), 2.4 * line_width(board, k)
    items = area.lines(line_width(board, k), ink)
    items += [Disc(area.at(x, y), dot, ink) for x in (3, 9, 15) for y in (3, rows // 2, rows - 3)]
    items += _stones(board, k, area)
    picture = board_on_table(board, k, area, _MARGIN, wood, items)
    return (wood_grain(picture, wood, board.strewn[k]),)


def _stones(board: GoBoard, k: int, area: RuledArea) -> list[Item]:
    """Stones in turn black and white on crossings, around a few places of the board."""
    chance = np.random.default_rng(board.strewn[k])
    places = chance.uniform(3, 15, (3, 2))
    crossings = np.clip(np.rint(chance.normal(places[chance.integers(3, size=board.stones[k])], 2.4)), 0, area.rows)
    items: list[Item] = []
    radius = 0.47 * min(area.wide, area.tall)
    for turn, (column, row) in enumerate(dict.fromkeys(map(tuple, crossings.astype(int).tolist()))):
        (x, y), (color, gloss) = area.at(min(column, area.columns), row), _STONES[turn % 2]
        items += [Disc((x + 0.12 * radius, y + 0.16 * radius), radius, mix_colors(_INK, (90, 70, 50), 0.5))]
        items += [Disc((x, y), radius, color), Disc((x - 0.3 * radius, y - 0.34 * radius), 0.3 * radius, gloss)]
    return items


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The number of lines that run through the board from side to side."""
    return possible_answer(line_count(pictures[0]), answers)


GO_BOARD = Puzzle(
    name="go_board",
    title="Go board",
    sees="a Go board, which has nineteen lines from side to side",
    truth="the number of horizontal lines that are drawn: 18, 19 or 20",
    graded="a smaller board with more stones",
    question="How many horizontal lines does the Go board in the image have?",
    sample=GoBoard,
    subject=lambda board: "Go board",  # noqa: ARG005
    draw=_draw,
    prior="an ordinary Go board",
    **counting_puzzle(lambda board: _LINES),  # noqa: ARG005
    read=_read,
)
