"""Matching a question to illusion cases and to its form."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from veridical.suites.viprobe.illusions import CASES, Case

Form = Literal["forward", "reversed", "comparison"]


class Understood(NamedTuple):
    """A case that a question may belong to, and the form of the question."""

    case: Case
    form: Form


class _Pattern(NamedTuple):
    understood: Understood
    literal: int
    pattern: re.Pattern[str]


@lru_cache(maxsize=1024)
def understood(prompt: str) -> tuple[Understood, ...]:
    """The cases whose question is in the prompt, those first whose template matches most of it literally.

    A match inside a longer match is ignored.

    >>> [(case.name, form) for case, form in understood("Are the two horizontal red lines equally long?")][0]
    ('muller_lyer', 'forward')
    """
    matches = [(match.span(), each) for each in _patterns() if (match := each.pattern.search(prompt))]
    spans = [span for span, _ in matches]
    outermost = [
        (span[1] - span[0] - each.literal, each.understood)
        for span, each in matches
        if not any(start <= span[0] and span[1] <= end and (start, end) != span for start, end in spans)
    ]
    return tuple(each for _, each in sorted(outermost, key=lambda pair: (pair[0], pair[1].case.novel)))


def phrase(answer: str | None, reasons: str) -> str:
    """A reply in the suite's answer format; without an answer it has no answer tag."""
    text = f"<reasons>{reasons}</reasons>"
    return text if answer is None else f"{text}\n<answer>{answer}</answer>"


@lru_cache(maxsize=1)
def _patterns() -> tuple[_Pattern, ...]:
    return tuple(_pattern(case, form, text) for case in CASES.values() for form, text in _questions(case).items())


def _questions(case: Case) -> dict[Form, str]:
    questions: dict[Form, str] = {"forward": case.question, "reversed": case.question_reversed}
    return questions | {"comparison": case.comparison.question} if case.comparison else questions


def _pattern(case: Case, form: Form, template: str) -> _Pattern:
    """A template as a pattern: each field matches a few words or a number."""
    parts = re.split(r"\{\w+\}", template)
    pattern = r"[\w.-]+(?: [\w.-]+){0,3}?".join(map(re.escape, parts))
    return _Pattern(Understood(case, form), sum(map(len, parts)), re.compile(rf"(?<!\w){pattern}"))
