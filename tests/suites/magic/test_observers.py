"""Observers whose mechanism is known, through all stages: each gives the numbers that its definition implies."""

from __future__ import annotations

import json

import polars as pl
import pytest

from tests.suites.magic.healed_runs import run, written
from veridical.errors import InputError
from veridical.suites.magic.observers.simulation import MECHANISMS, SIMULATION

OURS = ("region", "relation", "description", "listing")
ALL = {"prefix": (*OURS, "true", "annotated")}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return written(tmp_path_factory.mktemp("magic") / "set")


@pytest.fixture(scope="module")
def runs(whole, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    return {name: run(whole, folder / name, name, settings=ALL).evidence() for name in MECHANISMS}


def shown(rows):
    """The replies about our scenes at the view that shows all boxes."""
    view = pl.col("settings").str.json_path_match("$.view")
    return rows.filter((pl.col("family") != "photo") & (view == "all-boxes"))


@pytest.mark.parametrize(
    ("name", "precision", "recall", "right"),
    [
        ("perfect", 1, 1, 1),
        ("exhaustive", None, 1, 1),
        ("distracted", 0, 0, 0),
        ("stubborn", 1, 1, 1),
        ("overcorrecting", 1, 1, 1),
    ],
)
def test_focus_and_answers_are_those_of_the_mechanism(runs, name, precision, recall, right):
    rows = shown(runs[name].outcomes("reason"))
    assert len(rows) == 4
    assert set(rows["status"]) == {"answered"}
    expects = [json.loads(each) for each in rows["expects"]]
    shares = [len(each["relevant"]) / each["boxes"] for each in expects]
    assert rows["score_precision"].to_list() == (shares if precision is None else [precision] * 4)
    assert set(rows["score_recall"]) == {recall}
    assert set(rows["correct"]) == {bool(right)}
    assert set(rows["score_error_exhaustive"]) == {float(name == "exhaustive")}
    assert (rows["score_right_steps"] == rows["score_checkable"]).all()
    assert rows["score_checkable"].min() > 0


def verdicts(evidence, prefix, stage="heal-grade"):
    """The scores of the verdicts on continuations of a kind of prefix."""
    asked = evidence.outcomes(stage.removesuffix("-grade"))
    kinds = dict(zip(asked["trial"], (json.loads(each)["prefix"] for each in asked["settings"]), strict=True))
    rows = evidence.outcomes(stage)
    return rows.filter([kinds[trial] == prefix for trial in rows["about_trial"]])


@pytest.mark.parametrize("prefix", OURS)
@pytest.mark.parametrize("name", MECHANISMS)
def test_wrong_beginnings_are_healed_unless_the_mechanism_never_heals(runs, name, prefix):
    rows = verdicts(runs[name], prefix)
    assert len(rows) == 4 * 2, "with and without the request to correct"
    assert set(rows["status"]) == {"answered"}
    for score in ("names", "states", "heals"):
        assert set(rows[f"score_{score}"]) == {float(name != "stubborn")}


@pytest.mark.parametrize("name", MECHANISMS)
def test_true_beginnings_are_taken_back_by_the_one_that_over_corrects_alone(runs, name):
    rows = verdicts(runs[name], "true")
    assert len(rows) == 4 * 2
    assert set(rows["score_denies"]) == {float(name == "overcorrecting")}


def test_an_annotated_beginning_has_no_verdict_by_rule_and_the_judge_says_why(runs):
    rows = verdicts(runs["perfect"], "annotated")
    assert len(rows) == 2 * 2, "two wrong stretches"
    assert set(rows["status"]) == {"unparsed"}
    assert all("no scene" in text for text in rows["text"])


def test_a_correction_without_a_word_about_the_mistake_states_and_does_not_heal(whole, tmp_path):
    evidence = run(
        whole, tmp_path / "run", "stubborn", args={"states": 1.0}, settings={"prefix": OURS[:3], "view": "all-boxes"}
    ).evidence()
    rows = evidence.outcomes("heal-grade")
    assert len(rows) == 3 * 4 * 2
    assert set(rows["score_states"]) == {1.0}
    # Our correction of a place denies the mistaken box, which names the mistake.
    for prefix in ("relation", "description"):
        own = verdicts(evidence, prefix)
        assert set(own["score_names"]) == set(own["score_heals"]) == {0.0}


@pytest.mark.parametrize("injection", ["prefill", "quoted"])
def test_own_mistakes_are_found_and_healed_in_stages_of_their_own(whole, tmp_path, injection):
    settings = {"prefix": "own", "view": "all-boxes", "injection": injection, "correcting": "unprompted"}
    made = run(whole, tmp_path / "run", "perfect", rounds=2, args={"false_steps": 1.0}, settings=settings)
    evidence = made.evidence()
    reasoned = shown(evidence.outcomes("reason"))
    assert set(reasoned["score_right_steps"]) == {0.0}
    assert set(reasoned["score_error_description"]) == {1.0}
    assert evidence.outcomes("heal").is_empty()
    found = evidence.outcomes("steps").filter(pl.col("status") == "answered")
    assert set(found["score_first"]) == {2.0}, "the first step is about the scene"
    own = evidence.outcomes("heal-own")
    assert len(own) == len(found) == 4
    assert {json.loads(each)["kind"] for each in own["expects"]} == {"own"}
    assert set(own["about_trial"]) == set(reasoned["trial"])
    assert set(evidence.outcomes("heal-own-grade")["score_heals"]) == {1.0}
    turns = {trial.messages[-1].role for trial in made.stages.runs["heal-own"][0].trials()}
    assert turns == {"assistant" if injection == "prefill" else "user"}


def test_without_own_prefixes_nobody_checks_the_steps(runs):
    assert runs["perfect"].outcomes("steps").is_empty()
    assert runs["perfect"].outcomes("heal-own").is_empty()


@pytest.mark.parametrize(
    "args",
    [{"mechanism": "lazy"}, {"heals": 1.5}, {"heals": True}, {"heal": 1}, {"seed": -1}, {"mechanism": 3}],
)
def test_arguments_that_mean_nothing_are_refused(args):
    with pytest.raises(InputError):
        SIMULATION.mechanism_of(args)
