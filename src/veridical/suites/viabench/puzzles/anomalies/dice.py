"""Dice with a pip too few or too many on the front face."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from veridical.media.draw import Disc, Item, Scene, rasterise
from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.anomalies.outline import Points, marks, polygon, smooth_line, to_pixels
from veridical.suites.viabench.puzzles.anomalies.views import views
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, counting_puzzle, possible_answer

_CORNERS: tuple[Point, ...] = ((-1, -1), (1, -1), (-1, 1), (1, 1))
_SIDES: tuple[Point, ...] = ((0, -1), (-1, 0), (1, 0), (0, 1))
_PATTERNS: dict[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: _CORNERS,
    5: (*_CORNERS, (0, 0)),
    6: (*_CORNERS, (-1, 0), (1, 0)),
}


def pattern(value: int, more: int = 0, which: int = 0) -> tuple[Point, ...]:
    """The places of pips in a square from -1 to 1: the pattern of a value from 1 to 6, less or plus one pip.

    `which`, from 0 to 3, chooses the corner that stays empty, or the side on which a pip is added. The middle is added
    to a six.

    >>> len(pattern(5)), len(pattern(5, -1)), len(pattern(6, 1))
    (5, 4, 7)
    """
    classic = _PATTERNS[value]
    if more < 0:
        return tuple(place for place in classic if place != _CORNERS[which])
    if more > 0:
        return (*classic, (0, 0) if value == 6 else _SIDES[which])
    return classic


_DICE: tuple[tuple[Colour, Colour], ...] = (
    ((246, 240, 226), (44, 40, 46)),
    ((196, 60, 56), (252, 246, 240)),
    ((52, 96, 152), (250, 248, 244)),
    ((56, 58, 66), (244, 242, 238)),
    ((86, 146, 108), (248, 250, 244)),
)
_TABLES: tuple[Colour, ...] = ((206, 222, 208), (226, 214, 194), (208, 216, 226), (224, 212, 220))
_BACK = (0.34, 0.26)
"""How far the back face lies to the right of and above the front one, in edges."""


class Die(BaseItem):
    """The nuisances of a die; `which` chooses the pip that is added or left out, `edge` is the die's in px."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.size = nuisances.size
        self.edge = nuisances.px(*((235, 265), (190, 225), (140, 180))[grade - 1])
        self.value = nuisances.one_of((4, 5, 6))
        self.which = nuisances.one_of(range(4))
        self.turn = nuisances.one_of(range(4))
        self.tilt = nuisances.between(-1, 1) * (6, 12, 18)[grade - 1]
        self.kind = nuisances.one_of(range(len(_DICE)))
        self.table = nuisances.one_of(range(len(_TABLES)))
        self.mirrored = nuisances.one_of((False, True))
        self.views = views(nuisances, 3)


def _draw(die: Die, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ARG001 (the answer has one variant)
    more = int(answer) - die.value
    view, (color, pip) = die.views[1 + more], _DICE[die.kind]
    edge, pip_size = view.near * die.edge, 0.086 * view.thick
    free = max(0.0, 0.5 * die.size - edge)
    center = 0.5 * die.size + view.x * free, 0.5 * die.size + view.y * free
    table, (dx, dy) = _TABLES[die.table], _BACK
    middle = np.array([0.5 + dx / 2, 0.5 + dy / 2])

    def put(points: Points) -> Points:
        return to_pixels(points - middle, edge, die.tilt, center, mirrored=die.mirrored)

    corners = np.array([(0, 0), (1, 0), (1 + dx, dy), (1 + dx, 1 + dy), (dx, 1 + dy), (0, 1)], float)
    front = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
    side = np.array([(1, 0), (1 + dx, dy), (1 + dx, 1 + dy), (1, 1)], float)
    light = mix_colors(color, (255, 255, 255), 0.4)
    dark = mix_colors(color, (20, 16, 24), 0.3)
    gray = mix_colors(table, (40, 40, 50), 0.22)
    shadow = np.array([(0.03, -0.06), (1.03, -0.06), (1.14 + dx, dy - 0.04), (1.12 + dx, 0.5), (0.03, 0.1)])
    items: list[Item] = [
        polygon(put(smooth_line(shadow, 0.02, 0.05)), gray),
        polygon(put(smooth_line(corners, 0.02, 0.045)), light),
        polygon(put(smooth_line(side, 0.02, 0.035)), dark),
        polygon(put(smooth_line(front, 0.02, 0.055)), color),
    ]
    turn = np.linspace(0, 2 * math.pi, 25)[:-1]
    ring = np.stack([np.cos(turn), np.sin(turn)], 1) * pip_size
    beside = [face for face in range(1, 7) if face not in (die.value, 7 - die.value)]
    top = beside[die.turn]
    right = [face for face in beside if face not in (top, 7 - top)][die.which % 2]
    for value, face, onto in ((top, light, _top), (right, dark, _right)):
        tone = mix_colors(pip, face, 0.3)
        items += [polygon(put(onto(ring + 0.5 + 0.27 * np.array(place))), tone) for place in pattern(value)]
    for place in pattern(die.value, more, die.which):
        x, y = put(np.array([place]) * 0.27 + 0.5)[0].tolist()
        items.append(Disc((x, y), pip_size * edge, pip))
    return (view.streaked(rasterise(Scene(die.size, die.size, table, tuple(items))), table, gray),)


def _top(points: Points) -> Points:
    return np.asarray(points @ np.array([[1, 0], [_BACK[0], _BACK[1]]]) + (0, 1), float)


def _right(points: Points) -> Points:
    return np.asarray(points @ np.array([[_BACK[0], _BACK[1]], [0, 1]]) + (1, 0), float)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The number of pips in the color that only those on the front face have."""
    count = max(marks(pictures[0], pip, 0.0002) for _, pip in _DICE)
    return possible_answer(count, answers)


DICE = Puzzle(
    name="dice",
    title="Die",
    sees="a die whose front face looks like a four, a five or a six",
    truth="the number of pips on the front face: that of the classic pattern, one less, or one more",
    graded="a smaller, more tilted die",
    question="How many pips does the front face of the die in the image have?",
    sample=Die,
    subject=lambda die: "die",  # noqa: ARG005
    draw=_draw,
    prior=None,
    **counting_puzzle(lambda die: die.value),
    read=_read,
)
