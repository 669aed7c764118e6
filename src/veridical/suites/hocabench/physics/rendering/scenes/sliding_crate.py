"""A crate slides over a table until friction stops it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from veridical.media.figures.palette import COLORS
from veridical.suite.nuisance_fields import one_of, sampler, uniform
from veridical.suites.hocabench.physics.rendering.bodies import crate
from veridical.suites.hocabench.physics.rendering.breaches import other_friction, other_motion
from veridical.suites.hocabench.physics.rendering.events import rises, shrinks, vanishes
from veridical.suites.hocabench.physics.rendering.gripper import grip, gripper, same_motion
from veridical.suites.hocabench.physics.rendering.laws import conserves, grips, motion_by_forces
from veridical.suites.hocabench.physics.rendering.room import Room, stage_in
from veridical.suites.hocabench.physics.rendering.scene import RenderedScene
from veridical.suites.hocabench.physics.rendering.simulation import GRAVITY, StageRun, Vector, simulated_play
from veridical.suites.hocabench.physics.rendering.stage import SceneStage
from veridical.suites.hocabench.physics.scene import Event

_FRICTION = 0.06
_START = -0.5


@dataclass(frozen=True, slots=True)
class SlidingCrate(Room):
    """The crate's color by name, half its side and the way that it slides (m), and when an event begins (s)."""

    color: str = one_of(sorted(COLORS))
    half: float = uniform(0.055, 0.065)
    way: float = uniform(0.52, 0.62)
    moment: float = uniform(0.5, 0.75)


def stage(base: SlidingCrate) -> SceneStage:
    """The crate begins as fast as is needed for its way."""
    speed = base.side * math.sqrt(2 * _FRICTION * GRAVITY * base.way)
    at = (base.side * _START, 0.0, 0.8 * base.half)
    box = crate(base.color, base.half, at, _FRICTION, velocity=(speed, 0.0, 0.0))
    return stage_in(base, (box, gripper(base.half)))


def _aside(speed: Vector) -> Vector:
    """The same speed, turned towards the eye."""
    x, _, z = speed
    return np.array([0.5 * x, -0.86 * abs(x), z])


def _drawn_aside(run: StageRun, body: str, before: Vector) -> Vector:
    """The same direction, until the crate is near the edge of the table."""
    aside = _aside(same_motion(run, body, before))
    return aside if run.place(body)[1] > -0.35 else np.array([0.0, 0.0, np.nan])


SCENE = RenderedScene(
    name="sliding_crate",
    title="A crate slides over a table",
    setup="A {color} wooden crate slides over a table and becomes slower.",
    sample=sampler(SlidingCrate),
    stage=stage,
    entities=(("crate", "box", "block", "cube"), ("table", "desk", "surface")),
    actions=("slide", "sliding", "glide"),
    control="The {color} crate slides more and more slowly and stops.",
    keeps=(conserves, motion_by_forces("crate"), grips("crate", _FRICTION)),
    events=(
        Event(
            sub_type="friction",
            play=simulated_play(stage, other_friction("crate", 0.0), cause=grip("crate", same_motion)),
            breaks=grips("crate", _FRICTION),
            claim="The {color} crate slides on over the table at an even speed and never becomes slower.",
            normal="the crate becomes slower and stops on the table",
            signs=(
                "never slow",
                "never becomes slower",
                "even speed",
                "constant speed",
                "not slow",
                "slides on",
            ),
            expected=("slow", "stop", "come to rest", "friction"),
            explained="a gripper draws the crate along",
            actors=("crate",),
        ),
        Event(
            sub_type="inertia",
            play=simulated_play(stage, other_motion("crate", _aside), cause=grip("crate", _drawn_aside)),
            breaks=motion_by_forces("crate"),
            claim="The sliding {color} crate suddenly turns aside towards the viewer, and nothing pushes it.",
            normal="the crate slides straight on until it stops",
            signs=("turns aside", "changes direction", "change of direction", "swerve", "sideways", "veer", "toward"),
            expected=("straight", "same direction", "keep", "go on", "continue"),
            explained="a gripper draws the crate aside",
            actors=("crate",),
        ),
        rises(
            stage,
            "crate",
            "The sliding {color} crate leaves the table by itself and rises into the air.",
            "the crate stays on the table and slides on",
        ),
        vanishes(
            stage,
            "crate",
            "The sliding {color} crate is suddenly gone in the middle of the table.",
            "the crate stays in sight and slides until it stops",
        ),
        shrinks(
            stage,
            "crate",
            "The {color} crate shrinks while it slides until there is far less of it than before.",
            "the crate stays as large as it was while it slides",
            "mass_volume",
        ),
    ),
)
