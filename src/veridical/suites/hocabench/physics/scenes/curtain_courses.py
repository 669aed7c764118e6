"""What is seen when the curtain opens: the courses of its events, and the laws that they keep or break."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.figures.clock import Clock
from veridical.suites.hocabench.physics.scene import Base, Course, Law, State, States, each_frame, value

_OPENING = 0.45
"""How long the curtain takes to open, in seconds."""
_GRADUAL = 0.6
_AWAY = 270.0
"""How high a hand lifts the vase, in units: out of the frame."""
_UP, _COMES, _RISES = 70.0, 0.35, 0.5
"""How high the vase is lifted within the frame (units), and how long a hand comes and the vase rises (s)."""


@dataclass(frozen=True, slots=True)
class Curtain:
    """Colors by name, the visitor's height, and when an event begins (seconds)."""

    color: str
    other: str
    drape: str
    coat: str
    vase: str
    height: float
    wall: int
    moment: float
    flipped: bool


def begins(base: Curtain, clock: Clock) -> int:
    """The frame in which all events of the scene begin."""
    return clock.frame(base.moment)


def _since(base: Curtain, clock: Clock, k: int) -> float:
    """Seconds since the frame before the event; positive from the event's frame on."""
    return clock.time(k - begins(base, clock) + 1)


def _state(base: Curtain, clock: Clock, k: int, *, opens: bool) -> dict[str, dict[str, float]]:
    time, since = clock.time(k), _since(base, clock, k)
    opening = max(0.0, min(1.0, since / _OPENING)) if opens else 0.0
    return {
        "curtain": {"open": opening, "sway": math.sin(2.4 * time)},
        "visitor": {"nod": 0.3 * math.sin(1.7 * time), "points": max(0.0, min(1.0, since / 0.5))},
        "vase": {"lift": 0.0, "cube": 0.0},
    }


def shows_triangle(base: Curtain, clock: Clock, course: Course) -> States:
    """A triangle of beams that no solid can be, or one that can, or a picture of the former."""
    exhibit = {"triangle": 1.0, "impossible": float(course != "plausible"), "drawn": float(course == "explained")}
    return _revealed(base, clock, lambda _since: exhibit)


def shows_hen(base: Curtain, clock: Clock, course: Course) -> States:
    """A hen as tall as the visitor, or of a hen's size."""
    height = 0.98 * base.height if course == "violating" else 0.32 * base.height

    def exhibit(since: float) -> dict[str, float]:
        return {"hen": height, "peck": max(0.0, math.sin(4.2 * since))}

    return _revealed(base, clock, exhibit)


def shows_board(base: Curtain, clock: Clock, course: Course) -> States:
    """A board before a rolling ball: the wood lets it through, hides it, or has a pane of glass in it."""
    clear, glass = float(course != "plausible"), float(course == "explained")

    def exhibit(since: float) -> dict[str, float]:
        phase = max(0.0, min(1.0, (since - 0.3) / 1.9))
        return {"board": 1.0, "clear": clear, "glass": glass, "ball": phase}

    return _revealed(base, clock, exhibit)


def _revealed(base: Curtain, clock: Clock, exhibit: Callable[[float], dict[str, float]]) -> States:
    states: list[State] = []
    for k in range(clock.frames):
        state = _state(base, clock, k, opens=True)
        since = _since(base, clock, k)
        states.append({**state, "exhibit": exhibit(since)} if since > 0 else state)
    return states


def morphs(base: Curtain, clock: Clock, course: Course) -> States:
    """The vase becomes a cube by itself; a hand lifts it and puts it back; or a hand takes it and brings a cube."""
    return [_vase_at(base, clock, k, course, morphing=True) for k in range(clock.frames)]


def vanishes(base: Curtain, clock: Clock, course: Course) -> States:
    """The vase is gone, or a hand takes it away."""
    return [_vase_at(base, clock, k, course, morphing=False) for k in range(clock.frames)]


def floats(base: Curtain, clock: Clock, course: Course) -> States:
    """The vase rises by itself and stays in the air; a hand lifts it and puts it back; or a hand holds it up."""
    if course == "plausible":
        return morphs(base, clock, course)
    states: list[State] = []
    for k in range(clock.frames):
        state, since = _state(base, clock, k, opens=False), _since(base, clock, k)
        came = _COMES if course == "explained" else 0.0
        share = max(0.0, min(1.0, (since - came) / _RISES))
        state["vase"]["lift"] = _UP * share * (2 - share)
        if course == "explained" and since > 0:
            reach = _AWAY * max(0.0, 1 - since / _COMES)
            state["hand"] = {"lift": max(reach, state["vase"]["lift"]), "holds": float(since >= came)}
        states.append(state)
    return states


def _vase_at(base: Curtain, clock: Clock, k: int, course: Course, *, morphing: bool) -> State:
    state, since = _state(base, clock, k, opens=False), _since(base, clock, k)
    if since <= 0:
        return state
    if course == "violating":
        if not morphing:
            del state["vase"]
        else:
            state["vase"]["cube"] = min(1.0, since / _GRADUAL)
        return state
    came, gone, back = _COMES, 0.8, 1.25
    lift = _AWAY * max(0.0, min(1.0, (since - came) / (gone - came)))
    if morphing and since > gone:
        lift = _AWAY * max(0.0, 1 - (since - gone) / (back - gone))
        state["vase"]["cube"] = float(course == "explained")
    if morphing and course == "plausible":
        lift *= _UP / _AWAY
    reach = _AWAY * max(0.0, 1 - since / came, (since - back - 0.1) / 0.4 if morphing else 0.0)
    state["vase"]["lift"] = lift
    state["hand"] = {
        "lift": min(_AWAY, max(reach, lift)),
        "holds": float(since >= came and (not morphing or since <= back)),
    }
    return state


def could_be_built() -> Law:
    """What stands on the stand is a body that can be built, or a picture."""
    return each_frame(
        "what stands there can be built",
        lambda _base, _clock, states, k: (
            value(states[k], "exhibit", "impossible") <= value(states[k], "exhibit", "drawn")
        ),
    )


def keeps_scale() -> Law:
    """A hen is at most a third as tall as a person."""
    return each_frame(
        "a hen has the size of a hen",
        lambda base, _clock, states, k: value(states[k], "exhibit", "hen") <= base.height / 3,
    )


def wood_hides() -> Law:
    """A board hides what is behind it, but for a pane of glass in it."""
    return each_frame(
        "wood hides what is behind it",
        lambda _base, _clock, states, k: value(states[k], "exhibit", "clear") <= value(states[k], "exhibit", "glass"),
    )


def keeps_form() -> Law:
    """The vase keeps its form while it stands; out of sight, a hand may take another thing."""

    def holds(_base: Base, _clock: Clock, states: States, k: int) -> bool:
        now, before = (value(states[j], "vase", "cube") for j in (k, k - 1))
        held = all(value(states[j], "hand", "holds") and value(states[j], "hand", "lift") > 150 for j in (k, k - 1))
        return now == before or "vase" not in states[k] or held

    return each_frame("the vase keeps its form", holds)


def weighs() -> Law:
    """The vase stands on the pedestal unless a hand holds it."""
    return each_frame(
        "the vase is in the air only in a hand",
        lambda _base, _clock, states, k: (
            value(states[k], "vase", "lift") == 0 or value(states[k], "hand", "holds") == 1
        ),
    )
