"""The courses and the laws of the scene `tank`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.figures.clock import Clock
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.liquids import Body, ease, level_of, path, sink_distance, swell, volume
from veridical.suites.hocabench.physics.scene import Base, Course, State, States, each_frame, keeps, value

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

    thing: str
    kilos: int
    wide: float
    high: float
    place: float
    depth: float
    moment: float
    warm: int
    mirrored: bool

    @property
    def amount(self) -> float:
        """The volume of the water."""
        return (RIGHT - LEFT) * self.depth


def sample(nuisances: Nuisances) -> Tank:
    thing, side = nuisances.in_turn(sorted(DENSITY), ("left", "right"))
    return Tank(
        thing=thing,
        kilos=round(DENSITY[thing] * nuisances.between(0.9, 1.3)),
        wide=nuisances.between(76, 92),
        high=nuisances.between(52, 62),
        place=nuisances.between(370, 470),
        depth=nuisances.between(96, 112),
        moment=nuisances.between(1.4, 1.8),
        warm=int(nuisances.between(19, 25)),
        mirrored=side == "right",
    )


def bodies(base: Tank, state: State) -> list[Body]:
    """What is in the tank: the thing with the shaft that the water keeps open above it, if there is one."""
    squat = 1 - 0.6 * state["thing"]["flat"]
    thing = Body(state["thing"]["y"], base.high * squat + state["water"]["shaft"], base.wide * DEEP / squat)
    return [thing] if state["thing"]["x"] > LEFT else []


def wet(base: Tank, state: State) -> bool:
    """Whether the thing is in the water."""
    return any(each.below(state["water"]["level"], FLOOR) > 0 for each in bodies(base, state))


def release_frame(base: Tank, clock: Clock) -> int:
    return clock.frame(base.moment)


def _let_go(base: Tank) -> float:
    """The y of the thing's bottom when it is let go: half of it is in the water."""
    return FLOOR - base.depth + 0.5 * base.high


def _carried(base: Tank, time: float) -> tuple[float, float]:
    end = base.moment
    high, low = 84.0, _let_go(base)
    stations = [(0.14 * end, SCALE, PAN), (0.42 * end, SCALE, high), (0.7 * end, base.place, high)]
    return path(time, [*stations, (end, base.place, low)])


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


def _before(base: Tank, time: float) -> State:
    x, y = _carried(base, time)
    reach = 70 * (1 - ease(time, 0.0, 0.12 * base.moment))
    return state_of(base, (x, y), (x, y - base.high - 12 - reach))


Outcome = Callable[[Tank, float], State]
"""The state at a time after the thing is let go, in seconds since then."""


def _leaving(base: Tank, age: float) -> tuple[float, float] | None:
    y = _let_go(base) - base.high - 14 - 260 * ease(age, -0.15, 0.6) * min(1.0, 8 * age)
    return (base.place, y) if y > -60 else None


def _falls(base: Tank, age: float) -> float:
    return _let_go(base) + sink_distance(age, DENSITY[base.thing])


def _sinks(base: Tank, age: float, **more: float) -> State:
    y = min(FLOOR, _falls(base, age))
    return state_of(base, (base.place, y), _leaving(base, age), swell=swell(age), **more)


def log(base: Tank, clock: Clock, outcome: Outcome = _sinks) -> list[State]:
    """The thing is carried, let go, and then the outcome."""
    begin = release_frame(base, clock)
    last = clock.time(begin - 1)
    return [
        _before(base, clock.time(k)) if k < begin else outcome(base, clock.time(k) - last) for k in range(clock.frames)
    ]


def touches(base: Tank, clock: Clock) -> int:
    """The first frame in which the thing is in the water."""
    return next(k for k, state in enumerate(log(base, clock)) if wet(base, state))


def under(base: Tank, clock: Clock) -> int:
    """The first frame in which the thing is under water."""
    states = log(base, clock)
    tops = [state["thing"]["y"] - base.high for state in states]
    return next(k for k in range(touches(base, clock), len(states)) if tops[k] > states[k]["water"]["level"] + 0.5)


def lands(base: Tank, clock: Clock) -> int:
    """The first frame in which the thing lies on the floor."""
    return next(k for k, state in enumerate(log(base, clock)) if state["thing"]["y"] >= FLOOR)


