"""What happens by candlelight: the courses of the events, and the laws that they keep or break."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.figures.clock import Clock
from veridical.suites.hocabench.physics.scene import Base, Course, Law, State, States, each_frame, value

FOOT = 296.0
HEIGHT = 84.0
CUP = 88.0
LAMP_X = 566.0
_FLAME_ABOVE, _LONGEST = 130.0, 150.0
HELD = 82.0
"""Where the top of the paper is while its lower edge is in the flame, in units from the frame's top."""
_GRADUAL, _APPROACH = 0.4, 0.55
AWAY, HIGH = 330.0, 40.0
"""How high a hand takes the cup, in units, and from where on its shadow no longer lies on the table."""
Quantities = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Candle:
    """Colors by name, where candles and cup stand, and when an event begins (seconds)."""

    color: str
    other: str
    wax: str
    wall: int
    candle: float
    cup: float
    stub: float
    moment: float
    flipped: bool


def begins(base: Candle, clock: Clock) -> int:
    """The frame in which all events of the scene begin."""
    return clock.frame(base.moment)


def _since(base: Candle, clock: Clock, k: int) -> float:
    """Seconds since the frame before the event; positive from the event's frame on."""
    return clock.time(k - begins(base, clock) + 1)


def cast(base: Candle, state: State, x: float) -> float:
    """The reach of the shadow of a thing as tall as the cup: away from the light, 0 without any."""
    if value(state, "lamp", "on") and not value(state, "flame", "lit"):
        source = LAMP_X
    elif value(state, "flame", "lit"):
        source = base.candle
    else:
        return 0.0
    reach = (x - source) * CUP / (_FLAME_ABOVE - CUP)
    return max(-_LONGEST, min(_LONGEST, reach))


def _state(base: Candle, clock: Clock, k: int) -> Quantities:
    time = clock.time(k)
    return {
        "flame": {"lit": 1.0, "sway": 0.12 * math.sin(9 * time) + 0.06 * math.sin(23 * time)},
        "cup": {"x": base.cup, "lift": 0.0, "changed": 0.0},
        "stub": {"melted": 0.0, "lit": 0.0},
        "lamp": {"on": 0.0, "tint": 0.0},
    }


def _each(base: Candle, clock: Clock, change: Callable[[Quantities, float], None]) -> list[State]:
    """The states, changed from the event on, each with the shadow of the cup that follows from it."""
    states: list[State] = []
    for k in range(clock.frames):
        state, since = _state(base, clock, k), _since(base, clock, k)
        if since > 0:
            change(state, since)
        if "shadow" not in state and value(state, "cup", "lift", AWAY) <= HIGH:
            state["shadow"] = {"x": state["cup"]["x"], "reach": cast(base, state, state["cup"]["x"])}
        states.append(state)
    return states


def paper_in_flame(base: Candle, clock: Clock, course: Course) -> States:
    """A hand brings paper into the flame: it stays as it is, burns, or the flame goes out."""
    states: list[State] = []
    for k in range(clock.frames):
        state, since = _state(base, clock, k), _since(base, clock, k)
        gone = max(0.0, -(since - 1 / clock.rate) / _APPROACH)
        x = base.candle + 165 * min(1.0, gone) + 4 * math.sin(3 * max(0.0, since))
        y = HELD - 220 * max(0.0, gone - 1)
        burnt = max(0.0, min(1.0, since / 1.7)) if course == "plausible" else 0.0
        if y > -170:
            state["paper"] = {"x": x, "y": y, "charred": burnt, "within": float(gone == 0)}
        if since > 0 and course == "explained":
            state["flame"]["lit"] = 0.0
            state["smoke"] = {"age": since}
        state["shadow"] = {"x": base.cup, "reach": cast(base, state, base.cup)}
        states.append(state)
    return states


def candle_melts(base: Candle, clock: Clock, course: Course) -> States:
    """The unlit candle melts by itself; a torch melts it; or a lighter lights it."""

    def change(state: Quantities, since: float) -> None:
        if course == "violating":
            state["stub"]["melted"] = min(1.0, since / 1.5)
            return
        away = max(0.0, 1 - since / 0.3)
        if course == "explained":
            state["torch"] = {"away": away}
            state["stub"]["melted"] = max(0.0, min(1.0, (since - 0.35) / 1.5))
        else:
            leaves = max(0.0, min(1.0, (since - 0.7) / 0.4))
            state["lighter"] = {"away": max(away, leaves)}
            state["stub"]["lit"] = float(since > 0.4)

    return _each(base, clock, change)


