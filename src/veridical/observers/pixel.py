"""An observer that perceives: it measures the picture and answers what it measured."""

from __future__ import annotations

from veridical.draw import decode_png
from veridical.observers.question import phrase, understood


def reply(picture: bytes, prompt: str) -> str:
    """The reply to a question about a PNG, from its pixels and the text alone.

    Of the cases that the question may belong to, the one whose `measure` reads the picture answers. Where none does,
    the reply says so and holds no answer.
    """
    try:
        pixels = decode_png(picture)
    except ValueError as error:
        return phrase(None, f"I cannot see the picture: {error}.")
    for case, forward in understood(prompt):
        measured = case.measure(pixels)
        if measured is not None:
            reasons = f"{case.title}: {case.factor.name} measures {measured.value:+.2f} {case.factor.unit}."
            return phrase(case.is_same(measured) == forward, reasons)
    return phrase(None, "I find no figure in the picture that this question asks about.")
