"""A block of wood falls into a tank of water."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.media.figures.palette import COLORS
from veridical.suite.nuisance_fields import one_of, sampler, uniform
from veridical.suites.hocabench.physics.rendering.events import rises, shrinks, vanishes
from veridical.suites.hocabench.physics.rendering.gripper import gripper
from veridical.suites.hocabench.physics.rendering.laws import conserves, motion_by_forces
from veridical.suites.hocabench.physics.rendering.room import Room
from veridical.suites.hocabench.physics.rendering.scene import RenderedScene
from veridical.suites.hocabench.physics.rendering.stage import BodyPart, Material, SceneStage, SolidBody
from veridical.suites.hocabench.physics.rendering.tanks import BOTTOM, LEVEL, swims_otherwise, tank_stage


@dataclass(frozen=True, slots=True)
class FloatingBlock(Room):
    """The block's color by name, half its sides, where it is at first (m), and when an event begins (s)."""

    color: str = one_of(sorted(COLORS))
    half: float = uniform(0.05, 0.06)
    place: float = uniform(-0.12, 0.12)
    drop: float = uniform(0.08, 0.11)
    moment: float = uniform(0.5, 0.65)


def stage(base: FloatingBlock) -> SceneStage:
    """The block is half as dense as water."""
    half = base.half
    block = SolidBody(
        name="block",
        parts=(BodyPart("box", (half, 0.8 * half, 0.7 * half), Material("wood", COLORS[base.color], 0.15)),),
        at=(base.place, 0.0, LEVEL + base.drop),
        density=480,
        bounce=0.1,
    )
    return tank_stage(base, (block, gripper(half)))


SCENE = RenderedScene(
    name="floating_block",
    title="A block of wood falls into a tank of water",
    setup="A {color} block of wood falls into a glass tank of water.",
    sample=sampler(FloatingBlock),
    stage=stage,
    entities=(("block", "cube", "box", "wood"), ("water", "tank", "liquid")),
    actions=("float", "fall", "drop", "bob"),
    control="The {color} block dives, comes up, bobs and floats.",
    keeps=(conserves, motion_by_forces("block")),
    events=(
        swims_otherwise(
            stage,
            "block",
            0.3,
            BOTTOM + 0.045,
            "a gripper pushes the block under and holds it there",
            "The {color} block of wood does not stay up in the water: it sinks to the bottom like a stone.",
            "the block of wood floats, since it is lighter than water",
            ("sink", "sank", "to the bottom", "goes down", "submerge"),
            ("float", "stay up", "surface", "swim"),
        ),
        rises(
            stage,
            "block",
            "The {color} block of wood leaves the water by itself and rises into the air.",
            "the block of wood stays in the water and floats",
        ),
        vanishes(
            stage,
            "block",
            "The {color} block of wood is suddenly gone from the water, and nothing took it.",
            "the block stays in sight and floats",
        ),
        shrinks(
            stage,
            "block",
            "The {color} block of wood shrinks in the water until it is far smaller than before.",
            "the block keeps its size while it floats",
        ),
    ),
)
