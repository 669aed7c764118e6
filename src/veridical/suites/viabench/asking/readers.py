"""Readers of replies: the option's letter, or a short answer in the model's own words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from veridical.answers import OPTION_LETTER, ParsedAnswer, Reader, Readers
from veridical.answers.reader import is_refusal, leave_unmarked
from veridical.answers.truncation import nothing_complete
from veridical.records import Json

CHOICE, OPEN = "choice", "open"
"""Forms of an answer, and the families of their readers."""

_STATED = re.compile(
    r"""\banswer[*_`]{0,3}\s{0,3}[:\uff1a][*_`\s]{0,4}["']?
        (?:[\[(]\s{0,2}(?:(?P<held>[A-Z])(?:[.:]\s[^\]\n]{1,200})?\s{0,2}[\])]|(?P<several>[A-Z]\s{0,2}(?:[/,&+]|or\b|and\b)))
        |(?P<bare>[A-Z])(?=[*_`"']{0,4}(?:\s{0,3}\Z|\s{0,3}[.,:;?!)\](/&+\n]|,?\s(?:because|since|or|and)\b|\s[-\u2013\u2014=]\s))
        )""",
    re.IGNORECASE | re.VERBOSE,
)
_ANOTHER = re.compile(
    r"[*_`\"'\])]{0,4}\s{0,3}(?:[/&+,]|or\b|and\b)[,\s]{0,3}(?:(?i:no|wait|or|and)\b[,\s]{0,3})?[*_`]{0,3}"
    r"(?:[\[(]\s?[A-Za-z]\s?[\])]|(?:[B-HJ-Z]|A(?!\s[a-z]))(?![A-Za-z']))"
)
_TAKEN_BACK = re.compile(r"[*_`\"'\])]{0,4}\s{0,3}(?:\?|is\s(?:wrong|incorrect|not)\b)")
_NO_CHOICE = re.compile(
    r"\b(?:wrong|incorrect|not|possible|usual|obvious|expected|tempting)\s(?:the\s|my\s|an\s)?\Z", re.IGNORECASE
)


def stated_letter(text: str) -> str | None:
    """The letter in the last `Answer: [X]` of a text, the form that the prompt asks for; `None` without one.

    The brackets may be missing where the letter stands alone. A question and a letter that is called wrong do not
    count; two letters in the last such place are none.

    >>> stated_letter("Answer: [B]? No: six. Answer: [c]"), stated_letter("It is B.")
    ('C', None)
    >>> stated_letter("Answer: [A/B]"), stated_letter("Answer: a hand with six fingers")
    (None, None)
    """
    return _last(text)[1]


def final_answer(text: str) -> int:
    """Where the last `Answer: [X]` of a text begins; its length without one.

    >>> final_answer("It is six. Answer: [B]"), final_answer("six")
    (11, 3)
    """
    return _last(text)[0]


def _last(text: str) -> tuple[int, str | None]:
    """Where the last place that states a letter begins, and the letter: `None` for two."""
    last: tuple[int, str | None] = (len(text), None)
    for match in _STATED.finditer(text):
        if _NO_CHOICE.search(text[max(0, match.start() - 30) : match.start()]) or _TAKEN_BACK.match(text, match.end()):
            continue
        several = match["several"] or _ANOTHER.match(text, match.end())
        last = match.start(), None if several else (match["held"] or match["bare"]).upper()
    return last


def _match(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:
    letter = stated_letter(text)
    if letter is None:
        return ParsedAnswer(None, "no 'Answer: [X]'")
    if ord(letter) - ord("A") >= len(expects["options"]):
        return ParsedAnswer(None, f"there is no option {letter}")
    return ParsedAnswer(letter)


MATCH = Reader(name="strict", version="3", parse=_match)
"""Reads the letter in the last `Answer: [X]` of a reply, and nothing else."""


def _in_words(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:  # noqa: ARG001 (nothing is expected)
    if not text.strip() or is_refusal(text):
        return ParsedAnswer(None, "the reply is empty or declines")
    return ParsedAnswer(" ".join(text.split()))


IN_WORDS = Reader(name="in-words", version="2", parse=_in_words, mark=leave_unmarked, complete=nothing_complete)
"""Takes a reply as it is, unless it declines; whether it is right, a judge says."""

READERS: Readers = {CHOICE: (OPTION_LETTER, MATCH), OPEN: (IN_WORDS,)}
