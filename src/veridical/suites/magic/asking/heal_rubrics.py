"""The rubrics of Self-Heal: what becomes of reasoning that has gone wrong, and of reasoning that has not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from veridical.judges import JudgeVerdict, Marking, Rubric, marking
from veridical.judges.marking import AtMostReplies
from veridical.judges.rubric import REPLY, Shown
from veridical.records import Json, Stimulus, canonical
from veridical.suites.magic.healing.continuation import continuation_text
from veridical.suites.magic.healing.prefixes import TRUE
from veridical.suites.magic.healing.rules import denies, heals

FOLDER = Path(__file__).parent.parent / "rubrics"
NOT_STATED = "not stated"


class HealVerdict(JudgeVerdict, title="Healed"):
    """What becomes of a mistake. `heals` counts only where the other two hold as well."""

    justification: str
    names: bool
    states: bool
    heals: bool


class RetractionVerdict(JudgeVerdict, title="Taken"):
    """Whether something that was right is taken back."""

    justification: str
    denies: bool


@dataclass(frozen=True, kw_only=True, repr=False)
class HealRubric(Rubric):
    """A rubric by which nothing is healed that is not named and put right, whatever a judge says."""

    def scored(self, answer: str, shown: Shown) -> dict[str, float]:  # noqa: ARG002 (the verdict says all)
        """The scores of a verdict."""
        held = {name: float(json.loads(answer)[name]) for name in ("names", "states", "heals")}
        return {**held, "heals": min(held.values())}


HEAL = HealRubric(
    name="heal",
    folder=FOLDER,
    verdict=HealVerdict,
    sees=("question", "prefix", "mistaken", "correction", REPLY),
    for_rule=("facts",),
    rule=heals,
    help="whether a mistake in the reasoning so far is named and put right",
)
STEADY = Rubric(
    name="steady",
    folder=FOLDER,
    verdict=RetractionVerdict,
    sees=("question", "prefix", REPLY),
    for_rule=("facts",),
    rule=denies,
    help="whether something right in the reasoning so far is called a mistake",
)
RUBRICS = (HEAL, STEADY)
SETTING = "healing"


def heal_marking(name: str, about: str, at_most: Mapping[str, AtMostReplies]) -> Marking:
    """The marking pass over the continuations of a stage: those of a wrong prefix by "heal", of a true one "steady"."""
    return marking(name, about, RUBRICS, facts={"heal": _mistaken, "steady": _true}, at_most=at_most, setting=SETTING)


def _mistaken(stimulus: Stimulus, row: Mapping[str, Json]) -> Mapping[str, str] | None:
    expects = json.loads(row["expects"])
    if expects["kind"] == TRUE:
        return None
    return {
        **_shown(stimulus, row, expects),
        "mistaken": "\n".join(expects["mistaken"]) or NOT_STATED,
        "correction": "\n".join(expects["corrections"]) or NOT_STATED,
    }


def _true(stimulus: Stimulus, row: Mapping[str, Json]) -> Mapping[str, str] | None:
    expects = json.loads(row["expects"])
    return _shown(stimulus, row, expects) if expects["kind"] == TRUE else None


def _shown(stimulus: Stimulus, row: Mapping[str, Json], expects: Mapping[str, Json]) -> dict[str, str]:
    """The fields of both rubrics; `facts` is for the rule alone, and no part of the prompt."""
    facts = {name: expects[name] for name in ("kind", "claims", "prefix", "graph", "relevant", "boxes")}
    return {
        "question": stimulus.question,
        "prefix": "\n".join(expects["prefix"]),
        "facts": canonical(facts),
        REPLY: continuation_text(row["text"], expects["prefix"]),
    }
