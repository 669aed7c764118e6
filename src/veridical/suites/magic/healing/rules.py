"""The rule judges of Self-Heal on our scenes: from what a continuation claims, and the words of correction around it.

What a rule cannot tell, it says: a text in another language, and words of the correction that it does not understand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from veridical.judges.rubric import REPLY, Shown
from veridical.records import Json
from veridical.suites.magic.claims import DISMISSED, claims_of_steps, same_fact, sentences
from veridical.suites.magic.healing.cues import calls_mistake, turns
from veridical.suites.magic.healing.prefixes import LISTING
from veridical.suites.magic.language.scene import scene_of
from veridical.suites.magic.language.statements import is_open
from veridical.suites.magic.language.words import RELATION, relation_of
from veridical.suites.magic.steps import checked
from veridical.suites.magic.stimuli import Claim

NO_GRAPH = "the item has no scene by which a rule could tell"
LANGUAGE = "the text is not in English"
_COMMON = frozenset(
    ("the", "is", "a", "an", "of", "in", "and", "it", "to", "not", "this", "i", "that", "are", "shows", "on", "so")
)
_ENGLISH, _FEWEST = 0.12, 5
_WORD = re.compile(r"[^\W\d_]+")
_BEFORE, _AFTER = 2, 1
"""How many sentences before and after a correction words of correction may stand."""


@dataclass(frozen=True)
class _Continuation:
    """The sentences of a continuation, and the claims of each; "it" may be what the prefix ends with."""

    text: str
    prefix: tuple[str, ...]
    graph: Mapping[str, Json]
    relevant: tuple[int, ...]

    @cached_property
    def sentences(self) -> list[str]:
        return sentences(self.text)

    @cached_property
    def claims(self) -> list[list[Claim]]:
        every = claims_of_steps([*self.prefix, *self.sentences], self.graph, self.relevant)
        return every[len(self.prefix) :]

    @cached_property
    def given(self) -> list[Claim]:
        """The claims of the prefix."""
        return [claim for claims in claims_of_steps(self.prefix, self.graph) for claim in claims]

    @property
    def foreign(self) -> bool:
        """Whether it is not in English, as far as its words tell."""
        words = [word.lower() for word in _WORD.findall(self.text)]
        return len(words) >= _FEWEST and sum(word in _COMMON for word in words) < _ENGLISH * len(words)

    def near(self, place: int) -> list[str]:
        """The sentence and those around it."""
        return self.sentences[max(0, place - _BEFORE) : place + _AFTER + 1]


def _facts(shown: Shown) -> tuple[Mapping[str, Json], _Continuation] | str:
    facts: Mapping[str, Json] = json.loads(shown["facts"])
    if facts.get("graph") is None:
        return NO_GRAPH
    relevant = tuple(facts["relevant"])
    continuation = _Continuation(shown[REPLY], tuple(facts["prefix"]), facts["graph"], relevant)
    return LANGUAGE if continuation.foreign else (facts, continuation)


def heals(shown: Shown) -> Mapping[str, Json] | str:
    """The verdict by the rubric "heal": whether the mistake is named, the correction stated, and the mistake healed."""
    read = _facts(shown)
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


def _ruled(mistake: Claim, continuation: _Continuation) -> _Ruling:
    places = list(enumerate(continuation.claims))
    right = [place for place, claims in places if any(_corrects(claim, mistake) for claim in claims)]
    again = [place for place, claims in places if any(_repeats(claim, mistake) for claim in claims)]
    denied = any(_denies(claim, mistake) for claims in continuation.claims for claim in claims)
    called = any(calls_mistake(each) and _speaks_of(each, mistake) for each in continuation.sentences)
    turned = any(any(map(turns, continuation.near(place))) for place in right)
    unclear = None if right else _unclear(mistake, continuation)
    return _Ruling(bool(right), denied or called or turned, bool(again and again[-1] > max(right, default=-1)), unclear)


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
    from veridical.suites.magic.language.words import OPPOSITE

    turned = claim["kind"] == "relation" and claim["thing"] != mistake["thing"]
    return OPPOSITE.get(mistake["value"], mistake["value"]) if turned else mistake["value"]


def _values(sentence: str, value: str, continuation: _Continuation) -> bool:
    """Whether a sentence has a word for a value: a look, a box, a relation."""
    if re.fullmatch(r"R\d+(?: or R\d+)*", value):
        return any(re.search(rf"\b{box}\b", sentence, re.IGNORECASE) for box in value.split(" or "))
    if any(relation_of(match) == value for match in RELATION.finditer(sentence)):
        return True
    words = scene_of(continuation.graph).words
    return any(
        name == value and re.search(rf"\b{re.escape(word)}\b", sentence, re.IGNORECASE)
        for word, (_, name) in words.items()
    )


def _speaks_of(sentence: str, mistake: Claim) -> bool:
    """Whether a sentence has the mistaken value in the words of the mistake, and the thing or its box."""
    value = mistake["value"].removesuffix(" of")
    subjects = [mistake["thing"], *([f"R{mistake['box']}"] if mistake["box"] else [])]
    return bool(re.search(rf"\b{re.escape(value)}\b", sentence, re.IGNORECASE)) and any(
        re.search(rf"\b{re.escape(each)}\b", sentence, re.IGNORECASE) for each in subjects if each != value
    )


def _unclear(mistake: Claim, continuation: _Continuation) -> str | None:
    """Why a correction may be stated in words that make no claim: what is right stands beside what it is about."""
    true = mistake["true"]
    if true == "none":
        return None
    for sentence, claims in zip(continuation.sentences, continuation.claims, strict=True):
        if sentence.rstrip("\"')*").endswith("?") or any(true == claim["value"] for claim in claims):
            continue
        names = [mistake["thing"], *([f"R{mistake['box']}"] if mistake["box"] and mistake["kind"] != "place" else [])]
        about = any(re.search(rf"\b{re.escape(name)}\b", sentence, re.IGNORECASE) for name in names)
        if mistake["kind"] == "relation":
            about = about and re.search(rf"\b{re.escape(str(mistake['other']))}\b", sentence, re.IGNORECASE) is not None
        if about and _values(sentence, true, continuation):
            hedged = "leaves open what would be right" if is_open(sentence) else "has words of what is right"
            return f"a sentence {hedged}, and makes no plain statement of it"
    return None


def _dismisses(facts: Mapping[str, Json], continuation: _Continuation) -> Mapping[str, Json] | str:
    """The verdict on a listing: whether the boxes that do not matter are set aside."""
    listed = {claim["box"] for claim in facts["claims"] if claim["kind"] == DISMISSED}
    claims = [claim for own in continuation.claims for claim in own if claim["kind"] == DISMISSED]
    aside = {claim["box"] for claim in claims if claim["true"] == DISMISSED} & listed
    wrong = any(claim["value"] != claim["true"] for claim in claims)
    return _verdict(bool(aside), states=bool(aside), heals=aside == listed and not wrong)


def denies(shown: Shown) -> Mapping[str, Json] | str:
    """The verdict by the rubric "steady": whether something that was right is called a mistake."""
    read = _facts(shown)
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
        if against and any(map(turns, continuation.sentences[max(0, place - _BEFORE) : place + 1])):
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


def first_wrong(shown: Shown) -> Mapping[str, Json] | str:
    """The verdict by the rubric "steps": the first stretch of steps that claim something false, and what is so."""
    facts: Mapping[str, Json] = json.loads(shown["facts"])
    if facts.get("graph") is None:
        return NO_GRAPH
    every = checked(facts["steps"], facts["graph"], facts["relevant"])
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


MOST_STEPS = 99
"""The highest number of a step that a verdict may name."""


def truth_of(claim: Claim) -> str:
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