def floats(base: Tank, clock: Clock, course: Course) -> States:
    def bobs(base: Tank, age: float) -> State:
        y = _let_go(base) - 12 + 12 * math.cos(9 * age) * math.exp(-0.8 * age)
        held = (base.place, y - base.high - 12)
        return state_of(base, (base.place, y), held if course == "explained" else _leaving(base, age), swell=swell(age))

    return log(base, clock) if course == "plausible" else log(base, clock, bobs)


def keeps_a_shaft(base: Tank, clock: Clock, course: Course) -> States:
    states, begin = log(base, clock), under(base, clock)
    if course == "plausible":
        return states

    def cut(base: Tank, age: float) -> State:
        y = min(FLOOR, _falls(base, age))
        share = base.wide * DEEP / (RIGHT - LEFT)
        shaft = (y - (FLOOR - base.depth)) / (1 - share) - base.high
        return state_of(base, (base.place, y), _leaving(base, age), swell=swell(age), shaft=max(0.0, shaft))

    return states[:begin] + log(base, clock, cut)[begin:]


def rises(base: Tank, clock: Clock, course: Course) -> States:
    def fills(base: Tank, age: float) -> State:
        more = 46 * (RIGHT - LEFT) * ease(age, -0.1, 1.2) * min(1.0, 10 * age)
        if course == "explained":
            return _sinks(base, age, added=more, tap=1.0 if age < 1.2 else 0.0)
        return _sinks(base, age, extra=more)

    return log(base, clock) if course == "plausible" else log(base, clock, fills)


def becomes_clear(base: Tank, clock: Clock, course: Course) -> States:
    states, begin = log(base, clock), touches(base, clock)
    if course == "plausible":
        return states
    return [s if k < begin else {**s, "thing": {**s["thing"], "clear": 1.0}} for k, s in enumerate(states)]


def drops_through(base: Tank, clock: Clock, course: Course) -> States:
    def on(base: Tank, age: float) -> State:
        return state_of(base, (base.place, min(_GROUND, _falls(base, age))), _leaving(base, age), swell=swell(age))

    return log(base, clock) if course == "plausible" else log(base, clock, on)


def goes_flat(base: Tank, clock: Clock, course: Course) -> States:
    down = lands(base, clock)

    def sags(base: Tank, age: float) -> State:
        since = age - clock.time(down - release_frame(base, clock) + 1)
        return _sinks(base, age, flat=ease(since, -0.1, 0.6) if since > -1e-6 else 0.0)

    return log(base, clock) if course == "plausible" else log(base, clock, sags)


def freezes(base: Tank, clock: Clock, course: Course) -> States:
    states, begin = log(base, clock), lands(base, clock)
    for k in range(begin, clock.frames) if course == "violating" else ():
        frozen = ease(clock.time(k - begin + 1), -0.1, 0.9)
        states[k] = {**states[k], "water": {**states[k]["water"], "frozen": frozen}}
    return states


def _sinking(base: Base, _clock: Clock, states: States, k: int) -> bool:
    now, before = states[k]["thing"], states[k - 1]["thing"]
    held = value(states[k], "hand", "holds")
    return not wet(base, states[k]) or bool(held) or now["y"] > before["y"] or now["y"] >= FLOOR


def _conserved(base: Base, _clock: Clock, states: States, k: int) -> bool:
    state = states[k]
    water = volume(FLOOR, RIGHT - LEFT, state["water"]["level"], bodies(base, state))
    return bool(abs(water - base.amount - state["tap"]["added"]) < 1e-3)


SINKS = each_frame("what is denser than water sinks unless it is held", _sinking)
CONSERVED = each_frame("the tank holds as much water as before and what the tap adds", _conserved, 0)


def _warm(base: Base, _clock: Clock, states: States, k: int) -> bool:
    return not states[k]["water"]["frozen"] or base.warm <= 0


CLOSES = keeps("water", "shaft")
OPAQUE = keeps("thing", "clear")
STIFF = keeps("thing", "flat")
LIQUID = each_frame("the water freezes only in the cold", _warm, 0)
SOLID = each_frame("the thing stays above the floor", lambda _b, _c, states, k: states[k]["thing"]["y"] <= FLOOR + 1e-6)
