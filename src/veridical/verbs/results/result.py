"""A run on disk, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import polars as pl

from veridical.ask import Run
from veridical.base.files import replace_atomically
from veridical.errors import InputError
from veridical.records import Counts, Estimate, Estimates, Json
from veridical.report import Exhibits, write_figures, write_tables
from veridical.report.runs import cannot_be_asked, is_score
from veridical.report.table_files import tables_of
from veridical.suite.evidence import Evidence
from veridical.suite.opening import Opening
from veridical.suite.record import Suite
from veridical.suite.results import Figure, OtherReading, Result
from veridical.suite.rounds_taken import RoundsTaken, adaptive_suite
from veridical.suite.sequential import SEQUENTIAL, STOP_AT
from veridical.suite.stages import MODEL
from veridical.suite.unanswered_replies import UnansweredReplies, unanswered_by_reason
from veridical.verbs.results.status import StageResult, Status, fingerprint, read_status, write_status
from veridical.verbs.runs.measured_sight import sight_remarks
from veridical.verbs.runs.roster import Roster
from veridical.verbs.runs.spending import Spending
from veridical.verbs.runs.stage_states import Stages, WaitingStage, record_of_run, whole_run

_SEEN = {"trial": "sees the trial's id", "run": "reads the truth"}
"""How tables mark an observer that sees more than messages."""
_OUTCOMES = "outcomes.parquet"
_READ = ("status", "answer", "correct")


@dataclass(frozen=True, repr=False)
class RunResult:
    """A run on disk with what follows from it; everything is made anew from the stored replies.

    `lacking` says, by stage, what stages lacked when they were to be asked.
    """

    run: Run
    lacking: Mapping[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        return self.run.folder

    @property
    def model(self) -> str:
        return str(self.run.identity["model"])

    @cached_property
    def suite(self) -> Suite:
        """The suite, as it shows a run whose questions were chosen by replies if this is one."""
        suite, taken = record_of_run(self.run), self.rounds
        return adaptive_suite(suite) if taken is not None and taken.adaptive else suite

    @cached_property
    def rounds(self) -> RoundsTaken | None:
        """What a run that asked in rounds came to when its latest round ended; `None` for any other run."""
        goal = self.run.identity.get(STOP_AT)
        stored = [each[SEQUENTIAL] for each in self.run.executions if SEQUENTIAL in each]
        return RoundsTaken.of(str(goal), stored[-1]) if goal and stored else None

    @cached_property
    def _read_from(self) -> str:
        """The fingerprint of the files before anything was read from them."""
        return fingerprint(self.folder, self.suite)

    @cached_property
    def stages(self) -> Stages:
        """The runs of all stages as they stand in the folder."""
        self._read_from  # noqa: B018 (before anything is read)
        return Stages(self.run, self.suite)

    @cached_property
    def staged(self) -> list[StageResult]:
        """What every model was asked in every stage, in the order of the stages."""
        if self._stored is not None:
            return self._stored.stages
        return [self._staged(run) for runs in self.stages.runs.values() for run in runs]

    @cached_property
    def waiting(self) -> list[WaitingStage]:
        """The stages that were not asked yet, and what each waits for."""
        if self._stored is not None and not self.lacking:
            return self._stored.waiting
        return list(self.stages.waiting(self.lacking))

    @cached_property
    def _stored(self) -> Status | None:
        return read_status(self.folder, self._read_from)

    @property
    def analyzed(self) -> bool:
        """Whether outcomes and tables are those of the stored replies, as the default readers read them."""
        written = all((self.folder / name).exists() for name in (_OUTCOMES, "tables"))
        return written and self._stored is not None and self._stored.analyzed

    def store_status(self, *, analyzed: bool | None = None) -> None:
        """Stores how the stages stand, so that it need not be counted again; not where files changed meanwhile.

        `analyzed` says whether outcomes and tables were written as the default readers read (default: as before).
        """
        before = read_status(self.folder, self._read_from)
        if before is None or analyzed not in (None, before.analyzed):
            status = Status(self.staged, list(self.stages.waiting({})), bool(analyzed))
            unchanged = Run.open(self.folder) == self.run and fingerprint(self.folder, self.suite) == self._read_from
            if unchanged:
                write_status(self.folder, status, self._read_from)

    def evidence(self, reader: str | None = None) -> Evidence:
        """The outcomes of all stages; `reader` as in `outcomes`."""
        return self._evidence if reader is None else self.stages.evidence(reader)

    @cached_property
    def _evidence(self) -> Evidence:
        return self.stages.evidence()

    def outcomes(self, reader: str | None = None, stage: str | None = None) -> pl.DataFrame:
        """The outcome table of a stage (default: the first): one row per planned trial and repeat.

        It has the columns of `records.OUTCOMES` and more. `reader` names a reader to read with in place of the default
        ones, in the families that have it.
        """
        return self.evidence(reader).outcomes(stage)

    def frame(self, reader: str | None = None, stage: str | None = None) -> pl.DataFrame:
        """The run as a table: its `outcomes`."""
        return self.outcomes(reader, stage)

    def figures(self) -> list[Figure]:
        """The suite's figures of this run; a notebook shows each as a picture."""
        return self.suite.presentation.figures([self.result()])

    def tables(self) -> dict[str, pl.DataFrame]:
        """The suite's tables of this run by name, as `tables/*.csv` has them."""
        return {table.name: table.frame() for table in tables_of(self.suite, [self.result()])}

    def opening(self) -> Opening | None:
        """What a report on this run says first, such as a verdict; `None` where the suite has no such thing."""
        return self.suite.presentation.opening([self.result()])

    def __repr__(self) -> str:
        identity = self.run.identity
        return f"<RunResult {identity.get('model')} on {identity.get('suite')}: {self.folder}>"

    def _staged(self, run: Run) -> StageResult:
        name = str(run.identity.get("stage", self.stages.ordered[0].name))
        table = self.stages.outcomes(run)
        spending, remarks = self.stages.account(run)
        return StageResult(
            stage=name,
            role=str(run.identity.get("role", MODEL)),
            model=str(run.identity["model"]),
            folder=run.folder,
            counts=Counts.of(table),
            not_asked=cannot_be_asked(table),
            stale=self.stages.stale(run),
            counted=run.folder in {each.folder for each in self.stages.counted[name]},
            spending=spending,
            unanswered=unanswered_by_reason(table),
            remarks=remarks,
            connections=run.connections,
        )

    @cached_property
    def counts(self) -> Counts:
        return Counts.of(self.outcomes())

    @property
    def not_asked(self) -> dict[str, int]:
        """Why trials cannot be asked at all, and how many; what is only not asked yet is not among them."""
        return cannot_be_asked(self.outcomes())

    @property
    def complete(self) -> bool:
        """Whether every planned trial that can be asked was asked, in every stage, and none ended in an error.

        A stage that nobody has the role for, or that is asked of people, makes no run incomplete.
        """
        return all(each.complete for each in self.staged if each.counted) and not any(w.missing for w in self.waiting)

    @property
    def stopped(self) -> str | None:
        """What ended the latest start before it had asked everything: the limit that it reached, or "interrupted"."""
        ended = self._ended()
        return "interrupted" if ended.get("interrupted") else ended.get("limit") and str(ended["limit"])

    @property
    def remarks(self) -> list[str]:
        """What is to be said of the stored responses, stage by stage, and of what the model was measured not to see."""
        several = len(self.stages.ordered) > 1
        stored = [
            f"stage {each.stage}, {each.model}: {line}" if several else line
            for each in self.staged
            for line in each.remarks
        ]
        return [*stored, *sight_remarks(self.folder)]

    def unanswered(self, reader: str | None = None) -> UnansweredReplies:
        """Why replies of the first stage have no answer, with samples; `reader` as in `outcomes`."""
        return unanswered_by_reason(self.outcomes(reader))

    def warnings(self, reader: str | None = None) -> list[str]:
        """Each stage of which more than 5 % of the replies have no answer: share, reasons, and samples, a line each."""
        several = len(self.stages.ordered) > 1
        texts = []
        for each in self.staged:
            first = each.folder == self.folder
            trouble = self.unanswered(reader) if first and reader is not None else each.unanswered
            if each.counted and trouble.many:
                stage = f", stage {each.stage}" if several else ""
                lines = "\n".join(trouble.lines())
                texts.append(f"{each.model}{stage}: {lines}")
        return texts

    @property
    def cache_problem(self) -> str | None:
        """Why the latest start gave up its cache of replies, if it did."""
        problem = self._ended().get("cache_problem")
        return None if problem is None else str(problem)

    def _ended(self) -> dict[str, Json]:
        latest = max(
            (run.executions[-1] for runs in self.stages.runs.values() for run in runs if run.executions),
            key=lambda execution: str(execution.get("started", "")),
            default={},
        )
        ended = latest.get("ended")
        return ended if isinstance(ended, dict) else {}

    def spending(self) -> Spending:
        """What all starts of all stages together sent and spent."""
        return Spending.together([each.spending for each in self.staged])

    def estimates(self, reader: str | None = None) -> Estimates:
        """The suite's estimates, each with interval, counts and method; `reader` as in `outcomes`."""
        return Estimates(self._estimates if reader is None else self.suite.analysis.estimates(self.evidence(reader)))

    @cached_property
    def _estimates(self) -> list[Estimate]:
        return self.suite.analysis.estimates(self._evidence)

    def estimates_by_repeat(self, reader: str | None = None) -> dict[int, Estimates]:
        """The suite's estimates of each repeat alone; `reader` as in `outcomes`."""
        evidence = self.evidence(reader)
        repeats = sorted(evidence.outcomes()["repeat"].unique())
        return {k: Estimates(self.suite.analysis.estimates(evidence.of_repeat(k))) for k in repeats}

    @cached_property
    def otherwise(self) -> list[OtherReading]:
        """The replies as other readers of their families read them, for each that reads any of them otherwise."""
        counted = [run for runs in self.stages.counted.values() for run in runs]
        families, readers = {name for run in counted for name in run.families()}, self.suite.asking.readers
        beside = [each for name in readers if name in families for each in readers[name][1:] if not each.special]
        readings = []
        for reader in dict.fromkeys(each.name for each in beside):
            evidence = self.evidence(reader)
            if any(_differ(self._evidence.outcomes(name), evidence.outcomes(name)) for name in evidence.stages):
                estimates = self.suite.analysis.estimates(evidence)
                readings.append(OtherReading(reader=reader, counts=Counts.of(evidence.outcomes()), estimates=estimates))
            self.stages.forget(reader)  # of a large run, each is half a gigabyte
        return readings

    def result(self, roster: Roster | None = None, reader: str | None = None) -> Result:
        """The run as the suite's tables and figures take it, with what is stated of its model; `reader` as above."""
        about = roster.of(self.model) if roster else None
        seen = self.run.identity.get("sees", "messages")
        name = self.model if seen == "messages" else f"{self.model} ({_SEEN.get(str(seen), str(seen))})"
        sampling = self.run.identity.get("sampling") or {}
        tables = self.outcomes(reader), self.estimates(reader), about, self.evidence(reader), sampling
        return Result(name, *tables, run=self.run.folder.resolve().name, rounds=self.rounds)


