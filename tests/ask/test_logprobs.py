"""The log probabilities of tokens are stored where a run asks for them and a server gives them, and never else.

`logprobs` keeps the token that states the answer; what `extra_body` asks for is kept whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.ask.plans import DEFAULTS, QUICK, picture, plan
from tests.ask.server import Reply, Request, Server, completion, said, serve
from veridical.answers import Parser, read_yes_no, text_reader
from veridical.ask import Policy, Run, Sampling, ask, open_model, progress
from veridical.ask.clients.completion import read_completion
from veridical.ask.display import Progress
from veridical.errors import InputError
from veridical.records import PROBABILITIES, Response

KEY = "sentinel-key-1"
ASKED = {"extra_body": {"logprobs": True, "top_logprobs": 2}}


def token(text: Any, logprob: Any = -0.5, *others: tuple[Any, Any]) -> dict[str, Any]:
    """A token as a server sends it."""
    tops = [{"token": other, "logprob": value, "bytes": None} for other, value in others]
    return {"token": text, "logprob": logprob, "bytes": [1], "top_logprobs": tops}


def stored(text: str, logprob: float = -0.5, *others: tuple[str, float]) -> dict[str, Any]:
    """The same as it is stored."""
    tops = [{"token": other, "logprob": value} for other, value in others]
    return {"token": text, "logprob": logprob, "top_logprobs": tops}


def replied(logprobs: Any, text: str = "Yes") -> Reply:
    choice = {"index": 0, "message": {"content": text}, "finish_reason": "stop", "logprobs": logprobs}
    return Reply(body=completion([choice]))


def put(folder: Path, behaviour: Callable[[Request], Reply], **arguments: Any) -> list[Response]:
    """What a run stores of two replies of such a server."""
    trials = plan(1, 2)
    run = Run.start(folder, {"model": "org/some-model", "suite": "toy"}, {}, trials, factors={})
    with serve(behaviour) as server:
        model = open_model("org/some-model", base_url=server.url, model_args=arguments, sampling=DEFAULTS, policy=QUICK)
        ask(run, trials, model, media=picture, policy=QUICK, progress=progress(2, "quiet"))
    return list(run.responses().values())


KEPT: dict[str, tuple[Any, Any]] = {
    "one token": ({"content": [token("Yes")]}, [stored("Yes")]),
    "alternatives": (
        {"content": [token("Yes", -0.1, ("Yes", -0.1), ("No", -2.5))]},
        [stored("Yes", -0.1, ("Yes", -0.1), ("No", -2.5))],
    ),
    "certain": ({"content": [token("Yes", 0), token(".", -9999.0)]}, [stored("Yes", 0.0), stored(".", -9999.0)]),
    "half a character": ({"content": [token("\ud83d")]}, [stored("\ufffd")]),
    "an odd alternative": (
        {"content": [token("Yes", -0.1, (3, "x"), ("No", -2.5))]},
        [stored("Yes", -0.1, ("No", -2.5))],
    ),
    "no list of alternatives": ({"content": [{**token("Yes"), "top_logprobs": None}]}, [stored("Yes")]),
    "none": (None, None),
    "an empty list": ({"content": []}, None),
    "a foreign shape": ({"tokens": ["Yes"], "token_logprobs": [-0.5]}, None),
    "one without a number": ({"content": [token("Ye"), token("s", None)]}, None),
    "above 0": ({"content": [token("Yes", 0.5)]}, None),
    "not finite": ({"content": [token("Yes", float("-inf"))]}, None),
    "no number at all": ({"content": [token("Yes", float("nan"))]}, None),
    "a truth for a number": ({"content": [token("Yes", False)]}, None),
    "an endless number": ({"content": [token("Yes", -(10**400))]}, None),
    "no token": ({"content": ["Yes"]}, None),
}


@pytest.mark.parametrize("case", KEPT)
def test_what_a_server_gives_is_kept_whole_or_not_at_all(case: str) -> None:
    given, kept = KEPT[case]
    reply = read_completion(json.dumps(replied(given).body).encode())
    assert getattr(reply, "text", None) == "Yes"
    assert getattr(reply, "logprobs", None) == kept


def given_where_asked_for(request: Request) -> Reply:
    given = {"content": [token("Yes", -0.1, ("No", -2.5))]}
    return replied(given) if (request.body["logprobs"], request.body["top_logprobs"]) == (True, 2) else said("Yes")


def test_a_run_that_asks_for_them_stores_them(tmp_path: Path) -> None:
    kept = [response.logprobs for response in put(tmp_path, given_where_asked_for, **ASKED)]
    assert kept == [[stored("Yes", -0.1, ("No", -2.5))]] * 2


def test_a_server_that_gives_none_is_read_as_before(tmp_path: Path) -> None:
    assert [(each.text, each.logprobs) for each in put(tmp_path, lambda _: said("Yes"), **ASKED)] == [("Yes", None)] * 2


@pytest.mark.parametrize("tokens", [[KEY], ["sentinel", "-key", "-1"], ["Yes"]])
def test_tokens_that_make_up_a_secret_are_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tokens: list[str]
) -> None:
    monkeypatch.setenv("SOME_API_KEY", KEY)
    other = (KEY, -3.0) if tokens == ["Yes"] else ("a", -3.0)
    given = {"content": [token(each, -0.5, other) for each in tokens]}
    kept = put(tmp_path, lambda _: replied(given, "".join(tokens)), **ASKED)
    assert [(each.error, each.logprobs) for each in kept] == [(None, None)] * 2
    assert not any(KEY.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


GRADED = replace(QUICK, logprobs=True)
YES_NO = {"word": (text_reader(Parser("yes-no", "1", read_yes_no)),)}


class Remarks(Progress):
    """The remarks of a run."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def remark(self, line: str) -> None:
        self.lines.append(line)


