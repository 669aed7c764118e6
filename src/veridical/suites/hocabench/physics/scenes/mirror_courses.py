"""What happens before the mirror: the courses of its events, and the laws that they keep or break."""

from __future__ import annotations

import math
from dataclasses import dataclass

from veridical.media.figures.clock import Clock
from veridical.suites.hocabench.physics.scene import Base, Course, Law, State, States, each_frame

_FASTEST_TURN = 3.6
"""How fast a head turns, in radians per second."""
_SIDE, _LIMIT = 1.3, 1.38
"""How far a head turns before the event, and how far it can turn, in radians."""
_GRADUAL = 0.35


@dataclass(frozen=True, slots=True)
class Mirror:
    """Colors by name, where the person stands, their size and sway in units, and when an event begins (seconds)."""

    color: str
    other: str
    wall: str
    hair: str
    skin: int
    place: float
    size: float
    sway: float
    moment: float
    flipped: bool


def begins(base: Mirror, clock: Clock) -> int:
    """The frame in which all events of the scene begin."""
    return clock.frame(base.moment)


def _since(base: Mirror, clock: Clock, k: int) -> float:
    """Seconds since the frame before the event; positive from the event's frame on."""
    return clock.time(k - begins(base, clock) + 1)


def _body(base: Mirror, clock: Clock, k: int, **changes: float) -> dict[str, float]:
    """A person who sways and looks a little to and fro."""
    phase = math.pi * clock.time(k)
    normal = {"x": base.place + base.sway * math.sin(phase), "turn": 0.35 * math.sin(0.8 * phase)}
    return {**normal, "drop": 0.0, "arm": 0.12, "elbow": 0.08, "changed": 0.0, **changes}


def _both(body: dict[str, float], **bulbs: float) -> State:
    return {"person": body, "reflection": body, "bulbs": {"on": 0.0, "tint": 0.0, **bulbs}}


def _waving(since: float) -> dict[str, float]:
    """The angles of an arm that goes up and waves."""
    share = max(0.0, min(1.0, since / _GRADUAL))
    elbow = 0.42 * math.sin(7.0 * since) if share == 1 else 0.0
    return {"arm": 0.12 + 2.35 * share, "elbow": 0.08 + share * (0.5 + elbow)}


def reflection_waves(base: Mirror, clock: Clock, course: Course) -> States:
    """The reflection waves alone; in the control both wave."""
    states = []
    for k in range(clock.frames):
        still, waving = _body(base, clock, k), _body(base, clock, k, **_waving(_since(base, clock, k)))
        states.append(_both(waving) if course == "plausible" else {**_both(still), "reflection": waving})
    return states


def spins_head(base: Mirror, clock: Clock, course: Course) -> States:
    """The head turns to the side before the event, and then on and on, or back and to the other side."""
    states = []
    for k in range(clock.frames):
        since = _since(base, clock, k)
        turn = max(0.0, _SIDE + _FASTEST_TURN * since)
        if since > 0 and course == "plausible":
            turn = _SIDE * math.cos(_FASTEST_TURN / _SIDE * since)
        states.append(_both(_body(base, clock, k, turn=turn)))
    return states


def vanishes(base: Mirror, clock: Clock, course: Course) -> States:
    """The person is gone, and the reflection with them; in the control they bend down in the light of the bulbs."""
    states = []
    for k in range(clock.frames):
        since = _since(base, clock, k)
        state = _both(
            _body(base, clock, k, drop=95 * math.sin(math.pi * max(0.0, min(1.0, since / 1.6))) ** 0.7),
            on=float(since > 0),
        )
        states.append({"bulbs": state["bulbs"]} if since > 0 and course == "violating" else state)
    return states


def turns_other(base: Mirror, clock: Clock, course: Course) -> States:
    """The jacket changes its color; or bulbs light up, white ones or colored ones."""
    states = []
    for k in range(clock.frames):
        share = max(0.0, min(1.0, _since(base, clock, k) / _GRADUAL))
        if course == "violating":
            states.append(_both(_body(base, clock, k, changed=share)))
        else:
            tint = float(course == "explained" and share > 0)
            states.append(_both(_body(base, clock, k), on=float(share > 0), tint=tint))
    return states


def mirror_agrees() -> Law:
    """The mirror shows the person, in the same pose, whenever the person is before it."""

    def holds(_base: Base, _clock: Clock, states: States, k: int) -> bool:
        return states[k].get("reflection") == states[k].get("person")

    return each_frame("the mirror image moves as the person does", holds)


def neck_holds() -> Law:
    """A head turns by at most 79 degrees to either side."""

    def holds(_base: Base, _clock: Clock, states: States, k: int) -> bool:
        return "person" not in states[k] or abs(states[k]["person"]["turn"]) <= _LIMIT

    return each_frame("the head turns to the shoulder at most", holds)
