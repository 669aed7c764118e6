"""A hand tilts a smooth board on which a block lies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import HEIGHT, WIDTH, Brush, face_brush, rotate_points
from veridical.media.figures.clock import Clock, interpolate
from veridical.media.figures.grain import lighter
from veridical.media.figures.palette import COLORS, WOOD, hand
from veridical.suite.nuisance_fields import draw, one_of, sampler, uniform
from veridical.suites.hocabench.physics.law import always_there, each_frame, is_in_hand, keeps
from veridical.suites.hocabench.physics.play import Instant, begins_when, outcome
from veridical.suites.hocabench.physics.props_home import WALLS, window
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene, phrases
from veridical.suites.hocabench.physics.state import Course, State, States, present, remove, update, value

TABLE, HINGE, LENGTH, THICK = 296.0, 238.0, 268.0, 13.0
_STEEPEST = math.radians(63)
_GRAVITY, _STEP, _TABLE_GRIP = 900.0, 1 / 240, 620.0
_SWOLLEN = 1.9


@dataclass(frozen=True, slots=True)
class TiltingBoard:
    """Lengths in units, times in seconds; `place` is the block's distance from the board's hinge, `slip` in radians."""

    color: str = one_of(sorted(COLORS))
    other: str = one_of(sorted(COLORS), unlike=("color",))
    wall: str = one_of(sorted(WALLS))
    mirrored: bool = one_of((False, True))
    side: float = uniform(58, 66)
    place: float = uniform(160, 182)
    starts: float = uniform(0.5, 0.65)
    lasts: float = uniform(1.7, 2.0)
    slip: float = draw(lambda nuisances, _: math.radians(nuisances.between(27, 32)))
    later: float = uniform(0.3, 0.5)

    def angle(self, time: float) -> float:
        """The board's tilt in radians."""
        return interpolate([(self.starts, 0.0), (self.starts + self.lasts, _STEEPEST)], time)

    @property
    def loose(self) -> float:
        """When the board is steep enough for the block to slide, in seconds."""
        return _loose(self)


@lru_cache(maxsize=8)
def _loose(base: TiltingBoard) -> float:
    low, high = base.starts, base.starts + base.lasts
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if base.angle(middle) < base.slip else (low, middle)
    return high


when_it_comes_loose = begins_when(lambda base: base.loose)
while_it_slides = begins_when(lambda base: base.loose + base.later)


@lru_cache(maxsize=8)
def _slid(base: TiltingBoard) -> tuple[tuple[float, float], ...]:
    """The block's distance from the hinge and its speed downwards, at steps of a fixed length from `loose` on."""
    place, speed, grip = base.place, 0.0, 0.72 * math.tan(base.slip)
    rows = [(place, speed)]
    for k in range(int(6 / _STEP)):
        angle = base.angle(base.loose + k * _STEP)
        if place > 0:
            speed += _STEP * _GRAVITY * (math.sin(angle) - grip * math.cos(angle))
        else:
            speed = max(0.0, speed - _STEP * _TABLE_GRIP)
        place -= _STEP * speed
        rows.append((place, speed))
    return tuple(rows)


def _sliding(base: TiltingBoard, time: float) -> tuple[float, float]:
    """Place and speed of the block at a time, between the two nearest steps."""
    rows = _slid(base)
    at = max(0.0, time - base.loose) / _STEP
    k = min(int(at), len(rows) - 2)
    (p0, s0), (p1, s1) = rows[k], rows[k + 1]
    return p0 + (at - k) * (p1 - p0), s0 + (at - k) * (s1 - s0)


def board_point(angle: float, way: float) -> Point:
    """The point of the board, or of the table beyond it, at a distance from the hinge."""
    x, y = HINGE - THICK * math.sin(angle), TABLE - THICK * math.cos(angle)
    if way >= 0:
        return x + way * math.cos(angle), y - way * math.sin(angle)
    return x + way, min(TABLE, y - 0.4 * way)


def pose(side: float, angle: float, way: float, lift: float = 0.0) -> tuple[Point, float]:
    """The center and the turn of a block of that side on the board or the table."""
    half = side / 2
    (x0, y0), (x1, y1) = board_point(angle, way - half), board_point(angle, way + half)
    turn = math.atan2(y1 - y0, x1 - x0)
    return ((x0 + x1) / 2 + half * math.sin(turn), (y0 + y1) / 2 - half * math.cos(turn) - lift), turn


def _state(base: TiltingBoard, time: float, way: float, speed: float) -> State:
    block = {"way": way, "speed": speed, "lift": 0.0, "scale": 1.0, "changed": 0.0}
    return {"board": {"angle": base.angle(time)}, "block": block}


