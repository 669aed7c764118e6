"""A hand lowers a burning candle into a bathtub, in which a rubber duck swims."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.draw.scene import Point
from veridical.media.figures.brush import Brush, circle, face_brush
from veridical.media.figures.clock import Clock
from veridical.media.figures.grain import lighter
from veridical.media.figures.palette import COLORS, STEEL, WATER, hand, room
from veridical.suite.nuisance_fields import one_of, sampler, take_turns, uniform
from veridical.suites.hocabench.physics import liquids
from veridical.suites.hocabench.physics.law import each_frame, keeps
from veridical.suites.hocabench.physics.play import Instant, Play, outcome
from veridical.suites.hocabench.physics.props_home import flame, smoke
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene, phrases
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

    color: str = take_turns(DUCKS)
    other: str = one_of((*DUCKS, "blue"), but=("orange", "yellow"), unlike=("color",))
    duck: float = uniform(420, 446)
    candle: float = uniform(226, 258)
    depth: float = uniform(106, 114)
    moment: float = uniform(1.3, 1.75)
    mirrored: bool = take_turns((False, True))

    @property
    def amount(self) -> float:
        """The volume of the water."""
        return (RIGHT - LEFT) * self.depth


def surface_at(state: State, x: float) -> float:
    """The y of the water's surface at a place, waves left out."""
    share = (x - LEFT) / (RIGHT - LEFT)
    return state["water"]["level"] - _LEANS * state["water"]["lean"] * (2 * share - 1)


def _bodies(base: Bath, lean: float, duck: float, candle: float) -> list[liquids.UprightBody]:
    """The bodies in the water, each as far below the mean level as it is below the surface above it."""
    bodies = []
    for x, bottom, high, wide in ((base.duck, duck, HULL[1], HULL[0] * _DEEP), (base.candle, candle, CANDLE[1], 5.0)):
        lifted = _LEANS * lean * (2 * (x - LEFT) / (RIGHT - LEFT) - 1)
        bodies.append(liquids.UprightBody(bottom + lifted, high, wide))
    return bodies


def _level(base: Bath, amount: float, lean: float, candle: float, duck: float | None) -> float:
    """The mean level; a duck that floats (`None`) goes with it."""
    if duck is not None:
        return liquids.level_of(FLOOR, RIGHT - LEFT, amount, _bodies(base, lean, duck, candle))
    floats = amount + HULL[0] * _DEEP * DRAUGHT
    return liquids.level_of(FLOOR, RIGHT - LEFT, floats, _bodies(base, lean, -999.0, candle)[1:])


def state_of(base: Bath, time: float, duck: float | None = None, **more: float) -> State:
    """The state at a time; `duck` is the y of the duck's bottom where it does not float."""
    lean, gone = more.get("lean", 0.0), more.get("gone", 0.0)
    candle = 146 + 130 * liquids.ease(time, 0.25 * base.moment, 1.5 * base.moment)
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
        changes = {"lit": 0.0, "swell": liquids.swell(now.since)}
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
        return {"tip": y - HULL[1] - 150 * (1 - liquids.ease(age, 0, 0.25)) - 1}
    bottom = y + (FLOOR - y) * liquids.ease(age, 0.25, 1.0)
    return {"duck": bottom, "tip": bottom - HULL[1]}


@_dip
def leans(_base: Bath, _course: Course, now: Instant) -> dict[str, float]:
    return {"lean": liquids.ease(now.since, -0.1, 0.4) * min(1.0, 8 * now.since)}


@_dip
def burns_on(_base: Bath, _course: Course, _now: Instant) -> dict[str, float]:
    return {"lit": 1.0}


@_dip
def runs_low(base: Bath, course: Course, now: Instant) -> dict[str, float]:
    """The water goes missing, or a hand pulls the plug."""
    gone = 0.62 * base.amount * liquids.ease(now.since, -0.2, 1.6) * min(1.0, 6 * now.since)
    if course == "violating":
        return {"lost": gone}
    return {"gone": gone, "up": liquids.ease(now.since, 0, 0.2), "flow": float(now.since < 1.6)}


@_dip
def turns(_base: Bath, _course: Course, _now: Instant) -> dict[str, float]:
    return {"changed": 1.0}


@each_frame("the duck floats unless it is held under", 0)
def floats(base: Bath, _clock: Clock, states: States, k: int) -> bool:
    below = states[k]["duck"]["y"] - surface_at(states[k], base.duck)
    return bool(abs(below - DRAUGHT) < 1e-3 or value(states[k], "hand", "holds"))


@each_frame("the tub holds as much water as before, less what the drain takes", 0)
def is_conserved(base: Bath, _clock: Clock, states: States, k: int) -> bool:
    state = states[k]
    bodies = _bodies(base, state["water"]["lean"], state["duck"]["y"], state["candle"]["y"])
    water = liquids.volume(FLOOR, RIGHT - LEFT, state["water"]["level"], bodies)
    return bool(abs(water + state["plug"]["gone"] - base.amount) < 1e-3)


