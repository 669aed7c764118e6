"""An observer that perceives: it measures the picture and reports the measurement."""

from __future__ import annotations

from functools import lru_cache

from veridical.media.draw import decode_png
from veridical.suites.viprobe.illusions.case import Case, Measurement
from veridical.suites.viprobe.observers.question import Form, phrase, understood


def reply(picture: bytes, prompt: str) -> str:
    """The reply to a question about a PNG, from its pixels and the text alone.

    The answer comes from the first case matching the question whose `measure` reads the picture. A comparison is
    answered by the sign of the measurement, however small. If no case reads the picture, the reply says so and has no
    answer.
    """
    candidates = understood(prompt)
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
