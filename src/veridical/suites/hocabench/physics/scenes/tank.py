"""A hand lifts a heavy thing from a scale and lowers it into a tank of water."""

from __future__ import annotations

from veridical.media.draw.scene import Colour, Point
from veridical.suites.hocabench.physics.brush import Brush
from veridical.suites.hocabench.physics.grain import clipped, lighter
from veridical.suites.hocabench.physics.liquids import (
    body_of_liquid,
    facing,
    front_of_liquid,
    stream,
    surface,
    vessel,
    wavy,
)
from veridical.suites.hocabench.physics.palette import STEEL, WATER, hand, room, table
from veridical.suites.hocabench.physics.props_kitchen import tap
from veridical.suites.hocabench.physics.scene import Event, Scene, State
from veridical.suites.hocabench.physics.scenes import tank_laws as laws
from veridical.suites.hocabench.physics.scenes.tank_laws import FLOOR, LEFT, PAN, RIGHT, SCALE, TABLE, TOP, Tank

COLORS: dict[str, Colour] = {
    "iron weight": (74, 78, 86),
    "brick": (172, 82, 58),
    "stone block": (136, 132, 126),
    "lead block": (104, 108, 122),
}
_GRAIN = {"brick": "stone", "stone block": "stone"}
_DARK: Colour = (46, 48, 54)
_PLANTS = ((-58.0, 70.0), (-26.0, 92.0), (4.0, 78.0), (34.0, 96.0), (64.0, 66.0))


def ground(base: Tank, brush: Brush) -> None:
    brush = facing(brush, base.mirrored)
    room(brush, 316)
    table(brush, TABLE)
    brush.shadow(((LEFT + RIGHT) / 2, TABLE + 5), 176, 7)
    brush.shadow((SCALE, TABLE + 5), 70, 6)
    brush.box(SCALE - 62, PAN + 12, SCALE + 62, TABLE, (212, 214, 220), "metal")
    brush.box(SCALE - 54, PAN, SCALE + 54, PAN + 7, STEEL, "metal")
    brush.box(SCALE - 8, PAN + 7, SCALE + 8, PAN + 14, STEEL)
    brush.box(LEFT, TOP, RIGHT, FLOOR, (236, 238, 236))
    tap(brush, (RIGHT - 40, 74))


def _plants(base: Tank, brush: Brush) -> None:
    for k, (x, high) in enumerate(_PLANTS):
        color = (44, 132, 70) if k % 2 else (92, 168, 60)
        sway = 7 if k % 2 else -7
        points = [(base.place + x + sway * (j % 2), FLOOR - high * j / 4) for j in range(5)]
        brush.curve(points, 9, color)


def _body(base: Tank, x: float, y: float) -> list[Point]:
    half, taper = base.wide / 2, 6.0
    return [(x - half + taper, y - base.high), (x + half - taper, y - base.high), (x + half, y), (x - half, y)]


def _thing(base: Tank, brush: Brush, state: State) -> None:
    x, y, clear = (state["thing"][name] for name in ("x", "y", "clear"))
    color, outline = COLORS[base.thing], _body(base, x, y)
    top = y - base.high
    level = state["water"]["level"] if clear else 1000.0
    with brush.of("thing"):
        if clear:
            brush.veil(outline, (232, 246, 255), 0.4)
        for one, two in zip(outline, [*outline[1:], outline[0]], strict=True) if clear else ():
            brush.line(one, two, 3.5, (250, 253, 255))
        dry = clipped(outline, (0.0, -1.0), -level)
        if len(dry) > 2:
            brush.polygon(dry, color, _GRAIN.get(base.thing, "metal"))
        if base.thing in _GRAIN or level < top:
            brush.ring((x, top - 9), 9, 5, lighter(color, -0.25 if level > top else 0.6))
        else:
            brush.box(x - 7, top - 10, x + 7, top, lighter(color, -0.2))
            brush.disc((x, top - 12), 11, color)
        brush.text((x, top + 0.5 * base.high), f"{base.kilos} kg", 24, (244, 244, 240))


def paint(base: Tank, brush: Brush, state: State) -> None:
    brush = facing(brush, base.mirrored)
    water = state["water"]
    top = surface(LEFT, RIGHT, wavy(water["level"], water["swell"]))
    brush.box(SCALE - 40, PAN + 18, SCALE + 40, TABLE - 8, _DARK)
    brush.text((SCALE, PAN + 27), f"{base.kilos if state['scale']['load'] else 0}.0 kg", 20, (120, 240, 140))
    with brush.of("water"):
        body_of_liquid(brush, top, FLOOR, lighter(WATER, 0.35))
    _plants(base, brush)
    if water["shaft"]:
        _shaft(base, brush, state)
    if state["tap"]["open"]:
        stream(brush, RIGHT - 40, 74, water["level"], 14, lighter(WATER, 0.25))
    grip = state.get("hand")
    _thing(base, brush, state)
    _front(base, brush, state, top)
    vessel(brush, LEFT, RIGHT, TOP, FLOOR)
    if grip:
        with brush.of("hand"):
            hand(brush, (grip["x"], grip["y"] + 4))


