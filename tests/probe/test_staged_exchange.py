"""The trials of a stage leave a run, as lines and as a batch, and replies to them come back by replay."""

import json
from dataclasses import replace

import pytest

import veridical
from tests.ask.server import refused as fails
from tests.ask.server import said as reply
from tests.probe import staged
from tests.probe.staged import EMBEDDED, EYE, QUIET, STAGES, answering, drawn, options_for, replies, trials_of
from veridical.records import Text

PLAYED = {"judge": "veridical/replay", "roles": {"captioner": "veridical/replay"}}


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """A set with boxes, a clip and sums, so that media are derived in two ways."""
    return drawn(tmp_path_factory.mktemp("sets") / "mixed", boxes=1, clip=1, sums=2)


@pytest.fixture(scope="module")
def finished(mixed, tmp_path_factory):
    """A run that is asked twice, in all stages but those that rest on people."""
    out = tmp_path_factory.mktemp("runs") / "run"
    return veridical.run(mixed, "veridical/eye", out=out, repeats=2, **EMBEDDED, **QUIET)


def sent(trial):
    """The messages of a trial, media by the hash of their pixels."""
    return [(m.role, [p.text if isinstance(p, Text) else (p.kind, p.sha256) for p in m.parts]) for m in trial.messages]


def of_part(part):
    """The same of a part in a file of trials."""
    return part["text"] if "text" in part else (part["kind"], part["sha256"])


def read_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_trials_of_a_stage_are_written_as_the_run_then_asks_them(mixed, tmp_path, said):
    folder, lines = tmp_path / "run", {}

    def written(stage):
        place = tmp_path / "out" / f"{stage}.jsonl"
        assert said("trials", folder, "--stage", stage, "--out", place)[0] == 0
        lines[stage] = read_lines(place)

    veridical.run(mixed, "veridical/eye", out=folder, **QUIET)
    written("mark")
    veridical.judge(folder, **EMBEDDED, **QUIET)
    written("again")
    written("closer")
    run = veridical.run(mixed, "veridical/eye", out=folder, **EMBEDDED, **QUIET)
    for stage, exported in lines.items():
        trials = trials_of(run, stage)
        by_name = {mixed.opaque(trial.id): trial for trial in trials}
        assert {each["id"] for each in exported} == by_name.keys()
        assert len(exported) == len(trials) > 1
        for each in exported:
            trial = by_name[each["id"]]
            assert each.keys() == {"id", "suite", "stage", "settings", "messages"}
            parts = [
                (m["role"], [p.get("text", (p.get("kind"), p.get("sha256"))) for p in m["parts"]])
                for m in each["messages"]
            ]
            assert parts == sent(trial)
            files = [tmp_path / "out" / part["media"] for part in each["messages"][-1]["parts"] if "media" in part]
            assert all(file.is_file() for file in files)
    shown = [part for each in lines["closer"] for part in each["messages"][-1]["parts"] if "media" in part]
    assert {part["kind"] for part in shown} == {"image"}
    assert len(shown) > 0


def test_a_batch_of_a_stage_has_the_ids_and_messages_that_the_server_then_gets(tmp_path, said):
    few = drawn(tmp_path / "set", boxes=1, sums=1)
    with answering() as server:
        options = options_for(server, tmp_path, roles={"captioner": "veridical/captioner"})
        veridical.run(few, out=tmp_path / "run", **{**options, "judge": None, "roles": {}})
        veridical.judge(tmp_path / "run", roles=options["roles"], **QUIET)
        batches = {}
        for stage, model in (("mark", staged.JUDGE), ("closer", EYE)):
            place = tmp_path / f"{stage}.jsonl"
            words = ("trials", tmp_path / "run", "--stage", stage, "--out", place, "--batch", "--model", model)
            assert said(*words)[0] == 0
            batches[stage] = read_lines(place)
        server.requests.clear()
        run = veridical.run(few, out=tmp_path / "run", **options)
        for stage, batch in batches.items():
            assert {each["custom_id"] for each in batch} == {few.opaque(trial.id) for trial in trials_of(run, stage)}
            received = [request.body for request in server.requests if staged.stage_of(request) == stage]
            assert sorted(plain(each["body"]) for each in batch) == sorted(plain(body) for body in received)


