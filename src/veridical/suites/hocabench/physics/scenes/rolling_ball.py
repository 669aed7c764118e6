"""A ball rolls along a table towards a block."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from veridical.media.draw.scene import Colour
from veridical.media.figures.brush import WIDTH, Brush, circle
from veridical.media.figures.clock import Clock
from veridical.media.figures.grain import mixed
from veridical.media.figures.palette import COLORS, hand, room, table
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.scene import (
    Base,
    Course,
    Event,
    Law,
    Scene,
    State,
    States,
    each_frame,
    keeps,
    persists,
    present,
    velocity,
)

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

    color: str
    other: str
    block: str
    radius: float
    start: float
    speed: float
    moment: float
    side: float


def sample(nuisances: Nuisances) -> RollingBall:
    color = nuisances.one_of(sorted(COLORS))
    return RollingBall(
        color=color,
        other=nuisances.one_of(sorted(set(COLORS) - {color})),
        block=nuisances.one_of(sorted(set(COLORS) - {color})),
        radius=nuisances.between(34, 46),
        start=nuisances.between(60, 90),
        speed=nuisances.between(165, 200),
        moment=nuisances.between(1.2, 1.5),
        side=nuisances.one_of((1.0, -1.0)),
    )


def _contact(base: RollingBall) -> float:
    """When the ball reaches the block, in seconds."""
    return (BLOCK[0] - base.radius - base.start) / base.speed


def _rolled(base: RollingBall, time: float) -> float:
    """Where the ball is in the normal course: it comes back from the block, slower."""
    contact = _contact(base)
    return base.start + base.speed * (time if time <= contact else contact - _REBOUND * (time - contact))


def _on_the_way(base: RollingBall, clock: Clock) -> int:
    return clock.frame(base.moment)


def _at_the_block(base: RollingBall, clock: Clock) -> int:
    return clock.frame(_contact(base))


def _state(base: RollingBall, x: float, changed: float = 0.0, squared: float = 0.0) -> State:
    """`changed` is 1 where the ball has its other color, `squared` how far it is on the way to a cube."""
    turn = (x - base.start) / base.radius
    return {"ball": {"x": x, "y": TABLE - base.radius, "turn": turn, "changed": changed, "squared": squared}}


def _played(base: RollingBall, clock: Clock) -> list[State]:
    return [_state(base, _rolled(base, clock.time(k))) for k in range(clock.frames)]


def halts(base: RollingBall, clock: Clock, course: Course) -> States:
    begin, states = _on_the_way(base, clock), _played(base, clock)
    return states if course == "plausible" else states[:begin] + [states[begin - 1]] * (clock.frames - begin)


def passes_through(base: RollingBall, clock: Clock, course: Course) -> States:
    if course == "plausible":
        return _played(base, clock)
    return [_state(base, base.start + base.speed * clock.time(k)) for k in range(clock.frames)]


def vanishes(base: RollingBall, clock: Clock, course: Course) -> States:
    """In the control, a hand reaches down and takes the ball."""
    begin, states = _on_the_way(base, clock), _played(base, clock)
    if course == "violating":
        return states[:begin] + [{} for _ in range(clock.frames - begin)]
    return states[:begin] + [_taken(base, clock.time(k), clock.time(k - begin)) for k in range(begin, clock.frames)]


def _taken(base: RollingBall, time: float, since: float) -> State:
    """The ball and the hand that reaches it `_REACH` seconds after the event and lifts it out of sight."""
    grasp = time - since + _REACH
    rolling = _state(base, _rolled(base, min(time, grasp)))["ball"]
    lifted = max(0.0, since - _REACH) * _LIFT
    top = TABLE - 2 * base.radius + 8
    tip = -30 + (top + 30) * min(1.0, since / _REACH) - lifted
    return {"ball": {**rolling, "y": rolling["y"] - lifted}, "hand": {"x": rolling["x"], "y": tip}}


def changes_color(base: RollingBall, clock: Clock, course: Course) -> States:
    begin, states = _on_the_way(base, clock), _played(base, clock)
    if course == "plausible":
        return states
    return [s if k < begin else {"ball": {**s["ball"], "changed": 1.0}} for k, s in enumerate(states)]


def turns_square(base: RollingBall, clock: Clock, course: Course) -> States:
    begin, states = _on_the_way(base, clock), _played(base, clock)
    if course == "plausible":
        return states
    ramp = 0.35 * clock.rate
    return [
        s if k < begin else {"ball": {**s["ball"], "squared": min(1.0, (k - begin + 1) / ramp)}}
        for k, s in enumerate(states)
    ]


def _inertia() -> Law:
    def holds(base: Base, clock: Clock, states: States, k: int) -> bool:
        if k < 2 or not present(states, k, "ball") or not present(states, k - 1, "ball"):
            return True
        if "hand" in states[k]:
            return True
        touches = states[k]["ball"]["x"] + base.radius >= BLOCK[0] - 2 * base.speed / clock.rate - 1
        return touches or abs(velocity(states, "ball", k, clock)[0] - velocity(states, "ball", k - 1, clock)[0]) < 1

    return each_frame("the ball rolls on unless it hits something", holds)


def _solid() -> Law:
    def holds(base: Base, clock: Clock, states: States, k: int) -> bool:
        ball = states[k].get("ball")
        return ball is None or not BLOCK[0] + 1 < ball["x"] + base.radius

    return each_frame("the ball stays out of the block", holds)


def _seen(base: RollingBall, x: float) -> float:
    """Where in the picture a place of the state is."""
    return x if base.side > 0 else WIDTH - x


def ground(base: RollingBall, brush: Brush) -> None:
    room(brush)
    table(brush, TABLE)


def _block(base: RollingBall, brush: Brush) -> None:
    left, right = sorted(_seen(base, x) for x in BLOCK)
    brush.shadow(((left + right) / 2, TABLE + 4), 40, 6)
    with brush.of("block"):
        brush.box(left, TABLE - 130, right, TABLE, COLORS[base.block], "stone")


def paint(base: RollingBall, brush: Brush, state: State) -> None:
    """The block is painted last: a ball that enters it is hidden in it."""
    if "ball" in state:
        _ball(base, brush, state["ball"])
    if "hand" in state:
        with brush.of("hand"):
            hand(brush, (_seen(base, state["hand"]["x"]), state["hand"]["y"]), flip=base.side)
    _block(base, brush)


def _ball(base: RollingBall, brush: Brush, ball: Mapping[str, float]) -> None:
    x, y, squared, turn = _seen(base, ball["x"]), ball["y"], ball["squared"], base.side * ball["turn"]
    color: Colour = COLORS[base.other] if ball["changed"] else COLORS[base.color]
    if y > TABLE - 2 * base.radius:
        brush.shadow((x, TABLE + 3), 0.95 * base.radius, 5)
    with brush.of("ball"):
        if not squared:
            brush.disc((x, y), base.radius, color, "rubber", turn)
            spot = (x + 0.5 * base.radius * math.cos(turn), y + 0.5 * base.radius * math.sin(turn))
            brush.plain(circle(spot, 0.16 * base.radius), mixed(color, (255, 255, 255), 0.75))
        else:
            brush.polygon(_rounded(x, y, base.radius, squared), color, "rubber")


def _rounded(x: float, y: float, radius: float, squared: float) -> list[tuple[float, float]]:
    """The outline between a circle (0) and a square (1)."""
    corners = []
    for dx, dy in circle((0, 0), 1.0, corners=48):
        reach = 1 / max(abs(dx), abs(dy))
        share = 1 + squared * (reach - 1)
        corners.append((x + radius * share * dx, y + radius * share * dy))
    return corners


ROLLING_BALL = Scene(
    name="rolling_ball",
    title="A ball rolls along a table towards a block",
    setup="A {color} ball rolls along a wooden table towards a {block} block.",
    sample=sample,
    ground=ground,
    paint=paint,
    entities=(("ball",), ("table", "desk", "surface"), ("block", "box", "brick", "wall")),
    actions=("roll", "moves", "moving"),
    events=(
        Event(
            sub_type="inertia",
            play=halts,
            breaks=_inertia(),
            claim="The rolling {color} ball stops dead in the middle of the table, with nothing in its way.",
            control="The {color} ball rolls on, hits the {block} block and rolls back more slowly.",
            normal="the ball rolls on until it hits the block",
            signs=("stop", "halt", "freez", "stands still", "comes to rest"),
            expected=("roll", "continue", "keep", "go on", "slow"),
            begins=_on_the_way,
            actors=("ball",),
        ),
        Event(
            sub_type="collision",
            play=passes_through,
            breaks=_solid(),
            claim="The {color} ball rolls straight through the solid {block} block and comes out behind it.",
            control="The {color} ball hits the {block} block and rolls back more slowly.",
            normal="the ball hits the block and bounces back or stops",
            signs=("through", "penetrat", "clip", "inside the block"),
            expected=("bounce", "stop", "rebound", "roll back", "blocked"),
            interaction=True,
            begins=_at_the_block,
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
            begins=_on_the_way,
            actors=("ball",),
        ),
        Event(
            sub_type="mutation",
            play=changes_color,
            breaks=keeps("ball", "changed"),
            claim="The rolling {color} ball turns {other} from one moment to the next.",
            control="The {color} ball rolls on, hits the {block} block and rolls back more slowly.",
            normal="the ball stays {color} while it rolls to the block",
            signs=("color", "colour", "turns", "changes to", "becomes"),
            expected=("stay", "remain", "keep", "same color", "same colour"),
            begins=_on_the_way,
            actors=("ball",),
        ),
        Event(
            sub_type="morphing",
            play=turns_square,
            breaks=keeps("ball", "squared"),
            claim="The rolling {color} ball turns into a cube by itself and glides on.",
            control="The {color} ball rolls on, hits the {block} block and rolls back more slowly.",
            normal="the ball stays round while it rolls to the block",
            signs=("cube", "square", "box", "shape"),
            expected=("round", "stay", "remain", "keep", "ball"),
            begins=_on_the_way,
            actors=("ball",),
        ),
    ),
)
