"""What leaves the library of a suite and what comes in: trials, batches, people, pictures of others, inspect tasks."""

import base64
import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import veridical
from tests.probe_suite.asking import SECRET
from tests.probe_suite.design import COLORS
from veridical.media.draw import encode_png
from veridical.records import STATUSES
from veridical.suite.evidence import Evidence
from veridical.verbs.runs.preparation import prepare


def shown_in(made):
    """The stimulus of each question about a set, by the id under which it is exported."""
    stimuli = {stimulus.id: stimulus for stimulus in made.stimuli}
    return {made.opaque(trial.id): stimuli[trial.stimulus] for trial in prepare(made, "m").trials}


@pytest.fixture
def lines(made, tmp_path, said):
    """The exported trials as text and as JSON."""
    assert said("trials", made.folder, "--out", tmp_path / "trials.jsonl")[0] == 0
    text = (tmp_path / "trials.jsonl").read_text()
    return text, [json.loads(line) for line in text.splitlines()]


def test_exported_trials_hold_neither_gold_nor_what_readers_expect(made, lines):
    text, trials = lines
    assert len(trials) == 50
    assert {frozenset(trial) for trial in trials} == {frozenset(("id", "suite", "stage", "settings", "messages"))}
    assert SECRET not in text
    assert not any(label in text for label in {s.label for s in made.stimuli if s.family == "boxes" and "," in s.label})
    assert '"regions"' not in text


def test_exported_trials_name_each_medium_with_its_kind_and_hash(made, lines, tmp_path):
    shown = shown_in(made)
    for trial in lines[1]:
        stimulus = shown[trial["id"]]
        parts = [part for part in trial["messages"][-1]["parts"] if "media" in part]
        assert [(part["kind"], part["sha256"]) for part in parts] == [(m.kind, m.sha256) for m in stimulus.media]
        files = [(tmp_path / part["media"]).read_bytes() for part in parts]
        assert files == [made.read(medium.file) for medium in stimulus.media]


def test_golds_are_exported_only_where_they_are_asked_for(made, tmp_path):
    veridical.write_trials(made, tmp_path / "gold.jsonl", gold=True)
    lines = [json.loads(line) for line in (tmp_path / "gold.jsonl").read_text().splitlines()]
    shown = shown_in(made)
    found = {shown[line["id"]].id: line["gold"] for line in lines}
    assert found == {stimulus.id: stimulus.label for stimulus in made.stimuli}
    assert SECRET not in (tmp_path / "gold.jsonl").read_text()


def test_replies_to_exported_trials_come_back_by_replay(made, lines, seeing, tmp_path, said):
    texts = {made.opaque(trial): text for trial, text in seeing.outcomes().select("trial", "text").iter_rows()}
    answers = tmp_path / "answers.jsonl"
    answers.write_text("".join(json.dumps({"id": t["id"], "text": texts[t["id"]]}) + "\n" for t in lines[1]))
    words = ("run", "probe", "--model", "veridical/replay", "-M", f"answers={answers}", "--set", made.folder)
    code, out, _ = said(*words, "--out", tmp_path / "run", "--json")
    assert (code, json.loads(out)["counts"]["answered"]) == (0, 50)


def test_a_batch_holds_pictures_of_each_format_byte_for_byte(made, tmp_path, said):
    words = ("trials", made.folder, "--out", tmp_path / "batch.jsonl", "--batch", "--model", "m", "--limit", 2)
    assert said(*words)[0] == 0
    text = (tmp_path / "batch.jsonl").read_text()
    assert SECRET not in text
    requests = {line["custom_id"]: line for line in map(json.loads, text.splitlines())}
    stimulus, shown = made.stimuli[0], shown_in(made)
    first = next(line for name, line in requests.items() if shown[name] == stimulus)
    urls = [p["image_url"]["url"] for p in first["body"]["messages"][-1]["content"] if p["type"] == "image_url"]
    assert [url.split(";")[0] for url in urls] == ["data:image/png", "data:image/jpeg", "data:image/webp"] * 2
    contents = [base64.b64decode(url.partition(",")[2]) for url in urls]
    assert contents == [made.read(medium.file) for medium in stimulus.media]


def test_a_batch_of_what_has_no_media_is_text_alone(made, tmp_path):
    trials = [trial for trial in prepare(made, "m").trials if trial.family == "sums"]
    from veridical.verbs.exchange.trials import write_batches

    assert write_batches(tmp_path / "batch.jsonl", trials, made.read, opaque=made.opaque, model="m").lines == 10
    bodies = [json.loads(line)["body"] for line in (tmp_path / "batch.jsonl").read_text().splitlines()]
    assert all(isinstance(body["messages"][-1]["content"], str) for body in bodies)


