"""The measured maps of picture tokens in a file, each size of picture once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from veridical.base.files import os_errors, replace_atomically
from veridical.whitebox.inside import Inside
from veridical.whitebox.places import TokenMap, measured_map

_EDGES = ("x0", "y0", "x1", "y1")


class MapTable:
    """Maps by the size of their picture, in a Parquet file: a row for each token, with its box in pixels.

    A token that sees no pixel has nulls.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._maps: dict[tuple[int, int], TokenMap] = {}
        if path.exists():
            with os_errors(path, "read"):
                frame = pl.read_parquet(path)
            for (width, height), rows in frame.group_by("width", "height", maintain_order=True):
                boxes = rows.select(pl.col(_EDGES).fill_null(np.nan)).to_numpy()
                self._maps[width, height] = TokenMap(width, height, boxes)

    def missing(self, sizes: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """The sizes that have no map yet."""
        return [size for size in sizes if size not in self._maps]

    def map_of(self, inside: Inside, width: int, height: int) -> TokenMap:
        """The map of a size of picture, which is measured and written if there is none yet."""
        if (width, height) not in self._maps:
            self.keep(measured_map(inside, width, height))
        return self._maps[width, height]

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
