"""A jug pours a drink into a glass."""

from __future__ import annotations

import math

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush, circle, face_brush, rotate_points
from veridical.media.figures.grain import clip_polygon, lighter, mix_colors
from veridical.media.figures.palette import COLORS as NAMED
from veridical.media.figures.palette import WATER, hand, room, table
from veridical.suite.nuisance_fields import sampler
from veridical.suites.hocabench.physics.liquids import level_in, stream
from veridical.suites.hocabench.physics.props_home import frost, wall_thermometer
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene, phrases
from veridical.suites.hocabench.physics.scenes import pouring_laws as laws
from veridical.suites.hocabench.physics.scenes.pouring_laws import FLOOR, GLASS, JUG, TABLE, Pouring
from veridical.suites.hocabench.physics.state import State

COLORS: dict[str, Colour] = {
    "water": WATER,
    "apple juice": (222, 158, 40),
    "cherry juice": (178, 40, 62),
    "mint tea": (74, 160, 92),
}
CLEAR: Colour = (112, 138, 152)
WHITE: Colour = (255, 255, 255)


def bent_point(base: Pouring, state: State, side: float, height: float) -> Point:
    """A point of the glass: `side` is its distance from the middle, `height` that above the floor."""
    return base.place + side + 86 * state["glass"]["bent"] * (height / GLASS[1]) ** 2, FLOOR - height


def slab(base: Pouring, state: State, half: float, low: float, high: float) -> list[Point]:
    """The part of the glass between two heights, `half` wide to each side."""
    steps = [low + (high - low) * k / 6 for k in range(7)]
    left = [bent_point(base, state, -half, height) for height in steps]
    return left + [bent_point(base, state, half, height) for height in reversed(steps)]


def content(base: Pouring, brush: Brush, state: State) -> None:
    """Paint the drink in the glass: level, as a pillar, or frozen."""
    glass = state["glass"]
    color = mix_colors(COLORS[base.drink], NAMED[base.other], glass["turned"])
    height, half = drink_height(state), _half(state)
    if height < 1:
        return
    points = slab(base, state, half, 0, height)
    if glass["frozen"]:
        ice = mix_colors(color, (214, 236, 255), 0.5)
        brush.polygon(points, ice, "ice")
        frost(brush, base.place - half, base.place + half, FLOOR - height, FLOOR, lighter(ice, 0.4))
        return
    brush.polygon(points, color)
    left, right = (bent_point(base, state, side, height) for side in (-half, half))
    brush.line(left, right, 4, lighter(color, 0.4))


def straw(base: Pouring, brush: Brush, state: State) -> None:
    """Paint a straw that slides into the glass; the drink is to be painted over it."""
    x, y = base.place - 22, FLOOR - 8
    dx, dy = _off(state["straw"]["near"])
    brush.stroke([(x + dx, y + dy), (x + 64 + dx, y - 190 + dy)], 13, (222, 74, 62))
    for at in (0.4, 0.54, 0.68, 0.82):
        ends = [(x + 64 * share + dx, y - 190 * share + dy) for share in (at, at + 0.05)]
        brush.line(ends[0], ends[1], 13, (250, 248, 240))


def fingers(base: Pouring, brush: Brush, state: State) -> None:
    """Paint the hand that brings the straw or the dropper, and the dropper."""
    if "straw" in state:
        dx, dy = _off(state["straw"]["hand"])
        hand(brush, (base.place + 34 + dx, FLOOR - 176 + dy))
    if "dropper" in state:
        dx, dy = _off(state["dropper"]["near"])
        x, y, color = base.place + 6 + dx, FLOOR - GLASS[1] - 16 + dy, NAMED[base.other]
        brush.stroke([(x, y), (x, y - 36)], 9, lighter(color, 0.25))
        if state["dropper"]["drips"]:
            brush.stroke([(x, y), (x, FLOOR - drink_height(state))], 7, color)
        hand(brush, (x, y - 40))
        brush.disc((x, y - 44), 15, color)


def _off(near: float) -> tuple[float, float]:
    """How far something is that comes down along the straw: out of the frame where `near` is 0."""
    return 104 * (1 - near), -310 * (1 - near)


