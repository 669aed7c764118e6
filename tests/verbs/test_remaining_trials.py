"""A start that asks the rest of a run from its stored trials does what one does that plans all of them anew."""

import json
import shutil
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import veridical as v
from tests.ask.server import Reply, Request, refused, said, serve
from veridical.ask.responses import response_line
from veridical.base.path_checks import COPY, RUN
from veridical.records import Response
from veridical.stimulus_set import StimulusSet
from veridical.verbs import open_run, pack, run
from veridical.verbs.runs.roles import roles_of
from veridical.verbs.runs.run_start import RunStart
from veridical.verbs.sets import open_with_suite

LOG = "responses.jsonl"
PLAIN = {"repeats": 2, "show": "quiet", "max_connections": 1, "analyze": False}
_VARYING = ("latency", "ended")


def by_content(request: Request) -> Reply:
    """A reply that follows from what is asked, so that the order of asking changes none."""
    return said("Yes" if sha256(repr(request.body["messages"]).encode()).digest()[0] % 2 else "No idea.")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("set") / "set"
    v.make("viprobe", out=place, units=2, cases=["muller_lyer"], levels=2)
    return place


@pytest.fixture(scope="module")
def server():
    with serve(by_content) as running:
        yield running


@pytest.fixture(scope="module")
def whole(made: Path, server, tmp_path_factory: pytest.TempPathFactory) -> dict[str | None, Path]:
    """A run with every reply, of all base items and of a shard."""
    place = tmp_path_factory.mktemp("whole")
    shards = {None: {}, "1/2": {"shard": "1/2"}}
    options = {"base_url": server.url, **PLAIN}
    return {name: run(made, "m", out=place / "run", **options, **shard).folder for name, shard in shards.items()}


def damaged(folder: Path, seed: int) -> None:
    """Takes replies away, puts errors in the place of others, and adds attempts to some."""
    rng, kept = np.random.default_rng(seed), []
    for line in (folder / LOG).read_bytes().splitlines(keepends=True):
        stored = json.loads(line)
        key = {"trial": stored["trial"], "repeat": stored["repeat"]}
        match rng.choice(["kept", "missing", "failed", "again", "failed again"], p=[0.5, 0.2, 0.1, 0.1, 0.1]):
            case "kept":
                kept.append(line)
            case "failed":
                kept.append(response_line(Response(**key, error="server", requests=3)))
            case "again":
                kept += [response_line(Response(**key, error="timeout")), line.replace(b'"attempt":1', b'"attempt":2')]
            case "failed again":
                kept += [line, response_line(Response(**key, attempt=2, error="timeout"))]
    kept.append(response_line(Response(trial="of another run", text="Yes")))
    rng.shuffle(kept)
    (folder / LOG).write_bytes(b"".join(kept))


def spent(folder: Path) -> int:
    """The tokens of all stored attempts at planned trials."""
    lines = [json.loads(line) for line in (folder / LOG).read_bytes().splitlines()]
    return sum((line["input_tokens"] or 0) + (line["output_tokens"] or 0) for line in lines)


def unplanned(folder: Path) -> None:
    """Removes what says from what the trials were planned, so that they are planned anew."""
    for name in (RUN, COPY):
        stored = json.loads((folder / name).read_text())
        del stored["execution"][-1]["planned_from"]
        (folder / name).write_text(json.dumps(stored))


def resumed(folder: Path, made: Path, server, *, planned: bool, **options):
    """What a start sends, what it stores, and what it counts; `planned` says whether all trials are planned for it."""
    stimuli, before = StimulusSet.open(made), len(server.requests)
    options = {"base_url": server.url, **PLAIN, **options}
    result = run(stimuli, "m", out=folder.with_name("run"), **options)
    assert result.folder == folder
    assert ("stimuli" in vars(stimuli)) == planned
    sent = [request.body for request in server.requests[before:]]
    lines = [json.loads(line) for line in (folder / LOG).read_bytes().splitlines()]
    stored = [{name: value for name, value in line.items() if name not in _VARYING} for line in lines]
    return sent, stored, result.run.executions[-1]["ended"], result


