"""A hand lets a ball fall onto a table, where it bounces."""

from __future__ import annotations

from veridical.media.figures.brush import Brush, faced, turned
from veridical.media.figures.grain import lighter
from veridical.media.figures.palette import COLORS, WOOD, hand, table
from veridical.suites.hocabench.physics.props_home import WALLS, ceiling, plant, walls, window
from veridical.suites.hocabench.physics.scene import Event, Scene, State, always_there, keeps, phrases
from veridical.suites.hocabench.physics.scenes import dropped_ball_courses as courses
from veridical.suites.hocabench.physics.scenes.dropped_ball_courses import CEILING, EDGES, FLOOR, TABLE, DroppedBall


def ground(base: DroppedBall, brush: Brush) -> None:
    walls(brush, 296, WALLS[base.wall])
    ceiling(brush, CEILING)
    side = faced(brush, base.mirrored)
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
    held = state.get("hand")
    if held:
        with brush.of("hand"):
            hand(brush, (held["x"], held["y"]), flip=-1.0 if base.mirrored else 1.0)


def _ball(base: DroppedBall, brush: Brush, x: float, y: float, turn: float, turned_into: float, changed: bool) -> None:
    color = COLORS[base.other if changed else base.color]
    if turned_into:
        brush.polygon(courses.outline(base, x, y, turned_into), color, "rubber")
    else:
        brush.disc((x, y), base.radius, color, "rubber", turn)
        reach = 0.93 * base.radius
        for side in (0.0, 1.5708):
            start, end = turned([(x - reach, y), (x + reach, y)], turn + side, (x, y))
            brush.line(start, end, 0.16 * base.radius, lighter(color, 0.7))


_ON = "The {color} ball bounces on the table a few more times, lower each time."
DROPPED_BALL = Scene(
    name="dropped_ball",
    title="A hand lets a ball fall onto a table",
    setup="A hand lets a {color} ball fall onto a wooden table, where it bounces.",
    sample=courses.sample,
    ground=ground,
    paint=paint,
    entities=(("ball",), ("table", "desk", "surface"), ("hand", "person", "someone")),
    actions=("bounc", "drop", "fall"),
    events=(
        Event(
            sub_type="gravity",
            play=courses.rises,
            breaks=courses.falls_freely(),
            claim="The {color} ball bounces off the table, rises up to the ceiling and stays up there.",
            control=_ON,
            normal="the ball falls back onto the table and bounces lower each time",
            signs=phrases(
                "ceiling, float, rises up, flies up, upward, stays up, hover, not fall, n't fall, not come down, "
                "n't come down"
            ),
            expected=("fall", "come down", "drop", "back", "lower"),
            interaction=True,
            explained="a hand catches the ball and lifts it",
            begins=courses.at_the_bounce,
            actors=("ball",),
        ),
        Event(
            sub_type="collision",
            play=courses.falls_through,
            breaks=courses.stays_above(),
            claim="The {color} ball sinks through the solid table top and lands on the floor below.",
            control=_ON,
            normal="the ball bounces off the table top again",
            signs=("through", "penetrat", "pass", "clip"),
            expected=("bounce", "rebound", "stay on", "rest on", "stop"),
            interaction=True,
            begins=courses.at_the_bounce,
            actors=("ball", "table"),
        ),
        Event(
            sub_type="permanence",
            play=courses.vanishes,
            breaks=always_there("ball"),
            claim="The {color} ball is suddenly gone while it bounces, and nobody has touched it.",
            control=_ON,
            normal="the ball stays in sight and bounces on until it lies still",
            signs=("vanish", "disappear", "gone", "no longer there", "missing"),
            expected=("stay", "remain", "visible", "bounce", "continue", "exist"),
            explained="a hand takes the ball away",
            begins=courses.in_the_air,
            actors=("ball",),
        ),
        Event(
            sub_type="morphing",
            play=courses.turns_into,
            breaks=keeps("ball", "turned"),
            claim="The {color} ball turns into a {form} in the air and bounces on in that shape.",
            control=_ON,
            normal="the ball stays round while it bounces",
            signs=("cube", "square", "box", "pyramid", "triang", "cone", "shape"),
            expected=("round", "stay", "remain", "keep", "spher"),
            begins=courses.in_the_air,
            actors=("ball",),
        ),
        Event(
            sub_type="mutation",
            play=courses.changes_color,
            breaks=keeps("ball", "changed"),
            claim="The {color} ball turns {other} all over from one moment to the next as it bounces.",
            control=_ON,
            normal="the ball stays {color} while it bounces",
            signs=("color", "colour", "turns", "changes to", "becomes"),
            expected=("stay", "remain", "keep", "same color", "same colour"),
            begins=courses.in_the_air,
            actors=("ball",),
        ),
    ),
)
