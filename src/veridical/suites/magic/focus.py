"""MagiScore: precision, recall and F1 of the boxes that a rationale mentions, against the relevant ones.

The paper's section 4.1 counts boxes, not mentions: a box counts once, however often it is mentioned. Two things that it
leaves open are decided here. A question whose rationale mentions no box is one of `Silent`: "zero" (its precision and
F1 are 0) or "undefined" (they have no value, and their means are over the other questions); its recall is 0 both ways.
A question that has no relevant box has no recall, and no F1 where none is mentioned either.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple

Silent = Literal["zero", "undefined"]
"""How a question counts whose rationale mentions no box."""


class Focus(NamedTuple):
    """Boxes of a question, or of several: mentioned and relevant, mentioned but not relevant, relevant but left out."""

    tp: int
    fp: int
    fn: int


class Scores(NamedTuple):
    """Precision, recall and F1, each 0 to 1, or `None` where it is not defined."""

    precision: float | None
    recall: float | None
    f1: float | None


def focus_of(mentioned: Iterable[int], relevant: Collection[int], boxes: int) -> Focus:
    """The counts of a question with boxes 1 to `boxes`; numbers beyond them are left out.

    >>> focus_of([1, 2, 2, 9], [1, 3], boxes=4)
    Focus(tp=1, fp=1, fn=1)
    """
    named = {number for number in mentioned if 1 <= number <= boxes}
    true = set(relevant)
    return Focus(len(named & true), len(named - true), len(true - named))


def scores(focus: Focus, silent: Silent = "zero") -> Scores:
    """The scores of a question, or of counts that are summed.

    Three of four relevant boxes and one other are mentioned: precision 3/4, recall 3/4.

    >>> scores(Focus(tp=3, fp=1, fn=1))
    Scores(precision=0.75, recall=0.75, f1=0.75)
    >>> scores(Focus(tp=0, fp=0, fn=2)), scores(Focus(tp=0, fp=0, fn=2), "undefined")
    (Scores(precision=0.0, recall=0.0, f1=0.0), Scores(precision=None, recall=0.0, f1=None))
    """
    mentioned, relevant = focus.tp + focus.fp, focus.tp + focus.fn
    recall = focus.tp / relevant if relevant else None
    if not mentioned:
        nothing = 0.0 if silent == "zero" else None
        return Scores(nothing, recall, nothing if relevant else None)
    return Scores(focus.tp / mentioned, recall, 2 * focus.tp / (mentioned + relevant))
