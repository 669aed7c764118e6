"""A ball rolls along a table into a block."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.media.figures.palette import COLORS
from veridical.suite.nuisance_fields import one_of, sampler, uniform
from veridical.suites.hocabench.physics.rendering.bodies import rolling_ball
from veridical.suites.hocabench.physics.rendering.events import LARGER, halts, passes, rises, swells, vanishes
from veridical.suites.hocabench.physics.rendering.gripper import grip, gripper, lift_over
from veridical.suites.hocabench.physics.rendering.laws import conserves, motion_by_forces
from veridical.suites.hocabench.physics.rendering.pump import inflation, pump
from veridical.suites.hocabench.physics.rendering.room import Room, stage_in
from veridical.suites.hocabench.physics.rendering.scene import RenderedScene
from veridical.suites.hocabench.physics.rendering.simulation import touch_begins
from veridical.suites.hocabench.physics.rendering.stage import BodyPart, Material, SceneStage, SolidBody

_START, _BLOCK = -0.54, 0.06


@dataclass(frozen=True, slots=True)
class BallAndBlock(Room):
    """Colors by name, the ball's radius (m) and speed (m/s), and when an event on the way begins (s)."""

    color: str = one_of(sorted(COLORS))
    block: str = one_of(sorted(COLORS), unlike=("color",))
    radius: float = uniform(0.06, 0.075)
    speed: float = uniform(0.38, 0.45)
    moment: float = uniform(0.5, 0.7)


def stage(base: BallAndBlock) -> SceneStage:
    """The block is less deep than the ball, so that a ball inside of it is seen on its face."""
    radius, side = base.radius, base.side
    ball = rolling_ball(base.color, radius, (side * _START, 0.0, radius), side * base.speed, 500, 0.5)
    size = (0.075, 0.6 * radius, 1.35 * radius)
    block = SolidBody(
        name="block",
        parts=(BodyPart("box", size, Material("wood", COLORS[base.block], 0.15)),),
        at=(side * (_BLOCK + size[0]), 0.0, size[2]),
        density=4000,
        friction=0.7,
        bounce=0.5,
    )
    return stage_in(base, (ball, block, gripper(radius), *pump()))


SCENE = RenderedScene(
    name="ball_and_block",
    title="A ball rolls along a table into a block",
    setup="A {color} ball rolls along a table towards a heavy {block} block.",
    sample=sampler(BallAndBlock),
    stage=stage,
    entities=(("ball",), ("table", "desk", "surface"), ("block", "box", "brick", "wall")),
    actions=("roll", "moves", "moving"),
    control="The {color} ball rolls on, hits the {block} block and rolls back more slowly.",
    keeps=(conserves, motion_by_forces("ball")),
    events=(
        passes(
            stage,
            "ball",
            "block",
            touch_begins(stage, "ball", "block"),
            "The {color} ball rolls straight through the solid {block} block and comes out behind it.",
            "the ball hits the block and bounces back or stops",
            grip("ball", lift_over("block")),
            "a gripper lifts the ball over the block",
        ),
        halts(
            stage,
            "ball",
            "The rolling {color} ball stops dead in the middle of the table, with nothing in its way.",
            "the ball rolls on until it hits the block",
        ),
        rises(
            stage,
            "ball",
            "The rolling {color} ball leaves the table by itself and rises into the air.",
            "the ball stays on the table and rolls into the block",
        ),
        vanishes(
            stage,
            "ball",
            "The rolling {color} ball is suddenly gone before it is at the {block} block.",
            "the ball stays in sight and rolls on to the block",
        ),
        swells(
            stage,
            "ball",
            "The rolling {color} ball swells on its way until it is far larger than before.",
            "the ball keeps its size while it rolls to the block",
            cause=inflation("ball", LARGER),
            explained="a pump blows the ball up",
        ),
    ),
)
