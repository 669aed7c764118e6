"""The run folder: planned trials, responses, and their settings; enough to analyze it anywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from veridical.ask.folder import append, distinct_trials, other_run_error, plain_json, require_new, write
from veridical.ask.identity_differences import differences
from veridical.ask.log_archives import unpack_log
from veridical.ask.responses import Writer
from veridical.ask.run_folder import ALL_TRIALS, FORMAT, RESPONSES, TRIALS, RunFolder
from veridical.ask.trial_table import WRITTEN_ANEW, TrialTable, WholeTable, table_bytes, to_row
from veridical.base.path_checks import COPY, DERIVED, RUN, STAGES, holds_run
from veridical.base.run_options import require_allowed
from veridical.errors import InputError
from veridical.records import FactorTypes, Json, Trial, rows_hash

_UNANSWERED = "responses.unanswered.jsonl"
_HALF_BEGUN = {"stimuli", DERIVED, _UNANSWERED, TRIALS, f".{TRIALS}.tmp", f".{RUN}.tmp"}


@dataclass(frozen=True, repr=False)
class Run(RunFolder):
    """A run folder: `identity` is what reaches the model or defines the trials, `executions` has one entry per start.

    `trials.parquet` and `responses.jsonl` are the two sources of truth; everything else can be recomputed from them.
    """

    @classmethod
    def start(
        cls,
        folder: Path,
        identity: Mapping[str, Json],
        execution: Mapping[str, Json],
        trials: Sequence[Trial],
        *,
        factors: FactorTypes,
        repeats: int = 1,
        of_shards: WholeTable | None = None,
    ) -> Run:
        """The run of these trials, started in a new folder, or resumed if the identity is the same.

        `identity` names at least the `model`. The hash of the trials is added under `trials`, the number of repeats
        under `repeats`, and `execution` to the list of starts; secrets are redacted. `factors` are those that the suite
        declares; `of_shards` says, of a shard, which trials of all shards these are. A folder is new if it is missing,
        empty, or holds only `stimuli/`, `.derived/` or a half-begun run. A run of another identity without any answer
        is replaced, and its failures are set aside. Raises `InputError` for a folder that holds something else or
        another run (with each differing key and both values), for duplicate trial ids, and while another process
        writes.
        """
        require_allowed({"repeats": repeats})
        rows = [to_row(trial, factors) for trial in distinct_trials(trials)]
        together = {} if of_shards is None else {ALL_TRIALS: of_shards.digest}
        requested = plain_json({**identity, "repeats": repeats, "trials": rows_hash(rows), **together})
        if "model" not in requested:
            raise InputError("the identity of a run names no model: 'model' is needed")
        before: tuple[dict[str, Json], ...] = ()
        table = table_bytes(rows, factors, whole_rows=of_shards.rows if of_shards else None)
        if holds_run(folder):
            run = cls.read(folder)
            with run.writer():
                if not (differing := differences({"repeats": 1, **run.identity}, requested)):
                    # A table with another hash is damaged, or was left by a process killed while it replaced the table.
                    return (run._intact() or run._with_table(table)).stored([*run.executions, plain_json(execution)])
                _require_unanswered(run, differing)
            before = run.executions
            unpack_log(folder / RESPONSES)
            append(folder / RESPONSES, folder / _UNANSWERED)
        else:
            require_new(folder, _HALF_BEGUN)
        return cls(folder, requested, before)._with_table(table).stored([*before, plain_json(execution)])

    @classmethod
    def start_stage(
        cls,
        folder: Path,
        identity: Mapping[str, Json],
        execution: Mapping[str, Json],
        trials: Sequence[Trial],
        *,
        factors: FactorTypes,
        repeats: int = 1,
        of_shards: WholeTable | None = None,
    ) -> Run:
        """The run of a later stage, whose trials are planned again at every start.

        Trials that are no longer planned stay in the table as stale if they have a response; otherwise they are
        removed. `of_shards` is as in `start`. Raises `InputError` as `start` does.
        """
        whole_rows = of_shards.rows if of_shards else None
        requested = plain_json({**identity, "repeats": repeats})
        rows = [to_row(trial, factors) for trial in distinct_trials(trials)]
        if not holds_run(folder):
            require_new(folder, _HALF_BEGUN)
            run = cls(folder, requested, ())._with_table(table_bytes(rows, factors, whole_rows=whole_rows))
            return run.stored([plain_json(execution)])
        run = cls.read(folder)
        if differing := differences(run.identity, requested):
            raise other_run_error(folder, differing)
        with run.writer():
            intact, ids = run._intact(), [trial.id for trial in trials]
            if intact is None or intact._ids().planned.to_list() != ids:
                stale = run._stale_rows(set(ids), factors)
                intact = run._with_table(table_bytes(rows, factors, stale, whole_rows))
            return intact.stored([*run.executions, plain_json(execution)])

    @classmethod
    def resume(cls, folder: Path, execution: Mapping[str, Json]) -> Run:
        """The run in a folder, of the same identity and trials as this start, with the start added to its list.

        Raises `InputError` if its table of trials is damaged, and while another process writes.
        """
        run = cls.read(folder)
        with run.writer():
            intact = run._intact()
            if intact is None:
                raise InputError(f"{folder / TRIALS} changed while the run was read: {WRITTEN_ANEW}")
            return intact.stored([*run.executions, plain_json(execution)])

    @classmethod
    def merged(
        cls, folder: Path, identity: Mapping[str, Json], executions: Sequence[Mapping[str, Json]], table: bytes
    ) -> Run:
        """A run with this table of trials and these starts, written to a folder; its responses are not."""
        return cls(folder, plain_json(identity), ())._with_table(table).stored([*map(plain_json, executions)])

    @classmethod
    def require_room(cls, folder: Path, facts: Mapping[str, Json]) -> None:
        """Raises `InputError` for a folder in which `start` would refuse a run that has these facts in its identity.

        Nothing is written, and what else the identities have is not compared.
        """
        if not holds_run(folder):
            require_new(folder, _HALF_BEGUN)
            return
        run = cls.read(folder)
        stored = {key: value for key, value in run.identity.items() if key in facts}
        if differing := differences(stored, plain_json(facts)):
            _require_unanswered(run, differing)

    def writer(self) -> Writer:
        """The file of responses, locked for appending by this process until it is closed."""
        return Writer(self.folder / RESPONSES)

    def ended(self, facts: Mapping[str, Json]) -> None:
        """Adds the tally of the latest start under `ended`; call it while the writer is open."""
        self.noted(ended=facts)

    def noted(self, **facts: Mapping[str, Json]) -> None:
        """Adds facts to the latest start."""
        run = Run.open(self.folder)
        if run.executions:
            run.stored([*run.executions[:-1], {**run.executions[-1], **plain_json(facts)}])

    def extended(self, trials: Sequence[Trial], factors: FactorTypes, **facts: Mapping[str, Json]) -> None:
        """Replaces the table of trials by one that begins with the same, and adds facts to the latest start.

        Call it while the writer is open.
        """
        run = Run.open(self.folder)
        table = table_bytes([to_row(trial, factors) for trial in distinct_trials(trials)], factors)
        run._with_table(table).stored([*run.executions[:-1], {**run.executions[-1], **plain_json(facts)}])

    def stored(self, executions: list[dict[str, Json]]) -> Run:
        """The run with these starts, after writing them to its folder."""
        content = {"format": FORMAT, "identity": self.identity, "execution": executions}
        content["trials_sha256"] = list(self.trials_sha256)
        text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        for name in (RUN, COPY):
            write(self.folder / name, text.encode())
        return replace(self, executions=tuple(executions))

    def _intact(self) -> Run | None:
        """The stored run if its table of trials has one of the stated hashes, else `None`."""
        digest = self._table.stored_hash()
        return None if digest is None else replace(self, trials_sha256=(digest,))

    def _with_table(self, table: bytes) -> Run:
        """The run with a new table of trials, after writing the table.

        Until `stored` is called, an existing run accepts both tables, so a killed process leaves a valid one.
        """
        digest = sha256(table).hexdigest()
        if self.trials_sha256 and (self.folder / RUN).exists():
            replace(self, trials_sha256=(*self.trials_sha256, digest)).stored(list(self.executions))
        write(self.folder / TRIALS, table)
        return replace(self, trials_sha256=(digest,))

    def _stale_rows(self, planned: Set[str], factors: FactorTypes) -> list[dict[str, Json]]:
        """The rows of trials with a response that are no longer planned.

        Only their ids matter, so they are also taken from a table with a wrong hash if it can be read.
        """
        replied = {trial for trial, _ in self.responses()}
        try:
            table = TrialTable(self.folder / TRIALS).read()
            left = [t for t in (*table.trials, *table.stale) if t.id in replied and t.id not in planned]
            return [to_row(trial, factors) for trial in left]
        except (InputError, ValueError):
            return []


def _require_unanswered(run: Run, differing: Sequence[str]) -> None:
    later = (run.folder / STAGES).exists()
    if later or any(response.error is None for response in run.responses().values()):
        raise other_run_error(run.folder, differing)
