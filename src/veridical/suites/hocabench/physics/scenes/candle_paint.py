"""How a candle, a cup and what comes to them are painted."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.media.draw.scene import Point
from veridical.media.figures.brush import Brush, capsule
from veridical.media.figures.flip import faced
from veridical.media.figures.grain import lighter, mixed
from veridical.media.figures.palette import COLORS, WOOD, hand, lamp
from veridical.suites.hocabench.physics import props_candle as props
from veridical.suites.hocabench.physics.props_exhibits import impossible_triangle, solid_triangle
from veridical.suites.hocabench.physics.scene import State
from veridical.suites.hocabench.physics.scenes.candle_courses import CUP, FOOT, HEIGHT, LAMP_X, Candle, cast

_WALLS = ((132, 128, 146), (146, 128, 122), (120, 136, 134), (140, 136, 118))
WAXES = {"white": props.WAX, "red": (186, 62, 58), "green": (84, 140, 96)}
_SHADOW = (92, 60, 38)


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
            color = mixed(COLORS[base.color], COLORS[base.other], state["cup"]["changed"])
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
