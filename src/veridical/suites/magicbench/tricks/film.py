"""From a trick to pixels, and to what can be seen of it: masks, the critical window, and boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Gradient, Item, Patch, TextLine, Veil, rasterise
from veridical.media.draw import Scene as Canvas
from veridical.media.draw.scene import Colour, Shape
from veridical.media.figures.clock import Clock
from veridical.media.figures.render import FilmView, Pixels, course_frames, extent, frames, moving_items
from veridical.suites.magicbench.tricks.log import Interval, Log
from veridical.suites.magicbench.tricks.trick import Base, Moment, Trick, clock

Box = tuple[float, float, float, float]
LEAST = 12
"""How many pixels of a picture 360 px high make a thing seen."""
PER_SECOND = 4
"""How many boxes there are per second: the rate at which frames are shown to models."""
_WIDER = 0.08


@dataclass(frozen=True, eq=False)
class TrickFilm:
    """One clip of a trick, or of its honest control, and how large it is drawn."""

    trick: Trick
    base: Base
    honest: bool
    height: int = 360
    rate: int = 24

    @cached_property
    def log(self) -> Log:
        """The state log."""
        return self.trick.log(self.base, self.honest)

    @cached_property
    def clock(self) -> Clock:
        """The frames."""
        return clock(self.log, self.rate)

    @property
    def view(self) -> FilmView:
        """How the clip is filmed."""
        return FilmView("shaded", "still", self.height, paper=(24, 24, 26))

    @property
    def first(self) -> int:
        """The first frame in which trick and control may differ."""
        return self.clock.frame(self.log.secret[0])

    @cached_property
    def moment(self) -> Callable[[int], Moment]:
        """What a frame shows, by its number."""
        return cache(lambda frame: self.trick.moment(self.base, self.log, self.clock.time(frame)))

    @property
    def moments(self) -> list[Moment]:
        """What each frame shows."""
        return [self.moment(k) for k in range(self.clock.frames)]

    def items(self, moment: Moment) -> list[tuple[str, Item]]:
        """What is painted over the ground, with the entity that each item belongs to."""
        return moving_items(self.trick, self.base, moment, self.view)

    def painted_items(self, frame: int) -> list[Item]:
        """What is painted over the ground in a frame, in order."""
        return [item for _, item in self.items(self.moment(frame))]

    def frames(self, first: int = 0) -> Iterator[Pixels]:
        """The pictures from a frame on, shape (height, width, 3), one at a time."""
        return frames(self.trick, self.base, self.moments, self.clock, self.view, first)

    def beside(self, other: TrickFilm, first: int = 0) -> Iterator[tuple[Pixels, ...]]:
        """The pictures of this film and of its counterpart from a frame on, together for one frame at a time."""
        moments = [film.moments for film in (self, other)]
        return course_frames(self.trick, self.base, moments, self.clock, self.view, first)

    def picture(self, frame: int) -> Pixels:
        """One picture."""
        return next(self.frames(frame))

    def masks(self, frame: int, names: Sequence[str]) -> list[NDArray[np.bool_]]:
        """The pixels that show each of up to three entities in a frame; what hides them is taken off."""
        return self._masks(self.moment(frame), names)

    def _masks(self, moment: Moment, names: Sequence[str]) -> list[NDArray[np.bool_]]:
        flat: list[tuple[Shape, Colour, Box]] = []
        colors: dict[str, Colour] = {}
        for entity, item in self.items(moment):
            if entity not in colors:
                red, green, blue = (255 * belongs(entity, name) for name in (*names, "", "")[:3])
                colors[entity] = red, green, blue
            # What is painted before the first of them hides nothing of them.
            if (flat or any(colors[entity])) and not isinstance(item, Veil | Patch | Gradient):
                flat.append((item, colors[entity], _reach(item)))
        width, height = self.view.width, self.view.height
        if not flat:
            return [np.zeros((height, width), np.bool_) for _ in names]
        x0, y0, x1, y1 = zip(*(reach for _, color, reach in flat if any(color)), strict=True)
        around = min(x0), min(y0), max(x1), max(y1)
        # Nor does what is painted away from all of them.
        near = (replace(item, colour=color) for item, color, reach in flat if overlap(reach, around))
        shown = rasterise(Canvas(width, height, (0, 0, 0), tuple(near)))
        return [shown[..., channel] > 127 for channel in range(len(names))]

    def telling(self, step: int) -> Interval | None:
        """When the tell first and last shows `LEAST` pixels, of each `step`-th frame from the secret on; `None`: never.

        Every second of these frames is looked at, and those beside the first and the last that show it; all of them
        where that finds none.
        """
        frames = range(self.first, self.clock.frames, step)
        shows = cache(self._tells)
        found = [k for k in range(0, len(frames), 2) if shows(self.moment(frames[k]))]
        found = found or [k for k in range(1, len(frames), 2) if shows(self.moment(frames[k]))]
        if not found:
            return None
        first, last = found[0], found[-1]
        first -= first > 0 and shows(self.moment(frames[first - 1]))
        last += last + 1 < len(frames) and shows(self.moment(frames[last + 1]))
        return self.clock.time(frames[first]), self.clock.time(frames[last])

    def _tells(self, moment: Moment) -> bool:
        return bool(self._masks(moment, (self.log.tell,))[0].sum() >= LEAST * self.view.scale**2)


def _reach(item: Item) -> Box:
    """A box beyond which an item paints no pixel; how wide letters are is not measured."""
    more = item.size * len(item.text) if isinstance(item, TextLine) else 1.0
    x0, y0, x1, y1 = extent(item)
    return x0 - more, y0 - more, x1 + more, y1 + more


def belongs(entity: str, name: str) -> bool:
    """Whether an entity is the named one or a part of it.

    >>> belongs("coin/edge", "coin"), belongs("coin", "coin/edge")
    (True, False)
    """
    return bool(name) and (entity == name or entity.startswith(f"{name}/"))


class TimedBox(NamedTuple):
    """A box at a time: seconds, then x0, y0, x1, y1 in px, half-open."""

    time: float
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Visibility:
    """What can be seen of a clip's secret: the critical window in seconds, critical and placebo boxes in it."""

    window: Interval
    critical: tuple[TimedBox, ...]
    placebo: tuple[TimedBox, ...]
    tell: Interval | None
    """From when to when the tell shows `LEAST` pixels or more; `None` where it never does."""


