"""What happens beside the parked car: the courses of the events, and the laws that they keep or break."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.figures.clock import Clock
from veridical.suites.hocabench.physics.props_animals import nose
from veridical.suites.hocabench.physics.props_car import BUMPER
from veridical.suites.hocabench.physics.scene import Base, Course, Law, State, States, each_frame, value

ROAD, NEARER = 318.0, 12.0
"""Where the car stands, and how much nearer to the viewer the dog does."""
_DOWN, _UP = -1.0, 0.72
"""The pitch of the dog's head while it sniffs, and when it is raised, in radians."""
_RAISING, _GRADUAL, _ROPE = 0.7, 0.35, 0.3
_HIGH, _RISES = 128.0, 0.6
"""How high the car rises with all its wheels (units), and how long that takes (s)."""
_ENTRY = (-30.0, 212.0)


@dataclass(frozen=True, slots=True)
class Dog:
    """Colors by name, the dog's height, where the car's rear wheel stands, and when an event begins (seconds)."""

    color: str
    other: str
    coat: str
    dyed: str
    hedge: int
    height: float
    rear: float
    start: float
    moment: float
    flipped: bool


def begins(base: Dog, clock: Clock) -> int:
    """The frame in which all events of the scene begin."""
    return clock.frame(base.moment)


def _since(base: Dog, clock: Clock, k: int) -> float:
    """Seconds since the frame before the event; positive from the event's frame on."""
    return clock.time(k - begins(base, clock) + 1)


def _goal(base: Dog) -> float:
    """Where the dog stands when its nose is at the bumper."""
    return base.rear + BUMPER[0] + 4 - nose((0, 0), base.height, _DOWN)[0]


def _state(base: Dog, clock: Clock, k: int, raised: float = 0.0) -> dict[str, dict[str, float]]:
    """The dog walks to the bumper and sniffs at it; `raised` is how far its head is up again (0 to 1)."""
    goal, arrival = _goal(base), base.moment - 0.45
    share = min(1.0, clock.time(k) / arrival)
    x = base.start + share * (goal - base.start)
    sniffs = max(0.0, min(1.0, (clock.time(k) - arrival + 0.35) / 0.4))
    pitch = 0.45 + sniffs * (_DOWN - 0.45) + raised * (_UP - _DOWN)
    walk = 0.13 * (goal - x) if share < 1 else 0.0
    return {
        "dog": {"x": x, "pitch": pitch, "walk": walk, "wag": math.sin(11 * clock.time(k)), "dyed": 0.0},
        "car": {"x": base.rear, "tilt": 0.0, "up": 0.0},
    }


def _each(base: Dog, clock: Clock, change: Callable[[dict[str, dict[str, float]], float], None]) -> list[State]:
    """The normal states, changed from the event on; `change` gets the state and the seconds since the event."""
    states: list[State] = []
    for k in range(clock.frames):
        since = _since(base, clock, k)
        state = _state(base, clock, k, _raised(since))
        if since > 0:
            change(state, since)
        states.append(state)
    return states


def _raised(since: float) -> float:
    share = max(0.0, min(1.0, (since - 0.02) / _RAISING))
    return share * share * (3 - 2 * share)


def _backs_away(state: dict[str, dict[str, float]], since: float) -> None:
    """The driver backs the car away, with 400 units per second squared."""
    state["car"]["x"] += 200 * since**2


def _tilt(base: Dog, state: State) -> float:
    """How far the car is lifted when its bumper is at the dog's nose, in radians."""
    dog = state["dog"]
    tip = nose((dog["x"], ROAD + NEARER), base.height, dog["pitch"])
    return math.asin(max(0.0, min(0.7, (ROAD + BUMPER[1] - tip[1]) / -BUMPER[0])))


def lifts_car(base: Dog, clock: Clock, course: Course) -> States:
    """The dog lifts the car's front; a rope does; or the car backs away."""

    def change(state: dict[str, dict[str, float]], since: float) -> None:
        if course == "plausible":
            _backs_away(state, since)
            return
        if course == "explained":
            state["rope"] = {"down": min(1.0, since / _ROPE)}
            state["dog"]["pitch"] = _DOWN + _raised(since - _ROPE) * (_UP - _DOWN)
            if since < _ROPE:
                return
        state["car"]["tilt"] = max(_tilt(base, state), 0.002)

    return _each(base, clock, change)


