"""A run folder: its `run.json` with the identity, planned trials, responses, and the outcomes computed from both."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Self

import polars as pl
from pydantic import Field

from veridical.answers import Readers
from veridical.ask.capabilities import opens_reply
from veridical.ask.identity_differences import OLD_ADDRESS
from veridical.ask.log_archives import packed_path, stored_path
from veridical.ask.outcomes import Attempts, reread_outcomes, stored_outcomes
from veridical.ask.responses import every_response, last_attempts
from veridical.ask.trial_table import WRITTEN_ANEW, ColumnCells, PlannedTable, TrialTable
from veridical.base.files import Shape, read_json, require_format, require_shape
from veridical.base.path_checks import COPY, RUN, STAGES, remedy, require_run, run_of
from veridical.base.run_options import MOST_REPEATS
from veridical.base.shards import Shard
from veridical.errors import InputError
from veridical.records import Json, Response, Trial

TRIALS, RESPONSES = "trials.parquet", "responses.jsonl"
SHARD, ALL_TRIALS = "shard", "all_trials"
"""What the identity of a shard has besides that of the run of all: which shard, and the hash of the trials of all."""

ASIDE = re.compile(r"\.torn\d*$")
"""How the names of files and folders end that were set aside."""

FORMAT = 3
_Levels = dict[str, str | list[str]]


@dataclass(frozen=True, repr=False)
class RunFolder:
    """A run folder for reading: `identity` is what reaches the model or defines the trials, `executions` its starts.

    `trials.parquet` and `responses.jsonl` are the two sources of truth; everything else can be recomputed from them.
    `trials_sha256` are the hashes of the file of trials: one, or two while a new table replaces the old one; none in a
    run of an early release.
    """

    folder: Path
    identity: dict[str, Json]
    executions: tuple[dict[str, Json], ...]
    trials_sha256: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.identity.get('model')}: {self.folder}>"

    @classmethod
    def open(cls, folder: Path) -> Self:
        """The run in a folder; raises `InputError` if there is none, or if its format is not supported."""
        run = cls.read(folder)
        if not (folder / TRIALS).is_file():
            raise InputError(f"{folder} holds an incomplete run: {TRIALS} is missing; {WRITTEN_ANEW}")
        return run

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The run in a folder as `open` gives it, even if its table of trials is missing or damaged."""
        require_run(folder)
        for name in (RUN, COPY, TRIALS, RESPONSES):
            if (folder / name).is_dir():
                raise InputError(f"{folder / name} is a folder: `veridical repair {run_of(folder)}` sets it aside")
        try:
            return cls.described(folder)
        except InputError as error:
            copied = False
            with suppress(InputError):
                copied = bool(cls.described(folder, COPY).identity)
            raise InputError(f"{error}{remedy(folder, copied=copied)}") from error

    @classmethod
    def described(cls, folder: Path, name: str = RUN) -> Self:
        """The run in a folder as the file of this name there describes it, which may be the copy of `run.json`."""
        path = folder / name
        try:
            stored = read_json(path)
        except ValueError as error:
            raise InputError(f"{path} is not JSON: {error}") from error
        require_format(folder, stored, FORMAT, what="run", again="run")
        require_shape(path, stored, _Described)
        return cls(folder, stored["identity"], tuple(stored["execution"]), tuple(stored.get("trials_sha256", ())))

    @property
    def table_intact(self) -> bool:
        """Whether the stored table of trials is the one that the run was planned with, as far as hashes tell."""
        return self._table.stored_hash() is not None

    def trials(self) -> list[Trial]:
        """The planned trials, in order."""
        return self._table.read().trials

    def trials_by_id(self) -> Mapping[str, Trial]:
        """The planned trials by id, each read when it is taken."""
        return self._table.by_id()

    def stale(self) -> list[Trial]:
        """Trials with a response that are no longer planned because their sources have changed."""
        return [] if self._ids().stale.is_empty() else self._table.read().stale

    def marked_trials(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """The planned and the stale trials as tables, as they are stored."""
        return self._table.marked()

    def families(self) -> set[str]:
        """The families of readers that read the replies to the planned trials."""
        return set(self._table.column("reader").planned.unique())

    @property
    def repeats(self) -> int:
        """How often each trial is asked."""
        return int(self.identity.get("repeats", 1))

    @property
    def shard(self) -> Shard | None:
        """The shard that the run is; `None` for one of all base items."""
        stated = self.identity.get(SHARD)
        return None if stated is None else Shard(stated["number"], stated["of"])

    @property
    def started(self) -> str:
        """When the latest start began."""
        return str(self.executions[-1].get("started", "")) if self.executions else ""

    @property
    def rests_on(self) -> Mapping[str, str]:
        """The folder's name of each run, by stage, that it states to rest on."""
        return self.identity.get("rests_on") or {}

    @property
    def servers(self) -> list[str]:
        """The addresses of the model's servers in the latest start; none where it has none of its own."""
        return self._servers_of(self.executions[-1]) if self.executions else []

    @property
    def facts(self) -> dict[str, Json]:
        """The identity, and the addresses of the servers of the latest start, as reports show them."""
        return {**self.identity, **({"servers": self.servers} if self.servers else {})}

    def moved_servers(self) -> str | None:
        """The line that the latest start asks other servers than the one before it; `None` if it does not."""
        before = self._servers_of(self.executions[-2]) if len(self.executions) > 1 else []
        if not before or set(before) == set(self.servers):
            return None
        return f"the servers changed: {', '.join(before)} before, {', '.join(self.servers) or 'none'} now"

    def _servers_of(self, execution: Mapping[str, Json]) -> list[str]:
        """The servers of a start; before starts had a list, the identity had one address."""
        old = self.identity.get(OLD_ADDRESS)
        return list(execution.get("servers", [old] if isinstance(old, str) else []))

    @property
    def connections(self) -> int | None:
        """The number of connections that the latest start which ended had come to; `None` if none says."""
        ends = (each.get("ended") for each in reversed(self.executions))
        number = next((ended.get("connections") for ended in ends if isinstance(ended, dict)), None)
        return number if isinstance(number, int) else None

    def responses(self) -> dict[tuple[str, int], Response]:
        """The response that counts for each trial and repeat, planned or not, which is that of the highest attempt."""
        return last_attempts(self.stored_attempts())

    def rate(self) -> float | None:
        """How many attempts ended in a second while the run was asking; `None` with fewer than two in any start.

        Replies that were taken from elsewhere are not counted.
        """
        starts = [str(each.get("started", "")) for each in self.executions]
        ends: dict[int, list[datetime]] = {}
        for each in self.stored_attempts():
            if each.requests and each.ended:
                ends.setdefault(bisect(starts, each.ended), []).append(datetime.fromisoformat(each.ended))
        seconds = sum((max(times) - min(times)).total_seconds() for times in ends.values())
        return sum(len(times) - 1 for times in ends.values()) / seconds if seconds else None

    def attempts(self) -> Iterator[Response]:
        """Every response to a planned or stale trial, in the order of storing; each attempt once."""
        ids = set(self._table.ids())
        return (each for each in self.stored_attempts() if each.trial in ids and each.repeat <= self.repeats)

    def stored_attempts(self) -> Iterator[Response]:
        """`attempts` together with responses to trials that were never planned."""
        return every_response(self.folder / RESPONSES)

    def read_attempts(self, columns: Sequence[str] = ()) -> Attempts:
        """The stored attempts as a table in these columns (default: all), with those at trials never planned."""
        place = self.folder / RESPONSES
        return Attempts.read(place, columns) if columns else Attempts.read(place)

    def file_marks(self) -> dict[str, tuple[int, int]]:
        """The size and the time of the last change of the table of trials and the file of responses, by name."""
        places = (self.folder / TRIALS, stored_path(self.folder / RESPONSES))
        stats = {place.name: place.stat() for place in places if place is not None}
        return {name: (stat.st_size, stat.st_mtime_ns) for name, stat in stats.items()}

    def planned_trials(self) -> PlannedTable:
        """The planned trials, of which columns and single trials are read; raises `InputError` for a damaged table."""
        return self._table.planned_table()

    def attempts_of_trials(self, attempts: Attempts) -> pl.DataFrame:
        """Of the stored attempts, those at planned and stale trials, each once."""
        return attempts.of(self._table.ids(), self.repeats).once()

    def remarks(self, attempts: Attempts | None = None) -> list[str]:
        """Remarks on stored responses that are not counted or contradict another; `attempts` as in `outcomes`."""
        return (attempts or self.read_attempts()).remarks(RESPONSES, self._table.ids(), self.repeats)

    @property
    def begun(self) -> bool:
        """Whether any response is stored, or none is expected."""
        responses = stored_path(self.folder / RESPONSES)
        return (responses is not None and responses.stat().st_size > 0) or self._ids().planned.is_empty()

    @property
    def complete(self) -> bool:
        """Whether each planned trial and repeat has a reply or cannot be asked; an error is not a reply."""
        return not self.missing()

    def missing(self, *, accept_errors: bool = False) -> int:
        """The number of `unanswered` trials and repeats."""
        return sum(1 for _ in self.unanswered(accept_errors=accept_errors))

    def unanswered(self, *, accept_errors: bool = False) -> Iterator[tuple[str, int]]:
        """The planned trials and repeats without a reply that can be asked; errors are replies only if accepted."""
        counted = {key for key, each in self.responses().items() if each.error is None or accept_errors}
        if self._unsupported() is None:
            able: Iterable[str] = self._ids().planned
        else:
            able = [trial.id for trial in self.trials() if not opens_reply(trial)]
        planned = ((trial, repeat) for trial in able for repeat in range(1, self.repeats + 1))
        return (key for key in planned if key not in counted)

    def outcomes(
        self,
        readers: Readers,
        reader: str | None = None,
        default: pl.DataFrame | None = None,
        attempts: Attempts | None = None,
    ) -> pl.DataFrame:
        """The outcome table: one row per planned trial and repeat, in order; a trial not yet asked has a null `status`.

        `reader` names a reader that replaces the default in the families that have it. With `default`, the table by the
        default readers, only the readings are made anew. `attempts` are what `read_attempts` read, if it was called.
        """
        if reader is not None and default is not None:
            planned = self._table.planned(("id", "reader"))
            return reread_outcomes(default, planned, readers, reader, repeats=self.repeats)
        return stored_outcomes(
            str(self.identity["model"]),
            self._table.planned(),
            attempts or self.read_attempts(),
            readers,
            reader=reader,
            repeats=self.repeats,
            unsupported=self._unsupported(),
        )

    def _unsupported(self) -> str | None:
        """Why the model could not continue an assistant turn, from the latest start that ended."""
        for execution in reversed(type(self).open(self.folder).executions):
            if isinstance(ended := execution.get("ended"), dict):
                reason = ended.get("reason")
                return reason if isinstance(reason, str) else None
        return None

    @property
    def _table(self) -> TrialTable:
        trials = self.identity.get("trials")
        return TrialTable(self.folder / TRIALS, self.trials_sha256, None if trials is None else str(trials))

    def _ids(self) -> ColumnCells:
        return self._table.column("id")


def stage_folders(folder: Path) -> list[Path]:
    """The folders of the later stages in a run folder, without those that were set aside or never begun."""
    begun = (RUN, COPY, RESPONSES, packed_path(Path(RESPONSES)).name)
    every = (place for place in folder.glob(f"{STAGES}/*/*") if not ASIDE.search(place.name))
    return sorted(place for place in every if any((place / name).exists() for name in begun))


class _Shard(Shape):
    number: Annotated[int, Field(ge=1)]
    of: Annotated[int, Field(ge=1)]


class _Identity(Shape):
    model: str
    suite: str = ""
    stage: str = ""
    role: str = ""
    set: str = ""
    limit: int | None = None
    repeats: Annotated[int, Field(ge=1, le=MOST_REPEATS)] = 1
    settings: _Levels = Field(default_factory=dict)
    trials: str = ""
    shard: _Shard | None = None
    rests_on: dict[str, str] = Field(default_factory=dict)
    sees: str = ""
    people: dict[str, Any] = Field(default_factory=dict)


class _Execution(Shape):
    started: str = ""
    set: str = ""
    settings: _Levels = Field(default_factory=dict)
    prompts: str | None = None
    planned_on: str | None = None
    servers: list[str] = Field(default_factory=list)
    ended: dict[str, Any] = Field(default_factory=dict)


class _Described(Shape):
    identity: _Identity
    execution: list[_Execution]
    trials_sha256: list[str] = Field(default_factory=list)
