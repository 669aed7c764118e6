"""Text of the records as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from veridical.base import markdown

_BAR = re.compile(r"(?<!\\)\|")
_MARKUP = re.compile(r"([\\`*_\[\]{}<>|#])")


def plain(text: str) -> str:
    """Text that Markdown shows as it stands, on one line.

    >>> plain("|O − P| < *1*")
    '\\\\|O − P\\\\| \\\\< \\\\*1\\\\*'
    """
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def code(text: str) -> str:
    """Text as code; nothing of empty text.

    >>> code("|O − P|"), code("")
    ('`|O − P|`', '')
    """
    return f"`{text}`" if text else ""


def codes(names: Iterable[str]) -> str:
    """Names as code, with commas between."""
    return ", ".join(map(code, names))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table without the columns that are empty in all rows; nothing without rows. Bars in cells are escaped.

    >>> table(["a", "b"], [["`|α|`", ""]])
    '| a |\\n| --- |\\n| `\\\\|α\\\\|` |'
    """
    kept = [[_BAR.sub(r"\|", cell) for cell in row] for row in rows]
    columns = [at for at in range(len(head)) if any(row[at] for row in kept)]
    if not columns:
        return ""
    return markdown.table([head[at] for at in columns], [[row[at] for at in columns] for row in kept])


def page(*parts: str) -> str:
    """The parts that are not empty as a page, with empty lines between."""
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"