def car_floats(base: Dog, clock: Clock, course: Course) -> States:
    """The car rises by itself and stays in the air; a crane lifts it; or it backs away."""

    def change(state: dict[str, dict[str, float]], since: float) -> None:
        if course == "plausible":
            _backs_away(state, since)
            return
        if course == "explained":
            state["crane"] = {"down": min(1.0, since / _ROPE)}
            since -= _ROPE
        share = max(0.0, min(1.0, since / _RISES))
        state["car"]["up"] = _HIGH * share * (2 - share)

    return _each(base, clock, change)


def butterfly_comes(base: Dog, clock: Clock, course: Course) -> States:
    """A butterfly larger than the dog; a kite of that form on its line; or a balloon with a small butterfly."""

    def change(state: dict[str, dict[str, float]], since: float) -> None:
        x = _ENTRY[0] + (_ENTRY[1] - _ENTRY[0]) * math.tanh(1.7 * since)
        y = 96 + 14 * math.sin(3.1 * since)
        flap = 0.5 - 0.5 * math.cos(13 * since)
        if course == "explained":
            state["butterfly"] = {"x": x, "y": y, "span": 1.9 * base.height, "flap": 0.0, "line": 1.0}
            return
        size = 1.9 * base.height if course == "violating" else 0.32 * base.height
        state["butterfly"] = {"x": x, "y": y, "span": size, "flap": flap, "line": 0.0}
        if course == "plausible":
            state["butterfly"]["x"] += 92
            state["balloon"] = {"x": x, "y": y - 14}

    return _each(base, clock, change)


def crate_comes(base: Dog, clock: Clock, course: Course) -> States:
    """A crate comes down on a rope: one that can be built, or not."""

    def change(state: dict[str, dict[str, float]], since: float) -> None:
        y = -90 + 162 * math.tanh(3.0 * since)
        x = 118 + 4 * math.sin(2.6 * since)
        state["crate"] = {"x": x, "y": y, "impossible": float(course == "violating")}

    return _each(base, clock, change)


def dog_changes(base: Dog, clock: Clock, course: Course) -> States:
    """The dog's fur changes its color; in the control the car backs away."""

    def change(state: dict[str, dict[str, float]], since: float) -> None:
        if course == "violating":
            state["dog"]["dyed"] = min(1.0, since / _GRADUAL)
        else:
            _backs_away(state, since)

    return _each(base, clock, change)


def car_vanishes(base: Dog, clock: Clock, course: Course) -> States:
    """The car is gone; in the control it backs away."""

    def change(state: dict[str, dict[str, float]], since: float) -> None:
        if course == "violating":
            del state["car"]
        else:
            _backs_away(state, since)

    return _each(base, clock, change)


def strength_has_limits() -> Law:
    """No dog lifts a car: its front leaves the ground only on a rope."""
    return each_frame(
        "the car's front stays down unless a rope lifts it",
        lambda _base, _clock, states, k: value(states[k], "car", "tilt") == 0 or value(states[k], "rope", "down") == 1,
    )


def weighs() -> Law:
    """The car stands on the road unless a crane holds it."""
    return each_frame(
        "the car stands on the road unless a crane holds it",
        lambda _base, _clock, states, k: value(states[k], "car", "up") == 0 or value(states[k], "crane", "down") == 1,
    )


def could_be_built() -> Law:
    """A crate's front beams pass in front of those of its back."""
    return each_frame(
        "the crate can be built", lambda _base, _clock, states, k: not value(states[k], "crate", "impossible")
    )


def keeps_scale() -> Law:
    """A butterfly is small; a kite need not be."""

    def holds(base: Base, _clock: Clock, states: States, k: int) -> bool:
        small = value(states[k], "butterfly", "span") <= base.height / 3
        return small or value(states[k], "butterfly", "line") == 1

    return each_frame("a butterfly has the size of a butterfly", holds)
