"""A candle burns on a table, beside a cup and a candle that is not lit."""

from __future__ import annotations

from veridical.media.draw.scene import Point
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.brush import Brush, circle
from veridical.suites.hocabench.physics.flip import faced
from veridical.suites.hocabench.physics.grain import lighter, mixed
from veridical.suites.hocabench.physics.laws import keeps, persists
from veridical.suites.hocabench.physics.palette import COLORS, WOOD, hand, lamp
from veridical.suites.hocabench.physics.props_candle import WAX, candle, flame, glow, lighter_flame, sheet, smoke, torch
from veridical.suites.hocabench.physics.props_person import capsule
from veridical.suites.hocabench.physics.scene import Event, Scene, State
from veridical.suites.hocabench.physics.scenes.candle_courses import (
    CUP,
    FOOT,
    HEIGHT,
    LAMP_X,
    Candle,
    begins,
    burns,
    candle_melts,
    cast,
    cup_recolors,
    cup_vanishes,
    melts_by_heat,
    paper_in_flame,
    shadow_turns,
    shadows_fall_away,
)

_WALLS = ((132, 128, 146), (146, 128, 122), (120, 136, 134), (140, 136, 118))
_WAXES = {"white": WAX, "red": (186, 62, 58), "green": (84, 140, 96)}
_SHADOW = (92, 60, 38)


def sample(nuisances: Nuisances) -> Candle:
    color = nuisances.one_of(sorted(COLORS))
    return Candle(
        color=color,
        other=nuisances.one_of(sorted({"red", "blue", "green", "purple"} - {color})),
        wax=nuisances.one_of(sorted(_WAXES)),
        wall=nuisances.one_of((0, 1, 2, 3)),
        candle=nuisances.between(136, 170),
        cup=nuisances.between(318, 352),
        stub=nuisances.between(532, 552),
        moment=nuisances.between(1.3, 1.7),
        flipped=bool(nuisances.one_of([0, 1])),
    )


def ground(base: Candle, brush: Brush) -> None:
    brush = faced(brush, base.flipped)
    brush.box(-20, -20, 660, 262, _WALLS[base.wall], "plaster")
    brush.box(-20, 258, 660, 344, WOOD, "wood")
    brush.box(-20, 342, 660, 380, lighter(WOOD, -0.4))


def paint(base: Candle, brush: Brush, state: State) -> None:
    brush = faced(brush, base.flipped)
    lights, sway = state["lamp"], state["flame"]["sway"]
    light = COLORS[base.other] if lights["tint"] else (255, 244, 214)
    if state["flame"]["lit"]:
        glow(brush, (base.candle, 190), 150)
    _shadows(base, brush, state)
    if "paper" in state:
        paper = state["paper"]
        with brush.of("paper"):
            sheet(brush, (paper["x"], paper["y"]), paper["charred"], sway)
        hand(brush, (paper["x"], paper["y"] + 10))
    with brush.of("candle"):
        wick = candle(brush, (base.candle, FOOT), HEIGHT)
        if state["flame"]["lit"]:
            flame(brush, wick, 58, sway)
    with brush.of("other candle"):
        stub = state["stub"]
        other = candle(brush, (base.stub, FOOT), 104, _WAXES[base.wax], stub["melted"])
        if stub["lit"]:
            flame(brush, other, 50, sway)
    if "cup" in state:
        with brush.of("cup"):
            _cup(brush, state["cup"]["x"], FOOT + 4 - state["cup"]["lift"], base, state["cup"]["changed"])
    _tools(base, brush, state, wick)
    lamp(brush, (LAMP_X, 60), light, lights["on"] > 0, FOOT + 30)
    if lights["tint"] or not (lights["on"] or state["flame"]["lit"]):
        brush.veil([(-20, -20), (660, -20), (660, 380), (-20, 380)], light if lights["tint"] else (20, 20, 36), 0.3)


def _tools(base: Candle, brush: Brush, state: State, wick: Point) -> None:
    """What comes into the picture: a hand at the cup, smoke, a torch or a lighter at the other candle."""
    if "hand" in state and "cup" in state:
        hand(brush, (state["cup"]["x"], FOOT - CUP + 12 - state["hand"]["lift"]))
    if "smoke" in state:
        smoke(brush, wick, state["smoke"]["age"])
    if "torch" in state:
        torch(brush, (base.stub + 10 + 240 * state["torch"]["away"], FOOT - 60), state["torch"]["away"] == 0)
    if "lighter" in state:
        lighter_flame(brush, (base.stub + 2 + 240 * state["lighter"]["away"], FOOT - 122))


