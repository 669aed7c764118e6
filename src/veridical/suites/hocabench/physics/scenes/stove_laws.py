"""The courses and the laws of the scene `stove`: minutes of cooking in seconds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.figures.clock import Clock
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.liquids import Body, ease, level_of, volume
from veridical.suites.hocabench.physics.scene import Base, Course, State, States, each_frame, keeps, value

WIDE, TOP, FLOOR = 214.0, 104.0, 256.0
"""The pot's width inside, and the y of its rim and its floor."""
DENSITY = 0.92
"""Of ice, where water has 1."""
DEEP = 0.7
CUBES = 4
MELTS = 2.2
"""How long the ice lasts over the high flame, in seconds of the clip."""
MINUTES = 5.0
"""Minutes of the clock in a second of the clip."""
_LOW, _HIGH = 0.3, 1.0


@dataclass(frozen=True, slots=True)
class Stove:
    """The note's color, the side of an ice cube, the water's depth without ice, and when the flames go up (seconds).

    `other` is the color that the water may turn.
    """

    paper: str
    side: float
    depth: float
    place: float
    minutes: float
    moment: float
    mirrored: bool
    other: str

    @property
    def amount(self) -> float:
        """The volume of the water, and of the ice when it is melted."""
        return WIDE * self.depth + CUBES * DENSITY * DEEP * self.side**2


def sample(nuisances: Nuisances) -> Stove:
    paper, side = nuisances.in_turn(("white", "yellow", "pink", "green"), ("left", "right"))
    return Stove(
        paper=paper,
        side=nuisances.between(40, 44),
        depth=nuisances.between(72, 80),
        place=nuisances.between(190, 220),
        minutes=nuisances.between(2, 38),
        moment=nuisances.between(1.3, 1.7),
        mirrored=side == "right",
        other=nuisances.one_of(("purple", "red")),
    )


def ups(base: Stove, clock: Clock) -> int:
    """The frame in which the flames go up."""
    return clock.frame(base.moment)


def _bodies(base: Stove, bottom: float, mass: float) -> list[Body]:
    side = base.side * mass**0.5
    return [Body(bottom, side, side * DEEP)] * CUBES if mass else []


def afloat(base: Stove, mass: float, more: float = 0.0) -> tuple[float, float]:
    """The y of the surface and of the bottoms of the cubes while they float; `mass` is the share of the ice left."""
    level = FLOOR - (base.amount + more) / WIDE
    return level, level + DENSITY * base.side * mass**0.5


def state_of(base: Stove, time: float, fire: float, mass: float, **more: float) -> State:
    """The state at a time of the clip; `mass` is the share of the ice that is left, `fire` the height of the flames."""
    extra, added = more.get("extra", 0.0), more.get("added", 0.0)
    level, bottom = afloat(base, mass, extra + added)
    sunk = more.get("sunk", 0.0)
    if sunk:
        bottom = min(FLOOR, bottom + sunk)
        water = base.amount + extra + added - CUBES * DENSITY * DEEP * base.side**2 * mass
        level = level_of(FLOOR, WIDE, water, _bodies(base, bottom, mass))
    state: dict[str, dict[str, float]] = {
        "water": {"level": level, "heat": more.get("heat", 3.0), "turned": more.get("turned", 0.0)},
        "fire": {"high": fire},
        "knob": {"turn": more.get("turn", 0.0)},
        "clock": {"minutes": base.minutes + MINUTES * time},
        "tap": {"open": more.get("open", 0.0), "added": added},
        "paper": {"burnt": more.get("burnt", 0.0)},
    }
    if mass:
        state["ice"] = {"mass": mass, "y": bottom}
    if abs(time - base.moment) < 0.4:
        state["hand"] = {"near": 1 - ease(abs(time - base.moment), 0.15, 0.4)}
    return state


Outcome = Callable[[Stove, float], dict[str, float]]
"""Quantities of the outcome that differ from the normal course, by the time since the flames went up, in seconds."""


def _burnt(age: float) -> float:
    return min(1.0, age / 1.4)


def _melting(base: Stove, age: float) -> float:
    share = 1 - age / MELTS
    return _mass(base, base.moment) * share if share > 0.01 else 0.0


