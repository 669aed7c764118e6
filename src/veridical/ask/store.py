"""The run folder: what was planned, what came back, and what both were made with; enough to analyse it anywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from veridical.answers import Readers
from veridical.ask.capabilities import opens_reply
from veridical.ask.folder import another_run, append, distinct, plain, require_new, write
from veridical.ask.identity import differences
from veridical.ask.outcomes import outcome_table
from veridical.ask.policy import MOST_REPEATS
from veridical.ask.responses import Writer, every_response, last_attempts
from veridical.ask.trial_table import planned_ids, read_table, rows_hash, stated_hash, table_bytes, to_row
from veridical.errors import InputError
from veridical.records import FactorTypes, Json, Response, Trial

_FORMAT = 3
_RUN, _TRIALS, _RESPONSES = "run.json", "trials.parquet", "responses.jsonl"
_STAGES = "stages"
_UNANSWERED = "responses.unanswered.jsonl"
_HALF_BEGUN = {"stimuli", "derived", _UNANSWERED, _TRIALS, f".{_TRIALS}.tmp", f".{_RUN}.tmp"}


@dataclass(frozen=True)
class Run:
    """A run folder: `identity` is what reaches the model or defines the trials, `executions` has one entry per start.

    `trials.parquet` and `responses.jsonl` are the two sources of truth; everything else can be made from them again.
    """

    folder: Path
    identity: dict[str, Json]
    executions: tuple[dict[str, Json], ...]

    @classmethod
    def open(cls, folder: Path) -> Run:
        """The run in a folder; raises `InputError` where there is none, or none that this version reads."""
        path = folder / _RUN
        try:
            stored = json.loads(path.read_bytes())
        except FileNotFoundError:
            raise InputError(f"{folder} holds no run: {_RUN} is missing") from None
        except NotADirectoryError:
            raise InputError(f"{folder} is no folder, so it holds no run") from None
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}") from error
        except ValueError as error:
            raise InputError(f"{path} is no JSON: {error}") from error
        stated = stored.get("format") if isinstance(stored, dict) else None
        if stated != _FORMAT:
            raise InputError(f"{folder} is a run of format {stated}, and {_FORMAT} is read here: run it again")
        identity, executions = stored.get("identity"), stored.get("execution")
        if not isinstance(identity, dict) or not isinstance(executions, list) or "model" not in identity:
            raise InputError(f"{path} is damaged: identity with a model, and execution, are what it should hold")
        if not (folder / _TRIALS).is_file():
            raise InputError(f"{folder} holds no whole run: {_TRIALS} is missing")
        return cls(folder, identity, tuple(executions))

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
        if (folder / _RUN).exists():
            run = cls.open(folder)
            with run.writer():
                if not (differing := differences({"repeats": 1, **run.identity}, asked)):
                    if stated_hash(folder / _TRIALS) != asked["trials"]:  # killed as another run was to take its place
                        write(folder / _TRIALS, table_bytes(rows, factors))
                    return run.stored([*run.executions, plain(execution)])
                _require_unanswered(run, differing)
            before = run.executions
            append(folder / _RESPONSES, folder / _UNANSWERED)
        else:
            require_new(folder, _HALF_BEGUN)
        write(folder / _TRIALS, table_bytes(rows, factors))
        return cls(folder, asked, before).stored([*before, plain(execution)])

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
        asked, path = plain({**identity, "repeats": repeats}), folder / _TRIALS
        trials = list(distinct(trials))
        if not (folder / _RUN).exists():
            require_new(folder, _HALF_BEGUN)
            write(path, table_bytes([to_row(trial, factors) for trial in trials], factors))
            return cls(folder, asked, ()).stored([plain(execution)])
        run = cls.open(folder)
        if differing := differences(run.identity, asked):
            raise another_run(folder, differing)
        with run.writer():
            if planned_ids(path) != [trial.id for trial in trials]:
                there, ids = read_table(path), {trial.id for trial in trials}
                replied = {response.trial for response in run.attempts()}
                stale = [t for t in (*there.trials, *there.stale) if t.id in replied and t.id not in ids]
                rows = [[to_row(trial, factors) for trial in part] for part in (trials, stale)]
                write(path, table_bytes(rows[0], factors, rows[1]))
            return run.stored([*run.executions, plain(execution)])

    def trials(self) -> list[Trial]:
        """The planned trials, in order."""
        return read_table(self.folder / _TRIALS).trials

    def stale(self) -> list[Trial]:
        """Trials with a response that are no longer planned, since what they were made from has changed."""
        return read_table(self.folder / _TRIALS).stale

    @property
    def repeats(self) -> int:
        """How often each trial is asked."""
        return int(self.identity.get("repeats", 1))

    def responses(self) -> dict[tuple[str, int], Response]:
        """The response that counts for each trial and repeat: that of the highest attempt."""
        return last_attempts(self.attempts())

    def attempts(self) -> Iterator[Response]:
        """Every response, in the order in which they were stored."""
        return every_response(self.folder / _RESPONSES)

    def writer(self) -> Writer:
        """The file of responses, held for appending by this process alone until it is closed."""
        return Writer(self.folder / _RESPONSES)

    @property
    def begun(self) -> bool:
        """Whether any response is stored, or none is to come."""
        responses = self.folder / _RESPONSES
        return (responses.exists() and responses.stat().st_size > 0) or not planned_ids(self.folder / _TRIALS)

    @property
    def complete(self) -> bool:
        """Whether each planned trial and repeat has a reply or cannot be asked; an error is no reply."""
        return not self.missing()

    def missing(self, *, accept_errors: bool = False) -> int:
        """How many planned trials and repeats have no reply and can be asked; an error is no reply unless accepted."""
        counted = {key for key, each in self.responses().items() if each.error is None or accept_errors}
        if self._unsupported() is None:
            able = planned_ids(self.folder / _TRIALS)
        else:
            able = [trial.id for trial in self.trials() if not opens_reply(trial)]
        return sum((trial, repeat) not in counted for trial in able for repeat in range(1, self.repeats + 1))

    def outcomes(self, readers: Readers, reader: str | None = None) -> pl.DataFrame:
        """The outcome table: one row per planned trial and repeat, in order; one not yet asked has a null `status`.

        `reader` names a reader to read with in place of the default ones, in the families that have it.
        """
        planned = read_table(self.folder / _TRIALS)
        return outcome_table(
            str(self.identity["model"]),
            planned.trials,
            self.responses(),
            readers,
            factors=planned.factors,
            reader=reader,
            repeats=self.repeats,
            unsupported=self._unsupported(),
        )

    def ended(self, facts: Mapping[str, Json]) -> None:
        """Adds to the latest start what it came to, under `ended`; to be called while the writer is held."""
        executions = Run.open(self.folder).executions
        if executions:
            self.stored([*executions[:-1], {**executions[-1], "ended": plain(facts)}])

    def _unsupported(self) -> str | None:
        """Why the model could not continue an assistant's turn, as the latest start that got to its end found it."""
        for execution in reversed(Run.open(self.folder).executions):
            if isinstance(ended := execution.get("ended"), dict):
                reason = ended.get("reason")
                return reason if isinstance(reason, str) else None
        return None

    def stored(self, executions: list[dict[str, Json]]) -> Run:
        """The run with these starts, as it now stands in its folder."""
        content = {"format": _FORMAT, "identity": self.identity, "execution": executions}
        write(self.folder / _RUN, (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode())
        return Run(self.folder, self.identity, tuple(executions))


def _require_unanswered(run: Run, differing: Sequence[str]) -> None:
    later = (run.folder / _STAGES).exists()
    if later or any(response.error is None for response in run.attempts()):
        raise another_run(run.folder, differing)
