"""The rule judges of Self-Heal on our scenes: from what a continuation claims, and the words of correction around it.

What a rule cannot tell, it says: a text in another language, and words of the correction that it does not understand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veridical.judges.rubric import Shown
from veridical.records import Json
from veridical.suites.magic.claims import DISMISSED, same_fact
from veridical.suites.magic.healing.cues import calls_mistake, turns
from veridical.suites.magic.healing.heard import Continuation, has_value, has_words, heard
from veridical.suites.magic.healing.prefixes import LISTING
from veridical.suites.magic.language.statements import REPORTED, is_open
from veridical.suites.magic.language.words import OPPOSITE
from veridical.suites.magic.stimuli import Claim

_OF_LOOKS = re.compile(r"\b(?:colou?r(?:ed)?|hue|shade|made (?:out )?(?:of|from)|material|size)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:it|this|that one|the former|the latter)\b", re.IGNORECASE)
_LOOKS = ("color", "material", "size")


def heals(shown: Shown) -> Mapping[str, Json] | str:
    """The verdict by the rubric "heal": whether the mistake is named, the correction stated, and the mistake healed."""
    read = heard(shown)
    if isinstance(read, str):
        return read
    facts, continuation = read
    if facts["kind"] == LISTING:
        return _dismisses(facts, continuation)
    wrong = [claim for claim in facts["claims"] if claim["value"] != claim["true"]]
    if not wrong:
        return "the mistake claims nothing that a rule can check"
    rulings = [_ruled(mistake, continuation) for mistake in wrong]
    stated = [each for each in rulings if each.stated]
    unclear = next((each.unclear for each in rulings if each.unclear), None)
    if not stated and unclear:
        return unclear
    names = any(each.named for each in rulings)
    back = any(each.back for each in rulings)
    return _verdict(names, states=bool(stated), heals=bool(stated) and names and not back, back=back)


def _verdict(names: bool, *, states: bool, heals: bool, back: bool = False) -> Mapping[str, Json]:
    parts = [word for word, holds in (("names the mistake", names), ("states the correction", states)) if holds]
    parts += ["falls back to the mistake"] if back else []
    return {"justification": "; ".join(parts) or "neither names nor corrects the mistake", "names": names} | {
        "states": states,
        "heals": heals,
    }


@dataclass(frozen=True)
class _Ruling:
    """What becomes of one mistake; `unclear` says why a rule cannot tell whether the correction is stated."""

    stated: bool
    named: bool
    back: bool
    unclear: str | None


def _ruled(mistake: Claim, continuation: Continuation) -> _Ruling:
    places = list(enumerate(continuation.claims))
    right = [place for place, claims in places if any(_corrects(claim, mistake) for claim in claims)]
    again = [place for place, claims in places if any(_repeats(claim, mistake) for claim in claims)]
    denied = any(_denies(claim, mistake) for claims in continuation.claims for claim in claims)
    called = any(calls_mistake(each) and _speaks_of(each, mistake) for each in continuation.sentences)
    turned = any(
        turns(each) or (REPORTED.search(each) and has_words(each, mistake["value"]))
        for place in right
        for each in continuation.near(place)
    )
    unclear = None if right else _unclear(mistake, continuation)
    back = bool(again) and again[-1] > max(right, default=-1)
    return _Ruling(bool(right), denied or called or turned, back, unclear)


def _positive(claim: Claim) -> bool:
    return not claim["value"].startswith("not ")


def _corrects(claim: Claim, mistake: Claim) -> bool:
    """Whether a claim says what is so where the mistake said otherwise."""
    if not _positive(claim) or claim["value"] != claim["true"]:
        return False
    if mistake["kind"] == "place" and mistake["true"] == "none":
        return claim["kind"] == "place" and claim["box"] == mistake["box"]
    return same_fact(claim, mistake)


def _repeats(claim: Claim, mistake: Claim) -> bool:
    return _positive(claim) and claim["value"] != claim["true"] and same_fact(claim, mistake)


def _denies(claim: Claim, mistake: Claim) -> bool:
    """Whether a claim says, rightly, that what the mistake states is not so."""
    return (
        not _positive(claim)
        and claim["value"] == claim["true"]
        and same_fact(claim, mistake)
        and claim["value"] in (f"not {mistake['value']}", f"not {_stated(claim, mistake)}")
    )


def _stated(claim: Claim, mistake: Claim) -> str:
    """What the mistake states, in the direction of a claim about the same two things."""
    turned = claim["kind"] == "relation" and claim["thing"] != mistake["thing"]
    return OPPOSITE.get(mistake["value"], mistake["value"]) if turned else mistake["value"]


def _speaks_of(sentence: str, mistake: Claim) -> bool:
    """Whether a sentence has the mistaken value in the words of the mistake, and the thing or its box."""
    subjects = [mistake["thing"], *([f"R{mistake['box']}"] if mistake["box"] else [])]
    about = any(has_words(sentence, each) for each in subjects if each != mistake["value"])
    return about and has_words(sentence, mistake["value"])


def _unclear(mistake: Claim, continuation: Continuation) -> str | None:
    """Why a correction may be stated in words that make no claim: what is right stands beside what it is about."""
    for sentence, claims in zip(continuation.sentences, continuation.claims, strict=True):
        read = any(mistake["true"] == claim["value"] or same_fact(claim, mistake) for claim in claims)
        if read or mistake["true"] == "none" or sentence.rstrip("\"')*").endswith("?"):
            continue
        if not _may_be_about(sentence, mistake):
            continue
        if has_value(sentence, mistake["true"], continuation):
            hedged = "leaves open what would be right" if is_open(sentence) else "has words of what is right"
            return f"a sentence {hedged}, and makes no plain statement of it"
        if mistake["kind"] in _LOOKS and _OF_LOOKS.search(sentence):
            return "a sentence says how the thing looks in words that the rule does not know"
    return None


def _may_be_about(sentence: str, mistake: Claim) -> bool:
    """Whether a sentence names what a mistake is about, or may mean it by "it"."""
    names = [mistake["thing"], *([f"R{mistake['box']}"] if mistake["box"] and mistake["kind"] != "place" else [])]
    pronoun = _PRONOUN.search(sentence) is not None
    about = pronoun or any(has_words(sentence, name) for name in names)
    return about and (mistake["kind"] != "relation" or pronoun or has_words(sentence, str(mistake["other"])))


def _dismisses(facts: Mapping[str, Json], continuation: Continuation) -> Mapping[str, Json] | str:
    """The verdict on a listing: whether the boxes that do not matter are set aside."""
    listed = {claim["box"] for claim in facts["claims"] if claim["kind"] == DISMISSED}
    claims = [claim for own in continuation.claims for claim in own if claim["kind"] == DISMISSED]
    aside = {claim["box"] for claim in claims if claim["true"] == DISMISSED} & listed
    wrong = any(claim["value"] != claim["true"] for claim in claims)
    return _verdict(bool(aside), states=bool(aside), heals=aside == listed and not wrong)


def denies(shown: Shown) -> Mapping[str, Json] | str:
    """The verdict by the rubric "steady": whether something that was right is called a mistake."""
    read = heard(shown)
    if isinstance(read, str):
        return read
    facts, continuation = read
    given = [claim for claim in (*facts["claims"], *continuation.given) if claim["value"] == claim["true"]]
    if not given:
        return "the reasoning so far claims nothing that a rule can check"
    own: list[Claim] = []
    for place, (sentence, claims) in enumerate(zip(continuation.sentences, continuation.claims, strict=True)):
        wrong = [claim for claim in claims if claim["value"] != claim["true"]]
        against = [claim for claim in wrong if any(same_fact(claim, right) for right in given)]
        if any(not _positive(claim) for claim in against):
            return _steady(True, "denies what was right")
        if against and any(map(turns, continuation.near(place, after=0))):
            return _steady(True, "sets something else against what was right")
        if calls_mistake(sentence) and not any(_heals_itself(claim, own) for claim in claims):
            if own and not any(_speaks_of(sentence, right) for right in given):
                return "a mistake is named after a false statement of the continuation's own"
            return _steady(True, "calls what was right a mistake")
        own += wrong
    return _steady(False, "takes nothing back")


def _heals_itself(claim: Claim, own: Sequence[Claim]) -> bool:
    return claim["value"] == claim["true"] and any(same_fact(claim, each) for each in own)


def _steady(verdict: bool, why: str) -> Mapping[str, Json]:
    return {"justification": why, "denies": verdict}
