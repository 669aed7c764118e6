"""Whatever is damaged in a run or a set, every verb that reads it says so in one line, and what can be mended is."""

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

import veridical
from tests.probe import staged
from tests.probe.staged import EMBEDDED, QUIET, drawn
from veridical.ask.log_archives import pack_log, packed_path
from veridical.verbs import pack

ASKED = {"model": "veridical/eye", **EMBEDDED, **QUIET}


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    return drawn(tmp_path_factory.mktemp("sets") / "few", sums=2, boxes=1)


@pytest.fixture(scope="module")
def finished(few, tmp_path_factory):
    return veridical.run(few, out=tmp_path_factory.mktemp("runs") / "run", **ASKED)


@pytest.fixture
def copy(finished, tmp_path):
    return Path(shutil.copytree(finished.folder, tmp_path / "run"))


def verbs(folder, whole, other):
    """The commands that take a run, those that read its responses first."""
    votes = folder.parent / "votes.csv"
    trial = next(stimulus.id for stimulus in whole.stimuli if stimulus.family == "sums")
    votes.write_text(f"participant,trial,answer\na,{trial}?vote,12\n")
    reading = {
        "status": ("status", folder),
        "metrics": ("metrics", folder),
        "report": ("report", folder),
        "rescore": ("rescore", folder),
        "compare": ("compare", other, folder),
        "adopt": ("adopt", folder, "--out", folder.parent / "adopted"),
        "judge": ("judge", folder, "--judge", "veridical/judge"),
        "trials": ("trials", folder, "--stage", "mark", "--out", folder.parent / "t.jsonl"),
        "people": ("people", "read", folder, votes),
    }
    same = ("run", "probe", "--set", whole.folder, "--out", folder, "--model", "veridical/eye")
    return reading, {"repair": ("repair", folder), "run": (*same, "--judge", "veridical/judge")}


def described(folder, **changes):
    """The run file with parts of its identity changed, or, if `None`, left out."""
    stored = json.loads((folder / "run.json").read_text())
    identity = {**stored["identity"], **changes}
    stored["identity"] = {name: value for name, value in identity.items() if value is not None}
    return json.dumps(stored).encode()


RUN_FILES = {
    "empty": lambda _: b"",
    "half": lambda folder: (folder / "run.json").read_bytes()[:99],
    "a list": lambda _: b"[]",
    "no UTF-8": lambda _: b'{"format": 3, "a": "\xff"}',
    "nested 10,000 deep": lambda _: b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "another format": lambda _: b'{"format": 4}',
    "no identity": lambda _: b'{"format": 3}',
    "no suite": lambda folder: described(folder, suite=None),
    "no set": lambda folder: described(folder, set=None),
    "no model": lambda folder: described(folder, model=None),
    "no such suite": lambda folder: described(folder, suite="prob"),
    "a model that is none": lambda folder: described(folder, model=["veridical/eye"]),
    "repeats without end": lambda folder: described(folder, repeats=10**9),
    "repeats that are none": lambda folder: described(folder, repeats="2"),
    "another stage": lambda folder: described(folder, stage="mark"),
    "starts that are none": lambda folder: json.dumps(
        json.loads((folder / "run.json").read_text()) | {"execution": [7]}
    ).encode(),
}


@pytest.mark.parametrize("damage", RUN_FILES)
def test_a_damaged_run_file_is_one_line_for_every_verb(damage, few, finished, copy, said):
    (copy / "run.json").write_bytes(RUN_FILES[damage](copy))
    before = (copy / "run.json").read_bytes()
    reading, others = verbs(copy, few, finished.folder)
    for verb, words in (reading | {"run": others["run"]}).items():
        code, out, err = said(*words)
        assert (code, out, err.count("\n")) == (2, "", 1), (verb, err)
        assert err.startswith("veridical: ")
        assert damage == "no such suite" or f"`veridical repair {copy}` restores it" in err
        assert len(err) < 1000
    assert (copy / "run.json").read_bytes() == before
    assert said(*others["repair"])[0] == 0
    assert (copy / "run.json.torn").read_bytes() == before
    assert (copy / "run.json").read_bytes() == (finished.folder / "run.json").read_bytes()
    assert said("status", copy)[0] == 0


