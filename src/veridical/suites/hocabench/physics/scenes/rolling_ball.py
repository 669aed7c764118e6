"""A ball rolls along a table towards a block."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from veridical.media.draw.scene import Colour
from veridical.media.figures.brush import WIDTH, Brush, circle
from veridical.media.figures.clock import Clock
from veridical.media.figures.grain import mix_colors
from veridical.media.figures.palette import COLORS, hand, room, table
from veridical.suite.nuisance_fields import one_of, sampler, uniform
from veridical.suites.hocabench.physics.law import each_frame, keeps, persists
from veridical.suites.hocabench.physics.passage import emerging_ball
from veridical.suites.hocabench.physics.play import Instant, begins_when, outcome
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene
from veridical.suites.hocabench.physics.state import Course, State, States, present, update, velocity

TABLE = 268.0
BLOCK = (500.0, 556.0)
_REBOUND = 0.55
_REACH, _LIFT = 0.3, 260.0
"""How long a hand takes to reach the ball, in seconds, and how fast it lifts it, in units per second."""


@dataclass(frozen=True, slots=True)
class RollingBall:
    """Colors by name, the ball's radius and speed (units per second), and when an event on the way begins (seconds).

    `side` is 1 where the ball comes from the left, −1 where everything is mirrored.
    """

    color: str = one_of(sorted(COLORS))
    other: str = one_of(sorted(COLORS), unlike=("color",))
    block: str = one_of(sorted(COLORS), unlike=("color",))
    radius: float = uniform(34, 46)
    start: float = uniform(60, 90)
    speed: float = uniform(165, 200)
    moment: float = uniform(1.2, 1.5)
    side: float = one_of((1.0, -1.0))

    @property
    def contact(self) -> float:
        """When the ball reaches the block, in seconds."""
        return (BLOCK[0] - self.radius - self.start) / self.speed

    def seen(self, x: float) -> float:
        """Where in the picture a place of the state is."""
        return x if self.side > 0 else WIDTH - x


at_the_block = begins_when(lambda base: base.contact)


def _state(base: RollingBall, x: float) -> State:
    """`changed` is 1 where the ball has its other color, `squared` how far it is on the way to a cube."""
    turn = (x - base.start) / base.radius
    return {"ball": {"x": x, "y": TABLE - base.radius, "turn": turn, "changed": 0.0, "squared": 0.0}}


def _normal(base: RollingBall, time: float) -> State:
    """The ball comes back from the block, slower."""
    contact = base.contact
    return _state(base, base.start + base.speed * (time if time <= contact else contact - _REBOUND * (time - contact)))


@outcome(_normal)
def halts(base: RollingBall, _course: Course, now: Instant) -> State:
    return _normal(base, now.last)


@outcome(_normal, at_the_block)
def passes_through(base: RollingBall, _course: Course, now: Instant) -> State:
    return _state(base, base.start + base.speed * now.time)


@outcome(_normal, control=True)
def vanishes(base: RollingBall, course: Course, now: Instant) -> State:
    """In the control, a hand reaches the ball `_REACH` seconds after the event and lifts it out of sight."""
    if course == "violating":
        return {}
    since = now.clock.time(now.frame - now.begin)
    grasp = now.time - since + _REACH
    rolling = _normal(base, min(now.time, grasp))["ball"]
    lifted = max(0.0, since - _REACH) * _LIFT
    top = TABLE - 2 * base.radius + 8
    tip = -30 + (top + 30) * min(1.0, since / _REACH) - lifted
    return {"ball": {**rolling, "y": rolling["y"] - lifted}, "hand": {"x": rolling["x"], "y": tip}}


@outcome(_normal)
def changes_color(base: RollingBall, _course: Course, now: Instant) -> State:
    return update(_normal(base, now.time), "ball", changed=1.0)


@outcome(_normal)
def turns_square(base: RollingBall, _course: Course, now: Instant) -> State:
    return update(_normal(base, now.time), "ball", squared=min(1.0, now.count / (0.35 * now.clock.rate)))


@each_frame("the ball rolls on unless it hits something")
def rolls_on(base: RollingBall, clock: Clock, states: States, k: int) -> bool:
    if k < 2 or not present(states, k, "ball") or not present(states, k - 1, "ball") or "hand" in states[k]:
        return True
    touches = states[k]["ball"]["x"] + base.radius >= BLOCK[0] - 2 * base.speed / clock.rate - 1
    return touches or abs(velocity(states, "ball", k, clock)[0] - velocity(states, "ball", k - 1, clock)[0]) < 1


@each_frame("the ball stays out of the block")
def solid(base: RollingBall, _clock: Clock, states: States, k: int) -> bool:
    ball = states[k].get("ball")
    return ball is None or not BLOCK[0] + 1 < ball["x"] + base.radius


def ground(base: RollingBall, brush: Brush) -> None:
    room(brush)
    table(brush, TABLE)


def paint(base: RollingBall, brush: Brush, state: State) -> None:
    """The block is painted over the ball: of one that enters it, only what comes out of its face is seen."""
    if "ball" in state:
        _ball(base, brush, state["ball"])
    if "hand" in state:
        with brush.of("hand"):
            hand(brush, (base.seen(state["hand"]["x"]), state["hand"]["y"]), flip=base.side)
    left, right = sorted(base.seen(x) for x in BLOCK)
    brush.shadow(((left + right) / 2, TABLE + 4), 40, 6)
    with brush.of("block"):
        brush.box(left, TABLE - 130, right, TABLE, COLORS[base.block], "stone")
    if "ball" in state and not state["ball"]["squared"]:
        at = base.seen(state["ball"]["x"]), state["ball"]["y"]
        with brush.of("ball"):
            emerging_ball(brush, at, base.radius, _color(base, state["ball"]), (left, TABLE - 130, right, TABLE))


def _ball(base: RollingBall, brush: Brush, ball: Mapping[str, float]) -> None:
    x, y, squared, turn = base.seen(ball["x"]), ball["y"], ball["squared"], base.side * ball["turn"]
    color = _color(base, ball)
    if y > TABLE - 2 * base.radius:
        brush.shadow((x, TABLE + 3), 0.95 * base.radius, 5)
    with brush.of("ball"):
        if not squared:
            brush.disc((x, y), base.radius, color, "rubber", turn)
            spot = (x + 0.5 * base.radius * math.cos(turn), y + 0.5 * base.radius * math.sin(turn))
            brush.plain(circle(spot, 0.16 * base.radius), mix_colors(color, (255, 255, 255), 0.75))
        else:
            brush.polygon(_rounded(x, y, base.radius, squared), color, "rubber")


def _color(base: RollingBall, ball: Mapping[str, float]) -> Colour:
    return COLORS[base.other] if ball["changed"] else COLORS[base.color]


def _rounded(x: float, y: float, radius: float, squared: float) -> list[tuple[float, float]]:
    """The outline between a circle (0) and a square (1)."""
    corners = []
    for dx, dy in circle((0, 0), 1.0, corners=48):
        reach = 1 / max(abs(dx), abs(dy))
        share = 1 + squared * (reach - 1)
        corners.append((x + radius * share * dx, y + radius * share * dy))
    return corners


SCENE = PhysicsScene(
    name="rolling_ball",
    title="A ball rolls along a table towards a block",
    setup="A {color} ball rolls along a wooden table towards a {block} block.",
    sample=sampler(RollingBall),
    ground=ground,
    paint=paint,
    entities=(("ball",), ("table", "desk", "surface"), ("block", "box", "brick", "wall")),
    actions=("roll", "moves", "moving"),
    control="The {color} ball rolls on, hits the {block} block and rolls back more slowly.",
    events=(
        Event(
            sub_type="inertia",
            play=halts,
            breaks=rolls_on,
            claim="The rolling {color} ball stops dead in the middle of the table, with nothing in its way.",
            normal="the ball rolls on until it hits the block",
            signs=("stop", "halt", "freez", "stands still", "comes to rest"),
            expected=("roll", "continue", "keep", "go on", "slow"),
            actors=("ball",),
        ),
        Event(
            sub_type="collision",
            play=passes_through,
            breaks=solid,
            claim="The {color} ball rolls straight through the solid {block} block and comes out behind it.",
            control="The {color} ball hits the {block} block and rolls back more slowly.",
            normal="the ball hits the block and bounces back or stops",
            signs=("through", "penetrat", "clip", "inside the block"),
            expected=("bounce", "stop", "rebound", "roll back", "blocked"),
            actors=("ball", "block"),
        ),
        Event(
            sub_type="permanence",
            play=vanishes,
            breaks=persists("ball"),
            claim="The rolling {color} ball is suddenly gone in the middle of the table.",
            control="A hand reaches down, takes the {color} ball and lifts it out of sight.",
            normal="the ball stays in sight and rolls on to the block",
            signs=("vanish", "disappear", "gone", "no longer there"),
            expected=("stay", "remain", "visible", "roll", "continue", "exist"),
            actors=("ball",),
        ),
        Event(
            sub_type="mutation",
            play=changes_color,
            breaks=keeps("ball", "changed"),
            claim="The rolling {color} ball turns {other} from one moment to the next.",
            normal="the ball stays {color} while it rolls to the block",
            expected=("stay", "remain", "keep", "same color", "same colour"),
            actors=("ball",),
        ),
        Event(
            sub_type="morphing",
            play=turns_square,
            breaks=keeps("ball", "squared"),
            claim="The rolling {color} ball turns into a cube by itself and glides on.",
            normal="the ball stays round while it rolls to the block",
            signs=("cube", "square", "box", "shape"),
            expected=("round", "stay", "remain", "keep", "ball"),
            actors=("ball",),
        ),
    ),
)