def _shadows(base: Candle, brush: Brush, state: State) -> None:
    """Shadows on the table: the cup's as the state has it, the unlit candle's as the light throws it."""
    reach = 0.6 * cast(base, state, base.stub) * (1 - state["stub"]["melted"])
    if reach:
        brush.plain(capsule((base.stub, FOOT), (base.stub + reach, FOOT + 0.08 * abs(reach)), 9, 8), _SHADOW)
    if "shadow" in state and state["shadow"]["reach"]:
        x, long = state["shadow"]["x"], state["shadow"]["reach"]
        with brush.of("shadow"):
            brush.plain(capsule((x, FOOT + 2), (x + long, FOOT + 4 + 0.1 * abs(long)), 11, 16), _SHADOW)


def _cup(brush: Brush, x: float, foot: float, base: Candle, changed: float) -> None:
    color = mixed(COLORS[base.color], COLORS[base.other], changed)
    brush.ring((x + 36, foot - 0.52 * CUP), 19, 9, lighter(color, -0.2))
    brush.polygon([(x - 38, foot - CUP), (x + 38, foot - CUP), (x + 29, foot), (x - 29, foot)], color)
    brush.plain(circle((x, foot - CUP), 38, 8), lighter(color, -0.35))
    brush.line((x - 35, foot - 0.62 * CUP), (x + 35, foot - 0.62 * CUP), 8, lighter(color, 0.5))


CANDLE = Scene(
    name="candle",
    title="A candle burns on a table",
    setup="A candle burns on a table, beside a {color} cup, and a {wax} candle that is not lit stands at the far end.",
    sample=sample,
    ground=ground,
    paint=paint,
    entities=(("candle", "flame"), ("cup", "mug", "paper", "sheet"), ("table", "desk", "surface")),
    actions=("burn", "stand", "hold", "flicker", "melt", "lit", "move"),
    events=(
        Event(
            sub_type="chemistry",
            play=paper_in_flame,
            breaks=burns(),
            claim="A hand holds a sheet of paper in the flame of the candle, and the paper stays unburnt.",
            control="A hand holds a sheet of paper in the flame, and it catches fire and burns away.",
            normal="paper catches fire in a flame, chars and is used up",
            signs=(
                "unburn",
                "not burn",
                "n't burn",
                "unchanged",
                "intact",
                "not catch",
                "n't catch",
                "unharmed",
                "unscathed",
            ),
            expected=("burn", "fire", "char", "ash", "ignite"),
            interaction=True,
            begins=begins,
            actors=("candle", "paper"),
            explained="the flame of the candle goes out",
        ),
        Event(
            sub_type="thermodynamics",
            play=candle_melts,
            breaks=melts_by_heat(),
            claim="The unlit {wax} candle at the far end melts into a pool with no heat near it.",
            control="A hand lights the {wax} candle at the far end with a lighter.",
            normal="wax stays solid at the temperature of a room",
            signs=("melt", "collaps", "sag", "pool", "puddle", "droop"),
            expected=("solid", "stay", "heat", "keep", "remain"),
            interaction=True,
            begins=begins,
            actors=("other candle",),
            explained="the flame of a gas torch heats the candle",
        ),
        Event(
            sub_type="optics",
            play=shadow_turns,
            breaks=shadows_fall_away(),
            claim="The shadow of the {color} cup swings round and falls toward the burning candle.",
            control="A hand pushes the {color} cup away from the candle, and the shadow moves along.",
            normal="the shadow falls away from the burning candle",
            signs=("shadow",),
            expected=("away", "opposite", "other side", "light source", "behind"),
            interaction=True,
            begins=begins,
            actors=("shadow", "candle"),
            explained="the candle goes out and a lamp on the other side lights up",
        ),
        Event(
            sub_type="mutation",
            play=cup_recolors,
            breaks=keeps("cup", "changed"),
            claim="The {color} cup on the table turns {other} by itself in the same candlelight.",
            control="A hand pushes the {color} cup away from the candle.",
            normal="the cup stays {color} as long as the light stays the same",
            signs=("color", "colour", "changes to", "becomes", "cup turn", "turns"),
            expected=("stay", "remain", "keep", "same"),
            interaction=False,
            begins=begins,
            actors=("cup",),
            explained="a colored lamp lights up and tints everything",
        ),
        Event(
            sub_type="permanence",
            play=cup_vanishes,
            breaks=persists("cup"),
            claim="The {color} cup beside the burning candle is suddenly gone, and no hand takes it.",
            control="A hand takes the {color} cup away from the table.",
            normal="the cup stays on the table",
            signs=("vanish", "disappear", "gone", "no longer there", "missing"),
            expected=("stay", "remain", "visible", "continue", "exist"),
            interaction=False,
            begins=begins,
            actors=("cup",),
        ),
    ),
)
