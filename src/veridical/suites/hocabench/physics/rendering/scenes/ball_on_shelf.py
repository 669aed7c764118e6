"""A ball rolls along a shelf that is held at one end, and falls off the other one."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.media.figures.palette import COLORS
from veridical.suite.nuisance_fields import one_of, sampler, uniform
from veridical.suites.hocabench.physics.play import at_moment
from veridical.suites.hocabench.physics.rendering.bodies import rolling_ball
from veridical.suites.hocabench.physics.rendering.events import goes_limp, halts, passes, rises, shrinks, vanishes
from veridical.suites.hocabench.physics.rendering.gripper import gripper
from veridical.suites.hocabench.physics.rendering.laws import conserves, motion_by_forces
from veridical.suites.hocabench.physics.rendering.rods import rod, steel
from veridical.suites.hocabench.physics.rendering.room import Room, stage_in
from veridical.suites.hocabench.physics.rendering.scene import RenderedScene
from veridical.suites.hocabench.physics.rendering.stage import BodyPart, Material, SceneStage, SolidBody

_PIECES, _LENGTH, _HIGH, _THICK = 11, 0.06, 0.2, 0.008
_LEFT = -0.32
"""Where the shelf begins, in m; its pillar is to the left of it."""


@dataclass(frozen=True, slots=True)
class BallOnShelf(Room):
    """The ball's color by name, its radius (m) and speed (m/s), and when an event on the way begins (s)."""

    color: str = one_of(sorted(COLORS))
    radius: float = uniform(0.045, 0.055)
    speed: float = uniform(0.31, 0.36)
    moment: float = uniform(0.95, 1.15)


def stage(base: BallOnShelf) -> SceneStage:
    """A stone pillar holds a shelf of steel; its top is as high as the shelf."""
    side, radius = base.side, base.radius
    stone = Material("stone", (142, 140, 136), 0.1)
    pillar = SolidBody(
        name="pillar",
        parts=(BodyPart("box", (0.11, 0.09, _HIGH / 2), stone),),
        at=(side * (_LEFT - 0.11), 0.0, _HIGH / 2),
        fixed=True,
    )
    piece = BodyPart("box", (_LENGTH / 2, 0.075, _THICK), steel((112, 118, 128)), (side * _LENGTH / 2, 0.0, -_THICK))
    shelf = rod("shelf", _PIECES, piece, (side * _LENGTH, 0.0, 0.0), (side * 0.11, 0.0, _HIGH / 2), "pillar")
    ball = rolling_ball(base.color, radius, (side * (_LEFT - 0.15), 0.0, _HIGH + radius), side * base.speed, 900, 0.3)
    return stage_in(base, (pillar, *shelf, ball, gripper(radius)), aim=0.14)


SCENE = RenderedScene(
    name="ball_on_shelf",
    title="A ball rolls along a shelf that is held at one end",
    setup="A {color} ball rolls from a stone pillar along a steel shelf that is held at one end.",
    sample=sampler(BallOnShelf),
    stage=stage,
    entities=(("ball",), ("shelf", "plank", "board", "beam", "plate")),
    actions=("roll", "moves", "moving"),
    control="The {color} ball rolls along the steel shelf to its end and falls off.",
    keeps=(conserves, motion_by_forces("ball")),
    events=(
        goes_limp(
            stage,
            "shelf",
            "ball",
            "The steel shelf suddenly droops like a rope while the {color} ball rolls on it.",
            "the steel shelf stays straight and holds the ball",
        ),
        passes(
            stage,
            "ball",
            "shelf",
            at_moment,
            "The rolling {color} ball sinks through the solid steel shelf and falls on the table.",
            "the shelf holds the ball, which rolls on to its end",
        ),
        halts(
            stage,
            "ball",
            "The rolling {color} ball stops dead in the middle of the shelf, with nothing in its way.",
            "the ball rolls on until the end of the shelf",
        ),
        rises(
            stage,
            "ball",
            "The rolling {color} ball leaves the shelf by itself and rises into the air.",
            "the ball stays on the shelf and rolls on",
        ),
        vanishes(
            stage,
            "ball",
            "The rolling {color} ball is suddenly gone in the middle of the shelf.",
            "the ball stays in sight and rolls on to the end of the shelf",
        ),
        shrinks(
            stage,
            "ball",
            "The rolling {color} ball shrinks on the shelf until it is far smaller than before.",
            "the ball keeps its size while it rolls along the shelf",
        ),
    ),
)
