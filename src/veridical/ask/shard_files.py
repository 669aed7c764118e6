"""Joining the runs of shards: their trials and responses, in the order of a run that asked all base items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import polars as pl

from veridical.ask.log_archives import seekable_log, stored_path
from veridical.ask.responses import damaged_lines_error, lines_of
from veridical.ask.run_folder import RESPONSES, RunFolder
from veridical.ask.trial_table import WHOLE_ROW, marked_bytes, sources_of
from veridical.base.files import os_errors, replace_atomically
from veridical.base.garbage import no_collection
from veridical.errors import InputError
from veridical.records import rows_hash

SourceRows = Mapping[str, Mapping[str, int]]
"""The row of each trial in the merged table of each stage, by stage and id."""


class MergedTrials(NamedTuple):
    """The trials of all shards: those that are planned, in the order of all, and those that no longer are."""

    planned: pl.DataFrame
    stale: pl.DataFrame

    @property
    def content(self) -> bytes:
        """The file of trials."""
        return marked_bytes(self.planned, self.stale)

    @property
    def digest(self) -> str:
        """The hash of the planned rows."""
        return rows_hash(self.planned.iter_rows(named=True))

    def rows(self) -> dict[str, int]:
        """The row of each planned trial, by id."""
        return {trial: row for row, trial in enumerate(self.planned["id"])}


def merge_trials(runs: Sequence[RunFolder], rows: SourceRows) -> MergedTrials:
    """The trials of the same stage of all shards.

    They stand in the rows that their tables state. Trials that are made from replies stand in the order of the first
    reply that each is made from, in the merged tables of earlier stages. Raises `InputError` for a table that is
    damaged, and where rows are missing or occur twice.
    """
    tables = [run.marked_trials() for run in runs]
    planned, stale = (pl.concat([table[k] for table in tables], how="diagonal") for k in (0, 1))
    stale = stale.drop(WHOLE_ROW, strict=False)
    if WHOLE_ROW not in planned.columns:
        return MergedTrials(planned[_source_order(planned, rows)], stale)
    planned = planned.sort(WHOLE_ROW)
    if planned[WHOLE_ROW].to_list() != list(range(len(planned))):
        raise InputError(f"the trials of {', '.join(str(run.folder) for run in runs)} are not shards of one table")
    return MergedTrials(planned.drop(WHOLE_ROW), stale)


def _source_order(planned: pl.DataFrame, rows: SourceRows) -> list[int]:
    """The rows of trials in the order of their first sources."""
    firsts = [sources_of(text)[0] for text in planned["sources"]]
    places = [(rows[first.stage].get(first.trial, -1), first.repeat) for first in firsts]
    return sorted(range(len(places)), key=places.__getitem__)


def merge_responses(runs: Sequence[RunFolder], planned: pl.DataFrame, target: Path) -> None:
    """Writes the stored responses of all shards to a file, line for line, in the order of asking.

    That is by stimulus, repeat, trial and attempt; responses to trials that are not planned are last. A last line that
    was cut off is left out. Raises `InputError` for a line that is not a response, and if the file cannot be written.
    """
    paths = [path for run in runs if stored_path(path := run.folder / RESPONSES)]
    with no_collection():
        stored = sorted(_stored_lines(paths, _asking_order(planned)), key=lambda line: line.place)
    with os_errors(target, "written"), ExitStack() as opened:
        files = [opened.enter_context(seekable_log(path)) for path in paths]
        with replace_atomically(target) as place, place.open("wb") as file:
            for line in stored:
                files[line.file].seek(line.start)
                file.write(files[line.file].read(line.length))


class _StoredLine(NamedTuple):
    """Where a line stands: its place in the order of asking, and in which file."""

    place: tuple[int, int, int, int]
    file: int
    start: int
    length: int


def _stored_lines(paths: Sequence[Path], order: Mapping[str, tuple[int, int]]) -> Iterator[_StoredLine]:
    last = len(order)
    for number, path in enumerate(paths):
        stored = lines_of(path)
        for line in stored:
            response = line.response
            if response is None:
                raise damaged_lines_error(path, line, stored)
            stimulus, trial = order.get(response.trial, (last, last))
            place = (stimulus, response.repeat, trial, response.attempt)
            yield _StoredLine(place, number, line.start, len(line.content))


def _asking_order(planned: pl.DataFrame) -> dict[str, tuple[int, int]]:
    """The places of each trial's stimulus, and of the trial, in the order of asking, by id."""
    rows = planned.select("id", "stimulus", "place").sort("place", maintain_order=True)
    stimuli = {stimulus: place for place, stimulus in enumerate(rows["stimulus"].unique(maintain_order=True))}
    return {trial: (stimuli[stimulus], place) for place, (trial, stimulus, _) in enumerate(rows.iter_rows())}
