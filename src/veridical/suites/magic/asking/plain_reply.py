"""A reply in plain signs, with and without its dressing."""

from __future__ import annotations

import re
from typing import NamedTuple

from veridical.answers.plain_text import fold_signs, strip_dressing

_BULLET = re.compile(r"(?:[-*•] )+")
_DOTS = re.compile(r"(?<=[0-9])\s?\.\.\s?(?=R ?[0-9])", re.IGNORECASE)
"""The dots of a range of boxes, "R1..R4", which end no sentence."""
_AROUND = {('"', '"'), ("'", "'"), ("[", "]"), ("(", ")")}


class PlainReply(NamedTuple):
    """A reply with folded signs, and the same with each sign of dressing as a space: positions mean the same."""

    text: str
    bare: str

    @classmethod
    def of(cls, text: str) -> PlainReply:
        """A text in plain signs; what is no Unicode in it is a question mark."""
        plain = fold_signs(text.encode("utf-8", "replace").decode()).replace("\\_", "_")
        plain = _DOTS.sub("-", plain)
        return cls(plain, strip_dressing(plain))

    def until(self, end: int) -> PlainReply:
        """The beginning of it."""
        return PlainReply(self.text[:end], self.bare[:end])

    def clean(self, start: int = 0, end: int | None = None) -> str:
        """A stretch without dressing; where a tag was, a space stands.

        >>> PlainReply.of("The **mug**.").clean(4)
        'mug.'
        """
        text, bare = self.text[start:end], self.bare[start:end]
        if text == bare:
            return text
        pairs = zip(text, bare, strict=True)
        kept = (each if not plain.isspace() or each.isspace() else " " if each == ">" else "" for each, plain in pairs)
        return "".join(kept)


def tidy(text: str) -> str:
    """A text on one line, without bullets before it, and without quotation marks and brackets around it.

    >>> tidy(' - "The  mug\\n is red." ')
    'The mug is red.'
    """
    line = " ".join(text.split()).strip("| ")
    line = line[match.end() :] if (match := _BULLET.match(line)) else line
    while len(line) > 1 and (line[0], line[-1]) in _AROUND:
        line = line[1:-1].strip()
    return line
