"""The courses and the laws of the scene `bath`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.figures.clock import Clock
from veridical.suite.nuisance_fields import between, in_turn, one_of
from veridical.suites.hocabench.physics.law import each_frame, keeps
from veridical.suites.hocabench.physics.liquids import Body, ease, level_of, swell, volume
from veridical.suites.hocabench.physics.play import Instant, Play, outcome
from veridical.suites.hocabench.physics.state import Course, Quantities, State, States, value

LEFT, RIGHT, RIM, FLOOR = 132.0, 508.0, 114.0, 284.0
DRAIN = 176.0
HULL = (92.0, 38.0)
"""The duck's width and the height of the part that swims; 0.35 of it lies in the water."""
DRAUGHT = 0.35 * HULL[1]
CANDLE = (24.0, 44.0)
_DEEP = 0.5
"""How deep the duck is, as a share of the tub's depth."""
_LEANS = 46.0
DUCKS = ("yellow", "orange", "green", "red", "purple")


@dataclass(frozen=True, slots=True)
class Bath:
    """The duck's colors and place, the candle's place, the water's depth, and about when the candle dips (seconds)."""

    color: str = in_turn(DUCKS)
    other: str = one_of((*DUCKS, "blue"), but=("orange", "yellow"), unlike=("color",))
    duck: float = between(420, 446)
    candle: float = between(226, 258)
    depth: float = between(106, 114)
    moment: float = between(1.3, 1.75)
    mirrored: bool = in_turn((False, True))

    @property
    def amount(self) -> float:
        """The volume of the water."""
        return (RIGHT - LEFT) * self.depth


def surface_at(state: State, x: float) -> float:
    """The y of the water's surface at a place, waves left out."""
    share = (x - LEFT) / (RIGHT - LEFT)
    return state["water"]["level"] - _LEANS * state["water"]["lean"] * (2 * share - 1)


def _bodies(base: Bath, lean: float, duck: float, candle: float) -> list[Body]:
    """The bodies in the water, each as far below the mean level as it is below the surface above it."""
    bodies = []
    for x, bottom, high, wide in ((base.duck, duck, HULL[1], HULL[0] * _DEEP), (base.candle, candle, CANDLE[1], 5.0)):
        lifted = _LEANS * lean * (2 * (x - LEFT) / (RIGHT - LEFT) - 1)
        bodies.append(Body(bottom + lifted, high, wide))
    return bodies


def _level(base: Bath, amount: float, lean: float, candle: float, duck: float | None) -> float:
    """The mean level; a duck that floats (`None`) goes with it."""
    if duck is not None:
        return level_of(FLOOR, RIGHT - LEFT, amount, _bodies(base, lean, duck, candle))
    floats = amount + HULL[0] * _DEEP * DRAUGHT
    return level_of(FLOOR, RIGHT - LEFT, floats, _bodies(base, lean, -999.0, candle)[1:])


def state_of(base: Bath, time: float, duck: float | None = None, **more: float) -> State:
    """The state at a time; `duck` is the y of the duck's bottom where it does not float."""
    lean, gone = more.get("lean", 0.0), more.get("gone", 0.0)
    candle = 146 + 130 * ease(time, 0.25 * base.moment, 1.5 * base.moment)
    level = _level(base, base.amount - gone - more.get("lost", 0.0), lean, candle, duck)
    state: Quantities = {
        "water": {"level": level, "lean": lean, "swell": more.get("swell", 0.0)},
        "candle": {"y": candle, "lit": more.get("lit", 1.0), "time": time},
        "plug": {"up": more.get("up", 0.0), "gone": gone, "flow": more.get("flow", 0.0)},
    }
    floating = surface_at(state, base.duck) + DRAUGHT
    state["duck"] = {"y": floating if duck is None else duck, "changed": more.get("changed", 0.0)}
    if "tip" in more:
        state["hand"] = {"y": more["tip"], "holds": float(more["tip"] >= state["duck"]["y"] - HULL[1] - 0.5)}
    if "puff" in more:
        state["smoke"] = {"age": more["puff"]}
    return state


def dips(base: Bath, clock: Clock) -> int:
    """The first frame in which the candle's flame is under water."""
    return next(k for k in range(clock.frames) if _drowned(base, state_of(base, clock.time(k))))


def _drowned(base: Bath, state: State) -> bool:
    return state["candle"]["y"] - CANDLE[1] > surface_at(state, base.candle)


def _dip(change: Callable[[Bath, Course, Instant], dict[str, float]]) -> Play:
    """The candle goes down, dips and goes out; in other courses than the plausible one, `change` says what differs."""

    @outcome(state_of, dips, control=True)
    def play(base: Bath, course: Course, now: Instant) -> State:
        changes = {"lit": 0.0, "swell": swell(now.since)}
        changes |= {} if course == "plausible" else change(base, course, now)
        if now.since < 1.2 and not changes["lit"]:
            changes["puff"] = now.since
        return state_of(base, now.time, changes.pop("duck", None), **changes)

    return play


@_dip
def sinks(base: Bath, course: Course, now: Instant) -> dict[str, float]:
    """The duck sinks by itself, or a hand pushes it under."""
    age, y = now.since, state_of(base, now.last)["duck"]["y"]
    if course == "violating":
        return {"duck": min(FLOOR, y + 115 * age)}
    if age < 0.25:
        return {"tip": y - HULL[1] - 150 * (1 - ease(age, 0, 0.25)) - 1}
    bottom = y + (FLOOR - y) * ease(age, 0.25, 1.0)
    return {"duck": bottom, "tip": bottom - HULL[1]}


@_dip
def leans(_base: Bath, _course: Course, now: Instant) -> dict[str, float]:
    return {"lean": ease(now.since, -0.1, 0.4) * min(1.0, 8 * now.since)}


@_dip
def burns_on(_base: Bath, _course: Course, _now: Instant) -> dict[str, float]:
    return {"lit": 1.0}


@_dip
def runs_low(base: Bath, course: Course, now: Instant) -> dict[str, float]:
    """The water goes missing, or a hand pulls the plug."""
    gone = 0.62 * base.amount * ease(now.since, -0.2, 1.6) * min(1.0, 6 * now.since)
    if course == "violating":
        return {"lost": gone}
    return {"gone": gone, "up": ease(now.since, 0, 0.2), "flow": float(now.since < 1.6)}


@_dip
def turns(_base: Bath, _course: Course, _now: Instant) -> dict[str, float]:
    return {"changed": 1.0}


@each_frame("the duck floats unless it is held under", 0)
def floats(base: Bath, _clock: Clock, states: States, k: int) -> bool:
    below = states[k]["duck"]["y"] - surface_at(states[k], base.duck)
    return bool(abs(below - DRAUGHT) < 1e-3 or value(states[k], "hand", "holds"))


@each_frame("the tub holds as much water as before, less what the drain takes", 0)
def conserved(base: Bath, _clock: Clock, states: States, k: int) -> bool:
    state = states[k]
    bodies = _bodies(base, state["water"]["lean"], state["duck"]["y"], state["candle"]["y"])
    water = volume(FLOOR, RIGHT - LEFT, state["water"]["level"], bodies)
    return bool(abs(water + state["plug"]["gone"] - base.amount) < 1e-3)


@each_frame("a flame goes out under water", 0)
def goes_out(base: Bath, _clock: Clock, states: States, k: int) -> bool:
    return not (states[k]["candle"]["lit"] and _drowned(base, states[k]))


level = keeps("water", "lean")
same_color = keeps("duck", "changed")
