"""A crate slides down a tilted board."""

from __future__ import annotations

import math
from dataclasses import dataclass

from veridical.media.figures.palette import COLORS
from veridical.suite.nuisance_fields import one_of, sampler, uniform
from veridical.suites.hocabench.physics.rendering.bodies import crate
from veridical.suites.hocabench.physics.rendering.breaches import other_friction
from veridical.suites.hocabench.physics.rendering.events import rises, swells, vanishes
from veridical.suites.hocabench.physics.rendering.gripper import grip, gripper, no_motion
from veridical.suites.hocabench.physics.rendering.laws import conserves, grips, motion_by_forces
from veridical.suites.hocabench.physics.rendering.room import Room, stage_in
from veridical.suites.hocabench.physics.rendering.scene import RenderedScene
from veridical.suites.hocabench.physics.rendering.simulation import simulated_play
from veridical.suites.hocabench.physics.rendering.stage import BodyPart, Material, SceneStage, SolidBody, rotation
from veridical.suites.hocabench.physics.scene import Event

_LENGTH, _SLOPE, _FRICTION = 0.5, 27.0, 0.42
_HALF = 0.012
"""Half the thickness of the board, in m."""


@dataclass(frozen=True, slots=True)
class CrateOnBoard(Room):
    """The colors of crate and board by name, half the crate's side (m), and when an event begins (s)."""

    color: str = one_of(sorted(COLORS))
    board: str = one_of(sorted(COLORS), unlike=("color",))
    half: float = uniform(0.045, 0.055)
    moment: float = uniform(0.5, 0.65)


def stage(base: CrateOnBoard) -> SceneStage:
    """The board rises from left to right, or mirrored; the crate begins near its upper end."""
    slope = math.radians(_SLOPE)
    turn = rotation("y", base.side * -_SLOPE)
    high = _LENGTH * math.sin(slope)
    middle = (base.side * 0.12, 0.0, high + _HALF)
    along = 0.8 * _LENGTH
    above = base.half * 0.8 + _HALF + 0.0005
    place = (
        middle[0] + base.side * (along * math.cos(slope) - above * math.sin(slope)),
        0.0,
        middle[2] + along * math.sin(slope) + above * math.cos(slope),
    )
    board = SolidBody(
        name="board",
        parts=(BodyPart("box", (_LENGTH, 0.13, _HALF), Material("wood", COLORS[base.board], 0.1)),),
        at=middle,
        turn=turn,
        fixed=True,
    )
    stand = SolidBody(
        name="stand",
        parts=(BodyPart("box", (0.02, 0.11, 0.8 * high), Material("stone", (150, 148, 146))),),
        at=(middle[0] + base.side * 0.72 * _LENGTH * math.cos(slope), 0.0, 0.8 * high),
        fixed=True,
    )
    box = crate(base.color, base.half, place, _FRICTION, turn=turn)
    return stage_in(base, (board, stand, box, gripper(base.half, turn)), aim=0.19, away=1.75)


SCENE = RenderedScene(
    name="crate_on_board",
    title="A crate slides down a tilted board",
    setup="A {color} crate slides down a tilted {board} board.",
    sample=sampler(CrateOnBoard),
    stage=stage,
    entities=(("crate", "box", "block", "cube"), ("board", "ramp", "slope", "plank", "incline")),
    actions=("slide", "sliding", "glide"),
    control="The {color} crate slides down the {board} board and comes to rest below.",
    keeps=(conserves, motion_by_forces("crate"), grips("crate", _FRICTION)),
    events=(
        Event(
            sub_type="friction",
            play=simulated_play(stage, other_friction("crate", 8.0), cause=grip("crate", no_motion)),
            breaks=grips("crate", _FRICTION),
            claim="The {color} crate stops in the middle of the steep board and clings to it there.",
            normal="the crate slides on down to the end of the board",
            signs=("stop", "cling", "stick", "stuck", "stays on the slope", "halt"),
            expected=("slide", "down", "continue", "go on"),
            explained="a gripper stops the crate and holds it",
            actors=("crate",),
        ),
        rises(
            stage,
            "crate",
            "The sliding {color} crate leaves the board by itself and rises into the air.",
            "the crate stays on the board and slides down",
        ),
        vanishes(
            stage,
            "crate",
            "The sliding {color} crate is suddenly gone in the middle of the board.",
            "the crate stays in sight and slides down",
        ),
        swells(
            stage,
            "crate",
            "The {color} crate swells while it slides down until it is far larger than before.",
            "the crate stays as large as it was while it slides",
            "mass_volume",
        ),
    ),
)
