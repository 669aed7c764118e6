"""A board shows what profiles hold, links what lies beside it, and says which figures their runs do not come to."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.request import urlopen

import pytest
import yaml

from tests.calling import call
from tests.evaluation.conftest import OBSERVERS, SUITES
from veridical.report.boards.board import board_of
from veridical.report.boards.size_charts import size_charts
from veridical.report.profiles import StoredModel, StoredProfile, StoredQuestion, StoredRun, read_profile

FACTS = f"""
["{OBSERVERS[0]}"]
family = "Seers"
size = 7.0
["{OBSERVERS[1]}"]
family = "<b>Recallers</b>"
size = 70.0
"""


class Links(HTMLParser):
    """The addresses in a page, and those that a browser would load by itself."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "href" and tag == "a":
                self.links.append(value)
            elif name in ("href", "src", "srcset", "data", "action"):
                self.loaded.append(value)


@pytest.fixture
def folder(evaluated, tmp_path):
    """An evaluation's folder that a test may change; the sets stay where they are."""
    place = tmp_path / "mine"
    shutil.copytree(evaluated.folder, place, ignore=shutil.ignore_patterns("set"))
    return place


def site(monkeypatch, capsys, *folders, out, models=None):
    words = ("--models", models) if models else ()
    code, _, err = call(monkeypatch, capsys, "board", *folders, "--out", out, *words)
    assert code == 0, err
    return (out / "index.html").read_text(encoding="utf-8")


def test_every_link_of_the_site_leads_to_a_file_of_it_from_a_plain_server_and_nothing_else_is_loaded(
    evaluated, tmp_path, monkeypatch, capsys
):
    out = tmp_path / "site"
    page = Links(site(monkeypatch, capsys, evaluated.folder, out=out))
    assert page.loaded == []
    handler = partial(SimpleHTTPRequestHandler, directory=str(out))
    monkeypatch.setattr(SimpleHTTPRequestHandler, "log_message", lambda *_: None)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        for link in set(page.links) - {"#content"}:
            with urlopen(f"http://127.0.0.1:{server.server_port}/{link}") as answer:
                assert answer.read()
        server.shutdown()
    for suite in SUITES:
        assert f"1-all/{suite}/report.html" in page.links
        copied = (out / "1-all" / suite / "report.html").read_bytes()
        assert copied == (evaluated.folder / suite / "report.html").read_bytes()


def test_the_rows_of_a_board_are_those_of_its_profiles_with_what_models_are(evaluated, tmp_path, monkeypatch, capsys):
    models = tmp_path / "models.toml"
    models.write_text(FACTS)
    text = site(monkeypatch, capsys, evaluated.folder, out=tmp_path / "site", models=models)
    rows = json.loads((tmp_path / "site" / "board.json").read_text(encoding="utf-8"))["rows"]
    stored = json.loads((evaluated.folder / "profile.json").read_text(encoding="utf-8"))
    lines = [each for model in stored["models"] for each in model["questions"]]
    assert [(each["model"], each["question"], each["value"]) for each in rows] == [
        (each["model"], each["question"], each["value"]) for each in lines
    ]
    assert {each["model"]: each["size"] for each in rows} == dict(zip(OBSERVERS, (7.0, 70.0), strict=True))
    assert "<b>Recallers" not in text
    assert "&lt;b&gt;Recallers" in text


def test_a_chart_has_an_effect_for_each_sized_model_where_it_stands(evaluated):
    profile = read_profile(evaluated.folder)
    about = {OBSERVERS[0]: {"size": 1.0, "family": "f"}, OBSERVERS[1]: {"size": 100.0, "family": "f"}}
    board = board_of({evaluated.folder: profile}, "v", about)
    charts = size_charts(board)
    assert len(charts) == len(board.questions)
    for chart in charts:
        assert [dot.x for dot in chart.dots] == [14.0, 96.0]
        assert len(chart.lines) == 1
        marks = {float(text.replace("−", "-")): y for y, text in chart.effects}
        least = min(marks)
        for dot, model in zip(chart.dots, board.models, strict=True):
            value = model.line((chart.question.suite, chart.question.question)).value
            share = (value - least) / (100 - least)
            assert dot.y == pytest.approx(marks[least] + share * (marks[100] - marks[least]), abs=0.02)
    assert size_charts(board_of({evaluated.folder: profile}, "v")) == []


def test_models_of_one_name_other_sets_and_versions_are_shown_with_a_line(folder, evaluated, tmp_path):
    stored = read_profile(folder).model_dump()
    stored["version"] = "9.9"
    for model in stored["models"]:
        model["runs"][0]["set"] = "0" * 64
    board = board_of(
        {evaluated.folder: read_profile(evaluated.folder), folder: StoredProfile.model_validate(stored)}, "0.1.0"
    )
    assert [each.name for each in board.models] == [
        f"{name} ({place})" for place in ("all", "mine") for name in OBSERVERS
    ]
    assert "mine was made by veridical 9.9, this board by 0.1.0" in board.notes
    suite = stored["models"][0]["runs"][0]["suite"]
    assert f"{OBSERVERS[0]} (mine) was asked about other sets of {suite} than most models: marked ≠" in board.notes


def test_the_profile_states_the_hashes_of_the_files_of_replies(evaluated):
    for model in read_profile(evaluated.folder).models:
        assert [each.suite for each in model.runs] == SUITES
        for run in model.runs:
            place = evaluated.folder / run.suite / "runs" / run.run
            found = {path.relative_to(place).as_posix() for path in place.rglob("responses.jsonl")}
            assert set(run.responses) == found
            for path, digest in run.responses.items():
                assert hashlib.sha256((place / path).read_bytes()).hexdigest() == digest


