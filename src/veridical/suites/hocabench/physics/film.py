"""What a clip shows: one scene, several in panels side by side, or several one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Literal

import numpy as np

from veridical.media.figures.brush import WIDTH
from veridical.media.figures.clock import Clock
from veridical.media.figures.render import FilmView, Pixels, boxes, course_frames, frames
from veridical.records import Json
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene, values
from veridical.suites.hocabench.physics.scenes import SCENES
from veridical.suites.hocabench.physics.state import Base, Course, States

Layout = Literal["single", "panels", "sequence"]
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiou])")
_FRAME = 4
_FRAME_COLOR = 40


@dataclass(frozen=True, eq=False)
class Shot:
    """A scene in one course, and how it is filmed."""

    scene: PhysicsScene
    event: Event
    base: Base
    course: Course
    view: FilmView

    def states(self, clock: Clock) -> States:
        """The state log of the course."""
        return self.event.play(self.base, clock, self.course)

    def interval(self, clock: Clock) -> tuple[float, float] | None:
        """From when to when the anomaly is visible, in seconds of the part; `None` in a course that has none."""
        if self.course != "violating":
            return None
        ends = clock.frames if self.event.ends is None else self.event.ends(self.base, clock)
        return clock.time(self.event.begins(self.base, clock)), clock.time(ends)

    def text(self, template: str) -> str:
        """A text of the scene or its event, with this unit's values and the articles that they need."""
        return _ARTICLE.sub(r"\1n ", template.format_map(values(self.base)))

    def made(self) -> dict[str, Json]:
        """Everything that the part is made of, as JSON; the inverse of `shot_of`."""
        own = {"scene": self.scene.name, "sub_type": self.event.sub_type, "course": self.course}
        return {**own, "style": self.view.style, "camera": self.view.camera, "values": values(self.base)}


def shot_of(made: Mapping[str, Json], height: int) -> Shot:
    """The part that `Shot.made` describes; KeyError for a scene or an event that this version does not have."""
    scene = SCENES[made["scene"]]
    kind = type(scene.sample(Nuisances(scene.name, WIDTH, 0, 0)))
    view = FilmView(made["style"], made["camera"], height)
    return Shot(scene, scene.event(made["sub_type"]), kind(**made["values"]), made["course"], view)


@dataclass(frozen=True, eq=False)
class Film:
    """The parts of a clip and their layout; `clock` is that of each part.

    Panels are four, in reading order; a sequence shows its parts one after the other.
    """

    layout: Layout
    parts: tuple[Shot, ...]
    clock: Clock

    @property
    def count(self) -> int:
        """The number of frames of the clip."""
        return self.clock.frames * (len(self.parts) if self.layout == "sequence" else 1)

    @cached_property
    def states(self) -> tuple[States, ...]:
        """The state log of each part."""
        return tuple(part.states(self.clock) for part in self.parts)

    def frames(self, first: int = 0) -> Iterator[Pixels]:
        """The pictures from frame `first` on, shape (height, width, 3), one at a time; a sequence begins at 0."""
        every = [
            frames(part.scene, part.base, states, self.clock, part.view, first)
            for part, states in zip(self.parts, self.states, strict=True)
        ]
        if self.layout == "panels":
            return (_tiled(shots) for shots in zip(*every, strict=True))
        return chain.from_iterable(every)

    def beside(self, others: Sequence[Film]) -> Iterator[tuple[Pixels, ...]]:
        """The pictures of a single scene's film and of others of its courses, together for one frame at a time."""
        (part,) = self.parts
        states = [film.states[0] for film in (self, *others)]
        return course_frames(part.scene, part.base, states, self.clock, part.view)

    def intervals(self) -> list[list[float]]:
        """The anomalous intervals in seconds of the clip, in order."""
        shift = self.clock.time(self.clock.frames) if self.layout == "sequence" else 0.0
        spans = [(k, part.interval(self.clock)) for k, part in enumerate(self.parts)]
        return [[round(k * shift + at, 4) for at in span] for k, span in spans if span is not None]

    def boxes(self) -> dict[str, Json]:
        """The boxes of the actors of a single scene's event, as `render.boxes` has them."""
        (part,) = self.parts
        (states,) = self.states
        return dict(boxes(part.scene, part.base, states, self.clock, part.view, part.event.actors))

    def made(self) -> dict[str, Json]:
        """Everything that the clip is made of, as JSON; the inverse of `film_of`."""
        clock = {"rate": self.clock.rate, "frames": self.clock.frames}
        return {
            "layout": self.layout,
            **clock,
            "height": self.parts[0].view.height,
            "parts": [part.made() for part in self.parts],
        }


def film_of(made: Mapping[str, Json]) -> Film:
    """The film that `Film.made` describes."""
    parts = tuple(shot_of(each, made["height"]) for each in made["parts"])
    return Film(made["layout"], parts, Clock(made["rate"], made["frames"]))


def _tiled(shots: tuple[Pixels, ...]) -> Pixels:
    """Four pictures in two rows, with a dark frame between them."""
    tiled = np.concatenate([np.concatenate(shots[:2], 1), np.concatenate(shots[2:], 1)])
    height, width, _ = tiled.shape
    tiled[height // 2 - _FRAME : height // 2 + _FRAME] = _FRAME_COLOR
    tiled[:, width // 2 - _FRAME : width // 2 + _FRAME] = _FRAME_COLOR
    return tiled
