"""Understanding a question: which illusion cases it may belong to, and in which polarity it is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from veridical.stimuli.illusions import CASES, Case


def understood(prompt: str) -> Iterator[tuple[Case, bool]]:
    """The cases whose question stands in the prompt, each with whether it is the forward question.

    >>> [(case.name, forward) for case, forward in understood("Are the two horizontal lines equally long?")]
    [('muller_lyer', True)]
    """
    for case in CASES.values():
        for template, forward in ((case.question, True), (case.question_reversed, False)):
            if _pattern(template).search(prompt):
                yield case, forward


def phrase(answer: bool | None, reasons: str) -> str:
    """A reply in the suite's answer format; without an answer there is no answer tag."""
    said = f"<reasons>{reasons}</reasons>"
    return said if answer is None else f"{said}\n<answer>{int(answer)}</answer>"


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{\w+\\\}", r"\\w+", re.escape(template)))
