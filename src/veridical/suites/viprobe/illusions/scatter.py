"""Strewing elements about targets: turned and moved, none over another, none nearer to a target than it may be."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Curve, Disc, Item, Line, Polygon, Ring
from veridical.media.draw.scene import Point

T = TypeVar("T")
Rng = np.random.Generator

_TRIES = 40
_STEPS = 12


class Body(NamedTuple):
    """What an item covers: all that lies within `radius` of a chain of points; a polygon's chain is its outline."""

    points: tuple[Point, ...]
    radius: float


def body(item: Item) -> Body:
    """What an item covers, a ring with all that is inside it; raises TypeError for items that cannot be strewn.

    >>> body(Disc((3.0, 4.0), 2.0, (0, 0, 0)))
    Body(points=((3.0, 4.0),), radius=2.0)
    """
    if isinstance(item, Line):
        return Body((item.start, item.end), item.width / 2)
    if isinstance(item, Curve):
        return Body((*item.points[:-1:4], item.points[-1]), item.width / 2)
    if isinstance(item, Disc):
        return Body((item.centre,), item.radius)
    if isinstance(item, Ring):
        return Body((item.centre,), item.radius + item.width / 2)
    if isinstance(item, Polygon):
        return Body((*item.points, item.points[0]), 0.0)
    raise TypeError(f"{type(item).__name__}: only lines, curves, discs, rings and polygons are strewn")


def transform(item: T, turn: float, to: Point) -> T:
    """An item drawn about the origin, turned by so many degrees and moved to a place.

    >>> transform(Line((0.0, -5.0), (0.0, 5.0), 1.0, (0, 0, 0)), 90.0, (10.0, 10.0)).start
    (15.0, 10.0)
    """
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return map_points(
        item, lambda point: (to[0] + point[0] * cos - point[1] * sin, to[1] + point[0] * sin + point[1] * cos)
    )


def map_points(item: T, at: Callable[[Point], Point]) -> T:
    """An item with each of its points elsewhere; raises TypeError for items that cannot be strewn."""
    changed: Item
    if isinstance(item, Line):
        changed = Line(at(item.start), at(item.end), item.width, item.colour)
    elif isinstance(item, Curve):
        changed = Curve(tuple(map(at, item.points)), item.width, item.colour)
    elif isinstance(item, Disc):
        changed = Disc(at(item.centre), item.radius, item.colour)
    elif isinstance(item, Ring):
        changed = Ring(at(item.centre), item.radius, item.width, item.colour)
    elif isinstance(item, Polygon):
        changed = Polygon(tuple(map(at, item.points)), item.colour)
    else:
        raise TypeError(f"{type(item).__name__}: only lines, curves, discs, rings and polygons are strewn")
    return changed  # type: ignore[return-value]  # of the same kind


def gap(one: Body, other: Body) -> float:
    """The distance between two bodies, below 0 where they overlap.

    >>> gap(Body(((0.0, 0.0),), 1.0), Body(((5.0, -3.0), (5.0, 3.0)), 0.5))
    3.5
    """
    return _gap(_round(one), _round(other))


def nearest_distance(items: Iterable[Item], target: Item) -> float:
    """The distance from a target to the nearest of the items."""
    return min(gap(body(item), body(target)) for item in items)


def shuffle(rng: Rng, items: Iterable[T]) -> list[T]:
    """The items in random order."""
    drawn = list(items)
    return [drawn[index] for index in rng.permutation(len(drawn))]


def turns(rng: Rng, count: int, full: float = 180.0) -> list[float]:
    """So many directions, evenly spread over `full` degrees from a random one on, in random order."""
    start = rng.random()
    return shuffle(rng, ((start + k) * full / count for k in range(count)))


def random_halves(rng: Rng, items: Sequence[T]) -> tuple[list[T], list[T]]:
    """The items in two halves at random; of an odd number, either half has one more."""
    order = shuffle(rng, items)
    middle = len(order) // 2 + (len(order) % 2 and int(rng.integers(2)))
    return order[:middle], order[middle:]


def pieces(line: Line, count: int, less: float = 0.0) -> list[Line]:
    """A line, shorter by `less`, broken into equal pieces, one at least, each level and about the origin.

    >>> pieces(Line((0.0, 0.0), (0.0, 6.0), 1.0, (0, 0, 0)), 2)[0].end
    (1.5, 0.0)
    """
    count = max(count, 1)
    half = (math.dist(line.start, line.end) - less) / count / 2
    return [Line((-half, 0.0), (half, 0.0), line.width, line.colour)] * count


Ray = Callable[[int], tuple[Point, float]]
"""Draws, for the place of an element in the order, a point of a target and a direction in degrees away from it."""


