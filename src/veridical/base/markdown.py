"""Markdown for the pages that the library writes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_MARKS = re.compile(r"([\\`*_\[\]<>|#~&])")


def plain(text: str) -> str:
    """A text of others in one line, in which nothing is a mark of Markdown or HTML.

    >>> plain("<b>CC</b>\\n# [mine](x)")
    '\\\\<b\\\\>CC\\\\</b\\\\> \\\\# \\\\[mine\\\\](x)'
    """
    return _MARKS.sub(r"\\\1", " ".join(text.split()))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; its cells are Markdown.

    >>> table(["a", "b"], [["1", "2"]])
    '| a | b |\\n| --- | --- |\\n| 1 | 2 |'
    """
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