@pytest.mark.parametrize(
    ("seed", "limited", "options"),
    [(1, False, {}), (2, False, {"shard": "1/2"}), (3, True, {}), (4, False, {"accept_errors": True})],
)
def test_the_rest_is_asked_as_if_every_trial_were_planned(whole, made, server, tmp_path: Path, seed, limited, options):
    told = []
    for planned in (False, True):
        source = whole[options.get("shard")]
        folder = tmp_path / str(planned) / source.name
        shutil.copytree(source, folder)
        damaged(folder, seed)
        if planned:
            unplanned(folder)
        budget = {"budget_tokens": spent(folder) + 30} if limited else {}
        told.append(resumed(folder, made, server, planned=planned, **options, **budget))
    (sent, stored, ended, fast), (*full, slow) = told
    assert bool(ended["limit"]) == limited
    assert sent
    assert [sent, stored, ended] == full
    assert fast.run.trials() == slow.run.trials()
    assert fast.outcomes().drop(_VARYING).equals(slow.outcomes().drop(_VARYING))
    assert fast.complete == slow.complete == (not limited)
    assert fast.run.trials_sha256 == slow.run.trials_sha256


def test_a_start_that_differs_or_finds_another_table_plans_all_trials(whole, made, server, tmp_path: Path):
    folder = tmp_path / "run"
    for place, change in {"table": {}, "retry": {"retry": "unparsed"}, "prompts": {}}.items():
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(whole[None], folder)
        damaged(folder, 5)
        if place == "table":
            (folder / "trials.parquet").write_bytes(b"PAR1")
        if place == "prompts":
            unplanned(folder)
        *_, result = resumed(folder, made, server, planned=True, **change)
        assert result.complete


def test_a_first_request_that_is_refused_ends_a_resumed_run_in_the_same_line(whole, made, tmp_path: Path):
    problems = []
    with serve(lambda _: refused(401, "no such key")) as closed:
        for planned in (False, True):
            folder = tmp_path / str(planned) / "run"
            shutil.copytree(whole[None], folder)
            (folder / LOG).write_bytes(b"")
            if planned:
                unplanned(folder)
            with pytest.raises(v.InputError) as refusal:
                run(made, "m", out=folder, base_url=closed.url, **PLAIN)
            problems.append(str(refusal.value).replace(str(folder), "run"))
            assert open_run(folder).run.responses() == {}
            assert len(open_run(folder).run.executions) == 2
    assert problems[0] == problems[1]


@pytest.mark.filterwarnings("ignore::veridical.errors.UnansweredWarning")
def test_an_observer_and_a_packed_log_are_resumed_to_the_same_tables(made, tmp_path: Path):
    tables, source = [], tmp_path / "source"
    run(made, "veridical/pixel", out=source, show="quiet", analyze=False)
    damaged(source, 6)
    pack(source)
    for planned in (False, True):
        folder = tmp_path / str(planned) / "run"
        shutil.copytree(source, folder)
        if planned:
            unplanned(folder)
        stimuli = StimulusSet.open(made)
        result = run(stimuli, "veridical/pixel", out=folder, show="quiet")
        assert ("stimuli" in vars(stimuli)) == planned
        assert result.complete
        tables.append({path.name: path.read_bytes() for path in (folder / "tables").iterdir()})
    assert {name for name in tables[0] if tables[0][name] != tables[1][name]} == set()
    assert len(tables[0]) > 1


def test_replies_stored_by_another_process_meanwhile_are_not_asked_for_again(whole, made, server, tmp_path: Path):
    folder = tmp_path / "run"
    shutil.copytree(whole[None], folder)
    lines = (folder / LOG).read_bytes().splitlines(keepends=True)
    (folder / LOG).write_bytes(b"".join(lines[5:]))
    stimuli, suite = open_with_suite(made)
    options = {"base_url": server.url, "repeats": 2, "max_connections": 1}
    start = RunStart(suite, stimuli, folder, roles_of(suite, "m", options), options, "quiet", None)
    first = start.first

    def overtaken():
        planned = first()
        with (folder / LOG).open("ab") as log:
            log.write(b"".join(lines[:4]))
        start.first = first
        return planned

    start.first = overtaken
    before = len(server.requests)
    assert start.result(analyze=False).complete
    assert len(server.requests) - before == 1
