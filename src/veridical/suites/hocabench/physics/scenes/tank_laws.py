"""The laws of the scene `tank`."""

from __future__ import annotations

from veridical.media.figures.clock import Clock
from veridical.suites.hocabench.physics.laws import each_frame, keeps, value
from veridical.suites.hocabench.physics.liquids import volume
from veridical.suites.hocabench.physics.scene import Base, States
from veridical.suites.hocabench.physics.scenes.tank_courses import FLOOR, LEFT, RIGHT, bodies, wet


def _sinking(base: Base, _clock: Clock, states: States, k: int) -> bool:
    now, before = states[k]["thing"], states[k - 1]["thing"]
    held = value(states[k], "hand", "holds")
    return not wet(base, states[k]) or bool(held) or now["y"] > before["y"] or now["y"] >= FLOOR


def _conserved(base: Base, _clock: Clock, states: States, k: int) -> bool:
    state = states[k]
    water = volume(FLOOR, RIGHT - LEFT, state["water"]["level"], bodies(base, state))
    return bool(abs(water - base.amount - state["tap"]["added"]) < 1e-3)


SINKS = each_frame("what is denser than water sinks unless it is held", _sinking)
CONSERVED = each_frame("the tank holds as much water as before and what the tap adds", _conserved, 0)


def _warm(base: Base, _clock: Clock, states: States, k: int) -> bool:
    return not states[k]["water"]["frozen"] or base.warm <= 0


CLOSES = keeps("water", "shaft")
OPAQUE = keeps("thing", "clear")
STIFF = keeps("thing", "flat")
LIQUID = each_frame("the water freezes only in the cold", _warm, 0)
SOLID = each_frame("the thing stays above the floor", lambda _b, _c, states, k: states[k]["thing"]["y"] <= FLOOR + 1e-6)
