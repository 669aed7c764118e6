"""A hand puts an iron weight on a steel rod that lies across two blocks."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.media.draw.scene import Colour
from veridical.media.figures.brush import HEIGHT, WIDTH, Brush, circle, face_brush
from veridical.media.figures.clock import Clock, interpolate
from veridical.media.figures.grain import lighter
from veridical.media.figures.palette import COLORS, STEEL, WOOD, hand
from veridical.suite.nuisance_fields import draw, one_of, sampler, uniform
from veridical.suites.hocabench.physics.law import always_there, each_frame, keeps
from veridical.suites.hocabench.physics.play import Instant, begins_when, outcome
from veridical.suites.hocabench.physics.props_home import WALLS, rope
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene
from veridical.suites.hocabench.physics.state import Course, State, States, present, remove, update, value

BENCH, ROD = 286.0, 184.0
MIDDLE, ASIDE, RELEASED = 320.0, 572.0, 200.0
"""Where the weight lies on the rod, where the hand carries it, and how high its underside is when it lets go."""
TALL = 76.0
"""From the weight's underside to where a hand grips it."""
SAG = 82.0
_GRAVITY = 1250.0
_AWAY = -40.0


@dataclass(frozen=True, slots=True)
class Workbench:
    """Times in seconds: when the weight is put down, when the hand comes back for it, and when it lets it fall."""

    color: str = one_of(sorted(COLORS))
    put: float = uniform(0.45, 0.7)
    bottle: str = one_of(sorted(COLORS), unlike=("color",))
    wall: str = one_of(sorted(WALLS))
    mass: str = one_of(("5 kg", "10 kg", "20 kg"))
    mirrored: bool = one_of((False, True))
    back: float = draw(lambda nuisances, drawn: drawn["put"] + nuisances.between(0.65, 0.9))
    carry: float = uniform(0.5, 0.7)

    @property
    def grip(self) -> float:
        """When the hand grips the weight again."""
        return self.back + 0.22

    @property
    def drop(self) -> float:
        """When the hand lets the weight fall beside the rod."""
        return self.grip + 0.3 + self.carry


when_the_hand_is_back = begins_when(lambda base: base.back)
when_the_hand_lets_go = begins_when(lambda base: base.drop)


def _state(x: float, y: float, speed: float, hand: float | None, holds: bool) -> State:
    """The weight with its underside at y, and a hand whose fingers are at a height."""
    state = {
        "weight": {"x": x, "y": y, "speed": speed},
        "rod": {"sag": 0.0},
        "cube": {"clear": 0.0},
        "string": {"shown": 0.0},
    }
    return state if hand is None or hand <= _AWAY else {**state, "hand": {"x": x, "y": hand, "holds": float(holds)}}


def _normal(base: Workbench, time: float) -> State:
    """The hand puts the weight on the rod, comes back, carries it aside and lets it fall onto the bench."""
    if time <= base.put:
        y = interpolate([(0.0, ROD - 62), (base.put, ROD)], time)
        return _state(MIDDLE, y, 0.0, y - TALL, True)
    if time < base.grip:
        tip = interpolate([(base.put, ROD - TALL), (base.put + 0.35, _AWAY), (base.back - 0.03, _AWAY)], time)
        tip = (
            tip if time < base.back - 0.03 else interpolate([(base.back - 0.03, _AWAY), (base.grip, ROD - TALL)], time)
        )
        return _state(MIDDLE, ROD, 0.0, tip, False)
    if time <= base.drop:
        x = interpolate([(base.grip + 0.2, MIDDLE), (base.drop - 0.05, ASIDE)], time)
        y = interpolate([(base.grip, ROD), (base.grip + 0.3, ROD - 70), (base.drop, RELEASED)], time)
        return _state(x, y, 0.0, y - TALL, True)
    fallen = time - base.drop
    y, speed = RELEASED + _GRAVITY * fallen**2 / 2, _GRAVITY * fallen
    # It hits the bench and stays there.
    return _state(ASIDE, *((y, speed) if y < BENCH else (BENCH, 0.0)), _leaving(base, time), False)


def _leaving(base: Workbench, time: float) -> float:
    """Where the fingers of the hand are after it has let go."""
    return interpolate([(base.drop, RELEASED - TALL), (base.drop + 0.6, _AWAY)], time)


@outcome(_normal, when_the_hand_lets_go)
def hangs(base: Workbench, course: Course, now: Instant) -> State:
    """The weight that the hand has let go stays in the air; explained: on a string in the hand."""
    if course == "violating":
        return _state(ASIDE, RELEASED, 0.0, _leaving(base, now.time), False)
    tip = interpolate([(base.drop, RELEASED - TALL), (base.drop + 0.7, RELEASED - TALL - 72)], now.time)
    return update(_state(ASIDE, RELEASED, 0.0, tip, False), "string", shown=1.0)