def _mass(_base: Stove, time: float) -> float:
    """The share of the ice that is left over the low flame."""
    return 1 - 0.05 * time


def log(base: Stove, clock: Clock, outcome: Outcome | None = None) -> list[State]:
    """The flames are low, then high; an outcome changes what follows."""
    begin, states = ups(base, clock), []
    last = clock.time(begin - 1)
    for k in range(clock.frames):
        time = clock.time(k)
        if k < begin:
            states.append(state_of(base, time, _LOW, _mass(base, time)))
            continue
        age = time - last
        heat = 3 + 30 * ease(age, MELTS, 2 * MELTS)
        fire = _LOW + (_HIGH - _LOW) * ease(age, -0.05, 0.35)
        normal = {"fire": fire, "mass": _melting(base, age), "burnt": _burnt(age), "turn": ease(age, 0, 0.2)}
        states.append(state_of(base, time, **(normal | {"heat": heat} | (outcome(base, age) if outcome else {}))))
    return states


def keeps_ice(base: Stove, clock: Clock, course: Course) -> States:
    kept = _mass(base, clock.time(ups(base, clock) - 1))

    def boils(_base: Stove, age: float) -> dict[str, float]:
        return {"mass": kept, "heat": 3 + 97 * ease(age, 0, 1.1)}

    def goes_out(_base: Stove, age: float) -> dict[str, float]:
        return {"mass": kept, "heat": 3 - 3 * ease(age, 0, 1), "fire": 0.0, "turn": -ease(age, 0, 0.2), "burnt": 0.0}

    return log(base, clock, {"violating": boils, "explained": goes_out}.get(course))


def spares_paper(base: Stove, clock: Clock, course: Course) -> States:
    return log(base, clock, (lambda _base, _age: {"burnt": 0.0}) if course == "violating" else None)


def doubles(base: Stove, clock: Clock, course: Course) -> States:
    def grows(base: Stove, age: float) -> dict[str, float]:
        more = (FLOOR - TOP - 12 - base.amount / WIDE) * WIDE * ease(age, -0.3, 1.5) * min(1.0, 6 * age)
        return {"added": more, "open": float(age < 1.5)} if course == "explained" else {"extra": more}

    return log(base, clock, None if course == "plausible" else grows)


def sinks(base: Stove, clock: Clock, course: Course) -> States:
    return log(base, clock, (lambda _base, age: {"sunk": 130 * age}) if course == "violating" else None)


def colors_water(base: Stove, clock: Clock, course: Course) -> States:
    """The water turns another color by itself within 0.4 s."""
    return log(base, clock, (lambda _base, age: {"turned": min(1.0, age / 0.4)}) if course == "violating" else None)


def _melts(_base: Base, _clock: Clock, states: States, k: int) -> bool:
    now, before = (value(state, "ice", "mass") for state in (states[k], states[k - 1]))
    return not states[k]["fire"]["high"] or now < before or not now


def _burns(_base: Base, _clock: Clock, states: States, k: int) -> bool:
    now, before = states[k]["paper"]["burnt"], states[k - 1]["paper"]["burnt"]
    return states[k]["fire"]["high"] <= _LOW or now > before or now >= 1


def _conserved(base: Base, _clock: Clock, states: States, k: int) -> bool:
    mass, bottom = value(states[k], "ice", "mass"), value(states[k], "ice", "y")
    water = volume(FLOOR, WIDE, states[k]["water"]["level"], _bodies(base, bottom, mass))
    ice = CUBES * DENSITY * DEEP * base.side**2 * mass
    return bool(abs(water + ice - base.amount - states[k]["tap"]["added"]) < 1e-3)


def _floats(base: Base, _clock: Clock, states: States, k: int) -> bool:
    mass, bottom = value(states[k], "ice", "mass"), value(states[k], "ice", "y")
    return bool(not mass or bottom - states[k]["water"]["level"] <= DENSITY * base.side * mass**0.5 + 1e-6)


MELTING = each_frame("ice over a flame melts", _melts)
BURNING = each_frame("paper in the flames is used up", _burns)
CONSERVED = each_frame("water and ice together stay as much, but for what the tap adds", _conserved, 0)
FLOATING = each_frame("ice floats", _floats, 0)
SAME_COLOR = keeps("water", "turned")
