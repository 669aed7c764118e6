"""What stands beside an item, and what is lit and colored in it: boxes by relevance, steps by correctness."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from veridical.answers import region_mentions
from veridical.records import Box, Json, Stimulus
from veridical.suite.results import Passage, Region
from veridical.suites.magic.analysis.rows import ALL_BOXES
from veridical.suites.magic.asking.readers import parts_of
from veridical.suites.magic.asking.trials import BLIND
from veridical.suites.magic.claims import DISMISSED
from veridical.suites.magic.regions.rule import stored_numbers
from veridical.suites.magic.steps import check_steps
from veridical.suites.magic.stimuli import StepClaim

Fact = tuple[str, Json, Json]
SCORES = ("precision", "recall", "f1", "beyond", "checkable", "right_steps", "right", "states", "heals", "denies")
"""The scores that stand beside a reply; the counts that they are made of are in the tables of outcomes."""
REASON, HEALS = "reason", ("heal", "heal-own")


def facts(stimulus: Stimulus) -> Sequence[Fact]:
    """The answers, the boxes by relevance, and whose chains come with the question. Text of others is as it is."""
    truth = stimulus.truth
    rows: list[Fact] = [("short answer", truth["short"], None)]
    rows += [("full answer", truth["full"], None)] if truth.get("full") else []
    rows += [(kind, _boxes(truth[kind]), None) for kind in ("relevant", "adversarial")]
    kinds = list(dict.fromkeys(chain["kind"] for chain in truth.get("chains") or []))
    rows += [("chains", ", ".join(kinds), None)] if kinds else []
    return rows


def _boxes(numbers: Sequence[int]) -> str:
    return ", ".join(f"R{number}" for number in sorted(numbers)) or "none"


def regions(stimulus: Stimulus) -> list[Region]:
    """The boxes under their numbers at view all-boxes."""
    relevant = set(stimulus.truth["relevant"])
    return [
        Region(f"R{number}", Box(*box), *(("relevant", "good") if number in relevant else ("adversarial", "bad")))
        for number, box in enumerate(stimulus.truth["boxes"], 1)
    ]


def mentioned_boxes(stimulus: Stimulus, row: Mapping[str, Any]) -> list[str]:
    """The boxes that a rationale or its continuation mentions, under their numbers at view all-boxes."""
    if row["stage"] not in (REASON, *HEALS) or not row["text"]:
        return []
    view = json.loads(row["settings"] or "{}").get("view", ALL_BOXES)
    stored = [] if view == BLIND else stored_numbers(stimulus, view)
    numbers = {stored[number - 1] for number in region_mentions(row["text"]) if number <= len(stored)}
    return [f"R{number}" for number in sorted(numbers)]


def answer(row: Mapping[str, Any]) -> str | None:
    """The final answer of a rationale without its steps; of a continuation nothing, for it is the reply itself."""
    stated: str | None = row["answer"]
    if stated is None or row["stage"] in HEALS:
        return None
    return parts_of(stated)[0] if row["stage"] == REASON else stated


def passages(row: Mapping[str, Any]) -> list[Passage]:
    """The steps of a rationale that state something of our scene, each as right, or as wrong with what is so."""
    if row["stage"] != REASON or not row["answer"] or not row["text"]:
        return []
    expects = json.loads(row["expects"])
    steps = parts_of(row["answer"])[1]
    marked: list[Passage] = []
    end = 0
    for step in check_steps(steps, expects.get("graph"), expects.get("relevant")):
        start = row["text"].find(step.text, end)
        if start >= 0:
            end = start + len(step.text)
        if start >= 0 and step.right is not None:
            title = "right" if step.right else "; ".join(map(_so, step.wrong))
            marked.append(Passage("text", start, end, title, "good" if step.right else "bad"))
    return marked


def _so(claim: StepClaim) -> str:
    """What is so, where a claim is wrong."""
    if claim["kind"] == DISMISSED:
        return f"R{claim['box']} matters"
    other = f" {claim['other']}" if claim["other"] else ""
    return f"{claim['thing']}: {claim['true']}{other}, not {claim['value']}{other}"
