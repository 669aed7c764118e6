"""What readers make of a reply: its steps, the boxes that they mention, and its final answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial

from veridical.answers import Marks, ParsedAnswer, Reader, Readers
from veridical.answers.region_mentions import Mention, mentions
from veridical.answers.truncation import nothing_complete
from veridical.judges.rule_phrases import forms
from veridical.records import Json, Trial
from veridical.suites.magic.asking.rationale import split
from veridical.suites.magic.asking.rules import short_ruling
from veridical.suites.magic.focus import focus_of, scores
from veridical.suites.magic.language.exclusions import excluded_boxes
from veridical.suites.magic.steps import SCORES, step_scores

RATIONALE = "rationale"
WITHOUT_EXCLUDED = "without-excluded"
"""The reader that leaves out boxes which are named only to be excluded: `--reader without-excluded`."""
_BOXES, _MOST = 99, 10_000
_OR = re.compile(r" (?:and/)?or (?=[0-9]{1,2}\b)", re.IGNORECASE)
"""Before a bare number: "R1 or 2" mentions both boxes, as "R1 or R2" does."""

RANGES = {
    **dict.fromkeys(("tp", "fp", "fn", "mentioned"), (0.0, float(_BOXES))),
    **dict.fromkeys(("beyond", "steps"), (0.0, float(_MOST))),
    **dict.fromkeys(("precision", "recall", "f1"), (0.0, 1.0)),
    **SCORES,
}
"""The scores of a rationale: counts of boxes and steps, the question's precision, recall and F1, and those of `steps`.

A rationale without a mention has precision and F1 0 here; `veridical.suites.magic.focus` has the other reading.
"""


def answer_of(steps: Sequence[str], conclusion: str) -> str:
    """The canonical text of a reading: the conclusion, then each step with its number, a line each.

    >>> answer_of(["R1 shows a mug.", "It is red."], "red")
    'red\\n1 R1 shows a mug.\\n2 It is red.'
    """
    return "\n".join([conclusion, *(f"{number} {step}" for number, step in enumerate(steps, start=1))])


def parts_of(answer: str) -> tuple[str, list[str]]:
    """The conclusion and the steps of a canonical text.

    >>> parts_of("red\\n1 R1 shows a mug.\\n2 It is red.")
    ('red', ['R1 shows a mug.', 'It is red.'])
    """
    conclusion, *lines = answer.split("\n")
    return conclusion, [line.partition(" ")[2] for line in lines]


def mentioned_in(steps: Sequence[str], boxes: int, *, excluding: bool = False) -> tuple[list[list[int]], int]:
    """The boxes that each step mentions, ascending, and how often the steps mention a box that does not exist.

    With `excluding`, boxes that a step names only to exclude them are left out of that step.

    >>> mentioned_in(["R1-R3 are on a table.", "R2 is irrelevant.", "R7 is red."], boxes=4)
    ([[1, 2, 3], [2], []], 1)
    >>> mentioned_in(["It is in R1, 2 or 3."], boxes=4)
    ([[1, 2, 3]], 0)
    >>> mentioned_in(["R2 is irrelevant."], boxes=4, excluding=True)
    ([[]], 0)
    """
    of_steps, beyond = [], 0
    for written in steps:
        step = _OR.sub(" and ", written)
        named = [number for mention in mentions(step, False) for number in _numbers(step, mention)]
        aside = excluded_boxes(step) if excluding else frozenset()
        beyond += sum(not 1 <= number <= boxes for number in named)
        of_steps.append(sorted({number for number in named if 1 <= number <= boxes} - aside))
    return of_steps, beyond


def _numbers(step: str, mention: Mention) -> Sequence[int]:
    """The numbers of a mention; those of a range that runs backwards ("R3-R1") are those of the range."""
    if mention.numbers != (0,):
        return mention.numbers
    ends = [int(digits) for digits in re.findall("[0-9]{1,9}", step[mention.start : mention.end])]
    backwards = len(ends) == 2 and 1 <= ends[1] <= ends[0] <= _BOXES
    return range(ends[1], ends[0] + 1) if backwards else mention.numbers


def normalize_answer(text: str) -> tuple[str, ...]:
    """The words of a short answer without articles, case and endings, for an exact match.

    >>> normalize_answer("The Red mugs.") == normalize_answer("red mug")
    True
    """
    return tuple(forms(text)) or tuple(text.lower().split())


def is_right(conclusion: str, gold: str, rule: Mapping[str, Json] | None) -> bool:
    """Whether a conclusion is right: by the question's rule, else where it is the short answer, normalized.

    An answer of which the rule cannot tell is not right.
    """
    if rule is None:
        return normalize_answer(conclusion) == normalize_answer(gold)
    return bool(short_ruling(rule, conclusion).right)


def _read(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:  # noqa: ARG001 (a rationale is read without its question)
    steps, conclusion = split(text)
    if conclusion is None:
        return ParsedAnswer(None, "no final answer" if steps else "the reply is empty")
    return ParsedAnswer(answer_of(steps, conclusion))


def _mark(answer: str, trial: Trial, *, excluding: bool) -> Marks:
    """Whether the conclusion is right, and the scores; of boxes there are none where none are shown."""
    conclusion, steps = parts_of(answer)
    expects = trial.expects
    values: dict[str, float | None] = {"steps": min(len(steps), _MOST)}
    if expects.get("boxes"):
        values |= _focus(steps, expects, excluding=excluding)
        values |= step_scores(steps, expects["graph"], expects["relevant"], expects["boxes"])
    right = None if trial.gold is None else is_right(conclusion, trial.gold, expects.get("rule"))
    return Marks(right, {name: float(value) for name, value in values.items() if value is not None})


def _focus(steps: Sequence[str], expects: Mapping[str, Json], *, excluding: bool) -> dict[str, float | None]:
    boxes = expects["boxes"]
    of_steps, beyond = mentioned_in(steps, boxes, excluding=excluding)
    focus = focus_of({number for own in of_steps for number in own}, expects["relevant"], boxes)
    own = scores(focus)
    counts = {"tp": focus.tp, "fp": focus.fp, "fn": focus.fn, "mentioned": focus.tp + focus.fp}
    return {**counts, "beyond": min(beyond, _MOST), **own._asdict()}


def _reader(name: str, *, excluding: bool) -> Reader:
    mark = partial(_mark, excluding=excluding)
    return Reader(name=name, version="4", parse=_read, mark=mark, scores=RANGES, complete=nothing_complete)


READERS: Readers = {RATIONALE: (_reader(RATIONALE, excluding=False), _reader(WITHOUT_EXCLUDED, excluding=True))}
