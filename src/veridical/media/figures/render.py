"""From states to pixels, boxes and masks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Animation, Curve, Disc, Item, Line, PaintedBase, Polygon, Ring, TextLine, Veil
from veridical.media.draw import Scene as Canvas
from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import HEIGHT, WIDTH, Brush
from veridical.media.figures.clock import Clock
from veridical.media.figures.style import Camera, Style
from veridical.records import Json

Pixels = NDArray[np.uint8]
Base = Any
"""What a picture's nuisances are: each kind of drawing has a record of its own."""
State = Any
"""One moment, as the drawing's own `paint` takes it; moments that look alike are equal."""
States = Sequence[State]
MARGIN = 14.0
"""How far a drifting camera moves at most, in units of the scene; grounds are painted this far beyond the frame."""


class SceneDrawing(Protocol):
    """What is drawn: `ground` paints what never changes, `paint` a state over it; both as pure functions."""

    @property
    def ground(self) -> Callable[[Base, Brush], None]: ...

    @property
    def paint(self) -> Callable[[Base, Brush, State], None]: ...


@dataclass(frozen=True, slots=True)
class FilmView:
    """How a scene is filmed: the style of drawing, the camera, and the height in px."""

    style: Style
    camera: Camera
    height: int
    paper: Colour = (236, 238, 240)
    """The color of what nothing is painted on."""

    @property
    def scale(self) -> float:
        """Pixels per unit of the scene."""
        return self.height / HEIGHT

    @property
    def width(self) -> int:
        """The width in px: even, 16:9."""
        return 2 * round(self.height * WIDTH / HEIGHT / 2)

    @property
    def reach(self) -> int:
        """How far the camera moves at most to each side, in px."""
        return 0 if self.camera == "still" else math.ceil(MARGIN / 2 * self.scale)

    def steps(self, clock: Clock, frame: int) -> tuple[int, int]:
        """By how many px the picture is moved in a frame, to the right and down."""
        if self.camera == "still":
            return 0, 0
        phase = 2 * math.pi * (frame / clock.frames)
        across, down = MARGIN * (math.sin(0.5 * phase) - 0.5), 0.35 * MARGIN * math.sin(phase)
        return round(across * self.scale), round(down * self.scale)

    def shift(self, clock: Clock, frame: int) -> Point:
        """By how much the picture is moved in a frame, in units of the scene; whole px."""
        across, down = self.steps(clock, frame)
        return across / self.scale, down / self.scale


def frames(
    scene: SceneDrawing, base: Base, states: States, clock: Clock, view: FilmView, first: int = 0
) -> Iterator[Pixels]:
    """The pictures of the states from frame `first` on, shape (height, width, 3), one at a time."""
    return (picture for (picture,) in course_frames(scene, base, [states], clock, view, first))


def course_frames(
    scene: SceneDrawing, base: Base, courses: Sequence[States], clock: Clock, view: FilmView, first: int = 0
) -> Iterator[tuple[Pixels, ...]]:
    """The pictures of each of several courses, together for one frame after the other; equal states share a picture.

    A picture is painted where it differs from one of the first course, and that where it differs from the one before. A
    camera that drifts is a window that moves over a larger picture.
    """
    reach = view.reach
    around = reach / view.scale, reach / view.scale
    ground = tuple(item for _, item in _ground(scene, base, view, around))
    size = view.width + 2 * reach, view.height + 2 * reach
    animation = Animation(PaintedBase.of(Canvas(*size, view.paper, ground)))
    last: list[tuple[tuple[State, tuple[int, int]], Pixels]] = []
    for frame in range(first, len(courses[0])):
        across, down = steps = view.steps(clock, frame)
        window = np.s_[reach - down : reach - down + view.height, reach - across : reach - across + view.width]
        now: list[tuple[tuple[State, tuple[int, int]], Pixels]] = []
        for place, states in enumerate(courses):
            key = states[frame], steps
            known = next((picture for own, picture in (*now, *last[place : place + 1]) if own == key), None)
            if known is None or (place == 0 and not last):
                items = [item for _, item in moving_items(scene, base, key[0], view, around)]
                whole = animation.variant(items) if place else animation.picture(items)
                known = np.ascontiguousarray(whole[window])
            now.append((key, known))
        last = now
        yield tuple(picture for _, picture in now)


def boxes(
    scene: SceneDrawing,
    base: Base,
    states: States,
    clock: Clock,
    view: FilmView,
    entities: Sequence[str],
    per_second: int = 4,
) -> dict[str, list[list[Json]]]:
    """For each entity, rows (seconds, x0, y0, x1, y1) in px, `per_second` of them; none where it is gone."""
    rows: dict[str, list[list[Json]]] = {entity: [] for entity in entities}
    grounds: dict[Point, list[tuple[str, Item]]] = {}
    for frame in range(0, len(states), max(1, clock.rate // per_second)):
        shift = view.shift(clock, frame)
        if shift not in grounds:
            grounds[shift] = _ground(scene, base, view, shift)
        items = grounds[shift] + moving_items(scene, base, states[frame], view, shift)
        for entity in entities:
            spans = [extent(item) for name, item in items if name == entity and not isinstance(item, Veil)]
            if spans:
                x0, y0 = max(0.0, min(s[0] for s in spans)), max(0.0, min(s[1] for s in spans))
                x1 = min(float(view.width), max(s[2] for s in spans))
                y1 = min(float(view.height), max(s[3] for s in spans))
                if x1 > x0 and y1 > y0:
                    rows[entity].append([round(each, 2) for each in (clock.time(frame), x0, y0, x1, y1)])
    return rows


def _ground(scene: SceneDrawing, base: Base, view: FilmView, shift: Point) -> list[tuple[str, Item]]:
    brush = Brush(view.style, view.scale, shift)
    scene.ground(base, brush)
    return brush.items


def moving_items(
    scene: SceneDrawing, base: Base, state: State, view: FilmView, shift: Point = (0.0, 0.0)
) -> list[tuple[str, Item]]:
    """What is painted over the ground, with the entity that each item belongs to."""
    brush = Brush(view.style, view.scale, shift)
    scene.paint(base, brush, state)
    return brush.items


def extent(item: Item) -> tuple[float, float, float, float]:
    """The box of an item: x0, y0, x1, y1; a rough one of a text."""
    if isinstance(item, Disc | Ring):
        reach = item.radius + (item.width / 2 if isinstance(item, Ring) else 0)
        return item.centre[0] - reach, item.centre[1] - reach, item.centre[0] + reach, item.centre[1] + reach
    if isinstance(item, TextLine):
        half = 0.3 * item.size * len(item.text), 0.5 * item.size
        return item.centre[0] - half[0], item.centre[1] - half[1], item.centre[0] + half[0], item.centre[1] + half[1]
    points: Sequence[Point]
    if isinstance(item, Line):
        points, around = (item.start, item.end), item.width / 2
    elif isinstance(item, Curve | Polygon | Veil):
        points, around = item.points, item.width / 2 if isinstance(item, Curve) else 0.0
    else:
        raise TypeError(f"a scene paints no {type(item).__name__}")
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) - around, min(ys) - around, max(xs) + around, max(ys) + around
