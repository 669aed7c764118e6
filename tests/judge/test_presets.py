"""A published way of asking names its judge: it is asked if nobody else is named, and what is unstated is on record."""

import json
from dataclasses import replace

import pytest

import veridical
from tests.judge.conftest import good, playing
from tests.judge.quiz import ASKING
from tests.judge.test_marking import QUIET, colors
from veridical.errors import InputError
from veridical.published.judges import PAPER_JUDGES
from veridical.suite import registry
from veridical.suite.stages import Preset, PresetModel


def stored(run):
    """The record of the judge's stage, and the last execution of the run itself."""
    (path,) = run.folder.glob("stages/grade/*/run.json")
    return json.loads(path.read_text()), run.run.executions[-1]


def test_the_judge_of_a_preset_is_asked_as_the_paper_states_and_the_rest_is_unstated(boxes, tmp_path, models_file):
    with playing({"good": good}, colors(1)) as server:
        place = models_file(server, "good")
        words = {"preset": "paper", "models": place, "base_url": server.url}
        run = veridical.run(boxes, "sees", out=tmp_path / "run", **words, **QUIET)
        sent = {request.body["model"]: request.body for request in server.requests}
    assert {each.slice["judge"]: each.value for each in run.estimates()} == {"good": 5 / 6}
    assert (sent["sees"]["temperature"], sent["good"]["temperature"]) == (0.5, 0.0), "judges are greedy by default"
    assert (sent["good"]["top_p"], "top_p" in sent["sees"]) == (0.9, False)
    judge, first = stored(run)
    assert judge["identity"]["model"] == "good"
    assert judge["identity"]["sampling"]["top_p"] == 0.9
    assert judge["identity"]["sampling"]["max_tokens"] == "unstated"
    preset = judge["execution"][-1]["preset"]
    assert (preset["name"], preset["source"], preset["role"]) == ("paper", "Nobody 2026, section 4", "judge")
    assert preset["stated"]["name"] == "Good 1.0"
    assert preset["stated"]["version"] == preset["stated"]["temperature"] == "unstated"
    assert first["preset"]["roles"]["judge"] == preset["stated"]
    assert first["preset"]["temperature"] == 0.5
    assert run.evidence().outcomes("grade")["served_model"].null_count() == 0


def test_another_judge_may_be_named_and_a_preset_may_come_with_the_judge_alone(boxes, tmp_path, models_file, command):
    with playing({"good": good, "other": good}, colors(1)) as server:
        place = models_file(server, "good", "other")
        words = {"models": place, "base_url": server.url}
        run = veridical.run(boxes, "sees", out=tmp_path / "run", preset="paper", judge="other", **words, **QUIET)
        assert {each.slice["judge"] for each in run.estimates()} == {"other"}
        alone = veridical.run(boxes, "sees", out=tmp_path / "alone", base_url=server.url, **QUIET)
        code, _, _ = command("judge", alone.folder, "--preset", "paper", "--models", place, "--yes")
    assert code == 0
    assert {each.slice["judge"] for each in veridical.open_run(alone.folder).estimates()} == {"good"}


def test_a_judge_of_a_preset_that_is_nowhere_or_asked_otherwise_is_refused_in_one_line(boxes, tmp_path, command):
    words = ("run", "quiz", "--set", boxes.folder, "--out", tmp_path / "run", "--model", "veridical/replay")
    place = tmp_path / "models.toml"
    for text, told in (
        ('[god]\nmodel = "g"\n', "the preset 'paper' has Good 1.0 as judge: "),
        ('[god]\nmodel = "g"\n', "unknown model 'good': did you mean 'god'?"),
        ('[god]\nmodel = "g"\n', "--judge M names another"),
        ("[good]\ntop_p = 0.5\n", "top_p 0.5 of the judge 'good' contradicts the preset 'paper', which has 0.9"),
        ('[good]\nkey = "NO_SUCH_KEY"\n', "set the environment variable NO_SUCH_KEY"),
    ):
        place.write_text(text)
        code, _, err = command(*words, "--preset", "paper", "--models", place)
        assert (code, err.count("\n")) == (2, 1)
        assert told in err
    code, _, err = command("judge", tmp_path, "--preset", "papr")
    assert code == 2
    assert not (tmp_path / "run").exists()


def test_a_judge_that_is_the_model_under_test_needs_leave_also_in_a_preset(boxes, tmp_path, models_file):
    with playing({"good": good}) as server:
        place = models_file(server, "good")
        with pytest.raises(InputError, match="--self-judge allows it"):
            veridical.run(boxes, "good", out=tmp_path / "run", preset="paper", models=place, **QUIET)


def test_a_preset_for_a_role_that_the_suite_has_not_is_no_preset():
    judge = PresetModel(name="x", model="a/x")
    with pytest.raises(ValueError, match="preset 'paper': unknown role 'jugde': did you mean 'judge'"):
        replace(ASKING, presets={"paper": Preset(source="s", roles={"jugde": judge})})


def test_the_judges_of_the_papers_have_their_names_and_nothing_is_made_up():
    names = {paper: each.name for paper, each in PAPER_JUDGES.items()}
    assert names == {
        "viabench": "GPT-4.1-mini",
        "magic": "Qwen2.5-72B-Instruct-AWQ",
        "magicbench": "GPT-4o",
        "hocabench": "GPT-OSS-120B",
    }
    sampled = {paper: each.stated()["temperature"] for paper, each in PAPER_JUDGES.items()}
    assert sampled == {"viabench": "unstated", "magic": 0.0, "magicbench": "unstated", "hocabench": "unstated"}
    for each in PAPER_JUDGES.values():
        assert replace(ASKING, presets={"paper": Preset(source="s", roles={"judge": each})}).presets


def test_a_plan_counts_the_judge_of_a_preset_apart(boxes, models_file):
    with playing({}) as server:
        place = models_file(server, "good")
    forecast = veridical.plan(boxes, "veridical/replay", preset="paper", models=place)
    (marking,) = forecast.later
    assert (marking.role, marking.model, marking.requests) == ("judge", "good", len(boxes))
    assert registry.get("quiz").asking.presets["paper"].stated()["roles"]["judge"]["name"] == "Good 1.0"
