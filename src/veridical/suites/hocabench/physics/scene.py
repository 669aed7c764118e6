"""What a scene is: one record that plays state logs and says how they are seen, the events that it hosts, and laws.

A scene hosts several events, each a violation of another sub-type, so that a scene does not name the category. Each
event is played in two or three courses that are the same until it begins: "violating", "plausible" (a control with an
event that strikes the eye as much), and "explained" (the odd event has a cause that can be seen).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from veridical.media.figures.brush import Brush
from veridical.media.figures.clock import Clock
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.law import Law
from veridical.suites.hocabench.physics.play import Begins, Play
from veridical.suites.hocabench.physics.state import Base, Course, State, States
from veridical.suites.hocabench.taxonomy import SUB_TYPES, Layer

_SIGNS = {
    "permanence": ("vanish", "disappear", "gone", "no longer there", "missing"),
    "mutation": ("color", "colour", "turns", "changes to", "becomes"),
}
"""By which words an anomaly of a sub-type is usually described."""


@dataclass(frozen=True, kw_only=True)
class Event:
    """A violation that a scene hosts, with its controls.

    `play` has the state log of each course, and the first frame in which they may differ; its time is drawn with the
    nuisances, and the outcome stays visible for at least a second. `ends` is the first frame in which nothing odd is
    visible any more (default: the clip's end). `breaks` is the one law that the violating course breaks, from that
    frame on.

    `claim` describes the violating course in one sentence, `control` the plausible one (default: that of the scene),
    `normal` what should happen, in a clause after "normally"; fields of the nuisances stand in braces. Claims of the
    events of a scene are alike in length and style, since they stand beside each other as options. `signs` are words
    (lower case, parts of words allowed), one of which any description of the anomaly contains (default: the usual ones
    of the sub-type); `expected` the same for the normal course. `explained` says what explains the event in the
    explained course ("a hand lifts it"); empty where there is none. `interaction` tells whether things interact in it
    (default: whether several act).
    """

    sub_type: str
    play: Play
    breaks: Law
    actors: tuple[str, ...]
    claim: str
    normal: str
    expected: tuple[str, ...]
    control: str = ""
    signs: tuple[str, ...] = ()
    interaction: bool | None = None
    explained: str = ""
    ends: Begins | None = None

    @property
    def begins(self) -> Begins:
        """Gives the first frame in which the courses may differ."""
        return self.play.begins

    @property
    def courses(self) -> tuple[Course, ...]:
        """The courses that it is played in."""
        return ("violating", "plausible", "explained") if self.explained else ("violating", "plausible")

    @property
    def layer(self) -> Layer:
        """The layer of its sub-type."""
        return SUB_TYPES[self.sub_type].layer


@dataclass(frozen=True, kw_only=True)
class EventScene:
    """A place with things in it, and the events that it hosts: at least four, each of another sub-type.

    `setup` describes what is seen, in a sentence with fields of the nuisances in braces. `keeps` are further laws that
    no course breaks. `entities` are the main things, each with the words that name it; `actions` words for what happens
    to them. `control` is that of the events which state none.
    """

    name: str
    title: str
    setup: str
    sample: Callable[[Nuisances], Base]
    events: tuple[Event, ...]
    entities: tuple[tuple[str, ...], ...]
    actions: tuple[str, ...]
    keeps: tuple[Law, ...] = ()
    control: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "events", tuple(map(self._complete, self.events)))
        hosted = [event.sub_type for event in self.events]
        if len(set(hosted)) < max(4, len(hosted)):
            raise ValueError(f"scene {self.name}: at least four events are needed, each of another sub-type")

    def _complete(self, event: Event) -> Event:
        """The event with what it does not state itself."""
        interaction = len(event.actors) > 1 if event.interaction is None else event.interaction
        signs = event.signs or _SIGNS[event.sub_type]
        return replace(event, control=event.control or self.control, signs=signs, interaction=interaction)

    @property
    def laws(self) -> tuple[Law, ...]:
        """All laws that are checked on each course, each once."""
        return tuple({law.name: law for law in (*self.keeps, *(event.breaks for event in self.events))}.values())

    def event(self, sub_type: str) -> Event:
        """The event of that sub-type; KeyError if the scene hosts none."""
        return {event.sub_type: event for event in self.events}[sub_type]


@dataclass(frozen=True, kw_only=True)
class PhysicsScene(EventScene):
    """A scene that is drawn: `ground` paints what never changes, `paint` a state over it; both as pure functions."""

    ground: Callable[[Base, Brush], None]
    paint: Callable[[Base, Brush, State], None]


def phrases(text: str) -> tuple[str, ...]:
    """The phrases of a text, which have a comma between them: for lists that are too long for a line.

    >>> phrases("stays put, does not slide")
    ('stays put', 'does not slide')
    """
    return tuple(text.split(", "))


def values(base: Base) -> dict[str, Any]:
    """The nuisances of a unit by name."""
    return {field.name: getattr(base, field.name) for field in fields(base)}


def problem(scene: EventScene, event: Event, base: Base, clock: Clock, courses: Mapping[Course, States]) -> str | None:
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
