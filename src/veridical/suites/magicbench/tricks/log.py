"""The state log of a performance: where everything is, who moves it, and what the audience sees, in seconds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from veridical.records import Json

Interval = tuple[float, float]
_SLACK = 1e-6


@dataclass(frozen=True, slots=True)
class Stay:
    """A thing is at a place from `start` to `end`; places are words, such as "right hand" or "under cup A"."""

    thing: str
    place: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Move:
    """An agent, which is a hand, takes a thing from `origin` to `target`; a feint ends where it began."""

    agent: str
    thing: str
    origin: str
    target: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Appearance:
    """A thing is seen from `start` to `end`; a `glimpse` shows a small part of it."""

    thing: str
    start: float
    end: float
    glimpse: bool = False


Event = Stay | Move | Appearance
_KINDS: dict[type[Event], str] = {Stay: "At", Move: "Move", Appearance: "Shown"}
"""What a set's truth calls the kinds of events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """What happens in one clip, and what it is about.

    `thing` is what the trick is done with. `agent` is the hand that does the secret move, in `secret`; the honest clip
    does openly at that time what the trick pretends. `cover` is when the audience has to remember where the thing is,
    `reveal` when it is shown what has become of it; `outcome` is when hands or things begin to go another way for it
    than in the unit's other clip, null where they do so from the secret on. `belief` is what the audience is to take
    for true. `decoy` is the entity that draws attention. `tell` is the entity, or the part of one ("coin/edge"), whose
    pixels give the secret away. `places` are all places that the thing could be thought to be at, in canonical order.
    `words` has the sentences for "secret" and "reveal"; and for "view" and "hidden" questions of its own, without their
    time, where a thing can be in view and yet not be told from others, as a card that shows its back. `hands` has the
    hand of each place that is a part of one, such as two of its fingers.
    """

    honest: bool
    seconds: float
    events: tuple[Event, ...]
    thing: str
    agent: str
    decoy: str
    tell: str
    secret: Interval
    cover: Interval
    reveal: Interval
    outcome: float | None
    belief: Stay
    places: tuple[str, ...]
    words: dict[str, str]
    hands: dict[str, str] = field(default_factory=dict)

    @property
    def things(self) -> tuple[str, ...]:
        """All things that have a place, in the order in which they are named."""
        return tuple(dict.fromkeys(event.thing for event in self.events if isinstance(event, Stay)))

    def ats(self, thing: str) -> list[Stay]:
        """The places of a thing in the order of time."""
        own = [event for event in self.events if isinstance(event, Stay) and event.thing == thing]
        return sorted(own, key=lambda at: at.start)

    def moves(self, thing: str | None = None) -> list[Move]:
        """The moves of a thing, or of all, in the order of time."""
        own = [event for event in self.events if isinstance(event, Move) and thing in (None, event.thing)]
        return sorted(own, key=lambda move: move.start)

    def place(self, thing: str, time: float) -> str:
        """Where a thing is; at the instant of a change, where it comes to. KeyError for a thing without a place."""
        for at in reversed(self.ats(thing)):
            if at.start <= time + _SLACK:
                return at.place
        raise KeyError(thing)

    def holder(self, thing: str, time: float) -> str | None:
        """The hand that holds a thing, of which it is on a part, or that moves it; `None` where no hand does."""
        place = self.place(thing, time)
        if place in self.hands or place.endswith("hand"):
            return self.hands.get(place, place)
        return next((move.agent for move in self.moves(thing) if move.start <= time < move.end), None)

    def visible(self, thing: str, time: float) -> bool:
        """Whether the audience sees the thing, be it a small part."""
        return any(shown.start <= time < shown.end for shown in self.shown(thing))

    def shown(self, thing: str) -> list[Appearance]:
        """When a thing is seen."""
        return [event for event in self.events if isinstance(event, Appearance) and event.thing == thing]

    def under(self, cover: str, time: float) -> list[str]:
        """The things that are under a cover."""
        return [thing for thing in self.things if self.place(thing, time) == f"under {cover}"]

    def stored(self) -> list[dict[str, Json]]:
        """The events as JSON, in the order of time."""
        ordered = sorted(self.events, key=lambda event: (event.start, event.end, _KINDS[type(event)]))
        return [
            {"event": _KINDS[type(event)], **{name: getattr(event, name) for name in event.__slots__}}
            for event in ordered
        ]


def problems(log: Log) -> Iterator[str]:
    """What is wrong with a log, a line each: permanence, continuity, and that its parts fit into its time.

    Permanence: a thing is in exactly one place at a time. Continuity: it changes place only while it is moved, or while
    what it is under, on or in is moved.
    """
    for thing in log.things:
        yield from _places(log, thing)
    for move in log.moves():
        ends = log.place(move.thing, move.start - 0.01), log.place(move.thing, move.end)
        if ends != (move.origin, move.target):
            yield f"{move.thing} moves from {move.origin} to {move.target}, yet its places are {ends}"
    for name, (start, end) in (("secret", log.secret), ("cover", log.cover), ("reveal", log.reveal)):
        if not 0 < start < end <= log.seconds + _SLACK:
            yield f"{name} from {start:.2f} s to {end:.2f} s is not within the clip"
    if log.reveal[1] - log.reveal[0] < 1.0 - _SLACK:
        yield f"the reveal lasts {log.reveal[1] - log.reveal[0]:.2f} s"
    if log.secret[1] - log.secret[0] < 0.5 - _SLACK:
        yield f"the secret lasts {log.secret[1] - log.secret[0]:.2f} s: no two of four frames per second lie within it"


def _places(log: Log, thing: str) -> Iterator[str]:
    """What is wrong with the places of a thing."""
    ats = log.ats(thing)
    if ats[0].start != 0 or abs(ats[-1].end - log.seconds) > _SLACK:
        yield f"{thing} has no place at the beginning or at the end"
    for before, after in pairwise(ats):
        if abs(before.end - after.start) > _SLACK:
            yield f"{thing} is in two places or in none from {before.end:.2f} s to {after.start:.2f} s"
        elif before.place != after.place and not _moved(log, before, after):
            yield f"{thing} comes from {before.place} to {after.place} at {after.start:.2f} s, and nothing moves it"


def _moved(log: Log, before: Stay, after: Stay) -> bool:
    """Whether something moves at a change of place: the thing itself, or what either place is named by, but for hands.

    What comes into a hand, or out of it, is moved itself.
    """
    places = before.place, after.place
    by_hand = any(place.endswith("hand") for place in places)
    for move in log.moves():
        if move.start - _SLACK <= after.start <= move.end + _SLACK and (
            (move.thing == before.thing and (move.origin, move.target) == places)
            or (move.thing != before.thing and not by_hand and any(p.endswith(move.thing) for p in places))
        ):
            return True
    return False
