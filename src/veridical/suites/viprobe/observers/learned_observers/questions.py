"""The questions of the suite, with the numbers by which the networks know them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veridical.suites.viprobe.illusions import CASES, Case
from veridical.suites.viprobe.observers.question import Form, match_questions

FORMS: tuple[Form, ...] = ("forward", "reversed", "comparison")
TOPICS = tuple(dict.fromkeys(case.question for case in CASES.values()))
"""Topics of questions: cases with the same question text share one."""
_READINGS = list(dict.fromkeys(case.read for case in CASES.values()))
KINDS = len(_READINGS)
"""Number of kinds of targets: cases measured from pixels in the same way share one. The value KINDS means none."""


class CaseQuestion(NamedTuple):
    """A question: its template in the suite's words, and the answers for a high and a low output of the network."""

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
    """The template of a question, or `None` if the case has none of that form."""
    if form == "comparison":
        return case.comparison.question if case.comparison else None
    return case.question if form == "forward" else case.question_reversed


def number_texts() -> dict[str, int]:
    """The number of each text, from 0; cases with the same text share a number."""
    by_text: dict[str, int] = {}
    for case in CASES.values():
        for place, form in enumerate(FORMS):
            words = text(case, form)
            if words is not None:
                by_text.setdefault(words, topic(case) * len(FORMS) + place)
    return by_text


def numbers() -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """The number of the question by topic and form, shape (topics, forms); −1 for none."""
    table, by_text = np.full((len(TOPICS), len(FORMS)), -1), number_texts()
    for case in CASES.values():
        for place, form in enumerate(FORMS):
            table[topic(case), place] = by_text.get(text(case, form) or "", -1)
    return table


def question_in(prompt: str) -> CaseQuestion | None:
    """The question in a prompt, or `None` if the suite has no such question.

    >>> question_in("Which of the two grey discs is lighter, the left or the right one?")
    CaseQuestion(text='Which of the two grey discs is lighter, the left or the right one?', high='left', low='right')
    """
    matches = match_questions(prompt)
    if not matches:
        return None
    case, form = matches[0]
    if form == "comparison" and case.comparison:
        return CaseQuestion(case.comparison.question, case.comparison.positive, case.comparison.negative)
    return CaseQuestion(text(case, form) or "", "1", "0")
