"""The stages of a run as they stand in its folder: which runs count, what they rest on, and what has become stale."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path

import polars as pl

from veridical.ask import Run
from veridical.ask.folder import STAGES
from veridical.ask.outcomes import Attempts
from veridical.ask.responses import last_attempts
from veridical.base.places import RUN
from veridical.errors import InputError, unknown
from veridical.records import OUTCOMES, Json, canonical, columns_of
from veridical.suite.asking import Stage
from veridical.suite.evidence import Evidence
from veridical.suite.record import Suite
from veridical.verbs.spending import Account

_LONGEST_SLUG = 40

PLANNED_ON = "planned_on"
"""The key of a start under which stands the digest of what its trials were made from."""


def folder_of(root: Path, stage: Stage, identity: Mapping[str, Json]) -> Path:
    """Where a later stage stands: by its name, the model's, and the identity of what is asked."""
    digest = sha256(canonical(dict(identity)).encode()).hexdigest()[:8]
    return root / STAGES / stage.name / f"{slug_of(str(identity['model']))}-{digest}"


def slug_of(model: str) -> str:
    """A model's name as the beginning of a folder's name.

    >>> slug_of("Qwen/Qwen2.5-VL:free")
    'Qwen-Qwen2.5-VL-free'
    """
    return re.sub(r"[^A-Za-z0-9._-]+", "-", model)[:_LONGEST_SLUG].strip("-.") or "model"


