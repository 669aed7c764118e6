"""Pictures in which things move over a painted scene: only where two of them differ is the later one painted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw.raster import KEPT, PaintedBase, PaintedLayer, copy_colors, joined_items, paint_layers
from veridical.media.draw.scene import Gradient, Item, Patch

Area = tuple[int, int, int, int]
"""A box of whole pixels, half-open: x0, y0, x1, y1."""


@dataclass(frozen=True, slots=True, eq=False)
class _Outlined:
    """A layer, and the box of the pixels that it may touch."""

    layer: PaintedLayer
    area: Area


Joined = tuple[Item, ...]


class Animation:
    """Pictures of a painted scene with other items over it, one after the other.

    Each has the pixels that it has if it is painted alone: in the boxes of the layers that were added or taken away
    since the picture before, everything that reaches into them is painted again, whole; beyond them nothing is.
    """

    def __init__(self, start: PaintedBase) -> None:
        self._start = start
        self._whole: Area = (0, 0, start.scene.width, start.scene.height)
        self._shown: dict[Joined, _Outlined] = {}
        self._order: list[_Outlined] = []
        self._picture: NDArray[np.uint8] | None = None

    def picture(self, items: Sequence[Item]) -> NDArray[np.uint8]:
        """The scene with these items over it, shape (height, width, 3), uint8; the same array if nothing differs.

        The first of the items is not joined with the last of the scene.
        """
        self._shown, self._order, self._picture = self._next(items)
        return self._picture

    def variant(self, items: Sequence[Item]) -> NDArray[np.uint8]:
        """The same, but what comes next goes on from the picture before: for what might be there in its place."""
        return self._next(items)[2]

    def _next(self, items: Sequence[Item]) -> tuple[dict[Joined, _Outlined], list[_Outlined], NDArray[np.uint8]]:
        joined = list(joined_items(items))
        known = [self._shown.get(each) for each in joined]
        missing = list(dict.fromkeys(each for each, old in zip(joined, known, strict=True) if old is None))
        made = dict(zip(missing, self._outlined(missing), strict=True))
        order = [old or made[each] for each, old in zip(joined, known, strict=True)]
        shown = dict(zip(joined, order, strict=True))
        if self._picture is None:
            picture, areas = np.empty((*self._start.canvas.shape[:2], 3), np.uint8), [self._whole]
        else:
            picture, areas = self._picture, self._changed(self._order, order)
        if areas:
            picture = picture.copy()
            self._paint(order, areas, picture)
        return shown, order, picture

    def _paint(self, order: list[_Outlined], areas: list[Area], picture: NDArray[np.uint8]) -> None:
        """Brings these boxes of a picture up to date."""
        scene = self._start.scene
        renderer = KEPT.renderer(scene.width, scene.height)
        canvas = np.asarray(renderer.buffer_rgba())
        for x0, y0, x1, y1 in areas:
            canvas[y0:y1, x0:x1] = self._start.canvas[y0:y1, x0:x1]
        near = (each.layer for each in order if any(_meet(each.area, area) for area in areas))
        paint_layers(near, scene, renderer, canvas)
        for x0, y0, x1, y1 in areas:
            copy_colors(canvas[y0:y1, x0:x1], picture[y0:y1, x0:x1])

    def _outlined(self, joined: list[Joined]) -> list[_Outlined]:
        """Layers of items with their boxes, which are looked for in all corners together, which is much faster."""
        layers = [PaintedLayer.of(each) for each in joined]
        corners = [_corners(layer) for layer in layers]
        if not layers:
            return []
        starts = np.cumsum([0, *(len(each) for each in corners[:-1])])
        every = np.concatenate(corners)
        # A stroke without length has no corners that are numbers; nothing is known of where it is seen.
        lows = np.nan_to_num(np.minimum.reduceat(every, starts), nan=-1e6).clip(0, 1e6).astype(int).tolist()
        highs = np.nan_to_num(np.maximum.reduceat(every, starts), nan=1e6).clip(-2, 1e6).astype(int).tolist()
        _, _, width, height = self._whole
        return [
            _Outlined(layer, (max(0, x0 - 1), max(0, y0 - 1), min(width, x1 + 2), min(height, y1 + 2)))
            for layer, (x0, y0), (x1, y1) in zip(layers, lows, highs, strict=True)
        ]

    def _changed(self, before: list[_Outlined], now: list[_Outlined]) -> list[Area]:
        """Boxes, apart from each other, outside which two pictures are the same."""
        old, new = set(before), set(now)
        if [each for each in before if each in new] != [each for each in now if each in old]:
            return [self._whole]  # what stayed was painted in another order
        return _bands([each.area for each in (*before, *now) if (each in old) != (each in new) and _size(each.area)])


def _bands(areas: list[Area]) -> list[Area]:
    """Boxes around these, side by side or one above the other, whichever is less to paint."""
    if len(areas) < 2:
        return areas
    boxes = np.array(areas)
    beside = _merged(boxes)
    above = [(x0, y0, x1, y1) for y0, x0, y1, x1 in _merged(boxes[:, [1, 0, 3, 2]])]
    return min(beside, above, key=lambda each: sum(map(_size, each)))


def _merged(boxes: NDArray[np.int_]) -> list[Area]:
    """Boxes around these, shape (count, 4), that share no x."""
    ordered = boxes[np.argsort(boxes[:, 0])]
    ends = np.maximum.accumulate(ordered[:, 2])
    starts = np.concatenate([[0], np.flatnonzero(ordered[1:, 0] >= ends[:-1]) + 1])
    low, high = (reach.reduceat(ordered, starts).tolist() for reach in (np.minimum, np.maximum))
    return [(x0, y0, x1, y1) for (x0, y0, _, _), (_, _, x1, y1) in zip(low, high, strict=True)]


def _corners(layer: PaintedLayer) -> NDArray[np.float64]:
    """Points around a layer, shape (count, 2)."""
    if layer.outline is not None:
        return np.asarray(layer.outline.vertices, float)
    assert isinstance(layer.item, Patch | Gradient)
    x, y, (height, width, _) = layer.item.x, layer.item.y, layer.item.pixels().shape
    return np.array([(x, y), (x + width, y + height)], float)


def _meet(one: Area, other: Area) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _size(area: Area) -> int:
    return max(0, area[2] - area[0]) * max(0, area[3] - area[1])
