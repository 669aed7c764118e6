"""A ball rolls into a steel post that stands upright."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.media.figures.palette import COLORS
from veridical.suite.nuisance_fields import one_of, sampler, uniform
from veridical.suites.hocabench.physics.rendering.bodies import rolling_ball
from veridical.suites.hocabench.physics.rendering.events import goes_limp, halts, passes, shrinks, vanishes
from veridical.suites.hocabench.physics.rendering.gripper import gripper
from veridical.suites.hocabench.physics.rendering.laws import conserves, motion_by_forces
from veridical.suites.hocabench.physics.rendering.rods import rod, steel
from veridical.suites.hocabench.physics.rendering.room import Room, stage_in
from veridical.suites.hocabench.physics.rendering.scene import RenderedScene
from veridical.suites.hocabench.physics.rendering.simulation import touch_begins
from veridical.suites.hocabench.physics.rendering.stage import BodyPart, SceneStage, SolidBody

_PIECES, _LENGTH, _THICK, _FOOT = 10, 0.036, 0.016, 0.012
_START, _POST = -0.52, 0.12


@dataclass(frozen=True, slots=True)
class BallAndPost(Room):
    """The ball's color by name, its radius (m) and speed (m/s), and when an event on the way begins (s)."""

    color: str = one_of(sorted(COLORS))
    radius: float = uniform(0.065, 0.08)
    speed: float = uniform(0.4, 0.47)
    moment: float = uniform(0.45, 0.6)


def stage(base: BallAndPost) -> SceneStage:
    """The post has a round foot and is thinner than the ball."""
    side, radius = base.side, base.radius
    foot = SolidBody(
        name="foot",
        parts=(BodyPart("cylinder", (0.045, _FOOT / 2), steel((96, 100, 106)), solid=False),),
        at=(side * _POST, 0.0, _FOOT / 2),
        fixed=True,
    )
    piece = BodyPart("cylinder", (_THICK, _LENGTH / 2 + 0.001), steel(), (0.0, 0.0, _LENGTH / 2))
    post = rod("post", _PIECES, piece, (0.0, 0.0, _LENGTH), (0.0, 0.0, _FOOT / 2), "foot")
    ball = rolling_ball(base.color, radius, (side * _START, 0.0, radius), side * base.speed, 700, 0.5)
    return stage_in(base, (foot, *post, ball, gripper(radius)), aim=0.13)


SCENE = RenderedScene(
    name="ball_and_post",
    title="A ball rolls into a steel post",
    setup="A {color} ball rolls along a table towards an upright steel post.",
    sample=sampler(BallAndPost),
    stage=stage,
    entities=(("ball",), ("post", "pole", "rod", "pillar", "column", "bar")),
    actions=("roll", "moves", "moving"),
    control="The {color} ball hits the steel post, which stands firm, and rolls back more slowly.",
    keeps=(conserves, motion_by_forces("ball")),
    events=(
        goes_limp(
            stage,
            "post",
            "ball",
            "The upright steel post goes limp like a rope as the {color} ball touches it.",
            "the steel post stands straight and throws the ball back",
            touch_begins(stage, "ball", "post"),
        ),
        passes(
            stage,
            "ball",
            "post",
            touch_begins(stage, "ball", "post"),
            "The {color} ball rolls straight through the solid steel post as if it were air.",
            "the ball hits the post and bounces back or stops",
        ),
        halts(
            stage,
            "ball",
            "The rolling {color} ball stops dead well before the post, with nothing in its way.",
            "the ball rolls on until it hits the post",
        ),
        vanishes(
            stage,
            "ball",
            "The rolling {color} ball is suddenly gone before it is at the post.",
            "the ball stays in sight and rolls on to the post",
        ),
        shrinks(
            stage,
            "ball",
            "The rolling {color} ball shrinks on its way until it is far smaller than before.",
            "the ball keeps its size while it rolls to the post",
        ),
    ),
)
