"""A pump that comes from above and blows a ball up: the cause that is seen where a body grows."""

from __future__ import annotations

import math

import numpy as np

from veridical.suites.hocabench.physics.law import Law, each_frame
from veridical.suites.hocabench.physics.rendering.gripper import approach, hold, no_motion, without_contacts
from veridical.suites.hocabench.physics.rendering.simulation import Breach, StageRun
from veridical.suites.hocabench.physics.rendering.stage import BodyPart, Material, SolidBody
from veridical.suites.hocabench.physics.state import Base, States, value

PUMP, PISTON = "pump", "piston"
_REACH, _SECONDS, _STROKES = 0.3, 1.2, 3
"""How long the pump takes to the ball, and then to blow it up, in seconds, and with how many strokes."""
_NOZZLE, _BARREL, _STROKE = 0.03, 0.11, 0.05
"""How long its nozzle and its barrel are, and how far its piston moves, in m."""
_BLUE, _STEEL, _RUBBER = (
    Material("plain", (58, 104, 168), 0.6),
    Material("metal", (150, 156, 164), 0.7),
    Material("rubber", (48, 50, 54), 0.05),
)


def pump() -> tuple[SolidBody, SolidBody]:
    """The barrel with its nozzle, whose tip is its origin, on two rods, and the piston between them."""
    high = _NOZZLE + _BARREL
    nozzle = BodyPart("cylinder", (0.007, _NOZZLE / 2), _RUBBER, (0.0, 0.0, _NOZZLE / 2))
    barrel = BodyPart("cylinder", (0.026, _BARREL / 2), _BLUE, (0.0, 0.0, _NOZZLE + _BARREL / 2))
    ends = [BodyPart("cylinder", (0.03, 0.006), _STEEL, (0.0, 0.0, z)) for z in (_NOZZLE, high)]
    rods = [BodyPart("cylinder", (0.005, 0.6), _STEEL, (x, 0.0, high - 0.02 + 0.6)) for x in (-0.03, 0.03)]
    handle = BodyPart("cylinder", (0.02, 0.008), _RUBBER, (0.0, 0.0, high + _STROKE + 0.02))
    shaft = BodyPart("cylinder", (0.007, 0.6), _STEEL, (0.0, 0.0, high + 0.6))
    return (
        SolidBody(name=PUMP, parts=without_contacts(nozzle, barrel, *ends, *rods), driven=True),
        SolidBody(name=PISTON, parts=without_contacts(shaft, handle), driven=True),
    )


def inflation(ball: str, factor: float) -> Breach:
    """A pump comes down on a ball, holds it and blows it up, until it is so many times as large."""

    def cause(run: StageRun, base: Base, since: float) -> None:
        share = min(1.0, max(0.0, (since - _REACH) / _SECONDS))
        scale = 1 + (factor - 1) * share
        run.resize(ball, scale)
        tip = run.place(ball) + np.array([0.0, 0.0, scale * run.stage.body(ball).parts[0].size[0]])
        tip = approach(run, tip, since / _REACH)
        stroke = _STROKE * (0.5 + 0.5 * math.cos(2 * math.pi * _STROKES * share))
        run.lead(PUMP, tip)
        run.lead(PISTON, tip + np.array([0.0, 0.0, stroke - _STROKE]))
        if since >= _REACH:
            hold(run, ball, no_motion, since - _REACH)

    return cause


def keeps_size(body: str) -> Law:
    """A body becomes neither larger nor smaller unless a pump is at it."""

    @each_frame(f"the {body} keeps its size")
    def law(_base: Base, _clock: object, states: States, k: int) -> bool:
        one, other = (value(state, body, "scale", 1.0) for state in states[k - 1 : k + 1])
        return PUMP in states[k] or abs(one - other) <= 1e-9

    return law
