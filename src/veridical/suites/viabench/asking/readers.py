"""Readers of replies: the option's letter, or a short answer in the model's own words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from veridical.answers import OPTION_LETTER, Marks, Read, Reader, Readers
from veridical.answers.reader import is_refusal
from veridical.records import Json, Trial

CHOICE, OPEN = "choice", "open"
"""Forms of an answer, and the families of their readers."""

_STATED = re.compile(
    r"\banswer\s{0,3}[:\uff1a]\s{0,3}[*_`\s]{0,4}[\[(]?\s{0,2}([A-Za-z])\s{0,2}[\])]?(?![A-Za-z])", re.IGNORECASE
)


def stated_letter(text: str) -> str | None:
    """The letter in the last `Answer: [X]` of a text, the form that the prompt asks for; `None` without one.

    >>> stated_letter("Answer: [B]? No: six. Answer: [c]"), stated_letter("It is B.")
    ('C', None)
    """
    letters = [found[1].upper() for found in _STATED.finditer(text)]
    return letters[-1] if letters else None


def final_answer(text: str) -> int:
    """Where the last `Answer: [X]` of a text begins; its length without one.

    >>> final_answer("It is six. Answer: [B]"), final_answer("six")
    (11, 3)
    """
    return max((found.start() for found in _STATED.finditer(text)), default=len(text))


def _match(text: str, expects: Mapping[str, Json]) -> Read:
    letter = stated_letter(text)
    if letter is None:
        return Read(None, "no 'Answer: [X]'")
    if ord(letter) - ord("A") >= len(expects["options"]):
        return Read(None, f"there is no option {letter}")
    return Read(letter)


def _unmarked(answer: str, trial: Trial) -> Marks:  # noqa: ARG001 (a judge marks it)
    return Marks(None)


MATCH = Reader(name="strict", version="1", parse=_match)
"""Reads the letter in the last `Answer: [X]` of a reply, and nothing else."""


def _in_words(text: str, expects: Mapping[str, Json]) -> Read:  # noqa: ARG001 (nothing is expected)
    if not text.strip() or is_refusal(text):
        return Read(None, "the reply is empty or declines")
    return Read(" ".join(text.split()))


IN_WORDS = Reader(
    name="in-words",
    version="1",
    parse=_in_words,
    mark=_unmarked,
)
"""Takes a reply as it is, unless it declines; whether it is right, a judge says."""

READERS: Readers = {CHOICE: (OPTION_LETTER, MATCH), OPEN: (IN_WORDS,)}
