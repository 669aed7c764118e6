"""Later stages of two runs, held to what both of them were asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from veridical.errors import InputError
from veridical.records import Json, Trial, canonical
from veridical.suite.asking import MODEL
from veridical.suite.evidence import Evidence
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
    """The outcomes of two runs, in later stages of those trials alone whose sources, settings and repeat both have.

    A source is known by its own stimulus, settings, sources and repeat, never by an id; a verdict by its judge as well.
    Raises `InputError` where one run has two outcomes that cannot be told apart so.
    """
    places = [_Places(each) for each in (first, second)]
    tables: list[dict[str, pl.DataFrame]] = [{}, {}]
    found = []
    for place, stage in enumerate(first.stages.ordered):
        both = [each.evidence().outcomes(stage.name) for each in (first, second)]
        if place > 0:
            keyed = [each.with_key(stage.name, table) for each, table in zip(places, both, strict=True)]
            shared = set(keyed[0]["key"]) & set(keyed[1]["key"])
            found.append(InCommon(stage.name, len(shared), len(keyed[0]), len(keyed[1])))
            both = [table.filter(pl.col("key").is_in(sorted(shared))).drop("key") for table in keyed]
        for table, of_run in zip(both, tables, strict=True):
            of_run[stage.name] = table
    return Evidence.of(tables[0]), Evidence.of(tables[1]), [each for each in found if each.first or each.second]


@dataclass(frozen=True)
class _Places:
    """By what the outcomes of a run are known in another run of the same suite."""

    run: RunResult

    @cached_property
    def _trials(self) -> Mapping[tuple[str, str], Trial]:
        runs = [(name, each) for name, of_stage in self.run.stages.counted.items() for each in of_stage]
        return {(name, trial.id): trial for name, each in runs for trial in each.trials()}

    @cached_property
    def _known(self) -> dict[tuple[str, str], Json]:
        return {}

    def of(self, stage: str, trial: str) -> Json:
        if (stage, trial) not in self._known:
            found = self._trials[stage, trial]
            sources = [[each.stage, self.of(each.stage, each.trial), each.repeat] for each in found.sources]
            self._known[stage, trial] = [found.stimulus, dict(found.settings), sources]
        return self._known[stage, trial]

    def with_key(self, stage: str, table: pl.DataFrame) -> pl.DataFrame:
        of_model = next(each.role for each in self.run.stages.ordered if each.name == stage) == MODEL
        rows = table.select("trial", "repeat", "model").iter_rows()
        keys = [canonical([self.of(stage, trial), repeat, None if of_model else who]) for trial, repeat, who in rows]
        if len(set(keys)) < len(keys):
            raise InputError(f"{self.run.folder}: stage {stage} has two replies that runs cannot be compared by")
        return table.with_columns(pl.Series("key", keys, pl.String))
