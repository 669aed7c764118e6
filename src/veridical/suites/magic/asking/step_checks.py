"""The stage in which a judge finds the first wrong steps of a model's own reasoning."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import Field

from veridical.answers import parse_answer
from veridical.judges import JudgeVerdict, Marking, Rubric, marking
from veridical.judges.rubric import REPLY, Shown
from veridical.records import Json, Stimulus, Trial, canonical
from veridical.suite.evidence import Evidence
from veridical.suite.stages import AskingOptions, StageBounds
from veridical.suites.magic.asking.readers import parts_of
from veridical.suites.magic.claims import DISMISSED
from veridical.suites.magic.healing.continuation import NO_GRAPH
from veridical.suites.magic.regions.rule import drawing_rule
from veridical.suites.magic.steps import check_steps
from veridical.suites.magic.stimuli import StepClaim

SETTING = "checking"
NOT_STATED = "not stated"


MOST_STEPS = 99
"""The highest number of a step that a verdict may name."""


def first_wrong(shown: Shown) -> Mapping[str, Json] | str:
    """The verdict by the rubric "steps": the first stretch of steps that claim something false, and what is so."""
    facts: Mapping[str, Json] = json.loads(shown["facts"])
    if facts.get("graph") is None:
        return NO_GRAPH
    every = check_steps(facts["steps"], facts["graph"], facts["relevant"])
    if all(each.right is None for each in every):
        return "no step claims anything that a rule can check"
    first = next((number for number, each in enumerate(every, start=1) if each.right is False), 0)
    if first == 0 or first > MOST_STEPS:
        return {"justification": "no step that can be checked is wrong", "first": 0, "last": 0, "correction": ""}
    last = first
    while last < min(len(every), MOST_STEPS) and every[last].right is False:
        last += 1
    so = " ".join(truth_of(claim) for each in every[first - 1 : last] for claim in each.wrong)
    return {"justification": f"step {first} claims what is not so", "first": first, "last": last, "correction": so}


def truth_of(claim: StepClaim) -> str:
    """A sentence that says what is so where a claim is wrong.

    >>> truth_of({"kind": "color", "thing": "mug", "box": 3, "value": "green", "true": "red", "other": None})
    'The mug in R3 is red.'
    """
    thing = claim["thing"] + (f" in R{claim['box']}" if claim["box"] and claim["kind"] != "place" else "")
    if claim["kind"] == "place":
        return f"No box shows a {thing}." if claim["true"] == "none" else f"The {thing} is in {claim['true']}."
    if claim["kind"] == "relation":
        preposition = f"to the {claim['true']}" if claim["true"] in ("left of", "right of") else claim["true"]
        return f"The {thing} is {preposition} the {claim['other']}."
    return f"R{claim['box']} matters." if claim["kind"] == DISMISSED else f"The {thing} is {claim['true']}."


class FirstWrong(JudgeVerdict):
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


def step_check(view: str, own: str, usual: Sequence[str]) -> Marking:
    """The stage "steps" about the replies in a view, for runs that ask for prefixes of the model's own."""

    def facts(stimulus: Stimulus, row: Mapping[str, Json]) -> Mapping[str, str] | None:
        steps = steps_of(row["answer"])
        if json.loads(row["settings"])["view"] != view or not steps:
            return None
        known = {"steps": steps, "graph": stimulus.truth["graph"], "relevant": stimulus.truth["relevant"]}
        numbered = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))
        gold = stimulus.truth.get("full") or stimulus.label or NOT_STATED
        return {"question": stimulus.question, "gold": gold, "facts": canonical(known), REPLY: numbered}

    def wanted(asking: AskingOptions) -> bool:
        return own in asking.levels.get("prefix", usual)

    stage = marking("steps", "reason", (STEPS_RUBRIC,), facts=facts, at_most=_each, setting=SETTING)

    def trials(stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:
        by_id = {stimulus.id: stimulus for stimulus in stimuli}
        for trial in stage.trials(stimuli, asking, evidence) if wanted(asking) else ():
            picture = asking.derived(by_id[trial.stimulus], drawing_rule(view))
            shown = replace(trial.messages[0], parts=(*picture, *trial.messages[0].parts))
            yield replace(trial, messages=(shown,))

    def at_most(stimuli: Sequence[Stimulus], asking: AskingOptions) -> StageBounds:
        assert stage.at_most is not None
        return stage.at_most(stimuli if wanted(asking) else (), asking)

    return replace(stage, settings=(SETTING, "prefix"), trials=trials, at_most=at_most)


def _each(stimuli: Sequence[Stimulus], asking: AskingOptions) -> int:
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
