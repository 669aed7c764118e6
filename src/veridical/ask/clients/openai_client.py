"""The client for OpenAI-compatible endpoints, over the OpenAI SDK's asynchronous client, with bounded replies."""

from __future__ import annotations

import asyncio
import os
import zlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from importlib.metadata import version
from math import ceil
from ssl import SSLContext
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import httpx2

from veridical.ask.capabilities import CONTINUE, opens_reply
from veridical.ask.clients import Continuation, ModelReply, Place, ReplyOrFailure, Schema, TrialAttempt, free_form
from veridical.ask.connections import steps_of
from veridical.ask.failures import Failure, failure_of
from veridical.ask.policy import Policy, Sampling, seed_of
from veridical.ask.redact import clean_endpoint, redactor, without_secrets
from veridical.errors import InputError, unknown
from veridical.records import Json, Message, Text, Trial

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

ARGUMENTS = ("api_key", "clips", "default_headers", "default_query", "extra_body", "organization", "project")
"""Model arguments for such an endpoint; `extra_body` is added to the body of each request.

With `clips=true` whole clips are sent as parts of the type `video_url`, as vLLM, SGLang and OpenRouter take them.
"""

_OBJECTS = ("default_headers", "default_query", "extra_body")
_KINDS: dict[str, tuple[type, str]] = {"clips": (bool, "true or false")}

# Error codes of servers that refuse the content of a request as a bad request.
_FILTERED = frozenset(
    {
        *("content_filter", "content_policy_violation", "invalid_prompt", "bio_policy", "cyber_policy"),
        *("data_inspection_failed", "ResponsibleAIPolicyViolation"),
    }
)
_PROBED = 5.0
"""How many seconds a probe of another base URL may take."""
_URLS = {"image": "image_url", "video": "video_url"}
_THINKS_LONGER = ("o1", "o3", "o4", "gpt-5", "gpt-6")

LARGEST = 16_000_000
"""The maximum number of bytes of an unpacked reply."""