@pytest.mark.parametrize("changes", [{"stage": None}, {"stage": "look"}, {"rests_on": 7}, {"repeats": 0}])
def test_a_damaged_run_file_of_a_stage_is_one_line_for_every_verb(changes, few, finished, copy, said):
    (place,) = copy.glob("stages/mark/*")
    (place / "run.json").write_bytes(described(place, **changes))
    reading, others = verbs(copy, few, finished.folder)
    for verb, words in (reading | {"run": others["run"]}).items():
        code, out, err = said(*words)
        assert (code, out) == (2, ""), verb
        assert err.startswith(f"veridical: {place / 'run.json'} is damaged: ")
        assert err.endswith(f"; `veridical repair {copy}` restores it\n")
        assert err.count("\n") == 1
    assert said(*others["repair"])[0] == 0
    assert staged.same(veridical.open_run(copy), finished)


@pytest.mark.parametrize("damage", ["deleted", "foreign", "of another set"])
def test_a_stage_that_nothing_describes_is_set_aside_whole_and_asked_again_by_the_same_command(
    damage, few, finished, copy, said
):
    (place,) = copy.glob("stages/mark/*")
    (place / "run.copy.json").unlink()
    replies = (place / "responses.jsonl").read_bytes()
    changes = {"deleted": {}, "foreign": {"stage": "again"}, "of another set": {"set": "0" * 64}}[damage]
    (place / "run.json").write_bytes(described(place, **changes))
    if damage == "deleted":
        (place / "run.json").unlink()
    for verb in ("status", "metrics"):
        code, out, err = said(verb, copy)
        assert (code, out) == (2, "")
        assert err.endswith(f"; `veridical repair {copy}` sets the stage aside\n")
    code, out, _ = said("repair", copy)
    assert (code, out.count("\n")) == (0, 1)
    assert out.startswith(f"{place}: set aside as {place.name}.torn (")
    assert (place.with_name(f"{place.name}.torn") / "responses.jsonl").read_bytes() == replies
    assert said("status", copy)[0] == 0
    assert staged.same(veridical.run(few, out=copy, **ASKED), finished)
    assert said("repair", copy)[1] == f"nothing is damaged in {copy}\n"


def test_a_run_file_of_another_run_is_told_apart_by_the_table_of_trials(few, finished, copy, tmp_path, said):
    """Replies of one model must not become another's."""
    other = veridical.run(few, out=tmp_path / "other", **ASKED | {"model_args": {"blind": True}})
    (copy / "run.json").write_bytes((other.folder / "run.json").read_bytes())
    code, out, _ = said("repair", copy)
    assert (code, "its identity is another run's" in out) == (0, True)
    assert staged.same(veridical.open_run(copy), finished)
    (copy / "run.json").write_bytes(b"")
    (copy / "run.copy.json").write_bytes(b"")
    code, out, err = said("repair", copy)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "without a copy it cannot be restored" in err


@pytest.mark.parametrize("stage", ["", "stages/mark/*"])
def test_flipped_golds_are_one_line_for_every_verb_and_mended_by_the_same_command(few, finished, copy, said, stage):
    (place,) = copy.glob(stage) if stage else [copy]
    table = place / "trials.parquet"
    before = table.read_bytes()
    stated = {"format": pl.read_parquet_metadata(table)["format"]}
    pl.read_parquet(table).with_columns(gold=pl.lit("flipped")).write_parquet(table, metadata=stated)
    reading, _ = verbs(copy, few, finished.folder)
    for verb in ("status", "metrics", "report", "rescore", "compare", "adopt"):
        code, out, err = said(*reading[verb])
        assert (code, out) == (2, "")
        assert err.startswith(f"veridical: {table} is not the table that the run was planned with: rerun the command ")
        assert err.count("\n") == 1
    veridical.run(few, out=copy, **ASKED)
    assert table.read_bytes() == before
    assert staged.same(veridical.open_run(copy), finished)


@pytest.mark.parametrize("stage", ["", "stages/mark/*"])
def test_damaged_lines_are_one_line_for_every_verb_and_set_aside_by_repair(few, finished, copy, said, stage):
    (place,) = copy.glob(stage) if stage else [copy]
    path = place / "responses.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    trial = json.loads(lines[1])["trial"]
    other = json.loads(lines[2]) | {"text": "otherwise"}
    path.write_bytes(b"".join([lines[0], lines[1][:-20] + b"\n", *lines[2:], json.dumps(other).encode() + b"\n"]))
    reading, others = verbs(copy, few, finished.folder)
    for verb, words in (reading | {"run": others["run"]}).items():
        if stage and verb in ("trials", "people"):
            continue
        code, out, err = said(*words)
        assert (code, out) == (2, ""), verb
        told = err.splitlines()[-1]
        assert told.startswith(f"veridical: {path}, line 2, is not a response: ")
        assert told.endswith(f"; `veridical repair {copy}` sets aside what is damaged")
    code, out, err = said(*others["repair"])
    assert (code, err) == (0, "")
    assert f"{path}: 2 lines set aside in responses.torn; damaged: line 2; another reply to an attempt" in out
    assert f"asked again by the command that made the run: {trial}\n" in out
    assert said(*others["repair"]) == (0, f"nothing is damaged in {copy}\n", "")
    assert said(*others["repair"], "--json") == (0, "[]\n", "")
    assert said("status", copy)[0] == 0
    run = veridical.run(few, out=copy, **ASKED)
    assert (run.complete, run.remarks) == (True, [])