def shadow_turns(base: Candle, clock: Clock, course: Course) -> States:
    """The cup's shadow turns to the candle; a lamp takes over from it; or a hand moves the cup, and its shadow."""

    def change(state: Quantities, since: float) -> None:
        if course == "violating":
            swing = 1 - 2 * min(1.0, since / 0.3)
            state["shadow"] = {"x": base.cup, "reach": swing * cast(base, state, base.cup)}
        elif course == "explained":
            state["flame"]["lit"] = 0.0
            state["lamp"]["on"] = 1.0
            state["smoke"] = {"age": since}
        else:
            _pushed(base, state, since)

    return _each(base, clock, change)


def piece_comes(base: Candle, clock: Clock, course: Course) -> States:
    """A hand puts a triangle on the table that no solid can be, or one that can, or a picture of the former."""

    def change(state: Quantities, since: float) -> None:
        lift = 200 * max(0.0, 1 - since / 0.5)
        left = AWAY * max(0.0, min(1.0, (since - 0.7) / 0.5))
        impossible, drawn = float(course != "plausible"), float(course == "explained")
        state["piece"] = {"lift": lift, "hand": max(lift, left), "impossible": impossible, "drawn": drawn}

    return _each(base, clock, change)


def _pushed(base: Candle, state: Quantities, since: float) -> None:
    """A hand comes down, pushes the cup 46 units away from the candle, and leaves."""
    came, left = min(1.0, since / 0.3), max(0.0, min(1.0, (since - 1.1) / 0.4))
    state["cup"]["x"] += 46 * max(0.0, min(1.0, (since - 0.35) / 0.6))
    state["hand"] = {"lift": AWAY * max(1 - came, left), "holds": float(came == 1 and left == 0)}


def cup_recolors(base: Candle, clock: Clock, course: Course) -> States:
    """The cup changes its color; a colored lamp lights up; or a hand moves the cup."""

    def change(state: Quantities, since: float) -> None:
        if course == "violating":
            state["cup"]["changed"] = min(1.0, since / _GRADUAL)
        elif course == "explained":
            state["lamp"] = {"on": 1.0, "tint": 1.0}
        else:
            _pushed(base, state, since)

    return _each(base, clock, change)


def cup_vanishes(base: Candle, clock: Clock, course: Course) -> States:
    """The cup is gone with its shadow, or a hand takes it away."""

    def change(state: Quantities, since: float) -> None:
        if course == "violating":
            del state["cup"]
            return
        lift = AWAY * max(0.0, min(1.0, (since - 0.3) / 0.5))
        state["cup"]["lift"] = lift
        state["hand"] = {"lift": max(lift, AWAY * (1 - min(1.0, since / 0.3))), "holds": float(since >= 0.3)}

    return _each(base, clock, change)


def burns() -> Law:
    """Paper in a flame burns on until it is used up."""

    def holds(_base: Base, _clock: Clock, states: States, k: int) -> bool:
        if not all(value(states[j], "paper", "within") and value(states[j], "flame", "lit") for j in (k - 1, k)):
            return True
        now, before = (value(states[j], "paper", "charred") for j in (k, k - 1))
        return now > before or now == 1

    return each_frame("paper in a flame burns", holds)


def melts_by_heat() -> Law:
    """Wax keeps its form unless a torch heats it."""

    def holds(_base: Base, _clock: Clock, states: States, k: int) -> bool:
        now, before = (value(states[j], "stub", "melted") for j in (k, k - 1))
        return now == before or value(states[k], "torch", "away", 1.0) == 0

    return each_frame("wax melts by heat only", holds)


def shadows_fall_away() -> Law:
    """The cup's shadow falls away from the light that shines on it."""

    def holds(base: Base, _clock: Clock, states: States, k: int) -> bool:
        if value(states[k], "cup", "lift", AWAY) > HIGH:
            return "shadow" not in states[k]
        return abs(value(states[k], "shadow", "reach") - cast(base, states[k], states[k]["cup"]["x"])) < 1

    return each_frame("the shadow falls away from the light", holds)


def could_be_built() -> Law:
    """What a hand puts on the table is a body that can be built, or a picture."""
    return each_frame(
        "what is put on the table can be built",
        lambda _base, _clock, states, k: value(states[k], "piece", "impossible") <= value(states[k], "piece", "drawn"),
    )