_WINDOWS = {"gzip": 16 + zlib.MAX_WBITS, "x-gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}


class OpenAIClient:
    """A `Client` of one model at one endpoint; nothing is imported or opened before the first question.

    It builds request bodies and reads replies itself, so that a server's deviations from the format lose no reply.
    """

    instead_of_text = None

    def __init__(
        self,
        name: str,
        model: str,
        endpoint: str,
        key: str,
        *,
        sampling: Sampling,
        policy: Policy,
        arguments: Mapping[str, Json],
        schema: Schema = free_form,
    ) -> None:
        for argument in arguments:
            if argument not in ARGUMENTS:
                raise unknown("model argument", argument, ARGUMENTS)
            kind, allowed = (dict, "a JSON object") if argument in _OBJECTS else _KINDS.get(argument, (str, "a text"))
            if not isinstance(arguments[argument], kind):
                raise InputError(f"model argument {argument}: {allowed} is allowed")
        if sampling.reasoning_tokens is not None:
            raise InputError(
                f"reasoning_tokens {sampling.reasoning_tokens}: such an endpoint has no setting for it; leave it out, "
                "or use the server's own setting in extra_body"
            )
        clean_endpoint(endpoint)
        self.name, self.endpoint = name, endpoint
        self._model, self._key, self._policy = model, key, policy
        query = dict(parse_qsl(urlsplit(endpoint).query)) | dict(arguments.get("default_query") or {})
        self._sampling, self._arguments = sampling, {**arguments, **({"default_query": query} if query else {})}
        self.takes_clips = bool(arguments.get("clips", False))
        self._schema = schema
        self.continuation = Continuation(None, dict(CONTINUE))
        self._opened: AsyncOpenAI | None = None

    def secrets(self) -> tuple[str, ...]:
        values = [str(value) for part in ("default_headers", "default_query") for value in self._under(part).values()]
        return (self._key, *values, *(value.split(" ")[-1] for value in values))

    def facts(self) -> dict[str, Json]:
        return {
            "model": self.name,
            "endpoint": clean_endpoint(self.endpoint),
            "args": without_secrets(dict(self._arguments), redactor()),
            "client": f"openai {version('openai')}",
        }

    def sampled(self, trial: Trial, repeat: int) -> dict[str, Json]:
        seed = self._sampling.seed
        stated = asdict(self._sampling) | {"seed": None if seed is None else seed_of(seed, repeat)}
        names = {"max_tokens": self._longest}
        body = {names.get(name, name): value for name, value in stated.items() if value is not None}
        if (tops := self._policy.tops) is not None:
            body |= {"logprobs": True, "top_logprobs": tops}
        if (schema := self._schema(trial)) is not None:
            body["response_format"] = response_format(schema)
        return {**body, **(self._continuing if opens_reply(trial) else {}), **self._under("extra_body")}

    @property
    def _longest(self) -> str:
        """The name of the field for the longest reply."""
        return "max_completion_tokens" if self._model.startswith(_THINKS_LONGER) else "max_tokens"

    @property
    def _continuing(self) -> Mapping[str, Json]:
        return self.continuation.body or {}

    async def send(self, question: TrialAttempt) -> ReplyOrFailure:
        messages = [_message(message, question.place) for message in question.trial.messages]
        settings = self.sampled(question.trial, question.repeat)
        if question.most_tokens is not None:
            settings = {**settings, self._longest: question.most_tokens}
            settings.pop("response_format", None)
        return await self._posted(messages, settings)

    async def find_continuation(self) -> Continuation:
        """As `ContinuationFinder` has it, from three requests for one token each, which are in no tally."""
        from veridical.ask.clients.continuation import find_continuation

        seconds = ceil(self._policy.attempt_timeout)

        async def one_token(turns: Sequence[dict[str, Json]], fields: Mapping[str, Json]) -> ReplyOrFailure:
            try:
                async with asyncio.timeout(seconds):
                    return await self._posted(turns, {self._longest: 1, **fields, **self._under("extra_body")})
            except Exception as error:  # noqa: BLE001 - as of any request
                return failure_of(error, seconds)

        self.continuation = await find_continuation(one_token, CONTINUE)
        return self.continuation

    async def _posted(self, messages: Sequence[Mapping[str, Json]], settings: Mapping[str, Json]) -> ReplyOrFailure:
        import openai

        from veridical.ask.clients.completion import read_completion

        body = {"model": self._model, "messages": messages, **settings}
        try:
            response = await self._client().post("/chat/completions", body=body, cast_to=httpx2.Response)
        except openai.APIStatusError as error:
            if _is_filtered(error):
                return ModelReply(text="", stop_reason="content_filter", refused=True)
            raise
        except ReplyTooLargeError as error:
            return Failure(kind="too_large", detail=str(error))
        except zlib.error:
            return Failure(kind="not_json", detail="the reply cannot be unpacked")
        return read_completion(response.content)

    async def better_endpoint(self) -> str | None:
        """The base URL with `/v1`, where this one lacks it and an empty question is taken there."""
        import openai

        parts = urlsplit(self.endpoint)
        path = parts.path.rstrip("/")
        if path.endswith("/v1"):
            return None
        url = urlunsplit((parts.scheme, parts.netloc, f"{path}/v1", "", ""))
        body = {"model": self._model, "messages": []}
        try:
            probe = self._client().with_options(base_url=url, timeout=_PROBED)
            await probe.post("/chat/completions", body=body, cast_to=httpx2.Response)
        except openai.APIStatusError as error:
            return None if isinstance(error, openai.NotFoundError) else clean_endpoint(url)
        except (openai.OpenAIError, ReplyTooLargeError, zlib.error):
            return None
        return clean_endpoint(url)

    async def close(self) -> None:
        if self._opened is not None:
            opened, self._opened = self._opened, None
            await opened.close()

    def _client(self) -> AsyncOpenAI:
        if self._opened is not None:
            return self._opened
        import openai

        parts, most = urlsplit(self.endpoint), self._policy.max_connections or steps_of(1)[-1]
        timeout = httpx2.Timeout(self._policy.attempt_timeout)
        self._opened = openai.AsyncOpenAI(
            api_key=self._key,
            base_url=urlunsplit((parts.scheme, parts.netloc, parts.path, "", "")),
            organization=self._arguments.get("organization"),
            project=self._arguments.get("project"),
            default_query=self._under("default_query"),
            default_headers={"Accept-Encoding": "gzip, deflate", **self._under("default_headers")},
            max_retries=0,
            timeout=timeout,
            http_client=openai.DefaultAsyncHttpxClient(
                timeout=timeout,
                limits=httpx2.Limits(max_connections=most, max_keepalive_connections=most),
                verify=_certificates(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")),
                event_hooks={"response": [limit_size]},
            ),
        )
        return self._opened

    def _under(self, name: str) -> dict[str, Any]:
        return dict(self._arguments.get(name) or {})


@lru_cache(maxsize=1)
def _certificates(file: str | None, folder: str | None) -> SSLContext:  # noqa: ARG001 (the context is made of them)
    """What clients trust by the variables with these values, loaded once for all servers, since it takes 30 ms."""
    return httpx2.create_ssl_context()


def response_format(schema: Mapping[str, Json]) -> dict[str, Json]:
    """The field of a request by which such an endpoint holds the reply to a JSON schema."""
    return {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": dict(schema)}}


def key_of(service: str, argument: Json) -> str:
    """The key of a service: the argument, else its environment variable; raises `InputError` if neither is set."""
    variable = f"{service.upper().replace('-', '_')}_API_KEY"
    key = argument if isinstance(argument, str) and argument else os.environ.get(variable)
    if not key:
        raise InputError(f"no key is set: set the variable {variable}, or the argument api_key")
    return key


def endpoint_of(service: str) -> str:
    """The endpoint of a service from its environment variable; raises `InputError` if it is not set."""
    variable = f"{service.upper().replace('-', '_')}_BASE_URL"
    endpoint = os.environ.get(variable)
    if not endpoint:
        raise InputError(f"no endpoint is set: set a base URL, or the variable {variable}")
    return endpoint


def _message(message: Message, place: Place) -> dict[str, Json]:
    if len(message.parts) == 1 and isinstance(message.parts[0], Text):
        return {"role": message.role, "content": message.parts[0].text}
    return {
        "role": message.role,
        "content": [
            {"type": "text", "text": part.text}
            if isinstance(part, Text)
            else {"type": (kind := _URLS[part.kind]), kind: {"url": place(part)}}
            for part in message.parts
        ],
    }


def _is_filtered(error: APIStatusError) -> bool:
    body = error.body if isinstance(error.body, Mapping) else {}
    inner = body.get("innererror")
    codes = (body.get("code"), body.get("type"), inner.get("code") if isinstance(inner, Mapping) else None)
    return 400 <= error.status_code < 500 and any(isinstance(code, str) and code in _FILTERED for code in codes)


class ReplyTooLargeError(Exception):
    """A reply exceeds the maximum size."""


async def limit_size(response: httpx2.Response) -> None:
    """The hook for an HTTP client that limits the unpacked size of replies to `LARGEST`.

    Reading beyond the limit raises `ReplyTooLargeError`.
    """
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "", *_WINDOWS):
        raise ReplyTooLargeError(f"the reply is encoded as {encoding!r}, which was not requested")
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Bounded(response.stream, _WINDOWS.get(encoding))
    for name in ("content-encoding", "content-length"):
        response.headers.pop(name, None)


class _Bounded(httpx2.AsyncByteStream):
    """An unpacked body of limited size."""

    def __init__(self, stream: httpx2.AsyncByteStream, window: int | None) -> None:
        self._stream, self._window, self._left = stream, window, LARGEST

    async def __aiter__(self) -> AsyncIterator[bytes]:
        unpacker = None if self._window is None else zlib.decompressobj(self._window)
        async for chunk in self._stream:
            content = chunk if unpacker is None else unpacker.decompress(chunk, self._left + 1)
            self._left -= len(content)
            if self._left < 0:
                raise ReplyTooLargeError("the reply is too large")
            yield content

    async def aclose(self) -> None:
        await self._stream.aclose()