def open_run(folder: RunResult | Path | str) -> RunResult:
    """The run in a folder; raises `InputError` where there is none, and for a later stage, which is part of one."""
    return folder if isinstance(folder, RunResult) else RunResult(whole_run(folder))


def refresh(
    result: RunResult,
    roster: Roster | None = None,
    *,
    reader: str | None = None,
    figures: bool = False,
    kept: bool = True,
) -> Exhibits:
    """The run's tables and figures, after they were written to `tables/` and, with a report, to `figures/`.

    `outcomes.parquet` and how the run stands are written as well, whatever state the files were in.

    Figures that were drawn before are drawn anew in any case, since they would be of what the run was then. `reader`
    reads in place of the default ones. Unless they must be `kept`, a folder that cannot be written stays as it is.
    """
    exhibits = Exhibits(result.suite, [result.result(roster, reader)])
    with written_to(result.folder) if kept else suppress(OSError):
        result.store_status(analyzed=False)
        for runs in result.stages.runs.values():
            for run in runs:
                with replace_atomically(run.folder / _OUTCOMES) as place:
                    result.stages.outcomes(run, reader).write_parquet(place)
        write_tables(exhibits, result.folder / "tables")
        place = result.folder / "figures"
        if figures or place.exists():
            write_figures(exhibits, place)
        result.store_status(analyzed=roster is None and reader is None)
    return exhibits


@contextmanager
def written_to(folder: Path) -> Iterator[None]:
    """Turns an `OSError` into an `InputError` that says what helps where a run's files cannot be written."""
    try:
        yield
    except IsADirectoryError as error:
        remedy = f"`veridical repair {folder}` sets it aside"
        raise InputError(f"{error.filename} is a folder, in the place of a file: {remedy}") from error
    except OSError as error:
        remedy = f"`veridical report {folder} --out FILE` writes a report elsewhere"
        raise InputError(f"{folder} cannot be written: {error.strerror or error}; {remedy}") from error


def _differ(default: pl.DataFrame, other: pl.DataFrame) -> bool:
    """Whether two readings of the same replies differ in a status, an answer, a mark or a score."""
    # Compared are these columns alone, one at a time: two whole tables would be in memory once more each.
    scores = [name for name in default.columns if is_score(name)]
    if scores != [name for name in other.columns if is_score(name)]:
        return True
    return any(not default[name].equals(other[name], null_equal=True) for name in (*_READ, *scores))