class ScatterField:
    """A canvas on which elements are strewn one after the other, `apart` px from each other and from the edge.

    `keep` holds targets, with how far elements stay off each.
    """

    def __init__(
        self, rng: Rng, size: tuple[float, float], keep: Iterable[tuple[Item, float]] = (), *, apart: float
    ) -> None:
        self.rng, self.apart = rng, apart
        self.width, self.height = size
        self.items: list[Item] = []
        self._keep = [(_round(body(item)), clear) for item, clear in keep]
        self._placed: list[_Round] = []

    def put(self, candidates: Iterable[Item]) -> None:
        """Adds the first candidate that has room, or the one that has most."""
        tried: list[tuple[Item, _Round]] = []
        for item in candidates:
            tried.append((item, _round(body(item))))
            if self._fits(tried[-1][1]):
                break
        else:
            tried = [max(tried, key=lambda candidate: self._room(candidate[1]))] if tried else []
        if tried:
            item, own = tried[-1]
            self.items.append(item)
            self._placed.append(own)

    def strew(self, elements: Iterable[Item], turned: Sequence[float], spot: Callable[[int], Point]) -> None:
        """Strews elements, each with its turn, over spots that are drawn for its place in the order."""
        for place, element in enumerate(elements):
            self.put(transform(element, turned[place], spot(place)) for _ in range(_TRIES))

    def strew_around(
        self,
        target: Item,
        elements: Sequence[Item],
        near: float,
        far: float,
        ray: Ray,
        turned: Sequence[float] | None = None,
    ) -> None:
        """Strews elements around a target: the first `near` px from it, the others up to `far` px.

        They are turned evenly into all directions, unless `turned` has a turn for each. Those that find no place go
        farther out.
        """
        spread = turns(self.rng, len(elements), 360.0) if turned is None else turned
        for place, (element, turn) in enumerate(zip(elements, spread, strict=True)):
            self.put(self._docked(transform(element, turn, (0.0, 0.0)), body(target), place, (near, far), ray))

    def deal(self, targets: Sequence[tuple[Item, Point]], elements: Sequence[Item], near: float, far: float) -> None:
        """Strews half of the elements, and of each kind among them, around either target, given with its middle.

        Elements of one kind follow each other.
        """
        halves = [random_halves(self.rng, list(kind)) for _, kind in groupby(elements)]
        for (target, middle), own in zip(targets, zip(*halves, strict=True), strict=True):
            mixed = [element for kind in own for element in kind]
            towards = turns(self.rng, len(mixed), 360.0)

            def ray(place: int, middle: Point = middle, towards: list[float] = towards) -> tuple[Point, float]:
                return middle, towards[place] + self.rng.uniform(-90, 90)

            self.strew_around(target, mixed, near, far, ray)

    def _docked(self, element: Item, target: Body, place: int, reach: tuple[float, float], ray: Ray) -> Iterator[Item]:
        """The element about the target, as often as it may be tried: the first at the least distance."""
        near, far = reach
        for attempt in range(2 * _TRIES):
            distance = near if not place and attempt < _TRIES else self.rng.uniform(near, far)
            distance += max(attempt - _TRIES, 0) / _TRIES * (far - near)
            start, direction = ray(place)
            yield _moved_out(element, target, start, direction, distance)

    def _fits(self, own: _Round) -> bool:
        """Whether an item has room: what `_room` says by its sign, without all the distances."""
        return (
            self._inside(own) >= 0
            and not any(_closer(own, kept, clear) for kept, clear in self._keep)
            and not any(_closer(own, other, self.apart) for other in self._placed)
        )

    def _room(self, own: _Round) -> float:
        """The least that an item has to spare; what is off the canvas or too near a target has none by far."""
        inside = self._inside(own)
        if inside < 0:
            return inside - 2 * self.width
        clear = min((_apart(own, kept, clear) - clear for kept, clear in self._keep), default=0.0)
        if clear < 0:
            return clear - self.width
        return min((_apart(own, other, self.apart) for other in self._placed), default=math.inf) - self.apart

    def _inside(self, own: _Round) -> float:
        """How far an item stays off the edge of the canvas, beyond the distance that it must keep."""
        points, radius = own.body
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return min(min(xs), self.width - max(xs), min(ys), self.height - max(ys)) - radius - self.apart


Segment = tuple[float, float, float, float, float, float, float]
"""Both ends, x and y of each, how far it goes in x and in y, and the square of its length."""


class _Round(NamedTuple):
    """A body in a circle that holds it, and the segments of its chain."""

    body: Body
    x: float
    y: float
    reach: float
    segments: tuple[Segment, ...]