def plain(body):
    """A request's model and messages, less what a client adds to a picture."""
    messages = []
    for message in body["messages"]:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        messages.append((message["role"], [part.get("text") or part["image_url"]["url"] for part in parts]))
    return body["model"], messages


def replayed(run):
    """The words of a command, and the keywords of a run, by which replay gets each stage's replies of a run."""
    files = {each.stage: each.folder / "responses.jsonl" for each in run.staged if each.counted}
    return {"answers" if stage == "look" else f"answers.{stage}": str(file) for stage, file in files.items()}


def test_a_finished_run_is_replayed_with_the_same_digests_and_figures(mixed, finished, tmp_path):
    args = replayed(finished)
    run = veridical.run(mixed, "veridical/replay", out=tmp_path / "run", repeats=2, model_args=args, **PLAYED, **QUIET)
    assert run.complete
    for stage in STAGES:
        found, first = (
            each.outcomes(stage=stage).drop("model", "latency", "ended", "served_model") for each in (run, finished)
        )
        assert len(found) > 0
        assert found.equals(first)
    assert [unnamed(each) for each in run.estimates()] == [unnamed(each) for each in finished.estimates()]


def unnamed(estimate):
    return replace(estimate, slice={name: value for name, value in estimate.slice.items() if name != "judge"})


@pytest.mark.parametrize("last", ["a reply", "an error"])
def test_refusals_cut_replies_thoughts_and_errors_are_replayed_with_the_same_digests(tmp_path, last):
    few = drawn(tmp_path / "set", boxes=2)
    kinds = [reply("", refusal="No."), reply("cut", finish="length"), reply("box", reasoning_content="Hm.")]
    kinds = iter([*kinds, fails(500) if last == "an error" else reply("A box.")])
    with answering(replies(caption=lambda _: next(kinds))) as server:
        options = options_for(server, tmp_path, judge=None, accept_errors=True)
        run = veridical.run(few, out=tmp_path / "run", **options)
    options = {"model_args": replayed(run), "roles": PLAYED["roles"], "accept_errors": True, **QUIET}
    again = veridical.run(few, "veridical/replay", out=tmp_path / "again", **options)
    for stage in ("look", "caption", "closer"):
        found, first = (each.outcomes(stage=stage).select("trial", "status", "digest") for each in (again, run))
        assert len(found) == 4
        assert found.equals(first)


def test_a_stage_without_a_file_of_replies_waits_and_is_no_failure(mixed, finished, tmp_path, said):
    args = replayed(finished)
    words = ["run", "probe", "--set", mixed.folder, "--out", tmp_path / "run", "--repeats", 2]
    words += ["--model", "veridical/replay", "--judge", "veridical/replay"]
    for name in ("answers", "answers.mark"):
        words += ["-M", f"{name}={args[name]}"]
    code, out, _ = said(*words)
    assert code == 0
    assert "stage again waits for a file of replies for veridical/replay: -M answers.again=FILE\n" in out
    assert "stage remark waits for stage again\n" in out
    code, out, _ = said(*words, "-M", f"answers.again={args['answers.again']}", "--json")
    facts = json.loads(out)
    assert (code, facts["complete"]) == (0, True)
    assert [each["stage"] for each in facts["stages"]] == ["look", "mark", "again"]
    run = veridical.open_run(tmp_path / "run")
    again = ["trial", "digest"]
    assert run.outcomes(stage="again").select(again).equals(finished.outcomes(stage="again").select(again))


def test_a_stages_own_folder_is_no_run_and_every_verb_names_the_run_instead(finished, tmp_path, said):
    (place,) = (finished.folder / "stages" / "mark").iterdir()
    others = (["judge", place, "--judge", "veridical/judge"], ["compare", finished.folder, place])
    for words in (["status", place], ["metrics", place], ["report", place], ["rescore", place], *others):
        code, out, err = said(*words)
        assert (code, out) == (2, "")
        assert err == f"veridical: {place} is a stage of the run {finished.folder.resolve()}: name that folder\n"
