"""MagiScore: precision, recall and F1 of the boxes that a rationale mentions, against the relevant ones.

The paper's section 4.1 counts boxes, not mentions: a box counts once, however often it is mentioned. Two things that it
leaves open are decided here. A question whose rationale mentions no box is one of `Silent`: "zero" (its precision and
F1 are 0) or "undefined" (they have no value, and their means are over the other questions); its recall is 0 both ways.
Micro scores sum the counts of all questions, those without a mention included. A question that has no relevant box has
no recall, and no F1 where none is mentioned either. Macro F1 is the mean of the questions' F1, not the F1 of the means.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
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


def micro(questions: Iterable[Focus], silent: Silent = "zero") -> Scores:
    """The scores of the summed counts; `silent` matters where no question has a mention.

    >>> two = [Focus(tp=1, fp=0, fn=1), Focus(tp=2, fp=2, fn=0)]
    >>> micro(two)
    Scores(precision=0.6, recall=0.75, f1=0.6666666666666666)
    """
    return scores(summed(questions), silent)


def macro(questions: Iterable[Focus], silent: Silent = "zero") -> Scores:
    """The mean of each score over the questions where it is defined; `None` where it is defined for none.

    By hand: one question has precision 1 and recall 1/2, so F1 2/3; one has 1/2 and 1, so F1 2/3; one has no mention
    of its single relevant box.

    >>> three = [Focus(tp=1, fp=0, fn=1), Focus(tp=2, fp=2, fn=0), Focus(tp=0, fp=0, fn=1)]
    >>> [round(value, 3) for value in macro(three)]
    [0.5, 0.5, 0.444]
    >>> [round(value, 3) for value in macro(three, "undefined")]
    [0.75, 0.5, 0.667]
    """
    return _averaged([scores(focus, silent) for focus in questions])


def summed(questions: Iterable[Focus]) -> Focus:
    """The sum of the counts.

    >>> summed([Focus(tp=1, fp=0, fn=1), Focus(tp=2, fp=2, fn=0)])
    Focus(tp=3, fp=2, fn=1)
    """
    tp = fp = fn = 0
    for focus in questions:
        tp, fp, fn = tp + focus.tp, fp + focus.fp, fn + focus.fn
    return Focus(tp, fp, fn)


def all_boxes(boxes: int, relevant: int) -> Scores:
    """The scores of mentioning every box of a question. Raises `ValueError` for more relevant boxes than boxes.

    >>> all_boxes(boxes=5, relevant=2)
    Scores(precision=0.4, recall=1.0, f1=0.5714285714285714)
    """
    return random_boxes(boxes, relevant, boxes)


def random_boxes(boxes: int, relevant: int, mentioned: int, silent: Silent = "zero") -> Scores:
    """The expected scores of mentioning so many boxes of a question, each selection of that size equally likely.

    The expected number of relevant ones is mentioned x relevant / boxes, and each score is a multiple of it. Raises
    `ValueError` where boxes are fewer than those that are relevant or mentioned.

    Two of four boxes, two of them relevant, hit 0, 1 or 2 relevant ones with probabilities 1/6, 4/6 and 1/6:

    >>> random_boxes(boxes=4, relevant=2, mentioned=2)
    Scores(precision=0.5, recall=0.5, f1=0.5)
    """
    if not 0 <= relevant <= boxes or not 0 <= mentioned <= boxes:
        raise ValueError(f"{relevant} relevant and {mentioned} mentioned boxes: 0 to {boxes} are allowed")
    if not mentioned:
        return scores(Focus(0, 0, relevant), silent)
    hits = mentioned * relevant / boxes
    return Scores(hits / mentioned, hits / relevant if relevant else None, 2 * hits / (mentioned + relevant))


def chance(questions: Iterable[tuple[int, int, int]], silent: Silent = "zero") -> Scores:
    """The macro scores of chance over questions as (boxes, relevant, mentioned): each mentions as many, at random.

    >>> chance([(4, 2, 2), (4, 1, 4)])
    Scores(precision=0.375, recall=0.75, f1=0.45)
    """
    return _averaged([random_boxes(*question, silent) for question in questions])


def _averaged(each: Sequence[Scores]) -> Scores:
    columns = list(zip(*each, strict=True)) or [(), (), ()]
    return Scores(*(_mean([own for own in column if own is not None]) for column in columns))


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
