"""Matching a question to cases and its form, and the observers that answer by rule: one measures, one recalls."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from veridical.media.draw import decode_png
from veridical.suites.viprobe.illusions import CASES, Case
from veridical.suites.viprobe.illusions.case import Measurement

Form = Literal["forward", "reversed", "comparison"]


class QuestionMatch(NamedTuple):
    """A case that a question may belong to, and the form of the question."""

    case: Case
    form: Form


class _Pattern(NamedTuple):
    understood: QuestionMatch
    literal: int
    pattern: re.Pattern[str]


@lru_cache(maxsize=1024)
def match_questions(prompt: str) -> tuple[QuestionMatch, ...]:
    """The cases whose question is in the prompt, those first whose template matches most of it literally.

    A match inside a longer match is ignored.

    >>> [(case.name, form) for case, form in match_questions("Are the two horizontal red lines equally long?")][0]
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
    return _Pattern(QuestionMatch(case, form), sum(map(len, parts)), re.compile(rf"(?<!\w){pattern}"))


def pixel_reply(picture: bytes, prompt: str) -> str:
    """The reply to a question about a PNG, from its pixels and the text alone.

    The answer comes from the first case matching the question whose `measure` reads the picture. A comparison is
    answered by the sign of the measurement, however small. If no case reads the picture, the reply says so and has no
    answer.
    """
    candidates = match_questions(prompt)
    try:
        reading = _measured(picture, tuple(case for case, _ in candidates))
    except ValueError as error:
        return phrase(None, f"I cannot see the picture: {error}.")
    if reading is None:
        return phrase(None, "I do not find the figure of this question in the picture.")
    (case, form), measured = candidates[reading[0]], reading[1]
    reasons = f"{case.title}: {case.factor.name} measures {measured.value:+.2f} {case.factor.unit}."
    return phrase(_answer(case, form, measured), reasons)


@lru_cache(maxsize=64)
def _measured(picture: bytes, cases: tuple[Case, ...]) -> tuple[int, Measurement] | None:
    """The first of the cases that reads the picture, and its measurement; cached for further questions."""
    pixels = decode_png(picture)
    for place, case in enumerate(cases):
        measured = case.measure(pixels)
        if measured is not None:
            return place, measured
    return None


def _answer(case: Case, form: Form, measured: Measurement) -> str:
    if form == "comparison" and case.comparison:
        return case.comparison.positive if measured.value > 0 else case.comparison.negative
    return case.answer(same=case.is_same(measured) == (form == "forward"))


def prior_reply(prompt: str) -> str:
    """The reply to a question from its text alone: classic figures count as unchanged, whatever they look like.

    The textbook has no novel figures, and the text of a comparison does not tell which target looks larger. If nothing
    can be recalled, the reply says so and has no answer.

    >>> prior_reply("Do the two horizontal red lines have different lengths?").splitlines()[-1]
    '<answer>0</answer>'
    """
    for case, form in match_questions(prompt)[:1]:
        if form == "comparison":
            return phrase(None, f"This is the {case.title} illusion, but I would have to see which side it favors.")
        if not case.novel:
            answer = case.answer(same=form == "forward")
            return phrase(answer, f"This is the {case.title} illusion. {case.truth}")
    return phrase(None, "I recall no classic figure that this question is about.")
