"""Annotation in tests: raw clips, loopback models in four roles, and runs in processes of their own."""

from __future__ import annotations

import csv
import json
import sys
import threading
from contextlib import contextmanager

import veridical
from tests.ask.asking import FORKED
from tests.ask.server import Reply, Request, said
from tests.probe.staged import models_file
from tests.suites.hocabench.release_data import GRAVITY, clip, labels
from veridical.records import canonical
from veridical.verbs.exchange.planned_stages import planned_stage

COUNT = 12
ROLES = ("filter", "captioner", "analyst", "classifier")
"""The roles that are asked where a test says nothing else; there is one more, that of false options."""
STAGES = ("filter", "captions", "aggregate", "attribute")
SIGNS = {
    "Is the clip realistic footage": "filter",
    "Describe what is visible": "captions",
    "described frame by frame": "aggregate",
    "Place the main anomaly": "attribute",
    "Write the three false options": "distract",
}
QUIET = {"show": "quiet", "analyze": False}
SETTINGS = {"captioned": "uniform-4"}
_PATIENCE = 60


def raw_clips(folder, count=COUNT, described=0):
    """A folder with so many raw clips, the first of which have descriptions in a table."""
    folder.mkdir()
    for k in range(count):
        (folder / f"clip-{k:02}.mp4").write_bytes(clip(k))
    if described:
        rows = [(f"clip-{k:02}.mp4", f"A stone {k} floats up.", "Wan 2.1") for k in range(described)]
        with (folder / "descriptions.csv").open("w", newline="") as file:
            csv.writer(file).writerows([("file", "description", "source_model"), *rows])
    return folder


def stage_of(request: Request) -> str:
    """The stage whose trial a request puts."""
    return next((stage for sign, stage in SIGNS.items() if sign in request.text), "ask")


def usual(request: Request) -> str:
    """What the models reply where a test says nothing else."""
    stage = stage_of(request)
    if stage in ("filter", "ask"):
        return "Yes."
    if stage == "captions":
        return f"A red square, {sum(part['type'] == 'image_url' for part in request.parts)} picture."
    if stage == "aggregate":
        return "The square rises, and nothing lifts it: gravity is broken."
    return json.dumps(labels(GRAVITY, "The square rises."))


def replies(**by_stage):
    """The behaviour of a server: of the stages that are named, what their functions reply (`None` is as usual)."""

    def behave(request: Request) -> Reply:
        own = by_stage.get(stage_of(request))
        reply = own(request) if own else None
        reply = usual(request) if reply is None else reply
        return reply if isinstance(reply, Reply) else said(reply)

    return behave


def options_for(server, folder, **others):
    """The keywords of a run that asks one server in every role, one request at a time."""
    tables = {f"org/{role}": {"base_url": server.url} for role in (*ROLES, "distractor")}
    file = models_file(folder / "models.toml", tables)
    roles = {role: f"org/{role}" for role in ROLES}
    own = {"models": file, "roles": roles, "max_connections": 1, "max_requests": 1, "settings": SETTINGS}
    return {**own, **QUIET, **others}


def fill_votes(sheet, run, votes):
    """The sheet of people with their answers: `votes` has how many of five say yes by stimulus (default: all)."""
    with sheet.open(newline="") as file:
        rows = list(csv.DictReader(file))
    setup = planned_stage(run, "vote")
    shown = {setup.stimuli.opaque(trial.id): trial.stimulus for trial in setup.trials}
    for row in rows:
        person = int(row["participant"].removeprefix("p"))
        row["answer"] = "yes" if person <= votes.get(shown[row["trial"]], 5) else "no"
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return rows


def _run(folder, out, options):
    sys.stderr = sys.stdout = open(f"{out}.txt", "a")  # noqa: SIM115, PTH123 - the process ends with it
    veridical.run(folder, out=out, **options)


@contextmanager
def running(whole, out, options):
    """A process that runs, killed at the end."""
    process = FORKED.Process(target=_run, args=(str(whole.folder), str(out), options))
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


class Hang:
    """A behaviour that answers as usual up to the n-th request of a stage, which it never answers."""

    def __init__(self, stage: str, number: int) -> None:
        self.stage, self.left, self.behave = stage, number, replies()
        self.reached = threading.Event()
        self.body = ""

    def __call__(self, request: Request) -> Reply:
        if stage_of(request) == self.stage:
            self.left -= 1
            if self.left == 0:
                self.body = canonical([request.body["model"], request.body["messages"]])
                self.reached.set()
                return Reply(hang=True)
        return self.behave(request)

    def wait(self) -> None:
        assert self.reached.wait(_PATIENCE), f"stage {self.stage} was not asked"
