"""What happens at the campfire: the courses of the events, and the laws that they keep or break."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.figures.clock import Clock
from veridical.suites.hocabench.physics.scene import Base, Course, Law, State, States, each_frame, value

FIRE = 400.0
_REACH = 0.9
"""How long the person's shadow is, in units per unit of distance from the fire."""
_LOWERING, _GRADUAL, _USED = 0.5, 0.45, 1.8

Quantities = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Campfire:
    """Colors by name, where the person stands and how tall they are, and when an event begins (seconds)."""

    color: str
    hair: str
    sky: int
    place: float
    height: float
    moment: float
    flipped: bool


def begins(base: Campfire, clock: Clock) -> int:
    """The frame in which all events of the scene begin."""
    return clock.frame(base.moment)


def _since(base: Campfire, clock: Clock, k: int) -> float:
    """Seconds since the frame before the event; positive from the event's frame on."""
    return clock.time(k - begins(base, clock) + 1)


def _played(base: Campfire, clock: Clock, change: Callable[[Quantities, float], None]) -> list[State]:
    """The states, with what `change` does from the seconds since the event."""
    states: list[State] = []
    for k in range(clock.frames):
        time = clock.time(k)
        state: Quantities = {
            "fire": {"sway": 0.1 * math.sin(8 * time) + 0.07 * math.sin(19 * time), "beat": math.sin(11 * time)},
            "person": {"lowered": 0.0, "raised": 0.0, "stretch": 1.0, "nod": 0.2 * math.sin(1.5 * time)},
            "shadow": {"reach": -cast(base)},
        }
        change(state, _since(base, clock, k))
        states.append(state)
    return states


def cast(base: Campfire) -> float:
    """How far the person's shadow reaches away from the fire, in units."""
    return _REACH * (FIRE - base.place) * 0.6


def _held(base: Campfire, clock: Clock, course: Course, *, snow: bool) -> States:
    """The person lowers paper or snow on a stick into the fire; it is used up, but not in the violating course."""

    def change(state: Quantities, since: float) -> None:
        lowered = max(0.0, min(1.0, 1 + (since - 1 / clock.rate) / _LOWERING))
        state["person"]["lowered"] = lowered
        gone = max(0.0, min(1.0, since / _USED)) if course == "plausible" else 0.0
        state["load"] = {"snow": float(snow), "gone": gone, "within": float(lowered == 1)}

    return _played(base, clock, change)


def paper_in_fire(base: Campfire, clock: Clock, course: Course) -> States:
    """Paper on a stick stays as it is in the fire, or burns."""
    return _held(base, clock, course, snow=False)


def snow_in_fire(base: Campfire, clock: Clock, course: Course) -> States:
    """A snowman on a stick stays as it is in the fire, or melts."""
    return _held(base, clock, course, snow=True)


def arm_stretches(base: Campfire, clock: Clock, course: Course) -> States:
    """The person raises an arm, which grows to more than twice its length; in the control it does not grow."""

    def change(state: Quantities, since: float) -> None:
        share = max(0.0, min(1.0, since / _GRADUAL))
        state["person"]["raised"] = share
        if course == "violating":
            state["person"]["stretch"] = 1 + 1.15 * share

    return _played(base, clock, change)


def shadow_turns(base: Campfire, clock: Clock, course: Course) -> States:
    """The person's shadow turns to the fire; in the control the person raises an arm."""

    def change(state: Quantities, since: float) -> None:
        share = max(0.0, min(1.0, since / _GRADUAL))
        if course == "violating":
            state["shadow"]["reach"] *= 1 - 2 * share
        else:
            state["person"]["raised"] = share

    return _played(base, clock, change)


def fire_uses_up(thing: str, snow: bool) -> Law:
    """Paper burns and snow melts while it is in the fire."""

    def holds(_base: Base, _clock: Clock, states: States, k: int) -> bool:
        now, before = states[k].get("load"), states[k - 1].get("load")
        if now is None or before is None or now["snow"] != snow or not (now["within"] and before["within"]):
            return True
        return now["gone"] > before["gone"] or now["gone"] == 1

    return each_frame(f"{thing} is used up in a fire", holds)


def arms_keep_length() -> Law:
    """An arm keeps its length."""
    return each_frame(
        "an arm keeps its length", lambda _base, _clock, states, k: value(states[k], "person", "stretch") == 1
    )


def shadow_falls_away() -> Law:
    """The person's shadow falls away from the fire."""
    return each_frame(
        "the shadow falls away from the fire",
        lambda base, _clock, states, k: abs(value(states[k], "shadow", "reach") + cast(base)) < 1,
    )
