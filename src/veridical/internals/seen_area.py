"""How much a model sees of regions of a picture, by the map of its tokens."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from veridical.internals.token_map import TokenMap
from veridical.records import Stimulus


def least_seen(
    stimulus: Stimulus, regions: Sequence[Sequence[Sequence[float]]], areas: Sequence[SeenArea | None]
) -> float | None:
    """The share that is seen of the region of which least is, from 0 to 1, over all sizes in which it is shown.

    `None` without a region, or where a size has no area. The area of a region with several boxes, such as a clip's at
    several times, is that of all of them. What a stimulus is shown in is its first medium, at any scale.
    """
    if not regions or not areas:
        return None
    shares = []
    for area in areas:
        if area is None:
            return None
        scale = area.width / stimulus.media[0].width, area.height / stimulus.media[0].height
        shares += [area.share(region, scale) for region in regions]
    return min(shares)


class SeenArea:
    """The area that a model sees of any rectangles of a picture of some size."""

    def __init__(self, mapped: TokenMap) -> None:
        self.width, self.height = mapped.width, mapped.height
        self._mapped = mapped

    @cached_property
    def _sums(self) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
        """At x, y the number of seen pixels above and to the left."""
        return np.pad(self._mapped.seen.astype(np.int64).cumsum(0).cumsum(1), ((1, 0), (1, 0)))

    def share(self, boxes: Sequence[Sequence[float]], scale: tuple[float, float] = (1.0, 1.0)) -> float:
        """The seen share of the area of some boxes, after scaling them to the picture; at least a pixel each."""
        seen = area = 0
        for left, top, right, bottom in boxes:
            x0, x1 = _span(left * scale[0], right * scale[0], self.width)
            y0, y1 = _span(top * scale[1], bottom * scale[1], self.height)
            sums = self._sums
            seen += int(sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0])
            area += (x1 - x0) * (y1 - y0)
        return seen / area


def _span(low: float, high: float, size: int) -> tuple[int, int]:
    """The whole pixels of an interval, inside the picture, one at least."""
    start = min(max(round(low), 0), size - 1)
    return start, max(min(round(high), size), start + 1)
