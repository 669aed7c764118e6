"""What stands behind the things of a scene: the walls and floors of rooms, and the tops of tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Gradient, Item, Polygon, Rectangle, Scene, Veil, rasterise
from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.grain import lighter

FLOOR = 0.68
"""Where the wall of a room ends and its floor begins, as a share of the picture's height."""
EDGE = 0.2
"""The far edge of a table top, as a share of the picture's height."""
BACKDROPS = 12
"""How many backdrops each kind of scene has."""

_WALLS: tuple[Colour, ...] = (
    (238, 230, 212), (216, 226, 230), (222, 228, 212), (236, 222, 214), (226, 222, 232), (232, 232, 226),
)  # fmt: skip
_FLOORS: tuple[Colour, ...] = ((218, 198, 168), (212, 209, 202), (222, 208, 188))
_TOPS: tuple[Colour, ...] = ((222, 200, 168), (234, 232, 226), (214, 222, 222), (236, 226, 204))
_WHITE = (255, 255, 255)


def backdrop(kind: str, number: int, width: int, height: int) -> NDArray[np.uint8]:
    """The empty picture of a "room" or a "table", shape (height, width, 4), the last channel 255; do not write to it.

    There are `BACKDROPS` of each kind; numbers begin again after them.
    """
    return _backdrop(kind, number % BACKDROPS, width, height)


@lru_cache(maxsize=2 * BACKDROPS)
def _backdrop(kind: str, number: int, width: int, height: int) -> NDArray[np.uint8]:
    items = _room(number, width, height) if kind == "room" else _table(number, width, height)
    pixels = rasterise(Scene(width, height, _WHITE, tuple(items)))
    opaque = np.dstack([pixels, np.full((height, width), 255, np.uint8)])
    opaque.flags.writeable = False
    return opaque