@outcome(_normal, when_the_hand_is_back)
def droops(base: Workbench, _course: Course, now: Instant) -> State:
    """The rod gives way under the weight like a rope; the hand does not come back."""
    sag = SAG * interpolate([(base.back - 0.04, 0.0), (base.back + 0.45, 1.0)], now.time)
    return update(_state(MIDDLE, ROD + sag, 0.0, None, False), "rod", sag=sag)


@outcome(_normal, when_the_hand_is_back)
def vanishes(base: Workbench, course: Course, now: Instant) -> State:
    """The weight is gone; explained: the hand takes it out of sight."""
    if course == "violating":
        return remove(_state(MIDDLE, ROD, 0.0, None, False), "weight")
    if now.time < base.grip:
        return _normal(base, now.time)
    y = interpolate([(base.grip, ROD), (base.grip + 1.2, -70.0)], now.time)
    return {**_state(MIDDLE, y, 0.0, None, True), "hand": {"x": MIDDLE, "y": y - TALL, "holds": 1.0}}


@outcome(_normal, when_the_hand_is_back)
def turns_clear(base: Workbench, _course: Course, now: Instant) -> State:
    """The cube becomes see-through, while the hand comes back."""
    clear = interpolate([(base.back - 0.05, 0.0), (base.back + 0.4, 1.0)], now.time)
    return update(_normal(base, now.time), "cube", clear=clear)


def _held(state: State) -> bool:
    lies = abs(state["weight"]["x"] - MIDDLE) < 1 and abs(state["weight"]["y"] - ROD - state["rod"]["sag"]) < 0.01
    return bool(lies or value(state, "hand", "holds") or state["string"]["shown"])


@each_frame("a weight that nothing holds falls")
def falls(_base: Workbench, clock: Clock, states: States, k: int) -> bool:
    """A weight that nothing holds falls faster by the same amount in each frame."""
    if not present(states, k, "weight") or any(map(_held, states[k - 1 : k + 1])):
        return True
    now, before, step = states[k]["weight"], states[k - 1]["weight"], 1 / clock.rate
    speed = before["speed"] + _GRAVITY * step
    lands = before["y"] + before["speed"] * step + _GRAVITY * step**2 / 2 >= BENCH - 1e-6
    return bool(lands or abs(now["speed"] - speed) < 1)


_THICK = 14.0
_ENDS = (150.0, 490.0)
_BLOCKS = ((166.0, 240.0), (400.0, 474.0))
_CUBE = (22.0, 116.0)
_IRON: Colour = (66, 68, 74)


def ground(base: Workbench, brush: Brush) -> None:
    side = face_brush(brush, base.mirrored)
    side.plain([(-20, -20), (WIDTH + 20, -20), (WIDTH + 20, BENCH), (-20, BENCH)], WALLS[base.wall])
    _board(side)
    side.box(-20, BENCH, WIDTH + 20, BENCH + 24, (196, 156, 108))
    side.box(-20, BENCH + 24, WIDTH + 20, HEIGHT + 20, (122, 92, 66))
    for x in (60, 400):
        side.plain([(x, BENCH + 36), (x + 190, BENCH + 36), (x + 190, 374), (x, 374)], (142, 108, 78))
        side.plain(circle((x + 95, BENCH + 54), 8), (80, 62, 46))
    for left, right in _BLOCKS:
        side.shadow(((left + right) / 2, BENCH + 3), 48, 5)
        side.box(left, ROD + _THICK, right, BENCH, WOOD, "wood")
    _bottle(side, (_CUBE[0] + _CUBE[1]) / 2 + 6, COLORS[base.bottle])


def _board(brush: Brush) -> None:
    """A board with a hammer, a saw and a wrench on the wall."""
    brush.plain([(146, 22), (494, 22), (494, 118), (146, 118)], (206, 178, 138))
    brush.line((182, 44), (182, 108), 8, (150, 96, 56))
    brush.plain([(160, 34), (206, 34), (206, 52), (160, 52)], (96, 100, 108))
    brush.plain([(412, 46), (482, 62), (482, 74), (412, 78)], (186, 192, 200))
    brush.plain([(388, 42), (416, 42), (416, 84), (388, 84)], (150, 96, 56))
    brush.stroke([(250, 42), (250, 98)], 11, (120, 126, 136))


def _bottle(brush: Brush, x: float, color: Colour) -> None:
    """A tall bottle on the bench, behind the cube."""
    brush.box(x - 27, 176, x + 27, BENCH - 2, color)
    brush.plain([(x - 27, 177), (x - 10, 148), (x + 10, 148), (x + 27, 177)], color)
    brush.box(x - 10, 122, x + 10, 149, lighter(color, -0.3))
    brush.plain([(x - 27, 214), (x + 27, 214), (x + 27, 256), (x - 27, 256)], (250, 246, 232))
    brush.plain(circle((x, 235), 13), color)


