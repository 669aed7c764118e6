"""Laws of nature: what holds in each frame of a state log, or from which frame on it does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.figures.clock import Clock
from veridical.suites.hocabench.physics.state import Base, States, value

Holds = Callable[[Base, Clock, States, int], bool]


@dataclass(frozen=True, slots=True)
class Law:
    """What holds in a course, and `broken`: the first frame at which it does not hold; `None` if it always holds."""

    name: str
    broken: Callable[[Base, Clock, States], int | None]


def each_frame(name: str, first: int = 1) -> Callable[[Holds], Law]:
    """Makes a law out of a function that says whether it holds, which is asked at every frame from `first` on."""

    def made(holds: Holds) -> Law:
        def broken(base: Base, clock: Clock, states: States) -> int | None:
            return next((k for k in range(first, len(states)) if not holds(base, clock, states, k)), None)

        return Law(name, broken)

    return made


def persists(*entities: str) -> Law:
    """The entities are there in every frame in which they may be: none appears or vanishes."""
    return each_frame(f"{' and '.join(entities)} persist")(
        lambda _base, _clock, states, k: all((each in states[k]) == (each in states[k - 1]) for each in entities)
    )


def always_there(entity: str) -> Law:
    """The entity is in every frame; a hand that takes it away still holds it."""
    return each_frame(f"the {entity} persists")(lambda _base, _clock, states, k: entity in states[k])


def keeps(entity: str, *quantities: str, within: float = 1e-9) -> Law:
    """Quantities of an entity, such as its color or radius, stay as they are in the first frame that shows it."""

    @each_frame(f"{entity} keeps its {', '.join(quantities)}")
    def law(_base: Base, _clock: Clock, states: States, k: int) -> bool:
        now, first = states[k].get(entity), states[0].get(entity)
        return now is None or first is None or all(abs(now[name] - first[name]) <= within for name in quantities)

    return law


def is_in_hand(states: States, k: int) -> bool:
    """Whether a hand holds something in frame k or in the frame before."""
    return any(value(state, "hand", "holds") for state in states[k - 1 : k + 1])


def no_more_than(name: str, quantity: tuple[str, str], limit: tuple[str, str]) -> Law:
    """One quantity, of an entity, is never above another one; both are 0 where their entity is not there."""
    return each_frame(name)(lambda _base, _clock, states, k: value(states[k], *quantity) <= value(states[k], *limit))


def zero_unless(name: str, quantity: tuple[str, str], cause: tuple[str, str]) -> Law:
    """A quantity, of an entity, is 0 unless another one is 1."""
    return each_frame(name)(
        lambda _base, _clock, states, k: value(states[k], *quantity) == 0 or value(states[k], *cause) == 1
    )
