"""Mistakes about one of our scenes beside what is so, in the same words, and the answer that follows from each.

Whether a step is mistaken is told by the picture alone: its words are the same but for one value, and the value of the
mistake is, wherever the question offers two, the other one of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from veridical.records import Json, Stimulus
from veridical.suites.magic.scenes.kinds import MATERIALS, PALETTE
from veridical.suites.magic.scenes.numbered_question import relation_words
from veridical.suites.magic.scenes.words import NO, YES, predicate, stuff
from veridical.suites.magic.stimuli import Chain, Step, StepClaim

_LOOKS: Mapping[str, Sequence[str]] = {"color": tuple(PALETTE), "material": MATERIALS}
_RELATIONS = ("verify-side", "verify-front", "choose-side", "choose-depth", "compare-side", "compare-depth")
_LOGICAL = ("logical-both", "logical-either", "logical-neither")
_NAMES_ANSWER = ("query-on", "query-beside", "query-outermost", "choose-thing")
"""Forms whose answer is a thing: a step that finds it tells the answer, whether it is mistaken or not."""
_TELLS_MORE = ("logical-and", "compare-color", "compare-material")
"""Forms of which a description tells more than one value, or less than the answer needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwinStep:
    """A step after others, as it is and mistaken, with the correction, and the answer that follows from the mistake.

    `kind` is that of the chain that the mistake is from. `follows` is `None` where the answer does not depend on it,
    and the right answer where it is right all the same. `claims` are those of the steps before, and of the right step.
    """

    kind: str
    before: tuple[str, ...]
    right: str
    mistaken: str
    correction: str
    follows: str | None
    claims: tuple[StepClaim, ...]


def twin_steps(stimulus: Stimulus) -> Iterator[TwinStep]:
    """The steps of a question's chains of which the words do not tell whether they are mistaken, by kind of mistake.

    Their words leave open what the answer is, too, for who does not know whether they are mistaken.
    """
    template = str(stimulus.factors["template"])
    chains: dict[str, Chain] = {chain["kind"]: chain for chain in stimulus.truth["chains"]}
    if template not in _NAMES_ANSWER and "region" in chains:
        yield _twin(stimulus, chains["region"], None)
    if template in _RELATIONS and "relation" in chains:
        step = chains["relation"]["steps"][-1]
        if _is_asked(stimulus, step["claims"][0]):
            yield _twin(stimulus, chains["relation"], step["claims"][0]["value"])
    describes = template not in (*_RELATIONS, *_NAMES_ANSWER, *_TELLS_MORE, "verify-on", "choose-holder")
    if describes and "description" in chains:
        claim = chains["description"]["steps"][-1]["claims"][0]
        yield _twin(stimulus, chains["description"], _value_against(stimulus, claim))


def _twin(stimulus: Stimulus, chain: Chain, value: str | None) -> TwinStep:
    """The last step of a chain as it is, and with another value than that (`None`: the one that it has)."""
    *before, last = chain["steps"]
    [claim] = last["claims"]
    mistake: StepClaim = {**claim, "value": value or claim["value"]}
    true: StepClaim = {**claim, "value": claim["true"], "box": _own_box(claim)}
    return TwinStep(
        kind=chain["kind"],
        before=tuple(step["text"] for step in before),
        right=_restated(last["text"], claim, true),
        mistaken=_restated(last["text"], claim, mistake),
        correction=_corrected(last, claim, mistake),
        follows=None if value is None else _answer_if(stimulus, mistake),
        claims=(*(each for step in before for each in step["claims"]), true),
    )


def _own_box(claim: StepClaim) -> int | None:
    return int(claim["true"].removeprefix("R")) if claim["kind"] == "place" else claim["box"]


def _stated(claim: StepClaim) -> str:
    """The value of a claim as its step has it."""
    if claim["kind"] == "place":
        return claim["value"]
    return relation_words(claim["value"]) if claim["kind"] == "relation" else predicate(claim["kind"], claim["value"])


def _restated(text: str, claim: StepClaim, other: StepClaim) -> str:
    """A step's text with the value of another claim; raises ValueError where its own value does not stand there once.

    >>> claim = {"kind": "color", "thing": "mug", "box": 2, "value": "red", "true": "blue", "other": None}
    >>> _restated("The mug in R2 is red.", claim, {**claim, "value": "blue"})
    'The mug in R2 is blue.'
    """
    new, count = re.subn(rf"\b{re.escape(_stated(claim))}\b", _stated(other), text)
    if count != 1:
        raise ValueError(f"{text!r} does not state {_stated(claim)!r} once")
    return new


def _corrected(step: Step, claim: StepClaim, mistake: StepClaim) -> str:
    """The correction of a step whose mistake is this one."""
    right, separator, wrong = str(step["correction"]).rpartition(", not ")
    own, new = (_stated(each).removeprefix("made ") for each in (claim, mistake))
    return f"{right}{separator}{wrong.replace(own, new)}"


def _value_against(stimulus: Stimulus, claim: StepClaim) -> str:
    """The value of a mistake about how a thing looks: the other one where the question names values, else its own."""
    if claim["kind"] == "size":
        return claim["value"]
    named = [value for value in _named(stimulus, claim["kind"]) if value != claim["true"]]
    return named[0] if named else claim["value"]


def _named(stimulus: Stimulus, slot: str) -> list[str]:
    """The values that a question asks about; none of one that is open."""
    if stimulus.category == "query":
        return []
    return [value for value in _LOOKS[slot] if re.search(rf"\b{stuff(value)}\b", stimulus.question)]


def _is_asked(stimulus: Stimulus, claim: StepClaim) -> bool:
    """Whether a relation is that of the two things that a question is about."""
    relevant = [thing["name"] for thing in _relevant(stimulus)]
    return claim["thing"] in relevant and claim["other"] in relevant


def _relevant(stimulus: Stimulus) -> list[Mapping[str, Json]]:
    truth = stimulus.truth
    return [thing for thing in truth["graph"]["things"] if thing["number"] in truth["relevant"]]


def _answer_if(stimulus: Stimulus, claim: StepClaim) -> str:
    """The answer to a question if a claim about one of its things were so, and all else as it is."""
    template, right, other = str(stimulus.factors["template"]), str(stimulus.label), stimulus.truth["rule"]["rivals"][0]
    if claim["value"] == claim["true"]:
        return right
    if claim["kind"] in ("relation", "size"):
        return str(other)
    if stimulus.category in ("choose", "query"):
        return stuff(claim["value"])
    looks = [
        claim["value"] if thing["number"] == claim["box"] else thing[claim["kind"]] for thing in _relevant(stimulus)
    ]
    [asked] = _named(stimulus, claim["kind"])
    hits = [look == asked for look in looks]
    form = next((form for form in _LOGICAL if template.startswith(form)), "")
    holds = {"logical-either": any(hits), "logical-neither": not any(hits)}.get(form, all(hits))
    return YES if holds else NO
