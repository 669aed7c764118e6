"""A forced answer is asked for by a request of its own after a reply with reasons, and changes nothing of the reply."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.ask.plans import QUICK, picture, plan
from tests.ask.server import Reply, Request, completion, refused, serve
from tests.ask.test_logprobs import GRADED, YES_NO, graded, graded_by, replied, stored, token
from veridical.answers import LENIENT_BINARY, answer_lead
from veridical.ask import Policy, Run, Sampling, ask, open_model, progress
from veridical.ask.limits import Limits
from veridical.errors import InputError
from veridical.records import FORCED_ANSWERS, PROBABILITIES, Response

FORCED = replace(GRADED, forced_answer=True)
REASONS = "One line is a bit longer than the other one, so they do differ."
LEADS = {
    "<answer>": f"{REASONS} <answer>Yes</answer>",
    "Answer:": f"{REASONS}\nAnswer: Yes",
    "**Answer:**": f"{REASONS}\n\n**Answer:** Yes.",
    "\\boxed{": f"{REASONS} \\boxed{{Yes}}",
    '"answer": "': f'{{"reasons": "{REASONS}", "answer": "Yes"}}',
}
TOPS = ((" No", math.log(0.6)), (" Yes", math.log(0.3)), ("no", math.log(0.05)))
NO_FIRST = [token(" No", math.log(0.6), *TOPS)]
USAGE = {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}


def is_forced(request: Request) -> bool:
    return request.body["messages"][-1]["role"] == "assistant" and not request.counts


def counted(request: Request, *, continues: bool = True) -> Reply:
    """How a server counts the tokens of a prompt; one that does not continue a turn adds the marks of another one."""
    begun = request.body["messages"][-1]["role"] == "assistant"
    more = 1 if continues and request.body.get("continue_final_message") else 4
    return _said("A", [token("A")], {**USAGE, "prompt_tokens": 5 + begun * more})


def _said(text: str, tokens: Any, usage: Any = USAGE) -> Reply:
    logprobs = {"content": tokens}
    choice = {"index": 0, "message": {"content": text}, "finish_reason": "stop", "logprobs": logprobs}
    return Reply(body=completion([choice], usage))


def thoughtful(tokens: Any = NO_FIRST, text: str = LEADS["<answer>"]) -> Callable[[Request], Reply]:
    """A server whose replies have reasons, and that continues a begun answer with these tokens."""

    def behaviour(request: Request) -> Reply:
        if request.counts:
            return counted(request)
        if is_forced(request):
            return _said(" No", tokens)
        start, end = text.split("Yes")
        return _said(text, [token(start, 0.0), token("Yes", -0.01, ("Yes", -0.01)), token(end, 0.0)])

    return behaviour


@pytest.mark.parametrize("lead", LEADS)
def test_the_second_request_begins_the_answer_as_the_reply_did(tmp_path: Path, lead: str) -> None:
    run, requests, lines = graded(tmp_path, thoughtful(text=LEADS[lead]), FORCED)
    begun = [each for each in requests if is_forced(each)]
    assert len(begun) == 2
    for each in begun:
        assert each.body["messages"][-1] == {"role": "assistant", "content": lead}
        assert (each.body["max_tokens"], each.body["logprobs"], each.body["top_logprobs"]) == (3, True, 20)
        assert (each.body["continue_final_message"], each.body["add_generation_prompt"]) == (True, False)
        whole = next(other for other in requests if other.text == each.text and not is_forced(other))
        assert each.body["messages"][:-1] == whole.body["messages"]
    expected = {**stored(" No", math.log(0.6), *TOPS), "before": "", "forced": lead}
    assert [each.logprobs for each in run.responses().values()] == [[expected]] * 2
    assert lines == []
    rows = run.outcomes(YES_NO)
    assert [*rows.columns[-4:]] == [*PROBABILITIES, *FORCED_ANSWERS]
    assert rows["answer"].to_list() == ["yes"] * 2
    assert json.loads(rows["probabilities"][0]) == pytest.approx({"yes": 0.3, "no": 0.65})
    assert rows["probability_forced"].to_list() == [True] * 2


def test_it_changes_no_reply_status_or_digest_and_its_cost_is_counted(tmp_path: Path) -> None:
    runs = [graded(tmp_path / str(n), thoughtful(), policy)[0] for n, policy in enumerate((QUICK, GRADED, FORCED))]
    same = ["trial", "status", "answer", "correct", "reason", "text", "reasoning", "stop_reason", "digest"]
    tables = [run.outcomes(YES_NO) for run in runs]
    assert tables[0].select(same).equals(tables[1].select(same))
    assert tables[0].select(same).equals(tables[2].select(same))
    responses = [next(iter(run.responses().values())) for run in runs]
    assert [(each.requests, each.input_tokens, each.output_tokens) for each in responses] == [
        (1, 9, 3),
        (1, 9, 3),
        (2, 18, 6),
    ]
    assert responses[1].logprobs is None


def test_a_reply_that_begins_with_its_answer_is_not_asked_again(tmp_path: Path) -> None:
    given = {"content": [token("Yes", -0.5, ("Yes", -0.5))]}
    run, requests, _ = graded(tmp_path, lambda _: replied(given, "Yes"), FORCED)
    assert len(requests) == 2
    assert [each.logprobs for each in run.responses().values()] == [[{**given_stored(), "before": ""}]] * 2
    assert "probability_forced" not in run.outcomes(YES_NO)


def given_stored() -> dict[str, Any]:
    return stored("Yes", -0.5, ("Yes", -0.5))


NAN = float("nan")
HOSTILE: dict[str, tuple[Any, str]] = {
    "a new start": ([token("Looking", -0.1, ("Looking", -0.1), ("Yes", -4.0))], "mostly no answer"),
    "a new start with a word that is an answer": ([token("One", -0.1), token(" line", -0.1)], "mostly no answer"),
    "its own lead again": ([token("<answer>", 0.0), token("Yes", 0.0)], "mostly no answer"),
    "hardly an answer": ([token("No", -3.0, ("The", -0.2), ("No", -3.0))], "mostly no answer"),
    "impossible": ([token("No", -0.1, ("Yes", -0.1), ("maybe", -0.1))], "mostly no answer"),
    "no number": ([token("No", NAN)], "gave no log probabilities"),
    "no list": ("No", "gave no log probabilities"),
    "nothing": (None, "gave no log probabilities"),
    "an empty list": ([], "gave no log probabilities"),
    "other things": ([{"a": 1}, 3], "gave no log probabilities"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_is_no_continuation_gives_no_probability_and_is_said_once(tmp_path: Path, case: str) -> None:
    tokens, told = HOSTILE[case]
    run, _, lines = graded(tmp_path, thoughtful(tokens), FORCED)
    assert len(lines) == 1
    assert told in lines[0]
    assert [(each.text, each.error, each.logprobs) for each in run.responses().values()] == [
        (LEADS["<answer>"], None, None)
    ] * 2
    assert run.outcomes(YES_NO)["answer"].to_list() == ["yes"] * 2


def test_a_space_of_its_own_stands_before_the_answer(tmp_path: Path) -> None:
    run, _, _ = graded(tmp_path, thoughtful([token("\u2581", -0.1), NO_FIRST[0]]), FORCED)
    assert json.loads(run.outcomes(YES_NO)["probabilities"][0])["no"] == pytest.approx(0.65)


def refuses(request: Request) -> Reply:
    return refused(400, "no such field") if request.body.get("continue_final_message") else _untold(request)


def ignores(request: Request) -> Reply:
    return counted(request, continues=False) if request.counts else thoughtful()(request)


def _untold(request: Request) -> Reply:
    return counted(request, continues=False) if request.counts else thoughtful()(request)


@pytest.mark.parametrize("behaviour", [refuses, ignores])
def test_a_server_that_does_not_continue_a_turn_is_not_asked_for_it(tmp_path: Path, behaviour: Any) -> None:
    run, requests, lines = graded(tmp_path, behaviour, FORCED)
    assert not any(is_forced(each) for each in requests)
    assert len(lines) == 1
    assert "no answer is forced" in lines[0]
    assert {each.logprobs is None and each.requests == 1 for each in run.responses().values()} == {True}


def test_a_failed_second_request_loses_no_reply(tmp_path: Path) -> None:
    def behaviour(request: Request) -> Reply:
        return refused(500) if is_forced(request) else thoughtful()(request)

    run, _, lines = graded(tmp_path, behaviour, FORCED)
    assert [(each.error, each.requests) for each in run.responses().values()] == [(None, 1 + FORCED.max_requests)] * 2
    assert len(lines) == 1
    assert "forced answer failed (server)" in lines[0]


def test_reasoning_of_the_model_itself_is_not_left_out_by_force(tmp_path: Path) -> None:
    def behaviour(request: Request) -> Reply:
        message = {"content": "Yes", "reasoning_content": REASONS}
        logprobs = {"content": [token("Yes", -0.1)]}
        return Reply(body=completion([{"index": 0, "message": message, "finish_reason": "stop", "logprobs": logprobs}]))

    _, requests, lines = graded(tmp_path, behaviour, FORCED)
    assert len(requests) == 2
    assert len(lines) == 1
    assert "the model's own reasoning stands before the answer" in lines[0]


def test_a_budget_counts_both_requests_and_the_rest_is_asked_on_resume(tmp_path: Path) -> None:
    with serve(thoughtful()) as server:
        first, _ = graded_by(server, tmp_path / "run", FORCED, limits=Limits(budget_tokens=20))
        asked = len(server.requests)
        assert len(first.responses()) == 1
        trials = plan(1, 2)
        run = Run.start(tmp_path / "run", {"model": "org/some-model", "suite": "toy"}, {}, trials, factors={})
        model = open_model("org/some-model", base_url=server.url, model_args={}, sampling=Sampling(), policy=FORCED)
        ask(run, trials, model, media=picture, policy=FORCED, progress=progress(2, "quiet"), readers=YES_NO)
    assert [each.logprobs is not None for each in run.responses().values()] == [True, True]
    assert sum(is_forced(each) for each in server.requests) == 2
    assert asked < len(server.requests)


def test_a_cached_reply_without_a_forced_answer_is_asked_again_and_one_with_it_is_not(tmp_path: Path) -> None:
    counts = []
    with serve(thoughtful()) as server:
        for name, policy in {"plain": GRADED, "first": FORCED, "second": FORCED}.items():
            run, _ = graded_by(server, tmp_path / name, policy, cache=tmp_path / "cache")
            counts.append(sum(not each.counts for each in server.requests))
    assert counts == [2, 6, 6]
    assert {each.logprobs[0]["forced"] for each in run.responses().values()} == {"<answer>"}


def test_without_log_probabilities_it_is_refused() -> None:
    with pytest.raises(InputError, match="forced_answer: only with logprobs"):
        Policy(forced_answer=True)


def test_a_provider_that_continues_no_turn_is_refused_before_anything_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("inspect_ai")
    trials = plan(1, 1)
    run = Run.start(tmp_path, {"model": "openai/gpt-4o", "suite": "toy"}, {}, trials, factors={})
    with serve() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        model = open_model("openai/gpt-4o", base_url=None, model_args={}, sampling=Sampling(), policy=FORCED)
        with pytest.raises(InputError, match="does not continue an assistant turn"):
            ask(run, trials, model, media=picture, policy=FORCED, progress=progress(1, "quiet"), readers=YES_NO)
    assert not server.requests


@pytest.mark.parametrize("text", ["", "Answer", "17 of them", "<answer></answer>", "yes" * 5000, "<" * 5000 + "yes"])
def test_an_odd_reply_has_the_usual_lead(text: str) -> None:
    assert answer_lead(LENIENT_BINARY, Response(trial="t", text=text), {}) == "Answer:"
    assert answer_lead(YES_NO["word"][0], Response(trial="t", text=text), {}) == "Answer:"
