"""A brush that paints everything mirrored, so that scenes face left as often as right."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.media.draw.scene import Point
from veridical.media.figures.brush import WIDTH, Brush


class _Flipped(Brush):
    """Paints into the same items as another brush, with left and right exchanged; text stays readable."""

    def __init__(self, brush: Brush) -> None:
        super().__init__(brush.style, brush.scale, brush.shift)
        self.items = brush.items

    def _at(self, point: Point) -> Point:
        return super()._at((WIDTH - point[0], point[1]))

    def _all(self, points: Sequence[Point]) -> tuple[Point, ...]:
        return super()._all([(WIDTH - x, y) for x, y in points])


def faced(brush: Brush, flipped: bool) -> Brush:
    """The brush itself, or one that adds to its items and mirrors each x to 640 − x."""
    return _Flipped(brush) if flipped else brush
