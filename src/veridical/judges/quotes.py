"""Hostile text in a judge's prompt: quoted line by line between marks that the text cannot contain."""

from __future__ import annotations

import re
import unicodedata
from hashlib import sha256

_BREAKS = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_KEPT = frozenset("\t\n")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f")
"""Letters and marks that are drawn as nothing."""
_MARK = 12


def quote_block(name: str, text: str) -> str:
    """A text as a block that a judge reads as material: every line prefixed, between marks with a hash of the text.

    All line breaks of Unicode become line feeds, so no line escapes its prefix. Characters that are not visible
    (controls, zero-width and bidirectional marks, private and unassigned ones) are spelled out as `[U+200B]`. The
    marks hold a hash of the name and the text, so a text that contains its own end mark cannot be written. An empty
    text is a block without lines.

    >>> print(quote_block("reply", "red\\nend of reply"))
    [reply 687c6c928f2a, 2 lines]
    | red
    | end of reply
    [end of reply 687c6c928f2a]
    """
    lines = [] if not text else [_visible(line) for line in _BREAKS.split(text)]
    mark = sha256(f"{name}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()[:_MARK]
    count = f"{len(lines):,} line{'' if len(lines) == 1 else 's'}"
    return "\n".join([f"[{name} {mark}, {count}]", *(f"| {line}" for line in lines), f"[end of {name} {mark}]"])


def _visible(line: str) -> str:
    if line.isascii() and line.isprintable():
        return line
    return "".join(sign if _is_visible(sign) else f"[U+{ord(sign):04X}]" for sign in line)


def _is_visible(sign: str) -> bool:
    return sign in _KEPT or (unicodedata.category(sign) not in _HIDDEN and sign not in _FILLERS)
