"""The café wall: rows of tiles whose joints look slanted."""

from __future__ import annotations

import math
from collections.abc import Sequence

from veridical.media.draw import Polygon, Scene
from veridical.media.draw.scene import Colour
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.geometric.marks import traces
from veridical.suites.viabench.puzzles.puzzle import NO, Pixels, Puzzle, Variant, misleading_figure, yes_if

_TILTS = (2.4, 1.8, 1.4)
_ROWS = (7, 8, 8)
_READ = 0.45
_TILES: tuple[tuple[Colour, Colour, Colour], ...] = (
    ((28, 28, 32), (244, 242, 238), (138, 139, 141)),
    ((32, 54, 96), (240, 236, 222), (131, 141, 153)),
    ((44, 82, 66), (242, 238, 220), (143, 157, 139)),
    ((118, 44, 38), (246, 232, 212), (182, 137, 123)),
)
_JOINTS = tuple(joint for _, _, joint in _TILES)


class WallView(BaseItem):
    """The nuisances of one picture of a wall: its outline, its tiles, the width of joints, and where rows begin."""

    def __init__(self, nuisances: Nuisances) -> None:
        self.tile = nuisances.px(42, 56)
        self.joint = nuisances.px(5, 6.5)
        self.start = nuisances.between(0, 2)
        self.left, self.top = nuisances.between(0.02, 0.08), nuisances.between(0.02, 0.12)
        self.right, self.bottom = nuisances.between(0.92, 0.98), nuisances.between(0.88, 0.98)
        self.colors = nuisances.one_of(range(len(_TILES)))


class Wall(BaseItem):
    """The nuisances: how rows are shifted, how joints slant when they do, in degrees, and both pictures' views."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.along = nuisances.one_of((True, False))
        self.shift = nuisances.one_of((-1.0, 1.0))
        self.rows = _ROWS[grade - 1]
        self.degrees = _TILTS[grade - 1] * self.shift * (1 if self.along else -1)
        self.views = WallView(nuisances), WallView(nuisances)
        self.size = nuisances.size


def _draw(wall: Wall, answer: str, variant: Variant) -> tuple[Scene]:
    view, size = wall.views[answer == NO], wall.size
    dark, light, joint = _TILES[view.colors]
    left, right, top, bottom = (size * part for part in (view.left, view.right, view.top, view.bottom))
    height = (bottom - top) / wall.rows
    rise = math.tan(math.radians(wall.degrees if answer == NO else 0.0))

    def edge(line: int, x: float) -> float:
        """The height of the middle of a joint; the outermost ones are always level."""
        slope = 0.0 if line in (0, wall.rows) else rise * (1 if line % 2 else -1)
        return top + line * height - slope * (x - (left + right) / 2)

    def strip(row: int, x0: float, x1: float, color: Colour) -> Polygon:
        half = view.joint / 2
        upper, lower = ((x, edge(row, x) + half) for x in (x0, x1)), ((x, edge(row + 1, x) - half) for x in (x1, x0))
        return Polygon((*upper, *lower), color)

    ground = Polygon(
        tuple((x, y) for x, y in ((left, top - 3), (right, top - 3), (right, bottom + 3), (left, bottom + 3))), joint
    )
    items = [ground, *(strip(row, left, right, light) for row in range(wall.rows))]
    for row in range(wall.rows):
        offset = view.start + (row % 2) * (1.0 if variant == "ordinary" else 0.5 * wall.shift)
        x = left + (offset % 2 - 2) * view.tile
        while x < right:
            if x + view.tile > left:
                items.append(strip(row, max(x, left), min(x + view.tile, right), dark))
            x += 2 * view.tile
    return (Scene(size, size, (250, 249, 246), tuple(items)),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001
    """Whether the joints, by their color, have one direction."""
    size = pictures[0].shape[1]
    lines = [
        mark for mark in traces(pictures[0], _JOINTS) if abs(mark.x[-1] - mark.x[0]) > 0 and mark.length > 0.8 * size
    ]
    inner = sorted(lines, key=lambda mark: mark.center[1])[1:-1]
    if len(inner) < 5:
        return None
    return yes_if(max(mark.degrees for mark in inner) - min(mark.degrees for mark in inner) < _READ)


CAFE_WALL = Puzzle(
    name="cafe_wall",
    title="Café wall",
    category="geometric",
    capability="shape and orientation",
    sees="joints that slant, because the tiles are shifted",
    truth="whether the joints are drawn parallel",
    source="Gregory and Heard 1979",
    graded="a smaller slant: 2.4, 1.8, 1.4 degrees either way",
    question="Are the long lines between the rows of tiles parallel to each other?",
    question_reversed="Do the long lines between the rows of tiles run at different slants?",
    sample=Wall,
    draw=_draw,
    usual=misleading_figure(lambda wall: wall.along),
    read=_read,
)
