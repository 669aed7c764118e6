"""The stages of a run: which runs in its folder count, what they rest on, and the state of each stage.

A later stage is `WaitingStage` until its needs are answered, then `Ready`; once asked it is `FinishedStage`, and
`Stale` as soon as a reply that it was asked about has changed. All read that state from `Stages.state`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from veridical.ask import Run
from veridical.ask.outcomes import Attempts
from veridical.ask.responses import last_attempts
from veridical.ask.run_folder import stage_folders
from veridical.base.path_checks import RUN, remedy
from veridical.errors import InputError, unknown
from veridical.records import OUTCOMES, canonical, columns_of
from veridical.suite import registry
from veridical.suite.evidence import Evidence
from veridical.suite.record import Suite
from veridical.suite.stages import JUDGE, MODEL, PEOPLE, Stage
from veridical.verbs.runs.measured_sight import with_sight
from veridical.verbs.runs.places import require_stage, require_whole
from veridical.verbs.runs.spending import Spending

_T = TypeVar("_T")

PLANNED_ON = "planned_on"
"""The key of a start under which stands the digest of what its trials were made from."""


@dataclass(frozen=True)
class WaitingStage:
    """A stage that cannot be asked yet, and what it waits for; `missing`: replies of an earlier stage, to be asked."""

    stage: str
    role: str
    why: str
    missing: bool = False

    def __str__(self) -> str:
        return f"stage {self.stage} waits for {self.why}"


@dataclass(frozen=True)
class Ready:
    """A stage whose needs are answered: `below` has the run of each, which its trials are made from, of `stages`."""

    stage: Stage
    stages: Stages | None = None
    below: Mapping[str, Run] = field(default_factory=dict)

    @property
    def evidence(self) -> Evidence:
        """The outcomes of the stages that it needs."""
        return Evidence({need: partial(self.stages.outcomes, run) for need, run in self.below.items() if self.stages})

    @property
    def folders(self) -> dict[str, str]:
        """The folder's name of each run that it rests on; the first stage stands in the run's own folder."""
        root = self.stages.root.folder if self.stages else None
        return {need: run.folder.name for need, run in self.below.items() if run.folder != root}

    @property
    def digest(self) -> str | None:
        """The digest of all that its needs reply."""
        return self.stages.planned_on(self.below) if self.stages else None

    def waits(self, why: str | None = None) -> WaitingStage:
        """The stage as one that lacks whoever is to be asked, or something else."""
        return WaitingStage(self.stage.name, self.stage.role, why or lacks_model(self.stage))


class Stale(Ready):
    """A stage that is ready, and was asked before about replies that have changed since."""


class FinishedStage(Ready):
    """A stage that was asked about what its needs reply now."""


@dataclass(frozen=True)
class Choice:
    """What a start rests later stages on: a judge's model or folder, and the runs that it asked, by stage.

    With `accept_errors`, an error counts as a reply.
    """

    rests_on: str | None = None
    accept_errors: bool = False
    current: Mapping[str, Run] = field(default_factory=dict)


@dataclass(frozen=True)
class Stages:
    """The runs of all stages in a run folder, read when they are asked for."""

    root: Run
    suite: Suite

    @property
    def ordered(self) -> tuple[Stage, ...]:
        return self.suite.asking.ordered

    @cached_property
    def _read(self) -> dict[tuple[str, Path, str | None], Any]:
        return {}

    def _once(self, what: str, run: Run, read: Callable[[], _T], reader: str | None = None) -> _T:
        """What `read` gives, which is called once for each run and reader."""
        key = what, run.folder, reader
        if key not in self._read:
            self._read[key] = read()
        value: _T = self._read[key]
        return value

    @cached_property
    def runs(self) -> dict[str, list[Run]]:
        """All runs of each stage, those of one started last at the end; that of the first is the folder itself."""
        by_stage: dict[str, list[Run]] = {stage.name: [] for stage in self.ordered}
        first = self.ordered[0].name
        if (stated := self.root.identity.get("stage", first)) != first:
            problem = f"it is of stage '{stated}', in the place of stage '{first}'"
            raise InputError(f"{self.root.folder / RUN} is damaged: {problem}{remedy(self.root.folder)}")
        by_stage[first].append(self.root)
        for place in stage_folders(self.root.folder):
            stage = place.parent.name
            if stage in by_stage:
                run = Run.read(place)
                require_stage(run, self.root)
                by_stage[stage].append(run)
        return {name: sorted(runs, key=lambda run: run.started) for name, runs in by_stage.items()}

    def _begun(self, stage: str) -> list[Run]:
        """The runs of a stage less those that never got as far as a response, unless there are no others."""
        return [run for run in self.runs[stage] if run.begun] or self.runs[stage]

    @cached_property
    def counted(self) -> dict[str, list[Run]]:
        """The runs of each stage that figures are made from: of each model the one started last.

        A run that rests on one that does not count does not count either.
        """
        by_stage: dict[str, list[Run]] = {}
        for stage in self.ordered:
            folders = {need: {each.folder.name for each in runs} for need, runs in by_stage.items()}
            valid = [
                run
                for run in self._begun(stage.name)
                if all(name in folders.get(need, ()) for need, name in run.rests_on.items())
            ]
            by_stage[stage.name] = list({str(run.identity["model"]): run for run in valid}.values())
        return by_stage

    def state(self, stage: Stage, choice: Choice | None = None) -> WaitingStage | Ready:
        """How a stage stands: for whoever is to ask it, by a `choice` among the runs of its needs; else as it is read.

        Read, any run that counts will do for a need, and a stage that was asked is `FinishedStage` or `Stale`. Raises
        `InputError` where a choice does not say which of several models counts.
        """
        counted = self.counted[stage.name] if choice is None else []
        if any(self.is_up_to_date(run) for run in counted):
            return FinishedStage(stage)
        below: dict[str, Run] = {}
        for need in stage.needs:
            runs = self.counted[need] if choice is None else self._chosen(need, below, choice)
            held_up = self._held_up(need, runs, accept_errors=choice is not None and choice.accept_errors)
            if held_up is not None:
                return WaitingStage(stage.name, stage.role, *held_up)
            below[need] = runs[-1]
        return Stale(stage, self, below) if counted else Ready(stage, self, below)

    def waiting(self, lacking: Mapping[str, str]) -> Iterator[WaitingStage]:
        """The stages that were not asked about what their needs reply now; `lacking` has what each lacks, by stage."""
        for state in map(self.state, self.ordered[1:]):
            if isinstance(state, WaitingStage):
                yield state
            elif not isinstance(state, FinishedStage):
                yield state.waits(lacking.get(state.stage.name))

    def _held_up(self, need: str, runs: Sequence[Run], *, accept_errors: bool) -> tuple[str, bool] | None:
        """What a stage waits for that needs this one, and whether that is replies; `None` where a run is whole.

        An error is no reply unless errors are accepted. Of people nobody knows what is still to come.
        """
        if not runs:
            return f"stage {need}", False
        ready = [run for run in runs if self.is_up_to_date(run)]
        if not ready:
            return f"stage {need} to be asked about replies that have changed", False
        if any(stage.role == PEOPLE for stage in self.ordered if stage.name == need):
            return None
        short = min(run.missing(accept_errors=accept_errors) for run in ready)
        return (f"{short:,} missing {'reply' if short == 1 else 'replies'} of stage {need}", True) if short else None

    def _chosen(self, need: str, below: Mapping[str, Run], choice: Choice) -> list[Run]:
        """The run of a needed stage that a later one rests on, if there is any; of several models, the one named.

        It rests itself on the runs that are chosen already; one that was asked in this start counts before older ones
        of its model. Raises `InputError` where a name is needed and is missing, or is none of them.
        """
        current = choice.current.get(need)
        models = {str(current.identity["model"]): current} if current else {}
        for run in reversed(self._begun(need)):
            if all(below[name].folder.name == folder for name, folder in run.rests_on.items() if name in below):
                models.setdefault(str(run.identity["model"]), run)
        runs, named = list(models.values())[::-1], choice.rests_on
        if named is not None:
            fitting = [run for run in runs if named in (str(run.identity["model"]), run.folder.name)]
            if not fitting and len(runs) > 1:
                raise unknown(f"model of stage {need} for --rests-on", named, reversed(models))
            return (fitting or runs)[-1:]
        if len(runs) > 1:
            who = " and of ".join(reversed(models))
            raise InputError(f"stage {need} was asked of {who}: --rests-on says which counts for what follows")
        return runs

    def rested_on(self, run: Run) -> dict[str, Run]:
        """The run of each stage that a run's trials are made from."""
        first = self.ordered[0].name
        stage = next(each for each in self.ordered if each.name == run.identity.get("stage", first))
        below = {}
        for need in stage.needs:
            name = run.rests_on.get(need)
            of_need = [each for each in self.runs[need] if need == first or each.folder.name == name]
            if of_need:
                below[need] = of_need[-1]
        return below

    def is_up_to_date(self, run: Run) -> bool:
        """Whether a run's trials were planned on what the stages that it rests on reply now."""
        below = self.rested_on(run)
        return not below or (bool(run.executions) and run.executions[-1].get(PLANNED_ON) == self.planned_on(below))

    def planned_on(self, below: Mapping[str, Run]) -> str:
        """A digest of all that the runs which a stage rests on have replied."""
        digests = {need: self._digests(run).items() for need, run in below.items()}
        replied = {need: sorted((*key, digest) for key, digest in items) for need, items in digests.items()}
        return sha256(canonical(replied).encode()).hexdigest()[:16]

    def _digests(self, run: Run) -> dict[tuple[str, int], str]:
        """The digest of the response that counts to each trial and repeat of a run."""
        return self._once(
            "digests", run, lambda: {key: each.digest for key, each in last_attempts(run.attempts()).items()}
        )

    def _stale_ids(self, run: Run) -> set[str]:
        """The planned trials of a run that rest on replies which have changed since."""
        return self._once("stale", run, lambda: self._find_stale(run))

    def _find_stale(self, run: Run) -> set[str]:
        below = self.rested_on(run)
        if self.is_up_to_date(run) and not any(self._stale_ids(each) for each in below.values()):
            return set()
        held = {need: (self._digests(each), self._stale_ids(each)) for need, each in below.items()}
        stale = set()
        for trial in run.trials():
            for source in trial.sources:
                digests, older = held.get(source.stage, ({}, set()))
                if digests.get((source.trial, source.repeat)) != source.digest or source.trial in older:
                    stale.add(trial.id)
        return stale

    def stale(self, run: Run) -> int:
        """How many trials of a run with a reply rest on replies that have changed since; they are in no figure."""
        planned = self._stale_ids(run)
        replied = {trial for trial, _ in self._digests(run)} if planned else set()
        return len({trial.id for trial in run.stale()} | (planned & replied))

    def outcomes(self, run: Run, reader: str | None = None) -> pl.DataFrame:
        """The outcome table of a run, without trials that rest on replies which have changed since; it is read once."""
        return self._once("outcomes", run, lambda: self._read_outcomes(run, reader), reader)

    def forget(self, reader: str) -> None:
        """Drops the outcome tables by this reader, which are read anew when they are asked for again."""
        for key in [key for key in self._read if key[2] == reader]:
            del self._read[key]

    def _read_outcomes(self, run: Run, reader: str | None) -> pl.DataFrame:
        readers = self.suite.asking.readers
        accepted = {each.name for family in readers.values() for each in family}
        if reader is not None and reader not in accepted:
            raise unknown("reader", reader, accepted)
        readable = {each.name for name in run.families() for each in readers.get(name, ())} if reader else set()
        stale, default = self._stale_ids(run), None
        if reader is not None and not stale:  # the table by the default readers, if it was read before
            default = self._read.get(("outcomes", run.folder, None))
        attempts = None if reader in readable and default is not None else run.read_attempts()
        if attempts is not None:
            self.account(run, attempts)  # while they are in memory, so that they need not be read twice
        table = run.outcomes(readers, reader if reader in readable else None, default, attempts)
        kept = table.filter(~pl.col("trial").is_in(sorted(stale))) if stale else table
        own = run.identity["model"] == self.root.identity["model"]
        return with_sight(kept, self.root.folder) if own else kept

    def account(self, run: Run, attempts: Attempts | None = None) -> tuple[Spending, tuple[str, ...]]:
        """What a run sent and spent, and what is to be said of its stored responses."""

        def read() -> tuple[Spending, tuple[str, ...]]:
            stored = attempts or run.read_attempts()
            return Spending.of(run, stored), tuple(run.remarks(stored))

        return self._once("account", run, read)

    def evidence(self, reader: str | None = None) -> Evidence:
        """The outcomes of all stages, of the runs that count."""
        return Evidence({name: partial(self._together, tuple(runs)) for name, runs in self.counted.items()}, reader)

    def _together(self, runs: Sequence[Run], reader: str | None) -> pl.DataFrame:
        if not runs:
            return no_outcomes(self.suite)
        return pl.concat([self.outcomes(run, reader) for run in runs], how="diagonal_relaxed")


