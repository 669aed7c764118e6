"""The options of a question: the possible answers and "Not Sure", in an order that depends on the unit alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from veridical.suite.nuisances import shuffled
from veridical.suites.viabench.puzzles.puzzle import NO, NOT_SURE, YES

_NOT_SURE = frozenset(("notsure", "imnotsure", "iamnotsure", "unsure", "uncertain"))
Kind = Literal["gold", "usual", "opposite", "near", "unsure", "other"]


def options_of(answers: Sequence[str], seed: int, unit: str) -> tuple[str, ...]:
    """The options in the order in which they are lettered: the same for all pictures of a unit.

    >>> sorted(options_of(["4", "5", "6"], 0, "hands/0000"))
    ['4', '5', '6', 'Not Sure']
    """
    return tuple(shuffled([*sorted(answers), NOT_SURE], seed, f"{unit}/options"))


def is_not_sure(option: str) -> bool:
    """Whether an option leaves the question open, however a release spells that.

    >>> is_not_sure("Not sure."), is_not_sure("I'm not sure"), is_not_sure("sure")
    (True, True, False)
    """
    return re.sub(r"[\W_]", "", option).casefold() in _NOT_SURE


def kind_of(option: str, gold: str, usual: str | None) -> Kind:
    """What kind of choice an option is: the true one, the usual one, one beside the truth, …

    >>> kind_of("5", "6", "5"), kind_of("7", "6", "5"), kind_of("Not Sure", "6", "5")
    ('usual', 'near', 'unsure')
    """
    if option in (gold, usual) or is_not_sure(option):
        return "gold" if option == gold else "unsure" if is_not_sure(option) else "usual"
    if {option, gold} == {YES, NO}:
        return "opposite"
    near = _numbers(option), _numbers(gold)
    if near[0] and len(near[0]) == len(near[1]) and max(abs(a - b) for a, b in zip(*near, strict=True)) <= 1:
        return "near"
    return "other"


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"[0-9]{1,4}", text)]
