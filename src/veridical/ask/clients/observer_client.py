"""The client for embedded observers, which see a trial as turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from veridical.ask.clients import Continuation, ModelReply, ReplyOrFailure, TrialAttempt, turns_of
from veridical.records import ChatTurn, Json, Trial

Observe = Callable[[Sequence[ChatTurn], TrialAttempt], str | ReplyOrFailure]
"""Gives the reply to turns. What the question says besides, no observer may see unless its record says so."""


@dataclass(frozen=True)
class ObserverClient:
    """A `Client` over an embedded observer; it takes every trial, and no sampling changes its replies."""

    name: str
    observe: Observe

    endpoint = None
    takes_clips = True
    instead_of_text = None
    continuation = Continuation(None)

    def secrets(self) -> tuple[str, ...]:
        return ()

    def facts(self) -> dict[str, Json]:
        return {"model": self.name}

    def sampled(self, trial: Trial, repeat: int) -> dict[str, Json]:  # noqa: ARG002 - nothing is sampled
        return {}

    async def send(self, question: TrialAttempt) -> ReplyOrFailure:
        await asyncio.sleep(0)  # lets other tasks and signals run, as a call to a server does
        reply = self.observe(turns_of(question.trial, question.place), question)
        return ModelReply(text=reply, stop_reason="stop") if isinstance(reply, str) else reply

    async def close(self) -> None:
        """Does nothing."""
