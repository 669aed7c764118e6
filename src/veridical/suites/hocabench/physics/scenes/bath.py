"""A hand lowers a burning candle into a bathtub, in which a rubber duck swims."""

from __future__ import annotations

import math

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush, circle, faced
from veridical.media.figures.grain import lighter
from veridical.media.figures.palette import COLORS, STEEL, WATER, hand, room
from veridical.suite.nuisance_fields import sampler
from veridical.suites.hocabench.physics.liquids import body_of_liquid, front_of_liquid, surface
from veridical.suites.hocabench.physics.props_home import flame, smoke
from veridical.suites.hocabench.physics.scene import Event, Scene, phrases
from veridical.suites.hocabench.physics.scenes import bath_laws as laws
from veridical.suites.hocabench.physics.scenes.bath_laws import CANDLE, DRAIN, FLOOR, HULL, LEFT, RIGHT, RIM, Bath
from veridical.suites.hocabench.physics.state import State

_TILES: Colour = (206, 222, 220)
_ENAMEL: Colour = (250, 250, 250)
_EDGE: Colour = (150, 156, 164)
_WAX: Colour = (246, 238, 214)
_INK: Colour = (30, 30, 34)


def ground(base: Bath, brush: Brush) -> None:
    brush = faced(brush, base.mirrored)
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
        return laws.surface_at(state, LEFT + (RIGHT - LEFT) * share) - wave

    return surface(LEFT, RIGHT, at)


def paint(base: Bath, brush: Brush, state: State) -> None:
    brush = faced(brush, base.mirrored)
    top = _surface(state)
    with brush.of("water"):
        body_of_liquid(brush, top, FLOOR, lighter(WATER, 0.35))
    _plug(brush, state)
    _candle(base, brush, state)
    share = (base.duck - LEFT) / (RIGHT - LEFT)
    afloat = state["duck"]["y"] < laws.surface_at(state, base.duck) + 0.5 * HULL[1]
    _duck(base, brush, state, state["water"]["swell"] * math.cos(2 * math.pi * share) if afloat else 0.0)
    pushing = state.get("hand")
    if pushing:
        with brush.of("hand"):
            hand(brush, (base.duck + 14, pushing["y"] + 6))
    front_of_liquid(brush, top, FLOOR, WATER, 0.26)
    if state["candle"]["lit"]:
        with brush.of("candle"):
            flame(brush, (base.candle, state["candle"]["y"] - CANDLE[1] - 4), 26, 40, 14 * state["candle"]["time"])
    with brush.of("hand"):
        hand(brush, (base.candle + 46, state["candle"]["y"] - 134))
    if "smoke" in state:
        smoke(brush, (base.candle, laws.surface_at(state, base.candle) - 8), state["smoke"]["age"])


_CONTROL = "The candle dips into the water and goes out, and the {color} rubber duck swims on."

SCENE = Scene(
    name="bath",
    title="A hand lowers a burning candle into a bath with a rubber duck",
    setup="A hand lowers a burning candle on a wire into a bathtub, in which a {color} rubber duck swims.",
    sample=sampler(Bath),
    ground=ground,
    paint=paint,
    entities=(("duck", "candle", "water"), ("toy", "flame"), ("tub", "bath", "basin")),
    actions=("lower", "dip", "put", "swim", "float", "immers", "submerge"),
    events=(
        Event(
            sub_type="buoyancy",
            play=laws.sinks,
            breaks=laws.floats,
            actors=("duck", "water"),
            claim="As the candle dips in and goes out, the {color} rubber duck sinks to the floor of the tub.",
            control=_CONTROL,
            normal="the light rubber duck floats on the water",
            signs=phrases(
                "sink, sank, bottom, floor, submerge, goes down, goes under, under water, underwater, not float, "
                "doesn't float, don't float"
            ),
            expected=("float", "swim", "surface", "stay"),
            interaction=True,
            explained="a hand pushes the duck under and holds it there",
        ),
        Event(
            sub_type="fluidity",
            play=laws.leans,
            breaks=laws.level,
            actors=("water",),
            claim="As the candle dips in and goes out, the water leans to one side and stays as a slope.",
            control=_CONTROL,
            normal="the water makes small waves and becomes level again",
            signs=("slope", "lean", "tilt", "slant", "incline", "diagonal", "uneven", "not level", "one side"),
            expected=("level", "flat", "horizontal", "waves", "flow"),
        ),
        Event(
            sub_type="chemistry",
            play=laws.burns_on,
            breaks=laws.goes_out,
            actors=("candle", "water"),
            claim="The candle dips all the way into the water of the tub, and its flame burns on below.",
            control=_CONTROL,
            normal="the flame goes out as soon as it is under water, for want of air",
            signs=phrases(
                "burns on, burning under, burns under, burning below, burns below, keeps burning, continues to burn, "
                "continues burning, still burn, remains lit, stays lit, still lit, stays alight, remains alight, "
                "burning in the water, lit under, flame under, not extinguish, not go out, doesn't go out, "
                "don't go out, doesn't extinguish, don't extinguish"
            ),
            expected=("go out", "goes out", "extinguish", "die", "smoke"),
            interaction=True,
        ),
        Event(
            sub_type="mass_volume",
            play=laws.runs_low,
            breaks=laws.conserved,
            actors=("water",),
            claim="As the candle dips in and goes out, most of the water goes missing with the plug in.",
            control=_CONTROL,
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
            play=laws.turns,
            breaks=laws.same_color,
            actors=("duck",),
            claim="As the candle dips in and goes out, the {color} rubber duck turns {other} all over.",
            control=_CONTROL,
            normal="the duck stays {color}",
            signs=("color", "colour", "turns", "changes", "becomes"),
            expected=("stay", "remain", "keep", "same"),
        ),
    ),
)
