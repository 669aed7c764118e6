"""What violating courses do otherwise: one law is switched off, one force is added, or one body changes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from veridical.suites.hocabench.physics.rendering.simulation import GRAVITY, Breach, StageRun, Vector
from veridical.suites.hocabench.physics.state import Base

_ALONE = 2
"""The bit of contacts that a body has which a solid does not stop any more."""
_SOON, _LATER = 0.1, 0.5
"""How soon what rises is at its speed, and how soon it moves straight up, in seconds."""
_BELOW = 0.12
"""How far below the upper edge of the picture it stays, in m."""


def no_contact(body: str, solid: str) -> Breach:
    """A solid does not stop a body."""

    def breach(run: StageRun, base: Base, since: float) -> None:
        own, through = run.geoms(body), run.geoms(solid)
        for geom in range(run.model.ngeom):
            if run.model.geom_contype[geom] and geom not in through:
                bits = _ALONE if geom in own else 1 | _ALONE
                run.model.geom_contype[geom] = run.model.geom_conaffinity[geom] = bits

    return breach


def rise(body: str, speed: float) -> Breach:
    """A body weighs nothing and rises, soon at a speed in m/s and ever more straight up, until it stays in the air."""

    def breach(run: StageRun, base: Base, since: float) -> None:
        left = run.stage.lens.top - _BELOW - float(run.place(body)[2])
        wanted = np.array([0.0, 0.0, speed * min(1.0, max(0.0, left / _BELOW))])
        change = (wanted - run.speed(body)) / np.array([_LATER, _LATER, _SOON])
        run.forces[body] = run.mass(body) * (np.array([0.0, 0.0, GRAVITY]) + change)

    return breach


def other_friction(body: str, friction: float) -> Breach:
    """A body slides with another coefficient of friction."""

    def breach(run: StageRun, base: Base, since: float) -> None:
        run.model.geom_friction[run.geoms(body), 0] = friction

    return breach


def other_motion(body: str, change: Callable[[Vector], Vector]) -> Breach:
    """A body moves otherwise at once, and nothing does it: `change` gives its speed from that before, in m/s."""

    def breach(run: StageRun, base: Base, since: float) -> None:
        if since <= 0:
            speed = run.speed(body)
            run.push(body, change(speed) - speed)
            start = run.free[body]
            run.data.qvel[start + 3 : start + 6] = 0

    return breach


def removal(body: str) -> Breach:
    """A body is gone."""

    def breach(run: StageRun, base: Base, since: float) -> None:
        run.absent.add(body)
        for geom in run.geoms(body):
            run.model.geom_contype[geom] = run.model.geom_conaffinity[geom] = 0

    return breach


def growth(body: str, factor: float, seconds: float) -> Breach:
    """A body becomes larger or smaller by a factor, evenly within so many seconds."""

    def breach(run: StageRun, base: Base, since: float) -> None:
        run.resize(body, 1 + (factor - 1) * min(1.0, since / seconds + 0.05))

    return breach


def free_joints(rod: str) -> Breach:
    """The joints between the pieces of a rod are not locked any more."""

    def breach(run: StageRun, base: Base, since: float) -> None:
        for name in run.stage.pieces(rod):
            run.data.eq_active[run.model.equality(name).id] = 0

    return breach


def other_lift(body: str, share: float) -> Breach:
    """Water carries a body with a share of its buoyancy."""

    def breach(run: StageRun, base: Base, since: float) -> None:
        run.lift[body] = share

    return breach
