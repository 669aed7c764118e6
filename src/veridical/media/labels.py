"""Placement of a label for each box in a picture, close to its box and without covering another box."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.records import Box

Boxes = NDArray[np.int64]
Size = Callable[[int, float], tuple[int, int]]
SCALES = (1.0, 0.8, 0.64)


class Label(NamedTuple):
    """The box of a label, its scale relative to full size, and whether it covers a part of another box."""

    box: Box
    scale: float
    covers: bool


def placed(outlines: Sequence[Box], rim: int, width: int, height: int, size: Size) -> list[Label]:
    """A label for each box, in order; `outlines` are the boxes with their outlines of `rim` pixels, inside the canvas.

    `size` gives a label's (width, height) by its number, from 1, and its scale. A label takes the first of these places
    that lies in the canvas and covers neither another box with its outline nor a label placed before it:

    1. outside its own outline, along one side: above, below, right, left; moved along the side as little as possible
       from the start of the side;
    2. inside its own outline, as close to the top left corner as possible;
    3. the same at 0.8, then at 0.64 of its size;
    4. the same three, but a box that encloses its own outline is only kept free at the outline, because the label of a
       box inside another has no other place.

    The searches are exact: if there is such a place at whole pixels, it is found. Otherwise the label has 0.64 of its
    size and takes the tried place where it covers the least of other labels, then of other boxes.
    """
    boxes: Boxes = np.array(outlines, np.int64).reshape(-1, 4)
    labels: list[Label] = []
    for own in range(len(boxes)):
        done: Boxes = np.array([label.box for label in labels], np.int64).reshape(-1, 4)
        sizes = [size(own + 1, scale) for scale in SCALES]
        labels.append(_placed(boxes[own], np.delete(boxes, own, 0), done, rim, (width, height), sizes))
    return labels


def _placed(
    own: Boxes, others: Boxes, done: Boxes, rim: int, canvas: tuple[int, int], sizes: list[tuple[int, int]]
) -> Label:
    encloses = (others[:, :2] <= own[:2]).all(1) & (others[:, 2:] >= own[2:]).all(1)
    strict: Boxes = np.concatenate([others, done])
    lenient: Boxes = np.concatenate([others[~encloses], _bars(others[encloses], rim), done])
    tried = _corner(own, *sizes[-1], canvas)
    for taken in (strict, lenient):
        for scale, (width, height) in zip(SCALES, sizes, strict=True):
            for places in _places(own, taken, rim, canvas, width, height):
                within = places[(places[:, :2] >= 0).all(1) & (places[:, 2:] <= canvas).all(1)]
                free = within[~_overlaps(within, taken).any(1)]
                if len(free):
                    return Label(_box(free[0]), scale, covers=taken is lenient and _covers(free[0], others))
                if scale == SCALES[-1]:
                    tried = np.concatenate([tried, within])
    worst = np.lexsort([_overlaps(tried, others).sum(1), _overlaps(tried, done).sum(1)])
    return Label(_box(tried[worst[0]]), SCALES[-1], covers=_covers(tried[worst[0]], others))


def _places(own: Boxes, taken: Boxes, rim: int, canvas: tuple[int, int], width: int, height: int) -> Iterator[Boxes]:
    """Places to try: the sides in order, then the inside; the best places of each group come first.

    The free place on a line that is nearest to a point is either that point or touches an obstacle.
    """
    x0, y0, x1, y1 = map(int, own)
    right, bottom = canvas[0] - width, canvas[1] - height
    low, high = max(0, min(x0, x1 - width)), min(right, max(x0, x1 - width))
    across = _stops(low, high, min(x0, right), taken[:, 0], taken[:, 2], width)
    low, high = max(0, min(y0, y1 - height)), min(bottom, max(y0, y1 - height))
    down = _stops(low, high, min(y0, bottom), taken[:, 1], taken[:, 3], height)
    corners = (
        [(x, y0 - height) for x in across],
        [(x, y1) for x in across],
        [(x1, y) for y in down],
        [(x0 - width, y) for y in down],
    )
    for group in corners:
        yield _tiles(group, width, height)
    left, top = x0 + rim, y0 + rim
    inner = [
        (x, y)
        for x in _stops(left, x1 - rim - width, left, taken[:, 0], taken[:, 2], width)
        for y in _stops(top, y1 - rim - height, top, taken[:, 1], taken[:, 3], height)
    ]
    yield _tiles(sorted(inner, key=lambda at: (at[0] - left + at[1] - top, at)), width, height)


def _stops(low: int, high: int, best: int, starts: Boxes, ends: Boxes, length: int) -> list[int]:
    """The positions to try for a tile of this length between `low` and `high`, nearest to `best` first."""
    stops = {low, high, best, *map(int, ends), *map(int, starts - length)}
    return sorted((stop for stop in stops if low <= stop <= high), key=lambda stop: (abs(stop - best), stop))


def _tiles(corners: list[tuple[int, int]], width: int, height: int) -> Boxes:
    at: Boxes = np.array(corners, np.int64).reshape(-1, 2)
    return np.concatenate([at, at + np.array([width, height])], 1)


def _bars(boxes: Boxes, rim: int) -> Boxes:
    """The four bars of each outline, as boxes."""
    x0, y0, x1, y1 = boxes.T
    bars = [(x0, y0, x1, y0 + rim), (x0, y1 - rim, x1, y1), (x0, y0, x0 + rim, y1), (x1 - rim, y0, x1, y1)]
    return np.concatenate([np.stack(bar, 1) for bar in bars])


def _box(corners: Boxes) -> Box:
    return Box(*map(int, corners))


def _covers(tile: Boxes, others: Boxes) -> bool:
    return bool(_overlaps(tile[None], others).any())


def _corner(own: Boxes, width: int, height: int, canvas: tuple[int, int]) -> Boxes:
    """The place at the box's own corner, moved into the canvas; it always exists."""
    x, y = max(0, min(int(own[0]), canvas[0] - width)), max(0, min(int(own[1]), canvas[1] - height))
    return _tiles([(x, y)], width, height)


def _overlaps(tiles: Boxes, taken: Boxes) -> Boxes:
    """The area that each tile covers of each taken box: shape (tiles, taken)."""
    low = np.maximum(tiles[:, None, :2], taken[None, :, :2])
    high = np.minimum(tiles[:, None, 2:], taken[None, :, 2:])
    sides: Boxes = np.maximum(high - low, 0)
    return np.asarray(sides.prod(2))
