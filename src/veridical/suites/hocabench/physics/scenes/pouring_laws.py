"""The courses and the laws of the scene `pouring`."""

from __future__ import annotations

import math
from dataclasses import dataclass

from veridical.media.figures.clock import Clock
from veridical.suite.nuisance_fields import draw, take_turns, uniform
from veridical.suites.hocabench.physics.law import each_frame, keeps
from veridical.suites.hocabench.physics.liquids import ease
from veridical.suites.hocabench.physics.play import Instant, outcome
from veridical.suites.hocabench.physics.state import Course, Quantities, State, States, clamp_to_one, update, value

TABLE = 300.0
JUG = (116.0, 132.0)
"""The jug's width and height inside."""
GLASS = (104.0, 134.0)
FLOOR = TABLE - 8
FALL = 0.3
"""How long the drink is in the air, in seconds."""
_COMES, _TURNS = 0.35, 0.3
"""How long a hand takes to come, and the drink to turn another color, in seconds."""
OTHERS = {
    "apple juice": ("blue", "purple"),
    "cherry juice": ("green", "blue"),
    "mint tea": ("red", "purple"),
    "water": ("red", "orange"),
}
"""The colors, by name, that each drink may turn."""


@dataclass(frozen=True, slots=True)
class Pouring:
    """The drink, the volumes in the jug and poured, the glass's place, the room's temperature in °C, and the times.

    The drink leaves the jug from `start` on for `lasts` seconds. Volumes are areas: all vessels are equally deep.
    `other` is the color that the drink may turn.
    """

    drink: str = take_turns(tuple(OTHERS))
    full: float = draw(lambda nuisances, _: nuisances.between(0.8, 0.86) * JUG[0] * JUG[1])
    poured: float = uniform(6000, 6700)
    place: float = uniform(380, 440)
    warm: int = draw(lambda nuisances, _: int(nuisances.between(19, 25)))
    start: float = uniform(0.75, 1.05)
    lasts: float = uniform(1.1, 1.25)
    mirrored: bool = take_turns((False, True))
    other: str = draw(lambda nuisances, drawn: nuisances.one_of(OTHERS[drawn["drink"]]))

    @property
    def lip(self) -> tuple[float, float]:
        """Where the jug's lip is while it pours."""
        return self.place - 4, FLOOR - GLASS[1] - 46


def brim_tilt(content: float) -> float:
    """The tilt, in radians, at which this volume in the jug stands at its lip."""
    width, height = JUG
    empty = width * height - content
    return math.atan(2 * empty / width**2 if 2 * empty <= width * height else height**2 / (2 * content))


def left_jug(base: Pouring, time: float) -> float:
    """The volume that has left the jug."""
    return base.poured * clamp_to_one((time - base.start) / base.lasts)


def _jug(base: Pouring, time: float) -> dict[str, float]:
    content = base.full - left_jug(base, time)
    end = base.start + base.lasts
    before, after = ease(time, 0.25 * base.start, base.start), ease(time, end, end + 0.7)
    near = before - after
    x, y = base.lip
    tilt = brim_tilt(content) * (before if time <= base.start else 1 - after)
    return {"x": x - 92 * (1 - near), "y": y + (TABLE - 3 - JUG[1] - y) * (1 - near), "tilt": tilt, "content": content}


def state_of(base: Pouring, time: float, **glass: float) -> State:
    """The state at a time; the glass has what arrived, unless `amount` or other quantities are stated for it."""
    out, arrived = left_jug(base, time), left_jug(base, time - FALL)
    state: Quantities = {
        "jug": _jug(base, time),
        "glass": {"amount": arrived, "piled": 0.0, "bent": 0.0, "frozen": 0.0, "turned": 0.0} | glass,
        "hole": {"gone": 0.0, "flow": 0.0},
        "room": {"warm": float(base.warm)},
    }
    if out > arrived:
        since, end = time - base.start, time - base.start - base.lasts
        state["stream"] = {"air": out - arrived, "head": min(1.0, since / FALL) ** 2, "tail": max(0.0, end / FALL) ** 2}
    return state


def arrives(base: Pouring, clock: Clock) -> int:
    """The first frame in which some of the drink is in the glass."""
    return clock.frame(base.start + FALL) + 1


def ends(base: Pouring, clock: Clock) -> int:
    """The first frame in which the glass has it all."""
    return clock.frame(base.start + base.lasts + FALL)


@outcome(state_of, arrives)
def stays_empty(base: Pouring, course: Course, now: Instant) -> State:
    """Nothing more gathers in the glass, or it runs out of a hole."""
    kept = left_jug(base, now.last - FALL)
    state = state_of(base, now.time, amount=kept)
    if course == "violating":
        return state
    gone = left_jug(base, now.time - FALL) - kept
    flow = gone - (left_jug(base, now.clock.time(now.frame - 1) - FALL) - kept)
    return update(state, "hole", gone=gone, flow=flow * now.clock.rate / base.poured)


@outcome(state_of, arrives)
def piles_up(base: Pouring, _course: Course, now: Instant) -> State:
    return state_of(base, now.time, piled=1.0)


@outcome(state_of, ends)
def bends(base: Pouring, _course: Course, now: Instant) -> State:
    return state_of(base, now.time, bent=1 - math.exp(-4 * now.since) * math.cos(9 * now.since))


@outcome(state_of, ends, control=True)
def turns_color(base: Pouring, course: Course, now: Instant) -> State:
    """The drink turns another color by itself; a hand puts a straw into it; or a hand drips dye into it."""
    since = now.since
    if course == "plausible":
        straw = {"near": min(1.0, since / _COMES), "hand": _near(since, 0.1)}
        return {**state_of(base, now.time), "straw": straw}
    dyed = since if course == "violating" else max(0.0, since - _COMES)
    state = state_of(base, now.time, turned=min(1.0, dyed / _TURNS))
    if course == "violating":
        return state
    return {**state, "dropper": {"near": _near(since, 0.5), "drips": float(0 < dyed <= _TURNS)}}


def _near(since: float, stays: float) -> float:
    """How near a hand is that comes, stays for so many seconds, and goes: 1 is there."""
    return max(0.0, min(1.0, since / _COMES, 1 - (since - _COMES - stays) / _COMES))


@outcome(state_of, ends)
def freezes(base: Pouring, _course: Course, now: Instant) -> State:
    return state_of(base, now.time, frozen=1.0)


@each_frame("jug, stream, glass and puddle hold as much as the jug at first", 0)
def is_conserved(base: Pouring, _clock: Clock, states: States, k: int) -> bool:
    state = states[k]
    held = state["jug"]["content"] + state["glass"]["amount"] + state["hole"]["gone"]
    return bool(abs(held + value(state, "stream", "air") - base.full) < 1e-3)


@each_frame("the drink keeps its color unless dye drips into it")
def same_color(_base: Pouring, _clock: Clock, states: States, k: int) -> bool:
    same = states[k]["glass"]["turned"] == states[k - 1]["glass"]["turned"]
    return same or any(value(state, "dropper", "near") == 1 for state in states[k - 1 : k + 1])


@each_frame("the drink freezes only in the cold", 0)
def liquid(_base: Pouring, _clock: Clock, states: States, k: int) -> bool:
    return not states[k]["glass"]["frozen"] or states[k]["room"]["warm"] <= 0


spreads = keeps("glass", "piled")
stiff = keeps("glass", "bent")
