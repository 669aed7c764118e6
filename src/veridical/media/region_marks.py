"""A picture with regions boxed and numbered, and where their labels are placed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.errors import InputError
from veridical.media.derive import StimulusMedia
from veridical.media.draw import Item, Patch, Rectangle, Scene, TextLine, rasterise
from veridical.media.draw.paths import path_of
from veridical.media.pictures import Picture
from veridical.records import Box, Json

Colour = tuple[int, int, int]
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
COLORS: tuple[Colour, ...] = (
    (214, 39, 40),
    (31, 99, 200),
    (24, 130, 60),
    (150, 40, 170),
    (205, 90, 0),
    (0, 128, 140),
    (120, 70, 40),
    (60, 60, 60),
)
"""The colors of outlines and labels, in turn; all are dark enough for white digits."""

Boxes = NDArray[np.int64]
Size = Callable[[int, float], tuple[int, int]]
SCALES = (1.0, 0.8, 0.64)


def draw_marks(
    pixels: NDArray[np.uint8], boxes: Sequence[Box], prefix: str = "", colors: Sequence[Colour] = COLORS
) -> tuple[NDArray[np.uint8], list[Label]]:
    """A picture with these boxes outlined and numbered, and the label of each.

    A label is the number after the `prefix`, such as "R1". The `colors` take turns; white text must be legible on each.
    """
    height, width, _ = pixels.shape
    # White edges on both sides of the color make it visible on any background.
    longer = max(width, height)
    core = max(2, round(longer / 200))
    halo = max(1, core // 2)
    rim = core + 2 * halo
    outlines = [outline(box, rim, width, height) for box in boxes]
    labels = place_labels(outlines, rim, width, height, lambda number, scale: _size(f"{prefix}{number}", scale, longer))
    items: list[Item] = [Patch(0, 0, pixels)]
    for number, around in enumerate(outlines):
        items += _frame(around, 0, rim, WHITE)
        items += _frame(around, halo, core, colors[number % len(colors)])
    for number, label in enumerate(labels, 1):
        items += _tile(f"{prefix}{number}", label, colors[(number - 1) % len(colors)])
    return rasterise(Scene(width, height, WHITE, tuple(items))), labels


def outline(box: Box, rim: int, width: int, height: int) -> Box:
    """A box with its outline, clipped to the picture."""
    return Box(max(box.x0 - rim, 0), max(box.y0 - rim, 0), min(box.x1 + rim, width), min(box.y1 + rim, height))


def _frame(around: Box, inset: int, width: int, color: Colour) -> list[Item]:
    """Four bars, `inset` pixels inside a box; each ends where the next begins."""
    x0, y0, x1, y1 = around.x0 + inset, around.y0 + inset, around.x1 - inset, around.y1 - inset
    return [
        Rectangle(x0, y0, x1, y0 + width, color),
        Rectangle(x0, y1 - width, x1, y1, color),
        Rectangle(x0, y0 + width, x0 + width, y1 - width, color),
        Rectangle(x1 - width, y0 + width, x1, y1 - width, color),
    ]


def _size(text: str, scale: float, longer: int) -> tuple[int, int]:
    """Width and height of a label with its white edge; the height is 1/24 of the longer side, at least 11 pixels."""
    height = max(11, round(max(16, longer / 24) * scale))
    extent = path_of(TextLine((0.0, 0.0), text, _em(height), BLACK)).get_extents()
    return max(height, math.ceil(extent.width) + 6), height


def _em(height: int) -> float:
    """The font size at which digits fill the height of the tile, minus its edge and some margin."""
    return (height - 5) / 0.73


def _tile(name: str, label: Label, color: Colour) -> list[Item]:
    x0, y0, x1, y1 = label.box
    text = TextLine(((x0 + x1) / 2, (y0 + y1) / 2), name, _em(y1 - y0), WHITE)
    return [Rectangle(x0, y0, x1, y1, WHITE), Rectangle(x0 + 1, y0 + 1, x1 - 1, y1 - 1, color), text]


def region_in(stimulus: StimulusMedia, region: Json, picture: Picture) -> Box:
    """A region of a stimulus as a box in its picture; raises `InputError` for one that is none or lies outside."""
    numbers = [value for value in region if isinstance(value, int | float)] if isinstance(region, list | tuple) else []
    if len(numbers) == 4 and all(map(math.isfinite, numbers)):
        box = Box(*map(math.floor, numbers[:2]), *map(math.ceil, numbers[2:]))
        if 0 <= box.x0 < box.x1 <= picture.width and 0 <= box.y0 < box.y1 <= picture.height:
            return box
    raise InputError(
        f"stimulus {stimulus.id!r}: region {region!r} is not a box x0, y0, x1, y1 in {picture.width}x{picture.height}"
    )


class Label(NamedTuple):
    """The box of a label, its scale relative to full size, and whether it covers a part of another box."""

    box: Box
    scale: float
    covers: bool


def place_labels(outlines: Sequence[Box], rim: int, width: int, height: int, size: Size) -> list[Label]:
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
