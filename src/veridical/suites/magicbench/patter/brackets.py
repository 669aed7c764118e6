"""Templates whose parts in brackets may be left out, so that a text can be made as long as another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

BREATH = "|"
_INNERMOST = re.compile(r"\[([^\[\]]*)\]")


def expanded(template: str) -> Iterator[str]:
    """All texts of a template, with each part in brackets and without it, each text once.

    >>> sorted(expanded("Watch[ very[, very]] closely."))
    ['Watch closely.', 'Watch very closely.', 'Watch very, very closely.']
    """
    pieces: list[str] = []
    while match := _INNERMOST.search(template):
        pieces.append(match[1])
        template = template[: match.start()] + f"<{len(pieces) - 1}>" + template[match.end() :]
    seen = set()
    for kept in product((False, True), repeat=len(pieces)):
        text = template
        for index in reversed(range(len(pieces))):
            text = text.replace(f"<{index}>", pieces[index] if kept[index] else "")
        if text not in seen:
            seen.add(text)
            yield text


def breaths(text: str) -> list[str]:
    """What is spoken in one breath each, tidied: single spaces, each sentence begins with a capital letter.

    >>> breaths("watch closely. | now,  | and now!")
    ['Watch closely.', 'Now,', 'and now!']
    """
    text = " ".join(text.split())
    text = re.sub(r"((?:^|[.!?])[ |]*)([a-z])", lambda match: match[1] + match[2].upper(), text)
    return [part for each in text.split(BREATH) if (part := each.strip())]


def length(rows: list[str]) -> tuple[int, int]:
    """How long the rows are: in words, and in characters.

    >>> length(["Watch closely,", "please."])
    (3, 21)
    """
    return sum(len(row.split()) for row in rows), sum(map(len, rows))