def test_a_batch_of_clips_is_refused_in_one_line(made, tmp_path, said):
    code, _, err = said("trials", made.folder, "--out", tmp_path / "batch.jsonl", "--batch", "--model", "m")
    assert code == 2
    assert re.search(r"shows the clip media/clip/[0-9]{4}/(easy|hard)-0\.mp4", err)
    assert err.count("\n") == 1
    assert not (tmp_path / "batch.jsonl").exists()


def test_a_plan_counts_pictures_and_the_suites_contrast(made, said):
    code, out, _ = said("plan", "probe", "--set", made.folder, "--image-tokens", 100, "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["trials"], found["units"], found["reply_tokens"]) == (50, 25, 5)
    assert found["picture_tokens"] == 100 * (6 * 10 + 10 + 10)
    assert {"easy", "hard"} <= set(found["effects"][0]["difference"].split())
    code, out, _ = said("plan", "probe", "--units", 4, "--dots", 9, "--json")
    assert (code, json.loads(out)["trials"]) == (0, 40)


def test_a_plan_of_a_design_is_that_of_its_set(made):
    by_set, by_design = veridical.plan(made), veridical.plan(veridical.design("probe", units=5, dots=6))
    assert (by_set.trials, by_set.units, by_set.pictures) == (by_design.trials, by_design.units, by_design.pictures)


def test_a_rehearsal_shows_each_medium_of_a_request_and_sends_nothing(made, tmp_path, said):
    words = ("run", "probe", "--model", "veridical/eye", "--set", made.folder, "--out", tmp_path / "run", "--dry-run")
    code, out, _ = said(*words)
    assert code == 0
    assert {out.count(f"[{name} 48x48") for name in ("PNG", "JPEG", "WebP")} == {2}
    assert "nothing was sent" in out
    assert SECRET not in out
    assert not (tmp_path / "run").exists()


def test_a_sample_for_people_shows_questions_and_media_and_no_truth(made, tmp_path, said):
    words = ("people", "sample", made.folder, "--out", tmp_path / "sample.csv", "--per-person", 10, "--people", 2)
    assert said(*words)[0] == 0
    text = (tmp_path / "sample.csv").read_text()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 20
    shown = shown_in(made)
    for row in rows:
        stimulus = shown[row["trial"]]
        copies = [(tmp_path / place).read_bytes() for place in row["picture"].split()]
        assert copies == [made.read(medium.file) for medium in stimulus.media]
        assert row["question"] == stimulus.question
    assert SECRET not in text
    strata = [(s.family, s.variant) for s in (shown[row["trial"]] for row in rows[:10])]
    assert len(set(strata)) == 10


def test_answers_of_people_are_read_by_the_suites_readers(made, tmp_path, said):
    wanted = {trial.id: trial.gold for trial in prepare(made, "people/x").trials}
    dressed = {name: f"<answer>{gold}</answer>" if "clip" in name else gold for name, gold in wanted.items()}
    with (tmp_path / "lab.csv").open("w", newline="") as file:
        rows = [(person, name, answer, 2) for person in ("a", "b") for name, answer in dressed.items()]
        csv.writer(file).writerows([("participant", "trial", "answer", "seconds"), *rows])
    code, out, _ = said("people", "read", made.folder, tmp_path / "lab.csv", "--out", tmp_path / "run", "--json")
    assert (code, json.loads(out)["participants"]) == (0, 2)
    run = veridical.open_run(tmp_path / "run")
    assert run.counts.answered == 100
    assert run.outcomes()["correct"].all()
    assert "Most right: people/lab" in run.folder.joinpath(veridical.write_report([run])).read_text()


@pytest.fixture
def release(tmp_path):
    """Three pictures of others with a list; one of them is labelled against its pixels."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    rows = []
    for name, color, stated in (("a.PNG", "red", "red"), ("b.jpeg", "green", "green"), ("c.webp", "blue", "red")):
        pixels = np.full((20, 30, 3), COLORS[color], np.uint8)
        if name == "a.PNG":
            (folder / name).write_bytes(encode_png(pixels))
        else:
            Image.fromarray(pixels).save(folder / name)
        rows.append((name, stated, f"license of {name}", f"by the maker of {name}"))
    with (folder / "list.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("file", "color", "license", "attribution"), *rows])
    return folder


def test_pictures_of_others_are_kept_byte_for_byte_with_the_rights_of_each(release, tmp_path, said):
    code, out, _ = said("import", "probe-pictures", release, "--out", tmp_path / "set", "--json")
    found = json.loads(out)
    assert (code, found["stimuli"], found["measured"]) == (0, 3, 3)
    assert [each["id"] for each in found["contradicted"]] == ["tiles/0002/easy"]
    whole = veridical.open_set(tmp_path / "set")
    files = [medium.file for stimulus in whole.stimuli for medium in stimulus.media]
    assert [Path(file).suffix for file in files] == [".png", ".jpg", ".webp"]
    originals = [(release / name).read_bytes() for name in ("a.PNG", "b.jpeg", "c.webp")]
    assert [whole.read(file) for file in files] == originals
    rights = [stimulus.truth["rights"] for stimulus in whole.stimuli]
    assert rights[1] == {"license": "license of b.jpeg", "attribution": "by the maker of b.jpeg"}
    assert whole.manifest["may_be_passed_on"] is None
    assert [each["id"] for each in veridical.check(whole).failed] == ["tiles/0002/easy"]
    run = veridical.run(whole, "veridical/eye", out=tmp_path / "run", show="quiet", analyze=False)
    right = dict(run.outcomes().select("stimulus", "correct").iter_rows())
    assert right == {"tiles/0000/easy": True, "tiles/0001/easy": True, "tiles/0002/easy": False}


def test_a_set_of_others_pictures_is_described_without_a_claim_that_they_were_drawn(release, tmp_path, said):
    made = veridical.import_release("probe-pictures", release, tmp_path / "set")
    card = (made.folder / "README.md").read_text()
    assert "License: by item" in card
    assert "synthetic" not in card
    assert said("describe", made.folder)[0] == 0


def test_a_file_of_others_that_is_no_medium_is_refused_in_one_line(release, tmp_path, said):
    (release / "b.jpeg").write_bytes(b"GIF89a")
    code, _, err = said("import", "probe-pictures", release, "--out", tmp_path / "set")
    assert code == 2
    assert "b.jpeg: a GIF: convert it" in err
    assert err.count("\n") == 1
    assert not (tmp_path / "set").exists()


@pytest.fixture(scope="module")
def log(made, tmp_path_factory):
    from inspect_ai import eval as inspect_eval

    from veridical.verbs.inspect_tasks import task_of

    logs = tmp_path_factory.mktemp("logs")
    options = {"log_dir": str(logs), "display": "none", "log_realtime": False}
    (found,) = inspect_eval(task_of("probe")(set=str(made.folder)), model="veridical/eye", **options)
    return found


def test_the_suite_is_a_task_of_inspect_with_the_outcomes_of_a_run(log, made, tmp_path):
    from veridical.verbs.inspect_tasks import outcomes_of

    assert log.status == "success"
    run = veridical.run(made, "veridical/eye", out=tmp_path / "run", show="quiet", analyze=False)
    found = outcomes_of(log)
    assert found.drop("latency", "ended").equals(run.outcomes().drop("latency", "ended"))
    later = {stage.name: run.outcomes(stage=stage.name) for stage in run.suite.asking.ordered[1:]}
    assert run.suite.analysis.estimates(Evidence.of({"look": found, **later})) == run.estimates()
    means = {score.name: score.metrics["mean"].value for score in log.results.scores}
    assert means == {**dict.fromkeys(STATUSES, 0.0), "answered": 1.0, "of_all": 1.0, "of_answered": 1.0}


def test_a_task_sends_nothing_of_what_readers_expect(log):
    for sample in log.samples:
        messages = sample.input if isinstance(sample.input, str) else [m.model_dump_json() for m in sample.input]
        assert SECRET not in "".join(messages)


def test_a_task_takes_the_suites_own_options_and_settings():
    from veridical.verbs.inspect_tasks import task_of

    task = task_of("probe")(units=1, dots=4, settings={"tone": "polite"})
    assert len(task.dataset) == 10
    assert all(sample.id.endswith("?polite,bare") for sample in task.dataset)


def test_what_is_derived_is_exported_with_its_files_or_refused_in_one_line(tmp_path, said):
    small = veridical.make("probe", out=tmp_path / "set", units=1)
    code, _, err = said("trials", small.folder, "--out", tmp_path / "trials.jsonl", "-S", "lens=derived")
    if code:
        assert err.count("\n") == 1
        return
    for line in (tmp_path / "trials.jsonl").read_text().splitlines():
        parts = json.loads(line)["messages"][-1]["parts"]
        assert all((tmp_path / part["media"]).is_file() and part["sha256"] for part in parts if "media" in part)


def test_a_task_shows_what_is_derived_or_refuses_it_in_one_line():
    from inspect_ai._util.error import PrerequisiteError

    from veridical.verbs.inspect_tasks import task_of

    try:
        task = task_of("probe")(units=1, settings={"lens": "derived"})
    except PrerequisiteError:
        return
    pictures = [part.image for sample in task.dataset for part in sample.input[-1].content if part.type == "image"]
    assert len(pictures) == 2 * 4 + 2
    assert all(Path(picture).is_file() for picture in pictures)
