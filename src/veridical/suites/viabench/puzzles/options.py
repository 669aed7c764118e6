"""The options of a question: the possible answers and "Not Sure", in an order that depends on the unit alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from veridical.suite.nuisances import shuffled
from veridical.suites.viabench.puzzles.puzzle import NO, NOT_SURE, YES

Kind = Literal["gold", "usual", "opposite", "near", "unsure", "other"]


def options_of(answers: Sequence[str], seed: int, unit: str) -> tuple[str, ...]:
    """The options in the order in which they are lettered: the same for all pictures of a unit.

    >>> sorted(options_of(["4", "5", "6"], 0, "hands/0000"))
    ['4', '5', '6', 'Not Sure']
    """
    return tuple(shuffled([*sorted(answers), NOT_SURE], seed, f"{unit}/options"))


def kind_of(option: str, gold: str, usual: str | None) -> Kind:
    """What kind of choice an option is: the true one, the usual one, one beside the truth, …

    >>> kind_of("5", "6", "5"), kind_of("7", "6", "5"), kind_of("Not Sure", "6", "5")
    ('usual', 'near', 'unsure')
    """
    if option in (gold, NOT_SURE, usual):
        return "gold" if option == gold else "unsure" if option == NOT_SURE else "usual"
    if {option, gold} == {YES, NO}:
        return "opposite"
    near = _numbers(option), _numbers(gold)
    if near[0] and len(near[0]) == len(near[1]) and max(abs(a - b) for a, b in zip(*near, strict=True)) <= 1:
        return "near"
    return "other"


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"[0-9]{1,4}", text)]
