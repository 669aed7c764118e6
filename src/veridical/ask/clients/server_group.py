"""The client for one model that several servers serve, all asked in the same way."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from veridical.ask.clients import Continuation, ReplyOrFailure, TrialAttempt
from veridical.ask.clients.openai_client import OpenAIClient
from veridical.ask.redact import secrets_in_url
from veridical.records import Json, Trial


class ServerGroup:
    """A `Client` over the `clients` of one model, one for each of its servers; the first speaks for all.

    `ask` sends to the servers in turn (see `ServerPool`); a question that is sent here goes to the first one.
    """

    instead_of_text = None

    def __init__(self, clients: Sequence[OpenAIClient]) -> None:
        self.clients = tuple(clients)
        first = self.clients[0]
        self.name, self.endpoint, self.takes_clips = first.name, first.endpoint, first.takes_clips

    @property
    def continuation(self) -> Continuation:
        return self.clients[0].continuation

    def secrets(self) -> tuple[str, ...]:
        return tuple(
            secret for each in self.clients for secret in (*each.secrets(), *sorted(secrets_in_url(each.endpoint)))
        )

    def facts(self) -> dict[str, Json]:
        return self.clients[0].facts()

    def sampled(self, trial: Trial, repeat: int) -> dict[str, Json]:
        return self.clients[0].sampled(trial, repeat)

    async def send(self, question: TrialAttempt) -> ReplyOrFailure:
        return await self.clients[0].send(question)

    async def find_continuation(self) -> Continuation:
        """As `ContinuationFinder` has it, of every server; one that cannot continue a turn speaks for all."""
        every = await asyncio.gather(*(each.find_continuation() for each in self.clients))
        return next((each for each in every if each.problem is not None), every[0])

    async def close(self) -> None:
        await asyncio.gather(*(each.close() for each in self.clients))
