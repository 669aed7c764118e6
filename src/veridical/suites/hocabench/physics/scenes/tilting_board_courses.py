"""How the block on the tilting board moves in each course, and the laws that it keeps."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from veridical.media.draw.scene import Point
from veridical.media.figures.clock import Clock, along
from veridical.media.figures.palette import COLORS
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.props_home import WALLS
from veridical.suites.hocabench.physics.scene import Base, Course, Law, State, States, each_frame, value

TABLE, HINGE, LENGTH, THICK = 296.0, 238.0, 268.0, 13.0
_STEEPEST = math.radians(63)
_GRAVITY, _STEP, _TABLE_GRIP = 900.0, 1 / 240, 620.0
_SWOLLEN = 1.9


@dataclass(frozen=True, slots=True)
class TiltingBoard:
    """Lengths in units, times in seconds; `place` is the block's distance from the board's hinge, `slip` in radians."""

    color: str
    other: str
    wall: str
    mirrored: bool
    side: float
    place: float
    starts: float
    lasts: float
    slip: float
    later: float

    def angle(self, time: float) -> float:
        """The board's tilt in radians."""
        return along([(self.starts, 0.0), (self.starts + self.lasts, _STEEPEST)], time)

    @property
    def loose(self) -> float:
        """When the board is steep enough for the block to slide, in seconds."""
        low, high = self.starts, self.starts + self.lasts
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if self.angle(middle) < self.slip else (low, middle)
        return high


def sample(nuisances: Nuisances) -> TiltingBoard:
    color = nuisances.one_of(sorted(COLORS))
    return TiltingBoard(
        color=color,
        other=nuisances.one_of(sorted(set(COLORS) - {color})),
        wall=nuisances.one_of(sorted(WALLS)),
        mirrored=nuisances.one_of((False, True)),
        side=nuisances.between(58, 66),
        place=nuisances.between(160, 182),
        starts=nuisances.between(0.5, 0.65),
        lasts=nuisances.between(1.7, 2.0),
        slip=math.radians(nuisances.between(27, 32)),
        later=nuisances.between(0.3, 0.5),
    )


def when_it_comes_loose(base: TiltingBoard, clock: Clock) -> int:
    return clock.frame(base.loose)


def while_it_slides(base: TiltingBoard, clock: Clock) -> int:
    return clock.frame(base.loose + base.later)


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


def on_profile(angle: float, way: float) -> Point:
    """The point of the board, or of the table beyond it, at a distance from the hinge."""
    x, y = HINGE - THICK * math.sin(angle), TABLE - THICK * math.cos(angle)
    if way >= 0:
        return x + way * math.cos(angle), y - way * math.sin(angle)
    return x + way, min(TABLE, y - 0.4 * way)


def pose(side: float, angle: float, way: float, lift: float = 0.0) -> tuple[Point, float]:
    """The center and the turn of a block of that side on the board or the table."""
    half = side / 2
    (x0, y0), (x1, y1) = on_profile(angle, way - half), on_profile(angle, way + half)
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
        lowered = {**state["block"], "lift": along([(0.0, 46.0), (0.25, 0.0)], time)}
        return _with_hand(base, {**state, "block": lowered}, 0.0, True)
    above = 560 * (time - 0.25)
    return _with_hand(base, state, above, False) if above < 270 else state


def _course(base: TiltingBoard, clock: Clock, begin: int, after: Callable[[float], State]) -> States:
    times = [clock.time(k) for k in range(clock.frames)]
    return [_normal(base, time) if k < begin else after(time) for k, time in enumerate(times)]


def _gripped(base: TiltingBoard, begin: float, lifted: float) -> Callable[[float], State]:
    """Another hand comes in and holds the block where it is, or takes it up."""
    catch = begin + 0.2

    def state(time: float) -> State:
        if time < catch:
            return _with_hand(base, _normal(base, time), 260 * (catch - time) / 0.2, False)
        now = _state(base, time, _sliding(base, catch)[0], 0.0)
        lift = along([(catch, 0.0), (catch + 1.1, lifted)], time)
        return _with_hand(base, {**now, "block": {**now["block"], "lift": lift}}, 0.0, True)

    return state


def sticks(base: TiltingBoard, clock: Clock, course: Course) -> States:
    """The block stays where it is on the steep board; explained: a hand holds it."""
    begin = when_it_comes_loose(base, clock)
    if course == "explained":
        return _course(base, clock, begin, _gripped(base, clock.time(begin), 0.0))
    stuck = course == "violating"
    return _course(base, clock, begin, lambda t: _state(base, t, base.place, 0.0) if stuck else _normal(base, t))


def climbs(base: TiltingBoard, clock: Clock, course: Course) -> States:
    """The block slides up to the raised end."""
    begin, top = when_it_comes_loose(base, clock), LENGTH - base.side / 2 - 34

    def up(time: float) -> State:
        since = time - base.loose + 0.5 / clock.rate
        way = base.place + 95 * since**2 / (since + 0.2)
        return _state(base, time, min(top, way), -95.0 if way < top else 0.0)

    return _course(base, clock, begin, up if course == "violating" else lambda time: _normal(base, time))


def vanishes(base: TiltingBoard, clock: Clock, course: Course) -> States:
    """The block is gone from the board; explained: a hand takes it away."""
    begin = while_it_slides(base, clock)
    if course == "explained":
        return _course(base, clock, begin, _gripped(base, clock.time(begin), 420.0))
    gone = course == "violating"
    states = _course(base, clock, begin, lambda time: _normal(base, time))
    return [{n: s[n] for n in s if n != "block"} if gone and k >= begin else s for k, s in enumerate(states)]


def _altered(base: TiltingBoard, clock: Clock, course: Course, quantity: str, how: Callable[[float], float]) -> States:
    begin = while_it_slides(base, clock)

    def after(time: float) -> State:
        state = _normal(base, time)
        since = time - base.loose - base.later + 0.5 / clock.rate
        return state if course == "plausible" else {**state, "block": {**state["block"], quantity: how(since)}}

    return _course(base, clock, begin, after)


def swells(base: TiltingBoard, clock: Clock, course: Course) -> States:
    """The block grows to nearly twice its size in a third of a second."""
    return _altered(base, clock, course, "scale", lambda since: 1 + (_SWOLLEN - 1) * min(1.0, since / 0.33))


def changes_color(base: TiltingBoard, clock: Clock, course: Course) -> States:
    """The block takes on its other color."""
    return _altered(base, clock, course, "changed", lambda _: 1.0)


def comes_loose() -> Law:
    """A block that nothing holds starts to slide once the board is steeper than its slip angle."""

    def holds(base: Base, _clock: Clock, states: States, k: int) -> bool:
        held = any("block" not in state or value(state, "hand", "holds") for state in states[k - 1 : k + 1])
        steep = states[k - 1]["board"]["angle"] >= base.slip - 1e-9
        moved = any(value(state, "block", "speed") for state in states[: k + 1])
        return bool(held or not steep or moved)

    return each_frame("a block on a steep board slides", holds)


def never_climbs() -> Law:
    """The block's speed is never up the board."""
    return each_frame("the block does not slide up", lambda _b, _c, states, k: value(states[k], "block", "speed") >= 0)
