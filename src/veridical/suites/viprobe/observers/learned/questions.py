"""The questions that the learned observers know: each text that the suite asks, with a number for the network."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veridical.suites.viprobe.illusions import CASES, Case
from veridical.suites.viprobe.observers.question import Form, understood

FORMS: tuple[Form, ...] = ("forward", "reversed", "comparison")
TOPICS = tuple(dict.fromkeys(case.question for case in CASES.values()))
"""What may be asked about: cases whose question is in the same words are one topic."""
_READINGS = list(dict.fromkeys(case.read for case in CASES.values()))
KINDS = len(_READINGS)
"""Kinds of targets: cases that are read from pixels in the same way have the same kind. As a kind, KINDS is no kind."""


class Asked(NamedTuple):
    """A question: its template in the words of the suite, and the answers where the network's output is high or low."""

    text: str
    high: str
    low: str


def topic(case: Case) -> int:
    """The number of the topic of the case."""
    return TOPICS.index(case.question)


def kind(case: Case) -> int:
    """The number of the case's kind of targets."""
    return _READINGS.index(case.read)


def text(case: Case, form: Form) -> str | None:
    """The template of a question, or `None` where the case has none of that form."""
    if form == "comparison":
        return case.comparison.question if case.comparison else None
    return case.question if form == "forward" else case.question_reversed


def numbered() -> dict[str, int]:
    """The number of each text, from 0 up; cases that ask in the same words have the same number."""
    found: dict[str, int] = {}
    for case in CASES.values():
        for place, form in enumerate(FORMS):
            words = text(case, form)
            if words is not None:
                found.setdefault(words, topic(case) * len(FORMS) + place)
    return found


def numbers() -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """The number of the question by topic and form, shape (topics, forms); −1 where there is none."""
    table, known = np.full((len(TOPICS), len(FORMS)), -1), numbered()
    for case in CASES.values():
        for place, form in enumerate(FORMS):
            table[topic(case), place] = known.get(text(case, form) or "", -1)
    return table


def asked(prompt: str) -> Asked | None:
    """The question in a prompt, or `None` where the suite asks no such question.

    >>> asked("Which of the two grey discs is lighter, the left or the right one?")
    Asked(text='Which of the two grey discs is lighter, the left or the right one?', high='left', low='right')
    """
    found = understood(prompt)
    if not found:
        return None
    case, form = found[0]
    if form == "comparison" and case.comparison:
        return Asked(case.comparison.question, case.comparison.positive, case.comparison.negative)
    return Asked(text(case, form) or "", "1", "0")
