"""A tank of glass with water on a table, into which something falls."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.suites.hocabench.physics.rendering.breaches import other_lift
from veridical.suites.hocabench.physics.rendering.gripper import grip, move_to_height
from veridical.suites.hocabench.physics.rendering.laws import motion_by_forces
from veridical.suites.hocabench.physics.rendering.room import Room, stage_in
from veridical.suites.hocabench.physics.rendering.simulation import BuildStage, simulated_play
from veridical.suites.hocabench.physics.rendering.stage import BodyPart, Material, SceneStage, SolidBody, Vector, Water
from veridical.suites.hocabench.physics.scene import Event

_WIDE, _DEEP, _HIGH, _THICK = 0.3, 0.15, 0.34, 0.005
_GLASS = Material("plain", (205, 222, 224), 0.9, opacity=0.16)
_EDGE = Material("plain", (150, 178, 178), 0.6, opacity=0.6)
BOTTOM, LEVEL = 0.012, 0.22
"""How high the bottom of the tank is, and the water at rest, in m."""


def tank_stage(room: Room, bodies: Sequence[SolidBody]) -> SceneStage:
    """A tank with water, and bodies."""
    inner = (_WIDE - _THICK, _DEEP - _THICK)
    water = Water((-inner[0], -inner[1]), inner, BOTTOM, LEVEL)
    return stage_in(room, (_tank(), *bodies), aim=0.17, away=1.2, water=water)


def _tank() -> SolidBody:
    """Walls of glass between bars; the wall before the eye is last, since glass is drawn in this order."""
    half, sides = _HIGH / 2, (1.0, -1.0)
    floor = BodyPart("box", (_WIDE, _DEEP, BOTTOM / 2), _EDGE, (0.0, 0.0, BOTTOM / 2))
    back, front = (BodyPart("box", (_WIDE, _THICK, half), _GLASS, (0.0, side * _DEEP, half)) for side in sides)
    walls = [BodyPart("box", (_THICK, _DEEP, half), _GLASS, (side * _WIDE, 0.0, half)) for side in sides]
    bars = [_bar((_WIDE, 0.004, 0.004), (0.0, side * _DEEP, _HIGH)) for side in sides]
    bars += [_bar((0.004, _DEEP, 0.004), (side * _WIDE, 0.0, _HIGH)) for side in sides]
    bars += [_bar((0.003, 0.003, half), (x * _WIDE, y * _DEEP, half)) for x in sides for y in sides]
    return SolidBody(name="tank", parts=(floor, back, *walls, *bars, front), fixed=True, friction=0.3)


def _bar(size: Vector, at: Vector) -> BodyPart:
    return BodyPart("box", size, _EDGE, at, solid=False)


def swims_otherwise(
    build: BuildStage,
    body: str,
    share: float,
    held_at: float,
    explained: str,
    claim: str,
    normal: str,
    signs: tuple[str, ...],
    expected: tuple[str, ...],
) -> Event:
    """Water carries a body with another share of its buoyancy; or a gripper holds it at a height, in m."""
    return Event(
        sub_type="buoyancy",
        play=simulated_play(build, other_lift(body, share), cause=grip(body, move_to_height(held_at))),
        breaks=motion_by_forces(body),
        claim=claim,
        normal=normal,
        signs=signs,
        expected=expected,
        explained=explained,
        actors=(body,),
        interaction=True,
    )
