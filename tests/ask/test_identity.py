"""What may change from start to start of a run, and what may not."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ask.plans import QUICK, answered, plan, put
from tests.ask.server import Server
from veridical.ask import Limits, Policy, Price, Run, Sampling
from veridical.ask.identity_differences import differences
from veridical.errors import InputError
from veridical.records import Message, Text

BASE: dict[str, Any] = {
    "model": "m",
    "suite": "toy",
    "set": "ab" * 32,
    "settings": {"polarity": ["as_is"]},
    "prompts": ["cd" * 32],
    "sampling": Sampling(temperature=0.0).stated(),
}
CHANGED: dict[str, tuple[dict[str, Any], str]] = {
    "prompt": ({"prompts": ["ef" * 32]}, "prompts: "),
    "set": ({"set": "ef" * 32}, "set: "),
    "setting": (
        {"settings": {"polarity": ["reversed"]}},
        'settings.polarity: ["as_is"] stored, ["reversed"] requested',
    ),
    "temperature": (
        {"sampling": Sampling(temperature=1.0).stated()},
        "sampling.temperature: 0.0 stored, 1.0 requested",
    ),
    "top_p": ({"sampling": Sampling(temperature=0.0, top_p=0.5).stated()}, 'top_p: "unstated" stored, 0.5 requested'),
    "seed": ({"sampling": Sampling(temperature=0.0, seed=0).stated()}, 'sampling.seed: "unstated" stored, 0 requested'),
    "model": ({"model": "other"}, 'model: "m" stored, "other" requested'),
}


@pytest.mark.parametrize("name", CHANGED)
def test_what_reaches_the_model_may_not_change_and_each_change_is_listed(tmp_path: Path, name: str):
    change, told = CHANGED[name]
    answered(Run.start(tmp_path, BASE, {}, plan(), factors={}))
    with pytest.raises(InputError) as caught:
        Run.start(tmp_path, BASE | change, {}, plan(), factors={})
    assert told in str(caught.value)
    assert str(caught.value).count(" requested") == 1
    assert len(Run.open(tmp_path).executions) == 1


def test_another_wording_of_one_trial_may_not_be_asked(tmp_path: Path):
    answered(Run.start(tmp_path, BASE, {}, plan(), factors={}))
    first, *rest = plan()
    other = replace(first, messages=(Message("user", (Text("Equal?"),)),))
    with pytest.raises(InputError, match=r"holds another run \(trials: "):
        Run.start(tmp_path, BASE, {}, [other, *rest], factors={})


def test_budgets_connections_patience_and_versions_may_change(tmp_path: Path, server: Server):
    price = Price(input=1.0, output=1.0)
    put(tmp_path, server.url, plan(6, 1), QUICK, limits=Limits(budget_tokens=24))
    wider = Policy(max_connections=9, max_requests=7, attempt_timeout=9, backoff=0.1)
    limits = Limits(budget_tokens=10**6, budget_usd=10.0, price=price, time_limit=100)
    tally = put(tmp_path, server.url, plan(6, 1), wider, limits=limits, cache=tmp_path / "kept")
    assert tally.missing == 0
    for release in ("1.0.0", "1.0.1"):
        run = Run.start(tmp_path / "other", BASE, {"versions": {"veridical": release}}, plan(), factors={})
    assert len(run.executions) == 2


def test_a_release_that_knows_more_settings_goes_on_with_a_run_that_knew_fewer(tmp_path: Path):
    older = BASE | {"sampling": {"temperature": 0.0, "max_tokens": None}}
    answered(Run.start(tmp_path, older, {}, plan(), factors={}))
    assert Run.start(tmp_path, BASE, {}, plan(), factors={}).repeats == 1
    with pytest.raises(InputError, match=r"sampling\.max_tokens: null stored, 5 requested"):
        Run.start(
            tmp_path, BASE | {"sampling": Sampling(temperature=0.0, max_tokens=5).stated()}, {}, plan(), factors={}
        )


def test_a_run_of_a_release_before_repeats_is_one_of_a_single_repeat(tmp_path: Path):
    run = answered(Run.start(tmp_path, BASE, {}, plan(), factors={}))
    text = (tmp_path / "run.json").read_text()
    (tmp_path / "run.json").write_text(text.replace('"repeats": 1,', ""))
    assert "repeats" not in Run.open(tmp_path).identity
    assert (Run.open(tmp_path).repeats, run.repeats) == (1, 1)
    Run.start(tmp_path, BASE, {}, plan(), factors={})
    with pytest.raises(InputError, match="repeats: 1 stored, 2 requested"):
        Run.start(tmp_path, BASE, {}, plan(), repeats=2, factors={})


def test_what_is_not_given_is_stored_as_unstated_and_nothing_is_made_up(tmp_path: Path, server: Server):
    put(tmp_path, server.url, plan(1, 1), sampling=Sampling(top_p=0.5))
    stored = Run.open(tmp_path).identity["sampling"]
    assert stored == dict.fromkeys((field.name for field in fields(Sampling)), "unstated") | {"top_p": 0.5}
    body = server.requests[0].body
    assert set(body) == {"model", "messages", "top_p"}


def test_all_of_the_sampling_reaches_a_server_as_it_was_given(tmp_path: Path, server: Server):
    sampling = Sampling(temperature=0.5, max_tokens=9, top_p=0.25, top_k=20, seed=11, reasoning_effort="low")
    put(tmp_path, server.url, plan(1, 1), sampling=sampling)
    sent = {name: server.requests[0].body[name] for name in ("temperature", "max_tokens", "top_p", "top_k", "seed")}
    assert sent == {"temperature": 0.5, "max_tokens": 9, "top_p": 0.25, "top_k": 20, "seed": 11}
    assert server.requests[0].body["reasoning_effort"] == "low"


@pytest.mark.parametrize(
    "wrong",
    [
        {"top_p": 0.0},
        {"top_p": 1.1},
        {"top_k": 0},
        {"seed": -1},
        {"seed": 2**31},
        {"reasoning_effort": "huge"},
        {"reasoning_tokens": -1},
    ],
)
def test_sampling_out_of_range_names_what_is_allowed(wrong: dict[str, Any]):
    with pytest.raises(InputError, match=rf"^{next(iter(wrong))} .* allowed$"):
        Sampling(**wrong)


values = st.none() | st.just("unstated") | st.integers() | st.lists(st.integers(), max_size=2)
flat = st.dictionaries(st.sampled_from("abcd"), values)


@given(flat, flat)
def test_two_identities_differ_in_the_same_keys_whichever_comes_first(one: dict[str, Any], other: dict[str, Any]):
    keys = [[line.split(":")[0] for line in differences(*pair)] for pair in ((one, other), (other, one))]
    assert keys[0] == keys[1]
    assert differences(one, one) == []
