"""A jug pours a drink into a glass."""

from __future__ import annotations

import math

from veridical.media.draw.scene import Colour, Point
from veridical.suites.hocabench.physics.brush import Brush, circle, turned
from veridical.suites.hocabench.physics.grain import clipped, lighter, mixed
from veridical.suites.hocabench.physics.liquids import arm, facing, level_in, stream
from veridical.suites.hocabench.physics.palette import WATER, room, table
from veridical.suites.hocabench.physics.scene import Event, Scene, State
from veridical.suites.hocabench.physics.scenes import pouring_laws as laws
from veridical.suites.hocabench.physics.scenes.pouring_laws import FLOOR, GLASS, JUG, TABLE, Pouring

COLORS: dict[str, Colour] = {
    "water": WATER,
    "apple juice": (222, 158, 40),
    "cherry juice": (178, 40, 62),
    "mint tea": (74, 160, 92),
}
_CLEAR: Colour = (112, 138, 152)
_WHITE: Colour = (255, 255, 255)


def ground(base: Pouring, brush: Brush) -> None:
    brush = facing(brush, base.mirrored)
    room(brush, 330)
    table(brush, TABLE)
    brush.shadow((base.place, TABLE + 5), 72, 7)
    _thermometer(base, brush)


def _thermometer(base: Pouring, brush: Brush) -> None:
    x = 590.0
    brush.box(x - 24, 30, x + 24, 192, (250, 248, 240))
    brush.stroke([(x - 6, 50), (x - 6, 142)], 10, (206, 208, 212))
    brush.line((x - 6, 148), (x - 6, 140 - 2.2 * base.warm), 6, (206, 40, 40))
    brush.disc((x - 6, 152), 9, (206, 40, 40))
    for mark in range(4):
        brush.line((x + 4, 140 - 22 * mark), (x + 16, 140 - 22 * mark), 2, (80, 80, 84))
    brush.text((x, 178), f"{base.warm} °C", 17, (40, 40, 44))


def _bent(base: Pouring, state: State, side: float, height: float) -> Point:
    """A point of the glass: `side` is its distance from the middle, `height` that above the floor."""
    return base.place + side + 86 * state["glass"]["bent"] * (height / GLASS[1]) ** 2, FLOOR - height


def _slab(base: Pouring, state: State, half: float, low: float, high: float) -> list[Point]:
    """The part of the glass between two heights, `half` wide to each side."""
    steps = [low + (high - low) * k / 6 for k in range(7)]
    left = [_bent(base, state, -half, height) for height in steps]
    return left + [_bent(base, state, half, height) for height in reversed(steps)]


def _content(base: Pouring, brush: Brush, state: State) -> None:
    glass, color = state["glass"], COLORS[base.drink]
    half = GLASS[0] / 2
    if glass["piled"]:
        half *= 0.56
    height = glass["amount"] / (2 * half)
    if height < 1:
        return
    points = _slab(base, state, half, 0, height)
    if glass["frozen"]:
        _frozen(base, brush, state, points, height)
    elif glass["piled"]:
        brush.polygon(points, color)
        brush.line((base.place - half, FLOOR - height), (base.place + half, FLOOR - height), 4, lighter(color, 0.4))
    else:
        brush.polygon(points, color)
        top = [_bent(base, state, side, height) for side in (-half, half)]
        brush.line(top[0], top[1], 4, lighter(color, 0.4))