def graded(
    folder: Path, behaviour: Callable[[Request], Reply], policy: Policy = GRADED, **options: Any
) -> tuple[Run, list[Request], list[str]]:
    """A run of two trials that asks for the log probabilities of answers, what was sent, and what was remarked."""
    with serve(behaviour) as server:
        run, lines = graded_by(server, folder, policy, **options)
    return run, server.requests, lines


def graded_by(server: Server, folder: Path, policy: Policy, **options: Any) -> tuple[Run, list[str]]:
    trials, shown = plan(1, 2), Remarks()
    run = Run.start(folder, {"model": "org/some-model", "suite": "toy"}, {}, trials, factors={})
    model = open_model("org/some-model", base_url=server.url, model_args={}, sampling=DEFAULTS, policy=policy)
    ask(run, trials, model, media=picture, policy=policy, progress=shown, readers=YES_NO, **options)
    return run, shown.lines


TOPS = (("Yes", -0.5), (" no", -2.5), ("yes", -3.0))
SAID = {"content": [token("**", 0.0), token("Yes", -0.5, *TOPS), token("**.", 0.0)]}


def answers_in_bold(_: Request) -> Reply:
    return replied(SAID, "**Yes**.")


def test_the_flag_asks_for_them_and_stores_the_token_of_the_answer_alone(tmp_path: Path) -> None:
    run, requests, lines = graded(tmp_path, answers_in_bold)
    assert {(each.body["logprobs"], each.body["top_logprobs"]) for each in requests} == {(True, 20)}
    kept = [each.logprobs for each in run.responses().values()]
    assert kept == [[{**stored("Yes", -0.5, *TOPS), "before": ""}]] * 2
    assert lines == []
    outcomes = run.outcomes(YES_NO)
    assert [*outcomes.columns[-3:]] == [*PROBABILITIES]
    assert json.loads(outcomes["probabilities"][0])["no"] == pytest.approx(0.0820849986)


