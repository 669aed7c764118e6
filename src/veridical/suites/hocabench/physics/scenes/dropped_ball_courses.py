"""How the dropped ball moves in each course, and the laws that it keeps."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.figures.brush import circle
from veridical.media.figures.clock import Clock, along
from veridical.media.figures.palette import COLORS
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.props_home import WALLS
from veridical.suites.hocabench.physics.scene import Base, Course, Law, State, States, each_frame, value

TABLE, FLOOR, CEILING = 232.0, 342.0, 22.0
EDGES = (104.0, 536.0)
GRAVITY = 1250.0
_FORMS = {
    "cube": [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
    "pyramid": [(0.0, -1.35), (1.35, 1.0), (-1.35, 1.0)],
}


@dataclass(frozen=True, slots=True)
class DroppedBall:
    """Lengths in units, times in seconds, `drift` in units per second; `share` is how far on its way the ball is."""

    color: str
    other: str
    form: str
    wall: str
    mirrored: bool
    radius: float
    x: float
    y: float
    drift: float
    release: float
    bounce: float
    share: float

    @property
    def rest(self) -> float:
        """Where the ball's center is when it lies on the table."""
        return TABLE - self.radius


def sample(nuisances: Nuisances) -> DroppedBall:
    color = nuisances.one_of(sorted(COLORS))
    return DroppedBall(
        color=color,
        other=nuisances.one_of(sorted(set(COLORS) - {color})),
        form=nuisances.one_of(sorted(_FORMS)),
        wall=nuisances.one_of(sorted(WALLS)),
        mirrored=nuisances.one_of((False, True)),
        radius=nuisances.between(30, 35),
        x=nuisances.between(255, 385),
        y=nuisances.between(88, 104),
        drift=nuisances.one_of((-1, 1)) * nuisances.between(8, 26),
        release=nuisances.between(0.3, 0.6),
        bounce=nuisances.between(0.76, 0.82),
        share=nuisances.between(0.2, 0.45),
    )


def _fall(base: DroppedBall) -> float:
    """How long the first fall takes."""
    return math.sqrt(2 * (base.rest - base.y) / GRAVITY)


def _second_bounce(base: DroppedBall) -> float:
    return base.release + _fall(base) * (1 + 2 * base.bounce)


def _rise(base: DroppedBall) -> float:
    """How fast the ball leaves the table at the second bounce."""
    return GRAVITY * _fall(base) * base.bounce**2


def at_the_bounce(base: DroppedBall, clock: Clock) -> int:
    return clock.frame(_second_bounce(base))


def in_the_air(base: DroppedBall, clock: Clock) -> int:
    return clock.frame(_second_bounce(base) + base.share * 2 * _rise(base) / GRAVITY)


def _bouncing(y: float, speed: float, rest: float, bounce: float, time: float) -> tuple[float, float]:
    """Height and speed (down is positive) of a ball that falls from y, and bounces at `rest`, after some time."""
    fall = (math.sqrt(speed**2 + 2 * GRAVITY * (rest - y)) - speed) / GRAVITY
    if time <= fall:
        return y + speed * time + GRAVITY * time**2 / 2, speed + GRAVITY * time
    time, speed = time - fall, bounce * (speed + GRAVITY * fall)
    while speed > 12:
        if time < 2 * speed / GRAVITY:
            return rest - speed * time + GRAVITY * time**2 / 2, GRAVITY * time - speed
        time, speed = time - 2 * speed / GRAVITY, bounce * speed
    return rest, 0.0


def _ball(base: DroppedBall, time: float, y: float, speed: float) -> dict[str, float]:
    """`turned` is how far the ball is on the way to its other form, `changed` is 1 where it has its other color."""
    way = base.drift * max(0.0, time - base.release)
    turn = 0.5 + 2.2 * way / base.radius
    return {"x": base.x + way, "y": y, "speed": speed, "turn": turn, "turned": 0.0, "changed": 0.0}


def _played(base: DroppedBall, clock: Clock) -> list[State]:
    return [_normal(base, clock.time(k)) for k in range(clock.frames)]


def _normal(base: DroppedBall, time: float) -> State:
    y, speed = _bouncing(base.y, 0.0, base.rest, base.bounce, max(0.0, time - base.release))
    state = {"ball": _ball(base, time, y, speed)}
    lifted = 520 * max(0.0, time - base.release - 0.04)
    grip = base.y - 0.78 * base.radius - lifted
    return state if grip < -20 else {**state, "hand": _hand(base.x, grip, time <= base.release)}


def _hand(x: float, y: float, holds: bool) -> dict[str, float]:
    return {"x": x, "y": y, "holds": float(holds)}