def _frozen(base: Pouring, brush: Brush, state: State, points: list[Point], height: float) -> None:
    ice = mixed(COLORS[base.drink], (214, 236, 255), 0.5)
    half = GLASS[0] / 2
    brush.polygon(points, ice, "ice")
    x, y = base.place, FLOOR
    for dx, dy, length, angle in ((-30, 18, 44, -0.9), (6, 10, 50, -2.0), (26, 30, 34, -1.1), (-8, 44, 30, -0.3)):
        start = (x + dx, y - min(dy, height))
        bend = (start[0] + 0.5 * length * math.cos(angle), start[1] + 0.5 * length * math.sin(angle))
        turn = angle + 0.8
        end = (bend[0] + 0.4 * length * math.cos(turn), max(y - height, bend[1] + 0.4 * length * math.sin(turn)))
        brush.line(start, bend, 2.5, _WHITE)
        brush.line(bend, end, 2, _WHITE)
    tips = [(x - half + 2 * half * k / 8, y - height - (0 if k % 2 == 0 else 14 + 7 * (k % 3))) for k in range(9)]
    brush.plain([*tips, (x + half, y - height + 2), (x - half, y - height + 2)], lighter(ice, 0.5))
    for k in range(10):
        side, low = (-1 if k % 2 else 1), (k // 2 + 0.5) / 5 * height
        brush.disc((x + side * (half + 4), y - low), 6 + 2.0 * (k % 3), _WHITE)


def _jug(base: Pouring, brush: Brush, state: State) -> None:
    jug, (width, height) = state["jug"], JUG
    lip = (jug["x"], jug["y"])
    corners = [(lip[0] - width, lip[1]), lip, (lip[0], lip[1] + height), (lip[0] - width, lip[1] + height)]
    body = turned(corners, jug["tilt"], lip)
    color = COLORS[base.drink]
    grip = turned([(lip[0] - width - 34, lip[1] + 0.3 * height)], jug["tilt"], lip)[0]
    handle = [(-width, 14.0), (-width - 34, 24.0), (-width - 34, 92.0), (-width, 104.0)]
    if lip[1] > TABLE - height - 20:
        brush.shadow((lip[0] - width / 2, TABLE + 5), 70, 7)
    with brush.of("jug"):
        brush.stroke(turned([(lip[0] + x, lip[1] + y) for x, y in handle], jug["tilt"], lip), 11, _CLEAR)
        brush.plain(body, (228, 235, 238))
        drink = clipped(body, (0.0, 1.0), level_in(body, jug["content"]))
        brush.polygon(drink, color)
        spout = turned([(lip[0] + 10, lip[1] - 5), lip, corners[2], corners[3], corners[0]], jug["tilt"], lip)
        brush.stroke(spout, 6, _CLEAR)
        glint = turned(
            [(lip[0] - width + dx, lip[1] + dy) for dx, dy in ((14, 16), (20, 16), (20, 112), (14, 112))],
            jug["tilt"],
            lip,
        )
        brush.veil(glint, _WHITE, 0.5)
    with brush.of("hand"):
        arm(brush, (grip[0] + 4, grip[1] + 6), flip=-1)


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
    brush = facing(brush, base.mirrored)
    half, rim = GLASS[0] / 2, GLASS[1]
    with brush.of("glass"):
        brush.plain(_slab(base, state, half, 0, rim), (232, 238, 240))
        _content(base, brush, state)
    _jug(base, brush, state)
    falling = state.get("stream")
    if falling:
        lip, landing = base.lip, FLOOR - _height(state)
        span = landing - lip[1]
        top, bottom = lip[1] + falling["tail"] * span, lip[1] + falling["head"] * span
        with brush.of("stream"):
            stream(brush, lip[0] + 9, top, bottom, 12, COLORS[base.drink])
    with brush.of("glass"):
        wall = _slab(base, state, half + 3, -3, rim)
        brush.stroke(wall[:7], 6, _CLEAR)
        brush.stroke(wall[7:], 6, _CLEAR)
        brush.stroke([wall[0], wall[-1]], 8, _CLEAR)
        brush.veil(_glint(base, state), _WHITE, 0.5)
    if not state["hole"]["gone"]:
        brush.stroke([(base.place + half + 2, FLOOR - 14), (base.place + half + 12, FLOOR - 14)], 12, (178, 128, 76))
    else:
        _run_off(base, brush, state)


def _glint(base: Pouring, state: State) -> list[Point]:
    heights = [14 + 17 * k for k in range(7)]
    left = [_bent(base, state, -GLASS[0] / 2 + 10, height) for height in heights]
    return left + [(x + 6, y) for x, y in reversed(left)]


def _height(state: State) -> float:
    glass = state["glass"]
    return glass["amount"] / (GLASS[0] * (0.56 if glass["piled"] else 1.0))


_CONTROL = "The jug pours {drink} into the glass, which fills by as much as the jug gives."

POURING = Scene(
    name="pouring",
    title="A jug pours a drink into a glass",
    setup="A hand pours {drink} from a jug into a glass, in a room that is {warm} °C warm.",
    sample=laws.sample,
    ground=ground,
    paint=paint,
    entities=(
        ("jug", "pitcher", "carafe", "jar"),
        ("glass", "cup", "beaker", "tumbler"),
        ("juice", "water", "tea", "liquid", "drink"),
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
            signs=("empty", "nothing", "does not fill", "doesn't fill", "not rise", "disappear", "vanish"),
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
            signs=("pillar", "column", "block", "tower", "stands", "heap", "stack", "pile", "spread"),
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
            signs=("sag", "bend", "bent", "rubber", "droop", "soft", "lean", "curve", "deform"),
            expected=("straight", "upright", "rigid", "hard", "stiff", "keep its shape"),
            interaction=False,
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
            signs=("freez", "ice", "frozen", "froze", "frost", "solid"),
            expected=("liquid", "stay", "remain", "warm"),
            interaction=False,
        ),
    ),
)
