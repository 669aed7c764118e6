"""Whole runs over generated clips: replies with known marks, the rule judge, presets, and the cut clips."""

import json

import pytest

import veridical
from tests.ask.server import said, serve
from tests.judge.conftest import quotes
from tests.suites.hocabench.test_marking import FULL
from tests.suites.hocabench.test_trials import ask
from veridical.suites.hocabench.asking import PRESETS
from veridical.suites.hocabench.asking.marking import COUNTERFACTUAL
from veridical.suites.hocabench.asking.tasks import TASKS


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    options = {"units": 1, "panels": 1, "sequences": 1, "height": 180, "rate": 12}
    place = tmp_path_factory.mktemp("asked") / "set"
    return veridical.make("hocabench", out=place, sub_types=("gravity", "permanence"), **options)


def right(trial, stimulus):
    """A reply that is right in every part; the permanence clip's reasoning is a tautology."""
    if trial.reader == "domain":
        return f"Answer: {chr(65 + trial.expects['names'].index(trial.gold))}"
    if trial.reader != "explanation":
        return trial.gold
    parts = dict(stimulus.truth["reference"])
    if stimulus.family == "permanence":
        parts["reasoning"] = "It violates common sense."
    return "\n".join(f"{name.capitalize()}: {text}" for name, text in parts.items())


@pytest.fixture(scope="module")
def run(made, tmp_path_factory):
    folder = tmp_path_factory.mktemp("asked-run")
    kinds = {stimulus.id: stimulus for stimulus in made.stimuli}
    settings = {"until": ["before", "end"], "frames": ["uniform-4"]}
    lines = [
        {"id": trial.id, "text": right(trial, kinds[trial.stimulus])}
        for trial in ask(made.stimuli, until=("before", "end"), frames="uniform-4")
    ]
    (folder / "answers.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    options = {"model_args": {"answers": str(folder / "answers.jsonl")}, "settings": settings, "judge": "rule"}
    return veridical.run(made, "veridical/replay", out=folder / "run", show="quiet", **options)


def test_special_readers_are_used_where_they_are_chosen_and_compared_with_nothing(run):
    """The replies are in no form of a specialist model: its reader would read each of the intervals otherwise."""
    intervals = run.outcomes(reader="time-r1").filter(reader="time-r1")
    assert set(intervals["status"]) == {"unparsed"}
    assert {each.reader for each in run.otherwise} == {"tautology-30"}


def test_right_replies_are_right_in_every_task_and_at_every_cut(run):
    rows = run.outcomes(stage="ask")
    assert set(rows["status"]) == {"answered"}
    marked = rows.filter(rows["gold"].is_not_null())
    assert marked["correct"].all()
    assert set(rows["score_iou"].drop_nulls()) == set(rows["score_set_f1"].drop_nulls()) == {1.0}
    levels = [json.loads(text) for text in rows["settings"]]
    assert {level["task"] for level in levels} == set(TASKS)
    assert {level["until"] for level in levels} == {"before", "end"}


def test_the_rule_judge_gives_explanations_their_known_totals(run):
    verdicts = run.outcomes(stage="grade")
    assert dict(zip(verdicts["family"], verdicts["score_total"], strict=True)) == {"gravity": 100, "permanence": 90}
    assert verdicts["score_tautology"].to_list() == [float(family == "permanence") for family in verdicts["family"]]
    parts = ("score_scene", "score_anomaly", "score_process", "score_reasoning")
    assert all(sum(row[part] for part in parts) == row["score_total"] for row in verdicts.iter_rows(named=True))
    other = run.outcomes("tautology-30", "grade")
    assert dict(zip(other["family"], other["score_total"], strict=True)) == {"gravity": 100, "permanence": 70}


def test_a_model_judges_marks_are_summed_in_code_and_what_is_no_verdict_is_asked_for_again(run, tmp_path):
    tries = {}

    def judge(request):
        fields = quotes(request.text)
        tries[request.text] = tries.get(request.text, 0) + 1
        assert set(fields) == set(COUNTERFACTUAL.sees)
        half = {"action": 4, "outcome": 0, "anomaly": 12, "reasoning": 30, "normal_course": False, "process": 0}
        marks = {**FULL, **half} if tries[request.text] > 1 else {**FULL, "process": 7}
        return said(f"He says so. {json.dumps(marks)}")

    with serve(judge) as server:
        place = tmp_path / "models.toml"
        place.write_text(f'[careful]\nbase_url = "{server.url}"\n')
        rows = veridical.judge(run, judge="careful", models=place, show="quiet").outcomes(stage="grade")
    rows = rows.filter(rows["model"] == "careful")
    assert len(rows) == 2
    assert set(tries.values()) == {2}
    expected = {"scene": 14.0, "anomaly": 12.0, "process": 15.0, "reasoning": 25.0, "total": 66.0}
    for row in rows.iter_rows(named=True):
        assert {name: row[f"score_{name}"] for name in expected} == expected


def test_presets_have_the_papers_sampling_and_judge():
    assert {name: preset.sampling.max_tokens for name, preset in PRESETS.items()} == {
        "paper": 1024,
        "paper-thinking-glm": 8192,
        "paper-thinking-internvl": 8192,
        "paper-thinking-qwen": 8192,
    }
    qwen = PRESETS["paper-thinking-qwen"].stated()
    assert (qwen["temperature"], qwen["top_p"], qwen["top_k"]) == (1.0, 0.95, 20)
    assert {preset.stated()["roles"]["judge"]["name"] for preset in PRESETS.values()} == {"GPT-OSS-120B"}
    assert PRESETS["paper-thinking-internvl"].stated()["top_p"] == "unstated"