def visibility(film: TrickFilm, step: int = 3) -> Visibility:
    """The window and the boxes of a film; every `step`-th frame is looked at.

    The window is the time of the secret together with the frames in which the tell shows `LEAST` pixels or more. There
    are `PER_SECOND` boxes per second in it: the critical one is around the acting hand and what shows of the tell, 8 %
    larger; the placebo is of the same size, where no tell is, on the decoy if it can be.
    """
    log, clock, size = film.log, film.clock, (film.view.width, film.view.height)
    names = (log.tell, log.agent, log.decoy)
    seen = film.telling(step)
    tell = None if seen is None else (seen[0], seen[1] + step / clock.rate)
    window = log.secret if tell is None else (min(log.secret[0], tell[0]), max(log.secret[1], tell[1]))
    critical, placebo = [], []
    for time in _box_times(window):
        shown = film.masks(min(clock.frame(time), clock.frames - 1), names)
        box = wider(_around(shown[0] | shown[1]), size)
        critical.append(TimedBox(time, *box))
        placebo.append(TimedBox(time, *_elsewhere(box, _around(shown[0]), _around(shown[2]), size)))
    return Visibility(window, tuple(critical), tuple(placebo), tell)


def _box_times(window: Interval) -> list[float]:
    first, last = -int(-window[0] * PER_SECOND // 1), int(window[1] * PER_SECOND)
    return [k / PER_SECOND for k in range(first, last + 1)]


def unpainted_visibility(film: TrickFilm) -> Visibility:
    """What stands for the visibility of a film that is not painted: the time of the secret, with boxes anywhere."""
    width, height = film.view.width, film.view.height
    boxes = tuple(TimedBox(time, 0.0, 0.0, width / 2, height / 2) for time in _box_times(film.log.secret))
    return Visibility(film.log.secret, boxes, boxes, None)


def first_difference(one: TrickFilm, other: TrickFilm) -> float | None:
    """When two films of a unit first differ in any pixel, in seconds; `None` if they never do.

    The secret begins earlier: a hand that is about to let go looks like one that is not.
    """
    later = range(one.first, one.clock.frames)
    # The same items have the same pixels: nothing is painted before they differ.
    start = next((k for k in later if one.painted_items(k) != other.painted_items(k)), one.clock.frames)
    for frame, (mine, theirs) in enumerate(one.beside(other, start), start):
        if mine is not theirs and (mine != theirs).any():
            return one.clock.time(frame)
    return None


def _around(mask: NDArray[np.bool_]) -> Box:
    """The box of a mask; empty, at the origin, where nothing is seen."""
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    if not len(rows):
        return 0.0, 0.0, 0.0, 0.0
    return float(columns[0]), float(rows[0]), float(columns[-1] + 1), float(rows[-1] + 1)


def wider(box: Box, size: tuple[int, int], share: float = _WIDER) -> Box:
    """The box, larger by a share in each direction, within a picture of that size (width, height) in px.

    >>> wider((100.0, 100.0, 200.0, 150.0), (640, 360))
    (96.0, 98.0, 204.0, 152.0)
    """
    x0, y0, x1, y1 = box
    dx, dy = share / 2 * (x1 - x0), share / 2 * (y1 - y0)
    inside = max(0.0, x0 - dx), max(0.0, y0 - dy), min(float(size[0]), x1 + dx), min(float(size[1]), y1 + dy)
    return tuple(round(each, 2) for each in inside)  # type: ignore[return-value]


def _elsewhere(box: Box, tell: Box, decoy: Box, size: tuple[int, int]) -> Box:
    """A box of the same size on the decoy, or where it overlaps least with the critical box; never on the tell."""
    wide, high = box[2] - box[0], box[3] - box[1]
    right, low = size[0] - wide, size[1] - high
    middle = (decoy[0] + decoy[2] - wide) / 2, (decoy[1] + decoy[3] - high) / 2
    corners = [(size[0] - box[2], box[1]), *((x, y) for y in (box[1], 0.0, low) for x in (0.0, right))]
    places = [middle, *corners] if decoy[2] > decoy[0] else corners
    boxes = []
    for x, y in places:
        x0, y0 = min(max(0.0, x), right), min(max(0.0, y), low)
        boxes.append((x0, y0, x0 + wide, y0 + high))
    clear = [each for each in boxes if not overlap(each, tell)] or boxes
    x0, y0, x1, y1 = min(clear, key=lambda each: overlap(each, box) > 0.25 * wide * high)
    if overlap((x0, y0, x1, y1), box) > 0.25 * wide * high:
        x0, y0, x1, y1 = min(clear, key=lambda each: overlap(each, box))
    return round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2)


def overlap(one: Box, two: Box) -> float:
    """The area that two boxes share, in px².

    >>> overlap((0, 0, 4, 4), (2, 2, 6, 6))
    4
    """
    wide, high = min(one[2], two[2]) - max(one[0], two[0]), min(one[3], two[3]) - max(one[1], two[1])
    return max(0, wide) * max(0, high)
