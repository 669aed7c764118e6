"""The courses and the laws of the scene `tank`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.figures.clock import Clock
from veridical.suite.nuisance_fields import draw, take_turns, uniform
from veridical.suites.hocabench.physics.law import each_frame, keeps
from veridical.suites.hocabench.physics.liquids import UprightBody, ease, level_of, path, sink_distance, swell, volume
from veridical.suites.hocabench.physics.play import Begins, Play, at_moment, play
from veridical.suites.hocabench.physics.state import Course, State, States, update, value

LEFT, RIGHT, TOP, FLOOR = 262.0, 582.0, 112.0, 284.0
TABLE = 290.0
SCALE = 120.0
_GROUND = 358.0
PAN = 246.0
DEEP = 0.6
"""How deep a thing is, as a share of the tank's depth."""
DENSITY = {"iron weight": 7.8, "brick": 2.0, "stone block": 2.6, "lead block": 11.3}


@dataclass(frozen=True, slots=True)
class Tank:
    """The thing, its size, where it dips in, the water's depth, when it is let go (seconds), and the room's °C."""

    thing: str = take_turns(sorted(DENSITY))
    kilos: int = draw(lambda nuisances, drawn: round(DENSITY[drawn["thing"]] * nuisances.between(0.9, 1.3)))
    wide: float = uniform(76, 92)
    high: float = uniform(52, 62)
    place: float = uniform(370, 470)
    depth: float = uniform(96, 112)
    moment: float = uniform(1.4, 1.8)
    warm: int = draw(lambda nuisances, _: int(nuisances.between(19, 25)))
    mirrored: bool = take_turns((False, True))

    @property
    def amount(self) -> float:
        """The volume of the water."""
        return (RIGHT - LEFT) * self.depth


def bodies(base: Tank, state: State) -> list[UprightBody]:
    """What is in the tank: the thing with the shaft that the water keeps open above it, if there is one."""
    squat = 1 - 0.6 * state["thing"]["flat"]
    thing = UprightBody(state["thing"]["y"], base.high * squat + state["water"]["shaft"], base.wide * DEEP / squat)
    return [thing] if state["thing"]["x"] > LEFT else []


def wet(base: Tank, state: State) -> bool:
    """Whether the thing is in the water."""
    return any(each.below(state["water"]["level"], FLOOR) > 0 for each in bodies(base, state))


def _let_go(base: Tank) -> float:
    """The y of the thing's bottom when it is let go: half of it is in the water."""
    return FLOOR - base.depth + 0.5 * base.high


def state_of(
    base: Tank, at: tuple[float, float], hand: tuple[float, float] | None, added: float = 0.0, **more: float
) -> State:
    """The state with the thing's bottom at a place; `hand` is where a hand grips, `added` the water from the tap."""
    changed = {"clear": 0.0, "flat": 0.0, "frozen": 0.0, "shaft": 0.0, "swell": 0.0, "tap": 0.0, "extra": 0.0} | more
    amount = base.amount + added + changed["extra"]
    state: dict[str, dict[str, float]] = {
        "thing": {"x": at[0], "y": at[1], "clear": changed["clear"], "flat": changed["flat"]},
        "water": {"level": 0.0, "shaft": changed["shaft"], "swell": changed["swell"], "frozen": changed["frozen"]},
        "scale": {"load": float(at[1] >= PAN and at[0] < LEFT)},
        "tap": {"open": changed["tap"], "added": added},
    }
    state["water"]["level"] = level_of(FLOOR, RIGHT - LEFT, amount, bodies(base, state))
    if hand is not None:
        holds = abs(hand[1] - (at[1] - base.high - 12)) < 0.5
        state["hand"] = {"x": hand[0], "y": hand[1], "holds": float(holds)}
    return state


def _carry(base: Tank, time: float) -> State:
    """A hand lifts the thing from the scale and lowers it into the water."""
    end, high = base.moment, 84.0
    stations = [(0.14 * end, SCALE, PAN), (0.42 * end, SCALE, high), (0.7 * end, base.place, high)]
    x, y = path(time, [*stations, (end, base.place, _let_go(base))])
    reach = 70 * (1 - ease(time, 0.0, 0.12 * base.moment))
    return state_of(base, (x, y), (x, y - base.high - 12 - reach))


def _leave(base: Tank, age: float) -> tuple[float, float] | None:
    """Where the hand is that has let go."""
    y = _let_go(base) - base.high - 14 - 260 * ease(age, -0.15, 0.6) * min(1.0, 8 * age)
    return (base.place, y) if y > -60 else None


def _depth(base: Tank, age: float, floor: float = FLOOR) -> float:
    """The y of the bottom of the thing that sinks."""
    return min(floor, _let_go(base) + sink_distance(age, DENSITY[base.thing]))


def _landing(base: Tank) -> float:
    """When the thing that sinks reaches the floor, in seconds after it is let go."""
    early, late = 0.0, 4.0
    for _ in range(40):
        middle = (early + late) / 2
        early, late = (early, middle) if _depth(base, middle) >= FLOOR else (middle, late)
    return late


def _sink(base: Tank, age: float, **more: float) -> State:
    """The thing sinks; the water swells as it comes in, and again as it hits the floor."""
    waves = swell(age) + swell(age - _landing(base), 9.0)
    return state_of(base, (base.place, _depth(base, age)), _leave(base, age), swell=waves, **more)


Outcome = Callable[[Tank, float], State]
"""The state at a time after the thing is let go, in seconds since then."""


