"""A checkers board set up for a game, with a piece too few or too many on one side."""

from __future__ import annotations

import math
from collections.abc import Sequence

from veridical.media.draw import Disc, Item, Ring
from veridical.media.draw.scene import Colour
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import Nuisances
from veridical.suites.viabench.puzzles.anomalies.outline import marks
from veridical.suites.viabench.puzzles.anomalies.ruled_boards import RuledArea, RuledBoard, board_on_table, ruled_area
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, counting_puzzle, possible_answer

_SQUARES, _MEN, _ROWS = 8, 12, 3
_MARGIN = 0.05
_WOODS: tuple[tuple[Colour, Colour, Colour], ...] = (
    ((236, 214, 178), (150, 98, 62), (92, 58, 38)),
    ((226, 230, 214), (92, 122, 86), (58, 66, 54)),
    ((222, 218, 210), (116, 120, 128), (60, 62, 70)),
    ((244, 228, 196), (188, 130, 78), (108, 70, 42)),
    ((232, 214, 204), (150, 72, 62), (84, 40, 38)),
)
"""Light squares, dark squares, and the rim."""
_LIGHT: tuple[Colour, ...] = ((252, 244, 222), (250, 238, 240), (240, 246, 252))
_DARK: tuple[Colour, ...] = ((58, 44, 40), (42, 46, 60), (112, 26, 30))


class DraughtsBoard(RuledBoard):
    """The nuisances of a board: whether the light side plays upward, and, of each picture, which square is changed."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        super().__init__(nuisances, ((385, 400), (365, 385), (340, 365))[grade - 1])
        self.below = nuisances.one_of((False, True))
        self.light, self.dark = nuisances.one_of(range(len(_LIGHT))), nuisances.one_of(range(len(_DARK)))
        self.which = tuple(nuisances.scatter() for _ in self.views)
        self.other = tuple(nuisances.one_of((-1, 0, 1)) for _ in self.views)


def _squares(more: int, which: int) -> list[tuple[int, int]]:
    """Columns and rows of a side's pieces, counted from its own edge: twelve, one less, or one in the next row."""
    own = [(column, row) for row in range(_ROWS) for column in range(_SQUARES) if (row + column) % 2]
    if more < 0:
        return [each for place, each in enumerate(own) if place != which % _MEN]
    following = [column for column in range(_SQUARES) if (_ROWS + column) % 2]
    return [*own, (following[which % len(following)], _ROWS)] if more > 0 else own


def _draw(board: DraughtsBoard, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ARG001 (the answer has one variant)
    more, k = int(answer) - _MEN, int(answer) - _MEN + 1
    light, dark, rim = _WOODS[board.wood]
    area = ruled_area(board, k, _SQUARES, _SQUARES, _MARGIN)
    items: list[Item] = [area.box(0, light)]
    items += [area.field(x, y, dark) for y in range(_SQUARES) for x in range(_SQUARES) if (x + y) % 2 == 0]
    for count, color, below in (
        (more, _LIGHT[board.light], board.below),
        (board.other[k], _DARK[board.dark], not board.below),
    ):
        for column, row in _squares(count, board.which[k] >> (4 * below)):
            place = (column, _SQUARES - 1 - row) if below else (_SQUARES - 1 - column, row)
            items += _man(area, place, color, board.views[k].thick)
    return (board_on_table(board, k, area, _MARGIN, rim, items),)


def _man(area: RuledArea, place: tuple[int, int], color: Colour, thick: float) -> list[Item]:
    """A piece with a groove, whose top alone has exactly its color."""
    x, y = area.at(place[0] + 0.5, place[1] + 0.5)
    radius = 0.4 * min(area.wide, area.tall) * math.sqrt(thick)
    side, groove = mix_colors(color, (96, 76, 62), 0.4), mix_colors(color, (120, 104, 92), 0.5)
    return [
        Disc((x + 0.1 * radius, y + 0.16 * radius), radius, (34, 26, 24)),
        Disc((x, y), radius, side),
        Disc((x - 0.02 * radius, y - 0.04 * radius), 0.9 * radius, mix_colors(color, side, 0.35)),
        Disc((x, y), 0.6 * radius, color),
        Ring((x, y), 0.62 * radius, 0.1 * radius, groove),
    ]


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The number of patches in the color of the light pieces' tops."""
    return possible_answer(max(marks(pictures[0], light, 0.0002) for light in _LIGHT), answers)


DRAUGHTS = Puzzle(
    name="draughts",
    title="Checkers pieces",
    sees="a checkers board set up for a game, on which each side has twelve pieces",
    truth="the number of light pieces that are drawn: 11, 12 or 13",
    graded="a smaller board",
    question="A checkers board is set up for a game. How many light pieces stand on the board in the image?",
    sample=DraughtsBoard,
    subject=lambda board: "checkers",  # noqa: ARG005
    draw=_draw,
    prior="a board of English draughts, or checkers, that is set up for a game as usual",
    **counting_puzzle(lambda board: _MEN),  # noqa: ARG005
    read=_read,
)
