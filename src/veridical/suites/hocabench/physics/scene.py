"""What a scene is: one record that plays a state log and paints its states, the events that it can host, and laws.

A scene hosts several events, each a violation of another sub-type, so that a scene does not name the category. Each
event is played in two or three courses that are the same until it begins: "violating", "plausible" (a control with an
event that strikes the eye as much), and "explained" (the odd event has a cause that can be seen).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

from veridical.media.figures.brush import Brush
from veridical.media.figures.clock import Clock
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.taxonomy import SUB_TYPES, Layer

Base = Any
"""The nuisances of a unit: each scene has a frozen dataclass of its own."""
Course = Literal["violating", "plausible", "explained"]
State = Mapping[str, Mapping[str, float]]
"""One moment: for each entity its quantities, such as {"ball": {"x": 120.0, "y": 200.0, "radius": 20.0}}.

What is painted, and what the laws are checked on, is the state and the nuisances, nothing else. An entity that is not
there has no entry. Nothing about the course may stand in a state before the event begins.
"""
States = Sequence[State]
Holds = Callable[[Base, Clock, States, int], bool]


@dataclass(frozen=True, slots=True)
class Law:
    """What holds in a course, and `broken`: the first frame at which it does not hold; `None` if it always holds."""

    name: str
    broken: Callable[[Base, Clock, States], int | None]


@dataclass(frozen=True, kw_only=True)
class Event:
    """A violation that a scene hosts, with its controls.

    `begins` is the first frame in which the courses may differ; its time is drawn with the nuisances, and the outcome
    stays visible for at least a second. `ends` is the first frame in which nothing odd is visible any more (default:
    the clip's end). `breaks` is the one law that the violating course breaks, from that frame on.

    `claim` describes the violating course in one sentence, `control` the plausible one, `normal` what should happen, in
    a clause after "normally"; fields of the nuisances stand in braces. Claims of the events of a scene are alike in
    length and style, since they stand beside each other as options. `signs` are words (lower case, parts of words
    allowed), one of which any description of the anomaly contains; `expected` the same for the normal course.
    `explained` says what explains the event in the explained course ("a hand lifts it"); empty where there is none.
    `interaction` tells whether things interact in it (default: they do not).
    """

    sub_type: str
    play: Callable[[Base, Clock, Course], States]
    begins: Callable[[Base, Clock], int]
    breaks: Law
    actors: tuple[str, ...]
    claim: str
    control: str
    normal: str
    signs: tuple[str, ...]
    expected: tuple[str, ...]
    interaction: bool = False
    explained: str = ""
    ends: Callable[[Base, Clock], int] | None = None

    @property
    def courses(self) -> tuple[Course, ...]:
        """The courses that it is played in."""
        return ("violating", "plausible", "explained") if self.explained else ("violating", "plausible")

    @property
    def layer(self) -> Layer:
        """The layer of its sub-type."""
        return SUB_TYPES[self.sub_type].layer


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A place with things in it, and the events that it hosts: at least four, each of another sub-type.

    `setup` describes what is seen, in a sentence with fields of the nuisances in braces. `ground` paints what never
    changes, `paint` a state over it; both as pure functions. `keeps` are further laws that no course breaks. `entities`
    are the main things, each with the words that name it; `actions` words for what happens to them.
    """

    name: str
    title: str
    setup: str
    sample: Callable[[Nuisances], Base]
    ground: Callable[[Base, Brush], None]
    paint: Callable[[Base, Brush, State], None]
    events: tuple[Event, ...]
    entities: tuple[tuple[str, ...], ...]
    actions: tuple[str, ...]
    keeps: tuple[Law, ...] = ()

    def __post_init__(self) -> None:
        hosted = [event.sub_type for event in self.events]
        if len(set(hosted)) < max(4, len(hosted)):
            raise ValueError(f"scene {self.name}: at least four events are needed, each of another sub-type")

    @property
    def laws(self) -> tuple[Law, ...]:
        """All laws that are checked on each course, each once."""
        return tuple({law.name: law for law in (*self.keeps, *(event.breaks for event in self.events))}.values())

    def event(self, sub_type: str) -> Event:
        """The event of that sub-type; KeyError if the scene hosts none."""
        return {event.sub_type: event for event in self.events}[sub_type]


def phrases(text: str) -> tuple[str, ...]:
    """The phrases of a text, which have a comma between them: for lists that are too long for a line.

    >>> phrases("stays put, does not slide")
    ('stays put', 'does not slide')
    """
    return tuple(text.split(", "))


def values(base: Base) -> dict[str, Any]:
    """The nuisances of a unit by name."""
    return {field.name: getattr(base, field.name) for field in fields(base)}


def problem(scene: Scene, event: Event, base: Base, clock: Clock, courses: Mapping[Course, States]) -> str | None:
    """What is wrong with the state logs of an event, in one line; `None` if nothing is.

    The violating course breaks the stated law, from the frame at which the event begins or one of the next two, and no
    other law; the other courses break none. Before the event all courses are the same.
    """
    begin = event.begins(base, clock)
    if not 1 <= begin <= clock.frames - clock.rate:
        return f"the event begins at frame {begin}: its outcome is not visible for a second"
    for course, states in courses.items():
        if len(states) != clock.frames:
            return f"{course}: {len(states)} states for {clock.frames} frames"
        if list(states[:begin]) != list(courses["violating"][:begin]):
            return f"{course}: the courses differ before frame {begin}"
        for law in scene.laws:
            broken = law.broken(base, clock, states)
            if course == "violating" and law.name == event.breaks.name:
                if broken is None or not begin <= broken <= begin + 2:
                    return f"violating: '{law.name}' is broken from frame {broken}, the event begins at frame {begin}"
            elif broken is not None:
                return f"{course}: '{law.name}' is broken at frame {broken}"
    return None


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


def always_there(entity: str) -> Law:
    """The entity is in every frame; a hand that takes it away still holds it."""
    return each_frame(f"the {entity} persists", lambda _base, _clock, states, k: entity in states[k])


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
