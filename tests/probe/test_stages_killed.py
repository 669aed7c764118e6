"""A staged run that is killed anywhere goes on with the same command; while it lives, its folder is its own."""

import json
import shutil
from pathlib import Path

import pytest

import veridical
from tests.probe import staged
from tests.probe.staged import EYE, Hang, answering, bodies, drawn, options_for, replies, running, same

ALONE = {"model": "veridical/eye", "model_args": {"harsh.mark": True}, **staged.EMBEDDED, **staged.QUIET}


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    return drawn(tmp_path_factory.mktemp("sets") / "few", sums=2, boxes=1)


@pytest.fixture
def server():
    with answering() as answering_server:
        yield answering_server


@pytest.fixture(scope="module")
def finished(few, tmp_path_factory):
    """A finished run of embedded observers."""
    return veridical.run(few, out=tmp_path_factory.mktemp("runs") / "run", **ALONE)


def written(folder):
    """The replies of each stage, as bytes, by its place in a run folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("responses.jsonl")}


def test_a_run_killed_in_each_of_its_stages_asks_nothing_again_that_was_stored(few, server, tmp_path):
    options, hung = options_for(server, tmp_path), []
    for stage in staged.STAGES:
        server.behaviour = Hang(stage, 2)
        with running(few, tmp_path / "run", options) as process:
            server.behaviour.wait()
            process.kill()
        hung.append(server.behaviour.body)
    server.behaviour = replies()
    run = veridical.run(few, out=tmp_path / "run", **options)
    sent = bodies(server)
    server.requests.clear()
    undisturbed = veridical.run(few, out=tmp_path / "other", **options)
    once = bodies(server)
    once.update(hung)
    assert sent == once
    assert same(run, undisturbed)
    assert run.estimates() == undisturbed.estimates()
    assert [(each.stage, each.stale) for each in run.staged] == [(stage, 0) for stage in staged.STAGES]


def test_a_run_killed_between_two_stages_goes_on_with_the_second(few, server, tmp_path):
    options = options_for(server, tmp_path, model="veridical/eye", base_url=None)
    hears, tells = staged.FORKED.Pipe(duplex=False)
    with running(few, tmp_path / "run", options, tells) as process:
        assert hears.poll(60)
        assert hears.recv() == "mark"
        process.kill()
    assert not list((tmp_path / "run").glob("stages/mark/*/run.json"))
    assert server.requests == []
    looked = written(tmp_path / "run")
    assert list(looked) == ["responses.jsonl"]
    run = veridical.run(few, out=tmp_path / "run", **options)
    assert run.complete
    assert looked.items() <= written(tmp_path / "run").items()
    assert set(bodies(server).values()) <= {1, 2}


@pytest.mark.parametrize(
    ("stage", "left"),
    [
        ("mark", ()),
        ("mark", ("trials.parquet",)),
        ("remark", (".trials.parquet.tmp",)),
        ("remark", ("trials.parquet", ".run.json.tmp")),
    ],
)
def test_whatever_a_kill_left_of_a_stage_that_was_only_begun_the_stage_is_asked(few, finished, tmp_path, stage, left):
    folder = Path(shutil.copytree(finished.folder, tmp_path / "run"))
    (place,) = (folder / "stages" / stage).iterdir()
    table = (place / "trials.parquet").read_bytes()
    shutil.rmtree(place)
    if left:
        place.mkdir()
    for name in left:
        (place / name).write_bytes(table)
    before = written(folder)
    run = veridical.run(few, out=folder, **ALONE)
    assert before.items() <= written(folder).items()
    assert same(run, finished)
    assert not any(each.stale for each in run.staged)


def test_a_reply_torn_by_a_kill_in_a_later_stage_is_asked_again_and_no_other(few, finished, tmp_path):
    folder = Path(shutil.copytree(finished.folder, tmp_path / "run"))
    (place,) = (folder / "stages" / "again").iterdir()
    lines = (place / "responses.jsonl").read_bytes().splitlines(keepends=True)
    (place / "responses.jsonl").write_bytes(b"".join(lines)[:-20])
    before = written(folder)
    run = veridical.run(few, out=folder, **ALONE)
    assert same(run, finished)
    after = written(folder)
    assert {name for name in after if after[name] != before[name]} == {
        str((place / "responses.jsonl").relative_to(folder))
    }
    assert (place / "responses.jsonl").read_bytes().splitlines(keepends=True)[:-1] == lines[:-1]


def test_a_finished_run_is_asked_nothing_by_the_same_command(few, finished, tmp_path):
    folder = Path(shutil.copytree(finished.folder, tmp_path / "run"))
    before = written(folder)
    run = veridical.run(few, out=folder, **ALONE)
    assert written(folder) == before
    assert same(run, finished)


def test_a_second_process_is_refused_in_one_line_in_whatever_stage_the_first_is(few, server, tmp_path, said):
    options = options_for(server, tmp_path)
    words = ("--judge", staged.JUDGE, "--models", options["models"], "--yes")
    run = ("run", "probe", "--set", few.folder, "--out", tmp_path / "run", "--model", EYE, "--base-url", server.url)
    votes = tmp_path / "votes.csv"
    trial = next(stimulus.id for stimulus in few.stimuli if stimulus.family == "sums")
    votes.write_text(f"participant,trial,answer\na,{trial}?vote,12\n")
    for stage in ("look", "remark"):
        server.behaviour = Hang(stage, 2)
        with running(few, tmp_path / "run", options):
            server.behaviour.wait()
            before, sent = json.loads((tmp_path / "run" / "run.json").read_text()), len(server.requests)
            for command in (
                (*run, *words),
                ("judge", tmp_path / "run", *words),
                ("people", "read", tmp_path / "run", votes),
            ):
                code, _, err = said(*command)
                assert (code, err) == (
                    2,
                    f"veridical: another process is writing to {tmp_path / 'run'}: wait for it, or stop it\n",
                )
            assert len(server.requests) == sent
            assert json.loads((tmp_path / "run" / "run.json").read_text()) == before
            assert said("status", tmp_path / "run")[0] == 0
    server.behaviour = replies()
    assert veridical.run(few, out=tmp_path / "run", **options).complete
