"""An observer that recalls: it ignores the picture and gives the textbook answer on the classic figure."""

from __future__ import annotations

from veridical.suites.viprobe.observers.question import phrase, understood


def reply(prompt: str) -> str:
    """The reply to a question from its text alone: classic figures count as unchanged, whatever they look like.

    The textbook has no novel figures, and the text of a comparison does not tell which target looks larger. If nothing
    can be recalled, the reply says so and has no answer.

    >>> reply("Do the two horizontal red lines have different lengths?").splitlines()[-1]
    '<answer>0</answer>'
    """
    for case, form in understood(prompt)[:1]:
        if form == "comparison":
            return phrase(None, f"This is the {case.title} illusion, but I would have to see which side it favors.")
        if not case.novel:
            answer = case.answer(same=form == "forward")
            return phrase(answer, f"This is the {case.title} illusion. {case.truth}")
    return phrase(None, "I recall no classic figure that this question is about.")
