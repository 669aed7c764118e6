"""The questions that the learned observers know: which topic of the suite it is, and in which form it is asked."""

from __future__ import annotations

from typing import NamedTuple

from veridical.observers.question import Form, understood
from veridical.stimuli.illusions import CASES, Case

FORMS: tuple[Form, ...] = ("forward", "reversed", "comparison")
TOPICS = tuple(dict.fromkeys(case.question for case in CASES.values()))
"""What may be asked about: cases whose question is in the same words are one topic."""
_MEASURES = list(dict.fromkeys(case.measure for case in CASES.values()))
KINDS = len(_MEASURES)
"""Kinds of targets: cases that are read from pixels in the same way have the same kind. As a kind, KINDS is no kind."""


class Asked(NamedTuple):
    """A question: its topic in the words of the suite, its form, and the answers where the output is high, or low."""

    topic: str
    form: int
    high: str
    low: str


def topic(case: Case) -> int:
    """The number of the topic of the case."""
    return TOPICS.index(case.question)


def kind(case: Case) -> int:
    """The number of the case's kind of targets."""
    return _MEASURES.index(case.measure)


def asked(prompt: str) -> Asked | None:
    """The question in a prompt, or `None` where the suite asks no such question.

    >>> asked("Which of the two grey discs is lighter, the left or the right one?")
    Asked(topic='Do both grey discs have the same shade?', form=2, high='left', low='right')
    """
    found = understood(prompt)
    if not found:
        return None
    case, form = found[0]
    high, low = ("1", "0")
    if form == "comparison" and case.comparison:
        high, low = case.comparison.positive, case.comparison.negative
    return Asked(case.question, FORMS.index(form), high, low)
