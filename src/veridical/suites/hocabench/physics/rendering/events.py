"""Events that many scenes in three dimensions host, each with its usual words."""

from __future__ import annotations

import numpy as np

from veridical.suites.hocabench.physics.law import persists
from veridical.suites.hocabench.physics.play import Begins, at_moment
from veridical.suites.hocabench.physics.rendering.breaches import (
    free_joints,
    growth,
    no_contact,
    other_motion,
    removal,
    rise,
)
from veridical.suites.hocabench.physics.rendering.gripper import grip, lift, lift_away, no_motion
from veridical.suites.hocabench.physics.rendering.laws import motion_by_forces, no_overlap, stiff
from veridical.suites.hocabench.physics.rendering.pump import keeps_size
from veridical.suites.hocabench.physics.rendering.simulation import Breach, BuildStage, Vector, simulated_play
from veridical.suites.hocabench.physics.scene import Event

_RISE = 0.2
"""How fast a thing rises that weighs nothing, in m/s."""
LARGER, _SMALLER = 1.7, 0.5
"""How many times as large a thing becomes that swells or shrinks."""
_SAME_SIZE = ("same size", "keep", "stay", "remain", "as large")


def vanishes(build: BuildStage, body: str, claim: str, normal: str) -> Event:
    """A body is suddenly gone; or a gripper takes it away."""
    return Event(
        sub_type="permanence",
        play=simulated_play(build, removal(body), cause=grip(body, lift_away)),
        breaks=persists(body),
        claim=claim,
        normal=normal,
        expected=("stay", "remain", "visible", "continue", "exist", "in sight"),
        explained=f"a gripper takes the {body} away",
        actors=(body,),
    )


def swells(
    build: BuildStage,
    body: str,
    claim: str,
    normal: str,
    sub_type: str = "size",
    cause: Breach | None = None,
    explained: str = "",
) -> Event:
    """A body becomes 1.7 times as large within a quarter of a second; or what is seen makes it so large."""
    return Event(
        sub_type=sub_type,
        play=simulated_play(build, growth(body, LARGER, 0.25), cause=cause),
        breaks=keeps_size(body),
        claim=claim,
        normal=normal,
        signs=("swell", "grow", "larger", "bigger", "expand", "inflat"),
        expected=_SAME_SIZE,
        explained=explained,
        actors=(body,),
    )


def shrinks(build: BuildStage, body: str, claim: str, normal: str, sub_type: str = "size") -> Event:
    """A body becomes half as large within a quarter of a second."""
    return Event(
        sub_type=sub_type,
        play=simulated_play(build, growth(body, _SMALLER, 0.25)),
        breaks=keeps_size(body),
        claim=claim,
        normal=normal,
        signs=("shrink", "shrank", "smaller", "tiny", "contract", "less of it"),
        expected=_SAME_SIZE,
        actors=(body,),
    )


def rises(build: BuildStage, body: str, claim: str, normal: str) -> Event:
    """A body leaves the ground, rises and stays in the air; or a gripper lifts it."""
    return Event(
        sub_type="gravity",
        play=simulated_play(build, rise(body, _RISE), cause=grip(body, lift)),
        breaks=motion_by_forces(body),
        claim=claim,
        normal=normal,
        signs=("rise", "rising", "float", "lifts", "flies", "fly", "into the air", "upward"),
        expected=("stay", "fall", "roll", "slide", "remain", "come down", "on the table"),
        explained=f"a gripper lifts the {body}",
        actors=(body,),
    )


def halts(build: BuildStage, body: str, claim: str, normal: str) -> Event:
    """A body that rolls stops dead; or a gripper stops it."""
    return Event(
        sub_type="inertia",
        play=simulated_play(build, other_motion(body, _at_rest), cause=grip(body, no_motion)),
        breaks=motion_by_forces(body),
        claim=claim,
        normal=normal,
        signs=("stop", "halt", "freez", "stands still", "comes to rest"),
        expected=("roll", "continue", "keep", "go on", "slow"),
        explained=f"a gripper stops the {body} and holds it",
        actors=(body,),
    )


def passes(
    build: BuildStage,
    body: str,
    solid: str,
    begins: Begins,
    claim: str,
    normal: str,
    cause: Breach | None = None,
    explained: str = "",
) -> Event:
    """A body goes through a solid; or what is seen takes it to the other side."""
    return Event(
        sub_type="collision",
        play=simulated_play(build, no_contact(body, solid), begins, cause),
        breaks=no_overlap(body),
        claim=claim,
        normal=normal,
        signs=("through", "penetrat", "clip", "inside", "sinks in"),
        expected=("bounce", "stop", "rebound", "back", "blocked", "hold", "stays on"),
        explained=explained,
        actors=(body, solid),
    )


def goes_limp(build: BuildStage, rod: str, load: str, claim: str, normal: str, begins: Begins = at_moment) -> Event:
    """A rod, whose pieces have names that begin with its own, gives way like a rope under what touches it."""
    return Event(
        sub_type="rigidity",
        play=simulated_play(build, free_joints(rod), begins),
        breaks=stiff(rod),
        claim=claim,
        normal=normal,
        signs=("bend", "limp", "rope", "droop", "sag", "fold", "gives way", "soft"),
        expected=("straight", "hold", "stiff", "rigid", "stay", "keep"),
        actors=(load, rod),
    )


def _at_rest(speed: Vector) -> Vector:
    return np.zeros_like(speed)