def drink_height(state: State) -> float:
    """How high the drink stands in the glass."""
    return state["glass"]["amount"] / (2 * _half(state))


def _half(state: State) -> float:
    """Half the width of the drink in the glass."""
    return GLASS[0] / 2 * (0.56 if state["glass"]["piled"] else 1.0)


def glint(base: Pouring, state: State) -> list[Point]:
    """The outline of the light on the glass."""
    heights = [14 + 17 * k for k in range(7)]
    left = [bent_point(base, state, -GLASS[0] / 2 + 10, height) for height in heights]
    return left + [(x + 6, y) for x, y in reversed(left)]


def ground(base: Pouring, brush: Brush) -> None:
    brush = face_brush(brush, base.mirrored)
    room(brush, 330)
    table(brush, TABLE)
    brush.shadow((base.place, TABLE + 5), 72, 7)
    wall_thermometer(brush, 590, 30, base.warm)


def _jug(base: Pouring, brush: Brush, state: State) -> None:
    jug, (width, height) = state["jug"], JUG
    lip = (jug["x"], jug["y"])
    corners = [(lip[0] - width, lip[1]), lip, (lip[0], lip[1] + height), (lip[0] - width, lip[1] + height)]
    body = rotate_points(corners, jug["tilt"], lip)
    color = COLORS[base.drink]
    grip = rotate_points([(lip[0] - width - 34, lip[1] + 0.3 * height)], jug["tilt"], lip)[0]
    handle = [(-width, 14.0), (-width - 34, 24.0), (-width - 34, 92.0), (-width, 104.0)]
    if lip[1] > TABLE - height - 20:
        brush.shadow((lip[0] - width / 2, TABLE + 5), 70, 7)
    with brush.of("jug"):
        brush.stroke(rotate_points([(lip[0] + x, lip[1] + y) for x, y in handle], jug["tilt"], lip), 11, CLEAR)
        brush.plain(body, (228, 235, 238))
        drink = clip_polygon(body, (0.0, 1.0), level_in(body, jug["content"]))
        brush.polygon(drink, color)
        spout = rotate_points([(lip[0] + 10, lip[1] - 5), lip, corners[2], corners[3], corners[0]], jug["tilt"], lip)
        brush.stroke(spout, 6, CLEAR)
        shine = rotate_points(
            [(lip[0] - width + dx, lip[1] + dy) for dx, dy in ((14, 16), (20, 16), (20, 112), (14, 112))],
            jug["tilt"],
            lip,
        )
        brush.veil(shine, WHITE, 0.5)
    with brush.of("hand"):
        hand(brush, (grip[0] + 4, grip[1] + 6), flip=-1)


def _run_off(base: Pouring, brush: Brush, state: State) -> None:
    """What runs out of the hole in the glass: a jet and a puddle."""
    hole, color = state["hole"], COLORS[base.drink]
    x, y = base.place + GLASS[0] / 2 + 3, FLOOR - 14
    share = min(1.0, hole["gone"] / base.poured)
    reach = 30 + 70 * math.sqrt(share)
    brush.plain(circle((x + 38, TABLE + 3), reach, 6), color)
    if hole["flow"]:
        brush.curve([(x + 44 * k / 6, y + (TABLE - y) * (k / 6) ** 2) for k in range(7)], 9, color)
    brush.disc((x, y), 6, (30, 30, 32))
    brush.stroke([(x + 96, TABLE - 6), (x + 108, TABLE - 6)], 12, (178, 128, 76))


