"""A hand lets a ball fall onto a table, where it bounces."""

from __future__ import annotations

import math
from dataclasses import dataclass

from veridical.media.figures.brush import Brush, circle, face_brush, rotate_points
from veridical.media.figures.clock import Clock, interpolate
from veridical.media.figures.grain import lighter
from veridical.media.figures.palette import COLORS, WOOD, hand, table
from veridical.suite.nuisance_fields import draw, one_of, sampler, uniform
from veridical.suites.hocabench.physics.law import always_there, each_frame, is_in_hand, keeps
from veridical.suites.hocabench.physics.passage import emerging_ball
from veridical.suites.hocabench.physics.play import Instant, begins_when, outcome
from veridical.suites.hocabench.physics.props_home import WALLS, ceiling, plant, walls, window
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene, phrases
from veridical.suites.hocabench.physics.state import Course, State, States, remove, update, value

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

    color: str = one_of(sorted(COLORS))
    other: str = one_of(sorted(COLORS), unlike=("color",))
    form: str = one_of(sorted(_FORMS))
    wall: str = one_of(sorted(WALLS))
    mirrored: bool = one_of((False, True))
    radius: float = uniform(30, 35)
    x: float = uniform(255, 385)
    y: float = uniform(88, 104)
    drift: float = draw(lambda nuisances, _: nuisances.one_of((-1, 1)) * nuisances.between(8, 26))
    release: float = uniform(0.3, 0.6)
    bounce: float = uniform(0.76, 0.82)
    share: float = uniform(0.2, 0.45)

    @property
    def rest(self) -> float:
        """Where the ball's center is when it lies on the table."""
        return TABLE - self.radius

    @property
    def fall(self) -> float:
        """How long the first fall takes."""
        return math.sqrt(2 * (self.rest - self.y) / GRAVITY)

    @property
    def second_bounce(self) -> float:
        """When the ball is on the table for the second time."""
        return self.release + self.fall * (1 + 2 * self.bounce)

    @property
    def rise(self) -> float:
        """How fast the ball leaves the table at the second bounce."""
        return GRAVITY * self.fall * self.bounce**2


at_the_bounce = begins_when(lambda base: base.second_bounce)
in_the_air = begins_when(lambda base: base.second_bounce + base.share * 2 * base.rise / GRAVITY)


def _bounces(y: float, speed: float, rest: float, bounce: float, time: float) -> tuple[float, float]:
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


def _ball_at(base: DroppedBall, time: float, y: float, speed: float) -> dict[str, float]:
    """`turned` is how far the ball is on the way to its other form, `changed` is 1 where it has its other color."""
    way = base.drift * max(0.0, time - base.release)
    turn = 0.5 + 2.2 * way / base.radius
    return {"x": base.x + way, "y": y, "speed": speed, "turn": turn, "turned": 0.0, "changed": 0.0}


def _normal(base: DroppedBall, time: float) -> State:
    y, speed = _bounces(base.y, 0.0, base.rest, base.bounce, max(0.0, time - base.release))
    state = {"ball": _ball_at(base, time, y, speed)}
    lifted = 520 * max(0.0, time - base.release - 0.04)
    grip = base.y - 0.78 * base.radius - lifted
    return state if grip < -20 else {**state, "hand": _hand(base.x, grip, time <= base.release)}


def _hand(x: float, y: float, holds: bool) -> dict[str, float]:
    return {"x": x, "y": y, "holds": float(holds)}


def _catch(base: DroppedBall, now: Instant, top: float) -> State:
    """A hand comes in at the event, catches the ball and lifts it to y = `top`."""
    time, catch = now.time, now.start + 0.24
    ball = _normal(base, catch)["ball"]
    grip = ball["y"] - 0.78 * base.radius
    if time < catch:
        reach = interpolate([(now.start - 0.08, -30.0), (catch, grip)], time)
        return {"ball": _normal(base, time)["ball"], "hand": _hand(ball["x"], reach, False)}
    lift = interpolate([(catch, ball["y"]), (catch + (0.6 if top > 0 else 1.1), top)], time) - ball["y"]
    return {"ball": {**ball, "y": ball["y"] + lift, "speed": 0.0}, "hand": _hand(ball["x"], grip + lift, True)}