@dataclass(frozen=True)
class Stages:
    """The runs of all stages in a run folder, read when they are asked for."""

    root: Run
    suite: Suite

    @property
    def ordered(self) -> tuple[Stage, ...]:
        return self.suite.asking.ordered

    @cached_property
    def runs(self) -> dict[str, list[Run]]:
        """All runs of each stage, those of one started last at the end; that of the first is the folder itself."""
        by_stage: dict[str, list[Run]] = {stage.name: [] for stage in self.ordered}
        first = self.ordered[0].name
        by_stage[first].append(_of_stage(self.root, first, self.root.identity.get("stage", first)))
        for place in sorted(self.root.folder.glob(f"{STAGES}/*/*/{RUN}")):
            if place.parent.parent.name in by_stage:
                run, stage = Run.open(place.parent), place.parent.parent.name
                by_stage[stage].append(_of_stage(run, stage, run.identity.get("stage")))
        return {name: sorted(runs, key=_started) for name, runs in by_stage.items()}

    def begun(self, stage: str) -> list[Run]:
        """The runs of a stage less those that never got as far as a response, unless there are no others."""
        return [run for run in self.runs[stage] if run.begun] or self.runs[stage]

    @cached_property
    def counted(self) -> dict[str, list[Run]]:
        """The runs of each stage that figures are made from: of each model the one started last.

        A run that rests on one that does not count does not count either.
        """
        by_stage: dict[str, list[Run]] = {}
        for stage in self.ordered:
            valid = [run for run in self.begun(stage.name) if _rests_within(run, by_stage)]
            by_stage[stage.name] = list({str(run.identity["model"]): run for run in valid}.values())
        return by_stage

    def rested_on(self, run: Run) -> dict[str, Run]:
        """The run of each stage that a run's trials are made from."""
        names: Mapping[str, str] = run.identity.get("rests_on") or {}
        stage = next(each for each in self.ordered if each.name == run.identity.get("stage", self.ordered[0].name))
        below = {}
        for need in stage.needs:
            of_need = [
                each for each in self.runs[need] if need == self.ordered[0].name or each.folder.name == names.get(need)
            ]
            if of_need:
                below[need] = of_need[-1]
        return below

    @cached_property
    def _digests(self) -> dict[Path, dict[tuple[str, int], str]]:
        return {}

    def digests(self, run: Run) -> dict[tuple[str, int], str]:
        """The digest of the response that counts to each trial and repeat of a run."""
        if run.folder not in self._digests:
            self._digests[run.folder] = {key: each.digest for key, each in last_attempts(run.attempts()).items()}
        return self._digests[run.folder]

    def stale_ids(self, run: Run) -> set[str]:
        """The planned trials of a run that rest on replies which have changed since."""
        if run.folder not in self._stale:
            self._stale[run.folder] = self._find_stale(run)
        return self._stale[run.folder]

    @cached_property
    def _stale(self) -> dict[Path, set[str]]:
        return {}

    def _find_stale(self, run: Run) -> set[str]:
        below = self.rested_on(run)
        if self.is_up_to_date(run) and not any(self.stale_ids(each) for each in below.values()):
            return set()
        held = {need: (self.digests(each), self.stale_ids(each)) for need, each in below.items()}
        nothing: tuple[dict[tuple[str, int], str], set[str]] = ({}, set())
        stale = set()
        for trial in run.trials():
            for source in trial.sources:
                digests, older = held.get(source.stage, nothing)
                if digests.get((source.trial, source.repeat)) != source.digest or source.trial in older:
                    stale.add(trial.id)
        return stale

    def stale(self, run: Run) -> int:
        """How many trials of a run with a reply rest on replies that have changed since; they are in no figure."""
        planned = self.stale_ids(run)
        replied = {trial for trial, _ in self.digests(run)} if planned else set()
        return len({trial.id for trial in run.stale()} | (planned & replied))

    def outcomes(self, run: Run, reader: str | None = None) -> pl.DataFrame:
        """The outcome table of a run, without trials that rest on replies which have changed since; it is read once."""
        key = run.folder, reader
        if key not in self._outcomes:
            self._outcomes[key] = self._read(run, reader)
        return self._outcomes[key]

    @cached_property
    def _outcomes(self) -> dict[tuple[Path, str | None], pl.DataFrame]:
        return {}

    def _read(self, run: Run, reader: str | None) -> pl.DataFrame:
        readers = self.suite.asking.readers
        accepted = {each.name for family in readers.values() for each in family}
        if reader is not None and reader not in accepted:
            raise unknown("reader", reader, accepted)
        readable = {each.name for name in run.families() for each in readers.get(name, ())} if reader else set()
        default = self._default(run) if reader is not None else None
        attempts = None if reader in readable and default is not None else run.read_attempts()
        if attempts is not None:
            self._account(run, attempts)
        table = run.outcomes(readers, reader if reader in readable else None, default, attempts)
        stale = self.stale_ids(run)
        return table.filter(~pl.col("trial").is_in(sorted(stale))) if stale else table

    def _default(self, run: Run) -> pl.DataFrame | None:
        """The table of a run by the default readers, if it was read before and lacks no stale trial."""
        return None if self.stale_ids(run) else self._outcomes.get((run.folder, None))

    def account(self, run: Run) -> Account:
        """What a run sent and spent, and what is to be said of its stored responses."""
        if run.folder not in self._accounts:
            self._account(run, run.read_attempts())
        return self._accounts[run.folder]

    def _account(self, run: Run, attempts: Attempts) -> None:
        """Takes the account of a run while its attempts are in memory, so that they need not be read twice."""
        if run.folder not in self._accounts:
            self._accounts[run.folder] = Account.of(run, attempts)

    @cached_property
    def _accounts(self) -> dict[Path, Account]:
        return {}

    def other_readers(self) -> list[str]:
        """The readers that the families of the counted runs' trials have beside their defaults, in order.

        Special readers are left out.
        """
        families = {name for runs in self.counted.values() for run in runs for name in run.families()}
        readers = self.suite.asking.readers
        beside = [each for name in readers if name in families for each in readers[name][1:] if not each.special]
        return list(dict.fromkeys(each.name for each in beside))

    def evidence(self, reader: str | None = None, chosen: Mapping[str, Sequence[Run]] | None = None) -> Evidence:
        """The outcomes of all stages, of the runs that count, or of chosen ones."""
        runs = self.counted if chosen is None else chosen
        return Evidence({name: partial(self._together, tuple(of_stage)) for name, of_stage in runs.items()}, reader)

    def planned_on(self, below: Mapping[str, Run]) -> str:
        """A digest of all that the runs which a stage rests on have replied."""
        replied = {
            need: sorted((*key, digest) for key, digest in self.digests(run).items()) for need, run in below.items()
        }
        return sha256(canonical(replied).encode()).hexdigest()[:16]

    def _together(self, runs: Sequence[Run], reader: str | None) -> pl.DataFrame:
        if not runs:
            return pl.DataFrame(schema={**OUTCOMES, **columns_of(self.suite.design.factors)})
        return pl.concat([self.outcomes(run, reader) for run in runs], how="diagonal_relaxed")

    def is_up_to_date(self, run: Run) -> bool:
        """Whether a run's trials were planned on what the stages that it rests on reply now."""
        below = self.rested_on(run)
        return not below or (bool(run.executions) and run.executions[-1].get(PLANNED_ON) == self.planned_on(below))


def _of_stage(run: Run, stage: str, stated: str | None) -> Run:
    """The run, which is one of that stage; raises `InputError` where it says otherwise."""
    if stated != stage:
        named = f"of stage '{stated}'" if stated else "of no stage"
        raise InputError(f"{run.folder / RUN} is damaged: it is {named}, in the place of stage '{stage}'")
    return run


def _started(run: Run) -> str:
    return str(run.executions[-1].get("started", "")) if run.executions else ""


def _rests_within(run: Run, counted: Mapping[str, Sequence[Run]]) -> bool:
    names: Mapping[str, str] = run.identity.get("rests_on") or {}
    return all(name in {each.folder.name for each in counted.get(need, ())} for need, name in names.items())


@dataclass(frozen=True)
class Basis:
    """The outcomes of the stages that one needs, the folders that they stand in, and the digest of their replies."""

    evidence: Evidence = Evidence({})  # noqa: RUF009 - frozen
    folders: Mapping[str, str] = field(default_factory=dict)
    digest: str | None = None