def _with_hand(base: TiltingBoard, state: State, above: float, holds: bool) -> State:
    """With a hand that holds the block's upper side, or is above it."""
    block = state["block"]
    (x, y), turn = pose(base.side, state["board"]["angle"], block["way"], block["lift"])
    reach = base.side / 2 - 7
    grip = {"x": x + reach * math.sin(turn), "y": y - reach * math.cos(turn) - above, "holds": float(holds)}
    return {**state, "hand": grip}


def _normal(base: TiltingBoard, time: float) -> State:
    """A hand puts the block down; the board is tilted; the block slides off and stops on the table."""
    state = _state(base, time, *_sliding(base, time))
    if time <= 0.25:
        lowered = update(state, "block", lift=interpolate([(0.0, 46.0), (0.25, 0.0)], time))
        return _with_hand(base, lowered, 0.0, True)
    above = 560 * (time - 0.25)
    return _with_hand(base, state, above, False) if above < 270 else state


def _grip(base: TiltingBoard, now: Instant, lifted: float) -> State:
    """Another hand comes in and holds the block where it is, or takes it up."""
    time, catch = now.time, now.start + 0.2
    if time < catch:
        return _with_hand(base, _normal(base, time), 260 * (catch - time) / 0.2, False)
    state = _state(base, time, _sliding(base, catch)[0], 0.0)
    return _with_hand(
        base, update(state, "block", lift=interpolate([(catch, 0.0), (catch + 1.1, lifted)], time)), 0.0, True
    )


@outcome(_normal, when_it_comes_loose)
def sticks(base: TiltingBoard, course: Course, now: Instant) -> State:
    """The block stays where it is on the steep board; explained: a hand holds it."""
    return _grip(base, now, 0.0) if course == "explained" else _state(base, now.time, base.place, 0.0)


@outcome(_normal, when_it_comes_loose)
def climbs(base: TiltingBoard, _course: Course, now: Instant) -> State:
    """The block slides up to the raised end."""
    top, since = LENGTH - base.side / 2 - 34, now.time - base.loose + 0.5 * now.step
    way = base.place + 95 * since**2 / (since + 0.2)
    return _state(base, now.time, min(top, way), -95.0 if way < top else 0.0)


@outcome(_normal, while_it_slides)
def vanishes(base: TiltingBoard, course: Course, now: Instant) -> State:
    """The block is gone from the board; explained: a hand takes it away."""
    return _grip(base, now, 420.0) if course == "explained" else remove(_normal(base, now.time), "block")


@outcome(_normal, while_it_slides)
def swells(base: TiltingBoard, _course: Course, now: Instant) -> State:
    """The block grows to nearly twice its size in a third of a second."""
    since = now.time - base.loose - base.later + 0.5 * now.step
    return update(_normal(base, now.time), "block", scale=1 + (_SWOLLEN - 1) * min(1.0, since / 0.33))


@outcome(_normal, while_it_slides)
def changes_color(base: TiltingBoard, _course: Course, now: Instant) -> State:
    return update(_normal(base, now.time), "block", changed=1.0)


@each_frame("a block on a steep board slides")
def comes_loose(base: TiltingBoard, _clock: Clock, states: States, k: int) -> bool:
    """A block that nothing holds starts to slide once the board is steeper than its slip angle."""
    held = not present(states, k, "block") or is_in_hand(states, k)
    steep = states[k - 1]["board"]["angle"] >= base.slip - 1e-9
    moved = any(value(state, "block", "speed") for state in states[: k + 1])
    return bool(held or not steep or moved)


@each_frame("the block does not slide up")
def never_climbs(_base: TiltingBoard, _clock: Clock, states: States, k: int) -> bool:
    return value(states[k], "block", "speed") >= 0


def ground(base: TiltingBoard, brush: Brush) -> None:
    side = face_brush(brush, base.mirrored)
    side.plain([(-20, -20), (WIDTH + 20, -20), (WIDTH + 20, TABLE), (-20, TABLE)], WALLS[base.wall])
    window(side, 48, 46, 104, 118)
    side.box(-20, TABLE, WIDTH + 20, TABLE + 22, (150, 108, 72), "wood")
    side.plain(
        [(-20, TABLE + 22), (WIDTH + 20, TABLE + 22), (WIDTH + 20, HEIGHT + 20), (-20, HEIGHT + 20)], (96, 78, 64)
    )
    side.plain([(-20, TABLE + 22), (WIDTH + 20, TABLE + 22), (WIDTH + 20, TABLE + 30), (-20, TABLE + 30)], (74, 58, 46))


