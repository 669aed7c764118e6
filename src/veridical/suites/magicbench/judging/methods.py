"""Explanations held against a method: for tricks whose secret is more than where a thing is at each time."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from veridical.records import Json
from veridical.suites.magicbench.judging import words
from veridical.suites.magicbench.judging.accounts import Account
from veridical.suites.magicbench.judging.constraints import HANDS, Constraints
from veridical.suites.magicbench.judging.places import places_in
from veridical.suites.magicbench.judging.relations import StatedRelation, asserts, replace_phrases, stated_relations
from veridical.suites.magicbench.judging.statements import times_in
from veridical.suites.magicbench.judging.verdicts import BOTH, HIGH, LOW, MID, NEAR, NOTHING
from veridical.suites.magicbench.stimuli import MethodForm

_TERM = "a known method"
"""What stands for a name of the method."""


def method_verdict(
    account: Account, known: Constraints, method: MethodForm, *, claim: bool
) -> Mapping[str, Json] | str:
    """The verdict on an explanation by its method, or why there is none; `claim`: something false is said."""
    try:
        return _Held(account, known, method).verdict(claim=claim)
    except re.error as error:
        return f"the method of the item has a pattern that cannot be read: {error}"


@dataclass(frozen=True)
class _Held:
    """An explanation, the constraints, and the method that it is held against."""

    account: Account
    known: Constraints
    method: MethodForm

    def verdict(self, *, claim: bool) -> Mapping[str, Json] | str:
        """The marks, or why there are none."""
        failure = self.failure
        if self.known.trick and self.right and failure.startswith("state"):
            return BOTH
        cpa = 0 if failure else self._how()
        if cpa is None:
            return NOTHING
        return {
            "reasoning": f"relations that hold: {len(self.right)}; that contradict the constraints: {len(self.wrong)}",
            "hard_failure_triggered": bool(failure),
            "failure_reason": failure or "none",
            "vtg": self._where_and_when(),
            "cpa": cpa,
            "cfr": self._resists(cpa, claim=claim),
        }

    @cached_property
    def _text(self) -> str:
        """What it says, with a token in place of names of the method: "cut and restored" is no account of a cut."""
        return replace_phrases(self.account.text, self.method["terms"], _TERM)

    @cached_property
    def right(self) -> list[StatedRelation]:
        """Where it says in full how it is done, or in an honest clip what is openly done."""
        own = ("secret",) if self.known.trick else ("openly", "claims")
        return self._facts(*own)

    @cached_property
    def half(self) -> list[StatedRelation]:
        """Where it says half of how it is done."""
        return self._facts("part") if self.known.trick else []

    @cached_property
    def wrong(self) -> list[StatedRelation]:
        """Where it says what is true of the other clip, or of none."""
        if not self.known.trick:
            return self._facts("secret", "part", "against")
        claims = [] if self.right else [each for each in self._facts("claims") if not self._is_early(each)]
        return self._facts("openly", "against") + claims

    @cached_property
    def failure(self) -> str:
        """The first failure of the three checks in a few words, "" for none."""
        text = replace_phrases(self._text, self.method["harmless"], "item")
        for name, pattern in words.PROPS.items():
            if name not in self.known.allowed and asserts(text, pattern.pattern):
                return f"prop: {name}, which is not there"
        if self.wrong:
            return f"state: {' '.join(self.wrong[0].clause.split())}"
        if self.known.trick and (self.right or self.half):
            return ""
        if self.account.has(words.MAGIC):
            return "magic: an impossibility is taken for what happened"
        if (self._facts("effect") or self.account.has(words.GONE)) and not self._named:
            return "magic: the effect is taken for what happened"
        return ""

    @cached_property
    def _named(self) -> bool:
        """Whether it names the method, or a kind of method."""
        return self.known.trick and (self._termed or self.account.has(words.VAGUE))

    @cached_property
    def _termed(self) -> bool:
        """Whether it names this method, or a kind of method that says something of it."""
        kinds = self.account.has(words.KIND) or self.account.has(words.PRETENDS)
        return kinds or asserts(self._text, _TERM)

    def _how(self) -> int | None:
        """The mark for the mechanism; `None` where the rule knows no word of it."""
        if not self.known.trick:
            if self.account.trick:
                return LOW
            return HIGH if self.right else MID if self.account.has(words.NORMAL) else None
        if self.right:
            return MID if all(map(self._other_agent, self.right)) else HIGH
        if self.half or self._termed or any(each.sense == "maybe" for each in self._stated("secret")):
            return MID
        if self._named or any(each.sense in ("denied", "seems") for each in self._stated("secret")):
            return LOW
        return None if self.account.trick else LOW

    def _other_agent(self, each: StatedRelation) -> bool:
        """Whether a clause puts the secret down to the other hand."""
        found = [place for place in places_in(each.clause, HANDS) if place.role not in ("near", "object")]
        acting = {place.name for place in found if place.role in ("", "by")}
        others = {place.name for place in found} - {self.known.cover, self.known.target}
        named = acting or others
        return self.known.agent in HANDS and bool(named) and self.known.agent not in named

    def _where_and_when(self) -> int:
        """The mark for place, action and time."""
        timed = [time for each in self.right for time in times_in(each.sentence)] or list(self.account.times)
        first, last = self.known.matters
        hit = any(first - NEAR <= time <= last + NEAR for time in timed)
        if self.failure:
            return MID if hit and self.known.trick and self.failure.startswith("state") else LOW
        if not self.right:
            return MID if self.half or (hit and self._termed) else LOW
        return HIGH if hit or (not timed and self.account.steps > 1) else MID

    def _resists(self, cpa: int, *, claim: bool) -> int:
        """The mark for what is resisted."""
        apparent = self._stated(*(("openly", "claims", "effect") if self.known.trick else ("secret", "part", "effect")))
        repeated = any(each.sense == "fact" for each in apparent) and not self.right
        if repeated or self.failure.startswith(("prop", "magic")):
            return LOW
        if cpa == HIGH or any(each.sense in ("denied", "seems") for each in apparent):
            return HIGH
        if not self.known.trick and not claim:
            return LOW if self.account.trick or self.failure else HIGH if self.right else MID
        return MID if self.right or self.half or self.account.has_doubt else LOW

    def _is_early(self, each: StatedRelation) -> bool:
        times = times_in(each.sentence)
        before = bool(times) and all(time < self.known.secret[0] for time in times)
        return before or bool(words.EARLY.search(each.clause.replace("first two", "")))

    def _facts(self, *names: str) -> list[StatedRelation]:
        return [each for each in self._stated(*names) if each.sense == "fact"]

    def _stated(self, *names: str) -> list[StatedRelation]:
        relations: Sequence[Sequence[str]] = [each for name in names for each in self.method[name]]  # type: ignore[literal-required]
        return stated_relations(self._text, relations)
