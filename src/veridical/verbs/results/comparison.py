"""What two runs have in common, also in later stages, and what comparing them or reading one anew comes to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import polars as pl

from veridical.ask import Run
from veridical.errors import InputError
from veridical.records import OUTCOMES, Estimate, Estimates, Json, Media, Trial, canonical
from veridical.suite.evidence import Evidence
from veridical.suite.stages import MODEL
from veridical.verbs.results.result import RunResult

_READING = ("trial", "repeat", "attempt", "reader", "reader_version", "status", "answer")
_SAME = ("trial", "repeat", "attempt")


@dataclass(frozen=True, kw_only=True, repr=False)
class Changes:
    """How the readings of a run differ from those stored before.

    Of `replies` (errors are among them), `compared` have a stored reading; of these, `statuses` have another status now
    and `answers` another answer. `moves` counts the changed ones by status before and status now. `before` and `now`
    are the readers, as `NAME VERSION`. `problem` says why nothing was stored that could be compared.
    """

    replies: int
    compared: int
    statuses: int
    answers: int
    moves: list[tuple[str, str, int]]
    before: list[str]
    now: list[str]
    problem: str | None

    def frame(self) -> pl.DataFrame:
        """The `moves` as a table: status before, status now, replies."""
        schema = {"before": pl.String, "now": pl.String, "replies": pl.Int64}
        return pl.DataFrame(self.moves, schema=schema, orient="row")

    def __repr__(self) -> str:
        if self.problem:
            return f"<Changes unknown: {self.problem}>"
        return f"<Changes: {self.statuses:,} statuses and {self.answers:,} answers of {self.compared:,} replies>"


def changes(stored: Path, outcomes: pl.DataFrame) -> Changes:
    """How an outcome table differs from the one in a file; a reply that came since then is not compared."""
    problem = None
    try:
        before = stored_readings(stored)
    except InputError as error:
        before, problem = outcomes.select(_READING).clear(), str(error)
    same = before.join(outcomes.select(_READING), on=list(_SAME), suffix="_now")
    status, answer = (pl.col(name).ne_missing(pl.col(f"{name}_now")) for name in ("status", "answer"))
    moves = same.filter(status | answer).group_by("status", "status_now").len().sort("status", "status_now")
    return Changes(
        replies=outcomes.select(pl.col("status").count()).item(),
        compared=len(same),
        statuses=len(same.filter(status)),
        answers=len(same.filter(answer)),
        moves=moves.rows(),
        before=readers(before),
        now=readers(outcomes),
        problem=problem,
    )


def stored_readings(path: Path) -> pl.DataFrame:
    """The readings in a stored outcome table, a row per reply; raises `InputError` where there are none to be had."""
    try:
        stored = pl.read_parquet(path, glob=False, columns=list(_READING)).select(_READING)
    except FileNotFoundError:
        raise InputError(f"{path} is missing") from None
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise InputError(f"{path} cannot be read: {str(error).splitlines()[0]}") from error
    if any(stored.schema[name] != OUTCOMES[name] for name in _READING):
        raise InputError(f"{path} is no outcome table: its columns are of other types")
    if stored.select("trial", "repeat").is_duplicated().any():
        raise InputError(f"{path} is no outcome table: it has a trial twice")
    return stored.filter(pl.col("status").is_not_null())


def readers(outcomes: pl.DataFrame) -> list[str]:
    """The readers that read an outcome table, as `NAME VERSION`."""
    read = outcomes.filter(pl.col("reader_version").is_not_null())
    return [f"{name} {version}" for name, version in sorted(set(read.select("reader", "reader_version").rows()))]


def common_trials(first: Run, second: Run) -> list[tuple[Trial, Trial]]:
    """The trials that two runs both have, in the first run's order, as each has them: their wordings may differ.

    Raises `InputError` where a trial of one name has other pictures, factors or truth in the second run, where no trial
    is in both, and where the runs have other repeats.
    """
    both = shared_trials(first, second)
    if first.repeats != second.repeats:
        raise InputError(f"{first.folder} has repeats {first.repeats}, {second.folder} {second.repeats}: one is needed")
    return both


def shared_trials(first: Run, second: Run) -> list[tuple[Trial, Trial]]:
    """As `common_trials`, of runs that may have other repeats."""
    mine, theirs = ({trial.id: trial for trial in run.trials()} for run in (first, second))
    both = [(trial, theirs[name]) for name, trial in mine.items() if name in theirs]
    other = [place_of(a) for a, b in both if _shown(a) != _shown(b)]
    if other or not both:
        line = f"{first.folder} and {second.folder} differ in their trials"
        lacking = f"{len(mine):,} in the first and {len(theirs):,} in the second, none in both"
        clash = f"{len(other):,} in both, with other pictures, factors or truth ({first_names(other)})"
        raise InputError(f"{line}: {clash if other else lacking}{_other_rules(first, second)}")
    return both


def _shown(trial: Trial) -> tuple[Trial, list[str]]:
    """All of a trial but its wording, and its pictures."""
    return replace(trial, messages=(), prompt=""), media_hashes(trial)


def _other_rules(first: Run, second: Run) -> str:
    """The rules that derived media for one of two runs alone, for a line; empty if there are none."""
    mine, theirs = (run.identity.get("derived", {}) for run in (first, second))
    if mine.keys() == theirs.keys():
        return ""
    first_only, second_only = (
        " and ".join(f"{rule['name']} {canonical(rule['arguments'])}" for k, rule in some.items() if k not in others)
        or "none"
        for some, others in ((mine, theirs), (theirs, mine))
    )
    return f"; media were derived by other rules: {first_only} for the first, {second_only} for the second"


def place_of(trial: Trial) -> str:
    """The stimulus and the settings of a trial, for people."""
    settings = ", ".join(f"{name} {level}" for name, level in sorted(trial.settings.items()))
    return f"{trial.stimulus} ({settings})" if settings else trial.stimulus


def first_names(names: Sequence[str]) -> str:
    """The first three of some names, for a line.

    >>> first_names(["a", "b", "c", "d"])
    "'a', 'b', 'c', …"
    """
    return ", ".join([f"'{name}'" for name in names[:3]] + ["…"] * (len(names) > 3))


def media_hashes(trial: Trial) -> list[str]:
    """The hashes of the pixels of the media that a trial shows, in order."""
    parts = [part for message in trial.messages for part in message.parts]
    return [part.sha256 for part in parts if isinstance(part, Media)]


class Comparison(Estimates):
    """The paired differences of two runs, second − first; `notes` says what to know beside them."""

    def __init__(self, differences: Iterable[Estimate], first: RunResult, second: RunResult, notes: list[str]) -> None:
        super().__init__(differences)
        self.first, self.second, self.notes = first, second, notes

    def __repr__(self) -> str:
        return f"<Comparison, {self.second.model} − {self.first.model}: {super().__repr__()[1:-1]}>"


@dataclass(frozen=True, repr=False)
class RescoredRun:
    """A `run` read anew, and its `changes` against what was stored before."""

    run: RunResult
    changes: Changes

    def frame(self) -> pl.DataFrame:
        """How many replies moved from which status to which, one row each."""
        return self.changes.frame()

    def __repr__(self) -> str:
        return f"<RescoredRun {self.run.folder}: {self.changes!r}>"


@dataclass(frozen=True)
class OutcomeOverlap:
    """How much of a stage two runs have in common, of how much in each.

    Of the first stage these are trials, and of a later one replies that rest on the same sources in both.
    """

    stage: str
    common: int
    first: int
    second: int
    later: bool

    @property
    def whole(self) -> bool:
        """Whether both runs have the same."""
        return self.common == self.first == self.second

    def __str__(self) -> str:
        words = f"of {self.first:,} and {self.second:,}"
        if self.later:
            sources = "replies that rest on the same sources in both"
            return f"stage {self.stage} is compared over the {self.common:,} {sources}, {words}"
        return f"compared over the {self.common:,} trials that both runs have, {words}"


def common_outcomes(
    first: RunResult, second: RunResult, both: Sequence[tuple[Trial, Trial]] | None = None
) -> tuple[Evidence, Evidence, list[OutcomeOverlap]]:
    """The outcomes of two runs in the trials that both have, `both` as `common_trials` gives them.

    In later stages they are those of the trials with the same media, sources, settings and repeat. A source is known by
    its own stimulus, settings, media, sources and repeat, never by an id, and a verdict by its judge too. Raises
    `InputError` where one run has two outcomes that cannot be told apart so.
    """
    trials = {a.id for a, _ in (common_trials(first.run, second.run) if both is None else both)}
    places = [_Places(each) for each in (first, second)]
    tables: list[dict[str, pl.DataFrame]] = [{}, {}]
    stages = []
    for place, stage in enumerate(first.stages.ordered):
        later = place > 0
        keyed = [each.with_key(stage.name) if later else each.by_trial() for each in places]
        shared = set(keyed[0]["key"]) & set(keyed[1]["key"]) if later else trials
        mine, theirs = (each["key"].n_unique() for each in keyed)
        stages.append(OutcomeOverlap(stage.name, len(shared), mine, theirs, later))
        for table, of_run in zip(keyed, tables, strict=True):
            of_run[stage.name] = table.filter(pl.col("key").is_in(sorted(shared))).drop("key")
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
            self._keys[key] = [planned.stimulus, dict(planned.settings), media_hashes(planned), sources]
        return self._keys[key]

    def by_trial(self) -> pl.DataFrame:
        """The outcomes of the first stage with the column `key`, which is the trial."""
        return self.run.evidence().outcomes().with_columns(pl.col("trial").alias("key"))

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
