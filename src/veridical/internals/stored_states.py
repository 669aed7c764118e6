"""A folder of states: what it holds, and its states read from disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import numpy as np
import polars as pl

from veridical.base.files import os_errors, read_json, require_format
from veridical.base.path_checks import sort_paths
from veridical.errors import InputError
from veridical.records import Json
from veridical.stats.resample import Floats

FORMAT = 1
_FIRST = 64
PARTS = "states/*.parquet"
PIXELS = "pixels"
"""The column of pooled pictures."""


def reading_identity(path: Path, name: str) -> Mapping[str, Json]:
    """What a reading is of, as its JSON file says; raises `InputError` for a damaged file and another format."""
    try:
        content = read_json(path)
    except ValueError as error:
        raise InputError(f"{path} is damaged: {error}") from error
    require_format(path, content, FORMAT, what=name, again=f"veridical whitebox {name}")
    if not isinstance(identity := content.get("identity"), dict):
        raise InputError(f"{path} is damaged: it does not say what it is of")
    return identity


@contextmanager
def intact_parts(folder: Path) -> Iterator[None]:
    """Reads of parts of tables in a folder raise `InputError` for a damaged one, with how it is made again."""
    parts = sort_paths(folder.glob("*.parquet"))
    remedy = "delete it, and the command that wrote it reads its rows again"
    with os_errors(folder, "read"):
        if empty := [path for path in parts if not path.stat().st_size]:  # Polars takes it for a table without rows
            raise InputError(f"{empty[0]} is empty: {remedy}")
        try:
            yield
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            damaged = next((path for path in parts if _is_damaged(path)), folder)
            raise InputError(f"{damaged} is damaged: {remedy}") from error


def _is_damaged(path: Path) -> bool:
    try:
        pl.read_parquet(path)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return True
    return False


class StoredStates:
    """A folder of states with the facts of its trials; raises `InputError` for another folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, stated = folder, folder / "states.json"
        if not stated.is_file() or not any(folder.glob(PARTS)):
            raise InputError(f"{folder} has no states: `veridical whitebox states` writes them")
        self.identity = reading_identity(stated, "states")
        with self._intact():
            self._scan = pl.scan_parquet(folder / PARTS)
            schema = self._scan.collect_schema()
            self.names = [name for name, kind in schema.items() if kind == pl.List]
            self.facts = self._scan.select(pl.exclude(self.names)).collect()

    def _intact(self) -> AbstractContextManager[None]:
        return intact_parts((self.folder / PARTS).parent)

    def sizes(self) -> dict[str, int]:
        """How many numbers each state has, by the first trials; 0 where they have none."""
        with self._intact():
            first = self._scan.select(pl.col(self.names).list.len().fill_null(0)).head(_FIRST).collect()
        return {name: int(first[name].max() or 0) for name in self.names}  # type: ignore[arg-type]

    def matrix(self, name: str) -> Floats | None:
        """A state of all trials, shape (trials, size), NaN where there is none; `None` if trials differ in size."""
        with self._intact():
            column = self._scan.select(name).collect()[name]
        sizes = column.list.len().drop_nulls().unique()
        if len(sizes) != 1:
            return None
        matrix = np.full((len(column), sizes[0]), np.nan)
        matrix[column.is_not_null().to_numpy()] = column.drop_nulls().explode().to_numpy().reshape(-1, sizes[0])
        return matrix

    def require_control(self, other: StoredStates) -> None:
        """Raises `InputError` if others are not those of random weights for the same trials."""
        if other.identity.get("random_weights") is None:
            raise InputError(
                f"{other.folder} has states of trained weights: `states --random-weights` writes the control"
            )
        if differ := [
            name for name in ("model", "set", "trials") if self.identity.get(name) != other.identity.get(name)
        ]:
            raise InputError(f"{other.folder} and {self.folder} have states that differ in {', '.join(differ)}")