def test_they_enter_no_status_no_digest_and_no_run_that_did_not_ask(tmp_path: Path) -> None:
    run, _, _ = graded(tmp_path / "with", answers_in_bold)
    plain, requests, _ = graded(tmp_path / "without", answers_in_bold, QUICK)
    assert not any("logprobs" in each.body for each in requests)
    outcomes, others = run.outcomes(YES_NO), plain.outcomes(YES_NO)
    same = ["trial", "status", "answer", "correct", "digest"]
    assert outcomes.select(same).equals(others.select(same))
    assert not {*PROBABILITIES} & {*others.columns}


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (lambda _: said("Yes"), "the provider gave no log probabilities"),
        (lambda _: replied({"content": [token("Yes", float("nan"))]}), "the provider gave no log probabilities"),
        (
            lambda _: replied({"content": [token("One line is a bit longer, so they do differ. "), token("Yes")]},
                              "One line is a bit longer, so they do differ. Yes"),
            "reasons stand before the answer",
        ),
    ],
    ids=["none given", "no numbers", "reasons"],
)  # fmt: skip
def test_where_there_are_none_one_line_says_so_and_the_run_goes_on(tmp_path: Path, reply: Any, told: str) -> None:
    run, _, lines = graded(tmp_path, reply)
    assert lines == [f"no probability of the answer: {told}; the run goes on, without it where that is so"]
    assert [(each.error, each.logprobs) for each in run.responses().values()] == [(None, None)] * 2
    assert run.outcomes(YES_NO)["answer"].to_list() == ["yes"] * 2


def test_a_cached_reply_has_them_and_a_reply_cached_without_them_is_asked_for_again(tmp_path: Path) -> None:
    counts = []
    with serve(answers_in_bold) as server:
        for name, policy in {"plain": QUICK, "first": GRADED, "second": GRADED}.items():
            run, _ = graded_by(server, tmp_path / name, policy, cache=tmp_path / "cache")
            counts.append(len(server.requests))
    assert counts == [2, 4, 4]
    assert [each.logprobs for each in run.responses().values()] == [[{**stored("Yes", -0.5, *TOPS), "before": ""}]] * 2


@pytest.mark.parametrize("odd", [0, 1, 21, -3])
def test_an_odd_number_of_tokens_is_refused_in_one_line(odd: int) -> None:
    with pytest.raises(InputError, match=f"top_logprobs {odd}: 2 to 20 is allowed"):
        Policy(logprobs=True, top_logprobs=odd)
    with pytest.raises(InputError, match="top_logprobs 5: only with logprobs"):
        Policy(top_logprobs=5)


def test_other_providers_are_asked_for_them_and_what_they_give_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("inspect_ai")
    trials = plan(1, 2)
    run = Run.start(tmp_path, {"model": "openai/gpt-4o", "suite": "toy"}, {}, trials, factors={})
    replies = iter([SAID, {"content": [{"token": 5}]}])
    with serve(lambda _: replied(next(replies), "**Yes**.")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        policy = replace(GRADED, top_logprobs=5)
        sampling = Sampling(max_tokens=9)
        model = open_model("openai/gpt-4o", base_url=None, model_args={}, sampling=sampling, policy=policy)
        ask(run, trials, model, media=picture, policy=policy, progress=progress(2, "quiet"), readers=YES_NO)
    assert {(each.body["logprobs"], each.body["top_logprobs"]) for each in server.requests} == {(True, 5)}
    responses = list(run.responses().values())
    assert [each.text for each in responses] == ["**Yes**."] * 2
    assert [each.logprobs for each in responses] == [[{**stored("Yes", -0.5, *TOPS), "before": ""}], None]


@pytest.mark.parametrize("value", ["NaN", "-Infinity", '"x"', "null", "0.5"])
def test_a_stored_number_that_is_none_leaves_the_run_readable(tmp_path: Path, value: str) -> None:
    graded(tmp_path, answers_in_bold)
    log = tmp_path / "responses.jsonl"
    log.write_text(log.read_text().replace('"logprob":-0.5', f'"logprob":{value}'))
    outcomes = Run.open(tmp_path).outcomes(YES_NO)
    assert outcomes["answer"].to_list() == ["yes"] * 2
    assert "probability_of_gold" not in outcomes or outcomes["probability_of_gold"].null_count() == 2
