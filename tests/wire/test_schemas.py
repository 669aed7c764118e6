"""The bodies that real client libraries send for replies that are held to a JSON schema, and for free ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.ask.plans import DEFAULTS, picture, plan
from tests.ask.server import Reply, Server, said
from tests.wire import test_anthropic, test_google, test_openai
from tests.wire.wired import KEY, ONE_BY_ONE, trial_of
from veridical.answers import ParsedAnswer, Reader
from veridical.ask import Run, Sampling, ask, open_model, progress
from veridical.ask.capabilities import _TAKE_SCHEMAS, require_schemas
from veridical.errors import InputError
from veridical.suite.reply import FREE, REPLY, SCHEMA, object_of
from veridical.verbs.runs.roles import schema_for

STRETCH = object_of({"start": {"type": "number"}, "end": {"type": "number"}})
SENT = object_of(
    {"intervals": {"type": "array", "items": STRETCH}, "law": {"type": "string", "enum": ["gravity", "heat"]}}
)
READERS = {"word": (Reader(name="word", version="1", parse=lambda text, _: ParsedAnswer(text), schema=SENT),)}


def asked(
    folder: Path,
    server: Server,
    model: str,
    reply: Reply,
    *,
    base_url: str | None = None,
    every: bool = False,
    sampling: Sampling = DEFAULTS,
) -> dict[str, Mapping[str, Any]]:
    """The bodies that reach the server, by trial: `p000/q0` is free, `p001/q0` is held to the schema."""
    free, held = plan(2, 1)
    trials = [replace(free, settings={REPLY: FREE}), replace(held, settings={REPLY: SCHEMA})]
    server.behaviour = lambda _: reply
    run = Run.start(folder, {"model": model, "suite": "toy"}, {}, trials, factors={})
    opened = open_model(
        model,
        base_url=base_url,
        model_args={},
        sampling=sampling,
        policy=ONE_BY_ONE,
        schema=schema_for(READERS, every=every),
    )
    ask(run, trials, opened, media=picture, policy=ONE_BY_ONE, progress=progress(2, "quiet"))
    return {trial_of(request): request.body for request in server.requests}


def without_schema(body: Mapping[str, Any]) -> bool:
    """Whether nothing of the schema is anywhere in a body."""
    return not {"intervals", "json_schema", "schema"} & set(json.dumps(body).replace('"', " ").split())


def closed(schema: Any) -> Any:
    """A schema that allows no other keys in any part: inspect-ai says so for Anthropic even of texts and lists."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(each) for name, each in schema.items()}
    return {**inner, "additionalProperties": False} if "type" in schema else inner


def test_our_client_of_compatible_servers(tmp_path: Path, server: Server):
    bodies = asked(tmp_path, server, "org/vlm", said("Yes"), base_url=server.url)
    assert without_schema(bodies["p000/q0"])
    assert "response_format" not in bodies["p000/q0"]
    form = {"name": "reply", "strict": True, "schema": SENT}
    assert bodies["p001/q0"]["response_format"] == {"type": "json_schema", "json_schema": form}


def test_a_judge_that_is_held_is_held_in_every_trial(tmp_path: Path, server: Server):
    bodies = asked(tmp_path, server, "org/vlm", said("Yes"), base_url=server.url, every=True)
    assert all("response_format" in body for body in bodies.values())


def test_openais_client_for_completions(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    bodies = asked(tmp_path, server, test_openai.CHAT, test_openai.said("Yes"))
    assert without_schema(bodies["p000/q0"])
    form = bodies["p001/q0"]["response_format"]
    assert (form["type"], form["json_schema"]["strict"]) == ("json_schema", True)
    assert form["json_schema"]["schema"] == SENT


def test_openais_client_for_responses(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    reply = test_openai.responded(test_openai.message(test_openai.text("Yes")))
    bodies = asked(tmp_path, server, test_openai.RESPONSES, reply)
    assert without_schema(bodies["p000/q0"])
    form = bodies["p001/q0"]["text"]["format"]
    assert (form["type"], form["strict"], form["schema"]) == ("json_schema", True, SENT)


def test_anthropics_client(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url.removesuffix("/v1"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    bodies = asked(tmp_path, server, test_anthropic.MODEL, test_anthropic.GOOD, sampling=test_anthropic.SHORT)
    assert without_schema(bodies["p000/q0"])
    form = bodies["p001/q0"]["output_format"]
    assert (form["type"], form["schema"]["additionalProperties"]) == ("json_schema", False)
    assert closed(form["schema"]) == closed(SENT)
    held = [request.headers.get("anthropic-beta", "") for request in server.requests]
    assert ["structured-outputs" in each for each in held] == [False, True]


def test_googles_client(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("google.genai")
    monkeypatch.setenv("GOOGLE_BASE_URL", server.url.removesuffix("/v1"))
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)
    bodies = asked(tmp_path, server, test_google.MODEL, test_google.GOOD)
    assert without_schema(bodies["p000/q0"])
    how = bodies["p001/q0"]["generationConfig"]
    assert (how["responseMimeType"], how["responseJsonSchema"]) == ("application/json", SENT)


OWN, COMPATIBLE = "config.response_schema.json_schema", "(OpenAICompatibleAPI):"
PASSES = {
    **{name: (name, OWN) for name in ("mistral", "grok", "groq")},
    **{name: (name, COMPATIBLE) for name in ("openrouter", "together", "fireworks", "vllm", "sglang", "ollama")},
    "openai-api": ("openai_compatible", "openai_completion_params("),
}
"""The module of each provider that is not asked above, and where its source passes a schema on."""


def test_the_other_providers_that_take_a_schema_still_pass_it_on():
    names = {prefix.removesuffix("/") for prefix in _TAKE_SCHEMAS}
    assert names == {"openai", "anthropic", "google", "veridical/replay", *PASSES}
    folder = Path(str(import_module("inspect_ai").__file__)).parent / "model" / "_providers"
    silent = [name for name, (file, says) in PASSES.items() if says not in (folder / f"{file}.py").read_text()]
    assert not silent


@pytest.mark.parametrize(
    "model", ["hf/some", "veridical-hf/org/some", "veridical/pixel", "mockllm/model", "bedrock/some", "azureai/some"]
)
def test_others_are_refused_in_one_line_before_they_are_opened(model: str):
    told = rf"^reply=schema: model '{model}' cannot be held to a JSON schema; allowed: openai/, anthropic/, [^\n]*$"
    with pytest.raises(InputError, match=told):
        require_schemas("reply=schema", model, None)
    if not model.startswith("veridical"):
        require_schemas("reply=schema", model, "http://127.0.0.1:9/v1")
