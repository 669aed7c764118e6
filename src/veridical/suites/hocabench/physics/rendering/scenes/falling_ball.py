"""A ball falls on a table and bounces."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.media.figures.palette import COLORS
from veridical.suite.nuisance_fields import one_of, sampler, uniform
from veridical.suites.hocabench.physics.rendering.events import passes, rises, swells, vanishes
from veridical.suites.hocabench.physics.rendering.gripper import gripper
from veridical.suites.hocabench.physics.rendering.laws import conserves, motion_by_forces
from veridical.suites.hocabench.physics.rendering.room import Room, stage_in
from veridical.suites.hocabench.physics.rendering.scene import RenderedScene
from veridical.suites.hocabench.physics.rendering.simulation import touch_begins
from veridical.suites.hocabench.physics.rendering.stage import BodyPart, Material, SceneStage, SolidBody, rotation


@dataclass(frozen=True, slots=True)
class FallingBall(Room):
    """The ball's color by name, its radius and height at first (m), its drift (m/s), and when an event begins (s)."""

    color: str = one_of(sorted(COLORS))
    cube: str = one_of(sorted(COLORS), unlike=("color",))
    radius: float = uniform(0.055, 0.07)
    height: float = uniform(0.36, 0.42)
    drift: float = uniform(0.06, 0.1)
    moment: float = uniform(0.6, 0.8)


def stage(base: FallingBall) -> SceneStage:
    """A cube stands beside the place where the ball falls."""
    ball = SolidBody(
        name="ball",
        parts=(BodyPart("sphere", (base.radius,), Material("band", COLORS[base.color], 0.5)),),
        at=(-0.14 * base.side, 0.0, base.height),
        turn=rotation("x", 40),
        velocity=(base.side * base.drift, 0.0, 0.0),
        density=400,
        bounce=0.82,
    )
    cube = SolidBody(
        name="cube",
        parts=(BodyPart("box", (0.05, 0.05, 0.05), Material("wood", COLORS[base.cube], 0.15)),),
        at=(-0.38 * base.side, 0.08, 0.05),
        turn=rotation("z", 25),
        fixed=True,
    )
    return stage_in(base, (ball, cube, gripper(base.radius)), aim=0.14)


SCENE = RenderedScene(
    name="falling_ball",
    title="A ball falls on a table and bounces",
    setup="A {color} ball falls on a table beside a {cube} cube and bounces.",
    sample=sampler(FallingBall),
    stage=stage,
    entities=(("ball",), ("table", "desk", "surface")),
    actions=("fall", "bounc", "drop"),
    control="The {color} ball bounces on the table, each time less high, and comes to rest.",
    keeps=(conserves, motion_by_forces("ball")),
    events=(
        rises(
            stage,
            "ball",
            "The bouncing {color} ball does not come down again: it rises and stays in the air.",
            "the ball falls back on the table and bounces lower each time",
        ),
        passes(
            stage,
            "ball",
            "table",
            touch_begins(stage, "ball", "table", 2),
            "The {color} ball bounces once, then it sinks through the solid table and stays away.",
            "the table stops the ball, which bounces back",
        ),
        vanishes(
            stage,
            "ball",
            "The bouncing {color} ball is suddenly gone in the air above the table.",
            "the ball stays in sight and bounces on",
        ),
        swells(
            stage,
            "ball",
            "The bouncing {color} ball swells in the air until it is far larger than before.",
            "the ball keeps its size while it bounces",
        ),
    ),
)
