"""What a run's model sees of critical regions, as it was measured, beside the run's outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from veridical.base.files import os_errors
from veridical.base.path_checks import INSIDE
from veridical.errors import InputError
from veridical.records import CRITICAL_SEEN
from veridical.suite.unseen_regions import LEAST_SEEN

REGIONS = "places-critical.parquet"
"""The file in it with what the model sees of the critical region of each stimulus."""
_COLUMNS = pl.Schema({"model": pl.String(), "stimulus": pl.String(), CRITICAL_SEEN: pl.Float64()})


def with_sight(outcomes: pl.DataFrame, folder: Path) -> pl.DataFrame:
    """The outcomes with `CRITICAL_SEEN`, where it was measured for the run in this folder.

    Raises `InputError` for a file that cannot be read.
    """
    shares = _measured(folder)
    if shares is None:
        return outcomes
    seen = pl.col("stimulus").replace_strict(shares["stimulus"], shares[CRITICAL_SEEN], default=None)
    return outcomes.with_columns(seen.cast(pl.Float64).alias(CRITICAL_SEEN))


def sight_remarks(folder: Path) -> Iterator[str]:
    """A line on what the model of the run in this folder does not see, if it was measured."""
    shares = _measured(folder)
    if shares is not None and len(shares):
        unseen, stated = (shares[CRITICAL_SEEN] < LEAST_SEEN).sum(), shares[CRITICAL_SEEN].count()
        sees = f"{shares['model'][0]} sees less than half of a critical region"
        yield f"{sees} in {unseen:,} of {stated:,} stimuli that have one (measured: {INSIDE}/{REGIONS})"


def _measured(folder: Path) -> pl.DataFrame | None:
    path = folder / INSIDE / REGIONS
    if not path.exists():
        return None
    with os_errors(path, "read"):
        try:
            regions = pl.read_parquet(path, columns=list(_COLUMNS))
            return regions.cast(_COLUMNS).unique("stimulus", maintain_order=True)
        except pl.exceptions.PolarsError as error:
            remedy = f"delete it, and `veridical whitebox places {folder}` measures it again"
            raise InputError(f"{path} is no table of critical regions: {remedy}") from error
