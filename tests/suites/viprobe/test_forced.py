"""Forced answers in VI-Probe: graded before the reasons, spoken after them, and never mixed with answers alone."""

from __future__ import annotations

import json

import pytest

import veridical as v
from tests.ask.server import serve
from tests.calling import call
from tests.suites.viprobe.graded_server import GradedMind, graded_server
from veridical.suite.results import find
from veridical.suites.viprobe.presentation.speech import calibration_table, spoken_line

REASONS = "<reasons>The upper one looks as long as the lower one, give or take a little.</reasons>"
HIDES = GradedMind(gain=4, criterion=4.0, reasons=REASONS)
CONTROL = {"context": "control"}
SAME = ["trial", "repeat", "status", "answer", "correct", "text", "digest"]


@pytest.fixture(scope="module")
def stimuli(tmp_path_factory: pytest.TempPathFactory) -> v.StimulusSet:
    kinds = ["O", "P", "OC", "PC"]
    folder = tmp_path_factory.mktemp("sets") / "set"
    return v.make("viprobe", out=folder, cases=["muller_lyer"], units=8, levels=4, variants=kinds)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory, stimuli: v.StimulusSet, no_verdicts: None):
    """Results of one mind: with reasons and its answer forced, as answers alone, with both, and unasked."""
    ways = {
        "forced": {"settings": {"rationale": "asked"}, "logprobs": True, "forced_answer": True},
        "alone": {"settings": {"rationale": "none"}, "logprobs": True},
        "both": {"settings": {"rationale": ["asked", "none"]}, "logprobs": True, "forced_answer": True},
        "plain": {"settings": {"rationale": "asked"}},
    }
    found = {}
    for name, options in ways.items():
        with serve(graded_server(stimuli, HIDES)) as server:
            place = tmp_path_factory.mktemp("runs") / name
            run = v.run(stimuli, "lab/m", base_url=server.url, out=place, show="quiet", analyze=False, **options)
        found[name] = run.result()
    return found


def test_the_forced_answer_has_the_probabilities_of_the_answer_alone(results) -> None:
    forced, alone = (results[name].outcomes.sort("stimulus", "trial") for name in ("forced", "alone"))
    assert forced["probability_of_gold"].to_list() == pytest.approx(alone["probability_of_gold"].to_list())
    assert forced["probability_forced"].all()
    assert "probability_forced" not in alone.columns
    for metric in ("graded_area", "spoken_gap"):
        estimates = [find(results[name], metric, CONTROL) for name in ("forced", "alone")]
        assert estimates[0].value == pytest.approx(estimates[1].value)


def test_it_is_said_that_graded_and_spoken_answers_are_of_different_moments(results) -> None:
    assert "forced without reasons" in spoken_line(results["forced"])
    assert "forced" not in spoken_line(results["alone"])
    assert find(results["forced"], "graded_forced", {}).value == 1
    assert find(results["alone"], "graded_forced", {}) is None
    assert "before" in find(results["forced"], "calibration_error", {}).reason
    for name, share in {"forced": 1.0, "alone": None}.items():
        table = calibration_table([results[name]])
        (row,) = table.rows
        cell = dict(zip(table.columns, row, strict=True))["Of forced answers"]
        assert (None if cell is None else cell.value) == share


def test_with_answers_alone_beside_them_the_forced_ones_are_in_no_figure(results) -> None:
    both, alone = results["both"], results["alone"]
    assert find(both, "graded_forced", {}) is None
    for metric in ("graded_area", "spoken_gap", "neutral_probability"):
        assert find(both, metric, CONTROL).value == pytest.approx(find(alone, metric, CONTROL).value)


def test_replies_statuses_and_digests_are_those_of_a_run_without_it(results) -> None:
    assert results["forced"].outcomes.select(SAME).equals(results["plain"].outcomes.select(SAME))
    assert "graded_area" not in {each.metric for each in results["plain"].estimates}


