"""Laws of motion, checked on the state logs of runs."""

from __future__ import annotations

import math
from collections.abc import Mapping

from veridical.media.figures.clock import Clock
from veridical.suites.hocabench.physics.law import Law, each_frame
from veridical.suites.hocabench.physics.rendering.simulation import SYSTEM
from veridical.suites.hocabench.physics.state import Base, States, present

_SPEED = 0.02
"""A change of speed that is none, in m/s from frame to frame."""
_DEPTH = 0.008
"""How deep solids go into each other in a blow, in m."""
_ENERGY = 0.01
"""How much energy may appear out of nothing, in J and as a share of that at first."""
_LEAST, _MOST, _SMALL = 0.6, 1.5, 1e-4
"""How far friction may be from its law, as shares and in N s."""
_BEND = 0.012
"""By how much a stiff joint bends at most, in radians."""
_TURNED = 0.01
"""By how much a body that lies flat has turned at most, in numbers of its quaternion."""
_SLIDING = 0.06
"""From what speed on a body slides, in m/s."""


def motion_by_forces(body: str) -> Law:
    """A body's motion changes by weight, contacts and water alone (Newton's laws: momentum is kept in each contact)."""

    @each_frame(f"the {body} moves by forces alone")
    def law(base: Base, clock: Clock, states: States, k: int) -> bool:
        return not present(states, k, body) or states[k][body]["unexplained"] <= _SPEED

    return law


def no_overlap(body: str) -> Law:
    """A body does not go into other solids."""

    @each_frame(f"the {body} stays out of solids")
    def law(base: Base, clock: Clock, states: States, k: int) -> bool:
        return not present(states, k, body) or states[k][body]["overlap"] <= _DEPTH

    return law


def grips(body: str, friction: float) -> Law:
    """The ground holds a body back by that share of their contact's force while it slides flat, and never by more."""

    @each_frame(f"the ground holds the {body} back as it is rough")
    def law(base: Base, clock: Clock, states: States, k: int) -> bool:
        if not present(states, k, body):
            return True
        own, last = states[k][body], states[k - 1][body]
        flat = all(abs(own[key] - states[0][body][key]) < _TURNED for key in ("qw", "qx", "qy", "qz"))
        sliding = flat and min(_flat(own), _flat(last)) > _SLIDING and own["normal"] > 0
        pull, weight = own["tangent"], friction * own["normal"]
        return pull <= _MOST * weight + _SMALL and (not sliding or pull >= _LEAST * weight)

    return law


def stiff(rod: str) -> Law:
    """The pieces of a rod stay in line: no joint bends by more than a few degrees."""

    @each_frame(f"the {rod} stays straight")
    def law(base: Base, clock: Clock, states: States, k: int) -> bool:
        return all(abs(own.get("bend", 0.0)) <= _BEND for name, own in states[k].items() if name.startswith(rod))

    return law


def _flat(own: Mapping[str, float]) -> float:
    return math.hypot(own["vx"], own["vy"])


@each_frame("energy does not appear out of nothing")
def conserves(base: Base, clock: Clock, states: States, k: int) -> bool:
    """Energy less the work of what acts from outside never grows; where a body changes or is gone, none is reckoned."""
    first, now = states[0], states[k]
    if not set(first) <= set(now) or any(own.get("scale", 1.0) != 1 for own in now.values()):
        return True
    start, own = first[SYSTEM]["energy"], now[SYSTEM]
    return own["energy"] - own["work"] <= start + _ENERGY * (1 + abs(start))