def _room(number: int, width: int, height: int) -> Iterator[Item]:
    wall, floor = _WALLS[number % len(_WALLS)], _FLOORS[(number + number // 6) % len(_FLOORS)]
    line = round(FLOOR * height)
    unit = height / 480
    yield Gradient(0, 0, width, line, lighter(wall, -0.02), lighter(wall, -0.09), "y")
    yield from _papers(number % 4, wall, width, line, unit)
    yield Gradient(0, line, width, height - line, lighter(floor, -0.08), lighter(floor, 0.1), "y")
    yield from (_planks, _tiles, _carpet)[number % 3](floor, width, line, height)
    yield Rectangle(0, line - 16 * unit, width, line, lighter(wall, 0.6))
    yield Rectangle(0, line - 16 * unit, width, line - 14 * unit, lighter(wall, -0.2))
    yield Rectangle(0, line - 1.5 * unit, width, line + 1.5 * unit, lighter(floor, -0.4))
    yield from _light(number, width, line)


def _papers(pattern: int, wall: Colour, width: int, line: int, unit: float) -> Iterator[Item]:
    """Wallpaper: plain, striped, paneled, or with lozenges."""
    if pattern == 1:
        step = 32 * unit
        for k in range(int(width / step) + 1):
            yield Rectangle(k * step, 0, k * step + step / 2, line, lighter(wall, -0.105))
    elif pattern == 2:
        rail = 0.62 * line
        yield Rectangle(0, rail, width, line, lighter(wall, -0.13))
        yield Rectangle(0, rail - 4 * unit, width, rail + 3 * unit, lighter(wall, 0.45))
        for k in range(int(width / (40 * unit)) + 1):
            yield Rectangle(k * 40 * unit, rail + 4 * unit, k * 40 * unit + 1.5 * unit, line, lighter(wall, -0.22))
    elif pattern == 3:
        for k in range(int(width / (40 * unit)) + 1):
            for row in range(int(line / (40 * unit)) + 1):
                x, y, r = (k + 0.5 * (row % 2)) * 40 * unit, (row + 0.3) * 40 * unit, 6 * unit
                yield Polygon(((x - r, y), (x, y - 1.5 * r), (x + r, y), (x, y + 1.5 * r)), lighter(wall, -0.12))


def _light(number: int, width: int, line: int) -> Iterator[Item]:
    """Sunlight that falls through a window onto the wall: four panes."""
    x0 = (0.12, 0.55, 0.34)[number % 3] * width
    pane, gap, tall = 0.085 * width, 0.012 * width, 0.2 * line
    for column in (0, 1):
        for row in (0, 1):
            x, y = x0 + column * (pane + gap) + 0.12 * pane * row, 0.14 * line + row * (tall + gap)
            points = (
                (x, y),
                (x + pane, y + 0.12 * tall),
                (x + 1.12 * pane, y + 1.12 * tall),
                (x + 0.12 * pane, y + tall),
            )
            yield Veil(points, (255, 252, 236), 0.36)


def _planks(floor: Colour, width: int, line: int, height: int) -> Iterator[Item]:
    """Boards that run along the wall; nearer ones are wider."""
    rng = np.random.default_rng(11)
    edges = line + (height - line) * np.linspace(0, 1, 8) ** 1.35
    for row, (top, bottom) in enumerate(pairwise(edges)):
        x = -width * float(rng.uniform(0, 0.3))
        while x < width:
            end = x + width * float(rng.uniform(0.28, 0.5))
            yield Rectangle(x, top, end, bottom, lighter(floor, float(rng.uniform(-0.1, 0.03)) - 0.01 * (7 - row)))
            yield Rectangle(end - 1, top, end + 1, bottom, lighter(floor, -0.28))
            x = end
        yield Rectangle(0, top - 0.8, width, top + 0.8, lighter(floor, -0.24))


def _tiles(floor: Colour, width: int, line: int, height: int) -> Iterator[Item]:
    """A checkered floor in perspective."""
    yield from _checkers(width, line, height, 6, 9, lighter(floor, -0.14), 0.55)


def _carpet(floor: Colour, width: int, line: int, height: int) -> Iterator[Item]:
    """A plain floor with a pale rug."""
    deep = height - line
    for inset, tone in ((0.0, -0.22), (0.02, 0.25), (0.035, -0.12), (0.045, 0.18)):
        far, near = (0.14 + inset) * width, (0.05 + inset) * width
        top, bottom = line + (0.2 + inset) * deep, line + (0.9 - inset) * deep
        yield Polygon(((far, top), (width - far, top), (width - near, bottom), (near, bottom)), lighter(floor, tone))


def _checkers(
    width: int, top: float, bottom: float, rows: int, columns: int, color: Colour, share: float
) -> Iterator[Item]:
    """Every second field of a grid on a plane; its far edge is divided `1 / share` times as densely as its near one."""
    edges = np.linspace(0, 1, rows + 1) ** 1.4

    def at(column: float, depth: float) -> Point:
        spread = share + (1 - share) * depth
        return width * (0.5 + (column / columns - 0.5) * spread * 1.15 / share), top + depth * (bottom - top)

    for row, (far, near) in enumerate(pairwise(edges.tolist())):
        for column in range(row % 2 - columns, 2 * columns, 2):
            corners = (at(column, far), at(column + 1, far), at(column + 1, near), at(column, near))
            if max(x for x, _ in corners) > 0 and min(x for x, _ in corners) < width:
                yield Polygon(corners, color)


def _table(number: int, width: int, height: int) -> Iterator[Item]:
    wall, top = _WALLS[(number + 3) % len(_WALLS)], _TOPS[number % len(_TOPS)]
    line = round(EDGE * height)
    unit = height / 480
    yield Gradient(0, 0, width, line, lighter(wall, -0.16), lighter(wall, -0.08), "y")
    yield Gradient(0, line, width, height - line, lighter(top, -0.08), lighter(top, 0.1), "y")
    if number % 4 == 0:
        yield from _boards(top, width, line, height)
    elif number % 4 == 1:
        yield from _checkers(width, line, height, 7, 10, lighter(top, -0.08), 0.6)
    elif number % 4 == 2:
        yield from _cloth(top, width, line, height)
    else:
        yield from _runner(top, width, line, height)
    yield Rectangle(0, line - 2 * unit, width, line + 1.5 * unit, lighter(top, -0.35))
    yield Rectangle(0, line + 1.5 * unit, width, line + 4 * unit, lighter(top, 0.4))


def _boards(top: Colour, width: int, line: int, height: int) -> Iterator[Item]:
    """A table of boards that run towards the viewer."""
    rng = np.random.default_rng(5)
    for k in range(-3, 12):
        tone = float(rng.uniform(-0.06, 0.05))
        x0, x1 = ((k + j) / 9 for j in (0, 1))
        far = [width * (0.5 + (x - 0.5) * 1.0) for x in (x0, x1)]
        near = [width * (0.5 + (x - 0.5) * 1.7) for x in (x0, x1)]
        yield Polygon(((far[0], line), (far[1], line), (near[1], height), (near[0], height)), lighter(top, tone))
        yield Polygon(
            ((far[1] - 0.8, line), (far[1] + 0.8, line), (near[1] + 1.2, height), (near[1] - 1.2, height)),
            lighter(top, -0.2),
        )


def _cloth(top: Colour, width: int, line: int, height: int) -> Iterator[Item]:
    """A cloth with stripes along its border."""
    deep = height - line
    for start, end in ((0.1, 0.13), (0.15, 0.16), (0.84, 0.88), (0.91, 0.925)):
        yield Rectangle(0, line + start * deep, width, line + end * deep, lighter(top, -0.13))


def _runner(top: Colour, width: int, line: int, height: int) -> Iterator[Item]:
    """A table with a runner across its middle, from the far edge to the near one."""
    for inset, tone in ((0.0, -0.16), (0.015, 0.5), (0.03, -0.06), (0.036, 0.45)):
        far, near = (0.32 + inset) * width, (0.2 + inset) * width
        corners = ((far, line), (width - far, line), (width - near, height), (near, height))
        yield Polygon(corners, lighter(top, tone))