@pytest.mark.parametrize("damaged", [False, True])
def test_repair_unpacks_a_packed_log_only_if_a_line_of_it_is_damaged(few, copy, said, damaged):
    path = copy / "responses.jsonl"
    first, second, *others = path.read_bytes().splitlines(keepends=True)
    pack(copy)
    if damaged:
        path.write_bytes(b"".join([first, second[:-20] + b"\n", *others]))
        pack_log(path)
        path.unlink()
    archive = packed_path(path).read_bytes()
    code, out, err = said("repair", copy)
    assert (code, err) == (0, "")
    if damaged:
        assert f"{path}: 1 line set aside in responses.torn; damaged: line 2" in out
        assert not packed_path(path).exists()
        assert path.read_bytes() == b"".join([first, *others])
        assert veridical.run(few, out=copy, **ASKED).complete
    else:
        assert out == f"nothing is damaged in {copy}\n"
        assert (path.exists(), packed_path(path).read_bytes()) == (False, archive)


def test_what_counts_nowhere_is_told_beside_the_figures(copy, said):
    clean = veridical.open_run(copy)
    figures, spent = clean.estimates(), clean.spending()
    (place,) = (copy / "stages" / "mark").iterdir()
    for path in (copy / "responses.jsonl", place / "responses.jsonl"):
        line = json.loads(path.read_text().splitlines()[0]) | {"trial": "elsewhere", "input_tokens": 10**9}
        with path.open("a") as file:
            file.write(json.dumps(line) + "\n")
    run = veridical.open_run(copy)
    assert (run.estimates(), run.spending()) == (figures, spent)
    assert not any(each.stale for each in run.staged)
    told = "responses.jsonl holds 1 response to trials that are not planned, which are not counted: line"
    assert [told in remark for remark in run.remarks] == [True, True]
    for verb in ("status", "metrics"):
        out = " ".join(said(verb, copy)[1].split())
        assert out.count(told) == 2
        assert "note: stage mark, veridical/judge: responses.jsonl" in out
    assert json.loads(said("status", copy, "--json")[1])["remarks"] == run.remarks
    assert said("report", copy)[0] == 0
    assert told in (copy / "report.html").read_text()


SETS = {
    "empty": b"",
    "a list": b"[]",
    "no UTF-8": b'{"format": 2, "a": "\xff"}',
    "nested 10,000 deep": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "nothing in it": b'{"format": 2}',
    "rows that are none": b'{"format": 2, "stimuli": "x", "rows_sha256": ""}',
    "arguments that are none": b'{"format": 2, "stimuli": 1, "rows_sha256": "", "arguments": []}',
    "no suite": b'{"format": 2, "stimuli": 1, "rows_sha256": "", "arguments": {}}',
    "a table elsewhere": b'{"format": 2, "stimuli": 1, "rows_sha256": "", "arguments": {"suite": "probe"}, '
    b'"tables": {"image": "../../metadata.parquet"}}',
}


@pytest.mark.parametrize("damage", SETS)
def test_a_damaged_manifest_of_a_set_is_one_line_for_every_verb(damage, few, tmp_path, said):
    folder = Path(shutil.copytree(few.folder, tmp_path / "set"))
    (folder / "manifest.json").write_bytes(SETS[damage])
    asked = ("run", "probe", "--set", folder, "--out", tmp_path / "run", "--model", "veridical/eye")
    for words in (
        ("check", folder),
        ("describe", folder),
        ("derive", folder),
        ("plan", "probe", "--set", folder),
        asked,
        (*asked, "--dry-run"),
        ("trials", folder, "--out", tmp_path / "t.jsonl"),
        ("people", "sample", folder, "--out", tmp_path / "p.csv", "--per-person", 1),
    ):
        code, out, err = said(*words)
        assert (code, out, err.count("\n")) == (2, "", 1), (words[0], err)
        assert "manifest" in err or "is a set of format" in err
    assert not (tmp_path / "run").exists()
