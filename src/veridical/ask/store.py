"""The run folder: what was planned, what came back, and what both were made with; enough to analyse it anywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from veridical.ask.folder import STAGES, another_run, append, distinct, plain, require_new, write
from veridical.ask.identity import differences
from veridical.ask.policy import MOST_REPEATS
from veridical.ask.responses import Writer
from veridical.ask.run_file import Described, read_described, write_described
from veridical.ask.run_folder import RESPONSES, TRIALS, RunFolder
from veridical.ask.trial_table import read_table, rows_hash, stated_file, table_bytes, to_row
from veridical.base.places import RUN
from veridical.errors import InputError
from veridical.records import FactorTypes, Json, Trial

_UNANSWERED = "responses.unanswered.jsonl"
_HALF_BEGUN = {"stimuli", "derived", _UNANSWERED, TRIALS, f".{TRIALS}.tmp", f".{RUN}.tmp"}


@dataclass(frozen=True)
class Run(RunFolder):
    """A run folder: `identity` is what reaches the model or defines the trials, `executions` has one entry per start.

    `trials.parquet` and `responses.jsonl` are the two sources of truth; everything else can be made from them again.
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
    ) -> Run:
        """The run of these trials, begun in a folder without one, or taken up again where the identity is the same.

        `identity` names at least the `model`; the hash of the trials is added under `trials`, how often each is asked
        under `repeats`, and `execution` to the list of starts. `factors` are those that the suite declares. Secrets are
        redacted in both. A folder is new if it is missing, empty, or holds `stimuli/`, `derived/` or the beginnings of
        a run alone; a run of another identity in which nothing was answered yet gives way, its failures are set aside.
        Raises `InputError` for a folder that holds something else or another run (with each differing key and both
        values), for two trials of one id, and while another process writes.
        """
        if not 1 <= repeats <= MOST_REPEATS:
            raise InputError(f"repeats {repeats}: 1 to {MOST_REPEATS} are allowed")
        rows = [to_row(trial, factors) for trial in distinct(trials)]
        asked = plain({**identity, "repeats": repeats, "trials": rows_hash(rows)})
        if "model" not in asked:
            raise InputError("the identity of a run names no model: 'model' is needed")
        before: tuple[dict[str, Json], ...] = ()
        table = table_bytes(rows, factors)
        if (folder / RUN).exists():
            run = cls._begun_in(folder)
            with run.writer():
                if not (differing := differences({"repeats": 1, **run.identity}, asked)):
                    # Another table than is stated is damaged, or of a run that was killed as it was to take its place.
                    return (run._intact() or run._with_table(table)).stored([*run.executions, plain(execution)])
                _require_unanswered(run, differing)
            before = run.executions
            append(folder / RESPONSES, folder / _UNANSWERED)
        else:
            require_new(folder, _HALF_BEGUN)
        return cls(folder, asked, before)._with_table(table).stored([*before, plain(execution)])

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
    ) -> Run:
        """The run of a later stage, whose trials are planned anew at every start.

        Trials that are no longer planned and have a response are kept in the table as stale; the others go. Raises
        `InputError` as `start` does.
        """
        asked = plain({**identity, "repeats": repeats})
        rows = [to_row(trial, factors) for trial in distinct(trials)]
        if not (folder / RUN).exists():
            require_new(folder, _HALF_BEGUN)
            run = cls(folder, asked, ())._with_table(table_bytes(rows, factors))
            return run.stored([plain(execution)])
        run = cls._begun_in(folder)
        if differing := differences(run.identity, asked):
            raise another_run(folder, differing)
        with run.writer():
            intact, ids = run._intact(), [trial.id for trial in trials]
            if intact is None or intact._ids().planned != ids:
                intact = run._with_table(table_bytes(rows, factors, run._stale_rows(set(ids), factors)))
            return intact.stored([*run.executions, plain(execution)])

    def writer(self) -> Writer:
        """The file of responses, held for appending by this process alone until it is closed."""
        return Writer(self.folder / RESPONSES)

    def ended(self, facts: Mapping[str, Json]) -> None:
        """Adds to the latest start what it came to, under `ended`; to be called while the writer is held."""
        executions = Run.open(self.folder).executions
        if executions:
            self.stored([*executions[:-1], {**executions[-1], "ended": plain(facts)}])

    def stored(self, executions: list[dict[str, Json]]) -> Run:
        """The run with these starts, as it now stands in its folder."""
        write_described(self.folder, Described(self.identity, tuple(executions), self.trials_sha256))
        return replace(self, executions=tuple(executions))

    @classmethod
    def _begun_in(cls, folder: Path) -> Run:
        """The run in a folder, whatever became of its table of trials."""
        described = read_described(folder)
        return cls(folder, described.identity, described.executions, described.trials_sha256)

    def _intact(self) -> Run | None:
        """The run as it is stored where its table of trials is one that is stated, else `None`."""
        digest = stated_file(self.folder / TRIALS, self._stated)
        return None if digest is None else replace(self, trials_sha256=(digest,))

    def _with_table(self, table: bytes) -> Run:
        """The run with another table of trials, which is in its place.

        Until `stored` says that it is this one, a run that is there takes either: a kill leaves one of the two whole.
        """
        digest = sha256(table).hexdigest()
        if self.trials_sha256 and (self.folder / RUN).exists():
            replace(self, trials_sha256=(*self.trials_sha256, digest)).stored(list(self.executions))
        write(self.folder / TRIALS, table)
        return replace(self, trials_sha256=(digest,))

    def _stale_rows(self, planned: Set[str], factors: FactorTypes) -> list[dict[str, Json]]:
        """The rows of trials with a response that are no longer planned.

        Nothing but their ids counts, so they are taken from a damaged table too, if it can be read.
        """
        replied = {trial for trial, _ in self.responses()}
        try:
            there = read_table(self.folder / TRIALS)
            left = [t for t in (*there.trials, *there.stale) if t.id in replied and t.id not in planned]
            return [to_row(trial, factors) for trial in left]
        except (InputError, ValueError):
            return []


def _require_unanswered(run: Run, differing: Sequence[str]) -> None:
    later = (run.folder / STAGES).exists()
    if later or any(response.error is None for response in run.responses().values()):
        raise another_run(run.folder, differing)
