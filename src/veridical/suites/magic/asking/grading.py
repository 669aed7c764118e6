"""The marking pass: final answers in short and in full, by a model or by rule."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from veridical.judges import Rubric, marking, readers
from veridical.judges.rubric import REPLY, Shown
from veridical.judges.verdict import JudgeVerdict
from veridical.records import Json, Stimulus, canonical
from veridical.suite.stages import AskingOptions
from veridical.suites.magic.asking.rationale import split
from veridical.suites.magic.asking.rules import AnswerRuling, full_ruling, short_ruling
from veridical.suites.magic.asking.trials import DEFAULTS, SETTINGS, applies

GRADING = "grading"
SHORT_ANSWER, FULL_ANSWER = "short", "full"
_FOLDER = Path(__file__).parent.parent / "rubrics"
_LAST = 3
"""How many sentences at the end of the reasoning may hold what the answer leaves out."""
_NO_RULE = "there is no drawn scene by which a rule could tell; name a model as the judge"


class ShortVerdict(JudgeVerdict):
    """Whether the answer in the end means the true short answer."""

    reason: str
    right: bool


class FullVerdict(JudgeVerdict):
    """What a reply concludes, and whether that is the true answer with all that is essential."""

    conclusion: str
    reason: str
    right: bool


def _short_by_rule(shown: Shown) -> Mapping[str, Json] | str:
    rule, conclusion = json.loads(shown["words"]), split(shown[REPLY])[1]
    if not rule:
        return _NO_RULE
    if conclusion is None:
        return "no final answer"
    return _verdict(short_ruling(rule, conclusion))


def _full_by_rule(shown: Shown) -> Mapping[str, Json] | str:
    rule = json.loads(shown["words"])
    steps, conclusion = split(shown[REPLY])
    if not rule:
        return _NO_RULE
    last = conclusion if conclusion is not None else steps[-1] if steps else ""
    verdict = _verdict(full_ruling(rule, last, shown["question"], "\n".join(steps[-_LAST:])))
    return verdict if isinstance(verdict, str) else {"conclusion": last, **verdict}


def _verdict(ruling: AnswerRuling) -> dict[str, Json] | str:
    return ruling.reason if ruling.right is None else {"reason": ruling.reason, "right": ruling.right}


SHORT = Rubric(
    name=SHORT_ANSWER,
    folder=_FOLDER,
    verdict=ShortVerdict,
    for_rule=("words",),
    rule=_short_by_rule,
    help="whether the final answer means the true short answer; synonyms and neighboring colors do",
)
FULL = Rubric(
    name=FULL_ANSWER,
    folder=_FOLDER,
    verdict=FullVerdict,
    for_rule=("words",),
    rule=_full_by_rule,
    help="whether the conclusion of a reply has all that is essential of the true full answer",
)
RUBRICS = (SHORT, FULL)
"""They see the question, the true answer and the reply; `words` are for the rule alone."""
VERDICTS = readers(RUBRICS)


def _short_facts(stimulus: Stimulus, row: Mapping[str, Json]) -> Shown | None:
    if stimulus.label is None or row["status"] != "answered":
        return None
    return {"question": stimulus.question, "gold": stimulus.truth["short"], "words": _words(stimulus)}


def _full_facts(stimulus: Stimulus, row: Mapping[str, Json]) -> Shown | None:  # noqa: ARG001 (any reply that is read)
    full = stimulus.truth["full"]
    return {"question": stimulus.question, "gold": full, "words": _words(stimulus)} if full else None


def _words(stimulus: Stimulus) -> str:
    rule = stimulus.truth["rule"]
    return canonical({**rule, "full": stimulus.truth["full"]} if rule else {})


def _at_most(stimuli: Sequence[Stimulus], asking: AskingOptions) -> int:
    levels = {**SETTINGS, **DEFAULTS, **asking.levels}
    shown = sum(applies(stimulus, view) for stimulus in stimuli if stimulus.label for view in levels["view"])
    return shown * len(levels["shots"])


GRADE = marking(
    "grade",
    "reason",
    RUBRICS,
    facts={SHORT_ANSWER: _short_facts, FULL_ANSWER: _full_facts},
    at_most=_at_most,
    setting=GRADING,
    judges=("answered", "unparsed"),
)
"""Short answers are marked where a final answer was read; full ones also where a judge has to find the conclusion."""
