"""A hand lifts a heavy thing from a scale and lowers it into a tank of water."""

from __future__ import annotations

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush, face_brush
from veridical.media.figures.grain import clip_polygon, lighter
from veridical.media.figures.palette import STEEL, WATER, hand, room, table
from veridical.suite.nuisance_fields import sampler
from veridical.suites.hocabench.physics.liquids import body_of_liquid, front_of_liquid, stream, surface, vessel, wavy
from veridical.suites.hocabench.physics.props_home import frost, tap, wall_thermometer
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene, phrases
from veridical.suites.hocabench.physics.scenes import tank_courses as courses
from veridical.suites.hocabench.physics.scenes.tank_courses import FLOOR, LEFT, PAN, RIGHT, SCALE, TABLE, TOP, Tank
from veridical.suites.hocabench.physics.state import State

COLORS: dict[str, Colour] = {
    "iron weight": (74, 78, 86),
    "brick": (172, 82, 58),
    "stone block": (136, 132, 126),
    "lead block": (104, 108, 122),
}
_GRAIN = {"brick": "stone", "stone block": "stone"}
_PLANTS = ((-58.0, 70.0), (-26.0, 92.0), (4.0, 78.0), (34.0, 96.0), (64.0, 66.0))


def plants(base: Tank, brush: Brush) -> None:
    """The plants behind the place where the thing goes down."""
    for k, (x, high) in enumerate(_PLANTS):
        color = (44, 132, 70) if k % 2 else (92, 168, 60)
        sway = 7 if k % 2 else -7
        points = [(base.place + x + sway * (j % 2), FLOOR - high * j / 4) for j in range(5)]
        brush.curve(points, 9, color)


def _body(base: Tank, x: float, y: float, flat: float) -> list[Point]:
    squat = 1 - 0.6 * flat
    half, taper, top = base.wide / 2 / squat, 6.0 + 30 * flat, y - base.high * squat
    return [(x - half + taper, top), (x + half - taper, top), (x + half, y), (x - half, y)]


def thing(base: Tank, brush: Brush, state: State) -> None:
    """The thing with what it weighs; see-through below the water where it is clear."""
    x, y, clear, flat = (state["thing"][name] for name in ("x", "y", "clear", "flat"))
    color, outline = COLORS[base.thing], _body(base, x, y, flat)
    top = outline[0][1]
    level = state["water"]["level"] if clear else 1000.0
    with brush.of("thing"):
        if clear:
            brush.veil(outline, (232, 246, 255), 0.4)
        for one, two in zip(outline, [*outline[1:], outline[0]], strict=True) if clear else ():
            brush.line(one, two, 3.5, (250, 253, 255))
        dry = clip_polygon(outline, (0.0, -1.0), -level)
        if len(dry) > 2:
            brush.polygon(dry, color, _GRAIN.get(base.thing, "metal"))
        if base.thing in _GRAIN or level < top:
            brush.ring((x, top - 9), 9, 5, lighter(color, -0.25 if level > top else 0.6))
        else:
            brush.box(x - 7, top - 10, x + 7, top, lighter(color, -0.2))
            brush.disc((x, top - 12), 11, color)
        brush.text((x, 0.5 * (top + y)), f"{base.kilos} kg", 24 - 6 * flat, (244, 244, 240))


def shaft(base: Tank, brush: Brush, state: State) -> None:
    """The open hole in the water, down to the thing."""
    x, low, high = base.place, state["thing"]["y"] - base.high + 2, state["water"]["level"] - 3
    left, right = x - base.wide / 2 + 4, x + base.wide / 2 - 4
    brush.plain([(left, high), (right, high), (right, low), (left, low)], (244, 244, 240))
    for side in (left, right):
        brush.line((side, high), (side, low), 4, lighter(WATER, -0.15))


_DARK: Colour = (46, 48, 54)
_ICE: Colour = (232, 243, 252)


def ground(base: Tank, brush: Brush) -> None:
    brush = face_brush(brush, base.mirrored)
    room(brush, 316)
    table(brush, TABLE)
    brush.shadow(((LEFT + RIGHT) / 2, TABLE + 5), 176, 7)
    brush.shadow((SCALE, TABLE + 5), 70, 6)
    brush.box(SCALE - 62, PAN + 12, SCALE + 62, TABLE, (212, 214, 220), "metal")
    brush.box(SCALE - 54, PAN, SCALE + 54, PAN + 7, STEEL, "metal")
    brush.box(SCALE - 8, PAN + 7, SCALE + 8, PAN + 14, STEEL)
    brush.box(LEFT, TOP, RIGHT, FLOOR, (236, 238, 236))
    tap(brush, (RIGHT - 40, 74))
    wall_thermometer(brush, 216, 26, base.warm)


def paint(base: Tank, brush: Brush, state: State) -> None:
    brush = face_brush(brush, base.mirrored)
    water = state["water"]
    top = surface(LEFT, RIGHT, wavy(water["level"], water["swell"]))
    brush.box(SCALE - 40, PAN + 18, SCALE + 40, TABLE - 8, _DARK)
    brush.text((SCALE, PAN + 27), f"{base.kilos if state['scale']['load'] else 0}.0 kg", 20, (120, 240, 140))
    with brush.of("water"):
        body_of_liquid(brush, top, FLOOR, lighter(WATER, 0.35))
    plants(base, brush)
    if water["shaft"]:
        shaft(base, brush, state)
    if state["tap"]["open"]:
        stream(brush, RIGHT - 40, 74, water["level"], 14, lighter(WATER, 0.25))
    grip = state.get("hand")
    thing(base, brush, state)
    _front(base, brush, state, top)
    vessel(brush, LEFT, RIGHT, TOP, FLOOR)
    if water["frozen"]:
        edge = FLOOR - water["frozen"] * (FLOOR - water["level"])
        front_of_liquid(brush, [(LEFT, edge), (RIGHT, edge)], FLOOR, _ICE, 0.55)
        frost(brush, LEFT, RIGHT, water["level"], FLOOR, _ICE, water["frozen"])
    if grip:
        with brush.of("hand"):
            hand(brush, (grip["x"], grip["y"] + 4))