def paint(base: Workbench, brush: Brush, state: State) -> None:
    side = face_brush(brush, base.mirrored)
    with side.of("cube"):
        _cube(side, COLORS[base.color], state["cube"]["clear"])
    with side.of("rod"):
        _rod(side, state["rod"]["sag"])
    weight, held = state.get("weight"), state.get("hand")
    if weight and held and state["string"]["shown"]:
        rope(side, (held["x"], held["y"] - 8), (weight["x"], weight["y"] - TALL + 4), (90, 62, 34), 4)
    if weight:
        if weight["x"] > (MIDDLE + ASIDE) / 2:
            side.shadow((weight["x"], BENCH + 4), 46, 5, 0.1 + 0.2 * max(0.0, 1 - (BENCH - weight["y"]) / 120))
        with side.of("weight"):
            x, y = weight["x"], weight["y"]
            side.ring((x, y - TALL + 12), 11, 6, lighter(_IRON, 0.15))
            side.polygon([(x - 30, y - 60), (x + 30, y - 60), (x + 42, y), (x - 42, y)], _IRON, "metal")
            side.text((x, y - 26), base.mass, 22, (240, 240, 240))
    if held:
        with side.of("hand"):
            hand(side, (held["x"], held["y"]))


def _cube(brush: Brush, color: Colour, clear: float) -> None:
    """A solid cube; as far as it is clear, what is behind it shows through."""
    left, right, top = *_CUBE, BENCH - 94
    corners = [(left, top), (right, top), (right, BENCH), (left, BENCH)]
    brush.shadow(((left + right) / 2, BENCH + 3), 56, 5)
    if clear:
        brush.veil(corners, color, 1 - 0.88 * clear)
    else:
        brush.box(left, top, right, BENCH, color, "wood")
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        brush.line(start, end, 4, lighter(color, -0.3))


def _rod(brush: Brush, sag: float) -> None:
    inner = (_BLOCKS[0][1], _BLOCKS[1][0])
    half = (inner[1] - inner[0]) / 2
    xs = [_ENDS[0], *(inner[0] + 2 * half * k / 20 for k in range(21)), _ENDS[1]]
    top = [(x, ROD + sag * max(0.0, 1 - (abs(x - MIDDLE) / half) ** 3)) for x in xs]
    brush.plain([*top, *((x, y + _THICK) for x, y in reversed(top))], STEEL)
    if brush.style != "flat":
        brush.curve([(x, y + _THICK - 2.5) for x, y in top], 5, lighter(STEEL, -0.25))
    brush.curve([(x, y + 3.5) for x, y in top], 2.5, lighter(STEEL, 0.5))


SCENE = PhysicsScene(
    name="workbench",
    title="A weight on a steel rod",
    setup="A hand puts an iron weight on a steel rod that lies across two blocks on a bench, beside a {color} cube.",
    sample=sampler(Workbench),
    ground=ground,
    paint=paint,
    entities=(
        ("weight", "kettlebell", "iron"),
        ("rod", "bar", "beam", "pole"),
        ("cube", "block", "box"),
        ("hand", "person", "someone"),
    ),
    actions=("put", "place", "lift", "lower", "hold", "rest", "let", "releas", "drop", "carr"),
    control="The hand carries the weight aside and lets it fall, and it lands on the bench.",
    events=(
        Event(
            sub_type="gravity",
            play=hangs,
            breaks=falls,
            claim="The iron weight stays in the air beside the rod after the hand lets go of it.",
            normal="the weight falls onto the bench as soon as the hand lets go of it",
            signs=("in the air", "float", "hover", "hang", "suspend", "mid-air", "midair", "levitat", "not fall"),
            expected=("fall", "drop", "land", "come down"),
            interaction=True,
            explained="the weight hangs on a string in the hand",
            actors=("weight",),
        ),
        Event(
            sub_type="rigidity",
            play=droops,
            breaks=keeps("rod", "sag"),
            claim="The straight steel rod suddenly droops like a rope under the iron weight on it.",
            normal="the steel rod stays straight under the weight, as it did before",
            signs=("droop", "sag", "bend", "bent", "rope", "soft", "deform", "curv", "flex"),
            expected=("straight", "rigid", "stiff", "stay", "hold", "firm"),
            actors=("rod", "weight"),
        ),
        Event(
            sub_type="permanence",
            play=vanishes,
            breaks=always_there("weight"),
            claim="The iron weight that lies on the steel rod is suddenly gone, with no hand near.",
            normal="the weight stays on the rod until a hand takes it",
            expected=("stay", "remain", "visible", "exist", "until"),
            explained="the hand takes the weight away",
            actors=("weight",),
        ),
        Event(
            sub_type="material_appearance",
            play=turns_clear,
            breaks=keeps("cube", "clear"),
            claim="The solid {color} wooden cube turns see-through, and the bottle behind it shows.",
            normal="the wooden cube stays opaque and hides the bottle behind it",
            signs=("see-through", "see through", "transparen", "translucen", "clear", "glass", "through it"),
            expected=("opaque", "hide", "cover", "block", "solid", "not be seen", "stay"),
            actors=("cube",),
        ),
    ),
)
