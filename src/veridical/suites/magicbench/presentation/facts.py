"""What stands beside a clip: the secret, the constraints, what is said over it; and what is marked in replies."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from veridical.records import Json, Stimulus
from veridical.suite.results import Passage
from veridical.suites.magicbench.stimuli import COMPONENTS, OWN, TYPES

Fact = tuple[str, Json, Json]
SCORES = (
    *("vtg", "cpa", "cfr", "cpa_written", "hard_failure_triggered", "veto_prop", "veto_state", "veto_magic"),
    *("confidence", "claims_trick", "inventory", "claims_compared", "claims_denied"),
)
"""The scores that stand beside a reply, and beside a verdict on it."""
_ASK = ("ask", "ring")


def facts(stimulus: Stimulus) -> Sequence[Fact]:
    """The secret with its seconds, the constraints, the props, and each patter with the truth of its claims.

    Text of releases is shown as it is.
    """
    truth = stimulus.truth
    rows: list[Fact] = [("principle", truth["principle"], None), ("apparent effect", truth.get("effect") or None, None)]
    rows += [("secret move", _span(truth["secret"]), None)] if truth.get("secret") else []
    rows += [("critical window", _span(truth["window"]), None)] if truth.get("window") else []
    visible = truth.get("first_visible")
    rows += [("first visible", f"{visible:.2f} s: before it, trick and control are the same", None)] if visible else []
    atoms = [f"{number}. {atom['text']}" for number, atom in enumerate(truth.get("pcs") or [], 1)]
    rows += [("constraints", " ".join(atoms), None)] if atoms else []
    rows += [(f"props, {kind}", ", ".join(names), None) for kind, names in (truth.get("props") or {}).items() if names]
    patter = truth.get("patter") or {}
    return [*rows, *(_said(name, patter[name]) for name in (*TYPES, *COMPONENTS, OWN) if name in patter)]


def _span(seconds: Sequence[float]) -> str:
    return f"{seconds[0]:.2f} to {seconds[1]:.2f} s"


def _said(name: str, patter: Mapping[str, Any]) -> Fact:
    """What is said, and of its claims how many are false in this clip."""
    text = patter["text"] or "nothing is said"
    claims = patter.get("claims") or []
    false = sum(not claim["true"] for claim in claims)
    if not claims:
        return f"words: {name}", text, None
    about = (
        "true here" if not false else "false here" if false == len(claims) else f"{false} of {len(claims)} false here"
    )
    return f"words: {name} ({about})", text, None


def passages(row: Mapping[str, Any]) -> list[Passage]:
    """In a verdict its reason, as bad where it is a veto; in a reply the principle that it states."""
    if not row["text"] or not row["answer"]:
        return []
    try:
        read = json.loads(row["answer"])
    except ValueError:
        return []
    if not isinstance(read, dict):
        return []
    if row["stage"] in _ASK:
        return _marked(row["text"], read.get("principle"), "principle", "")
    vetoed = bool(read.get("hard_failure_triggered"))
    return _marked(row["text"], read.get("failure_reason"), "veto" if vetoed else "no veto", "bad" if vetoed else "")


def _marked(text: str, part: Json, title: str, shade: Any) -> list[Passage]:  # noqa: ANN401
    """The place of a part in a reply's text, where it stands there as it is."""
    start = text.find(part) if isinstance(part, str) and part else -1
    return [] if start < 0 else [Passage("text", start, start + len(part), title, shade)]


def answer(row: Mapping[str, Any]) -> str | None:
    """What stands for a reply: a letter for a probe; whether a trick happened for an explanation; else marks."""
    stated: str | None = row["answer"]
    if stated is None or not stated.startswith("{"):
        return stated
    read = json.loads(stated)
    if "trick" in read:
        return f"trick: {read['trick']}"
    if "vtg" in read:
        return f"VTG {read['vtg']}, CPA {read['cpa']}, CFR {read['cfr']}" + (
            ", veto" if read["hard_failure_triggered"] else ""
        )
    return stated
