"""State logs: what is where in each frame of a course."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from veridical.media.figures.clock import Clock

Base = Any
"""The nuisances of a unit: each scene has a frozen dataclass of its own."""
Course = Literal["violating", "plausible", "explained"]
State = Mapping[str, Mapping[str, float]]
"""One moment: for each entity its quantities, such as {"ball": {"x": 120.0, "y": 200.0, "radius": 20.0}}.

What is painted, and what the laws are checked on, is the state and the nuisances, nothing else. An entity that is not
there has no entry. Nothing about the course may stand in a state before the event begins.
"""
States = Sequence[State]
Quantities = dict[str, dict[str, float]]
"""A state that is being made."""


def velocity(states: States, entity: str, k: int, clock: Clock) -> tuple[float, float]:
    """The mean velocity of an entity between frame k − 1 and frame k, in units per second.

    >>> velocity([{"ball": {"x": 0.0, "y": 0.0}}, {"ball": {"x": 1.0, "y": 0.5}}], "ball", 1, Clock(24, 2))
    (24.0, 12.0)
    """
    now, before = states[k][entity], states[k - 1][entity]
    return (now["x"] - before["x"]) * clock.rate, (now["y"] - before["y"]) * clock.rate


def present(states: States, k: int, *entities: str) -> bool:
    """Whether these entities are there in frame k and in the frame before."""
    return all(each in state for each in entities for state in (states[k - 1], states[k]))


def value(state: State, entity: str, quantity: str, otherwise: float = 0.0) -> float:
    """A quantity of an entity, or another value where it is not there.

    >>> value({}, "hand", "holds")
    0.0
    """
    return state.get(entity, {}).get(quantity, otherwise)


def update(state: State, entity: str, **quantities: float) -> State:
    """The state with other quantities of an entity.

    >>> update({"ball": {"x": 1.0, "y": 2.0}}, "ball", y=3.0)
    {'ball': {'x': 1.0, 'y': 3.0}}
    """
    return {**state, entity: {**state[entity], **quantities}}


def remove(state: State, *entities: str) -> State:
    """The state without some entities."""
    return {name: own for name, own in state.items() if name not in entities}


def clamp_to_one(value: float) -> float:
    """The value, at least 0 and at most 1: how far a change is that goes on evenly."""
    return max(0.0, min(1.0, value))
