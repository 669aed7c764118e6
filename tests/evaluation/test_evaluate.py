"""One call asks all suites; stopped, refused or killed, the same call goes on to the same page."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.ask.server import Reply, refused, serve
from tests.calling import call
from tests.evaluation.conftest import OBSERVERS, SUITES, always_yes, evaluation
from veridical.errors import InputError
from veridical.verbs.evaluation.choices import FILE, choices_from, read_choices
from veridical.verbs.evaluation.evaluate import evaluate, evaluate_choices
from veridical.verbs.evaluation.profile import profile

PAGES = ("index.html", "profile.json")


def pages(folder):
    return {name: (folder / name).read_bytes() for name in PAGES}


def found(folder):
    """The page, and its facts without the hashes of the replies, which have times."""
    facts = json.loads((folder / "profile.json").read_text(encoding="utf-8"))
    models = [{name: value for name, value in each.items() if name != "runs"} for each in facts["models"]]
    return (folder / "index.html").read_text(encoding="utf-8"), {**facts, "models": models}


def command(out, url, *more):
    return ("evaluate", "--model", "m", "--base-url", url, "--suites", ",".join(SUITES), "--out", out, "--yes", *more)


def test_every_observer_was_asked_everything_and_the_folder_has_page_sets_runs_and_choices(evaluated):
    assert evaluated.complete
    for suite in SUITES:
        assert (evaluated.folder / suite / "set" / "manifest.json").exists()
        assert (evaluated.folder / suite / "report.html").stat().st_size > 10_000
        assert len(list((evaluated.folder / suite / "runs").iterdir())) == len(OBSERVERS)
    assert (evaluated.folder / "index.html").stat().st_size < 1_000_000
    assert read_choices(evaluated.folder) == evaluated.choices


def test_an_evaluation_is_repeated_from_its_file_with_no_request_and_gives_the_same_page(evaluated, small):
    before = pages(evaluated.folder)
    replies = {path: path.stat().st_size for path in evaluated.folder.rglob("responses.jsonl")}
    again = evaluate_choices(read_choices(evaluated.folder / FILE), evaluated.folder)
    again.write_page()
    assert pages(evaluated.folder) == before
    assert {path: path.stat().st_size for path in evaluated.folder.rglob("responses.jsonl")} == replies


def test_a_profile_of_the_runs_themselves_has_the_same_figures(evaluated):
    whole = evaluated.profile()
    (model,) = profile([run.folder for run in evaluated.runs[OBSERVERS[0]].values()]).models
    assert [each.points for each in model.lines] == [each.points for each in whole.models[0].lines]
    assert profile([evaluated.folder]).facts() == whole.facts()


def test_a_server_that_ends_in_the_last_suite_leaves_a_page_that_says_so_and_the_same_command_goes_on(
    small, tmp_path, monkeypatch, capsys
):
    asked_first = []

    def ends(request):
        asked_first.append(request)
        return always_yes(request) if len(asked_first) < 40 else Reply(cut=True)

    whole, broken = tmp_path / "whole", tmp_path / "broken"
    quick = ("--max-requests", 1, "--stop-after", "connection=2", "--max-connections", 4)
    with serve(always_yes) as server:
        assert call(monkeypatch, capsys, *command(whole, server.url, *quick))[0] == 0
        server.behaviour = ends
        code, _, err = call(monkeypatch, capsys, *command(broken, server.url, *quick))
        assert code == 1
        assert "the same command asks what is missing" in err.splitlines()[-1]
        assert "What is missing" in (broken / "index.html").read_text(encoding="utf-8")
        server.behaviour = always_yes
        code, _, _ = call(monkeypatch, capsys, *command(broken, server.url, *quick))
    assert code == 0
    assert found(broken) == found(whole)
    assert "What is missing" not in (broken / "index.html").read_text(encoding="utf-8")


def test_a_wrong_key_is_told_for_all_suites_and_nothing_is_asked_twice(small, tmp_path, monkeypatch, capsys):
    with serve(lambda _: refused(401, "no such key")) as server:
        code, _, err = call(monkeypatch, capsys, *command(tmp_path / "out", server.url))
    assert code == 2
    assert "nothing can be asked" in err.splitlines()[-1]
    assert len(server.requests) == len(SUITES)


def test_without_a_model_all_tables_of_the_file_are_asked_but_the_judge(small, tmp_path, monkeypatch, capsys):
    (tmp_path / "models.toml").write_text(
        '[looks]\nmodel = "veridical/pixel"\n[recites]\nmodel = "veridical/prior"\n[marks]\nmodel = "veridical/rule"\n'
    )
    words = ("--models", tmp_path / "models.toml", "--judge", "marks", "--suites", "viprobe", "--out", tmp_path / "all")
    code, out, err = call(monkeypatch, capsys, "evaluate", *words, "--yes")
    assert code == 0, err
    assert read_choices(tmp_path / "all").models == ["looks", "recites"]
    assert [line for line in out.splitlines() if line in ("looks", "recites")] == ["looks", "recites"]


def test_a_second_model_joins_the_first_on_the_page(small, tmp_path):
    out = tmp_path / "two"
    evaluation(OBSERVERS[1], out=out, suites=["viprobe"])
    both = evaluate(OBSERVERS[0], out=out, suites=["viprobe"], show="quiet")
    assert [each.name for each in both.models] == OBSERVERS[::-1]
    assert (out / "index.html").exists()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--model", "m", "--model", "m"), "models: m is named twice: once is allowed"),
        (("--model", "m", "--suites", "viprob"), "unknown suite 'viprob'"),
        (("--model", "m", "--suites", "viprobe,viprobe"), "suites: viprobe is named twice"),
        (("--model", "m", "--recipe", "fast"), "unknown recipe 'fast'"),
        (("--model", "m", "--suites", "judge-audit"), "takes no part in an evaluation"),
        ((), "no model is named: give --model M, or --models FILE"),
        (("--model", "veridical/nobody"), "nobody"),
        (("nowhere.toml",), "nowhere.toml cannot be read"),
    ],
)
def test_bad_input_ends_in_one_line_before_anything_is_drawn(words, line, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, _, err = call(monkeypatch, capsys, "evaluate", *words, "--yes")
    assert code == 2, err
    assert line in err.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


def test_another_recipe_in_a_folder_is_refused_and_what_is_there_stays(evaluated, small):
    before = pages(evaluated.folder)
    with pytest.raises(InputError, match="holds an evaluation with recipe quick, not standard"):
        evaluation(OBSERVERS[0], out=evaluated.folder, suites=["viprobe"], recipe="standard")
    assert pages(evaluated.folder) == before


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('models = ["m"]\nsuite = ["viprobe"]\n', "unknown key 'suite'"),
        ('models = ["m"]\n[asking]\nprompt = "x"\n', "unknown option 'prompt'"),
        ('models = ["m"]\n[asking]\nstop_at = "verdict"\n', "an evaluation asks its designs whole"),
        ('models = ["m"]\n[asking]\nmax_questions = 9\n', "an evaluation asks its designs whole"),
        ("models = []\n", "models"),
        ('format = 2\nmodels = ["m"]\n', "format"),
        ("models = [", "evaluate.toml"),
        ('models = ["m"]\nseed = "one"\n', "seed"),
    ],
)
def test_a_file_that_says_what_is_not_allowed_is_refused_with_its_name(text, line, tmp_path):
    (tmp_path / FILE).write_text(text)
    with pytest.raises(InputError) as raised:
        read_choices(tmp_path / FILE)
    assert line in str(raised.value)
    assert str(tmp_path) in str(raised.value)


@pytest.mark.parametrize("killed_at", [3, 30, 60])
def test_an_evaluation_that_is_killed_goes_on_to_the_page_of_one_that_was_not(killed_at, evaluated, tmp_path):
    """The observer is asked in a process of its own, which is killed when so many files or replies are there."""
    out = tmp_path / "killed"
    asked = partial(subprocess.run, check=False, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    words = [sys.executable, "-m", "tests.evaluation.killed", str(out)]
    ended = asked([*words, str(killed_at)])
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    again = asked([*words, "0"])
    assert again.returncode == 0, again.stderr
    mine = json.loads((out / "profile.json").read_text(encoding="utf-8"))["models"][0]["questions"]
    whole = json.loads((evaluated.folder / "profile.json").read_text(encoding="utf-8"))["models"][0]["questions"]
    assert mine == [each for each in whole if each["suite"] == "viprobe"]


def test_choices_are_what_their_file_says_whatever_the_texts_are(tmp_path):
    odd = 'a "quoted"\\ näme\t\x7f'
    choices = choices_from(
        {"models": [odd], "suites": ["viprobe"], "asking": {"model_args": {odd: [1, 2.5, True, odd]}}}
    )
    choices.write(tmp_path)
    assert read_choices(tmp_path) == choices
