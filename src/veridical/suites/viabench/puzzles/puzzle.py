"""What a puzzle is: one record with the pure functions that draw it and read its answer back."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Scene
from veridical.suite.nuisances import Nuisances, shuffle_items
from veridical.suites.viabench.options import Category

Pixels = NDArray[np.uint8]
Base = Any
"""The nuisances of a unit: each puzzle has a `BaseItem` of its own."""
Variant = Literal["unusual", "ordinary"]
VARIANTS: tuple[Variant, Variant] = ("unusual", "ordinary")
"""The illusion or anomaly, and its ordinary counterpart."""
GRADES = (1, 2, 3)
"""Difficulty, from easy to hard."""
NOT_SURE = "Not Sure"
YES, NO = "Yes", "No"
Capability = Literal[
    "counting", "color", "size and length", "shape and orientation", "fine detail", "motion", "space and depth"
]
"""What a puzzle asks for; a list of our own after the paper's Appendix B."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A family of pictures that share a question.

    `sample` draws the nuisances of a unit at a grade of difficulty: a `BaseItem` whose attributes may stand in the
    question's braces. `answers` has the possible answers of a unit, each of which gets a picture; "Not Sure" is added
    when the question is asked, and is never right. `variants` tells which variants show an answer: most puzzles show
    each answer both as an illusion and plainly, while a hand of five fingers is ordinary, and one of six is not. `draw`
    has the pictures of a unit with an answer, so many as `pictures` says. `usual` is the answer that common sense or
    the illusion suggests: `None` where there is none.

    `subject` names the familiar thing that is shown, as it may be written below it: `None` where nothing is familiar.

    `read` gets the pictures of a stimulus and the possible answers, and returns the answer that they show, `None` on
    pictures of another kind. Where pixels do not carry the answer, `read` is absent and `counted` reads it, while the
    picture is made, from a drawing of the same unit in which each object has a color of its own.

    `prior` names what the image would show as usual, for a question without a picture about what a model expects; where
    it is empty, the figure is named by its title; `None` where only the picture tells what is usual.

    A yes-no puzzle, which `answers` makes it by default, has `question_reversed`, whose true answer is the opposite.
    `tells_by_text` marks a puzzle whose question alone gives the answer away, because an answer has no variant that
    shows it; no proof rests on it.
    """

    name: str
    title: str
    category: Category
    capability: Capability
    sees: str
    truth: str
    source: str
    graded: str
    question: str
    question_reversed: str = ""
    sample: Callable[[Nuisances, int], Base]
    answers: Callable[[Base], tuple[str, ...]] = lambda base: (YES, NO)  # noqa: ARG005 (always the same two)
    draw: Callable[[Base, str, Variant], tuple[Scene | Pixels, ...]]
    pictures: int = 1
    usual: Callable[[Base, str, Variant], str | None] = lambda base, answer, variant: None  # noqa: ARG005
    prior: str | None = ""
    subject: Callable[[Base], str] | None = None
    variants: Callable[[Base, str], tuple[Variant, ...]] = lambda base, answer: VARIANTS  # noqa: ARG005
    read: Callable[[Sequence[Pixels], Sequence[str]], str | None] | None = None
    counted: Callable[[Base, str, Variant], str | None] | None = None
    unreadable: str = ""
    tells_by_text: bool = False

    def __post_init__(self) -> None:
        if (self.read is None) != bool(self.unreadable) or (self.read is None and self.counted is None):
            raise ValueError(f"puzzle {self.name}: it needs `read`, or `counted` and why its pixels are unreadable")


def anomaly(norm: Callable[[Base], str]) -> dict[str, Any]:
    """The `variants` and `usual` of a puzzle with one ordinary answer, which common sense always suggests."""
    return {
        "variants": lambda base, answer: ("ordinary",) if answer == norm(base) else ("unusual",),
        "usual": lambda base, answer, variant: norm(base),  # noqa: ARG005
    }


def counting_puzzle(
    norm: Callable[[Base], int], answers: Callable[[Base], tuple[str, ...]] | None = None
) -> dict[str, Any]:
    """What puzzles share about a number that common sense knows: without `answers`, one less or more is possible."""
    return {
        "category": "anomalies",
        "capability": "counting",
        "source": "ours, after the paper's Appendix A: what violates a common-sense prior",
        "answers": answers or (lambda base: tuple(str(norm(base) + more) for more in (-1, 0, 1))),
        **anomaly(lambda base: str(norm(base))),
    }


def illusion(seems: str) -> Callable[[Base, str, Variant], str | None]:
    """The `usual` of a puzzle whose illusion suggests an answer, and whose ordinary counterpart none."""
    return lambda base, answer, variant: seems if variant == "unusual" else None  # noqa: ARG005


def misleading_figure(along: Callable[[Base], bool]) -> Callable[[Base, str, Variant], str | None]:
    """The `usual` of a figure that makes what is equal look unequal, unless a true difference goes against it."""
    return lambda base, answer, variant: NO if variant == "unusual" and (answer == YES or along(base)) else None


def yes_if(holds: bool) -> str:
    """The answer "Yes" or "No"."""
    return YES if holds else NO


def possible_answer(count: int, answers: Sequence[str]) -> str | None:
    """A number as an answer, `None` where it is not among the answers.

    >>> possible_answer(4, ["4", "5"]), possible_answer(6, ["4", "5"])
    ('4', None)
    """
    return str(count) if str(count) in answers else None


def opposite(answer: str) -> str:
    """The other of "Yes" and "No"."""
    return NO if answer == YES else YES


_NOT_SURE = frozenset(("notsure", "imnotsure", "iamnotsure", "unsure", "uncertain"))
Kind = Literal["gold", "usual", "opposite", "near", "unsure", "other"]


def options_of(answers: Sequence[str], seed: int, unit: str) -> tuple[str, ...]:
    """The options in the order in which they are lettered: the same for all pictures of a unit.

    >>> sorted(options_of(["4", "5", "6"], 0, "hands/0000"))
    ['4', '5', '6', 'Not Sure']
    """
    return tuple(shuffle_items([*sorted(answers), NOT_SURE], seed, f"{unit}/options"))


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
