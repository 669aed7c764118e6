"""The constraints of a clip in the form that the rule judge checks statements against."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veridical.records import Json
from veridical.suites.magicbench.judging import words
from veridical.suites.magicbench.judging.statements import PlaceStatement

HANDS = ("left hand", "right hand")
_COMMON = (*HANDS, "table", "lap", "sleeve", "pocket", "floor")
"""Places that explanations name, besides those of the clip."""
_SIMPLE = re.compile(
    r"(?:(?:in|on) )?(?:the )?(?:left hand|right hand|table|lap|sleeve|pocket|floor|thread|free flight)|under .+"
)
"""Places by which the rule can tell how a trick is done: where the thing is at each time is all of it."""
_NEAR = 0.25
"""How far from a change, in seconds, a statement may be about either side of it."""


@dataclass(frozen=True, kw_only=True)
class Constraints:
    """What really happens: where the thing is from when to when, the secret, and what is falsely claimed.

    `start` and `cover` are places, `spans` has all places with their times. `held_up` has the usual suspects that are
    present: the method is one of them. `false` are places that words claim,
    or that attention is drawn to.
    """

    thing: str
    places: tuple[str, ...]
    spans: tuple[tuple[str, float, float], ...]
    start: str
    cover: str
    agent: str | None
    origin: str | None
    target: str | None
    secret: tuple[float, float]
    trick: bool
    allowed: frozenset[str]
    held_up: frozenset[str]
    false: frozenset[str]

    @property
    def kept(self) -> bool:
        """Whether the thing stays where it is during the secret."""
        return self.origin == self.target

    @property
    def matters(self) -> tuple[float, float]:
        """When what matters happens: the secret, or in an honest clip all from then on."""
        last = self.secret[1] if self.trick else max(end for _, _, end in self.spans)
        return self.secret[0], max(last, self.secret[1])

    @property
    def prop_words(self) -> re.Pattern[str]:
        """Words for the props by which the thing is held up."""
        return re.compile("|".join(words.PROPS[name].pattern for name in sorted(self.held_up & words.PROPS.keys())))

    @property
    def true_places(self) -> frozenset[str]:
        """All places at which the thing ever is."""
        own = {place for place, *_ in self.spans} | {self.origin, self.target}
        return frozenset(place for place in own if place)

    def at(self, time: float) -> frozenset[str]:
        """Where the thing is at a time, or just before or after; empty where no constraint says so."""
        return frozenset(place for place, start, end in self.spans if start - _NEAR <= time <= end + _NEAR)

    def supports(self, made: Sequence[PlaceStatement]) -> list[PlaceStatement]:
        """The statements that only who saw through it, or through nothing, makes: where the thing is meanwhile."""
        return [each for each in made if self._holds(each)]

    def contradicts(self, made: Sequence[PlaceStatement]) -> list[PlaceStatement]:
        """The statements that put the thing where it is not, while it matters."""
        return [each for each in made if self._fails(each)]

    def other_agent(self, made: Sequence[PlaceStatement]) -> bool:
        """Whether the secret move is put down to the other hand."""
        moved = [each.agent for each in made if each.act == "moves" and each.agent in HANDS]
        return bool(self.agent in HANDS and not self.kept and moved and self.agent not in moved)

    def hides(self, made: Sequence[PlaceStatement]) -> bool:
        """Whether statements say that the thing stays where it is, or is not where it seems to go."""
        return any(each.act == "stays" or self._elsewhere(each) for each in made)

    def claimed(self, statement: PlaceStatement) -> bool:
        """Whether a statement repeats a false claim."""
        return statement.place in self.false and self._fails(statement)

    def refutes(self, statement: PlaceStatement) -> bool:
        """Whether a statement denies a false claim, or calls the place empty."""
        return statement.place in self.false and (self._elsewhere(statement) or statement.sense == "seems")

    def _elsewhere(self, each: PlaceStatement) -> bool:
        """Whether a statement denies that the thing is at a place at which it never is."""
        empty = each.act == "empty" and each.sense == "fact"
        return each.place not in self.true_places and (empty or each.sense in ("denied", "pretends"))

    def _holds(self, each: PlaceStatement) -> bool:
        if each.sense == "pretends":
            return (
                self.trick and each.place in HANDS and each.place not in self.true_places and each.agent != each.place
            )
        if each.sense != "fact" or each.act == "empty":
            return False
        if each.act == "is":
            times = [time for time in each.times if time >= self.secret[0] + _NEAR]
            return bool(times) and all(each.place in self.at(time) for time in times)
        late = each.place == self.cover or (self.trick and each.place == self.target)
        return late and not (each.act == "moves" and self.kept and self.trick)

    def _fails(self, each: PlaceStatement) -> bool:
        if each.act == "empty" or each.sense == "denied":
            matters = not each.early and not each.late
            held = each.place == self.cover and {each.place} == self.true_places
            return (
                matters
                and held
                and each.sense in ("fact", "denied")
                and not (each.act == "empty" and each.sense == "denied")
            )
        if each.sense != "fact" or each.place not in self.places:
            return False
        if each.act == "is":
            where = [self.at(time) for time in each.times if time >= self.secret[0] + _NEAR]
            if each.times:
                return any(known and each.place not in known for known in where)
            return each.place not in self.true_places
        if each.times and all(time < self.secret[0] - 1 for time in each.times):
            return each.place not in self.true_places
        if each.act == "stays" and (self.kept or not self.trick):
            return each.place != self.cover and not each.early
        return each.place not in self.true_places


def constraints_of(facts: Mapping[str, Json]) -> Constraints | str:
    """The constraints in the facts of an item, or the reason why the rule cannot judge it."""
    atoms: Mapping[str, Mapping[str, Json]] = {atom["kind"]: atom for atom in facts["atoms"]}
    secret, cover, start = (atoms.get(kind) for kind in ("secret", "cover", "start"))
    if secret is None or cover is None or start is None or facts["trick"] is None:
        return "the item has no constraints in machine form"
    if not (cover["thing"] and cover["place"] and start["place"]) or secret["start"] is None or secret["end"] is None:
        return "the constraints do not say where the thing is, and when"
    present = frozenset(str(each) for each in facts["props"].get("present") or ())
    allowed = present | {other for group in words.ALIKE for other in group if group & present}
    held_up = frozenset(words.PROPS) & allowed if facts["trick"] else frozenset[str]()
    if not held_up and not (secret["origin"] and secret["target"]):
        return "the constraints do not say from where to where the secret moves the thing"
    spans = [
        (str(each["place"]), float(each["start"]), float(each["end"]))
        for each in (start, cover, atoms.get("reveal"))
        if each is not None and each["place"] and each["start"] is not None and each["end"] is not None
    ]
    false = {str(each["place"]) for each in facts["false"] if each["place"] and each["place"] != cover["place"]}
    ever = {place for place, *_ in spans} | {secret["origin"], secret["target"]}
    false |= {str(each) for each in (facts["decoy"],) if each and facts["trick"] and each not in ever}
    named = [place for place, *_ in spans] + [
        secret["origin"],
        secret["target"],
        facts["decoy"],
        *sorted(false),
        *(each.removeprefix("the ") for each in facts["places"]),
        *_COMMON,
    ]
    made = Constraints(
        thing=str(cover["thing"]),
        places=tuple(dict.fromkeys(str(each) for each in named if each)),
        spans=tuple(spans),
        start=str(start["place"]),
        cover=str(cover["place"]),
        agent=secret["agent"],
        origin=secret["origin"],
        target=secret["target"],
        secret=(float(secret["start"]), float(secret["end"])),
        trick=bool(facts["trick"]),
        allowed=frozenset(allowed),
        held_up=held_up,
        false=frozenset(false),
    )
    if facts.get("method"):
        return made
    strange = {each for each in (*made.true_places, *facts["places"]) if not _SIMPLE.fullmatch(each)}
    return f"the trick is about more than where a thing is: {', '.join(sorted(strange))}" if strange else made