def test_a_plan_counts_the_second_requests(stimuli, monkeypatch, capsys, tmp_path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text("[m]\ninput = 3.0\noutput = 5.0\n")
    how = {"base_url": "http://127.0.0.1:1/v1", "prices": prices, "logprobs": True}
    plain, forced = (v.plan(stimuli, "m", **how, forced_answer=flag) for flag in (False, True))
    assert plain.later == ()
    (more,) = forced.later
    assert (more.requests, more.input_tokens) == (plain.requests, plain.input_tokens)
    assert more.usd == pytest.approx((3 * more.input_tokens + 5 * more.output_tokens) / 1e6)
    code, out, _ = call(
        monkeypatch, capsys, "plan", "viprobe", "--set", stimuli.folder, "--logprobs", "--forced-answer", "--json"
    )
    assert (code, json.loads(out)["later"][0]["requests"]) == (0, plain.requests)
    rounds = v.plan(stimuli, "m", **how, forced_answer=True, stop_at="width=20", max_questions=10)
    assert rounds.later[0].requests == rounds.requests == 10


def test_the_flag_alone_is_refused_in_one_line(stimuli, monkeypatch, capsys, tmp_path) -> None:
    words = ("run", "viprobe", "--set", stimuli.folder, "--model", "m", "--base-url", "http://127.0.0.1:1/v1")
    code, _, err = call(monkeypatch, capsys, *words, "--out", tmp_path / "r", "--forced-answer", "--yes")
    assert (code, err.strip().splitlines()[-1].endswith("forced_answer: only with logprobs")) == (2, True)
    assert not (tmp_path / "r").exists()


def test_a_batch_asks_for_them_and_its_replay_reads_them_back(stimuli, tmp_path) -> None:
    file = tmp_path / "batch.jsonl"
    asked = {"settings": {"rationale": "none"}}
    v.write_trials(stimuli, file, batch=True, model="m", logprobs=True, top_logprobs=5, **asked)
    behaviour = graded_server(stimuli, HIDES)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert {(each["body"]["logprobs"], each["body"]["top_logprobs"]) for each in lines} == {(True, 5)}
    given = tmp_path / "results.jsonl"
    with given.open("w") as out:
        for each in lines:
            reply = behaviour(_request(each["body"]))
            answer = {"custom_id": each["custom_id"], "response": {"status_code": 200, "body": reply.body}}
            out.write(json.dumps(answer) + "\n")
    runs = [
        v.run(
            stimuli,
            "veridical/replay",
            model_args={"answers": str(given)},
            out=tmp_path / name,
            show="quiet",
            analyze=False,
            **asked,
            **more,
        )
        for name, more in {"unstated": {}, "stated": {"logprobs": True}}.items()
    ]
    with serve(graded_server(stimuli, HIDES)) as server:
        direct = v.run(
            stimuli, "m", base_url=server.url, out=tmp_path / "d", show="quiet", analyze=False, logprobs=True, **asked
        )
    kept = [{key: each.logprobs for key, each in run.run.responses().items()} for run in (*runs, direct)]
    assert kept[0] == kept[1] == kept[2]
    assert all(len(each) == 1 for each in kept[0].values())


def _request(body):
    from tests.ask.server import Request

    return Request(1, 0.0, "/v1/chat/completions", {}, body)


def test_probabilities_in_a_batch_need_a_batch(stimuli, monkeypatch, capsys, tmp_path) -> None:
    words = ("trials", stimuli.folder, "--out", tmp_path / "t.jsonl", "--logprobs")
    code, _, err = call(monkeypatch, capsys, *words)
    assert (code, "--logprobs without --batch" in err) == (2, True)
    code, _, err = call(monkeypatch, capsys, *words[:4], "--batch", "--model", "m", "--top-logprobs", 5)
    assert (code, "only with logprobs" in err) == (2, True)
    assert not list(tmp_path.iterdir())
