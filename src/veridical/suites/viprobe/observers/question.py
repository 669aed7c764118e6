"""Understanding a question: which illusion cases it may belong to, and in which form it is asked."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from veridical.suites.viprobe.illusions import CASES, Case

Form = Literal["forward", "reversed", "comparison"]


class Understood(NamedTuple):
    """A case that a question may belong to, and the form in which it is asked."""

    case: Case
    form: Form


class _Pattern(NamedTuple):
    understood: Understood
    literal: int
    pattern: re.Pattern[str]


@lru_cache(maxsize=1024)
def understood(prompt: str) -> tuple[Understood, ...]:
    """The cases whose question stands in the prompt, those first whose template says most of it in its own words.

    A question that stands inside a longer one which is understood is not the one asked.

    >>> [(case.name, form) for case, form in understood("Are the two horizontal red lines equally long?")][0]
    ('muller_lyer', 'forward')
    """
    found = [(match.span(), each) for each in _patterns() if (match := each.pattern.search(prompt))]
    spans = [span for span, _ in found]
    asked = [
        (span[1] - span[0] - each.literal, each.understood)
        for span, each in found
        if not any(start <= span[0] and span[1] <= end and (start, end) != span for start, end in spans)
    ]
    return tuple(each for _, each in sorted(asked, key=lambda pair: (pair[0], pair[1].case.novel)))


def phrase(answer: str | None, reasons: str) -> str:
    """A reply in the suite's answer format; without an answer there is no answer tag."""
    said = f"<reasons>{reasons}</reasons>"
    return said if answer is None else f"{said}\n<answer>{answer}</answer>"


@lru_cache(maxsize=1)
def _patterns() -> tuple[_Pattern, ...]:
    return tuple(_pattern(case, form, text) for case in CASES.values() for form, text in _questions(case).items())


def _questions(case: Case) -> dict[Form, str]:
    asked: dict[Form, str] = {"forward": case.question, "reversed": case.question_reversed}
    return asked | {"comparison": case.comparison.question} if case.comparison else asked


def _pattern(case: Case, form: Form, template: str) -> _Pattern:
    """A template as a pattern: each field may be a few words, or a number."""
    parts = re.split(r"\{\w+\}", template)
    pattern = r"[\w.-]+(?: [\w.-]+){0,3}?".join(map(re.escape, parts))
    return _Pattern(Understood(case, form), sum(map(len, parts)), re.compile(rf"(?<!\w){pattern}"))
