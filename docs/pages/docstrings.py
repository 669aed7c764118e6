"""Docstrings, which mark code with single backticks as Markdown does, as the reStructuredText that autodoc takes."""

from __future__ import annotations

import re
from collections.abc import Sequence

_PIECES = re.compile(r"(`+)(.+?)\1")
_SPECIAL = re.compile(r"[\\*|]|(?<=\w)_(?!\w)")


def as_restructured_text(lines: Sequence[str]) -> list[str]:
    """The lines with code as literals, and every other character that reStructuredText would read as markup escaped.

    Examples stay as they are, up to the empty line that ends them.

    >>> as_restructured_text(["|α| of `Unit`, `a", "b` and x_", "", ">>> a * b", "|c|"])
    ['\\\\|α\\\\| of ``Unit``, ``a', 'b`` and x\\\\_', '', '>>> a * b', '|c|']
    """
    blocks: list[list[str]] = [[]]
    for line in lines:
        if not line.strip():
            blocks.append([])
        blocks[-1].append(line)
    return [line for block in blocks for line in _block(block)]


def _block(lines: Sequence[str]) -> list[str]:
    if any(line.lstrip().startswith(">>>") for line in lines[:2]):
        return list(lines)
    return _escaped("\n".join(lines)).split("\n") if lines else []


def _escaped(text: str) -> str:
    parts, end = [], 0
    for match in re.finditer(_PIECES.pattern, text, re.DOTALL):
        parts += [_SPECIAL.sub(r"\\\g<0>", text[end : match.start()]), f"``{match[2]}``"]
        end = match.end()
    return "".join([*parts, _SPECIAL.sub(r"\\\g<0>", text[end:])])
