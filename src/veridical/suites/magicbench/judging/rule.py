"""The rule judge of explanations: their statements held against the constraints in machine form, without a model.

It knows tricks in which a thing is kept, moved, or held up by a prop, and tricks whose method is stored with them (see
`methods`). What it cannot read it does not mark: clips without machine form, replies that say nothing of things, places
or methods, and replies that say two things at once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from veridical.judges.language import is_foreign
from veridical.judges.rubric import REPLY, Shown
from veridical.records import Json
from veridical.suites.magicbench.judging import words
from veridical.suites.magicbench.judging.accounts import Account, account_of
from veridical.suites.magicbench.judging.constraints import HANDS, Constraints, constraints_of
from veridical.suites.magicbench.judging.judge_material import CLAIM, FACTS
from veridical.suites.magicbench.judging.methods import method_verdict
from veridical.suites.magicbench.judging.places import pattern_of
from veridical.suites.magicbench.judging.statements import PlaceStatement
from veridical.suites.magicbench.judging.verdicts import BOTH, HIGH, LOW, MID, NEAR, NOTHING

_METHOD = (words.KIND, words.VAGUE)
_SECRET = (words.STAYS, words.PRETENDS, *_METHOD)


def rule_verdict(shown: Shown) -> Mapping[str, Json] | str:
    """The verdict on an explanation, or the reason why there is none."""
    facts = json.loads(shown[FACTS])
    known = constraints_of(facts)
    if isinstance(known, str):
        return known
    account = account_of(shown[REPLY], known.thing, known.places)
    if account is None:
        return "the reply is no explanation in the form that was asked for"
    if is_foreign(account.text):
        return "the reply is not in English"
    claim = shown["about"] == CLAIM
    if facts.get("method"):
        verdict = method_verdict(account, known, facts["method"], claim=claim)
        return _capped(verdict, account, facts["atoms"]) if known.trick else verdict
    true, false = known.supports(account.made), known.contradicts(account.made)
    failure = _failure(account, known, true=true, false=false)
    by_prop = known.held_up and account.has(known.prop_words)
    if known.trick and (true or by_prop) and failure.startswith("state"):
        return BOTH
    cpa = _how(account, known, true=true, failed=bool(failure))
    if cpa is None:
        return NOTHING
    verdict = {
        "vtg": _where_and_when(account, known, true=true, failed=failure.startswith("state")),
        "cpa": cpa,
        "cfr": _resists(account, known, true=true, cpa=cpa, failure=failure, claim=claim),
    }
    reasoning = f"statements that hold: {len(true)}; that contradict the constraints: {len(false)}"
    made = {
        "reasoning": reasoning,
        "hard_failure_triggered": bool(failure),
        "failure_reason": failure or "none",
        **verdict,
    }
    return _capped(made, account, facts["atoms"]) if known.trick else made


def _capped(
    verdict: Mapping[str, Json] | str, account: Account, atoms: Sequence[Mapping[str, Json]]
) -> Mapping[str, Json] | str:
    """A verdict by which the mechanism is half right at most where the other hand, and it alone, is said to act."""
    agent = next((atom["agent"] for atom in atoms if atom["kind"] == "secret"), None)
    hands = {hand for hand in HANDS if pattern_of(hand).search(account.text)}
    if isinstance(verdict, str) or verdict["cpa"] < HIGH or agent not in HANDS or agent in hands:
        return verdict
    return {**verdict, "cpa": MID} if any(_acts(hand).search(account.text) for hand in hands) else verdict


@lru_cache(maxsize=2)
def _acts(hand: str) -> re.Pattern[str]:
    """A hand as the subject of a verb."""
    return re.compile(rf"\b{hand} (?:\w+ly )?(?!is\b|was\b|has\b|as\b)[a-z]{{2,}}s\b")


def _failure(account: Account, known: Constraints, *, true: list[PlaceStatement], false: list[PlaceStatement]) -> str:
    """The first failure of the three checks in a few words, "" for none."""
    by_prop = known.held_up and account.has(known.prop_words)
    for name, pattern in words.PROPS.items():
        if (not by_prop or name == "a helper") and name not in known.allowed and account.has(pattern):
            return f"prop: {name}, which is not there"
    if false:
        first = false[0]
        denied = first.act == "empty" or first.sense == "denied"
        return f"state: {first.place} for the {known.thing}{', denied' if denied else ''}"
    if account.has(words.MAGIC) and not true and not by_prop:
        return "magic: an impossibility is taken for what happened"
    if account.has(words.GONE) and not true and not any(map(account.has, _METHOD)) and not _physical(account, known):
        return "magic: the effect is taken for what happened"
    return ""


def _physical(account: Account, known: Constraints) -> bool:
    """Whether any cause is named at all."""
    named = known.held_up and account.has(known.prop_words)
    return bool(named or account.has(words.PRETENDS) or account.has(words.STAYS) or account.has(words.SUPPORT))


def _how(account: Account, known: Constraints, *, true: list[PlaceStatement], failed: bool) -> int | None:
    """The mark for the mechanism; `None` where the rule knows no word of it."""
    if failed:
        return 0
    if not known.trick:
        if account.trick:
            return LOW
        return HIGH if true else MID if account.made or account.has(words.NORMAL) else None
    if known.held_up:
        if account.has(known.prop_words):
            return HIGH
        if account.has(words.SUPPORT):
            return MID
        return LOW if any(map(account.has, _METHOD)) or account.made else None
    hidden = not known.kept or known.hides(account.made) or any(account.has(each) for each in _SECRET)
    if true and hidden:
        return MID if known.other_agent(true) else HIGH
    if true or account.has(words.KIND) or account.has(words.PRETENDS):
        return MID
    return None if account.trick and not account.has(words.VAGUE) else LOW


def _where_and_when(account: Account, known: Constraints, *, true: list[PlaceStatement], failed: bool) -> int:
    """The mark for place, action and time."""
    timed = [time for each in true for time in each.times]
    timed += account.times_with(known.prop_words) if known.held_up else []
    first, last = known.matters
    hit = any(first - NEAR <= time <= last + NEAR for time in timed or account.times)
    if failed:
        return MID if hit and known.trick else LOW
    placed = bool(true) or (known.held_up and account.has(known.prop_words))
    if not placed:
        return MID if hit and (account.has(words.KIND) or account.has(words.PRETENDS)) else LOW
    ordered = not timed and not account.times and account.steps > 1
    return HIGH if hit or ordered else MID


def _resists(
    account: Account, known: Constraints, *, true: list[PlaceStatement], cpa: int, failure: str, claim: bool
) -> int:
    """The mark for what is resisted."""
    repeated = [each for each in account.made if each.sense == "fact" and each.act != "empty" and known.claimed(each)]
    if repeated or failure.startswith(("prop", "magic")):
        return LOW
    denied = any(known.refutes(each) for each in account.made)
    if cpa == HIGH or denied:
        return HIGH
    if not known.trick and not claim:
        return LOW if account.trick else HIGH if account.made else MID
    return MID if true or account.has_doubt else LOW
