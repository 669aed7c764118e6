"""A jug pours a drink into a glass."""

from __future__ import annotations

import math

from veridical.media.figures.brush import Brush, circle, faced, turned
from veridical.media.figures.grain import clipped
from veridical.media.figures.palette import hand, room, table
from veridical.suites.hocabench.physics.liquids import level_in, stream
from veridical.suites.hocabench.physics.props_home import wall_thermometer
from veridical.suites.hocabench.physics.scene import Event, Scene, State, phrases
from veridical.suites.hocabench.physics.scenes import pouring_glass as glass
from veridical.suites.hocabench.physics.scenes import pouring_laws as laws
from veridical.suites.hocabench.physics.scenes.pouring_laws import FLOOR, GLASS, JUG, TABLE, Pouring


def ground(base: Pouring, brush: Brush) -> None:
    brush = faced(brush, base.mirrored)
    room(brush, 330)
    table(brush, TABLE)
    brush.shadow((base.place, TABLE + 5), 72, 7)
    wall_thermometer(brush, 590, 30, base.warm)


def _jug(base: Pouring, brush: Brush, state: State) -> None:
    jug, (width, height) = state["jug"], JUG
    lip = (jug["x"], jug["y"])
    corners = [(lip[0] - width, lip[1]), lip, (lip[0], lip[1] + height), (lip[0] - width, lip[1] + height)]
    body = turned(corners, jug["tilt"], lip)
    color = glass.COLORS[base.drink]
    grip = turned([(lip[0] - width - 34, lip[1] + 0.3 * height)], jug["tilt"], lip)[0]
    handle = [(-width, 14.0), (-width - 34, 24.0), (-width - 34, 92.0), (-width, 104.0)]
    if lip[1] > TABLE - height - 20:
        brush.shadow((lip[0] - width / 2, TABLE + 5), 70, 7)
    with brush.of("jug"):
        brush.stroke(turned([(lip[0] + x, lip[1] + y) for x, y in handle], jug["tilt"], lip), 11, glass.CLEAR)
        brush.plain(body, (228, 235, 238))
        drink = clipped(body, (0.0, 1.0), level_in(body, jug["content"]))
        brush.polygon(drink, color)
        spout = turned([(lip[0] + 10, lip[1] - 5), lip, corners[2], corners[3], corners[0]], jug["tilt"], lip)
        brush.stroke(spout, 6, glass.CLEAR)
        shine = turned(
            [(lip[0] - width + dx, lip[1] + dy) for dx, dy in ((14, 16), (20, 16), (20, 112), (14, 112))],
            jug["tilt"],
            lip,
        )
        brush.veil(shine, glass.WHITE, 0.5)
    with brush.of("hand"):
        hand(brush, (grip[0] + 4, grip[1] + 6), flip=-1)


def _run_off(base: Pouring, brush: Brush, state: State) -> None:
    """What runs out of the hole in the glass: a jet and a puddle."""
    hole, color = state["hole"], glass.COLORS[base.drink]
    x, y = base.place + GLASS[0] / 2 + 3, FLOOR - 14
    share = min(1.0, hole["gone"] / base.poured)
    reach = 30 + 70 * math.sqrt(share)
    brush.plain(circle((x + 38, TABLE + 3), reach, 6), color)
    if hole["flow"]:
        brush.curve([(x + 44 * k / 6, y + (TABLE - y) * (k / 6) ** 2) for k in range(7)], 9, color)
    brush.disc((x, y), 6, (30, 30, 32))
    brush.stroke([(x + 96, TABLE - 6), (x + 108, TABLE - 6)], 12, (178, 128, 76))


