"""An observer that perceives: it measures the picture and answers what it measured."""

from __future__ import annotations

from functools import lru_cache

from veridical.media.draw import decode_png
from veridical.suites.viprobe.illusions.case import Case, Measurement
from veridical.suites.viprobe.observers.question import Form, phrase, understood


def reply(picture: bytes, prompt: str) -> str:
    """The reply to a question about a PNG, from its pixels and the text alone.

    Of the cases that the question may belong to, the first whose `measure` reads the picture answers. Asked which
    target has more, it goes by the sign of what it measured, however small. Where no case reads the picture, the reply
    says so and holds no answer.
    """
    known = understood(prompt)
    try:
        found = _measured(picture, tuple(case for case, _ in known))
    except ValueError as error:
        return phrase(None, f"I cannot see the picture: {error}.")
    if found is None:
        return phrase(None, "I find no figure in the picture that this question asks about.")
    (case, form), measured = known[found[0]], found[1]
    reasons = f"{case.title}: {case.factor.name} measures {measured.value:+.2f} {case.factor.unit}."
    return phrase(_answer(case, form, measured), reasons)


@lru_cache(maxsize=64)
def _measured(picture: bytes, cases: tuple[Case, ...]) -> tuple[int, Measurement] | None:
    """Which of the cases is the first to read the picture, and its measurement; kept, for there may be more to ask."""
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
