"""Evidence: the outcomes of all stages of a run, the input of later stages' trials and of every estimate."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import polars as pl

from veridical.errors import unknown

Read = Callable[["str | None"], pl.DataFrame]
_REPLY = ("trial", "repeat")


@dataclass(frozen=True, repr=False)
class Evidence:
    """The outcome tables of a run by stage, the first stage's first; each is loaded when it is first used.

    A stage with several models, such as two judges, has the rows of all of them, distinguished by `model`. A stage that
    was not asked yet has no rows. `reader` replaces the default reader of each family that has one of this name.
    """

    stages: Mapping[str, Read]
    reader: str | None = None

    @classmethod
    def of(cls, tables: Mapping[str, pl.DataFrame]) -> Evidence:
        """Evidence from outcome tables, the first stage's first."""
        return cls({name: partial(_whatever_the_reader, table) for name, table in tables.items()})

    def __repr__(self) -> str:
        return f"<Evidence of the stages {', '.join(self.stages) or 'none'}>"

    def outcomes(self, stage: str | None = None, reader: str | None = None) -> pl.DataFrame:
        """The outcomes of a stage (default: the first); raises `InputError` for an unknown stage."""
        name = next(iter(self.stages)) if stage is None else stage
        if name not in self.stages:
            raise unknown("stage", name, self.stages)
        wanted = self.reader if reader is None else reader
        key = name, wanted
        if key not in self._read:
            self._read[key] = self.stages[name](wanted)
        return self._read[key]

    def of_repeat(self, repeat: int) -> Evidence:
        """The outcomes of one repeat: of all that rests on no reply, and of later stages what rests on these alone."""
        kept: dict[str, pl.DataFrame] = {}
        replies: set[tuple[str, str, int]] = set()
        for name in self.stages:
            rows = self.outcomes(name).select(*_REPLY, "sources")
            chosen = [
                replies.issuperset(sources) if sources else own == repeat
                for own, sources in zip(rows["repeat"], map(_stated, rows["sources"]), strict=True)
            ]
            kept[name] = rows.filter(pl.Series(chosen, dtype=pl.Boolean)).select(_REPLY)
            replies |= {(name, *reply) for reply in kept[name].iter_rows()}
        return Evidence({name: partial(self._chosen, name, only) for name, only in kept.items()}, self.reader)

    def of_families(self, families: Collection[str]) -> Evidence:
        """The outcomes of the stimuli of some families alone, in all stages."""
        return Evidence({name: partial(self._of_families, name, list(families)) for name in self.stages}, self.reader)

    def _of_families(self, stage: str, families: Sequence[str], reader: str | None) -> pl.DataFrame:
        return self.outcomes(stage, reader).filter(pl.col("family").is_in(families))

    def _chosen(self, stage: str, replies: pl.DataFrame, reader: str | None) -> pl.DataFrame:
        return self.outcomes(stage, reader).join(replies, on=_REPLY, how="semi", maintain_order="left")

    @cached_property
    def _read(self) -> dict[tuple[str, str | None], pl.DataFrame]:
        return {}


def _stated(sources: str | None) -> list[tuple[str, str, int]]:
    """The replies that a trial is made from, by stage, trial and repeat, from canonical JSON."""
    return [(each["stage"], each["trial"], each["repeat"]) for each in json.loads(sources or "[]")]


def _whatever_the_reader(table: pl.DataFrame, reader: str | None) -> pl.DataFrame:  # noqa: ARG001 (the table has been read)
    return table
