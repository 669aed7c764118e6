"""Grids of little pictures with numbers at the margins: laid out, filled, and taken apart again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Polygon, Scene, TextLine, rasterise
from veridical.media.draw.scene import Colour
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles import shapes
from veridical.suites.viabench.puzzles.gestalt.glyphs import POPS
from veridical.suites.viabench.puzzles.puzzle import Pixels, Variant

Place = tuple[int, int]
"""A row and a column, counted from 0."""
ASKED = " Rows are numbered from top to bottom at the left, columns from left to right at the top."
_LABEL: Colour = (92, 96, 108)
_SHEETS: tuple[tuple[Colour, Colour], ...] = (
    ((236, 232, 224), (255, 253, 248)),
    ((225, 232, 238), (250, 252, 255)),
    ((232, 228, 238), (253, 251, 255)),
    ((226, 234, 226), (251, 255, 250)),
    ((240, 230, 224), (255, 251, 246)),
)
_SHAPES = ((5, 6), (6, 7), (7, 8))
_ODD = 3.0


class Grid(BaseItem):
    """Where the cells lie, in whole px, their number, the colors of page and panel, and the places that may be odd.

    It is finer at higher grades. Of the four places two are neighbors.
    """

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.rows, self.columns = _SHAPES[grade - 1]
        self.width = nuisances.size
        band, edge = round(0.085 * self.width), round(0.045 * self.width)
        self.pitch = (self.width - band - 2 * edge) // self.columns
        self.left, self.top = self.width - edge - self.columns * self.pitch, band + edge // 2
        self.page, self.panel = nuisances.one_of(_SHEETS)
        self.height = self.top + self.rows * self.pitch + edge
        self.places = _places(nuisances, self.rows, self.columns)


def _places(nuisances: Nuisances, rows: int, columns: int) -> tuple[Place, ...]:
    first = nuisances.one_of(range(rows)), nuisances.one_of(range(columns - 1))
    places = [first, (first[0], first[1] + 1)]
    while len(places) < 4:
        place = nuisances.one_of(range(rows)), nuisances.one_of(range(columns))
        if place not in places:
            places.append(place)
    return tuple(places)


def odd_one_out(
    cell: Callable[[Any, str, bool], Pixels],
    *,
    crowd: Callable[[Any], Pixels] | None = None,
    read: Callable[[Sequence[Pixels], Sequence[str]], str | None] | None = None,
) -> dict[str, Any]:
    """What puzzles share in which one cell of a grid is odd: in the others' color, or plainly in another one.

    `cell` draws a cell of a base item in a paint, odd or like all others; `crowd` draws the others where they differ.
    """

    @lru_cache(maxsize=2)
    def sheet(base: Any) -> tuple[Pixels, dict[Variant, Pixels]]:  # noqa: ANN401 (each puzzle has its own base item)
        others = crowd(base) if crowd else cell(base, base.paint, False)
        odd: dict[Variant, Pixels] = {
            "unusual": cell(base, base.paint, True),
            "ordinary": cell(base, POPS[base.paint], True),
        }
        return grid_picture(base.grid, others), odd

    def draw(base: Any, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ANN401
        plain, odd = sheet(base)
        return (with_cell(base.grid, plain, place_of(base.grid, answer), odd[variant]),)

    return {
        "category": "gestalt",
        "answers": lambda base: place_names(base.grid),
        "draw": draw,
        "read": read or read_replica,
    }


def place_name(place: Place) -> str:
    """A place in words.

    >>> place_name((1, 4))
    'row 2, column 5'
    """
    return f"row {place[0] + 1}, column {place[1] + 1}"


def place_names(grid: Grid) -> tuple[str, ...]:
    """The possible answers: four places in words."""
    return tuple(map(place_name, grid.places))


def place_of(grid: Grid, answer: str) -> Place:
    """The place that an answer names."""
    return grid.places[place_names(grid).index(answer)]


def grid_picture(grid: Grid, cells: Pixels) -> Pixels:
    """The whole picture; `cells` is one cell or an array of all, of shape (rows, columns, pitch, pitch, 3)."""
    picture = _empty(grid).copy()
    rows, columns, pitch = grid.rows, grid.columns, grid.pitch
    every = np.broadcast_to(cells, (rows, columns, pitch, pitch, 3))
    area = every.swapaxes(1, 2).reshape(rows * pitch, columns * pitch, 3)
    picture[grid.top : grid.top + rows * pitch, grid.left : grid.left + columns * pitch] = area
    return picture


def with_cell(grid: Grid, picture: Pixels, place: Place, cell: Pixels) -> Pixels:
    """A copy of the picture with another cell at a place."""
    changed = picture.copy()
    y, x = grid.top + place[0] * grid.pitch, grid.left + place[1] * grid.pitch
    changed[y : y + grid.pitch, x : x + grid.pitch] = cell
    return changed


@lru_cache(maxsize=2)
def _empty(grid: Grid) -> Pixels:
    pad = 0.018 * grid.width
    x0, y0 = grid.left - pad, grid.top - pad
    x1, y1 = grid.left + grid.columns * grid.pitch + pad, grid.top + grid.rows * grid.pitch + pad
    size = 0.036 * grid.width
    labels = [
        TextLine((x0 - 0.9 * size, grid.top + (row + 0.5) * grid.pitch), str(row + 1), size, _LABEL)
        for row in range(grid.rows)
    ] + [
        TextLine((grid.left + (column + 0.5) * grid.pitch, y0 - 0.9 * size), str(column + 1), size, _LABEL)
        for column in range(grid.columns)
    ]
    panel = Polygon(shapes.rounded_box(x0, y0, x1, y1, 1.2 * pad), grid.panel)
    return rasterise(Scene(grid.width, grid.height, grid.page, (panel, *labels)))


def cells_of(picture: Pixels) -> Pixels | None:
    """The cells of a picture, shape (rows, columns, height, width, 3), cut alike; `None` where there is no grid."""
    drawn = _differs(picture, picture[0, 0])
    down, across = np.flatnonzero(drawn.mean(1) > 0.6), np.flatnonzero(drawn.mean(0) > 0.6)
    if len(down) < 16 or len(across) < 16:
        return None
    inset = round(0.01 * picture.shape[1])
    panel = picture[down[0] + inset : down[-1] + 1 - inset, across[0] + inset : across[-1] + 1 - inset]
    inked = _differs(panel, panel[0, 0])
    rows, columns = _cuts(np.any(inked, axis=1)), _cuts(np.any(inked, axis=0))
    if rows is None or columns is None:
        return None
    return np.stack([[panel[y : y + rows[1], x : x + columns[1]] for x in columns[0]] for y in rows[0]])


def _differs(colors: Pixels, color: Pixels) -> NDArray[np.bool_]:
    """Where the color is another; three strided comparisons are faster than one over all channels."""
    parts = [colors[..., channel] != color[channel] for channel in range(3)]
    return np.asarray(parts[0] | parts[1] | parts[2])


def _cuts(inked: NDArray[np.bool_]) -> tuple[list[int], int] | None:
    """Where the cells begin along one direction, and their extent: halfway between the runs of ink."""
    turns = np.flatnonzero(np.diff(np.concatenate([[False], inked, [False]]).astype(np.int8)))
    starts, ends = turns[::2], turns[1::2]
    if not 4 <= len(starts) <= 12:
        return None
    pitch = round(float(np.median(np.diff((starts + ends) / 2))))
    order = np.arange(len(starts))
    middle = float(np.median((starts + ends) / 2 - order * pitch))
    first = round(middle - pitch / 2)
    cuts = [max(first + int(k) * pitch, 0) for k in order]
    extent = min(pitch, len(inked) - cuts[-1])
    return (cuts, extent) if extent > pitch // 2 and bool(np.all(np.diff(cuts) > 0)) else None


def stands_out(scores: NDArray[np.float64], answers: Sequence[str]) -> str | None:
    """The place whose score differs most from the others' median, if no other comes near and it is among the answers.

    >>> stands_out(np.array([[1.0, 1.0, 1.0], [1.0, 9.0, 1.1]]), ["row 2, column 2"])
    'row 2, column 2'
    """
    far = np.abs(scores - np.median(scores)).ravel()
    first, second = np.argsort(far)[::-1][:2]
    if far[first] < _ODD * max(far[second], 1e-9) or far[first] < 1e-3:
        return None
    place = place_name((int(first) // scores.shape[1], int(first) % scores.shape[1]))
    return place if place in answers else None


def read_replica(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The place whose cell is not like the others, which are all alike."""
    cells = cells_of(pictures[0])
    if cells is None:
        return None
    some = cells.reshape(-1, *cells.shape[2:])[:: cells.shape[1] - 1][:5]
    usual = np.median(some, axis=0).astype(np.int16)
    return stands_out(np.abs(cells - usual).mean((2, 3, 4)), answers)