def log(base: Tank, clock: Clock, after: Outcome = _sink) -> list[State]:
    """The thing is carried, let go, and then what comes after."""
    begin = at_moment(base, clock)
    last = clock.time(begin - 1)
    times = [clock.time(k) for k in range(clock.frames)]
    return [_carry(base, time) if k < begin else after(base, time - last) for k, time in enumerate(times)]


def touches(base: Tank, clock: Clock) -> int:
    """The first frame in which the thing is in the water."""
    return next(k for k, state in enumerate(log(base, clock)) if wet(base, state))


def submersion_frame(base: Tank, clock: Clock) -> int:
    """The first frame in which the thing is under water."""
    states = log(base, clock)
    tops = [state["thing"]["y"] - base.high for state in states]
    return next(k for k in range(touches(base, clock), len(states)) if tops[k] > states[k]["water"]["level"] + 0.5)


def lands(base: Tank, clock: Clock) -> int:
    """The first frame in which the thing lies on the floor."""
    return next(k for k, state in enumerate(log(base, clock)) if state["thing"]["y"] >= FLOOR)


def _immersion(begins: Begins) -> Callable[[Callable[[Tank, Course, float], State]], Play]:
    """Makes a play out of what comes after the thing is let go; in the plausible course it sinks."""

    def made(after: Callable[[Tank, Course, float], State]) -> Play:
        def states(base: Tank, clock: Clock, course: Course) -> States:
            return log(base, clock, _sink if course == "plausible" else lambda base, age: after(base, course, age))

        return Play(begins, states)

    return made


@_immersion(at_moment)
def floats(base: Tank, course: Course, age: float) -> State:
    """The thing bobs up and floats, or the hand keeps hold of it."""
    y = _let_go(base) - 12 + 12 * math.cos(9 * age) * math.exp(-0.8 * age)
    held = (base.place, y - base.high - 12)
    return state_of(base, (base.place, y), held if course == "explained" else _leave(base, age), swell=swell(age))


@play(submersion_frame)
def keeps_a_shaft(base: Tank, clock: Clock, course: Course) -> States:
    """The water does not close above the thing."""
    states, begin = log(base, clock), submersion_frame(base, clock)

    def cut(base: Tank, age: float) -> State:
        share = base.wide * DEEP / (RIGHT - LEFT)
        shaft = (_depth(base, age) - (FLOOR - base.depth)) / (1 - share) - base.high
        return _sink(base, age, shaft=max(0.0, shaft))

    return states if course == "plausible" else states[:begin] + log(base, clock, cut)[begin:]


@_immersion(at_moment)
def rises(base: Tank, course: Course, age: float) -> State:
    """The water rises by itself, or a tap fills the tank."""
    more = 46 * (RIGHT - LEFT) * ease(age, -0.1, 1.2) * min(1.0, 10 * age)
    if course == "explained":
        return _sink(base, age, added=more, tap=1.0 if age < 1.2 else 0.0)
    return _sink(base, age, extra=more)


@play(touches)
def becomes_clear(base: Tank, clock: Clock, course: Course) -> States:
    states, begin = log(base, clock), touches(base, clock)
    if course == "plausible":
        return states
    return [s if k < begin else update(s, "thing", clear=1.0) for k, s in enumerate(states)]


@_immersion(lands)
def drops_through(base: Tank, _course: Course, age: float) -> State:
    return state_of(base, (base.place, _depth(base, age, _GROUND)), _leave(base, age), swell=swell(age))


@play(lands)
def goes_flat(base: Tank, clock: Clock, course: Course) -> States:
    """The thing sags into a flat lump on the floor."""
    down = lands(base, clock)

    def sag(base: Tank, age: float) -> State:
        since = age - clock.time(down - at_moment(base, clock) + 1)
        return _sink(base, age, flat=ease(since, -0.1, 0.6) if since > -1e-6 else 0.0)

    return log(base, clock, _sink if course == "plausible" else sag)


@play(lands)
def freezes(base: Tank, clock: Clock, course: Course) -> States:
    """The water freezes from below."""
    states, begin = log(base, clock), lands(base, clock)
    for k in range(begin, clock.frames) if course == "violating" else ():
        states[k] = update(states[k], "water", frozen=ease(clock.time(k - begin + 1), -0.1, 0.9))
    return states


@each_frame("what is denser than water sinks unless it is held")
def sinks(base: Tank, _clock: Clock, states: States, k: int) -> bool:
    now, before = states[k]["thing"], states[k - 1]["thing"]
    held = value(states[k], "hand", "holds")
    return not wet(base, states[k]) or bool(held) or now["y"] > before["y"] or now["y"] >= FLOOR


@each_frame("the tank holds as much water as before and what the tap adds", 0)
def is_conserved(base: Tank, _clock: Clock, states: States, k: int) -> bool:
    water = volume(FLOOR, RIGHT - LEFT, states[k]["water"]["level"], bodies(base, states[k]))
    return bool(abs(water - base.amount - states[k]["tap"]["added"]) < 1e-3)


@each_frame("the water freezes only in the cold", 0)
def liquid(base: Tank, _clock: Clock, states: States, k: int) -> bool:
    return not states[k]["water"]["frozen"] or base.warm <= 0


@each_frame("the thing stays above the floor")
def solid(_base: Tank, _clock: Clock, states: States, k: int) -> bool:
    return states[k]["thing"]["y"] <= FLOOR + 1e-6


closes = keeps("water", "shaft")
opaque = keeps("thing", "clear")
stiff = keeps("thing", "flat")
