"""Staged runs of the probe: small sets, replies of a server to every stage, and runs in processes of their own."""

from __future__ import annotations

import re
import sys
import threading
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import pytest

import veridical
from tests.ask.asking import FORKED
from tests.ask.server import Reply, Request, Server, said, serve
from tests.probe_suite import SUITE
from veridical.base.workers import Workers
from veridical.records import canonical

FORKED.set_forkserver_preload(["tests.probe.loaded"])
EYE, JUDGE, CAPTIONER = "org/eye", "org/judge", "org/captioner"
EMBEDDED = {"judge": "veridical/judge", "roles": {"captioner": "veridical/captioner"}}
QUIET = {"show": "quiet", "analyze": False}
STAGES = ("look", "mark", "again", "remark", "caption", "closer")
WHEN = ["latency", "ended"]
SECOND = "(second look)"
_PATIENCE = 60


def drawn(folder, suite="probe", **units):
    """A set of the probe, or of one that is like it, with so many units of each family that is named."""
    from tests.probe_suite.design import DESIGN
    from veridical.stimulus_set import write_set

    options = veridical.design("probe", units=max(units.values())).options
    chunks = [chunk for chunk in DESIGN.chunks(options) if chunk.index < units.get(chunk.family, 0)]
    return write_set(Path(folder), suite, options, chunks, DESIGN.make, factors=DESIGN.factors, workers=Workers(1))


def stage_of(request: Request) -> str:
    """The stage whose trial a request puts."""
    text = request.text
    if text.startswith("Judge a reply"):
        return "remark" if SECOND in text else "mark"
    signs = {"Before, you said": "again", "Describe what": "caption", "A caption says": "closer", "People say": "weigh"}
    return next((stage for sign, stage in signs.items() if sign in text), "look")


def usual(request: Request) -> str:
    """What is replied where a test says nothing else: the first number, the first box; a judge compares."""
    stage, text = stage_of(request), request.text
    if stage in ("mark", "remark"):
        true, reply = re.findall(r"The true answer is (.*?)\. The reply: «(.*)»", text, re.DOTALL)[0]
        bare = re.sub(r"</?answer>", "", reply.replace(SECOND, "")).strip()
        return f"<answer>{'right' if bare == true else 'wrong'}</answer>"
    if stage == "caption":
        return f"{sum(part['type'] == 'image_url' for part in request.parts)} pictures"
    numbers, second = re.findall(r"\d+", text), stage == "again"
    if "greater" in text:
        return f"<answer>{numbers[second]}</answer>{f' {SECOND}' if second else ''}"
    return f"R1, R2 {SECOND}" if second else "R1"


def replies(**by_stage):
    """The behaviour of a server: of the stages that are named, what their functions reply (`None` is as usual)."""

    def behave(request: Request) -> Reply:
        own = by_stage.get(stage_of(request))
        reply = own(request) if own else None
        reply = usual(request) if reply is None else reply
        return reply if isinstance(reply, Reply) else said(reply)

    return behave


@contextmanager
def answering(behaviour=None):
    """A server that is asked while this lasts; clients load no certificates, which take longer than a small stage."""
    with pytest.MonkeyPatch.context() as patch, serve(behaviour or replies()) as server:
        patch.setenv("SSL_CERT_DIR", str(Path(__file__).parent))
        yield server


def asked(server: Server) -> dict[str, int]:
    """How many requests a server received by stage."""
    return dict(Counter(map(stage_of, server.requests)))


def bodies(server: Server) -> Counter[str]:
    """How often a server received each request, known by its model and messages."""
    return Counter(canonical([request.body["model"], request.body["messages"]]) for request in server.requests)


def models_file(path: Path, tables):
    """A TOML file with these tables, each of text, numbers, and tables of numbers."""
    lines = []
    for name, keys in tables.items():
        lines.append(f'["{name}"]')
        for key, value in keys.items():
            inner = ", ".join(f"{each} = {number}" for each, number in value.items()) if isinstance(value, dict) else ""
            lines.append(f"{key} = " + (f"{{{inner}}}" if inner else canonical(value)))
    path.write_text("\n".join(lines) + "\n")
    return path


def options_for(server: Server, folder: Path, **others):
    """The keywords of a run that asks one server in every role, one request at a time."""
    place = {"base_url": server.url}
    file = models_file(folder / "models.toml", {JUDGE: place, CAPTIONER: place})
    shared = {"base_url": server.url, "models": file, "judge": JUDGE, "roles": {"captioner": CAPTIONER}}
    return {"model": EYE, **shared, "max_connections": 1, "max_requests": 1, **QUIET, **others}


def tables(run, drop=WHEN):
    """The outcomes of every stage, less what says when and how long."""
    return {stage: run.outcomes(stage=stage).drop(drop) for stage in run.evidence().stages}


def as_it_stands(run):
    """The run with everything read, since a result reads its folder when it is first asked."""
    _ = run.staged, run.waiting, tables(run)
    return run


def same(first, second, drop=WHEN):
    """Whether two runs have the same outcomes in all stages."""
    mine, theirs = tables(first, drop), tables(second, drop)
    return mine.keys() == theirs.keys() and all(mine[stage].equals(theirs[stage]) for stage in mine)


def of_stage(run, stage):
    """What the only model, or the one that counts, was asked in a stage."""
    (found,) = [each for each in run.staged if each.stage == stage and each.counted]
    return found


def trials_of(run, stage):
    """The trials that are planned in a stage, of the run that counts."""
    return run.run.open(of_stage(run, stage).folder).trials()


def _run(folder: str, out: str, options: dict, told) -> None:
    from veridical.suite import registry

    registry.register(SUITE, replace=True)

    def stop(setup):
        told.send(setup.stage.name)
        threading.Event().wait()

    confirm = stop if told else None
    sys.stderr = sys.stdout = open(f"{out}.txt", "a")  # noqa: SIM115, PTH123 - the process ends with it
    veridical.run(folder, out=out, confirm=confirm, **options)


@contextmanager
def running(whole, out, options, told=None):
    """A process that runs, killed at the end; with `told`, it waits for ever before it first sends anything."""
    process = FORKED.Process(target=_run, args=(str(whole.folder), str(out), options, told))
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


class Hang:
    """A behaviour that answers as usual up to the n-th request of a stage, which it never answers."""

    def __init__(self, stage: str, number: int = 1, behave=None) -> None:
        self.stage, self.left, self.behave = stage, number, behave or replies()
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
