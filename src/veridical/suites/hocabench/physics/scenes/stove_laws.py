"""The courses and the laws of the scene `stove`: minutes of cooking in seconds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.figures.clock import Clock
from veridical.suite.nuisance_fields import one_of, take_turns, uniform
from veridical.suites.hocabench.physics.law import each_frame, keeps
from veridical.suites.hocabench.physics.liquids import UprightBody, ease, level_of, volume
from veridical.suites.hocabench.physics.play import Instant, Play, outcome
from veridical.suites.hocabench.physics.state import Course, State, States, value

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
_LOW, _MIDDLE, _HIGH = 0.3, 0.5, 1.0
"""How high the flames are; those of the middle do not reach the note."""
PAPERS = {"white": (252, 252, 248), "yellow": (250, 230, 120), "pink": (246, 178, 190), "green": (178, 222, 160)}


@dataclass(frozen=True, slots=True)
class Stove:
    """The note's color, the side of an ice cube, the water's depth without ice, and when the flames go up (seconds).

    `other` is the color that the water may turn.
    """

    paper: str = take_turns(tuple(PAPERS))
    side: float = uniform(40, 44)
    depth: float = uniform(72, 80)
    place: float = uniform(190, 220)
    minutes: float = uniform(2, 38)
    moment: float = uniform(1.3, 1.7)
    mirrored: bool = take_turns((False, True))
    other: str = one_of(("purple", "red"))

    @property
    def amount(self) -> float:
        """The volume of the water, and of the ice when it is melted."""
        return WIDE * self.depth + CUBES * DENSITY * DEEP * self.side**2


def _bodies(base: Stove, bottom: float, mass: float) -> list[UprightBody]:
    side = base.side * mass**0.5
    return [UprightBody(bottom, side, side * DEEP)] * CUBES if mass else []


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


def _low(base: Stove, time: float) -> State:
    """The ice melts slowly over the low flame."""
    return state_of(base, time, _LOW, _mass(time))


def _mass(time: float) -> float:
    """The share of the ice that is left over the low flame."""
    return 1 - 0.05 * time


def _cook(change: Callable[[Stove, Course, float, float], dict[str, float]]) -> Play:
    """The flames are low, then high; in other courses than the plausible one, `change` says what differs.

    It gets the time since the flames went up, in seconds, and how much of the ice was left then.
    """

    @outcome(_low, control=True)
    def play(base: Stove, course: Course, now: Instant) -> State:
        age = now.time - now.last
        left = 1 - age / MELTS
        normal = {
            "fire": _LOW + (_HIGH - _LOW) * ease(age, -0.05, 0.35),
            "mass": _mass(base.moment) * left if left > 0.01 else 0.0,
            "burnt": min(1.0, age / 1.4),
            "turn": ease(age, 0, 0.2),
            "heat": 3 + 30 * ease(age, MELTS, 2 * MELTS),
        }
        other = {} if course == "plausible" else change(base, course, age, _mass(now.last))
        return state_of(base, now.time, **(normal | other))

    return play


@_cook
def keeps_ice(_base: Stove, course: Course, age: float, ice: float) -> dict[str, float]:
    """The ice does not melt although the water boils, or the flames are turned off."""
    if course == "violating":
        return {"mass": ice, "heat": 3 + 97 * ease(age, 0, 1.1)}
    return {"mass": ice, "heat": 3 - 3 * ease(age, 0, 1), "fire": 0.0, "turn": -ease(age, 0, 0.2), "burnt": 0.0}


@_cook
def spares_paper(_base: Stove, _course: Course, _age: float, _ice: float) -> dict[str, float]:
    return {"burnt": 0.0}


@outcome(_low, control=True)
def doubles(base: Stove, course: Course, now: Instant) -> State:
    """The water grows by itself, or a tap adds to it; in all courses the flames stay below the note, which stays whole.

    So nothing else draws the eye.
    """
    age = now.time - now.last
    grown = (FLOOR - TOP - 6 - base.amount / WIDE) * WIDE * ease(age, -0.15, 1.2) * min(1.0, 8 * age)
    return state_of(
        base,
        now.time,
        _LOW + (_MIDDLE - _LOW) * ease(age, -0.05, 0.35),
        _mass(now.last) * 0.64**age,
        turn=0.5 * ease(age, 0, 0.2),
        extra=grown if course == "violating" else 0.0,
        added=grown if course == "explained" else 0.0,
        open=float(course == "explained" and age < 1.2),
    )


@_cook
def sinks(_base: Stove, _course: Course, age: float, _ice: float) -> dict[str, float]:
    return {"sunk": 130 * age}


@_cook
def colors_water(_base: Stove, _course: Course, age: float, _ice: float) -> dict[str, float]:
    return {"turned": min(1.0, age / 0.4)}


@each_frame("ice over a flame melts")
def melts(_base: Stove, _clock: Clock, states: States, k: int) -> bool:
    now, before = (value(state, "ice", "mass") for state in (states[k], states[k - 1]))
    return not states[k]["fire"]["high"] or now < before or not now


@each_frame("paper in the flames is used up")
def burns(_base: Stove, _clock: Clock, states: States, k: int) -> bool:
    now, before = states[k]["paper"]["burnt"], states[k - 1]["paper"]["burnt"]
    return states[k]["fire"]["high"] <= _MIDDLE or now > before or now >= 1


@each_frame("water and ice together stay as much, but for what the tap adds", 0)
def is_conserved(base: Stove, _clock: Clock, states: States, k: int) -> bool:
    mass, bottom = value(states[k], "ice", "mass"), value(states[k], "ice", "y")
    water = volume(FLOOR, WIDE, states[k]["water"]["level"], _bodies(base, bottom, mass))
    ice = CUBES * DENSITY * DEEP * base.side**2 * mass
    return bool(abs(water + ice - base.amount - states[k]["tap"]["added"]) < 1e-3)


@each_frame("ice floats", 0)
def floats(base: Stove, _clock: Clock, states: States, k: int) -> bool:
    mass, bottom = value(states[k], "ice", "mass"), value(states[k], "ice", "y")
    return bool(not mass or bottom - states[k]["water"]["level"] <= DENSITY * base.side * mass**0.5 + 1e-6)


same_color = keeps("water", "turned")
