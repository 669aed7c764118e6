"""Later stages of two runs, held to what both of them were asked about."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from veridical.ask import Run
from veridical.errors import InputError
from veridical.records import Json, Trial, canonical
from veridical.suite.asking import MODEL
from veridical.suite.evidence import Evidence
from veridical.verbs.comparison import shown_in
from veridical.verbs.result import RunResult


@dataclass(frozen=True)
class InCommon:
    """How many outcomes of a later stage two runs have in common, of how many in each."""

    stage: str
    common: int
    first: int
    second: int

    def __str__(self) -> str:
        return (
            f"stage {self.stage} is compared over the {self.common:,} replies that rest on the same sources in both, "
            f"of {self.first:,} and {self.second:,}"
        )


def in_common(first: RunResult, second: RunResult) -> tuple[Evidence, Evidence, list[InCommon]]:
    """The outcomes of two runs, in later stages of those trials alone that both have: media, sources, settings, repeat.

    A source is known by its own stimulus, settings, media, sources and repeat, never by an id, and a verdict by its
    judge too. Raises `InputError` where one run has two outcomes that cannot be told apart so.
    """
    places = [_Places(each) for each in (first, second)]
    tables: list[dict[str, pl.DataFrame]] = [{}, {}]
    stages = []
    for place, stage in enumerate(first.stages.ordered):
        both = [each.evidence().outcomes(stage.name) for each in (first, second)]
        if place > 0:
            keyed = [each.with_key(stage.name) for each in places]
            shared = set(keyed[0]["key"]) & set(keyed[1]["key"])
            stages.append(InCommon(stage.name, len(shared), len(keyed[0]), len(keyed[1])))
            both = [table.filter(pl.col("key").is_in(sorted(shared))).drop("key") for table in keyed]
        for table, of_run in zip(both, tables, strict=True):
            of_run[stage.name] = table
    return Evidence.of(tables[0]), Evidence.of(tables[1]), [each for each in stages if each.first or each.second]


@dataclass(frozen=True)
class _Places:
    """By what the outcomes of a run are known in another run of the same suite."""

    run: RunResult

    @cached_property
    def _trials(self) -> dict[Path, dict[str, Trial]]:
        return {}

    @cached_property
    def _keys(self) -> dict[tuple[Path, str], Json]:
        return {}

    def of(self, run: Run, trial: str) -> Json:
        """A trial by its stimulus, settings, media and sources; whoever is not under test is part of a source."""
        key = run.folder, trial
        if key not in self._keys:
            if run.folder not in self._trials:
                self._trials[run.folder] = {each.id: each for each in run.trials()}
            planned, below = self._trials[run.folder][trial], self.run.stages.rested_on(run)
            sources = [
                [each.stage, self.of(below[each.stage], each.trial), each.repeat, _who(below[each.stage])]
                for each in planned.sources
            ]
            self._keys[key] = [planned.stimulus, dict(planned.settings), shown_in(planned), sources]
        return self._keys[key]

    def with_key(self, stage: str) -> pl.DataFrame:
        """The outcomes of a stage with the column `key`."""
        tables = []
        for run in self.run.stages.counted[stage]:
            table = self.run.stages.outcomes(run)
            rows = table.select("trial", "repeat").iter_rows()
            keys = [canonical([self.of(run, trial), repeat, _who(run)]) for trial, repeat in rows]
            tables.append(table.with_columns(pl.Series("key", keys, pl.String)))
        whole = pl.concat(tables, how="diagonal_relaxed") if tables else self.run.evidence().outcomes(stage)
        whole = whole if tables else whole.with_columns(pl.lit(None, pl.String).alias("key"))
        if whole["key"].n_unique() < len(whole):
            raise InputError(f"{self.run.folder}: stage {stage} has two replies that runs cannot be compared by")
        return whole


def _who(run: Run) -> str | None:
    return None if run.identity.get("role", MODEL) == MODEL else str(run.identity["model"])
