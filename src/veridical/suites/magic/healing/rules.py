"""The rule judges of Self-Heal on our scenes: from what a continuation claims, and the words of correction around it.

What a rule cannot tell, it says: a text in another language, and words of the correction that it does not understand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veridical.judges.rubric import Shown
from veridical.records import Json
from veridical.suites.magic.claims import DISMISSED, same_fact, sentences
from veridical.suites.magic.healing.continuation import ReasoningContinuation, continuation_of, has_words
from veridical.suites.magic.healing.cues import calls_mistake, hints, turns
from veridical.suites.magic.healing.mistakes import instead_of
from veridical.suites.magic.healing.outcome import Outcome, outcome
from veridical.suites.magic.healing.prefixes import LISTING
from veridical.suites.magic.language.scene import scene_of
from veridical.suites.magic.stimuli import StepClaim

_BEFORE = 2
"""How many sentences before a correction words of correction may stand."""
_RELAPSE = re.compile(
    r"\bI (?:was|am|had (?:it|been)) (?:quite )?right (?:at first|before|all along|the first time|from the start"
    r"|after all)"
    r"|\bmy (?:first|earlier|original) (?:answer|statement|reading|step|claim|impression) (?:was right|stands|holds)"
    r"|\bwhat I said (?:at first|before|first) (?:was right|stands|holds)"
    r"|\b(?:was|is|were) (?:right|correct) after all\b|\bas I (?:said|wrote|stated) (?:at first|before|first)\b",
    re.IGNORECASE,
)


def heals(shown: Shown) -> Mapping[str, Json] | str:
    """The verdict by the rubric "heal": whether the mistake is named, the correction stated, and the mistake healed."""
    read = continuation_of(shown)
    if isinstance(read, str):
        return read
    facts, continuation = read
    if facts["kind"] == LISTING:
        return _dismisses(facts, continuation)
    wrong = [claim for claim in facts["claims"] if claim["value"] != claim["true"]]
    if not wrong:
        return "the mistake claims nothing that a rule can check"
    scene = scene_of(continuation.graph)
    facts_so = [instead_of(claim, scene) for claim in wrong]
    rulings = [
        _ruled(outcome(fact, claim, continuation.sentences)) for fact, claim in zip(facts_so, wrong, strict=True)
    ]
    stated, back = any(each.stated for each in rulings), any(each.back for each in rulings)
    touched = any(fact.touched(sentence) for fact in facts_so for sentence in sentences(continuation.body))
    if not stated and touched and hints(continuation.body):
        return "it may correct the mistake, in words that the rule does not know"
    if stated and not back and any(each.unclear for each in rulings):
        return "it states what is right, and then speaks of the mistake again"
    names = any(each.named for each in rulings) or (stated and hints(continuation.body))
    return _verdict(names, states=stated, heals=stated and names and not back, back=back)


def _verdict(names: bool, *, states: bool, heals: bool, back: bool = False) -> Mapping[str, Json]:
    parts = [word for word, holds in (("names the mistake", names), ("states the correction", states)) if holds]
    parts += ["falls back to the mistake"] if back else []
    return {"justification": "; ".join(parts) or "neither names nor corrects the mistake", "names": names} | {
        "states": states,
        "heals": heals,
    }


@dataclass(frozen=True)
class _Ruling:
    """What becomes of one mistake; `unclear` where it stands after what is right, beside words of correction."""

    stated: bool
    named: bool
    back: bool
    unclear: bool


def _ruled(heard: Outcome) -> _Ruling:
    last = max(heard.right, default=-1)
    near = [each for place in heard.right for each in heard.sentences[max(0, place - _BEFORE) : place + 1]]
    called = any(map(calls_mistake, heard.sentences)) and bool(heard.taken)
    named = bool(heard.denied) or called or any(map(turns, near)) or bool(heard.right and heard.taken)
    relapse = any(_RELAPSE.search(each) and not each.endswith("?") for each in heard.sentences[max(last, 0) :])
    later = [heard.sentences[place] for place in heard.wrong if place > last]
    back = any(not hints(each) for each in later) or (relapse and bool(heard.right))
    return _Ruling(bool(heard.right), named, back, bool(later))


def _dismisses(facts: Mapping[str, Json], continuation: ReasoningContinuation) -> Mapping[str, Json] | str:
    """The verdict on a listing: whether the boxes that do not matter are set aside."""
    listed = {claim["box"] for claim in facts["claims"] if claim["kind"] == DISMISSED}
    claims = [claim for own in continuation.claims for claim in own if claim["kind"] == DISMISSED]
    aside = {claim["box"] for claim in claims if claim["true"] == DISMISSED} & listed
    wrong = any(claim["value"] != claim["true"] for claim in claims)
    return _verdict(bool(aside), states=bool(aside), heals=aside == listed and not wrong)


def denies(shown: Shown) -> Mapping[str, Json] | str:
    """The verdict by the rubric "steady": whether something that was right is called a mistake."""
    read = continuation_of(shown)
    if isinstance(read, str):
        return read
    facts, continuation = read
    given = [claim for claim in (*facts["claims"], *continuation.given) if claim["value"] == claim["true"]]
    if not given:
        return "the reasoning so far claims nothing that a rule can check"
    own: list[StepClaim] = []
    for place, (sentence, claims) in enumerate(zip(continuation.sentences, continuation.claims, strict=True)):
        wrong = [claim for claim in claims if claim["value"] != claim["true"]]
        against = [claim for claim in wrong if any(same_fact(claim, right) for right in given)]
        if any(claim["value"].startswith("not ") for claim in against):
            return _steady(True, "denies what was right")
        if against and any(map(turns, continuation.near(place, after=0))):
            return _steady(True, "sets something else against what was right")
        if calls_mistake(sentence) and not any(_heals_itself(claim, own) for claim in claims):
            if own and not any(_speaks_of(sentence, right) for right in given):
                return "a mistake is named after a false statement of the continuation's own"
            return _steady(True, "calls what was right a mistake")
        own += wrong
    return _steady(False, "takes nothing back")


def _speaks_of(sentence: str, right: StepClaim) -> bool:
    """Whether a sentence has the value of a claim, and the thing or its box."""
    subjects = [right["thing"], *([f"R{right['box']}"] if right["box"] else [])]
    about = any(has_words(sentence, each) for each in subjects if each != right["value"])
    return about and has_words(sentence, right["value"])


def _heals_itself(claim: StepClaim, own: Sequence[StepClaim]) -> bool:
    return claim["value"] == claim["true"] and any(same_fact(claim, each) for each in own)


def _steady(verdict: bool, why: str) -> Mapping[str, Json]:
    return {"justification": why, "denies": verdict}
