"""How goods ride on the belt in each course, and the laws that they keep or break."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from veridical.media.figures.clock import Clock, along
from veridical.suites.hocabench.physics.scene import Base, Course, Law, State, States, each_frame, value

MOUTH, BELT = 158.0, 250.0
"""The x at which the belt leaves the tunnel, and the y of its upper side."""
GRIP = 640.0
"""How fast the belt takes a crate along or brakes it, in units per second squared."""
_AWAY = 330.0


@dataclass(frozen=True, slots=True)
class Conveyor:
    """Colors by name; lengths in units, the speed in units per second, the event's time in seconds."""

    color: str
    other: str
    goods: str
    apple: str
    coat: str
    wall: str
    hair: int
    height: float
    side: float
    small: float
    speed: float
    place: float
    moment: float
    mirrored: bool


def begins(base: Conveyor, clock: Clock) -> int:
    """The frame in which all events of the scene begin."""
    return clock.frame(base.moment)


def reach(goods: Mapping[str, float]) -> float:
    """How far goods from the tunnel reach from their middle to each side, in units."""
    return 70.0 if goods["apple"] > 0 else 78.0


def _states(base: Conveyor, clock: Clock, after: Callable[[float], State]) -> States:
    """The goods ride on; from the event on they do what `after` says, by the time since the frame before."""
    begin = begins(base, clock)
    last = clock.time(begin - 1)
    return [
        belt_state(base, clock.time(k) - last) if k < begin else after(clock.time(k) - last)
        for k in range(clock.frames)
    ]


def belt_state(base: Conveyor, since: float) -> dict[str, dict[str, float]]:
    """The belt runs and takes both crates along; `since` is the time since the frame before the event."""
    return _state(base, base.speed * since, base.speed)


def _state(base: Conveyor, way: float, speed: float) -> dict[str, dict[str, float]]:
    """Everything has ridden `way` units on since the frame before the event."""
    return {
        "belt": {"way": way, "speed": speed},
        "crate": {"x": base.place + way, "speed": speed, "lift": 0.0, "round": 0.0},
        "small": {"x": base.place - base.side / 2 - base.small + way, "speed": speed},
    }


def _slides(base: Conveyor, since: float) -> tuple[float, float]:
    """How far a crate slides on a belt that has stopped, and how fast it still is."""
    left = max(0.0, base.speed - GRIP * since)
    return (base.speed**2 - left**2) / (2 * GRIP), left


def slides_on(base: Conveyor, clock: Clock, course: Course) -> States:
    """The belt stops, and the crate slides on as fast as before, or stops too, or a hand draws it on."""
    catch = 0.25

    def after(since: float) -> State:
        slid, left = _slides(base, since)
        state = _state(base, 0.0, 0.0)
        state["small"] = {"x": state["small"]["x"] + slid, "speed": left}
        state["crate"] |= {"x": base.place + slid, "speed": left}
        if course == "violating":
            state["crate"] |= {"x": base.place + base.speed * since, "speed": base.speed}
        elif course == "explained":
            drawn = max(0.0, since - catch)
            state["crate"]["x"] += base.speed * drawn
            if drawn:
                state["crate"]["speed"] = base.speed
            state["hand"] = {"above": _AWAY * max(0.0, 1 - since / catch), "holds": float(drawn > 0)}
        return state

    return _states(base, clock, after)


def brings_triangle(base: Conveyor, clock: Clock, course: Course) -> States:
    """A triangle that no solid can be comes out of the tunnel, or one that can, or a picture of the former."""
    return _brings(base, clock, float(course != "plausible"), float(course == "explained"), 0.0)


def brings_apple(base: Conveyor, clock: Clock, course: Course) -> States:
    """A huge apple comes out of the tunnel, or a crate of apples."""
    return _brings(base, clock, 0.0, 0.0, 64.0 if course == "violating" else 14.0)


def _brings(base: Conveyor, clock: Clock, impossible: float, drawn: float, apple: float) -> States:
    goods = {"x": 0.0, "impossible": impossible, "drawn": drawn, "apple": apple}

    def after(since: float) -> State:
        x = MOUTH + 10 - reach(goods) + base.speed * since
        return {**belt_state(base, since), "goods": {**goods, "x": x}}

    return _states(base, clock, after)


def vanishes(base: Conveyor, clock: Clock, course: Course) -> States:
    """The crate is gone from the belt, or a hand lifts it off."""

    def after(since: float) -> State:
        state = belt_state(base, since)
        del state["crate"]
        return state

    return _states(base, clock, after if course == "violating" else lambda since: _lifted(base, since))


def becomes_barrel(base: Conveyor, clock: Clock, course: Course) -> States:
    """The crate becomes a barrel by itself, or a hand lifts it off."""

    def after(since: float) -> State:
        state = belt_state(base, since)
        state["crate"]["round"] = min(1.0, since / 0.5)
        return state

    return _states(base, clock, after if course == "violating" else lambda since: _lifted(base, since))


def _lifted(base: Conveyor, since: float) -> State:
    """A hand comes in, grips the crate and lifts it off the belt."""
    state = belt_state(base, since)
    gripped = max(0.0, since - 0.25)
    way = base.speed * (min(since, 0.25) + 0.4 * (1 - math.exp(-gripped / 0.4)))
    state["crate"] |= {"x": base.place + way, "lift": along([(0.25, 0), (1.3, _AWAY)], since)}
    state["hand"] = {"above": _AWAY * max(0.0, 1 - since / 0.25), "holds": float(since >= 0.25)}
    return state


def _braked(base: Base, clock: Clock, states: States, k: int) -> bool:
    now, before = states[k], states[k - 1]
    if value(now, "hand", "holds") or value(before, "hand", "holds"):
        return True
    for name in ("crate", "small"):
        if name in now and name in before:
            slip, was = (each[name]["speed"] - now["belt"]["speed"] for each in (now, before))
            if abs(slip) > max(1e-9, abs(was) - 0.9 * GRIP / clock.rate):
                return False
    return True


def rubs() -> Law:
    """What lies on the belt comes to the belt's speed, at least as fast as nine tenths of its grip allow."""
    return each_frame("the belt grips what lies on it", _braked)


def could_be_built() -> Law:
    """What the belt brings can be built, or is a picture."""
    return each_frame(
        "what the belt brings can be built",
        lambda _base, _clock, states, k: value(states[k], "goods", "impossible") <= value(states[k], "goods", "drawn"),
    )


def keeps_scale() -> Law:
    """An apple is at most an eighth as tall as a person is."""
    return each_frame(
        "an apple has the size of an apple",
        lambda base, _clock, states, k: 2 * value(states[k], "goods", "apple") <= base.height / 8,
    )