def paint(base: TiltingBoard, brush: Brush, state: State) -> None:
    side, angle = face_brush(brush, base.mirrored), state["board"]["angle"]
    end = board_point(angle, LENGTH)
    shade = (HINGE + end[0]) / 2
    side.shadow((shade, TABLE + 4), (end[0] - HINGE) / 2 + 6, 5, 0.2)
    with side.of("board"):
        corners = [(HINGE, TABLE - THICK), (HINGE + LENGTH, TABLE - THICK), (HINGE + LENGTH, TABLE), (HINGE, TABLE)]
        side.polygon(rotate_points(corners, -angle, corners[3]), (226, 204, 164), "wood", -angle)
        edge = rotate_points([(HINGE, TABLE - 1.5), (HINGE + LENGTH, TABLE - 1.5)], -angle, corners[3])
        side.line(edge[0], edge[1], 3, lighter(WOOD, -0.1))
    block = state.get("block")
    if block:
        (x, y), turn = pose(base.side * block["scale"], angle, block["way"], block["lift"])
        if block["way"] < 0 and block["lift"] < 1:
            side.shadow((x, TABLE + 4), 0.6 * base.side * block["scale"], 5)
        with side.of("block"):
            _block(
                side, x, y, base.side * block["scale"] / 2, turn, COLORS[base.other if block["changed"] else base.color]
            )
    with side.of("lifting hand"):
        hand(side, (end[0] - 10 * math.cos(angle), end[1] + 10 * math.sin(angle) + 6))
    held = state.get("hand")
    if held:
        with side.of("hand"):
            hand(side, (held["x"], held["y"]), sleeve=(120, 66, 70), flip=-1.0)


def _block(brush: Brush, x: float, y: float, half: float, turn: float, color: Colour) -> None:
    brush.box(x - half, y - half, x + half, y + half, color, "wood", turn)
    corners = rotate_points(
        [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)], turn
    )
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        brush.line(start, end, 4, lighter(color, -0.3))
    inner = 0.45 * half
    corners = [(x - inner, y - inner), (x + inner, y - inner), (x + inner, y + inner), (x - inner, y + inner)]
    brush.plain(rotate_points(corners, turn), lighter(color, 0.55))


SCENE = PhysicsScene(
    name="tilting_board",
    title="A block on a board that is tilted",
    setup="A hand puts a {color} block on a smooth board, and another hand lifts the board's end higher and higher.",
    sample=sampler(TiltingBoard),
    ground=ground,
    paint=paint,
    entities=(
        ("block", "cube", "box", "brick"),
        ("board", "plank", "ramp", "slope", "incline", "plane"),
        ("hand", "person", "someone"),
    ),
    actions=("tilt", "lift", "rais", "slid", "inclin", "put", "place"),
    control="The {color} block slides down the board as it gets steep, and stops on the table.",
    events=(
        Event(
            sub_type="friction",
            play=sticks,
            breaks=comes_loose,
            claim="The {color} block stays in its place on the smooth board although that gets very steep.",
            normal="the block slides down as soon as the smooth board is steep enough",
            signs=phrases(
                "stays in, stays put, stays where, stuck, stick, in place, in its place, not slide, n't slide, "
                "not slip, n't slip, not move, n't move, remains, motionless, glued"
            ),
            expected=("slide", "slip", "down"),
            interaction=True,
            explained="a hand holds the block in its place",
            actors=("block",),
        ),
        Event(
            sub_type="gravity",
            play=climbs,
            breaks=never_climbs,
            claim="The {color} block slides up the smooth board to its raised end, and stays there.",
            normal="the block slides down the board when that gets steep",
            signs=("slides up", "upward", "up the", "uphill", "climb", "moves up", "higher", "raised end", "ascend"),
            expected=("down", "fall"),
            interaction=True,
            actors=("block",),
        ),
        Event(
            sub_type="permanence",
            play=vanishes,
            breaks=always_there("block"),
            claim="The {color} block is suddenly gone from the tilted board, with no hand near it.",
            normal="the block stays in sight and slides down to the table",
            expected=("stay", "remain", "visible", "slide", "continue", "exist"),
            explained="a hand takes the block away",
            actors=("block",),
        ),
        Event(
            sub_type="size",
            play=swells,
            breaks=keeps("block", "scale"),
            claim="The {color} block swells to twice its size while it slides down the board.",
            normal="the block keeps its size while it slides down",
            signs=("swell", "grow", "bigger", "larger", "size", "twice", "expand", "double", "enlarg"),
            expected=("size", "keep", "same", "stay", "remain"),
            actors=("block",),
        ),
        Event(
            sub_type="mutation",
            play=changes_color,
            breaks=keeps("block", "changed"),
            claim="The {color} block turns {other} all over while it slides down the board.",
            normal="the block stays {color} while it slides down",
            expected=("stay", "remain", "keep", "same color", "same colour"),
            actors=("block",),
        ),
    ),
)
