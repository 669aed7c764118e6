"""A text cut into plain and marked parts, for the item browser."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from veridical.records import Json
from veridical.suite.passages import Passage

MOST = 400
"""Passages that are marked in one field of a reply, from its beginning."""


def marked(text: str, passages: Sequence[Passage]) -> Json:
    """The text as it is if no passage lies in it, else its parts in order: text, or a pair of text and titles.

    The parts joined are the text. Where passages overlap, their titles stand together; ends outside are cut off. A part
    of a shade has it as a third; "bad" counts where shades overlap.

    >>> marked("maybe six", [Passage("text", 0, 5, "Hedging")])
    [['maybe', 'Hedging'], ' six']
    >>> marked("no, six", [Passage("text", 0, 2, "Wrong", "bad")])
    [['no', 'Wrong', 'bad'], ', six']
    """
    inside = sorted(
        (max(each.start, 0), min(each.end, len(text)), each.title, each.shade)
        for each in passages
        if max(each.start, 0) < min(each.end, len(text))
    )[:MOST]
    if not inside:
        return text
    parts: list[Json] = []
    cuts = sorted({0, len(text), *(start for start, *_ in inside), *(end for _, end, *_ in inside)})
    over: list[tuple[int, int, str, str]] = []
    waiting = iter([*inside, (len(text) + 1, len(text) + 1, "", "")])
    following = next(waiting)
    for start, end in pairwise(cuts):
        while following[0] <= start:
            over.append(following)
            following = next(waiting)
        over = [each for each in over if each[1] > start]
        part = text[start:end]
        parts.append([part, *_words(over)] if over else part)
    return parts


def _words(over: Sequence[tuple[int, int, str, str]]) -> list[str]:
    """The titles of what covers a part, and its shade if it has one."""
    shades = {shade for *_, shade in over} - {""}
    return [", ".join(_once(title for _, _, title, _ in over)), *([min(shades)] if shades else [])]


def _once(titles: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(titles))