@outcome(_normal, at_the_bounce)
def rises(base: DroppedBall, course: Course, now: Instant) -> State:
    """The ball rises to the ceiling and stays there, or a hand catches it."""
    if course == "explained":
        return _catch(base, now, 104.0)
    time, top = now.time, CEILING + base.radius
    y = base.rest - base.rise * (time - base.second_bounce)
    held = min(time, base.second_bounce + (base.rest - top) / base.rise + 0.5)
    ball = _ball_at(base, held, max(top, y), -base.rise if y > top else 0.0)
    return {**_normal(base, time), "ball": ball}


@outcome(_normal, at_the_bounce)
def falls_through(base: DroppedBall, _course: Course, now: Instant) -> State:
    time, speed = now.time, base.rise / base.bounce
    fall = _bounces(base.rest, speed, FLOOR - base.radius, 0.4, time - base.second_bounce)
    return {**_normal(base, time), "ball": _ball_at(base, time, *fall)}


@outcome(_normal, in_the_air)
def vanishes(base: DroppedBall, course: Course, now: Instant) -> State:
    """The ball is gone, or a hand takes it away."""
    return _catch(base, now, -150.0) if course == "explained" else remove(_normal(base, now.time), "ball")


@outcome(_normal, in_the_air)
def turns_into(base: DroppedBall, _course: Course, now: Instant) -> State:
    return update(_normal(base, now.time), "ball", turned=min(1.0, now.count / (0.3 * now.clock.rate)))


@outcome(_normal, in_the_air)
def changes_color(base: DroppedBall, _course: Course, now: Instant) -> State:
    return update(_normal(base, now.time), "ball", changed=1.0)


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


@each_frame("the ball falls freely between its bounces")
def falls_freely(base: DroppedBall, clock: Clock, states: States, k: int) -> bool:
    """Between contacts the ball's speed grows by the same amount in each frame, downwards."""
    now, before = states[k].get("ball"), states[k - 1].get("ball")
    if now is None or before is None or is_in_hand(states, k):
        return True
    step = 1 / clock.rate
    speed, y = before["speed"] + GRAVITY * step, before["y"] + (before["speed"] + GRAVITY * step / 2) * step
    below = base.rest if before["y"] <= base.rest + 1e-6 else FLOOR - base.radius
    return y >= below - 1e-6 or (abs(now["speed"] - speed) < 1 and abs(now["y"] - y) < 0.1)


@each_frame("the ball stays above the table top")
def stays_above(base: DroppedBall, _clock: Clock, states: States, k: int) -> bool:
    return bool(value(states[k], "ball", "y") <= base.rest + 1e-6)


def ground(base: DroppedBall, brush: Brush) -> None:
    walls(brush, 296, WALLS[base.wall])
    ceiling(brush, CEILING)
    side = face_brush(brush, base.mirrored)
    window(side, 36, 70)
    plant(side, 592, FLOOR)
    brush.shadow(((EDGES[0] + EDGES[1]) / 2, FLOOR + 2), 215, 9, 0.2)
    with brush.of("table"):
        table(brush, TABLE, *EDGES)


