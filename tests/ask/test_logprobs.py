"""The log probabilities of tokens are stored where a run asks for them and a server gives them, and never else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.ask.plans import DEFAULTS, QUICK, picture, plan
from tests.ask.server import Reply, Request, completion, said, serve
from veridical.ask import Run, ask, open_model, progress
from veridical.ask.clients.completion import read_completion
from veridical.records import Response

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
