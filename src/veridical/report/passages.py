"""A text cut into plain and marked parts, and regions of a picture, for the item browser."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from veridical.records import Json, Stimulus, Trial
from veridical.suite.results import Passage, Region

MOST = 400
"""Passages that are marked in one field of a reply, from its beginning."""

KEY = "regions"
"""Where a stimulus's truth, or what a trial expects, holds its regions."""


def mark_passages(text: str, passages: Sequence[Passage]) -> Json:
    """The text as it is if no passage lies in it, else its parts in order: text, or a pair of text and titles.

    The parts joined are the text. Where passages overlap, their titles stand together; ends outside are cut off. A part
    of a shade has it as a third; "bad" counts where shades overlap.

    >>> mark_passages("maybe six", [Passage("text", 0, 5, "Hedging")])
    [['maybe', 'Hedging'], ' six']
    >>> mark_passages("no, six", [Passage("text", 0, 2, "Wrong", "bad")])
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
    titles = ", ".join(dict.fromkeys(title for _, _, title, _ in over))
    return [titles, min(shades)] if shades else [titles]


def regions_of(
    stimulus: Stimulus | None, trial: Trial | None, of_suite: Callable[[Stimulus], Sequence[Region]] = lambda _: ()
) -> list[list[Json]]:
    """Name, x0, y0, x1, y1 of each region, in pixels of the first picture; empty where there are none.

    Those of the suite have a title and a shade as well. Where it has none, they stand under `regions` in the stimulus's
    truth, else in what the trial expects, as a list of boxes (named R1 to Rn) or as boxes by name.
    """
    drawn = of_suite(stimulus) if stimulus is not None else ()
    if drawn:
        return [[each.name, *each.box, each.title, each.shade] for each in drawn if _is_box(list(each.box))]
    holders = [stimulus.truth if stimulus is not None else {}, trial.expects if trial is not None else {}]
    return next((boxes for holder in holders if (boxes := named_boxes(holder.get(KEY)))), [])


def named_boxes(value: Json) -> list[list[Json]]:
    """Boxes with their names; what is no box is left out.

    >>> named_boxes([[0, 0, 4, 8], "no box"]), named_boxes({"hat": [1, 2.5, 3, 4]}), named_boxes(3)
    ([['R1', 0, 0, 4, 8]], [['hat', 1, 2.5, 3, 4]], [])
    """
    if isinstance(value, Mapping):
        pairs = [(str(name), box) for name, box in value.items()]
    elif isinstance(value, list | tuple):
        pairs = [(f"R{number}", box) for number, box in enumerate(value, 1)]
    else:
        return []
    return [[name, *box] for name, box in pairs if _is_box(box)]


def _is_box(value: Json) -> bool:
    if not isinstance(value, list | tuple) or len(value) != 4:
        return False
    if not all(type(side) in (int, float) and math.isfinite(side) for side in value):
        return False
    x0, y0, x1, y1 = value
    return bool(x0 < x1 and y0 < y1)