def paint(base: DroppedBall, brush: Brush, state: State) -> None:
    ball = state.get("ball")
    if ball:
        x, y = ball["x"], ball["y"]
        under = TABLE + 4 if y < TABLE else FLOOR
        near = max(0.35, 1 - (under - y) / 320)
        brush.shadow((x, under), near * base.radius, 4.5, 0.3 * near)
        with brush.of("ball"):
            _ball(base, brush, x, y, ball["turn"], ball["turned"], bool(ball["changed"]))
        if TABLE - base.radius + 1 < y < TABLE + 16 + base.radius:
            with brush.of("table"):
                brush.box(EDGES[0], TABLE, EDGES[1], TABLE + 16, WOOD, "wood")
            with brush.of("ball"):
                color = COLORS[base.other if ball["changed"] else base.color]
                emerging_ball(brush, (x, y), base.radius, color, (EDGES[0], TABLE, EDGES[1], TABLE + 16))
    held = state.get("hand")
    if held:
        with brush.of("hand"):
            hand(brush, (held["x"], held["y"]), flip=-1.0 if base.mirrored else 1.0)


def _ball(base: DroppedBall, brush: Brush, x: float, y: float, turn: float, turned_into: float, changed: bool) -> None:
    color = COLORS[base.other if changed else base.color]
    if turned_into:
        brush.polygon(outline(base, x, y, turned_into), color, "rubber")
    else:
        brush.disc((x, y), base.radius, color, "rubber", turn)
        reach = 0.93 * base.radius
        for side in (0.0, 1.5708):
            start, end = rotate_points([(x - reach, y), (x + reach, y)], turn + side, (x, y))
            brush.line(start, end, 0.16 * base.radius, lighter(color, 0.7))


SCENE = PhysicsScene(
    name="dropped_ball",
    title="A hand lets a ball fall onto a table",
    setup="A hand lets a {color} ball fall onto a wooden table, where it bounces.",
    sample=sampler(DroppedBall),
    ground=ground,
    paint=paint,
    entities=(("ball",), ("table", "desk", "surface"), ("hand", "person", "someone")),
    actions=("bounc", "drop", "fall"),
    control="The {color} ball bounces on the table a few more times, lower each time.",
    events=(
        Event(
            sub_type="gravity",
            play=rises,
            breaks=falls_freely,
            claim="The {color} ball bounces off the table, rises up to the ceiling and stays up there.",
            normal="the ball falls back onto the table and bounces lower each time",
            signs=phrases(
                "ceiling, float, rises up, flies up, upward, stays up, hover, not fall, n't fall, not come down, "
                "n't come down"
            ),
            expected=("fall", "come down", "drop", "back", "lower"),
            interaction=True,
            explained="a hand catches the ball and lifts it",
            actors=("ball",),
        ),
        Event(
            sub_type="collision",
            play=falls_through,
            breaks=stays_above,
            claim="The {color} ball sinks through the solid table top and lands on the floor below.",
            normal="the ball bounces off the table top again",
            signs=("through", "penetrat", "pass", "clip"),
            expected=("bounce", "rebound", "stay on", "rest on", "stop"),
            actors=("ball", "table"),
        ),
        Event(
            sub_type="permanence",
            play=vanishes,
            breaks=always_there("ball"),
            claim="The {color} ball is suddenly gone while it bounces, and nobody has touched it.",
            normal="the ball stays in sight and bounces on until it lies still",
            expected=("stay", "remain", "visible", "bounce", "continue", "exist"),
            explained="a hand takes the ball away",
            actors=("ball",),
        ),
        Event(
            sub_type="morphing",
            play=turns_into,
            breaks=keeps("ball", "turned"),
            claim="The {color} ball turns into a {form} in the air and bounces on in that shape.",
            normal="the ball stays round while it bounces",
            signs=("cube", "square", "box", "pyramid", "triang", "cone", "shape"),
            expected=("round", "stay", "remain", "keep", "spher"),
            actors=("ball",),
        ),
        Event(
            sub_type="mutation",
            play=changes_color,
            breaks=keeps("ball", "changed"),
            claim="The {color} ball turns {other} all over from one moment to the next as it bounces.",
            normal="the ball stays {color} while it bounces",
            expected=("stay", "remain", "keep", "same color", "same colour"),
            actors=("ball",),
        ),
    ),
)
