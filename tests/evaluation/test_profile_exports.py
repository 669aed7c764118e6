"""A profile for other programs: what is exported is what the page says, and profile.json is what its schema says."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from importlib.resources import files

import pytest

from tests.calling import call
from tests.evaluation import known
from tests.report.pages import HOSTILE
from veridical.report.profiles import profile_text

jsonschema = pytest.importorskip("jsonschema")
SCHEMA = json.loads(files("veridical.report.profiles").joinpath("profile.schema.json").read_text(encoding="utf-8"))


def hostile():
    whole = known.profile()
    models = [known.changed(whole.models[0], name="=" + HOSTILE), known.changed(whole.models[1], lines=known.unasked)]
    return replace(whole, models=(*models, known.changed(whole.models[2], lines=known.unbounded)))


def test_the_schema_is_one_and_every_profile_keeps_it(evaluated):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    check = jsonschema.Draft202012Validator(SCHEMA)
    written = json.loads((evaluated.folder / "profile.json").read_text(encoding="utf-8"))
    for document in (written, json.loads(profile_text(hostile(), "json"))):
        check.validate(document)
        assert set(SCHEMA["properties"]) == set(document)
        for kind, own in (("model", document["models"][0]), ("question", document["models"][0]["questions"][0])):
            assert set(SCHEMA["$defs"][kind]["required"]) == set(own)


@pytest.mark.parametrize(
    ("key", "value"), [("decided", "maybe"), ("value", 101), ("n", 1.5), ("ability", "dreams"), ("needs", "more")]
)
def test_the_schema_refuses_what_no_profile_has(key, value):
    document = json.loads(profile_text(known.profile(), "json"))
    document["models"][0]["questions"][0][key] = value
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(document)


def test_csv_has_the_rows_of_the_frame_and_no_formula():
    whole = hostile()
    rows = list(csv.DictReader(io.StringIO(profile_text(whole, "csv"))))
    frame = whole.frame()
    assert list(rows[0]) == frame.columns
    assert [row["question"] for row in rows] == frame["question"].to_list()
    assert [float(row["value"]) if row["value"] else None for row in rows] == frame["value"].to_list()
    assert rows[0]["model"].startswith("'=")


def test_markdown_has_a_row_for_each_answer_and_no_markup_of_others():
    whole = hostile()
    text = profile_text(whole, "markdown")
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) == 2 + len(whole.facts())
    assert len({line.replace("\\|", "").count("|") for line in rows}) == 1
    assert "<script>" not in text


def test_latex_has_a_row_for_each_question_and_a_column_for_each_model():
    whole = hostile()
    lines = profile_text(whole, "latex").splitlines()
    rows = [line for line in lines if line.endswith("\\\\")]
    assert len(rows) == 1 + len(whole.questions) + 3
    assert {line.replace("\\&", "").count("&") for line in rows} == {len(whole.models)}


def test_the_command_writes_a_page_with_links_or_a_table(evaluated, tmp_path, monkeypatch, capsys):
    code, out, _ = call(monkeypatch, capsys, "profile", evaluated.folder, "--out", tmp_path / "index.html")
    assert code == 0
    assert str(tmp_path / "index.html") in out
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert all(f"{evaluated.folder.name}/{suite}/report.html" in page for suite in evaluated.choices.suites)
    table = tmp_path / "table.tex"
    _, out, _ = call(monkeypatch, capsys, "profile", evaluated.folder, "--export", "latex", "--out", table)
    assert out == f"{table} ({table.stat().st_size:,} bytes)\n"
    assert table.read_text(encoding="utf-8") == profile_text(evaluated.profile(), "latex")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--export", "cvs"), "unknown form of --export 'cvs': did you mean 'csv'?"),
        (("--export", "csv", "--json"), "--export prints the figures"),
    ],
)
def test_a_form_that_there_is_not_is_one_line(words, line, evaluated, monkeypatch, capsys):
    code, out, err = call(monkeypatch, capsys, "profile", evaluated.folder, *words)
    assert (code, out) == (2, "")
    assert line in err.splitlines()[-1]


def test_the_report_of_two_suites_names_the_command_that_joins_them(evaluated, tmp_path, monkeypatch, capsys):
    runs = [run.folder for run in next(iter(evaluated.runs.values())).values()]
    _, out, _ = call(monkeypatch, capsys, "report", *runs, "--items", 1, "--out", tmp_path / "report.html")
    assert "veridical profile" in out
