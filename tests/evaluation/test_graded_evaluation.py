"""An evaluation that asks for probabilities answers whether a model says what it sees, and changes nothing else."""

from __future__ import annotations

import json

from tests.ask.server import serve
from tests.calling import call
from tests.evaluation.conftest import OBSERVERS, always_yes, evaluation
from tests.suites.viprobe.graded_server import GradedMind, graded_server
from veridical.stimulus_set import StimulusSet
from veridical.verbs.evaluation.choices import FILE, read_choices
from veridical.verbs.evaluation.evaluate import evaluate_choices

REASONS = "<reasons>The upper one looks as long as the lower one, give or take a little.</reasons>"
USUAL = ("changes", "figures")


def lines(found):
    (model,) = json.loads((found.folder / "profile.json").read_text(encoding="utf-8"))["models"]
    return {each["question"]: each for each in model["questions"]}


def asked(folder, suite="viprobe"):
    (run,) = (folder / suite / "runs").iterdir()
    return len((run / "responses.jsonl").read_text(encoding="utf-8").splitlines())


def test_the_question_of_speech_is_answered_and_the_others_as_without(small, evaluated, tmp_path):
    stimuli = StimulusSet.open(evaluated.folder / "viprobe" / "set")
    mind, whole = GradedMind(gain=4, criterion=4.0, reasons=REASONS), {}
    ways = {"plain": {}, "graded": {"logprobs": True}, "forced": {"logprobs": True, "forced_answer": True}}
    for name, asking in ways.items():
        with serve(graded_server(stimuli, mind)) as server:
            found = evaluation("m", out=tmp_path / name, suites=["viprobe"], base_url=server.url, **asking)
        found.write_page()
        assert found.complete
        whole[name] = found
    shown = {name: lines(found) for name, found in whole.items()}
    assert [name for name in ways if "speech" in str(shown[name])] == ["graded", "forced"]
    assert [name for name in ways if "forced without reasons" in str(shown[name])] == ["forced"]
    assert asked(tmp_path / "graded") == 2 * asked(tmp_path / "plain") == 2 * asked(tmp_path / "forced")
    for name in ("graded", "forced"):
        assert {key: each for key, each in shown[name].items() if "speech" not in str(each)} == shown["plain"]


def test_the_choice_stands_in_the_file_and_is_repeated_from_it(small, tmp_path, monkeypatch, capsys):
    with serve(always_yes) as server:
        words = ("evaluate", "--model", "m", "--base-url", server.url, "--suites", "viprobe", "--yes", "--logprobs")
        code, _, err = call(monkeypatch, capsys, *words, "--out", tmp_path / "out")
        sent = len(server.requests)
        assert code == 0
        assert err.count("no probability of the answer: the provider gave no log probabilities") == 1
        assert read_choices(tmp_path / "out").asking["logprobs"] is True
        assert "logprobs = true" in (tmp_path / "out" / FILE).read_text(encoding="utf-8")
        assert evaluate_choices(read_choices(tmp_path / "out"), tmp_path / "out").complete
    assert len(server.requests) == sent


def test_the_plan_has_the_questions_that_it_adds(small, tmp_path, monkeypatch, capsys):
    def requests(*more):
        words = ("evaluate", "--model", "m", "--base-url", "http://127.0.0.1:1/v1", "--suites", "viprobe")
        code, _, err = call(monkeypatch, capsys, *words, "--out", tmp_path / "never", *more)
        assert (code, "nothing was sent" in err) == (2, True)
        row = next(line for line in err.splitlines() if line.strip().startswith("VI-Probe")).split()
        return int(row[2].replace(",", ""))

    plain = requests()
    assert requests("--logprobs") == requests("--logprobs", "--forced-answer") == 2 * plain
    assert not (tmp_path / "never").exists()


def test_embedded_observers_are_asked_all_the_same(small, tmp_path):
    found = evaluation(OBSERVERS[0], out=tmp_path / "out", suites=["viprobe"], logprobs=True, forced_answer=True)
    assert found.complete
