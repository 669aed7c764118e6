"""The sentences of a line, by the rules of English."""

from __future__ import annotations

import re
from collections.abc import Iterator

_JOINED = re.compile(
    r"(?<=\b[Nn]o\.)\s{1,9}(?=[A-Z])"
    r"|(?<=[a-z0-9]\.)\s{0,9}(?=(?:I|It|In|The|There|This|That|These|Next|Then|So|Therefore|Thus|Now)\b)"
)
"""Where a sentence ends after all: a "no" is no abbreviation of "number", and a space may be missing."""


def segments(line: str) -> Iterator[str]:
    """The sentences of a line, without the space around them.

    >>> list(segments("So the answer is no. I conclude that R1 shows it.The lamp is red."))
    ['So the answer is no.', 'I conclude that R1 shows it.', 'The lamp is red.']
    """
    from sentencex import segment

    for sentence in segment("en", line) if line.strip() else ():
        yield from (part.strip() for part in _JOINED.split(sentence) if part.strip())
