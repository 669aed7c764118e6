"""Trackers: the estimates of a run and its report, in MLflow, in Weights & Biases, or in lines of JSON."""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from time import time
from typing import NamedTuple

from veridical.ask.redact import one_line, redactor, without_secrets
from veridical.base.files import os_errors, replace_atomically
from veridical.base.requirements import extra_needed
from veridical.errors import IncompleteError, InputError, unknown
from veridical.records import Json
from veridical.report.export import FIELDS, figures, place
from veridical.verbs.results.result import RunResult, open_run

PROJECT = "veridical"
"""The project or experiment that is written to where none is named."""
_PARTS = ("value", "low", "high", "n")
_BATCH = 500
"""MLflow takes 1,000 metrics in a request."""
_PATIENCE = 30.0
"""How many seconds W&B's server has to answer; its own default is 90."""


@dataclass(frozen=True, kw_only=True)
class TrackedRun:
    """A run as a tracker is told of it: a name, what was asked of whom, a row of `FIELDS` per estimate, and its page.

    `folder` is that of the run.
    """

    name: str
    facts: Mapping[str, Json]
    rows: Sequence[Mapping[str, Json]]
    page: Path
    folder: Path

    def metrics(self) -> dict[str, float]:
        """The numbers of the estimates on the whole run: `METRIC/value`, `/low`, `/high` and `/n`; none is left out."""
        whole = [row for row in self.rows if not row["slice"]]
        return {f"{row['metric']}/{part}": row[part] for row in whole for part in _PARTS if row[part] is not None}


Write = Callable[[TrackedRun, str | None], str]
"""Writes a run to a target, or where the tracker's own settings say, and returns where that was in words.

Raises `InputError` for what it cannot use, and `IncompleteError` for a tracker that cannot be reached.
"""


class Tracker(NamedTuple):
    """A tracker: what writes to it, and what raises `InputError` where its package or its key is missing."""

    write: Write
    require_ready: Callable[[], None]


class ChosenTracker(NamedTuple):
    """A tracker by its name, with the target that was named, if any."""

    name: str
    target: str | None

    def write(self, run: TrackedRun) -> str:
        return TRACKERS[self.name].write(run, self.target)


def chosen_trackers(texts: Sequence[str]) -> list[ChosenTracker]:
    """The trackers in words, `NAME` or `NAME:TARGET` each; raises `InputError` for one that cannot be used.

    >>> chosen_trackers(["jsonl:estimates.jsonl"])
    [ChosenTracker(name='jsonl', target='estimates.jsonl')]
    """
    chosen = []
    for text in texts:
        name, colon, target = text.partition(":")
        if name not in TRACKERS:
            raise unknown("tracker of --log-to", name, TRACKERS)
        if colon and not target:
            raise InputError(f"--log-to '{text}': a target is missing after the colon")
        TRACKERS[name].require_ready()
        chosen.append(ChosenTracker(name, target or None))
    return chosen


class LogResult(NamedTuple):
    """What became of runs that were to be logged, a line for each run and tracker."""

    logged: list[str]
    problems: list[str]


def track(runs: Sequence[RunResult | Path | str], page: Path, trackers: Sequence[ChosenTracker]) -> LogResult:
    """What became of these runs, each of which is written to every tracker, with the page on all of them.

    A tracker that cannot be reached is a line of the `problems`, and the others are written to all the same.
    """
    result = LogResult([], [])
    for run in map(open_run, runs) if trackers else ():
        tracked = _tracked(run, page)
        for tracker in trackers:
            try:
                result.logged.append(f"{run.folder} was logged to {tracker.write(tracked)}")
            except (IncompleteError, InputError) as error:
                result.problems.append(f"{run.folder} was not logged to {tracker.name}: {error}")
    return result


def _tracked(run: RunResult, page: Path) -> TrackedRun:
    result = run.result()
    identity = without_secrets(run.run.facts, redactor())
    facts = {key: value for key, value in identity.items() if value not in (None, "", {}, [])}
    return TrackedRun(
        name=f"{run.suite.name} {run.model}",
        facts={**facts, PROJECT: version(PROJECT), "run": result.run},
        rows=list(figures([(run.suite, result)])),
        page=page,
        folder=run.folder,
    )


def _need_nothing() -> None:
    """Lines of JSON need no package."""


def _write_lines(run: TrackedRun, target: str | None) -> str:
    """Appends one line per estimate, with the run's folder and `FIELDS`."""
    path = run.folder / "estimates.jsonl" if target is None else Path(target)
    rows = [{"run": run.facts["run"], **row, "report": str(run.page)} for row in run.rows]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    with os_errors(path, "written"), replace_atomically(path) as temporary:
        before = path.read_bytes() if path.exists() else b""
        temporary.write_bytes(before + lines.encode(errors="backslashreplace"))
    return str(path)


