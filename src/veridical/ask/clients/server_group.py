"""The client for one model that several servers or copies serve, all asked in the same way."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from veridical.ask.clients import Client, Continuation, ReplyOrFailure, TrialAttempt
from veridical.ask.clients.openai_client import OpenAIClient
from veridical.ask.redact import secrets_in_url
from veridical.records import Json, Trial

C = TypeVar("C", bound=Client)


class ClientGroup(Generic[C]):
    """A `Client` over the `clients` of one model; the first speaks for all.

    `ask` sends to each of them in turn (see `ServerPool`); a question that is sent here goes to the first one. In
    `lost_after`, a kind of failure has the number in a row from which on a client is passed over, if it has its own.
    """

    instead_of_text = None
    lost_after: Mapping[str, int] = {}

    def __init__(self, clients: Sequence[C]) -> None:
        self.clients = tuple(clients)
        first = self.clients[0]
        self.name, self.endpoint, self.takes_clips = first.name, first.endpoint, first.takes_clips

    @property
    def continuation(self) -> Continuation:
        return self.clients[0].continuation

    def secrets(self) -> tuple[str, ...]:
        return tuple(
            secret
            for each in self.clients
            for secret in (*each.secrets(), *sorted(secrets_in_url(each.endpoint) if each.endpoint else ()))
        )

    def facts(self) -> dict[str, Json]:
        return self.clients[0].facts()

    def sampled(self, trial: Trial, repeat: int) -> dict[str, Json]:
        return self.clients[0].sampled(trial, repeat)

    async def send(self, question: TrialAttempt) -> ReplyOrFailure:
        return await self.clients[0].send(question)

    async def close(self) -> None:
        await asyncio.gather(*(each.close() for each in self.clients))


class ServerGroup(ClientGroup[OpenAIClient]):
    """The clients of a model's servers."""

    async def find_continuation(self) -> Continuation:
        """As `ContinuationFinder` has it, of every server; one that cannot continue a turn speaks for all."""
        every = await asyncio.gather(*(each.find_continuation() for each in self.clients))
        return next((each for each in every if each.problem is not None), every[0])
