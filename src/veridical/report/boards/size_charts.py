"""Effects against the size of models: where dots, intervals and ticks stand, for a small chart per question."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from veridical.report.boards.board import BoardModel, ProfileBoard, QuestionKey
from veridical.report.profiles import StoredQuestion


class SizedDot(NamedTuple):
    """A model's effect: its place in the chart in percent from left and top, and the ends of its interval."""

    model: int
    name: str
    series: int
    x: float
    y: float
    low: float
    high: float


class SizeChart(NamedTuple):
    """A question's chart: dots, lines between models of a family, and ticks of both axes, all in percent."""

    question: StoredQuestion
    dots: list[SizedDot]
    lines: list[tuple[SizedDot, SizedDot]]
    sizes: list[tuple[float, str]]
    effects: list[tuple[float, str]]
    chance: float | None


_TICKS = (0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000)
_LEFT, _RIGHT, _TOP, _BOTTOM = 14.0, 96.0, 6.0, 84.0
SERIES = 5
"""How many families have a color of their own."""


def size_charts(board: ProfileBoard) -> list[SizeChart]:
    """A chart for each question on which two models of known and different size have an effect."""
    charts = (_chart(board, each) for each in board.questions)
    return [each for each in charts if each is not None]


def _chart(board: ProfileBoard, question: StoredQuestion) -> SizeChart | None:
    key = (question.suite, question.question)
    sized = [(place, each) for place, each in enumerate(board.models) if _has(each, key)]
    sizes = [each.size for _, each in sized if each.size]
    if len(set(sizes)) < 2:
        return None
    least, most = min(sizes), max(sizes)
    ends = [each.value if each.low is None else each.low for _, model in sized if (each := model.line(key)) is not None]
    low = -100.0 if any(each is not None and each < 0 for each in ends) else 0.0
    dots = [_dot(board, place, each, key, (least, most), low) for place, each in sized]
    ordered = sorted(dots, key=lambda dot: dot.x)
    families = {board.models[dot.model].family for dot in dots} - {""}
    lines = []
    for family in sorted(families):
        own = [dot for dot in ordered if board.models[dot.model].family == family]
        lines += list(pairwise(own))
    ticks = [each for each in _TICKS if least <= each <= most] or [least, most]
    effects = (-100, 0, 100) if low < 0 else (0, 50, 100)
    return SizeChart(
        question,
        dots,
        lines,
        [(_across(each, least, most), f"{each:g} B") for each in ticks],
        [(_down(each, low), f"{each}".replace("-", "−")) for each in effects],
        None if question.chance is None else _down(question.chance, low),
    )


def _has(model: BoardModel, key: QuestionKey) -> bool:
    line = model.line(key)
    return model.size is not None and line is not None and line.value is not None


def _dot(
    board: ProfileBoard, place: int, model: BoardModel, key: QuestionKey, sizes: tuple[float, float], low: float
) -> SizedDot:
    line = model.line(key)
    assert line is not None
    assert line.value is not None
    assert model.size is not None
    ends = [line.value if each is None else each for each in (line.low, line.high)]
    series = board.families.index(model.family) % SERIES if model.family else SERIES - 1
    x, y = _across(model.size, *sizes), _down(line.value, low)
    return SizedDot(place, model.name, series, x, y, *(_down(each, low) for each in ends))


def _across(size: float, least: float, most: float) -> float:
    """Where a size stands, in percent from the left; sizes are on a logarithmic scale.

    >>> [_across(each, 1, 100) for each in (1, 10, 100)]
    [14.0, 55.0, 96.0]
    """
    return round(_LEFT + (_RIGHT - _LEFT) * math.log(size / least) / math.log(most / least), 2)


def _down(points: float, low: float) -> float:
    """Where an effect stands, in percent from the top, on a scale from `low` to 100 points."""
    share = (min(max(points, low), 100.0) - low) / (100.0 - low)
    return round(_BOTTOM - (_BOTTOM - _TOP) * share, 2)


def ordered_models(models: Sequence[BoardModel]) -> list[tuple[int, BoardModel]]:
    """The models with their places on the board, by family and size; those without a family stand last."""
    return sorted(enumerate(models), key=lambda each: (not each[1].family, each[1].family, each[1].size or 0.0))
