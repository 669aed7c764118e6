"""The courses and the laws of the scene `bath`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.figures.clock import Clock
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.liquids import Body, ease, level_of, swell, volume
from veridical.suites.hocabench.physics.scene import Base, Course, State, States, each_frame, keeps, value

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

    color: str
    other: str
    duck: float
    candle: float
    depth: float
    moment: float
    mirrored: bool

    @property
    def amount(self) -> float:
        """The volume of the water."""
        return (RIGHT - LEFT) * self.depth


def sample(nuisances: Nuisances) -> Bath:
    color, side = nuisances.in_turn(DUCKS, ("left", "right"))
    return Bath(
        color=color,
        other=nuisances.one_of([each for each in (*DUCKS, "blue") if each not in (color, "orange", "yellow")]),
        duck=nuisances.between(420, 446),
        candle=nuisances.between(226, 258),
        depth=nuisances.between(106, 114),
        moment=nuisances.between(1.3, 1.75),
        mirrored=side == "right",
    )


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


def _candle(base: Bath, time: float) -> float:
    """The y of the candle's foot: it is let down slowly."""
    return 146 + 130 * ease(time, 0.25 * base.moment, 1.5 * base.moment)


def _level(base: Bath, amount: float, lean: float, candle: float, duck: float | None) -> float:
    """The mean level; a duck that floats (`None`) goes with it."""
    if duck is not None:
        return level_of(FLOOR, RIGHT - LEFT, amount, _bodies(base, lean, duck, candle))
    floats = amount + HULL[0] * _DEEP * DRAUGHT
    return level_of(FLOOR, RIGHT - LEFT, floats, _bodies(base, lean, -999.0, candle)[1:])


def state_of(base: Bath, time: float, duck: float | None = None, **more: float) -> State:
    """The state at a time; `duck` is the y of the duck's bottom where it does not float."""
    lean, gone, candle = more.get("lean", 0.0), more.get("gone", 0.0), _candle(base, time)
    level = _level(base, base.amount - gone - more.get("lost", 0.0), lean, candle, duck)
    water = {"level": level, "lean": lean, "swell": more.get("swell", 0.0)}
    state: dict[str, dict[str, float]] = {
        "water": water,
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


Outcome = Callable[[State, float], dict[str, float]]
"""What differs after the candle dips, from the last state before it and the time since then in seconds."""


def _quiet(base: Bath, clock: Clock) -> list[State]:
    return [state_of(base, clock.time(k)) for k in range(clock.frames)]


def dips(base: Bath, clock: Clock) -> int:
    """The first frame in which the candle's flame is under water."""
    return next(k for k, state in enumerate(_quiet(base, clock)) if _drowned(base, state))


def _drowned(base: Bath, state: State) -> bool:
    return state["candle"]["y"] - CANDLE[1] > surface_at(state, base.candle)


def log(base: Bath, clock: Clock, outcome: Outcome | None = None) -> list[State]:
    """The candle goes down, dips and goes out; an outcome changes what follows."""
    begin, states = dips(base, clock), _quiet(base, clock)
    for k in range(begin, clock.frames):
        age = clock.time(k - begin + 1)
        normal = {"lit": 0.0, "swell": swell(age)} | ({"puff": age} if age < 1.2 else {})
        changes = normal | (outcome(states[begin - 1], age) if outcome else {})
        states[k] = state_of(base, clock.time(k), changes.pop("duck", None), **changes)
    return states


def sinks(base: Bath, clock: Clock, course: Course) -> States:
    def down(before: State, age: float) -> dict[str, float]:
        return {"duck": min(FLOOR, before["duck"]["y"] + 115 * age)}

    def pushed(before: State, age: float) -> dict[str, float]:
        top = before["duck"]["y"] - HULL[1]
        if age < 0.25:
            return {"tip": top - 150 * (1 - ease(age, 0, 0.25)) - 1}
        bottom = before["duck"]["y"] + (FLOOR - before["duck"]["y"]) * ease(age, 0.25, 1.0)
        return {"duck": bottom, "tip": bottom - HULL[1]}

    return log(base, clock, {"violating": down, "explained": pushed}.get(course))


def leans(base: Bath, clock: Clock, course: Course) -> States:
    def slope(_before: State, age: float) -> dict[str, float]:
        return {"lean": ease(age, -0.1, 0.4) * min(1.0, 8 * age)}

    return log(base, clock, slope if course == "violating" else None)


def burns_on(base: Bath, clock: Clock, course: Course) -> States:
    def lit(_before: State, _age: float) -> dict[str, float]:
        return {"lit": 1.0}

    states = log(base, clock, lit if course == "violating" else None)
    if course == "violating":
        return [{name: entry for name, entry in state.items() if name != "smoke"} for state in states]
    return states


def runs_low(base: Bath, clock: Clock, course: Course) -> States:
    def lost(_before: State, age: float) -> dict[str, float]:
        gone = 0.62 * base.amount * ease(age, -0.2, 1.6) * min(1.0, 6 * age)
        if course == "violating":
            return {"lost": gone}
        return {"gone": gone, "up": ease(age, 0, 0.2), "flow": float(age < 1.6)}

    return log(base, clock, None if course == "plausible" else lost)


def turns(base: Bath, clock: Clock, course: Course) -> States:
    def other(_before: State, _age: float) -> dict[str, float]:
        return {"changed": 1.0}

    return log(base, clock, other if course == "violating" else None)


def _floats(base: Base, _clock: Clock, states: States, k: int) -> bool:
    state = states[k]
    below = state["duck"]["y"] - surface_at(state, base.duck)
    return bool(abs(below - DRAUGHT) < 1e-3 or value(state, "hand", "holds"))


def _conserved(base: Base, _clock: Clock, states: States, k: int) -> bool:
    state = states[k]
    bodies = _bodies(base, state["water"]["lean"], state["duck"]["y"], state["candle"]["y"])
    water = volume(FLOOR, RIGHT - LEFT, state["water"]["level"], bodies)
    return bool(abs(water + state["plug"]["gone"] - base.amount) < 1e-3)


def _goes_out(base: Base, _clock: Clock, states: States, k: int) -> bool:
    return not (states[k]["candle"]["lit"] and _drowned(base, states[k]))


FLOATS = each_frame("the duck floats unless it is held under", _floats, 0)
LEVEL = keeps("water", "lean")
GOES_OUT = each_frame("a flame goes out under water", _goes_out, 0)
CONSERVED = each_frame("the tub holds as much water as before, less what the drain takes", _conserved, 0)
SAME_COLOR = keeps("duck", "changed")
