"""An observer that recalls: it never looks, and answers what the textbook says of the classic figure."""

from __future__ import annotations

from veridical.observers.question import phrase, understood


def reply(prompt: str) -> str:
    """The reply to a question from its text alone: classic targets are equal whatever they look like.

    Where the question is about no classic figure, the reply says so and holds no answer.

    >>> reply("Do the two horizontal lines have different lengths?").splitlines()[-1]
    '<answer>0</answer>'
    """
    for case, forward in understood(prompt):
        return phrase(forward, f"This is the {case.title} illusion. {case.truth}")
    return phrase(None, "I recall no classic figure that this question is about.")
