"""An observer that perceives: it measures the picture and answers what it measured."""

from __future__ import annotations

from functools import lru_cache

from veridical.draw import decode_png
from veridical.observers.question import Form, phrase, understood
from veridical.stimuli.illusions import CASES
from veridical.stimuli.illusions.case import Case, Measurement


def reply(picture: bytes, prompt: str) -> str:
    """The reply to a question about a PNG, from its pixels and the text alone.

    Of the cases that the question may belong to, the first whose `measure` reads the picture answers. Asked which
    target has more, it goes by the sign of what it measured, however small. Where no case reads the picture, the reply
    says so and holds no answer.
    """
    known = understood(prompt)
    try:
        found = _measured(picture, tuple(case.name for case, _ in known))
    except ValueError as error:
        return phrase(None, f"I cannot see the picture: {error}.")
    for case, form in known:
        if found and case.name == found[0]:
            reasons = f"{case.title}: {case.factor.name} measures {found[1].value:+.2f} {case.factor.unit}."
            return phrase(_answer(case, form, found[1]), reasons)
    return phrase(None, "I find no figure in the picture that this question asks about.")


@lru_cache(maxsize=64)
def _measured(picture: bytes, names: tuple[str, ...]) -> tuple[str, Measurement] | None:
    """Of these cases the first that reads the picture, and what it measures; kept, as one is asked about repeatedly."""
    pixels = decode_png(picture)
    for name in names:
        measured = CASES[name].measure(pixels)
        if measured is not None:
            return name, measured
    return None


def _answer(case: Case, form: Form, measured: Measurement) -> str:
    if form == "comparison" and case.comparison:
        return case.comparison.positive if measured.value > 0 else case.comparison.negative
    return case.answer(same=case.is_same(measured) == (form == "forward"))