def _shaft(base: Tank, brush: Brush, state: State) -> None:
    """The open hole in the water, down to the thing."""
    x, low, high = base.place, state["thing"]["y"] - base.high + 2, state["water"]["level"] - 3
    left, right = x - base.wide / 2 + 4, x + base.wide / 2 - 4
    brush.plain([(left, high), (right, high), (right, low), (left, low)], (244, 244, 240))
    for side in (left, right):
        brush.line((side, high), (side, low), 4, lighter(WATER, -0.15))


def _front(base: Tank, brush: Brush, state: State, top: list[Point]) -> None:
    if not state["water"]["shaft"]:
        front_of_liquid(brush, top, FLOOR, WATER)
        return
    left, right = base.place - base.wide / 2 + 4, base.place + base.wide / 2 - 4
    front_of_liquid(brush, [p for p in top if p[0] < left] + [(left, state["water"]["level"])], FLOOR, WATER)
    front_of_liquid(brush, [(right, state["water"]["level"])] + [p for p in top if p[0] > right], FLOOR, WATER)


_CONTROL = "The hand lets go of the {thing}, it sinks to the floor of the tank, and the water rises a little."

TANK = Scene(
    name="tank",
    title="A hand lowers a heavy thing into a tank of water",
    setup="A hand lifts a heavy {thing} from a scale and lowers it into a glass tank of water with plants.",
    sample=laws.sample,
    ground=ground,
    paint=paint,
    entities=(("weight", "brick", "block", "stone"), ("tank", "aquarium", "container"), ("water",), ("hand",)),
    actions=("lower", "drop", "sink", "put", "place", "let go", "release"),
    events=(
        Event(
            sub_type="buoyancy",
            play=laws.floats,
            begins=laws.released,
            breaks=laws.SINKS,
            actors=("thing", "water"),
            claim="The {thing} of {kilos} kg bobs up and floats on the water when the hand lets go of it.",
            control=_CONTROL,
            normal="the heavy {thing} sinks to the floor of the tank",
            signs=("float", "bob", "does not sink", "doesn't sink", "buoyan"),
            expected=("sink", "bottom", "go down", "floor"),
            interaction=True,
            explained="the hand keeps hold of the {thing} at the surface",
        ),
        Event(
            sub_type="fluidity",
            play=laws.keeps_a_shaft,
            begins=laws.under,
            breaks=laws.CLOSES,
            actors=("water", "thing"),
            claim="The {thing} of {kilos} kg sinks, and the water keeps an open shaft where it went down.",
            control=_CONTROL,
            normal="the water flows together above the {thing} and its surface is level",
            signs=("shaft", "hole", "gap", "column", "open", "cavity"),
            expected=("flow", "close", "level", "fill"),
            interaction=True,
        ),
        Event(
            sub_type="mass_volume",
            play=laws.rises,
            begins=laws.released,
            breaks=laws.CONSERVED,
            actors=("water",),
            claim="The {thing} of {kilos} kg sinks, and the water in the tank climbs nearly to the brim.",
            control=_CONTROL,
            normal="the water rises only a little, by the volume of the {thing}",
            signs=("climb", "rise", "rising", "brim", "level", "overflow", "fills"),
            expected=("little", "slight", "volume of", "displace"),
            interaction=True,
            explained="a tap above the tank opens and fills it",
        ),
        Event(
            sub_type="material_appearance",
            play=laws.becomes_clear,
            begins=laws.touches,
            breaks=laws.OPAQUE,
            actors=("thing",),
            claim="The {thing} of {kilos} kg is see-through under water, and the plants behind it show through.",
            control=_CONTROL,
            normal="the {thing} stays opaque and hides the plants behind it",
            signs=("see-through", "transparen", "translucent", "show through", "clear", "glass"),
            expected=("opaque", "hide", "solid", "cover"),
            interaction=False,
        ),
        Event(
            sub_type="collision",
            play=laws.drops_through,
            begins=laws.lands,
            breaks=laws.SOLID,
            actors=("thing",),
            claim="The {thing} of {kilos} kg sinks and drops right through the floor of the tank and the table.",
            control=_CONTROL,
            normal="the {thing} comes to rest on the floor of the tank",
            signs=("through", "penetrat", "pass"),
            expected=("rest", "stop", "lie", "stay", "floor", "bottom"),
            interaction=True,
        ),
    ),
)
