"""The interface between the loop and a model: its name, its capabilities, and sending one question."""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

from veridical.ask.failures import Failure
from veridical.records import ChatTurn, Json, Media, Text, Trial

Place = Callable[[Media], str]
"""Gives a medium as a data URL."""

Schema = Callable[[Trial], Mapping[str, Json] | None]
"""Gives the JSON schema that the provider is to hold the reply to a trial to; `None` leaves the reply free."""


def free_form(trial: Trial) -> None:
    """Leaves every reply free."""


class Continuation(NamedTuple):
    """How a model continues an assistant turn: why it cannot (else `None`), and the request fields that it needs."""

    problem: str | None
    body: dict[str, Json] | None = None


@dataclass(frozen=True, kw_only=True)
class TrialAttempt:
    """One attempt at one repeat of a trial.

    With `tells_trial` the trial's id, the `opaque` one of its exports, and the repeat accompany the messages, for an
    embedded observer that looks up its replies; no other model receives them. `most_tokens` limits the reply in place
    of the sampling, and leaves it free of a schema.
    """

    trial: Trial
    repeat: int
    attempt: int
    place: Place
    tells_trial: bool = False
    opaque: str | None = None
    most_tokens: int | None = None


@dataclass(frozen=True, kw_only=True)
class ModelReply:
    """A model's raw reply to one request: nothing in it is redacted, and all text is the model's own.

    `served_model` is the model name that the server reports. Token counts are `None` if the server reports none;
    `input_tokens` include tokens read from or written to a cache. `logprobs`, in the form of `token_logprobs`, are
    present if the request asked for them and the server returned them.
    """

    text: str
    reasoning: str | None = None
    stop_reason: str | None = None
    refused: bool = False
    served_model: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    logprobs: list[Json] | None = None


ReplyOrFailure = ModelReply | Failure
"""What a request results in."""


def turns_of(trial: Trial, place: Place) -> tuple[ChatTurn, ...]:
    """The messages of a trial as turns, for a model in this process."""
    return tuple(
        ChatTurn(
            message.role,
            tuple(part.text if isinstance(part, Text) else content_in(place(part)) for part in message.parts),
        )
        for message in trial.messages
    )


def content_in(url: str) -> bytes:
    """The bytes in a data URL of a picture or clip; none in anything else.

    >>> content_in("data:image/png;base64,iVBORw=="), content_in("/etc/hostname")
    (b'\\x89PNG', b'')
    """
    head, separator, encoded = url.partition(";base64,")
    if not separator or not head.startswith("data:"):
        return b""
    try:
        return b64decode(encoded, validate=True)
    except binascii.Error:
        return b""


class Client(Protocol):
    """A model, ready to be asked. A request results in a reply or a failure; any exception is a failure too.

    `endpoint` may contain secrets. `facts` and `sampled` are parts of a cache key: they identify the model, and the
    sampling settings of a repeat.
    """

    @property
    def name(self) -> str:
        """The model's name, including its provider."""

    @property
    def endpoint(self) -> str | None:
        """The endpoint, if it is known."""

    @property
    def takes_clips(self) -> bool:
        """Whether it accepts whole clips."""

    @property
    def instead_of_text(self) -> str | None:
        """The alternative to use if it accepts only text; `None` if it accepts pictures."""

    @property
    def continuation(self) -> Continuation:
        """Whether and how it continues an assistant turn."""

    def secrets(self) -> tuple[str, ...]:
        """The secrets that it was opened with."""

    def facts(self) -> dict[str, Json]:
        """Name, endpoint, arguments and client library, without secrets."""

    def sampled(self, trial: Trial, repeat: int) -> dict[str, Json]:
        """The request fields of a repeat of a trial besides its messages."""

    async def send(self, question: TrialAttempt) -> ReplyOrFailure:
        """Sends one request and returns its result."""

    async def close(self) -> None:
        """Closes connections; the next question opens new ones."""


@runtime_checkable
class EndpointFinder(Protocol):
    """A client that can find out where else its server answers."""

    async def better_endpoint(self) -> str | None:
        """The endpoint at which the server takes questions, if that is not the client's own."""


@runtime_checkable
class ContinuationFinder(Protocol):
    """A client that has to ask its server whether it continues an assistant turn."""

    async def find_continuation(self) -> Continuation:
        """Whether and how the server continues an assistant turn, which the client does from then on."""