@each_frame("a flame goes out under water", 0)
def goes_out(base: Bath, _clock: Clock, states: States, k: int) -> bool:
    return not (states[k]["candle"]["lit"] and _drowned(base, states[k]))


level = keeps("water", "lean")
same_color = keeps("duck", "changed")


_TILES, _ENAMEL, _EDGE = (206, 222, 220), (250, 250, 250), (150, 156, 164)
_WAX, _INK = (246, 238, 214), (30, 30, 34)


def ground(base: Bath, brush: Brush) -> None:
    brush = face_brush(brush, base.mirrored)
    room(brush, 334, _TILES, (150, 132, 118))
    for k in range(12):
        brush.line((-20 + 60 * k, -20), (-20 + 60 * k, 332), 2, (232, 240, 238))
    for k in range(6):
        brush.line((-20, 30 + 60 * k), (660, 30 + 60 * k), 2, (232, 240, 238))
    brush.shadow((320, 346), 214, 8)
    for x in (LEFT + 6, RIGHT - 34):
        brush.box(x, FLOOR + 20, x + 28, 346, STEEL, "metal")
    brush.box(DRAIN - 19, FLOOR + 20, DRAIN + 19, 380, _EDGE)
    brush.box(DRAIN - 13, FLOOR + 4, DRAIN + 13, 380, (226, 230, 232))
    outer = [(LEFT - 34, RIM - 8), (LEFT - 20, RIM + 6), (LEFT - 20, FLOOR + 24), (RIGHT + 20, FLOOR + 24)]
    outer += [(RIGHT + 20, RIM + 6), (RIGHT + 34, RIM - 8)]
    brush.plain([*outer[:3], (DRAIN - 14, FLOOR + 24), (DRAIN - 14, FLOOR), (LEFT, FLOOR), (LEFT, RIM - 8)], _ENAMEL)
    brush.plain([(DRAIN + 14, FLOOR), (DRAIN + 14, FLOOR + 24), *outer[3:], (RIGHT, RIM - 8), (RIGHT, FLOOR)], _ENAMEL)
    brush.plain([(LEFT, RIM), (RIGHT, RIM), (RIGHT, FLOOR), (LEFT, FLOOR)], (226, 232, 234))
    for one, two in ((outer[0], outer[1]), (outer[1], outer[2]), (outer[3], outer[4]), (outer[4], outer[5])):
        brush.line(one, two, 3, _EDGE)
    for left, right in ((LEFT - 20, DRAIN - 19), (DRAIN + 19, RIGHT + 20)):
        brush.line((left, FLOOR + 24), (right, FLOOR + 24), 3, _EDGE)


def _duck(base: Bath, brush: Brush, state: State, bob: float) -> None:
    color = COLORS[base.other if state["duck"]["changed"] else base.color]
    x, y = base.duck, state["duck"]["y"] - bob
    half, high = HULL[0] / 2, HULL[1]
    with brush.of("duck"):
        brush.plain([(x + 0.6 * half, y - 0.8 * high), (x + half + 12, y - high - 10), (x + half - 2, y - 12)], color)
        brush.polygon(circle((x, y - high / 2), half, high / 2 + 2), color, "rubber")
        brush.disc((x - 0.45 * half, y - high - 20), 25, color, "rubber")
        beak = (x - 0.45 * half - 20, y - high - 18)
        bill = (226, 96, 40) if color != COLORS["orange"] else (250, 210, 60)
        brush.plain([(beak[0], beak[1] - 7), (beak[0] - 22, beak[1] + 2), (beak[0], beak[1] + 9)], bill)
        brush.disc((x - 0.45 * half - 9, y - high - 27), 4.5, _INK)
        brush.ellipse((x + 10, y - high / 2 - 4), 22, 10, lighter(color, -0.18))


def _candle(base: Bath, brush: Brush, state: State) -> None:
    x, foot = base.candle, state["candle"]["y"]
    half, high = CANDLE[0] / 2, CANDLE[1]
    with brush.of("candle"):
        brush.stroke([(x + 46, foot - 136), (x + 46, foot + 3), (x, foot + 3)], 5, STEEL)
        brush.box(x - 20, foot, x + 20, foot + 6, STEEL)
        brush.box(x - half, foot - high, x + half, foot, _WAX)
        brush.line((x, foot - high), (x, foot - high - 8), 3, _INK)


def _plug(brush: Brush, state: State) -> None:
    up = 46 * state["plug"]["up"]
    if state["plug"]["flow"]:
        brush.plain([(DRAIN - 11, FLOOR), (DRAIN + 11, FLOOR), (DRAIN + 9, 382), (DRAIN - 9, 382)], WATER)
    brush.box(DRAIN - 16, FLOOR - 5 - up, DRAIN + 16, FLOOR + 5 - up, _INK)
    brush.curve(
        [(DRAIN, FLOOR - 5 - up), (DRAIN - 8, 200 - up), (LEFT + 8, RIM - 12 - up), (LEFT - 26, RIM - 12)], 3, _EDGE
    )
    if up:
        with brush.of("hand"):
            hand(brush, (LEFT + 8, RIM - 12 - up), flip=-1)


