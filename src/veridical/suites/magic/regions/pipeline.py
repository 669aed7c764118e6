"""The paper's Algorithm 1: from a saliency map and annotated objects to the numbered regions of a question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from veridical.records import Box
from veridical.suites.magic.regions.choose import (
    ADVERSARIAL,
    LARGEST_AREA,
    Numbering,
    adversarial_boxes,
    area,
    numbering,
    overlap,
)

HOT = 0.5
"""What a pixel of a hot spot has at least, as a share of the saliency map's maximum."""
SMALLEST_SPOT = 0.002
"""The smallest box of a hot spot, as a share of the map's area: 17 x 17 px of 400 x 360."""
MOST_SPOTS = 5
"""How many hot spots count at most: those with the most saliency in sum."""
ON_A_THING = 0.5
"""A hot spot is on an annotated object, which then stands for it, if the two share so much of the smaller one."""
MERGED = 0.5
"""Two overlapping boxes become one around both if they share so much of the smaller one."""
LOST = 0.5
"""They do so too if neither can be cut free of the other for less than this share of its area."""
SAME_SHAPE = 0.02
"""How much the aspect ratio of a saliency map may differ from the picture's; a map of the same shape is scaled."""

Map = NDArray[np.uint8] | NDArray[np.float64]


class Regions(NamedTuple):
    """The numbered boxes of a question, and how often each special case of the algorithm occurred."""

    numbering: Numbering
    counts: Counter[str]


def regions(
    things: Sequence[Box],
    others: Sequence[Box],
    saliency: Map | None,
    size: tuple[int, int],
    *parts: int | str,
    wanted: int = ADVERSARIAL,
) -> Regions | None:
    """The regions of a question, or `None` where neither a hot spot nor an annotated object is left.

    `things` are the boxes of the question's annotated objects, `others` those of the other questions about the
    picture, whose (width, height) is `size`; `saliency` is a map of that shape, of any scale, or `None` for weak
    supervision. `parts` name the question and seed every choice; the order of the boxes plays no role. The counts are
    "no hot spot", "empty", "on a thing", "merged", "cut", "random" and "too few" (fewer than `wanted` adversarial
    boxes).
    """
    counts: Counter[str] = Counter()
    spots = hot_spots(saliency, size) if saliency is not None else []
    counts["no hot spot"] += saliency is not None and not spots
    inside = [clip(box, size) for box in things]
    named = sorted({box for box in inside if area(box)})
    counts["empty"] += sum(not area(box) for box in inside)
    free = [spot for spot in spots if not any(_share(spot, box) >= ON_A_THING for box in named)]
    counts["on a thing"] += len(spots) - len(free)
    relevant, changes = disjoint([*named, *free])
    counts.update(changes)
    if not relevant:
        return None
    candidates = [clip(box, size) for box in others]
    apart = [box for box in candidates if area(box) <= LARGEST_AREA * size[0] * size[1]]
    chosen = adversarial_boxes(relevant, candidates, size, *parts, apart=apart, wanted=wanted)
    counts["random"] += chosen.random
    counts["too few"] += len(chosen.boxes) < wanted
    return Regions(numbering(relevant, chosen.boxes, *parts), +counts)


def hot_spots(saliency: Map, size: tuple[int, int]) -> list[Box]:
    """The boxes, in a picture of this (width, height), around the connected parts of a map that are hot.

    `saliency` has the shape (height, width) of a map at any scale. The hottest come first, at most `MOST_SPOTS`; a map
    without any saliency has none.

    >>> map = np.zeros((40, 60))
    >>> map[10:20, 30:50], map[30:34, 4:8], map[0, 0] = 0.8, 1.0, 1.0
    >>> hot_spots(map, (120, 80))
    [Box(x0=60, y0=20, x1=100, y1=40), Box(x0=8, y0=60, x1=16, y1=68)]
    """
    height, width = saliency.shape
    highest = float(saliency.max(initial=0))
    if not highest > 0:
        return []
    parts, _ = ndimage.label(saliency >= HOT * highest, structure=np.ones((3, 3)))
    weighed = []
    for number, (rows, columns) in enumerate(ndimage.find_objects(parts), 1):
        if (rows.stop - rows.start) * (columns.stop - columns.start) >= SMALLEST_SPOT * height * width:
            total = float(saliency[rows, columns][parts[rows, columns] == number].sum())
            weighed.append((-total, Box(columns.start, rows.start, columns.stop, rows.stop)))
    return [clip(_scaled(box, size[0] / width, size[1] / height), size) for _, box in sorted(weighed)[:MOST_SPOTS]]


def same_shape(size: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two sizes in pixels have the same aspect ratio, to within `SAME_SHAPE`.

    >>> same_shape((640, 480), (320, 240)), same_shape((640, 480), (480, 640))
    (True, False)
    """
    return bool(abs(size[0] * other[1] / (size[1] * other[0]) - 1) <= SAME_SHAPE)


def disjoint(boxes: Sequence[Box]) -> tuple[list[Box], Counter[str]]:
    """The boxes such that no two overlap, sorted, and how many were "merged" and "cut" for it.

    The pair that shares the most of its smaller box comes first. Two that share enough (`MERGED`) are replaced by the
    box around both; otherwise the cut that loses the least area frees one of the other. The result depends on the set
    of the boxes alone.

    >>> disjoint([Box(0, 0, 10, 10), Box(8, 2, 30, 9), Box(40, 0, 60, 20), Box(45, 5, 50, 10)])[0]
    [Box(x0=0, y0=0, x1=10, y1=10), Box(x0=10, y0=2, x1=30, y1=9), Box(x0=40, y0=0, x1=60, y1=20)]
    """
    left, counts = sorted(set(boxes)), Counter[str]()
    while pairs := [(-_share(one, two), one, two) for one, two in combinations(left, 2) if overlap(one, two)]:
        share, one, two = min(pairs)
        loss, old, new = min([*_cuts(one, two), *_cuts(two, one)])
        merge = -share >= MERGED or loss > LOST * area(old)
        counts["merged" if merge else "cut"] += 1
        if merge:
            around = Box(*map(min, one[:2], two[:2]), *map(max, one[2:], two[2:]))
            left = sorted({*left, around} - ({one, two} - {around}))
        else:
            left = sorted({*left, new} - {old})
    return left, counts


def clip(box: Box, size: tuple[int, int]) -> Box:
    """The part of a box inside a picture of this (width, height); its area is 0 where there is none.

    >>> clip(Box(-5, 2, 20, 50), (10, 30)), area(clip(Box(50, 0, 60, 5), (10, 30)))
    (Box(x0=0, y0=2, x1=10, y1=30), 0)
    """
    return Box(max(box.x0, 0), max(box.y0, 0), min(box.x1, size[0]), min(box.y1, size[1]))


def _share(one: Box, two: Box) -> float:
    """The area that two boxes share as a share of the smaller one."""
    return overlap(one, two) / max(1, min(area(one), area(two)))


def _cuts(box: Box, other: Box) -> list[tuple[int, Box, Box]]:
    """The four ways to cut a box free of another: the area lost, the box, and what is left of it."""
    parts = (box._replace(x1=other.x0), box._replace(x0=other.x1), box._replace(y1=other.y0), box._replace(y0=other.y1))
    return [(area(box) - area(part), box, part) for part in parts if area(part)] or [(area(box), box, box)]


def _scaled(box: Box, across: float, down: float) -> Box:
    """A box at another scale, around all that it covers."""
    low, high = np.floor([box.x0 * across, box.y0 * down]), np.ceil([box.x1 * across, box.y1 * down])
    return Box(*map(int, low), *map(int, high))
