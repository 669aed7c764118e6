"""The courses and the laws of the scene `pouring`."""

from __future__ import annotations

import math
from dataclasses import dataclass

from veridical.media.figures.clock import Clock
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.liquids import ease
from veridical.suites.hocabench.physics.scene import Base, Course, State, States, each_frame, keeps, value

TABLE = 300.0
JUG = (116.0, 132.0)
"""The jug's width and height inside."""
GLASS = (104.0, 134.0)
FLOOR = TABLE - 8
FALL = 0.3
"""How long the drink is in the air, in seconds."""
_COMES, _TURNS = 0.35, 0.3
"""How long a hand takes to come, and the drink to turn another color, in seconds."""
DRINKS = ("apple juice", "cherry juice", "mint tea", "water")
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

    drink: str
    full: float
    poured: float
    place: float
    warm: int
    start: float
    lasts: float
    mirrored: bool
    other: str

    @property
    def lip(self) -> tuple[float, float]:
        """Where the jug's lip is while it pours."""
        return self.place - 4, FLOOR - GLASS[1] - 46


def sample(nuisances: Nuisances) -> Pouring:
    drink, side = nuisances.in_turn(DRINKS, ("left", "right"))
    return Pouring(
        drink=drink,
        full=nuisances.between(0.8, 0.86) * JUG[0] * JUG[1],
        poured=nuisances.between(6000, 6700),
        place=nuisances.between(380, 440),
        warm=int(nuisances.between(19, 25)),
        start=nuisances.between(0.75, 1.05),
        lasts=nuisances.between(1.1, 1.25),
        mirrored=side == "right",
        other=nuisances.one_of(OTHERS[drink]),
    )


def brim_tilt(content: float) -> float:
    """The tilt, in radians, at which this volume in the jug stands at its lip."""
    width, height = JUG
    empty = width * height - content
    return math.atan(2 * empty / width**2 if 2 * empty <= width * height else height**2 / (2 * content))


def left_jug(base: Pouring, time: float) -> float:
    """The volume that has left the jug."""
    return base.poured * min(1.0, max(0.0, (time - base.start) / base.lasts))


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
    state: dict[str, dict[str, float]] = {
        "jug": _jug(base, time),
        "glass": {"amount": arrived, "piled": 0.0, "bent": 0.0, "frozen": 0.0, "turned": 0.0} | glass,
        "hole": {"gone": 0.0, "flow": 0.0},
        "room": {"warm": float(base.warm)},
    }
    if out > arrived:
        since, end = time - base.start, time - base.start - base.lasts
        state["stream"] = {"air": out - arrived, "head": min(1.0, since / FALL) ** 2, "tail": max(0.0, end / FALL) ** 2}
    return state


def _played(base: Pouring, clock: Clock) -> list[State]:
    return [state_of(base, clock.time(k)) for k in range(clock.frames)]


def _changed(base: Pouring, clock: Clock, begin: int, **glass: float) -> list[State]:
    """The states with quantities of the glass changed from a frame on."""
    return [
        {**state, "glass": {**state["glass"], **glass}} if k >= begin else state
        for k, state in enumerate(_played(base, clock))
    ]


def arrives(base: Pouring, clock: Clock) -> int:
    """The first frame in which some of the drink is in the glass."""
    return clock.frame(base.start + FALL) + 1


def ends(base: Pouring, clock: Clock) -> int:
    """The first frame in which the glass has it all."""
    return clock.frame(base.start + base.lasts + FALL)


def stays_empty(base: Pouring, clock: Clock, course: Course) -> States:
    begin = arrives(base, clock)
    if course == "plausible":
        return _played(base, clock)
    states = _changed(base, clock, begin, amount=states_amount(base, clock, begin))
    if course == "violating":
        return states
    kept = states[begin]["glass"]["amount"]
    for k in range(begin, clock.frames):
        gone = left_jug(base, clock.time(k) - FALL) - kept
        flow = gone - (left_jug(base, clock.time(k - 1) - FALL) - kept)
        states[k] = {**states[k], "hole": {"gone": gone, "flow": flow * clock.rate / base.poured}}
    return states


def states_amount(base: Pouring, clock: Clock, begin: int) -> float:
    """What is in the glass before the frame `begin`."""
    return left_jug(base, clock.time(begin - 1) - FALL)


def piles_up(base: Pouring, clock: Clock, course: Course) -> States:
    return _played(base, clock) if course == "plausible" else _changed(base, clock, arrives(base, clock), piled=1.0)


def bends(base: Pouring, clock: Clock, course: Course) -> States:
    if course == "plausible":
        return _played(base, clock)
    begin, states = ends(base, clock), _played(base, clock)
    for k in range(begin, clock.frames):
        age = clock.time(k - begin + 1)
        bent = 1 - math.exp(-4 * age) * math.cos(9 * age)
        states[k] = {**states[k], "glass": {**states[k]["glass"], "bent": bent}}
    return states


def turns_color(base: Pouring, clock: Clock, course: Course) -> States:
    """The drink turns another color by itself; a hand puts a straw into it; or a hand drips dye into it."""
    begin, states = ends(base, clock), _played(base, clock)
    for k in range(begin, clock.frames):
        since, state, dyed = clock.time(k - begin + 1), states[k], 0.0
        if course == "violating":
            dyed = since
        elif course == "plausible":
            straw = {"near": min(1.0, since / _COMES), "hand": _near(since, 0.1)}
            state = {**state, "straw": straw}
        else:
            dyed = max(0.0, since - _COMES)
            state = {**state, "dropper": {"near": _near(since, 0.5), "drips": float(0 < dyed <= _TURNS)}}
        turned = min(1.0, dyed / _TURNS)
        states[k] = {**state, "glass": {**state["glass"], "turned": turned}}
    return states


def _near(since: float, stays: float) -> float:
    """How near a hand is that comes, stays for so many seconds, and goes: 1 is there."""
    return max(0.0, min(1.0, since / _COMES, 1 - (since - _COMES - stays) / _COMES))


def freezes(base: Pouring, clock: Clock, course: Course) -> States:
    begin = ends(base, clock)
    return _played(base, clock) if course == "plausible" else _changed(base, clock, begin, frozen=1.0)


def _conserved(base: Base, _clock: Clock, states: States, k: int) -> bool:
    state = states[k]
    held = state["jug"]["content"] + state["glass"]["amount"] + state["hole"]["gone"]
    return bool(abs(held + state.get("stream", {}).get("air", 0.0) - base.full) < 1e-3)


def _undyed(_base: Base, _clock: Clock, states: States, k: int) -> bool:
    same = states[k]["glass"]["turned"] == states[k - 1]["glass"]["turned"]
    return same or any(value(state, "dropper", "near") == 1 for state in states[k - 1 : k + 1])


def _cold(_base: Base, _clock: Clock, states: States, k: int) -> bool:
    return not states[k]["glass"]["frozen"] or states[k]["room"]["warm"] <= 0


CONSERVED = each_frame("jug, stream, glass and puddle hold as much as the jug at first", _conserved, 0)
SAME_COLOR = each_frame("the drink keeps its color unless dye drips into it", _undyed)
SPREADS = keeps("glass", "piled")
STIFF = keeps("glass", "bent")
LIQUID = each_frame("the drink freezes only in the cold", _cold, 0)