def _caught(base: DroppedBall, clock: Clock, begin: int, top: float) -> States:
    """A hand comes in at the event, catches the ball and lifts it to y = `top`."""
    start = clock.time(begin)
    catch = start + 0.24
    ball = _normal(base, catch)["ball"]
    way = [(catch, ball["y"]), (catch + (0.6 if top > 0 else 1.1), top)]

    def state(time: float) -> State:
        grip = ball["y"] - 0.78 * base.radius
        if time < catch:
            reach = along([(start - 0.08, -30.0), (catch, grip)], time)
            return {"ball": _normal(base, time)["ball"], "hand": _hand(ball["x"], reach, False)}
        lift = along(way, time) - ball["y"]
        return {"ball": {**ball, "y": ball["y"] + lift, "speed": 0.0}, "hand": _hand(ball["x"], grip + lift, True)}

    return [_normal(base, clock.time(k)) if k < begin else state(clock.time(k)) for k in range(clock.frames)]


def rises(base: DroppedBall, clock: Clock, course: Course) -> States:
    begin, states = at_the_bounce(base, clock), _played(base, clock)
    if course == "plausible":
        return states
    if course == "explained":
        return _caught(base, clock, begin, 104.0)
    top = CEILING + base.radius

    def ball(time: float) -> dict[str, float]:
        y = base.rest - _rise(base) * (time - _second_bounce(base))
        held = min(time, _second_bounce(base) + (base.rest - top) / _rise(base) + 0.5)
        return _ball(base, held, max(top, y), -_rise(base) if y > top else 0.0)

    return [s if k < begin else {**s, "ball": ball(clock.time(k))} for k, s in enumerate(states)]


def falls_through(base: DroppedBall, clock: Clock, course: Course) -> States:
    begin, states = at_the_bounce(base, clock), _played(base, clock)
    if course == "plausible":
        return states
    speed, rest = _rise(base) / base.bounce, FLOOR - base.radius

    def ball(time: float) -> dict[str, float]:
        fall = _bouncing(base.rest, speed, rest, 0.4, time - _second_bounce(base))
        return _ball(base, time, *fall)

    return [s if k < begin else {**s, "ball": ball(clock.time(k))} for k, s in enumerate(states)]


def vanishes(base: DroppedBall, clock: Clock, course: Course) -> States:
    begin, states = in_the_air(base, clock), _played(base, clock)
    if course == "explained":
        return _caught(base, clock, begin, -150.0)
    if course == "plausible":
        return states
    return [s if k < begin else {n: s[n] for n in s if n != "ball"} for k, s in enumerate(states)]


def turns_into(base: DroppedBall, clock: Clock, course: Course) -> States:
    begin, states = in_the_air(base, clock), _played(base, clock)
    ramp = 0.3 * clock.rate
    return _altered(states, begin, course, lambda k: {"turned": min(1.0, (k - begin + 1) / ramp)})


def changes_color(base: DroppedBall, clock: Clock, course: Course) -> States:
    return _altered(_played(base, clock), in_the_air(base, clock), course, lambda _: {"changed": 1.0})


def _altered(states: list[State], begin: int, course: Course, how: Callable[[int], dict[str, float]]) -> States:
    if course == "plausible":
        return states
    return [s if k < begin else {**s, "ball": {**s["ball"], **how(k)}} for k, s in enumerate(states)]


def outline(base: DroppedBall, x: float, y: float, share: float) -> list[tuple[float, float]]:
    """The outline between a circle (0) and the other form (1)."""
    form = _FORMS[base.form]
    corners = []
    for dx, dy in circle((0.0, 0.0), 1.0, corners=48):
        reach = 1 + share * (_reach(form, dx, dy) - 1)
        corners.append((x + base.radius * reach * dx, y + base.radius * reach * dy))
    return corners


def _reach(form: list[tuple[float, float]], dx: float, dy: float) -> float:
    """How far a ray from the middle of a convex form reaches."""
    reaches = []
    for (x0, y0), (x1, y1) in zip(form, [*form[1:], form[0]], strict=True):
        nx, ny = y1 - y0, x0 - x1
        facing = nx * dx + ny * dy
        if facing > 1e-9:
            reaches.append((nx * x0 + ny * y0) / facing)
    return min(reaches)


def falls_freely() -> Law:
    """Between contacts the ball's speed grows by the same amount in each frame, downwards."""

    def holds(base: Base, clock: Clock, states: States, k: int) -> bool:
        now, before = states[k].get("ball"), states[k - 1].get("ball")
        if now is None or before is None or value(states[k], "hand", "holds") or value(states[k - 1], "hand", "holds"):
            return True
        step = 1 / clock.rate
        speed, y = before["speed"] + GRAVITY * step, before["y"] + (before["speed"] + GRAVITY * step / 2) * step
        below = base.rest if before["y"] <= base.rest + 1e-6 else FLOOR - base.radius
        return y >= below - 1e-6 or (abs(now["speed"] - speed) < 1 and abs(now["y"] - y) < 0.1)

    return each_frame("the ball falls freely between its bounces", holds)


def stays_above() -> Law:
    """The ball does not enter the table."""

    def holds(base: Base, _clock: Clock, states: States, k: int) -> bool:
        return bool(value(states[k], "ball", "y") <= base.rest + 1e-6)

    return each_frame("the ball stays above the table top", holds)
