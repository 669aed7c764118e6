"""Laws that many scenes check on their state logs: each gives the first frame at which it is broken."""

from __future__ import annotations

from collections.abc import Callable

from veridical.media.figures.clock import Clock
from veridical.suites.hocabench.physics.scene import Base, Law, State, States

Holds = Callable[[Base, Clock, States, int], bool]


def each_frame(name: str, holds: Holds, first: int = 1) -> Law:
    """A law that is checked at every frame from `first` on; `holds` gets the states and the number of the frame."""

    def broken(base: Base, clock: Clock, states: States) -> int | None:
        return next((k for k in range(first, len(states)) if not holds(base, clock, states, k)), None)

    return Law(name, broken)


def persists(*entities: str) -> Law:
    """The entities are there in every frame in which they may be: none appears or vanishes."""
    return each_frame(
        f"{' and '.join(entities)} persist",
        lambda _base, _clock, states, k: all((each in states[k]) == (each in states[k - 1]) for each in entities),
    )


def keeps(entity: str, *quantities: str, within: float = 1e-9) -> Law:
    """Quantities of an entity, such as its color or radius, stay as they are in the first frame that shows it."""

    def holds(_base: Base, _clock: Clock, states: States, k: int) -> bool:
        now, first = states[k].get(entity), states[0].get(entity)
        return now is None or first is None or all(abs(now[name] - first[name]) <= within for name in quantities)

    return each_frame(f"{entity} keeps its {', '.join(quantities)}", holds)


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
