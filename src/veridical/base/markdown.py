"""Markdown of the pages that the library writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; the cells are Markdown themselves.

    >>> table(["a", "b"], [["1", "2"]])
    '| a | b |\\n| --- | --- |\\n| 1 | 2 |'
    """
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