def paint(base: Pouring, brush: Brush, state: State) -> None:
    brush = faced(brush, base.mirrored)
    half, rim = GLASS[0] / 2, GLASS[1]
    with brush.of("glass"):
        brush.plain(glass.slab(base, state, half, 0, rim), (232, 238, 240))
        if "straw" in state:
            glass.straw(base, brush, state)
        glass.content(base, brush, state)
    _jug(base, brush, state)
    falling = state.get("stream")
    if falling:
        lip, landing = base.lip, FLOOR - glass.drink_height(state)
        span = landing - lip[1]
        top, bottom = lip[1] + falling["tail"] * span, lip[1] + falling["head"] * span
        with brush.of("stream"):
            stream(brush, lip[0] + 9, top, bottom, 12, glass.COLORS[base.drink])
    with brush.of("glass"):
        wall = glass.slab(base, state, half + 3, -3, rim)
        brush.stroke(wall[:7], 6, glass.CLEAR)
        brush.stroke(wall[7:], 6, glass.CLEAR)
        brush.stroke([wall[0], wall[-1]], 8, glass.CLEAR)
        brush.veil(glass.glint(base, state), glass.WHITE, 0.5)
    glass.fingers(base, brush, state)
    if not state["hole"]["gone"]:
        brush.stroke([(base.place + half + 2, FLOOR - 14), (base.place + half + 12, FLOOR - 14)], 12, (178, 128, 76))
    else:
        _run_off(base, brush, state)


_CONTROL = "The jug pours {drink} into the glass, which fills by as much as the jug gives."

POURING = Scene(
    name="pouring",
    title="A jug pours a drink into a glass",
    setup="A hand pours {drink} from a jug into a glass, in a room that is {warm} °C warm.",
    sample=laws.sample,
    ground=ground,
    paint=paint,
    entities=(
        ("glass", "cup", "beaker", "tumbler", "juice", "water", "tea", "liquid", "drink"),
        ("jug", "pitcher", "carafe", "jar"),
    ),
    actions=("pour", "fill"),
    events=(
        Event(
            sub_type="mass_volume",
            play=laws.stays_empty,
            begins=laws.arrives,
            breaks=laws.CONSERVED,
            actors=("glass", "jug"),
            claim="The {drink} pours from the jug into the glass, yet nothing gathers and the glass stays empty.",
            control=_CONTROL,
            normal="the glass fills by as much as the jug gives",
            signs=phrases(
                "empty, nothing, disappear, vanish, not fill, doesn't fill, don't fill, not rise, doesn't rise, "
                "don't rise, not gain, doesn't gain, don't gain, not collect, doesn't collect, don't collect, "
                "not gather, doesn't gather, don't gather, not accumulate, doesn't accumulate, don't accumulate"
            ),
            expected=("fill", "rise", "gain", "increase"),
            interaction=True,
            explained="the stopper is out of the hole in the glass, and the {drink} runs out on the table",
        ),
        Event(
            sub_type="fluidity",
            play=laws.piles_up,
            begins=laws.arrives,
            breaks=laws.SPREADS,
            actors=("glass",),
            claim="The {drink} pours from the jug and stands in the glass as a pillar, away from the sides.",
            control=_CONTROL,
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
            begins=laws.ends,
            breaks=laws.STIFF,
            actors=("glass",),
            claim="The {drink} fills the glass, and then the glass sags over sideways as if of soft rubber.",
            control=_CONTROL,
            normal="the hard glass stays straight and upright",
            signs=phrases(
                "sag, bend, bent, rubber, droop, soft, lean, curve, curving, deform, warp, tilt, flexib, slump"
            ),
            expected=("straight", "upright", "rigid", "hard", "stiff", "keep its shape"),
        ),
        Event(
            sub_type="thermodynamics",
            play=laws.freezes,
            begins=laws.ends,
            breaks=laws.LIQUID,
            actors=("glass",),
            claim="The {drink} fills the glass and freezes to ice at once, with frost on the outside.",
            control=_CONTROL,
            normal="the {drink} stays liquid in the warm room",
            signs=phrases("freez, ice, frozen, froze, frost, solidif"),
            expected=("liquid", "stay", "remain", "warm"),
        ),
        Event(
            sub_type="mutation",
            play=laws.turns_color,
            begins=laws.ends,
            breaks=laws.SAME_COLOR,
            actors=("glass",),
            claim="The {drink} fills the glass and then turns {other} all through, by itself.",
            control="The {drink} fills the glass, and a hand puts a straw into it.",
            normal="the {drink} in the glass stays as it was in the jug, since nothing is added",
            signs=("color", "colour", "turns", "changes to", "becomes"),
            expected=("stay", "remain", "keep", "same"),
            explained="a hand drips {other} dye into the glass",
        ),
    ),
)
