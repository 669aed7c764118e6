"""Nothing that leaves a set to be answered is named after what it shows; answers come back by either name."""

import csv
import json
import re
import shutil
from itertools import groupby

import pytest

import veridical
from veridical.errors import InputError
from veridical.verbs.exchange.planned_stages import planned_stage
from veridical.verbs.runs.preparation import prepare

DERIVED = {"settings": {"lens": "derived"}}
HELD = ("id", "suite", "stage", "settings", "messages")


def strings(value):
    """Every string in a JSON value, keys included, but the texts of a conversation, which any model is sent."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            if not (key in ("text", "content") and isinstance(inner, str)):
                yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
    elif isinstance(value, str) and not value.startswith("data:image/"):
        yield value


def telling(whole, trials):
    """What no exported string may hold: ids, paths, and the words that say of what kind a stimulus is."""
    stimuli = whole.stimuli
    kinds = {word for s in stimuli for word in (s.id, s.family, s.variant, s.unit, s.category)}
    files = {part.file for trial in trials for m in trial.messages for part in m.parts if hasattr(part, "file")}
    names = {name.rpartition("/")[2].partition(".")[0] for name in files}
    return {word for word in {*kinds, *files, *names, *(trial.id for trial in trials)} if word}


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def exported(whole, folder, **options):
    """Lines, a batch of the pictures among them, and a sheet for people, as JSON values."""
    trials = prepare(whole, "m", **options).trials
    veridical.write_trials(whole, folder / "trials.jsonl", **options)
    veridical.people.sample(whole, folder / "sheet.csv", per_person=len(whole), people=2)
    found = [json.loads(line) for line in (folder / "trials.jsonl").read_text().splitlines()]
    rows = [{"text": row.pop("question")} | row for row in rows_of(folder / "sheet.csv")]
    return trials, [*found, *rows]


@pytest.mark.parametrize("options", [{}, DERIVED], ids=["bare", "derived"])
def test_no_exported_string_tells_a_kind_an_id_or_a_path(made, small, tmp_path, options):
    whole = small if options else made
    trials, values = exported(whole, tmp_path, **options)
    words = telling(whole, planned_stage(whole, None, **options).trials)
    assert len(words) > 10
    found = {text for value in values for text in strings(value)}
    found |= {place.relative_to(tmp_path).as_posix() for place in tmp_path.rglob("*")}
    told = {(word, text) for text in found - set(HELD) for word in words if re.search(rf"\b{re.escape(word)}\b", text)}
    assert told == set()
    ids = {value["id"] for value in values if "id" in value}
    assert len(ids) == len(trials)
    assert all(re.fullmatch("item-[0-9a-f]{16}", name) for name in ids)


def test_a_batch_tells_no_kind_id_or_path_either(made, tmp_path):
    veridical.write_trials(made, tmp_path / "b.jsonl", batch=True, model="m", limit=2)
    text = re.sub(r"data:image/[^\"]*", "", (tmp_path / "b.jsonl").read_text())
    assert not [word for word in telling(made, prepare(made, "m").trials) if "/" in word and word in text]
    values = [json.loads(line) for line in text.splitlines()]
    assert all(re.fullmatch("item-[0-9a-f]{16}", value["custom_id"]) for value in values)


def test_copies_are_no_links_back_to_the_set(small, tmp_path):
    veridical.write_trials(small, tmp_path / "trials.jsonl")
    copies = list((tmp_path / "trials-media").iterdir())
    assert {copy.read_bytes() for copy in copies} == {small.read(m.file) for s in small.stimuli for m in s.media}
    assert not any(copy.is_symlink() or copy.stat().st_nlink > 1 for copy in copies)


def test_neither_the_order_of_the_lines_nor_the_name_tells_the_variant(made, tmp_path):
    veridical.write_trials(made, tmp_path / "t.jsonl")
    trials = {made.opaque(trial.id): trial for trial in prepare(made, "m").trials}
    written = [trials[json.loads(line)["id"]] for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    units = [[trial.variant for trial in group] for _, group in groupby(written, key=lambda trial: trial.unit)]
    assert len(units) == 25
    firsts = [variants[0] for variants in units]
    assert {"easy", "hard"} == set(firsts)
    assert 5 <= firsts.count("easy") <= 20


def test_the_names_of_another_set_cannot_be_made_from_the_ids_alone(made, small):
    shared = {trial.id for trial in prepare(made, "m").trials} & {trial.id for trial in prepare(small, "m").trials}
    assert shared
    assert not {made.opaque(name) for name in shared} & {small.opaque(name) for name in shared}


def answers_under(names, run, path):
    texts = dict(run.outcomes().select("trial", "text").iter_rows())
    path.write_text("".join(json.dumps({"id": names(trial), "text": text}) + "\n" for trial, text in texts.items()))
    return {"answers": str(path)}


@pytest.fixture
def eye(small, tmp_path):
    return veridical.run(small, "veridical/eye", out=tmp_path / "eye", show="quiet")


def test_answers_by_opaque_id_and_by_the_trials_own_make_the_same_run(small, eye, tmp_path):
    runs = []
    for name, names in (("opaque", small.opaque), ("own", str)):
        args = answers_under(names, eye, tmp_path / f"{name}.jsonl")
        runs.append(veridical.run(small, "veridical/replay", out=tmp_path / name, model_args=args, show="quiet"))
    first, second = (run.outcomes().drop("latency", "ended") for run in runs)
    assert first.equals(second)
    assert runs[0].estimates() == runs[1].estimates() == eye.estimates()


def test_two_answers_to_one_trial_under_both_names_are_an_error_of_it(small, eye, tmp_path):
    twice = eye.run.trials()[0].id
    args = answers_under(str, eye, tmp_path / "a.jsonl")
    with (tmp_path / "a.jsonl").open("a") as file:
        file.write(json.dumps({"id": small.opaque(twice), "text": "another"}) + "\n")
    run = veridical.run(small, "veridical/replay", out=tmp_path / "run", model_args=args, show="quiet")
    failed = run.outcomes().filter(status="error")
    assert failed["trial"].to_list() == [twice]


def test_a_task_of_inspect_takes_answers_by_opaque_id(small, eye, tmp_path):
    from inspect_ai import eval as inspect_eval

    from veridical.verbs.inspect_tasks import outcomes_of, task_of

    args = answers_under(small.opaque, eye, tmp_path / "a.jsonl")
    options = {"log_dir": str(tmp_path / "logs"), "display": "none", "log_realtime": False}
    (log,) = inspect_eval(task_of("probe")(set=str(small.folder)), model="veridical/replay", model_args=args, **options)
    columns = ("trial", "status", "answer", "correct")
    assert outcomes_of(log).select(columns).equals(eye.outcomes().select(columns))


def test_a_filled_sheet_is_read_as_the_same_answers_under_the_trials_own_ids_are(small, tmp_path):
    trials = {small.opaque(trial.id): trial for trial in prepare(small, "people/x").trials}
    veridical.people.sample(small, tmp_path / "sheet.csv", per_person=len(small), people=2)
    rows = rows_of(tmp_path / "sheet.csv")
    runs = []
    for name in ("opaque", "own"):
        table = [(row["participant"], row["trial"], trials[row["trial"]].gold) for row in rows]
        table = [(who, trial if name == "opaque" else trials[trial].id, gold) for who, trial, gold in table]
        (tmp_path / name).mkdir()
        with (tmp_path / name / "lab.csv").open("w", newline="") as file:
            csv.writer(file).writerows([("participant", "trial", "answer"), *table])
        runs.append(veridical.people.read(small, tmp_path / name / "lab.csv", tmp_path / name / "run"))
    first, second = (run.outcomes().drop("latency", "ended") for run in runs)
    assert first.equals(second)
    assert runs[0].counts.answered == len(rows)


def test_an_export_that_fails_leaves_no_copies(small, tmp_path):
    whole = veridical.open_set(shutil.copytree(small.folder, tmp_path / "set"))
    last = [m for s in whole.stimuli for m in s.media][-1]
    (whole.folder / last.file).write_bytes(b"other")
    with pytest.raises(InputError, match="restore it"):
        veridical.write_trials(whole, tmp_path / "out" / "trials.jsonl")
    assert list((tmp_path / "out").iterdir()) == []
