"""Opening models: which name and key go where, and what is said when something is missing."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ask.plans import QUICK, picture, plan, put
from tests.ask.server import Server
from veridical.ask import Policy, Run, Sampling, ask, clean_endpoint, open_model, progress
from veridical.ask.clients.inspect_client import chat_messages
from veridical.errors import InputError


def opened(model: str, base_url: str | None = None, **args: object):
    return open_model(model, base_url=base_url, model_args=args, sampling=Sampling(), policy=QUICK)


@pytest.mark.parametrize("name", ["Qwen/Qwen2.5-VL-7B-Instruct", "openai/gpt-oss-20b", "veridical-7b", "a/b/c"])
def test_a_servers_own_name_reaches_it_as_it_is(tmp_path: Path, server: Server, name: str):
    put(tmp_path, server.url, plan(1, 1), name=name)
    (request,) = server.requests
    assert (request.path, request.body["model"]) == ("/v1/chat/completions", name)


def test_a_service_prefix_is_kept_and_its_key_is_used(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MYLAB_API_KEY", "key-of-my-lab")
    put(tmp_path, server.url, plan(1, 1), name="openai-api/mylab/org/model")
    (request,) = server.requests
    assert (request.headers["authorization"], request.body["model"]) == ("Bearer key-of-my-lab", "org/model")


def test_only_our_own_key_goes_to_an_unknown_server(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-paid-for")
    put(tmp_path / "without", server.url, plan(1, 1), name="openai/gpt-4o")
    monkeypatch.setenv("VERIDICAL_API_KEY", "key-for-this-server")
    put(tmp_path / "with", server.url, plan(1, 1), name="openai/gpt-4o")
    assert [request.headers["authorization"] for request in server.requests] == [
        "Bearer none",
        "Bearer key-for-this-server",
    ]


def test_user_info_is_sent_as_basic_authentication_and_the_query_with_each_request(tmp_path: Path, server: Server):
    url = server.url.replace("http://", "http://me:p%40ss@") + "?api-version=7"
    put(tmp_path, url, plan(1, 1))
    (request,) = server.requests
    assert request.path == "/v1/chat/completions?api-version=7"
    assert request.headers["authorization"] == "Basic bWU6cEBzcw=="


@pytest.mark.parametrize(
    ("model", "url", "told"),
    [
        ("gpt-4o", None, "names no provider"),
        ("nosuch/model", None, "cannot open model 'nosuch/model': Model API nosuch"),
        ("openai/gpt-4o", None, "OPENAI_API_KEY"),
        ("openai-api/mylab/model", "http://127.0.0.1:9/v1", "MYLAB_API_KEY"),
        ("anthropic/claude", None, "cannot open model 'anthropic/claude'"),
        ("veridical/pixel", "http://127.0.0.1:9/v1", "is embedded and has no endpoint"),
        ("m", "127.0.0.1:9/v1", "the form is http://HOST:PORT/v1"),
        ("m", "http://host:port/v1", "the form is http://HOST:PORT/v1"),
    ],
)
def test_a_model_that_cannot_be_opened_is_told_in_one_plain_line(model: str, url: str | None, told: str):
    with pytest.raises(InputError, match=told) as caught:
        opened(model, url)
    line = str(caught.value)
    assert "\n" not in line
    assert "[bold]" not in line
    assert "allowed" in line or "leave out" in line or "the form is" in line or "set the variable" in line


def test_an_argument_that_no_client_knows_is_told_in_one_line():
    with pytest.raises(InputError, match="nonsense"):
        opened("m", "http://127.0.0.1:9/v1", nonsense=1)


def test_the_trial_is_told_beside_the_users_turn_and_only_on_demand():
    (trial,) = plan(1, 1)
    for told in ({"trial": trial.id, "repeat": 2}, None):
        chat = chat_messages(trial, lambda _: "data:image/png;base64,AA==", beside=told)
        assert [message.metadata for message in chat] == [None, told]


def test_a_provider_in_the_process_is_asked_like_any_model_and_its_own_input_error_ends_the_run(tmp_path: Path):
    from inspect_ai.model import ModelAPI, ModelOutput, modelapi

    class Toy(ModelAPI):
        async def generate(self, input, tools, tool_choice, config):  # noqa: A002 - inspect-ai's name
            question = input[-1].text
            if "p002" in question:
                raise InputError("the recording holds no reply to p002")
            if "p001" in question:
                raise ZeroDivisionError
            return ModelOutput.from_content("toy", "Yes")

    modelapi(name="toyprovider")(Toy)
    trials = plan(3, 1)
    run = Run.start(tmp_path, {"model": "toyprovider/any"}, {}, trials, factors={})
    policy = Policy(max_connections=1)
    with pytest.raises(InputError, match=r"^the recording holds no reply to p002$"):
        ask(run, trials, opened("toyprovider/any"), media=picture, policy=policy, progress=progress(3, "quiet"))
    responses = run.responses()
    assert responses["p000/q0", 1].text == "Yes"
    assert (responses["p001/q0", 1].error, responses["p001/q0", 1].detail) == ("unknown", "ZeroDivisionError")
    assert len(responses) == 2


def test_no_call_is_kept_in_memory_once_it_ended(tmp_path: Path):
    from inspect_ai.event import ModelEvent
    from inspect_ai.model import ModelAPI, ModelOutput, modelapi

    alive: list[int] = []

    class Counting(ModelAPI):
        async def generate(self, input, tools, tool_choice, config):  # noqa: A002 - inspect-ai's name
            if "p009" in input[-1].text:
                gc.collect()
                alive.append(sum(isinstance(kept, ModelEvent) for kept in gc.get_objects()))
            return ModelOutput.from_content("toy", "Yes")

    modelapi(name="countingprovider")(Counting)
    trials, policy = plan(10, 1), Policy(max_connections=1)
    run = Run.start(tmp_path, {"model": "countingprovider/any"}, {}, trials, factors={})
    ask(run, trials, opened("countingprovider/any"), media=picture, policy=policy, progress=progress(10, "quiet"))
    assert alive in ([0], [1])


def test_importing_the_room_loads_no_provider_library():
    heavy = "{'inspect_ai', 'openai', 'rich', 'matplotlib'}"
    code = f"import veridical.ask, sys; sys.exit(sorted({heavy} & set(sys.modules)) or 0)"
    subprocess.run([sys.executable, "-c", code], check=True)


words = st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=6, max_size=12)


@given(words, words, words, words, st.integers(1, 65535))
def test_nothing_but_scheme_host_port_and_path_stays_of_an_endpoint(
    user: str, password: str, query: str, path: str, port: int
):
    url = f"https://{user}:{password}@api.example.org:{port}/{path}/?key={query}#{query}"
    assert clean_endpoint(url) == f"https://api.example.org:{port}/{path}"


@pytest.mark.parametrize("url", ["", "host/v1", "ftp://host/v1", "http://", "http://h:99999/v1", "http://[::1/v1"])
def test_what_is_no_endpoint_is_refused_without_being_repeated(url: str):
    with pytest.raises(InputError, match="the form is") as caught:
        clean_endpoint(url)
    assert "99999" not in str(caught.value)


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_connections": 0},
        {"max_requests": 0},
        {"attempt_timeout": 0},
        {"attempt_timeout": float("nan")},
        {"backoff": -1},
    ],
)
def test_a_policy_out_of_range_names_what_is_allowed(wrong: dict[str, float]):
    with pytest.raises(InputError, match=rf"^{next(iter(wrong))} .* allowed$"):
        Policy(**wrong)


@pytest.mark.parametrize("wrong", [{"temperature": -0.1}, {"temperature": float("inf")}, {"max_tokens": 0}])
def test_sampling_out_of_range_names_what_is_allowed(wrong: dict[str, float]):
    with pytest.raises(InputError, match=rf"^{next(iter(wrong))} .* allowed$"):
        Sampling(**wrong)


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("extra_body", 3),
        ("default_query", "a=b"),
        ("default_headers", ["X"]),
        ("organization", 1),
        ("stream", True),
        ("clips", 1),
    ],
)
def test_an_argument_that_an_endpoint_does_not_take_is_told_in_one_line(argument: str, value: object):
    with pytest.raises(InputError, match=rf"cannot open model 'm': .*{argument}.*(?:allowed|known)") as caught:
        opened("m", base_url="http://127.0.0.1:9/v1", **{argument: value})
    assert "\n" not in str(caught.value)


def test_a_budget_of_thought_is_refused_where_it_would_be_left_out_in_silence():
    with pytest.raises(InputError, match=r"reasoning_tokens 99: .*leave it out"):
        open_model(
            "m",
            base_url="http://127.0.0.1:9/v1",
            model_args={},
            sampling=Sampling(reasoning_tokens=99),
            policy=QUICK,
        )
