"""What our client sends, held against the models by which vLLM's own server reads its requests."""

from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.ask.plans import DEFAULTS, QUICK, begun, picture, plan
from tests.ask.server import Server
from tests.wire.test_schemas import READERS
from veridical.ask import Policy, Run, Sampling, ask, open_model, progress
from veridical.suite.reply import REPLY, SCHEMA
from veridical.verbs.runs.roles import schema_for

EVERY = Sampling(temperature=0.5, top_p=0.9, top_k=20, max_tokens=64, seed=7, reasoning_effort="low")
GRADED = replace(QUICK, logprobs=True)


@pytest.fixture(scope="module")
def model() -> Any:
    """vLLM's model of a request."""
    try:
        protocol = importlib.import_module("vllm.entrypoints.openai.chat_completion.protocol")
    except ImportError:
        pytest.skip("vLLM is not installed")
    return protocol.ChatCompletionRequest


def bodies(folder: Path, server: Server, sampling: Sampling, policy: Policy, *, held: bool) -> list[dict]:
    """The bodies of a trial with a picture, one whose reply is begun, and what sees whether the server continues it."""
    settings = {REPLY: SCHEMA} if held else {}
    trials = [each if number else begun(each, **settings) for number, each in enumerate(plan(1, 2))]
    run = Run.start(folder, {"model": "m", "suite": "toy"}, {}, trials, factors={})
    schema = schema_for(READERS, every=held)
    how = {"model_args": {}, "sampling": sampling, "policy": policy, "schema": schema}
    opened = open_model("m", base_url=server.url, **how)
    ask(run, trials, opened, media=picture, policy=policy, progress=progress(2, "quiet"))
    return [request.body for request in server.requests]


@pytest.mark.parametrize(
    ("sampling", "policy", "held"),
    [(DEFAULTS, QUICK, False), (EVERY, QUICK, False), (EVERY, GRADED, False), (DEFAULTS, QUICK, True)],
    ids=["defaults", "all sampling", "log probabilities", "schema"],
)
def test_vllm_knows_every_field_and_reads_it_as_it_was_meant(model, sampling, policy, held, tmp_path, server: Server):
    sent = bodies(tmp_path, server, sampling, policy, held=held)
    assert len(sent) == 5
    for body in sent:
        read = model.model_validate(body)
        assert not body.keys() - model.model_fields.keys(), "what vLLM does not know it ignores in silence"
        stated = {name: getattr(read, name) for name in body if name not in ("messages", "response_format")}
        assert stated == {name: body[name] for name in stated}
        assert [message["role"] for message in read.messages] == [message["role"] for message in body["messages"]]
        if "response_format" in body:
            assert read.response_format.json_schema.json_schema == body["response_format"]["json_schema"]["schema"]
