"""What happens by candlelight: the courses of the events, and the laws that they keep or break."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.figures.clock import Clock
from veridical.media.figures.palette import COLORS
from veridical.suite.nuisance_fields import one_of, uniform
from veridical.suites.hocabench.physics.law import each_frame, no_more_than
from veridical.suites.hocabench.physics.play import Instant, Play, frame_by_frame
from veridical.suites.hocabench.physics.props_candle import WAX
from veridical.suites.hocabench.physics.state import Course, Quantities, State, States, clamp_to_one, value

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
WAXES = {"white": WAX, "red": (186, 62, 58), "green": (84, 140, 96)}


@dataclass(frozen=True, slots=True)
class Candle:
    """Colors by name, where candles and cup stand, and when an event begins (seconds)."""

    color: str = one_of(sorted(COLORS))
    other: str = one_of(("blue", "green", "purple", "red"), unlike=("color",))
    wax: str = one_of(sorted(WAXES))
    wall: int = one_of((0, 1, 2, 3))
    candle: float = uniform(136, 170)
    cup: float = uniform(318, 352)
    stub: float = uniform(532, 552)
    moment: float = uniform(1.3, 1.7)
    flipped: bool = one_of((False, True))


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


def _candlelight(change: Callable[[Candle, Course, Quantities, Instant], None]) -> Play:
    """Makes a play out of a function that changes the state of a frame; the shadow of the cup follows from it."""

    @frame_by_frame
    def play(base: Candle, course: Course, now: Instant) -> State:
        state: Quantities = {
            "flame": {"lit": 1.0, "sway": 0.12 * math.sin(9 * now.time) + 0.06 * math.sin(23 * now.time)},
            "cup": {"x": base.cup, "lift": 0.0, "changed": 0.0},
            "stub": {"melted": 0.0, "lit": 0.0},
            "lamp": {"on": 0.0, "tint": 0.0},
        }
        change(base, course, state, now)
        if "shadow" not in state and value(state, "cup", "lift", AWAY) <= HIGH:
            state["shadow"] = {"x": state["cup"]["x"], "reach": cast(base, state, state["cup"]["x"])}
        return state

    return play


def _then(change: Callable[[Candle, Course, Quantities, float], None]) -> Play:
    """The same, changed from the event on, by the seconds since the frame before it."""

    @_candlelight
    def play(base: Candle, course: Course, state: Quantities, now: Instant) -> None:
        if now.since > 0:
            change(base, course, state, now.since)

    return play


@_candlelight
def paper_in_flame(base: Candle, course: Course, state: Quantities, now: Instant) -> None:
    """A hand brings paper into the flame: it stays as it is, burns, or the flame goes out."""
    since = now.since
    gone = max(0.0, -(since - now.step) / _APPROACH)
    x = base.candle + 165 * min(1.0, gone) + 4 * math.sin(3 * max(0.0, since))
    y = HELD - 220 * max(0.0, gone - 1)
    burnt = clamp_to_one(since / 1.7) if course == "plausible" else 0.0
    if y > -170:
        state["paper"] = {"x": x, "y": y, "charred": burnt, "within": float(gone == 0)}
    if since > 0 and course == "explained":
        state["flame"]["lit"] = 0.0
        state["smoke"] = {"age": since}


@_then
def candle_melts(_base: Candle, course: Course, state: Quantities, since: float) -> None:
    """The unlit candle melts by itself; a torch melts it; or a lighter lights it."""
    away = max(0.0, 1 - since / 0.3)
    if course == "violating":
        state["stub"]["melted"] = min(1.0, since / 1.5)
    elif course == "explained":
        state["torch"] = {"away": away}
        state["stub"]["melted"] = clamp_to_one((since - 0.35) / 1.5)
    else:
        state["lighter"] = {"away": max(away, clamp_to_one((since - 0.7) / 0.4))}
        state["stub"]["lit"] = float(since > 0.4)


@_then
def shadow_turns(base: Candle, course: Course, state: Quantities, since: float) -> None:
    """The cup's shadow turns to the candle; a lamp takes over from it; or a hand moves the cup, and its shadow."""
    if course == "violating":
        swing = 1 - 2 * min(1.0, since / 0.3)
        state["shadow"] = {"x": base.cup, "reach": swing * cast(base, state, base.cup)}
    elif course == "explained":
        state["flame"]["lit"] = 0.0
        state["lamp"]["on"] = 1.0
        state["smoke"] = {"age": since}
    else:
        _push(state, since)


@_then
def piece_comes(_base: Candle, course: Course, state: Quantities, since: float) -> None:
    """A hand puts a triangle on the table that no solid can be, or one that can, or a picture of the former."""
    lift = 200 * max(0.0, 1 - since / 0.5)
    left = AWAY * clamp_to_one((since - 0.7) / 0.5)
    impossible, drawn = float(course != "plausible"), float(course == "explained")
    state["piece"] = {"lift": lift, "hand": max(lift, left), "impossible": impossible, "drawn": drawn}


def _push(state: Quantities, since: float) -> None:
    """A hand comes down, pushes the cup 46 units away from the candle, and leaves."""
    came, left = min(1.0, since / 0.3), clamp_to_one((since - 1.1) / 0.4)
    state["cup"]["x"] += 46 * clamp_to_one((since - 0.35) / 0.6)
    state["hand"] = {"lift": AWAY * max(1 - came, left), "holds": float(came == 1 and left == 0)}


@_then
def cup_recolors(_base: Candle, course: Course, state: Quantities, since: float) -> None:
    """The cup changes its color; a colored lamp lights up; or a hand moves the cup."""
    if course == "violating":
        state["cup"]["changed"] = min(1.0, since / _GRADUAL)
    elif course == "explained":
        state["lamp"] = {"on": 1.0, "tint": 1.0}
    else:
        _push(state, since)


@_then
def cup_vanishes(_base: Candle, course: Course, state: Quantities, since: float) -> None:
    """The cup is gone with its shadow, or a hand takes it away."""
    if course == "violating":
        del state["cup"]
        return
    lift = AWAY * clamp_to_one((since - 0.3) / 0.5)
    state["cup"]["lift"] = lift
    state["hand"] = {"lift": max(lift, AWAY * (1 - min(1.0, since / 0.3))), "holds": float(since >= 0.3)}


@each_frame("paper in a flame burns")
def burns(_base: Candle, _clock: Clock, states: States, k: int) -> bool:
    if not all(value(states[j], "paper", "within") and value(states[j], "flame", "lit") for j in (k - 1, k)):
        return True
    now, before = (value(states[j], "paper", "charred") for j in (k, k - 1))
    return now > before or now == 1


@each_frame("wax melts by heat only")
def melts_by_heat(_base: Candle, _clock: Clock, states: States, k: int) -> bool:
    now, before = (value(states[j], "stub", "melted") for j in (k, k - 1))
    return now == before or value(states[k], "torch", "away", 1.0) == 0


@each_frame("the shadow falls away from the light")
def shadows_fall_away(base: Candle, _clock: Clock, states: States, k: int) -> bool:
    if value(states[k], "cup", "lift", AWAY) > HIGH:
        return "shadow" not in states[k]
    return abs(value(states[k], "shadow", "reach") - cast(base, states[k], states[k]["cup"]["x"])) < 1


could_be_built = no_more_than("what is put on the table can be built", ("piece", "impossible"), ("piece", "drawn"))
