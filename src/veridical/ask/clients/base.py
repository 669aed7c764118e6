"""What the loop knows of a model: how it is called, what it can do, and how it is sent one question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from veridical.ask.capabilities import Continuation
from veridical.ask.failures import Failure
from veridical.records import Json, Media, Trial

Place = Callable[[Media], str]
"""Gives a medium as a data URL."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """One attempt at one repeat of a trial.

    With `tells_trial` the trial's id and the repeat travel beside the messages, to an embedded observer that looks up
    what it replies; nobody else is told.
    """

    trial: Trial
    repeat: int
    attempt: int
    place: Place
    tells_trial: bool = False


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What a model replied to one request, as it came: nothing in it is redacted, no text is anybody else's.

    `served_model` is the name of the model that the server says it asked. Counts of tokens are `None` where it gives
    none; `input_tokens` include those that were read from a cache, or written to one. `logprobs` are there where they
    were asked for and the server gives them, as `token_logprobs` has them.
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


class Client(Protocol):
    """A model, ready to be asked. What a request came to is a reply or a failure; whatever is raised is a failure too.

    `endpoint` may hold secrets. `facts` and `sampled` are what a cache must know: what tells this model from another,
    and what it is asked with in a repeat.
    """

    @property
    def name(self) -> str:
        """The model's name, with its provider's."""

    @property
    def endpoint(self) -> str | None:
        """Where it is asked, if that is known."""

    @property
    def takes_clips(self) -> bool:
        """Whether it is shown a clip as it is."""

    @property
    def instead_of_text(self) -> str | None:
        """What to ask in its place, where it takes text alone; `None` where it takes pictures."""

    @property
    def continuation(self) -> Continuation:
        """Whether and how it continues an assistant's turn."""

    def secrets(self) -> tuple[str, ...]:
        """What it was opened with that nobody else may read."""

    def facts(self) -> dict[str, Json]:
        """Name, endpoint, arguments, and the layer that asks it, without secrets."""

    def sampled(self, trial: Trial, repeat: int) -> dict[str, Json]:
        """What a repeat of a trial is asked with besides its messages."""

    async def send(self, question: Question) -> Reply | Failure:
        """One request, and what came of it."""

    async def close(self) -> None:
        """Lets connections go; the next question opens new ones."""