def _front(base: Tank, brush: Brush, state: State, top: list[Point]) -> None:
    if not state["water"]["shaft"]:
        front_of_liquid(brush, top, FLOOR, WATER)
        return
    left, right = base.place - base.wide / 2 + 4, base.place + base.wide / 2 - 4
    front_of_liquid(brush, [p for p in top if p[0] < left] + [(left, state["water"]["level"])], FLOOR, WATER)
    front_of_liquid(brush, [(right, state["water"]["level"])] + [p for p in top if p[0] > right], FLOOR, WATER)


SCENE = PhysicsScene(
    name="tank",
    title="A hand lowers a heavy thing into a tank of water",
    setup="A hand lifts a heavy {thing} from a scale and lowers it into a glass tank of water with plants.",
    sample=sampler(Tank),
    ground=ground,
    paint=paint,
    entities=(("weight", "brick", "block", "stone", "water"), ("tank", "aquarium", "container"), ("hand",)),
    actions=("lower", "drop", "sink", "put", "place", "let go", "release"),
    control="The hand lets go of the {thing}, it sinks to the floor of the tank, and the water rises a little.",
    events=(
        Event(
            sub_type="buoyancy",
            play=courses.floats,
            breaks=courses.sinks,
            actors=("thing", "water"),
            claim="The {thing} of {kilos} kg bobs up and floats on the water when the hand lets go of it.",
            normal="the heavy {thing} sinks to the floor of the tank",
            signs=phrases(
                "float, afloat, bob, buoyan, stays on top, remains on top, not sink, doesn't sink, don't sink"
            ),
            expected=("sink", "bottom", "go down", "floor"),
            explained="the hand keeps hold of the {thing} at the surface",
        ),
        Event(
            sub_type="fluidity",
            play=courses.keeps_a_shaft,
            breaks=courses.closes,
            actors=("water", "thing"),
            claim="The {thing} of {kilos} kg sinks, and the water keeps an open shaft where it went down.",
            normal="the water flows together above the {thing} and its surface is level",
            signs=phrases(
                "shaft, hole, gap, column, open, cavity, hollow, channel, tunnel, void, not close, doesn't close, "
                "don't close, not flow, doesn't flow, don't flow, not fill, doesn't fill, don't fill"
            ),
            expected=("flow", "close", "level", "fill"),
        ),
        Event(
            sub_type="mass_volume",
            play=courses.rises,
            breaks=courses.is_conserved,
            actors=("water",),
            claim="The {thing} of {kilos} kg sinks, and the water in the tank climbs nearly to the brim.",
            normal="the water rises only a little, by the volume of the {thing}",
            signs=phrases(
                "climb, brim, overflow, fills, rises far, rises too, rises a lot, rises much, rises nearly, "
                "rises almost, rises to, rises dramatic, rises significant, rises greatly, rises drastic, rises sharp, "
                "rises excessive, rises dispropor, too much, increase, disproportion"
            ),
            expected=("little", "slight", "volume of", "displace"),
            interaction=True,
            explained="a tap above the tank opens and fills it",
        ),
        Event(
            sub_type="material_appearance",
            play=courses.becomes_clear,
            breaks=courses.opaque,
            actors=("thing",),
            claim="The {thing} of {kilos} kg is see-through under water, and the plants behind it show through.",
            normal="the {thing} stays opaque and hides the plants behind it",
            signs=phrases(
                "see-through, seen through, transparen, translucen, show through, visible through, visible behind, "
                "invisible, clear like, clear as, like glass, turns clear, becomes clear"
            ),
            expected=("opaque", "hide", "solid", "cover"),
        ),
        Event(
            sub_type="collision",
            play=courses.drops_through,
            breaks=courses.solid,
            actors=("thing",),
            claim="The {thing} of {kilos} kg sinks and drops right through the floor of the tank and the table.",
            normal="the {thing} comes to rest on the floor of the tank",
            signs=phrases("through, penetrat"),
            expected=("rest", "stop", "lie", "stay", "floor", "bottom"),
            interaction=True,
        ),
        Event(
            sub_type="rigidity",
            play=courses.goes_flat,
            breaks=courses.stiff,
            actors=("thing",),
            claim="The {thing} of {kilos} kg sinks and sags into a flat lump on the floor, as dough does.",
            normal="the hard {thing} keeps its form when it comes to rest",
            signs=("sag", "flat", "dough", "soft", "squash", "melt", "spread", "deform", "squish"),
            expected=("keep", "rigid", "hard", "solid", "same shape"),
            interaction=True,
        ),
        Event(
            sub_type="thermodynamics",
            play=courses.freezes,
            breaks=courses.liquid,
            actors=("water",),
            claim="The {thing} of {kilos} kg sinks, and all the water in the tank freezes to ice from below.",
            normal="the water stays liquid in the warm room",
            signs=("freez", "ice", "frozen", "froze", "frost"),
            expected=("liquid", "stay", "remain", "warm"),
        ),
    ),
)
