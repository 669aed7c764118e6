"""Graded answers, from the flag to the page: what a model's probabilities tell apart, and whether it says so."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache

import polars as pl
import pytest

import veridical as v
from tests.ask.server import serve
from tests.calling import call
from tests.suites.viprobe.graded_server import GradedMind, graded_server
from veridical.records import PROBABILITIES, Estimate, Json
from veridical.suite.evaluation import OPEN
from veridical.suite.results import Result, find
from veridical.suites.viprobe.analysis.graded_answers import graded_estimates
from veridical.suites.viprobe.evaluation import SPEECH, answers
from veridical.suites.viprobe.presentation.speech import HIDES, SAYS, UNSEEN, graded_table, speech, spoken_line

CONTROL: Mapping[str, Json] = {"context": "control"}
MINDS = {
    "says": GradedMind(gain=4, criterion=1.0),
    "hides": GradedMind(gain=4, criterion=4.0),
    "blind": GradedMind(gain=0, criterion=1.5),
    "drawn": GradedMind(gain=1, criterion=0.5, drawn=True),
}
ASKED = {"settings": {"rationale": "none"}, "logprobs": True, "show": "quiet", "analyze": False}


@pytest.fixture(scope="module")
def stimuli(tmp_path_factory: pytest.TempPathFactory) -> v.StimulusSet:
    kinds = ["O", "P", "OC", "PC"]
    folder = tmp_path_factory.mktemp("sets") / "set"
    return v.make("viprobe", out=folder, cases=["muller_lyer"], units=12, levels=4, variants=kinds)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory, stimuli: v.StimulusSet, no_verdicts: None):
    """The results of a model of each mind, by its name."""
    folder = tmp_path_factory.mktemp("graded")

    @cache
    def result(name: str) -> Result:
        more = {"repeats": 3, "limit": 6} if MINDS[name].drawn else {}
        with serve(graded_server(stimuli, MINDS[name])) as server:
            run = v.run(stimuli, f"lab/{name}", base_url=server.url, out=folder / name, **more, **ASKED)
        return run.result()

    return result


def estimate(result: Result, metric: str, where: Mapping[str, Json] = CONTROL) -> Estimate:
    found = find(result, metric, where)
    assert found is not None
    return found


def test_a_criterion_hides_what_is_seen_from_answers_and_not_from_ranks(results) -> None:
    says, hides = results("says"), results("hides")
    areas = [estimate(each, "graded_area").value for each in (says, hides)]
    assert areas[0] == pytest.approx(areas[1])
    assert estimate(hides, "spoken_response").value < estimate(says, "spoken_response").value - 30
    assert estimate(hides, "spoken_gap").high < -30
    assert estimate(says, "spoken_gap").low < 0 < estimate(says, "spoken_gap").high
    assert estimate(hides, "neutral_probability").high < 0.05
    assert estimate(hides, "spoken_criterion").value > 1
    assert (speech(says, {"context": "figure"}).name in (SAYS, OPEN), speech(hides, CONTROL).name) == (True, HIDES)
    assert "leans to “unchanged”" in spoken_line(hides)


def test_a_blind_model_neither_sees_nor_hides(results) -> None:
    blind = results("blind")
    assert speech(blind, CONTROL).name in (UNSEEN, OPEN)
    assert estimate(blind, "graded_area").low < 0.5 < estimate(blind, "graded_area").high
    assert estimate(blind, "rank_threshold").value is None


def test_probabilities_that_are_drawn_by_are_calibrated_and_one_reply_tells_nothing_of_that(results) -> None:
    drawn = results("drawn")
    error, floor = (estimate(drawn, name, {}) for name in ("calibration_error", "calibration_floor"))
    assert error.value < 2 * floor.value
    assert "asked once" in str(estimate(results("says"), "calibration_error", {}).reason)


def test_thresholds_are_those_of_the_mechanism(results) -> None:
    for context in ("figure", "control"):
        found = [estimate(results(name), "rank_threshold", {"context": context}) for name in ("says", "hides")]
        assert found[0].value == pytest.approx(found[1].value)
        assert found[0].low < 0.25 < found[0].high


def test_table_profile_and_terminal_show_both(results) -> None:
    hides = results("hides")
    table = graded_table([hides])
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert (row["Pictures"], row["|α|"], row["Reading"]) == ("figures", "all", HIDES)
    answer = answers(hides)[SPEECH.name]
    assert (answer.conclusion.name, answer.effect) == (HIDES, estimate(hides, "spoken_gap"))
    assert estimate(hides, "graded_share", {}).value == 1


def test_a_run_that_did_not_ask_has_none_of_it(results) -> None:
    outcomes = results("says").outcomes
    plain = outcomes.drop([*PROBABILITIES])
    assert list(graded_estimates(plain)) == []
    assert (
        list(graded_estimates(plain.with_columns(pl.lit(None, kind).alias(n) for n, kind in PROBABILITIES.items())))
        == []
    )


def test_replies_without_a_probability_stay_in_the_share(results) -> None:
    outcomes = results("says").outcomes
    half = pl.when(pl.int_range(pl.len()) % 2 == 0).then(pl.col("probability_of_gold"))
    share = next(each for each in graded_estimates(outcomes.with_columns(half)) if each.metric == "graded_share")
    assert share.value == pytest.approx(0.5, abs=0.01)
    odd = outcomes.with_columns(pl.lit(float("nan")).alias("probability_of_gold"))
    assert list(graded_estimates(odd)) == []


def test_the_answer_alone_is_asked_for_and_no_trial_of_other_runs_changes(results) -> None:
    rows = results("says").outcomes
    assert rows["trial"].str.contains("&rationale=none").all()
    settings = {json.loads(each).get("rationale") for each in rows["settings"].unique()}
    assert settings == {"none"}


def test_the_whole_way_from_the_flag_to_the_page(stimuli, no_verdicts: None, tmp_path, monkeypatch, capsys) -> None:
    run = tmp_path / "run"
    asked = ("run", "viprobe", "--set", stimuli.folder, "--out", run, "--model", "hides", "--limit", 4)
    with serve(graded_server(stimuli, MINDS["hides"])) as server:
        code, _, said = call(
            monkeypatch, capsys, *asked, "--base-url", server.url, "--logprobs", "-S", "rationale=none", "--yes"
        )
    assert (code, "no probability" in said) == (0, False)
    assert call(monkeypatch, capsys, "report", run)[0] == 0
    page = (run / "report.html").read_text(encoding="utf-8")
    assert "Graded and spoken answers" in page
    assert "Graded answers on controls" in page
    assert (run / "tables" / "graded.csv").exists()
