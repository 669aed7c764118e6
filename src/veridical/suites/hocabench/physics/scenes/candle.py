"""A candle burns on a table, beside a cup and a candle that is not lit."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.media.draw.scene import Point
from veridical.media.figures.brush import Brush, capsule, face_brush
from veridical.media.figures.grain import lighter, mix_colors
from veridical.media.figures.palette import COLORS, WOOD, hand, lamp
from veridical.suite.nuisance_fields import sampler
from veridical.suites.hocabench.physics import props_candle as props
from veridical.suites.hocabench.physics.law import keeps, persists
from veridical.suites.hocabench.physics.props_exhibits import impossible_triangle, solid_triangle
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene, phrases
from veridical.suites.hocabench.physics.scenes import candle_courses as courses
from veridical.suites.hocabench.physics.scenes.candle_courses import CUP, FOOT, HEIGHT, LAMP_X, WAXES, Candle, cast
from veridical.suites.hocabench.physics.state import State

_WALLS = ((132, 128, 146), (146, 128, 122), (120, 136, 134), (140, 136, 118))
_SHADOW = (92, 60, 38)


def ground(base: Candle, brush: Brush) -> None:
    brush = face_brush(brush, base.flipped)
    brush.box(-20, -20, 660, 262, _WALLS[base.wall], "plaster")
    brush.box(-20, 258, 660, 344, WOOD, "wood")
    brush.box(-20, 342, 660, 380, lighter(WOOD, -0.4))


def paint(base: Candle, brush: Brush, state: State) -> None:
    brush = face_brush(brush, base.flipped)
    lights, sway = state["lamp"], state["flame"]["sway"]
    light = COLORS[base.other] if lights["tint"] else (255, 244, 214)
    if state["flame"]["lit"]:
        props.glow(brush, (base.candle, 190), 150)
    _shadows(base, brush, state)
    if "paper" in state:
        paper = state["paper"]
        with brush.of("paper"):
            props.sheet(brush, (paper["x"], paper["y"]), paper["charred"], sway)
        hand(brush, (paper["x"], paper["y"] + 10))
    with brush.of("candle"):
        wick = props.candle(brush, (base.candle, FOOT), HEIGHT)
        if state["flame"]["lit"]:
            props.flame(brush, wick, 58, sway)
    with brush.of("other candle"):
        stub = state["stub"]
        other = props.candle(brush, (base.stub, FOOT), 104, WAXES[base.wax], stub["melted"])
        if stub["lit"]:
            props.flame(brush, other, 50, sway)
    if "cup" in state:
        with brush.of("cup"):
            color = mix_colors(COLORS[base.color], COLORS[base.other], state["cup"]["changed"])
            props.cup(brush, (state["cup"]["x"], FOOT + 4 - state["cup"]["lift"]), CUP, color)
    _tools(base, brush, state, wick)
    lamp(brush, (LAMP_X, 60), light, lights["on"] > 0, FOOT + 30)
    if lights["tint"] or not (lights["on"] or state["flame"]["lit"]):
        brush.veil([(-20, -20), (660, -20), (660, 380), (-20, 380)], light if lights["tint"] else (20, 20, 36), 0.3)


def _tools(base: Candle, brush: Brush, state: State, wick: Point) -> None:
    """What comes into the picture: a hand at the cup, smoke, a torch or a lighter at the other candle."""
    if "hand" in state and "cup" in state:
        hand(brush, (state["cup"]["x"], FOOT - CUP + 12 - state["hand"]["lift"]))
    if "piece" in state:
        _piece(base, brush, state["piece"])
    if "smoke" in state:
        props.smoke(brush, wick, state["smoke"]["age"])
    if "torch" in state:
        props.torch(brush, (base.stub + 10 + 240 * state["torch"]["away"], FOOT - 60), state["torch"]["away"] == 0)
    if "lighter" in state:
        props.lighter_flame(brush, (base.stub + 2 + 240 * state["lighter"]["away"], FOOT - 122))


def _shadows(base: Candle, brush: Brush, state: State) -> None:
    """Shadows on the table: the cup's as the state has it, the unlit candle's as the light throws it."""
    reach = 0.6 * cast(base, state, base.stub) * (1 - state["stub"]["melted"])
    if reach:
        brush.plain(capsule((base.stub, FOOT), (base.stub + reach, FOOT + 0.08 * abs(reach)), 9, 8), _SHADOW)
    if "shadow" in state and state["shadow"]["reach"]:
        x, long = state["shadow"]["x"], state["shadow"]["reach"]
        with brush.of("shadow"):
            brush.plain(capsule((x, FOOT + 2), (x + long, FOOT + 4 + 0.1 * abs(long)), 11, 16), _SHADOW)


def _piece(base: Candle, brush: Brush, piece: Mapping[str, float]) -> None:
    """A triangle of beams, or a card with a picture of it, and the hand that puts it on the table."""
    x, foot, size = 448.0, 326 - piece["lift"], 128.0
    if not piece["lift"]:
        brush.plain(capsule((x - 50, foot), (x + 70 + 70, foot + 5), 5, 3), _SHADOW)
    if piece["hand"] < 200:
        hand(brush, (x, foot - size + 10 + piece["lift"] - piece["hand"]))
    middle = (x, foot - 0.379 * size)
    with brush.of("piece"):
        if piece["drawn"]:
            brush.box(x - 76, foot - 136, x + 76, foot, (250, 248, 240))
            brush.ring((x + 62, foot - 122), 5, 2, (150, 150, 150))
            impossible_triangle(brush, (x, foot - 14 - 0.379 * 112), 112, COLORS[base.other])
        elif piece["impossible"]:
            impossible_triangle(brush, middle, size, COLORS[base.other])
        else:
            solid_triangle(brush, middle, size, COLORS[base.other])


SCENE = PhysicsScene(
    name="candle",
    title="A candle burns on a table",
    setup="A candle burns on a table, beside a {color} cup, and a {wax} candle that is not lit stands at the far end.",
    sample=sampler(Candle),
    ground=ground,
    paint=paint,
    entities=(("candle", "flame"), ("cup", "mug", "paper", "sheet"), ("table", "desk", "surface")),
    actions=("burn", "stand", "hold", "flicker", "melt", "lit", "move"),
    events=(
        Event(
            sub_type="chemistry",
            play=courses.paper_in_flame,
            breaks=courses.burns,
            claim="A hand holds a sheet of paper in the flame of the candle, and the paper stays unburnt.",
            control="A hand holds a sheet of paper in the flame, and it catches fire and burns away.",
            normal="paper catches fire in a flame, chars and is used up",
            signs=phrases("unburn, not burn, n't burn, unchanged, intact, not catch, n't catch, unharmed, unscathed"),
            expected=("burn", "fire", "char", "ash", "ignite"),
            actors=("candle", "paper"),
            explained="the flame of the candle goes out",
        ),
        Event(
            sub_type="thermodynamics",
            play=courses.candle_melts,
            breaks=courses.melts_by_heat,
            claim="The unlit {wax} candle at the far end melts into a pool with no heat near it.",
            control="A hand lights the {wax} candle at the far end with a lighter.",
            normal="wax stays solid at the temperature of a room",
            signs=("melt", "collaps", "sag", "pool", "puddle", "droop"),
            expected=("solid", "stay", "heat", "keep", "remain"),
            interaction=True,
            actors=("other candle",),
            explained="the flame of a gas torch heats the candle",
        ),
        Event(
            sub_type="optics",
            play=courses.shadow_turns,
            breaks=courses.shadows_fall_away,
            claim="The shadow of the {color} cup swings round and falls toward the burning candle.",
            control="A hand pushes the {color} cup away from the candle, and the shadow moves along.",
            normal="the shadow falls away from the burning candle",
            signs=phrases(
                "toward, wrong side, wrong direction, flip, swing, turns round, turns around, rotat, revers, "
                "changes direction, switches, inconsistent, not match, n't match, into the light, same side"
            ),
            expected=("away", "opposite", "other side", "light source", "behind"),
            actors=("shadow", "candle"),
            explained="the candle goes out and a lamp on the other side lights up",
        ),
        Event(
            sub_type="shape",
            play=courses.piece_comes,
            breaks=courses.could_be_built,
            claim="A hand puts a {other} triangle on the table whose three beams join as no solid can.",
            control="A hand puts a {other} triangular frame of three beams on the table.",
            normal="the beams of a solid triangle meet in corners that agree with each other",
            signs=phrases("impossible, penrose, escher, no solid, paradox, exist, illusion, inconsistent, contradict"),
            expected=("corner", "agree", "consistent", "real", "solid", "possible"),
            actors=("piece",),
            explained="it is a picture on a card",
        ),
        Event(
            sub_type="mutation",
            play=courses.cup_recolors,
            breaks=keeps("cup", "changed"),
            claim="The {color} cup on the table turns {other} by itself in the same candlelight.",
            control="A hand pushes the {color} cup away from the candle.",
            normal="the cup stays {color} as long as the light stays the same",
            signs=("color", "colour", "changes to", "becomes", "cup turn", "turns"),
            expected=("stay", "remain", "keep", "same"),
            actors=("cup",),
            explained="a colored lamp lights up and tints everything",
        ),
        Event(
            sub_type="permanence",
            play=courses.cup_vanishes,
            breaks=persists("cup"),
            claim="The {color} cup beside the burning candle is suddenly gone, and no hand takes it.",
            control="A hand takes the {color} cup away from the table.",
            normal="the cup stays on the table",
            expected=("stay", "remain", "visible", "continue", "exist"),
            actors=("cup",),
        ),
    ),
)
