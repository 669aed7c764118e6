"""What happens at the street lamp: the courses of its events, and the laws that they keep or break."""

from __future__ import annotations

import math
from dataclasses import dataclass

from veridical.media.figures.clock import Clock
from veridical.suites.hocabench.physics.props_person import stride
from veridical.suites.hocabench.physics.scene import Base, Course, Law, State, States, each_frame, value

FLOOR = 314.0
OTHER_LAMP = 566.0
LAMP_HEIGHT = 278.0
STRIDE = 132 / (2 * math.pi)
"""A person walks on by 132 units, two steps, while the phase of the walk advances by 2π."""
_GRADUAL = 0.3
"""How long knees, an umbrella or a color take to change, in seconds."""


@dataclass(frozen=True, slots=True)
class StreetLamp:
    """Colors by name, where the lit lamp stands, the person's height, start and speed (units per second)."""

    color: str
    other: str
    sky: str
    hair: str
    lamp: float
    height: float
    start: float
    speed: float
    moment: float
    flipped: bool


def begins(base: StreetLamp, clock: Clock) -> int:
    """The frame in which all events of the scene begin."""
    return clock.frame(base.moment)


def cast(base: StreetLamp, lamps: dict[str, float], x: float) -> float:
    """The reach of a person's shadow, in units: away from the lamp that shines, at most 200."""
    lamp = base.lamp if lamps["first"] else OTHER_LAMP
    reach = (x - lamp) * base.height / (LAMP_HEIGHT - base.height)
    return max(-200.0, min(200.0, reach))


def _state(
    base: StreetLamp, x: float, person: dict[str, float] | None = None, lamps: dict[str, float] | None = None
) -> State:
    """The normal state with the person at x, but for what `person` and `lamps` state."""
    lit = {"first": 1.0, "second": 0.0, "window": 0.0, "tint": 0.0, **(lamps or {})}
    normal = {"x": x, "march": 0.0, "backward": 0.0, "changed": 0.0, "open": 0.0}
    return {"lamps": lit, "person": {**normal, **(person or {})}, "shadow": {"x": x, "reach": cast(base, lit, x)}}


def _along(base: StreetLamp, clock: Clock, k: int) -> tuple[float, float]:
    """Where the person is in frame k, and how far a gradual change is that starts with the event (0 to 1)."""
    share = (clock.time(k - begins(base, clock)) + 1 / clock.rate) / _GRADUAL
    return base.start + base.speed * clock.time(k), max(0.0, min(1.0, share))


def knees_backward(base: StreetLamp, clock: Clock, course: Course) -> States:
    """The knees bend forwards; in the control the person marches."""
    manner = "backward" if course == "violating" else "march"
    moments = (_along(base, clock, k) for k in range(clock.frames))
    return [_state(base, x, {manner: share}) for x, share in moments]


def shadow_turns(base: StreetLamp, clock: Clock, course: Course) -> States:
    """The shadow turns to the lamp; another lamp takes over, or only a window lights up."""
    states = []
    for k in range(clock.frames):
        x, share = _along(base, clock, k)
        if share and course == "explained":
            states.append(_state(base, x, lamps={"first": 0.0, "second": 1.0}))
        elif share and course == "violating":
            normal = _state(base, x)
            states.append({**normal, "shadow": {"x": x, "reach": -normal["shadow"]["reach"]}})
        else:
            states.append(_state(base, x, lamps={"window": float(share > 0)}))
    return states


def recolors(base: StreetLamp, clock: Clock, course: Course) -> States:
    """The coat changes its color; the lamp's light does; or an umbrella opens."""
    states = []
    for k in range(clock.frames):
        x, share = _along(base, clock, k)
        if course == "explained":
            states.append(_state(base, x, lamps={"tint": float(share > 0)}))
        else:
            states.append(_state(base, x, {"changed" if course == "violating" else "open": share}))
    return states


def fades_out(base: StreetLamp, clock: Clock, course: Course) -> States:
    """The person is gone from one frame to the next; in the control an umbrella opens."""
    states = []
    for k in range(clock.frames):
        x, share = _along(base, clock, k)
        state = _state(base, x, {"open": share})
        states.append({"lamps": state["lamps"]} if share and course == "violating" else state)
    return states


def knees_bend_back() -> Law:
    """The knees of a person only bend so that the shin goes back."""

    def holds(_base: Base, _clock: Clock, states: States, k: int) -> bool:
        person = states[k].get("person")
        if person is None:
            return True
        return min(stride(person["x"] / STRIDE, person["march"], person["backward"]).knees) >= -0.02

    return each_frame("knees bend backwards only", holds)


def lamps_and_shadow_agree() -> Law:
    """A person's shadow falls away from the lamp that shines."""

    def holds(base: Base, _clock: Clock, states: States, k: int) -> bool:
        if "person" not in states[k]:
            return "shadow" not in states[k]
        expected = cast(base, dict(states[k]["lamps"]), states[k]["person"]["x"])
        return abs(value(states[k], "shadow", "reach", math.inf) - expected) < 1

    return each_frame("the shadow falls away from the lamp", holds)