def _round(of: Body) -> _Round:
    xs, ys = [x for x, _ in of.points], [y for _, y in of.points]
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    reach = max([math.hypot(px - x, py - y) for px, py in of.points]) + of.radius
    return _Round(of, x, y, reach, _segments(of.points))


def _segments(points: tuple[Point, ...]) -> tuple[Segment, ...]:
    """The segments of a chain; of a single point, one without length."""
    return tuple(
        [
            (x, y, x1, y1, x1 - x, y1 - y, (x1 - x) * (x1 - x) + (y1 - y) * (y1 - y))
            for (x, y), (x1, y1) in zip(points, points[1:] or points, strict=False)
        ]
    )


def _apart(one: _Round, other: _Round, enough: float) -> float:
    """The distance between two bodies; from `enough` on it may be told too small."""
    rough = math.hypot(one.x - other.x, one.y - other.y) - one.reach - other.reach
    return rough if rough >= enough else _gap(one, other)


def _gap(one: _Round, other: _Round) -> float:
    return -(one.body.radius + other.body.radius) if _cross(one, other) else _off(one, other)


def _closer(one: _Round, other: _Round, limit: float) -> bool:
    """Whether two bodies are closer to each other than a limit; the first points that are decide."""
    if math.hypot(one.x - other.x, one.y - other.y) - one.reach - other.reach >= limit:
        return False
    radii = one.body.radius + other.body.radius
    return _off(one, other, limit) < limit or (-radii < limit and _cross(one, other))


def _off(one: _Round, other: _Round, limit: float = -math.inf) -> float:
    """The least distance of a point of either chain from a segment of the other, less the radii; or one below `limit`.

    It takes most of the time of strewing.
    """
    least, radii, hypot = math.inf, one.body.radius + other.body.radius, math.hypot
    for points, segments in ((one.body.points, other.segments), (other.body.points, one.segments)):
        for px, py in points:
            for x, y, _, _, dx, dy, square in segments:
                part = ((px - x) * dx + (py - y) * dy) / square if square else 0.0
                part = 0.0 if part < 0.0 else 1.0 if part > 1.0 else part
                off = hypot(x + part * dx - px, y + part * dy - py) - radii
                if off < least:
                    if off < limit:
                        return off
                    least = off
    return least


def _cross(one: _Round, other: _Round) -> bool:
    """Whether a segment of one chain crosses one of the other."""
    for ax, ay, bx, by, dx, dy, _ in one.segments:
        for cx, cy, ex, ey, gx, gy, _ in other.segments:
            # The ends of either lie on both sides of the other.
            if (dx * (cy - ay) - dy * (cx - ax)) * (dx * (ey - ay) - dy * (ex - ax)) < 0 and (
                gx * (ay - cy) - gy * (ax - cx)
            ) * (gx * (by - cy) - gy * (bx - cx)) < 0:
                return True
    return False


def _moved_out(element: Item, target: Body, start: Point, direction: float, distance: float) -> Item:
    """The element, moved from a point of the target so far out that it is at the distance from it."""
    dx, dy = math.cos(math.radians(direction)), math.sin(math.radians(direction))
    own, obstacle = _round(body(element)), _round(target)
    low, high = 0.0, distance + own.reach + 2 * obstacle.reach

    def placed(out: float) -> _Round:
        x, y = start[0] + out * dx, start[1] + out * dy
        points = tuple((x + px, y + py) for px, py in own.body.points)
        return _Round(Body(points, own.body.radius), x + own.x, y + own.y, own.reach, _segments(points))

    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _closer(placed(middle), obstacle, distance):
            low = middle
        else:
            high = middle
    return transform(element, 0.0, (start[0] + high * dx, start[1] + high * dy))


def random_cells(rng: Rng, rows: int, columns: int) -> NDArray[np.bool_]:
    """A random half of the cells of a grid: of every block of two by two, two.

    >>> int(random_cells(np.random.default_rng(0), 4, 4).sum())
    8
    """
    blocks = np.zeros((-(-rows // 2), -(-columns // 2), 4), bool)
    blocks[..., :2] = True
    mixed = rng.permuted(blocks, axis=2)
    grid = mixed.reshape(*blocks.shape[:2], 2, 2).swapaxes(1, 2).reshape(2 * blocks.shape[0], 2 * blocks.shape[1])
    return grid[:rows, :columns]


def borders(length: int, count: int) -> list[int]:
    """The whole pixels at which so many tiles of about one size begin, and where the last ends.

    >>> borders(10, 4)
    [0, 2, 5, 8, 10]
    """
    return [round(length * k / count) for k in range(count + 1)]
