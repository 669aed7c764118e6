"""A judge that fails, a budget that ends, a suite that a model cannot be asked: the page says what is missing."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.ask.server import refused, said, serve
from tests.calling import call
from tests.evaluation.conftest import SUITES, always_yes
from tests.evaluation.test_evaluate import found
from veridical.suite import registry
from veridical.verbs.evaluation.profile import profile

QUICK = ("--max-requests", 1, "--max-connections", 4)


def written(folder):
    """What the page says is missing of its model, and the questions that have an answer, by suite."""
    facts = json.loads((folder / "profile.json").read_text(encoding="utf-8"))
    (model,) = facts["models"]
    answered = {each["suite"] for each in model["questions"] if each["value"] is not None}
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert ("What is missing" in page) == bool(model["problems"])
    return " ".join(model["problems"]), answered


@pytest.fixture
def asking(small, tmp_path, monkeypatch, capsys):
    """Evaluates the model of a server in a folder: the exit code, and what was told."""

    def asking(out, url, *more, suites=SUITES):
        words = ("--model", "m", "--base-url", url, "--suites", ",".join(suites), "--yes", *QUICK)
        code, _, err = call(monkeypatch, capsys, "evaluate", *words, "--out", tmp_path / out, *more)
        return code, err

    return asking


def marked(request):
    """A model, and a judge beside it that finds everything right."""
    if request.body["model"] == "marks":
        return said(json.dumps({"reason": "so", "correct": True}))
    return always_yes(request)


def test_a_judge_that_fails_is_named_and_asked_again_by_the_same_command(asking, tmp_path):
    def fails(request):
        return refused(503, "overloaded") if request.body["model"] == "marks" else always_yes(request)

    with serve(marked) as server:
        (tmp_path / "models.toml").write_text(
            f'[judge]\nmodel = "marks"\nbase_url = "{server.url}"\n', encoding="utf-8"
        )
        judged = ("--models", tmp_path / "models.toml", "--judge", "judge")
        assert asking("whole", server.url, *judged)[0] == 0
        server.behaviour = fails
        code, err = asking("failed", server.url, *judged)
        problems, answered = written(tmp_path / "failed")
        assert code == 1, err
        assert "MagiC" in problems
        assert "viprobe" in answered
        server.behaviour = marked
        assert asking("failed", server.url, *judged)[0] == 0
    assert found(tmp_path / "failed") == found(tmp_path / "whole")


def test_a_budget_that_ends_midway_is_named_and_a_larger_one_goes_on(asking, tmp_path):
    with serve(always_yes) as server:
        assert asking("whole", server.url)[0] == 0
        spent = 12 * len(server.requests)
        code, err = asking("broke", server.url, "--budget-tokens", spent // 2)
        problems, _ = written(tmp_path / "broke")
        assert code == 1, err
        assert f"budget_tokens of {spent // 2}" in problems
        before = len(server.requests)
        assert asking("broke", server.url, "--budget-tokens", 10 * spent)[0] == 0
        assert 12 * (len(server.requests) - before) < spent
    assert found(tmp_path / "broke") == found(tmp_path / "whole")


def test_one_that_takes_a_single_picture_is_asked_where_that_is_enough(asking, tmp_path, monkeypatch):
    suite = registry.get("hocabench")
    part = suite.evaluation
    values = {"units": 1, "sub_types": ("gravity",), "height": 180, "rate": 10, "panels": 0, "sequences": 0}
    design = replace(part.designs["quick"], values=values)
    monkeypatch.setitem(suite.__dict__, "evaluation", replace(part, designs={**part.designs, "quick": design}))

    def one_picture(request):
        if sum(part["type"] == "image_url" for part in request.parts) > 1:
            return refused(400, "At most 1 image(s) may be provided in one prompt.")
        return always_yes(request)

    with serve(one_picture) as server:
        code, err = asking("single", server.url, suites=["hocabench", "viprobe"])
    problems, answered = written(tmp_path / "single")
    assert code == 1, err
    assert "HOCA-Bench" in problems
    assert "1 image" in problems or "1 picture" in problems
    assert answered == {"viprobe"}


def test_one_that_cannot_be_reached_was_not_asked_and_the_other_is(small, tmp_path, monkeypatch, capsys):
    with serve(always_yes) as gone:
        nowhere = gone.url
    with serve(always_yes) as server:
        (tmp_path / "models.toml").write_text(
            f'[here]\nmodel = "m"\nbase_url = "{server.url}"\n[away]\nmodel = "a"\nbase_url = "{nowhere}"\n'
        )
        words = ("--models", tmp_path / "models.toml", "--suites", "viprobe", "--yes", *QUICK)
        code, _, err = call(monkeypatch, capsys, "evaluate", *words, "--out", tmp_path / "two")
    assert code == 1, err
    facts = json.loads((tmp_path / "two" / "profile.json").read_text(encoding="utf-8"))
    states = {each["model"]: {line["decided"] for line in each["questions"]} for each in facts["models"]}
    assert states["away"] == {"not asked"}
    assert "not asked" not in states["here"]
    (away,) = [each for each in profile([tmp_path / "two"]).models if each.name == "away"]
    assert away.unasked == list(away.lines)
