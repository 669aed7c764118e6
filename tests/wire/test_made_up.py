"""No text that inspect-ai puts in a model's place is taken for the model's, and no text of a model is lost for it."""

from __future__ import annotations

import ast
from pathlib import Path

import inspect_ai.model
import pytest
from inspect_ai._util.constants import NO_CONTENT
from inspect_ai.model import ChatMessageAssistant, ContentReasoning, ContentText, ModelOutput, ModelUsage, StopDetails
from inspect_ai.model._model_output import ChatCompletionChoice, StopReason
from inspect_ai.model._openai import openai_refusal_model_output
from inspect_ai.model._providers._gemini_function_calling import malformed_function_apology

from veridical.ask.clients.inspect_client import counts_of, failure_in, has_no_reply, is_refusal, reasoning_of, text_of

PROVIDERS = Path(inspect_ai.model.__file__).parent
COUNTED = ModelUsage(input_tokens=10, output_tokens=2, total_tokens=12)
PROMPT_ALONE = ModelUsage(input_tokens=10, output_tokens=0, total_tokens=10)
# Whose text is the model's, and whose stop reason one of these two by the lines above.
KNOWN = {
    "mockllm.py": {None},
    "sagemaker.py": {"choices[0].get('finish_reason', 'stop') if choices else 'stop'"},
    "anthropic.py": {"'model_length'", "stop_reason"},
    "_openai.py": {"stop_reason"},
}


def output(content: object, stop: StopReason = "stop", usage: ModelUsage | None = COUNTED, **fields: str):
    message = ChatMessageAssistant(content=content)  # type: ignore[arg-type]
    return ModelOutput(choices=[ChatCompletionChoice(message=message, stop_reason=stop)], usage=usage, **fields)


def test_every_output_that_a_provider_makes_of_a_text_is_of_a_kind_that_is_known():
    found: dict[str, set[str | None]] = {}
    for file in [*PROVIDERS.glob("_providers/**/*.py"), *PROVIDERS.glob("_openai*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "from_content":
                stops = [ast.unparse(each.value) for each in node.keywords if each.arg == "stop_reason"]
                found.setdefault(file.name, set()).add(stops[0] if stops else None)
    made_up = {"'model_length'", "'content_filter'"}
    assert {name: stops for name, stops in found.items() if not stops <= made_up} == KNOWN


@pytest.mark.parametrize("code", ["context_length_exceeded", "invalid_prompt", "content_filter", "cyber_policy"])
@pytest.mark.parametrize("response", [None, "resp_1"])
def test_a_servers_error_is_no_text(code: str, response: str | None):
    made = openai_refusal_model_output("m", code, None, "Error: Yes", "Yes")
    assert made is not None
    made.response_id = response if made.stop_reason == "content_filter" else None
    assert made.completion == "Yes"
    assert text_of(made) == ""
    assert is_refusal(made) == (code != "context_length_exceeded")
    assert counts_of(made)["input_tokens"] is None


MADE_UP = {
    "a long request": ModelOutput.from_content("m", "Yes, too long", stop_reason="model_length"),
    "a filtered request": ModelOutput.from_content("m", "Yes, forbidden", stop_reason="content_filter"),
    "an error beside": ModelOutput.from_content("m", "Sorry, but I am unable to help.", error="content filtering"),
    "a blocked prompt": output("BLOCKED: SAFETY\nYes", "content_filter", PROMPT_ALONE, response_id="r1"),
    "no candidates": output(NO_CONTENT, "stop", PROMPT_ALONE, response_id="r1"),
    "no candidates, no counts": output(NO_CONTENT, "stop", None),
    "a function": output([ContentText(text=malformed_function_apology("Malformed: f(x).\nYes."))], "unknown"),
    "a function of a proxy": output([ContentText(text=malformed_function_apology("Yes"))], "stop"),
}
REAL = {
    "a text": (output("Yes"), "Yes"),
    "parts": (output([ContentReasoning(reasoning="hm"), ContentText(text="Ye"), ContentText(text="s")]), "Yes"),
    "a filtered reply": (output("The lin", "content_filter", COUNTED), "The lin"),
    "a filtered reply that nobody counted": (output("The lin", "content_filter", None, response_id="r1"), "The lin"),
    "a full context": (output("The lin", "model_length", COUNTED), "The lin"),
    "a model that says what inspect-ai would": (output(NO_CONTENT), NO_CONTENT),
    "a model that blocks": (output("BLOCKED: Yes", "content_filter", COUNTED, response_id="r1"), "BLOCKED: Yes"),
    "half a function": (
        output([ContentText(text="Yes"), ContentText(text=malformed_function_apology("f("))], "unknown"),
        "Yes",
    ),
}


@pytest.mark.parametrize("name", MADE_UP)
def test_what_is_made_up_is_no_text(name: str):
    made = MADE_UP[name]
    assert made.completion
    assert text_of(made) == ""


@pytest.mark.parametrize("name", REAL)
def test_what_a_model_said_stays(name: str):
    said, text = REAL[name]
    assert text_of(said) == text
    assert failure_in(said) is None


@pytest.mark.parametrize("stop", ["content_filter", "stop"])
def test_a_refusal_in_parts_keeps_its_text_where_nobody_explains_it_and_nobody_counts(stop: StopReason):
    said = output([ContentText(text="I will not")], stop, None, response_id="r1")
    said.choices[0].stop_details = StopDetails(type="refusal")
    assert text_of(said) == "I will not"
    assert is_refusal(said)


def test_a_reply_without_candidates_is_no_choice_and_one_with_too_many_bytes_no_overflow():
    for name in ("no candidates", "no candidates, no counts"):
        assert has_no_reply(MADE_UP[name])
        failure = failure_in(MADE_UP[name])
        assert failure is not None
        assert failure.kind == "no_choices"
    large = ModelOutput.from_content("m", "x", stop_reason="model_length", error="Error code: 413 - too large")
    failure = failure_in(large)
    assert failure is not None
    assert (failure.kind, failure.detail) == ("bad_request", "HTTP 413")


def test_a_thought_is_read_in_whichever_field_it_stands_and_never_what_is_hidden():
    blocks = [
        ContentReasoning(reasoning="one"),
        ContentReasoning(reasoning="c2VjcmV0", redacted=True),
        ContentReasoning(reasoning="c2VjcmV0", redacted=True, summary="two"),
        ContentReasoning(reasoning="", summary="three"),
    ]
    assert reasoning_of(output([*blocks, ContentText(text="Yes")])) == "one\n\ntwo\n\nthree"


def test_counts_of_nothing_are_none():
    nothing = {"input_tokens": None, "output_tokens": None, "cached_tokens": None, "cache_write_tokens": None}
    assert counts_of(output("Yes", usage=None)) == nothing
    assert counts_of(output("Yes", usage=ModelUsage())) == nothing
    usage = ModelUsage(input_tokens=1, output_tokens=2, input_tokens_cache_read=3, input_tokens_cache_write=4)
    assert counts_of(output("Yes", usage=usage)) == {
        "input_tokens": 8,
        "output_tokens": 2,
        "cached_tokens": 3,
        "cache_write_tokens": 4,
    }