def _surface(state: State) -> list[Point]:
    water = state["water"]

    def at(share: float) -> float:
        wave = water["swell"] * math.cos(2 * math.pi * share)
        return surface_at(state, LEFT + (RIGHT - LEFT) * share) - wave

    return liquids.surface(LEFT, RIGHT, at)


def paint(base: Bath, brush: Brush, state: State) -> None:
    brush = face_brush(brush, base.mirrored)
    top = _surface(state)
    with brush.of("water"):
        liquids.body_of_liquid(brush, top, FLOOR, lighter(WATER, 0.35))
    _plug(brush, state)
    _candle(base, brush, state)
    share = (base.duck - LEFT) / (RIGHT - LEFT)
    afloat = state["duck"]["y"] < surface_at(state, base.duck) + 0.5 * HULL[1]
    _duck(base, brush, state, state["water"]["swell"] * math.cos(2 * math.pi * share) if afloat else 0.0)
    pushing = state.get("hand")
    if pushing:
        with brush.of("hand"):
            hand(brush, (base.duck + 14, pushing["y"] + 6))
    liquids.front_of_liquid(brush, top, FLOOR, WATER, 0.26)
    if state["candle"]["lit"]:
        with brush.of("candle"):
            flame(brush, (base.candle, state["candle"]["y"] - CANDLE[1] - 4), 26, 40, 14 * state["candle"]["time"])
    with brush.of("hand"):
        hand(brush, (base.candle + 46, state["candle"]["y"] - 134))
    if "smoke" in state:
        smoke(brush, (base.candle, surface_at(state, base.candle) - 8), state["smoke"]["age"])


SCENE = PhysicsScene(
    name="bath",
    title="A hand lowers a burning candle into a bath with a rubber duck",
    setup="A hand lowers a burning candle on a wire into a bathtub, in which a {color} rubber duck swims.",
    sample=sampler(Bath),
    ground=ground,
    paint=paint,
    entities=(("duck", "candle", "water"), ("toy", "flame"), ("tub", "bath", "basin")),
    actions=("lower", "dip", "put", "swim", "float", "immers", "submerge"),
    control="The candle dips into the water and goes out, and the {color} rubber duck swims on.",
    events=(
        Event(
            sub_type="buoyancy",
            play=sinks,
            breaks=floats,
            actors=("duck", "water"),
            claim="As the candle dips in and goes out, the {color} rubber duck sinks to the floor of the tub.",
            normal="the light rubber duck floats on the water",
            signs=phrases(
                "sink, sank, bottom, floor, submerge, goes down, goes under, under water, underwater, not float, "
                "doesn't float, don't float"
            ),
            expected=("float", "swim", "surface", "stay"),
            explained="a hand pushes the duck under and holds it there",
        ),
        Event(
            sub_type="fluidity",
            play=leans,
            breaks=level,
            actors=("water",),
            claim="As the candle dips in and goes out, the water leans to one side and stays as a slope.",
            normal="the water makes small waves and becomes level again",
            signs=("slope", "lean", "tilt", "slant", "incline", "diagonal", "uneven", "not level", "one side"),
            expected=("level", "flat", "horizontal", "waves", "flow"),
        ),
        Event(
            sub_type="chemistry",
            play=burns_on,
            breaks=goes_out,
            actors=("candle", "water"),
            claim="The candle dips all the way into the water of the tub, and its flame burns on below.",
            normal="the flame goes out as soon as it is under water, for want of air",
            signs=phrases(
                "burns on, burning under, burns under, burning below, burns below, keeps burning, continues to burn, "
                "continues burning, still burn, remains lit, stays lit, still lit, stays alight, remains alight, "
                "burning in the water, lit under, flame under, not extinguish, not go out, doesn't go out, "
                "don't go out, doesn't extinguish, don't extinguish"
            ),
            expected=("go out", "goes out", "extinguish", "die", "smoke"),
        ),
        Event(
            sub_type="mass_volume",
            play=runs_low,
            breaks=is_conserved,
            actors=("water",),
            claim="As the candle dips in and goes out, most of the water goes missing with the plug in.",
            normal="the water stays in the tub, since the drain is closed",
            signs=phrases(
                "missing, disappear, vanish, drop, less water, empt, falls, goes down, decrease, lower level, "
                "drains away, is lost, sinks by, recede"
            ),
            expected=("stay", "remain", "same", "constant", "keep"),
            explained="a hand pulls the plug and the water runs off through the drain",
        ),
        Event(
            sub_type="mutation",
            play=turns,
            breaks=same_color,
            actors=("duck",),
            claim="As the candle dips in and goes out, the {color} rubber duck turns {other} all over.",
            normal="the duck stays {color}",
            signs=("color", "colour", "turns", "changes", "becomes"),
            expected=("stay", "remain", "keep", "same"),
        ),
    ),
)
