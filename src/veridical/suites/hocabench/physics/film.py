"""What a clip shows: one scene, several in panels side by side, or several one after the other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Literal, cast

import numpy as np

from veridical.media.figures.brush import WIDTH
from veridical.media.figures.clock import Clock
from veridical.media.figures.render import FilmView, Pixels, boxes, course_frames
from veridical.media.figures.style import Camera, Style
from veridical.records import Json
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.rendering.pictures import rendered_frames, sightings
from veridical.suites.hocabench.physics.rendering.scene import RenderedScene
from veridical.suites.hocabench.physics.rendering.view import RENDERED, RenderedView
from veridical.suites.hocabench.physics.scene import Event, EventScene, PhysicsScene, values
from veridical.suites.hocabench.physics.scene_index import EVERY_SCENE
from veridical.suites.hocabench.physics.state import Base, Course, States

View = FilmView | RenderedView
Layout = Literal["single", "panels", "sequence"]
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiou])")
_FRAME = 4
_FRAME_COLOR = 40


@dataclass(frozen=True, eq=False)
class Shot:
    """A scene in one course, and how it is filmed."""

    scene: EventScene
    event: Event
    base: Base
    course: Course
    view: View

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
        view: dict[str, Json] = {"style": self.view.style, "camera": self.view.camera}
        if isinstance(self.view, RenderedView):
            view |= {"renderer": self.view.renderer, "passes": self.view.passes}
        return {**own, **view, "values": values(self.base)}

    def pictures(
        self, courses: Sequence[States], clock: Clock, numbers: Collection[int]
    ) -> Iterator[tuple[Pixels, ...]]:
        """The pictures of courses of the scene in these frames, in order, together for one frame at a time."""
        scene, view = self.scene, self.view
        if isinstance(scene, RenderedScene) and isinstance(view, RenderedView):
            return rendered_frames(scene.stage(self.base), courses, clock, view, numbers)
        assert isinstance(scene, PhysicsScene)
        assert isinstance(view, FilmView)
        first = min(numbers, default=0)
        every = enumerate(course_frames(scene, self.base, courses, clock, view, first), first)
        return (pictures for number, pictures in every if number in numbers)

    def places(self, states: States, clock: Clock) -> dict[str, Json]:
        """Where the actors of the event are seen: their boxes, as `render.boxes` has them; more of rendered clips."""
        scene, view, actors = self.scene, self.view, self.event.actors
        if isinstance(scene, RenderedScene) and isinstance(view, RenderedView):
            return sightings(scene.stage(self.base), states, clock, view, actors)
        assert isinstance(scene, PhysicsScene)
        assert isinstance(view, FilmView)
        return {"boxes": dict(boxes(scene, self.base, states, clock, view, actors))}


def view_in(style: str, camera: Camera, height: int, **engine: Any) -> View:  # noqa: ANN401
    """How a scene is filmed in a style; what `engine` states is of rendered clips alone."""
    if style == RENDERED:
        return RenderedView(camera, height, **engine)
    return FilmView(cast(Style, style), camera, height)


def shot_of(made: Mapping[str, Json], height: int) -> Shot:
    """The part that `Shot.made` describes; KeyError for a scene or an event that this version does not have."""
    scene = EVERY_SCENE[made["scene"]]
    kind = type(scene.sample(Nuisances(scene.name, WIDTH, 0, 0)))
    engine = {name: made[name] for name in ("renderer", "passes") if name in made}
    view = view_in(made["style"], made["camera"], height, **engine)
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

    def frames(self) -> Iterator[Pixels]:
        """The pictures, shape (height, width, 3), one at a time."""
        every = [
            (shots[0] for shots in part.pictures([states], self.clock, range(self.clock.frames)))
            for part, states in zip(self.parts, self.states, strict=True)
        ]
        if self.layout == "panels":
            return (_tiled(shots) for shots in zip(*every, strict=True))
        return chain.from_iterable(every)

    def pictures(self, numbers: Collection[int]) -> dict[int, Pixels]:
        """The pictures of some frames, by their number."""
        if self.layout != "single":
            return {number: pixels for number, pixels in enumerate(self.frames()) if number in numbers}
        ((part,), (states,)), ordered = (self.parts, self.states), sorted(numbers)
        shots = part.pictures([states], self.clock, ordered)
        return {number: pixels for number, (pixels,) in zip(ordered, shots, strict=True)}

    def beside(self, others: Sequence[Film]) -> Iterator[tuple[Pixels, ...]]:
        """The pictures of a single scene's film and of others of its courses, together for one frame at a time."""
        (part,) = self.parts
        states = [film.states[0] for film in (self, *others)]
        return part.pictures(states, self.clock, range(self.clock.frames))

    def intervals(self) -> list[list[float]]:
        """The anomalous intervals in seconds of the clip, in order."""
        shift = self.clock.time(self.clock.frames) if self.layout == "sequence" else 0.0
        spans = [(k, part.interval(self.clock)) for k, part in enumerate(self.parts)]
        return [[round(k * shift + at, 4) for at in span] for k, span in spans if span is not None]

    def places(self) -> dict[str, Json]:
        """Where the actors of a single scene's event are seen."""
        (part,) = self.parts
        (states,) = self.states
        return part.places(states, self.clock)

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


class FirstDifference:
    """The number of the first frame in which pictures that come together differ; `None` while all are equal."""

    def __init__(self) -> None:
        self.frame: int | None = None

    def among(self, pictures: Iterator[tuple[Pixels, ...]]) -> Iterator[tuple[Pixels, ...]]:
        """The same pictures, looked at as they pass."""
        for number, shots in enumerate(pictures):
            if self.frame is None and any(shot is not shots[0] and (shot != shots[0]).any() for shot in shots[1:]):
                self.frame = number
            yield shots
