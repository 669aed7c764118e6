"""A ball of stone falls into a tank of water."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.suite.nuisance_fields import one_of, sampler, uniform
from veridical.suites.hocabench.physics.rendering.events import rises, swells, vanishes
from veridical.suites.hocabench.physics.rendering.gripper import gripper
from veridical.suites.hocabench.physics.rendering.laws import conserves, motion_by_forces
from veridical.suites.hocabench.physics.rendering.room import Room
from veridical.suites.hocabench.physics.rendering.scene import RenderedScene
from veridical.suites.hocabench.physics.rendering.stage import BodyPart, Material, SceneStage, SolidBody
from veridical.suites.hocabench.physics.rendering.tanks import LEVEL, swims_otherwise, tank_stage

_STONES = {"gray": (104, 106, 112), "red": (158, 84, 70), "black": (62, 62, 66)}


@dataclass(frozen=True, slots=True)
class SinkingBall(Room):
    """The color of the stone, its radius, where and how high it is at first (m), and when an event begins (s)."""

    color: str = one_of(sorted(_STONES))
    radius: float = uniform(0.042, 0.052)
    place: float = uniform(-0.12, 0.12)
    drop: float = uniform(0.09, 0.12)
    moment: float = uniform(0.24, 0.3)


def stage(base: SinkingBall) -> SceneStage:
    """The ball is of granite."""
    ball = SolidBody(
        name="ball",
        parts=(BodyPart("sphere", (base.radius,), Material("stone", _STONES[base.color], 0.2)),),
        at=(base.place, 0.0, LEVEL + base.drop),
        density=2600,
        bounce=0.2,
    )
    return tank_stage(base, (ball, gripper(base.radius)))


SCENE = RenderedScene(
    name="sinking_ball",
    title="A ball of stone falls into a tank of water",
    setup="A {color} ball of stone falls into a glass tank of water.",
    sample=sampler(SinkingBall),
    stage=stage,
    entities=(("ball", "stone", "sphere", "rock"), ("water", "tank", "liquid")),
    actions=("fall", "sink", "drop"),
    control="The {color} ball of stone sinks to the bottom of the tank and stays there.",
    keeps=(conserves, motion_by_forces("ball")),
    events=(
        swims_otherwise(
            stage,
            "ball",
            5.0,
            LEVEL,
            "a gripper lifts the ball to the surface and holds it there",
            "The {color} ball of stone does not sink in the water: it bobs and floats like a cork.",
            "the ball of stone sinks to the bottom, since it is denser than water",
            ("float", "bob", "swim", "cork", "does not sink", "stays up", "on the surface"),
            ("sink", "bottom", "go down", "goes down"),
        ),
        rises(
            stage,
            "ball",
            "The {color} ball of stone turns back, leaves the water and rises into the air.",
            "the ball of stone sinks and stays at the bottom",
        ),
        vanishes(
            stage,
            "ball",
            "The {color} ball of stone is suddenly gone in the water, and nothing took it.",
            "the ball stays in sight and sinks to the bottom",
        ),
        swells(
            stage,
            "ball",
            "The {color} ball of stone swells in the water until it is far larger than before.",
            "the ball keeps its size while it sinks",
        ),
    ),
)
