"""Evidence: the outcomes of all stages of a run, from which trials of later stages and every estimate are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import polars as pl

from veridical.errors import unknown

Read = Callable[["str | None"], pl.DataFrame]


@dataclass(frozen=True)
class Evidence:
    """The outcome tables of a run by stage, the first stage's first; each is read when it is asked for.

    A stage that several models were asked in, such as two judges, has the rows of all of them, apart by `model`. One
    that was not asked yet has no rows. `reader` reads in place of each family's default, where the family has it.
    """

    stages: Mapping[str, Read]
    reader: str | None = None

    @classmethod
    def of(cls, tables: Mapping[str, pl.DataFrame]) -> Evidence:
        """Evidence from tables that are read already, the first stage's first."""
        return cls({name: partial(_whatever_the_reader, table) for name, table in tables.items()})

    def outcomes(self, stage: str | None = None, reader: str | None = None) -> pl.DataFrame:
        """The outcomes of a stage (default: the first); raises `InputError` for one that there is not."""
        name = next(iter(self.stages)) if stage is None else stage
        if name not in self.stages:
            raise unknown("stage", name, self.stages)
        wanted = self.reader if reader is None else reader
        key = name, wanted
        if key not in self._read:
            self._read[key] = self.stages[name](wanted)
        return self._read[key]

    @cached_property
    def _read(self) -> dict[tuple[str, str | None], pl.DataFrame]:
        return {}


def _whatever_the_reader(table: pl.DataFrame, reader: str | None) -> pl.DataFrame:  # noqa: ARG001 (it is read already)
    return table
