"""The stage in which a judge finds the first wrong steps of a model's own reasoning."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import Field

from veridical.answers import parse_answer
from veridical.judges import Marking, Rubric, Verdict, marking
from veridical.judges.rubric import REPLY
from veridical.records import Json, Stimulus, Trial, canonical
from veridical.suite.asking import Asking, AtMost
from veridical.suite.evidence import Evidence
from veridical.suites.magic.asking.readers import parts_of
from veridical.suites.magic.healing.first_wrong import MOST_STEPS, first_wrong
from veridical.suites.magic.regions.rule import drawing_rule

SETTING = "checking"
NOT_STATED = "not stated"


class FirstWrong(Verdict):
    """The first stretch of wrong steps, counted from 1, and what is so instead; 0 where no step is wrong."""

    justification: str
    first: int = Field(ge=0, le=MOST_STEPS)
    last: int = Field(ge=0, le=MOST_STEPS)
    correction: str


STEPS_RUBRIC = Rubric(
    name="steps",
    folder=Path(__file__).parent.parent / "rubrics",
    verdict=FirstWrong,
    sees=("question", "gold", REPLY),
    for_rule=("facts",),
    rule=first_wrong,
    help="which steps of a reply go wrong first, and what is so instead",
)


def checking(view: str, own: str, usual: Sequence[str]) -> Marking:
    """The stage "steps" about the replies in a view, for runs that ask for prefixes of the model's own."""

    def facts(stimulus: Stimulus, row: Mapping[str, Json]) -> Mapping[str, str] | None:
        steps = steps_of(row["answer"])
        if json.loads(row["settings"])["view"] != view or not steps:
            return None
        known = {"steps": steps, "graph": stimulus.truth["graph"], "relevant": stimulus.truth["relevant"]}
        numbered = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))
        gold = stimulus.truth.get("full") or stimulus.label or NOT_STATED
        return {"question": stimulus.question, "gold": gold, "facts": canonical(known), REPLY: numbered}

    def wanted(asking: Asking) -> bool:
        return own in asking.levels.get("prefix", usual)

    stage = marking("steps", "reason", (STEPS_RUBRIC,), facts=facts, at_most=_each, setting=SETTING)

    def trials(stimuli: Sequence[Stimulus], asking: Asking, evidence: Evidence) -> Iterator[Trial]:
        by_id = {stimulus.id: stimulus for stimulus in stimuli}
        for trial in stage.trials(stimuli, asking, evidence) if wanted(asking) else ():
            picture = asking.derived(by_id[trial.stimulus], drawing_rule(view))
            shown = replace(trial.messages[0], parts=(*picture, *trial.messages[0].parts))
            yield replace(trial, messages=(shown,))

    def at_most(stimuli: Sequence[Stimulus], asking: Asking) -> AtMost:
        assert stage.at_most is not None
        return stage.at_most(stimuli if wanted(asking) else (), asking)

    return replace(stage, settings=(SETTING, "prefix"), trials=trials, at_most=at_most)


def _each(stimuli: Sequence[Stimulus], asking: Asking) -> int:
    return len(stimuli) * ("all-boxes" in asking.levels.get("view", ("all-boxes",)))


def steps_of(answer: str) -> list[str]:
    """The steps of a reply that was read."""
    return parts_of(answer)[1]


def stretch_of(answer: str, steps: int) -> tuple[int, int, str]:
    """The first and last wrong step by a verdict on so many steps, and the correction; 0 where none is wrong.

    A verdict that names a step which does not exist names none.
    """
    verdict = parse_answer(answer, FirstWrong)
    if not 1 <= verdict.first <= steps:
        return 0, 0, ""
    return verdict.first, min(max(verdict.last, verdict.first), steps), verdict.correction.strip()