def no_outcomes(suite: Suite) -> pl.DataFrame:
    """The outcome table of a stage of a suite that nobody was asked in."""
    return pl.DataFrame(schema={**OUTCOMES, **columns_of(suite.design.factors)})


def whole_run(folder: Path | str) -> Run:
    """The run in a folder; raises `InputError` where there is none, and for a later stage, which is part of one."""
    run = Run.open(Path(folder))
    require_whole(run)
    return run


def record_of_run(run: Run) -> Suite:
    """The suite that a run is of; raises `InputError` if it is not available."""
    file = run.executions[-1].get("suite_file") if run.executions else None
    return registry.get(str(run.identity["suite"]), file)


def require_known(named: str | None, stages: Stages | None, models: Iterable[str] = ()) -> None:
    """Raises `InputError`, with the nearest name, where `rests_on` names nobody who was or is asked in any stage."""
    runs = [run for of_stage in stages.runs.values() for run in of_stage] if stages else []
    accepted = {*models, *(str(run.identity["model"]) for run in runs)}
    if named is not None and named not in accepted and named not in {run.folder.name for run in runs}:
        raise unknown("model for --rests-on", named, accepted)


def lacks_model(stage: Stage) -> str:
    """What a stage waits for whose role nobody has."""
    if stage.role == PEOPLE:
        return "people's answers: `veridical people read` reads them"
    flag = f"--{stage.role} " if stage.role in (MODEL, JUDGE) else f"--role {stage.role}="
    return f"a model in the role {stage.role}: {flag}M"
