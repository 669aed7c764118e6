"""Preparation of inspect-ai's providers: each call sends exactly one request and hides no failure."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

from veridical.ask.clients.completion import repair_completion
from veridical.ask.failures import NoJsonError, ReplyError, StreamEndedError
from veridical.records import Json

if TYPE_CHECKING:
    from inspect_ai.model import Model

# Attributes of providers in inspect-ai 0.3.285; providers without them need no preparation.
_CORRECTIONS = "MAX_TOOL_CALLING_ATTEMPTS"
_SUMMARIES = "_reasoning_summaries"
_REPLIES = ("choices", "content", "output", "candidates")


def prepare(model: Model) -> None:
    """Makes a model's provider send one request per call and expose what came back.

    Google's client retries on its own if a connection breaks, and inspect-ai retries with another prompt if Gemini
    tries to call a function. Before the first call of an OpenAI reasoning model, inspect-ai sends a request of its own
    to find out whether the model gives reasoning summaries, which are not used here. Anthropic's and OpenAI's clients
    read an error with HTTP 200 as a reply without content.
    """
    api: Any = model.api
    provider = sys.modules.get(type(api).__module__)
    if hasattr(provider, _CORRECTIONS):
        setattr(provider, _CORRECTIONS, 1)
    if hasattr(api, _SUMMARIES):
        setattr(api, _SUMMARIES, False)
    if type(api).__name__ == "GoogleGenAIAPI":
        _ask_google_once(api)
    if hasattr(api, "chat_choices_from_completion"):
        _read_parts(api)
    _prepare_client(api)
    if hasattr(api, "initialize"):
        # Some providers build their client only on the first call, or rebuild it.
        build = api.initialize

        def initialize() -> None:
            build()
            _prepare_client(api)

        api.initialize = initialize


@contextmanager
def as_in_a_script() -> Iterator[None]:
    """Keeps inspect-ai from setting up a notebook for its own displays and its task runner, which are not used here.

    It would require ipywidgets, and change asyncio for everything else in the notebook.
    """
    from inspect_ai._util import platform

    with _replaced(platform, "running_in_notebook", lambda: False):
        yield


@contextmanager
def _replaced(holder: Any, name: str, value: Callable[..., Any]) -> Iterator[None]:  # noqa: ANN401 - any module
    earlier = getattr(holder, name)
    setattr(holder, name, value)
    try:
        yield
    finally:
        setattr(holder, name, earlier)


def _prepare_client(api: Any) -> None:  # noqa: ANN401 - any provider
    client = getattr(api, "client", None)
    if client is None:
        return
    if hasattr(client, "max_retries"):
        client.max_retries = 0
    hooks = getattr(getattr(client, "_client", None), "event_hooks", None)
    if isinstance(hooks, Mapping) and "response" in hooks:
        hooks["response"].append(_see_error)
    names = {base.__name__ for base in type(api).__mro__}
    if "AnthropicAPI" in names and hasattr(client, "messages"):
        _read_messages(client.messages)
    if "OpenAIAPI" in names and hasattr(client, "chat"):
        _read_completions(client.chat.completions, api.service_model_name())


@contextmanager
def no_tracebacks() -> Iterator[None]:
    """Keeps inspect-ai, if it is loaded, from formatting tracebacks of failed calls, which takes half a second each."""
    layer = sys.modules.get("inspect_ai.model._model")
    if not hasattr(layer, "format_traceback"):
        yield
        return
    with _replaced(layer, "format_traceback", lambda *_: ("", "")):
        yield


def error_in(body: Json) -> Json | None:
    """The error in a reply with HTTP 200 or in its first choice; `None` if it is a real reply.

    >>> error_in({"error": {"code": 502}, "choices": None}), error_in({"choices": [{"message": {}}], "error": None})
    ({'error': {'code': 502}, 'choices': None}, None)
    """
    if not isinstance(body, Mapping) or body.get("object") == "response":
        return None
    if body.get("error") and not any(body.get(name) for name in _REPLIES):
        return body
    choices = body.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, Mapping) and first.get("error") else None


async def _see_error(response: Any) -> None:  # noqa: ANN401 - of httpx2, or of httpx
    kind = response.headers.get("content-type", "")
    if response.status_code != 200 or "event-stream" in kind:
        return
    content = await response.aread()
    if b'"error"' not in content and "json" in kind:
        return
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        raise NoJsonError(content.decode("utf-8", "replace")) from None
    error = error_in(body)
    if error is not None:
        raise ReplyError(error)


def _ask_google_once(api: Any) -> None:  # noqa: ANN401 - its class is importable only with Google's package
    from google.genai.types import HttpRetryOptions

    options = api._http_options

    def once(*args: Any) -> Any:  # noqa: ANN401
        http_options = options(*args)
        http_options.retry_options = HttpRetryOptions(attempts=1)
        return http_options

    api._http_options = once


def _read_parts(api: Any) -> None:  # noqa: ANN401 - any provider of OpenAI's format
    read = api.chat_choices_from_completion

    def choices(completion: Any, tools: Any) -> Any:  # noqa: ANN401
        return read(repair_completion(completion, api.service_model_name()), tools)

    api.chat_choices_from_completion = choices


def _read_completions(completions: Any, model: str) -> None:  # noqa: ANN401 - OpenAI's
    from openai.types.chat import ChatCompletion

    create = completions.create

    async def created(**request: Any) -> Any:  # noqa: ANN401
        completion = await create(**request)
        return repair_completion(completion, model) if isinstance(completion, ChatCompletion) else completion

    completions.create = created


def _read_messages(messages: Any) -> None:  # noqa: ANN401 - Anthropic's
    from anthropic.types import Message, OutputTokensDetails, TextBlock, Usage

    create, stream = messages.create, messages.stream

    def fill(message: Message) -> Message:
        # Other servers of this format leave out fields that Anthropic always sends. If thinking tokens are not counted,
        # inspect-ai would ask the server to count them.
        message.usage = message.usage or Usage(input_tokens=0, output_tokens=0)
        message.usage.output_tokens_details = message.usage.output_tokens_details or OutputTokensDetails(
            thinking_tokens=0
        )
        if not isinstance(message.content, list):
            message.content = [TextBlock(type="text", text=str(message.content or ""))]
        return message

    async def created(**request: Any) -> Any:  # noqa: ANN401
        message = await create(**request)
        if not isinstance(message, Message):
            raise NoJsonError(str(message))
        return fill(message)

    @asynccontextmanager
    async def streamed(**request: Any) -> AsyncIterator[Any]:  # noqa: ANN401
        async with stream(**request) as events:
            try:
                yield events
            except AssertionError:
                # This is how the client reports an empty stream.
                raise StreamEndedError(None) from None
            if fill(events.current_message_snapshot).stop_reason is None:
                raise StreamEndedError(None)

    messages.create, messages.stream = created, streamed