@contextmanager
def _reachable(target: str | None, *errors: type[Exception]) -> Iterator[None]:
    """Turns a tracker's own errors into an `IncompleteError` of one line, which holds no key."""
    away: tuple[type[Exception], ...] = (OSError, *errors)
    try:
        yield
    except away as error:
        hide = redactor(target)
        raise IncompleteError(one_line(hide(str(error))) or type(error).__name__) from None


def _need_mlflow() -> None:
    with extra_needed("mlflow", "--log-to mlflow"):
        import mlflow  # noqa: F401


def _write_mlflow(run: TrackedRun, target: str | None) -> str:
    """Writes a run of the experiment that `MLFLOW_EXPERIMENT_NAME` names; the target is the tracking URI.

    The client of runs is used: it notes no command line, which may hold a key.
    """
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    os.environ.setdefault("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "2")  # else a server that is away costs minutes
    from mlflow import MlflowClient
    from mlflow.entities import Metric, Param
    from mlflow.exceptions import MlflowException

    logging.getLogger("mlflow").setLevel(logging.WARNING)
    name, now = os.environ.get("MLFLOW_EXPERIMENT_NAME", PROJECT), int(time() * 1000)
    with _reachable(target, MlflowException):
        client = MlflowClient(target)
        stored = client.get_experiment_by_name(name)
        experiment = client.create_experiment(name) if stored is None else stored.experiment_id
        identity = client.create_run(experiment, run_name=run.name).info.run_id
        try:
            client.log_batch(identity, params=[Param(key, _text(value)) for key, value in run.facts.items()])
            numbers = [Metric(_allowed(key), value, now, 0) for key, value in run.metrics().items()]
            for start in range(0, len(numbers), _BATCH):
                client.log_batch(identity, metrics=numbers[start : start + _BATCH])
            client.log_text(identity, json.dumps(run.rows, indent=1, ensure_ascii=False), "estimates.json")
            client.log_artifact(identity, str(run.page))
        except BaseException:
            with suppress(MlflowException, OSError):
                client.set_terminated(identity, "FAILED")
            raise
        client.set_terminated(identity)
    return f"mlflow, run {identity} of the experiment {name}"


def _need_wandb() -> None:
    with extra_needed("wandb", "--log-to wandb"):
        import wandb
    if wandb.setup().settings.mode in ("online", "run", "shared") and not wandb.login(prompt=False, verify=False):
        raise InputError("--log-to wandb: no key is stored: call `wandb login`, or set WANDB_MODE=offline")


def _write_wandb(run: TrackedRun, target: str | None) -> str:
    """Writes a run of the project that the target names, PROJECT or ENTITY/PROJECT, else WANDB_PROJECT.

    What W&B notes of the process is turned off: a command line may hold a key.
    """
    import wandb

    entity, _, project = (target or os.environ.get("WANDB_PROJECT", PROJECT)).rpartition("/")
    quiet = wandb.Settings(
        console="off",
        disable_git=True,
        save_code=False,
        silent=True,
        x_disable_machine_info=True,
        x_disable_meta=True,
        x_disable_stats=True,
        x_save_requirements=False,
    )
    if "WANDB_INIT_TIMEOUT" not in os.environ:
        quiet.init_timeout = _PATIENCE
    with _reachable(None, wandb.Error):
        own = wandb.init(project=project, entity=entity or None, name=run.name, config=dict(run.facts), settings=quiet)
        own.summary.update(run.metrics())
        columns = [*FIELDS]
        rows = [[place(row[name]) if name == "slice" else row[name] for name in columns] for row in run.rows]
        own.log({"estimates": wandb.Table(columns=columns, data=rows, allow_mixed_types=True)})
        artifact = wandb.Artifact(f"report-{own.id}", type="report")
        artifact.add_file(str(run.page), name="report.html")
        own.log_artifact(artifact)
        offline = own.settings.mode == "offline"
        where = own.settings.sync_dir if offline else own.url
        own.finish()
    return f"wandb, {where}" + (f" (offline: `wandb sync {where}`)" if offline else "")


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _allowed(name: str) -> str:
    """A name with the characters that MLflow allows in names of metrics."""
    return re.sub(r"[^\w/.\- :]", "_", name)


TRACKERS: Mapping[str, Tracker] = {
    "jsonl": Tracker(_write_lines, _need_nothing),
    "mlflow": Tracker(_write_mlflow, _need_mlflow),
    "wandb": Tracker(_write_wandb, _need_wandb),
}
"""What can be written to, by name: one more is one function that writes, and one that says what it lacks."""
