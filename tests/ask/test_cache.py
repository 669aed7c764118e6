"""The cache of replies: found for the same request alone, never for a failure, shared, and never in the way."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ask.plans import QUICK, READERS, picture, plan, put, replayed
from tests.ask.server import Reply, Server, completion, refused, said
from veridical.ask import Limits, Policy, Run, Sampling, Tally, ask, open_model, progress
from veridical.ask.cache import ReplyCache, cache_key, is_worth_keeping
from veridical.errors import InputError
from veridical.records import Media, Message, Response, Text

ONE = Policy(max_connections=1, max_requests=1, attempt_timeout=60, backoff=0)


def test_a_second_run_takes_its_replies_from_the_cache_says_so_and_comes_to_the_same_answers(
    tmp_path: Path, server: Server
):
    server.behaviour = lambda request: said(f"reply {request.number}", reasoning_content="hm")
    first = put(tmp_path / "a", server.url, plan(3, 2), cache=tmp_path / "kept", repeats=2)
    second = put(tmp_path / "b", server.url, plan(3, 2), cache=tmp_path / "kept", repeats=2)
    assert (first.cached, first.requests, second.cached, second.requests, second.missing) == (0, 12, 12, 0, 0)
    assert len(server.requests) == 12
    asked, kept = (Run.open(tmp_path / name).outcomes(READERS) for name in "ab")
    same = ["trial", "repeat", "status", "answer", "text", "reasoning", "stop_reason", "attempt"]
    assert asked.select(same).equals(kept.select(same))
    assert (asked["cached"].any(), kept["cached"].all()) == (False, True)
    assert kept.select("requests", "input_tokens", "output_tokens").unique().rows() == [(0, 0, 0)]


def test_without_a_cache_nothing_is_kept(tmp_path: Path, server: Server):
    put(tmp_path / "a", server.url, plan(1, 1))
    put(tmp_path / "b", server.url, plan(1, 1))
    assert len(server.requests) == 2


NOT_KEPT = {
    "an error": refused(400),
    "no choices": Reply(body=completion([])),
    "an empty reply": said(None),
    "a blank reply": said(" \n"),
    "a refusal that is flagged": said(None, refusal="no"),
    "a refusal in words": said("I'm sorry, but I can't help with that."),
    "a filtered reply": said("Yes", finish="content_filter"),
    "a reply cut by length": said("Yes", finish="length"),
}


@pytest.mark.parametrize("name", NOT_KEPT)
def test_what_is_no_whole_reply_is_asked_for_again(tmp_path: Path, server: Server, name: str):
    bad, good = NOT_KEPT[name], said("Yes")
    server.behaviour = lambda request: bad if "p001" in request.text else good
    put(tmp_path / "a", server.url, plan(2, 1), ONE, cache=tmp_path / "kept")
    server.requests.clear()
    put(tmp_path / "b", server.url, plan(2, 1), ONE, cache=tmp_path / "kept")
    assert ["p001" in request.text for request in server.requests] == [True]


def test_the_first_request_goes_alone_even_where_the_cache_knows_the_first_trials(tmp_path: Path, server: Server):
    put(tmp_path / "a", server.url, plan(3, 1), ONE, cache=tmp_path / "kept")
    server.requests.clear()
    server.behaviour = lambda _: refused(401)
    with pytest.raises(InputError, match="refuses the key"):
        put(tmp_path / "b", server.url, plan(9, 1), cache=tmp_path / "kept")
    assert len(server.requests) == 1
    assert len(Run.open(tmp_path / "b").responses()) == 3


def test_what_is_asked_again_on_demand_is_asked_and_its_new_reply_kept(tmp_path: Path, server: Server):
    put(tmp_path / "a", server.url, plan(1, 1), cache=tmp_path / "kept")
    server.behaviour = lambda _: said("No")
    tally = put(tmp_path / "a", server.url, plan(1, 1), cache=tmp_path / "kept", again={("p000/q0", 1)})
    assert (tally.cached, tally.requests) == (0, 1)
    put(tmp_path / "b", server.url, plan(1, 1), cache=tmp_path / "kept")
    assert Run.open(tmp_path / "b").responses()["p000/q0", 1].text == "No"


def test_cached_replies_spend_nothing_of_a_budget(tmp_path: Path, server: Server):
    put(tmp_path / "a", server.url, plan(3, 1), ONE, cache=tmp_path / "kept")
    tally = put(tmp_path / "b", server.url, plan(5, 1), ONE, cache=tmp_path / "kept", limits=Limits(budget_tokens=13))
    assert (tally.asked, tally.cached, tally.spent.tokens, tally.limit) == (5, 3, 24, None)


def test_embedded_observers_are_always_asked(tmp_path: Path):
    model = replayed(tmp_path / "answers.jsonl", plan(2, 1))
    run = Run.start(tmp_path / "run", {"model": "veridical/replay"}, {}, plan(2, 1), factors={})
    shown = progress(2, "quiet")
    kept = tmp_path / "kept"
    tally = ask(run, plan(2, 1), model, media=picture, policy=ONE, progress=shown, cache=kept, tells_trial=True)
    assert (tally.requests, (tmp_path / "kept").exists()) == (2, False)


MESSAGES = (
    Message("system", (Text("Answer."),)),
    Message("user", (Media("media/a.png", "0" * 64), Text("Are they equal?"))),
)
BYTES = {"media/a.png": "h1", "media/b.png": "h1", "media/c.png": "h2"}


def key(
    messages: tuple[Message, ...] = MESSAGES,
    *,
    model: str = "m",
    url: str = "http://host:1/v1",
    args: dict[str, Any] | None = None,
    repeat: int = 1,
    policy: Policy = QUICK,
    **sampling: Any,
) -> str:
    opened = open_model(model, base_url=url, model_args=args or {}, sampling=Sampling(**sampling), policy=policy)
    sampled = opened.sampled(plan(1, 1)[0], repeat)
    return cache_key(opened.facts(), sampled, messages, lambda medium: BYTES[medium.file], repeat)


def _with(part: Text | Media) -> tuple[Message, ...]:
    kept = [part if type(old) is type(part) else old for old in MESSAGES[1].parts]
    return MESSAGES[0], Message("user", tuple(kept))


CHANGES: dict[str, dict[str, Any]] = {
    "text": {"messages": _with(Text("Are they equal!"))},
    "bytes of a picture": {"messages": _with(Media("media/c.png", "0" * 64))},
    "order": {"messages": (MESSAGES[0], Message("user", MESSAGES[1].parts[::-1]))},
    "a picture more": {"messages": (MESSAGES[0], Message("user", (*MESSAGES[1].parts, MESSAGES[1].parts[0])))},
    "role": {"messages": (Message("user", MESSAGES[0].parts), MESSAGES[1])},
    "a turn less": {"messages": MESSAGES[1:]},
    "model": {"model": "m2"},
    "endpoint": {"url": "http://host:2/v1"},
    "path of the endpoint": {"url": "http://host:1/v2"},
    "argument": {"args": {"extra_body": {"top_k": 1}}},
    "repeat": {"repeat": 2},
    "temperature": {"temperature": 0.0},
    "top_p": {"top_p": 0.9},
    "top_k": {"top_k": 20},
    "max_tokens": {"max_tokens": 64},
    "seed": {"seed": 0},
    "reasoning_effort": {"reasoning_effort": "low"},
}
NO_CHANGES: dict[str, dict[str, Any]] = {
    "name of the file": {"messages": _with(Media("media/b.png", "1" * 64))},
    "user info and query": {"url": "http://me:secret@host:1/v1?key=123456"},
    "key": {"args": {"api_key": "another-key"}},
    "connections and patience": {"policy": Policy(max_connections=99, max_requests=9, attempt_timeout=77)},
}


def test_every_change_of_what_reaches_the_model_is_another_key():
    keys = {name: key(**change) for name, change in CHANGES.items()}
    assert len({key(), *keys.values()}) == 1 + len(CHANGES), keys


@pytest.mark.parametrize("name", NO_CHANGES)
def test_what_does_not_reach_the_model_changes_no_key(name: str):
    own = {"args": {"default_query": {"key": "654321"}}} if name == "user info and query" else {}
    assert key(**NO_CHANGES[name]) == key(**own)


@given(st.text(), st.text(), st.text())
def test_where_one_text_ends_and_the_next_begins_is_part_of_the_key(first: str, second: str, third: str):
    facts = {"model": "m"}

    def of(*texts: str) -> str:
        return cache_key(facts, {}, (Message("user", tuple(map(Text, texts))),), lambda medium: BYTES[medium.file], 1)

    assert of(first, second + third) != of(first + second + third)
    if second:
        assert of(first, second + third) != of(first + second, third)


@given(st.text(), st.booleans(), st.sampled_from([None, "stop", "max_tokens", "content_filter"]))
def test_only_what_may_be_answered_is_kept(text: str, refused: bool, stop: str | None):
    response = Response(trial="t", text=text, refused=refused, stop_reason=stop)
    if is_worth_keeping(response):
        assert text.strip()
        assert not refused
        assert stop in (None, "stop")
    assert not is_worth_keeping(replace(response, error="server"))


def _fill(folder: str, worker: int) -> int:
    with ReplyCache(Path(folder)) as cache:
        for number in range(200):
            cache.put(f"{worker}/{number}", Response(trial="t", text=f"{worker} says {number}"))
            cache.put(f"shared/{number}", Response(trial="t", text="the same"))
        assert cache.problem is None
        return sum(cache.get(f"{worker}/{number}") is not None for number in range(200))


def test_processes_share_one_cache_from_its_making_on(tmp_path: Path):
    with ProcessPoolExecutor(3, mp_context=get_context("fork")) as processes:
        found = list(processes.map(_fill, [str(tmp_path / "kept")] * 3, range(3)))
    assert found == [200, 200, 200]
    with ReplyCache(tmp_path / "kept") as cache:
        texts = [cache.get(f"{worker}/{number}") for worker in range(3) for number in range(200)]
    assert [reply.text for reply in texts if reply] == [f"{w} says {n}" for w in range(3) for n in range(200)]


def _tables(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE holidays (day TEXT)")


def _newer(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 2")


@pytest.mark.parametrize("spoil", [_tables, _newer, lambda path: path.write_bytes(b"no database" * 99)])
def test_a_file_that_is_no_cache_of_ours_is_refused_in_one_line_and_left_alone(
    tmp_path: Path, server: Server, spoil: Any
):
    (tmp_path / "kept").mkdir()
    path = tmp_path / "kept" / "replies.sqlite"
    spoil(path)
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"^the cache .*replies\.sqlite cannot be used: ") as caught:
        put(tmp_path / "run", server.url, plan(1, 1), cache=tmp_path / "kept")
    assert "\n" not in str(caught.value)
    assert (path.read_bytes(), server.requests) == (before, [])


def test_a_place_that_is_no_folder_is_refused(tmp_path: Path, server: Server):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="cannot be used"):
        put(tmp_path / "run", server.url, plan(1, 1), cache=tmp_path / "file")


def test_a_cache_that_fails_on_the_way_ends_no_run_and_is_told(tmp_path: Path, server: Server):
    path = tmp_path / "kept" / "replies.sqlite"

    def spoil(request: Any) -> Reply:
        if request.number == 2:
            with sqlite3.connect(path) as database:
                database.execute("DROP TABLE replies")
        return said("Yes")

    server.behaviour = spoil
    tally: Tally = put(tmp_path / "run", server.url, plan(4, 1), ONE, cache=tmp_path / "kept")
    assert (tally.missing, tally.errors) == (0, 0)
    assert tally.cache_problem is not None
    assert "is no longer used" in tally.cache_problem


def test_a_damaged_entry_is_asked_for_again(tmp_path: Path, server: Server):
    put(tmp_path / "a", server.url, plan(1, 1), cache=tmp_path / "kept")
    with sqlite3.connect(tmp_path / "kept" / "replies.sqlite") as database:
        database.execute("UPDATE replies SET reply = '{\"text\": 3'")
    tally = put(tmp_path / "b", server.url, plan(1, 1), cache=tmp_path / "kept")
    assert (tally.requests, tally.cached) == (1, 0)