def test_the_keys_of_a_profile_are_those_of_its_table_and_schema(evaluated):
    table = Path("docs/files.md").read_text(encoding="utf-8").split("## Evaluation")[1].split("\n## ")[0]
    stored = json.loads((evaluated.folder / "profile.json").read_text(encoding="utf-8"))
    assert set(stored) == set(StoredProfile.model_fields)
    named = set(re.findall(r"`([a-z_]+)`", table))
    for part in (StoredProfile, StoredModel, StoredQuestion, StoredRun):
        assert set(part.model_fields) <= named
    for difference in stored["differences"]:
        assert {*difference, *difference["differences"][0]} <= named
    assert StoredProfile.model_validate(stored) == read_profile(evaluated.folder)
    assert {"models", "version"} <= set(StoredProfile.model_json_schema()["required"])


def test_verify_finds_nothing_in_what_is_whole_and_each_figure_and_reply_that_was_changed(folder, monkeypatch, capsys):
    code, out, _ = call(monkeypatch, capsys, "board", "--verify", folder)
    assert code == 0
    assert "every figure is what its runs come to" in out
    path = folder / "profile.json"
    stored = json.loads(path.read_text(encoding="utf-8"))
    changed = next(each for each in stored["models"][0]["questions"] if each["value"] is not None)
    changed["value"] += 3
    changed["verdict"] = "perfect"
    stored["differences"][0]["differences"][0]["decision"] = "worse"
    path.write_text(json.dumps(stored), encoding="utf-8")
    run = stored["models"][1]["runs"][-1]
    replies = folder / run["suite"] / "runs" / run["run"] / "responses.jsonl"
    replies.write_bytes(b"".join(replies.read_bytes().splitlines(keepends=True)[:-1]))
    code, out, _ = call(monkeypatch, capsys, "board", "--verify", folder, "--json")
    lines = json.loads(out)["differing"][str(folder)]
    assert code == 1
    where = f"{OBSERVERS[0]}, {changed['suite']} {changed['question']}"
    assert any(line.startswith(f"{where}: value is") for line in lines)
    assert any(line.startswith(f"{where}: verdict is") for line in lines)
    assert "the differences between models are others" in lines
    assert f"{OBSERVERS[1]}, {run['suite']}: other replies in responses.jsonl" in lines


def test_hub_files_are_yaml_with_the_effects_their_intervals_and_units(evaluated, tmp_path, monkeypatch, capsys):
    out = tmp_path / "hub"
    words = ("export", "hub", evaluated.folder, "--out", out, "--dataset", "me/figures", "--revision", "v1")
    assert call(monkeypatch, capsys, *words)[0] == 0
    tasks = yaml.safe_load((out / "dataset" / "eval.yaml").read_text(encoding="utf-8"))
    assert set(tasks) == {"name", "description", "evaluation_framework", "tasks"}
    assert all(set(each) == {"id", "config", "split"} for each in tasks["tasks"])
    models = sorted((out / "models").iterdir())
    assert len(models) == len(OBSERVERS)
    for place, model in zip(models, read_profile(evaluated.folder).models, strict=True):
        entries = yaml.safe_load((place / ".eval_results" / "veridical.yaml").read_text(encoding="utf-8"))
        valued = [each for each in model.questions if each.value is not None]
        assert [each["value"] for each in entries] == [round(each.value, 2) for each in valued]
        for entry, line in zip(entries, valued, strict=True):
            assert entry["dataset"] == {
                "id": "me/figures",
                "task_id": f"{line.suite}-{line.question}",
                "revision": "v1",
            }
            assert entry["dataset"]["task_id"] in {each["id"] for each in tasks["tasks"]}
            assert f"n = {line.n} units" in entry["notes"]
            assert re.fullmatch(r"\d{4}-\d\d-\d\d", entry["date"])


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda stored: stored.update(format=2), "format"),
        (lambda stored: stored.update(models=[]), "models"),
        (lambda stored: stored["models"][0]["questions"][0].update(value="high"), "models.0.questions.0.value"),
    ],
)
def test_a_profile_that_cannot_be_read_ends_in_one_line_with_its_place(change, line, folder, monkeypatch, capsys):
    path = folder / "profile.json"
    stored = json.loads(path.read_text(encoding="utf-8"))
    change(stored)
    path.write_text(json.dumps(stored), encoding="utf-8")
    code, _, err = call(monkeypatch, capsys, "board", folder, "--out", folder.parent / "site")
    assert code == 2
    assert str(path) in err.splitlines()[-1]
    assert line in err.splitlines()[-1]
    assert not (folder.parent / "site").exists()


def test_other_bad_input_ends_in_one_line(folder, tmp_path, monkeypatch, capsys):
    (tmp_path / "empty").mkdir()
    (tmp_path / "alone").mkdir()
    shutil.copy(folder / "profile.json", tmp_path / "alone")
    for words, line in (
        ((folder,), "give --out FOLDER, --verify, or both"),
        ((folder, folder, "--out", tmp_path / "site"), "named twice"),
        ((folder, "--out", folder), "name another folder for the site"),
        ((tmp_path / "empty", "--out", tmp_path / "site"), "holds no profile.json"),
        ((tmp_path / "alone", "--verify"), "holds no run"),
    ):
        code, _, err = call(monkeypatch, capsys, "board", *words)
        assert code == 2, words
        assert line in " ".join(err.split()), words
    code, _, err = call(monkeypatch, capsys, "export", "hub", folder, "--out", tmp_path / "hub", "--dataset", "set")
    assert code == 2
    assert "OWNER/NAME is needed" in err
