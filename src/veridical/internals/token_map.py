"""Which part of a picture each of its tokens stands for, as it was measured, and the file that keeps such maps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from veridical.base.files import os_errors, replace_atomically
from veridical.errors import InputError
from veridical.media.pictures import pixel_shares

PLACES = "places.parquet"
Size = tuple[int, int]
"""Width and height in pixels."""
_EDGES = ("x0", "y0", "x1", "y1")


@dataclass(frozen=True, eq=False)
class TokenMap:
    """The boxes of a picture's tokens, of shape (tokens, 4): x0, y0, x1, y1 in pixels of the picture, half-open.

    A token that sees no pixel has NaN. Boxes may overlap, as those of tiles and of a thumbnail of the whole do.
    """

    width: int
    height: int
    boxes: NDArray[np.float64]

    @cached_property
    def seen(self) -> NDArray[np.bool_]:
        """Which pixels any token sees, of shape (height, width)."""
        seen = np.zeros((self.height, self.width), np.bool_)
        for x0, y0, x1, y1 in self._rounded():
            seen[y0:y1, x0:x1] = True
        return seen

    @property
    def unseen(self) -> float:
        """The part of the picture that no token sees, from 0 to 1."""
        return float(1 - self.seen.mean())

    def spread(self, values: ArrayLike, grid: Size | None = None) -> NDArray[np.float64]:
        """A map of shape (height, width) of a grid, by default of the pixels: each token's value, evenly over its box.

        Its sum is that of the values of the tokens that see anything. Raises `InputError` for another number of values.

        >>> TokenMap(4, 2, np.array([[0.0, 0, 2, 2], [2, 0, 4, 2]])).spread([4, 1])[0]
        array([1.  , 1.  , 0.25, 0.25])
        """
        numbers, seeing = np.asarray(values, np.float64), np.isfinite(self.boxes).all(1)
        if numbers.shape != (len(self.boxes),):
            raise InputError(f"{len(self.boxes)} picture tokens need as many values, not {numbers.shape}")
        width, height = grid or (self.width, self.height)
        x0, y0, x1, y1 = self.boxes[seeing].T
        across = pixel_shares(width, x0 * width / self.width, x1 * width / self.width)
        down = pixel_shares(height, y0 * height / self.height, y1 * height / self.height)
        density = numbers[seeing] / (across.sum(1) * down.sum(1))
        spread: NDArray[np.float64] = (down * density[:, None]).T @ across
        return spread

    def seen_on(self, grid: Size) -> NDArray[np.float64]:
        """How much of each cell of a grid any token sees, 0 to 1, of shape (height, width) of the grid."""
        width, height = grid
        columns, rows = np.arange(width) * self.width / width, np.arange(height) * self.height / height
        across = pixel_shares(self.width, columns, columns + self.width / width)
        down = pixel_shares(self.height, rows, rows + self.height / height)
        share = down @ self.seen @ across.T / (across.sum(1) * down.sum(1)[:, None])
        return np.asarray(np.clip(share, 0.0, 1.0), np.float64)

    def _rounded(self) -> Iterator[list[int]]:
        return iter(np.rint(self.boxes[np.isfinite(self.boxes).all(1)]).astype(int).tolist())


class MapTable:
    """Maps by the size of their picture, in a Parquet file: a row for each token, with its box in pixels.

    A token that sees no pixel has nulls. With `layer`, the tokens are those of a layer of the tower. `failures` are of
    sizes that were measured in vain.
    """

    def __init__(self, path: Path, layer: int | None = None) -> None:
        self._path, self.layer = path, layer
        self.failures: dict[Size, Exception] = {}
        self._maps: dict[Size, TokenMap] = {}
        if path.exists():
            with os_errors(path, "read"):
                frame = pl.read_parquet(path)
            for (width, height), rows in frame.group_by("width", "height", maintain_order=True):
                boxes = rows.select(pl.col(_EDGES).fill_null(np.nan)).to_numpy()
                self._maps[width, height] = TokenMap(width, height, boxes)

    def missing(self, sizes: Sequence[Size]) -> list[Size]:
        """The sizes that have no map yet."""
        return [size for size in sizes if size not in self._maps]

    def map_of(self, width: int, height: int) -> TokenMap | None:
        """The map of a size of picture."""
        return self._maps.get((width, height))

    @property
    def maps(self) -> list[TokenMap]:
        """All maps, in the order in which they were measured."""
        return list(self._maps.values())

    def keep(self, measured: TokenMap) -> None:
        """Writes a map beside the others."""
        self._maps[measured.width, measured.height] = measured
        frame = pl.concat(_rows(each) for each in self._maps.values())
        with replace_atomically(self._path) as temporary:
            frame.write_parquet(temporary)


def _rows(each: TokenMap) -> pl.DataFrame:
    boxes = pl.DataFrame(each.boxes, schema=list(_EDGES)).fill_nan(None)
    numbered = pl.int_range(0, len(each.boxes), eager=True).alias("token")
    return boxes.select(pl.lit(each.width).alias("width"), pl.lit(each.height).alias("height"), numbered, *_EDGES)