def paint(base: Pouring, brush: Brush, state: State) -> None:
    brush = face_brush(brush, base.mirrored)
    half, rim = GLASS[0] / 2, GLASS[1]
    with brush.of("glass"):
        brush.plain(slab(base, state, half, 0, rim), (232, 238, 240))
        if "straw" in state:
            straw(base, brush, state)
        content(base, brush, state)
    _jug(base, brush, state)
    falling = state.get("stream")
    if falling:
        lip, landing = base.lip, FLOOR - drink_height(state)
        span = landing - lip[1]
        top, bottom = lip[1] + falling["tail"] * span, lip[1] + falling["head"] * span
        with brush.of("stream"):
            stream(brush, lip[0] + 9, top, bottom, 12, COLORS[base.drink])
    with brush.of("glass"):
        wall = slab(base, state, half + 3, -3, rim)
        brush.stroke(wall[:7], 6, CLEAR)
        brush.stroke(wall[7:], 6, CLEAR)
        brush.stroke([wall[0], wall[-1]], 8, CLEAR)
        brush.veil(glint(base, state), WHITE, 0.5)
    fingers(base, brush, state)
    if not state["hole"]["gone"]:
        brush.stroke([(base.place + half + 2, FLOOR - 14), (base.place + half + 12, FLOOR - 14)], 12, (178, 128, 76))
    else:
        _run_off(base, brush, state)


SCENE = PhysicsScene(
    name="pouring",
    title="A jug pours a drink into a glass",
    setup="A hand pours {drink} from a jug into a glass, in a room that is {warm} °C warm.",
    sample=sampler(Pouring),
    ground=ground,
    paint=paint,
    entities=(
        ("glass", "cup", "beaker", "tumbler", "juice", "water", "tea", "liquid", "drink"),
        ("jug", "pitcher", "carafe", "jar"),
    ),
    actions=("pour", "fill"),
    control="The jug pours {drink} into the glass, which fills by as much as the jug gives.",
    events=(
        Event(
            sub_type="mass_volume",
            play=laws.stays_empty,
            breaks=laws.is_conserved,
            actors=("glass", "jug"),
            claim="The {drink} pours from the jug into the glass, yet nothing gathers and the glass stays empty.",
            normal="the glass fills by as much as the jug gives",
            signs=phrases(
                "empty, nothing, disappear, vanish, not fill, doesn't fill, don't fill, not rise, doesn't rise, "
                "don't rise, not gain, doesn't gain, don't gain, not collect, doesn't collect, don't collect, "
                "not gather, doesn't gather, don't gather, not accumulate, doesn't accumulate, don't accumulate"
            ),
            expected=("fill", "rise", "gain", "increase"),
            explained="the stopper is out of the hole in the glass, and the {drink} runs out on the table",
        ),
        Event(
            sub_type="fluidity",
            play=laws.piles_up,
            breaks=laws.spreads,
            actors=("glass",),
            claim="The {drink} pours from the jug and stands in the glass as a pillar, away from the sides.",
            normal="the {drink} spreads to the sides of the glass and stands level",
            signs=phrases(
                "pillar, column, block, tower, heap, stack, pile, stands as, stands up, stands upright, rectang, "
                "solid, away from, not spread, doesn't spread, don't spread, not touch, doesn't touch, don't touch, "
                "not level, doesn't level, don't level"
            ),
            expected=("spread", "level", "flow", "fill", "sides"),
            interaction=True,
        ),
        Event(
            sub_type="rigidity",
            play=laws.bends,
            breaks=laws.stiff,
            actors=("glass",),
            claim="The {drink} fills the glass, and then the glass sags over sideways as if of soft rubber.",
            normal="the hard glass stays straight and upright",
            signs=phrases(
                "sag, bend, bent, rubber, droop, soft, lean, curve, curving, deform, warp, tilt, flexib, slump"
            ),
            expected=("straight", "upright", "rigid", "hard", "stiff", "keep its shape"),
        ),
        Event(
            sub_type="thermodynamics",
            play=laws.freezes,
            breaks=laws.liquid,
            actors=("glass",),
            claim="The {drink} fills the glass and freezes to ice at once, with frost on the outside.",
            normal="the {drink} stays liquid in the warm room",
            signs=phrases("freez, ice, frozen, froze, frost, solidif"),
            expected=("liquid", "stay", "remain", "warm"),
        ),
        Event(
            sub_type="mutation",
            play=laws.turns_color,
            breaks=laws.same_color,
            actors=("glass",),
            claim="The {drink} fills the glass and then turns {other} all through, by itself.",
            control="The {drink} fills the glass, and a hand puts a straw into it.",
            normal="the {drink} in the glass stays as it was in the jug, since nothing is added",
            expected=("stay", "remain", "keep", "same"),
            explained="a hand drips {other} dye into the glass",
        ),
    ),
)
