"""A gripper on a rod from above: the cause that is seen where a body does otherwise in an explained course."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from veridical.suites.hocabench.physics.rendering.simulation import GRAVITY, Breach, StageRun, Vector
from veridical.suites.hocabench.physics.rendering.stage import BodyPart, Material, SolidBody, Turn
from veridical.suites.hocabench.physics.state import Base

GRIPPER = "gripper"
_REACH = 0.3
"""How long a gripper takes from the upper edge of the picture to a body, in seconds."""
_GRASP, _PULL = 0.12, 0.02
"""How soon a body moves as its gripper does, and how stiffly it follows, in seconds."""
_THICK, _NEAR = 0.006, 0.01
_STEEL, _PADS = Material("metal", (120, 126, 134), 0.7), Material("rubber", (52, 54, 58), 0.05)
Carry = Callable[[StageRun, str, Vector], Vector]
"""How a gripper carries a body now, in m/s; it gets the body's speed when it was grasped. NaN: this way it is free."""


def gripper(half: float, turn: Turn = (1.0, 0.0, 0.0, 0.0)) -> SolidBody:
    """A gripper for a body that is twice `half` wide (m); its origin is where the middle of the body is held."""
    reach, palm = half + _THICK, half + 0.02
    fingers = (
        BodyPart("box", (_THICK, 0.016, palm / 2), _STEEL, (side * (reach + _THICK), 0.0, palm / 2 - 0.3 * half))
        for side in (1.0, -1.0)
    )
    pads = (BodyPart("box", (_THICK / 2, 0.018, 0.4 * half), _PADS, (side * reach, 0.0, 0.0)) for side in (1.0, -1.0))
    bar = BodyPart("box", (reach + 2 * _THICK, 0.018, 0.009), _STEEL, (0.0, 0.0, palm - 0.3 * half + 0.004))
    hub = BodyPart("cylinder", (0.02, 0.02), _PADS, (0.0, 0.0, palm - 0.3 * half + 0.03))
    rod = BodyPart("cylinder", (0.009, 0.6), _STEEL, (0.0, 0.0, palm + 0.62))
    return SolidBody(name=GRIPPER, parts=without_contacts(*fingers, *pads, bar, hub, rod), turn=turn, driven=True)


def without_contacts(*parts: BodyPart) -> tuple[BodyPart, ...]:
    """The parts as they are seen, which touch nothing."""
    return tuple(replace(part, solid=False) for part in parts)


def grip(body: str, carry: Carry) -> Breach:
    """A gripper comes down to a body, goes along with it, grasps it and carries it."""

    def cause(run: StageRun, base: Base, since: float) -> None:
        run.lead(GRIPPER, approach(run, run.place(body), since / _REACH))
        if since >= _REACH:
            hold(run, body, carry, since - _REACH)

    return cause


def approach(run: StageRun, place: Vector, share: float) -> Vector:
    """Where a thing is that comes down to a place from the upper edge of the picture and goes along with it.

    `share` is how much of its way it has behind it.
    """
    left = 1 - min(share, 1.0)
    above = left * left * (3 - 2 * left) * max(run.stage.lens.top - place[2], 0.0)
    return np.asarray(place + np.array([0.0, 0.0, above]))


def hold(run: StageRun, body: str, carry: Carry, since: float) -> None:
    """Moves a body by the force that its speed takes, and stops its turning; `since` it is held, in seconds."""
    before = run.grasped.setdefault(body, run.speed(body))
    wanted = carry(run, body, before)
    aim = before + min(1.0, since / _GRASP) * (wanted - before)
    weight = np.array([0.0, 0.0, GRAVITY * run.mass(body)])
    force = weight + run.mass(body) * (aim - run.speed(body)) / _PULL - run.water_force(body)
    run.held[body] = np.where(np.isnan(wanted), 0.0, force)
    start = run.free[body] + 3
    inertia = run.model.body_inertia[run.bodies[body]]
    run.data.qfrc_applied[start : start + 3] = -inertia * run.data.qvel[start : start + 3] / _PULL


def no_motion(run: StageRun, body: str, before: Vector) -> Vector:
    """A body is held where it is."""
    return np.zeros(3)


def same_motion(run: StageRun, body: str, before: Vector) -> Vector:
    """A body is drawn along the ground as fast as it was."""
    return np.array([before[0], before[1], np.nan])


def lift(run: StageRun, body: str, before: Vector) -> Vector:
    """A body is lifted and held in the air."""
    return np.array([0.0, 0.0, _upward(run.place(body), run.stage.lens.top - 0.14, 0.3)])


def lift_away(run: StageRun, body: str, before: Vector) -> Vector:
    """A body is lifted out of sight."""
    return np.array([0.0, 0.0, _upward(run.place(body), run.stage.lens.top + 0.3, 0.9)])


def lift_over(solid: str) -> Carry:
    """A ball that came back from a solid is lifted over it and set down behind it."""

    def carry(run: StageRun, body: str, before: Vector) -> Vector:
        radius, size = run.stage.body(body).parts[0].size[0], run.stage.body(solid).parts[0].size
        place, middle, side = run.place(body), run.place(solid), -np.sign(before[0])
        left = side * (middle[0] - place[0]) + size[0] + radius + 0.06
        top = middle[2] + size[2] + radius + 0.02
        height = top if left > _NEAR else radius
        across = np.clip(4 * left, 0.0, 0.5) * np.clip(1 - (top - place[2]) / 0.04, 0.0, 1.0)
        return np.array([side * across, 0.0, _upward(place, height, 0.5)])

    return carry


def move_to_height(height: float) -> Carry:
    """A body is moved to a height (m) and held there."""
    return lambda run, body, _: np.array([0.0, 0.0, _upward(run.place(body), height, 0.35)])


def _upward(place: Vector, height: float, speed: float) -> float:
    """How fast a body rises or sinks to a height (m), at most at a speed, in m/s."""
    return float(np.clip(6 * (height - place[2]), -speed, speed))
