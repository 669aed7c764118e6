"""When the frames of a clip are shown, and values that change smoothly with time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Clock:
    """The frames of a clip: how many, and how many per second."""

    rate: int
    frames: int

    def frame(self, seconds: float) -> int:
        """The first frame that is not before this time.

        >>> Clock(24, 96).frame(1.5)
        36
        """
        return -int(-seconds * self.rate // 1)

    def time(self, frame: int) -> float:
        """When a frame's display begins, in seconds."""
        return frame / self.rate


def interpolate(points: Sequence[tuple[float, float]], time: float) -> float:
    """A value that passes smoothly through (time, value) points, at rest in each; constant before and after them.

    >>> interpolate([(0, 0), (1, 10)], 0.5), interpolate([(0, 0), (1, 10)], 3)
    (5.0, 10)
    """
    if time <= points[0][0]:
        return points[0][1]
    for (t0, y0), (t1, y1) in pairwise(points):
        if time < t1:
            share = (time - t0) / (t1 - t0)
            return y0 + (y1 - y0) * share * share * (3 - 2 * share)
    return points[-1][1]
