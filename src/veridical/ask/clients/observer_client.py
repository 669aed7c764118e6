"""The clients for embedded observers, which see a trial as turns: one asks them here, one through workers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field

from veridical.ask.clients import Continuation, ModelReply, ReplyOrFailure, TrialAttempt, turns_of
from veridical.ask.failures import Failure
from veridical.base.processes import Crew
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


@dataclass(frozen=True)
class WorkerClient(ObserverClient):
    """The same over an observer that workers ask, a stimulus and repeat at a time, as questions about it come.

    The `crew` maps a stimulus and a repeat to the replies to its trials, by id, as `reply_facts` states them.
    """

    crew: Crew
    _replies: dict[tuple[str, int], Future[Json]] = field(default_factory=dict)

    async def send(self, question: TrialAttempt) -> ReplyOrFailure:
        name, place = question.trial.id, (question.trial.stimulus, question.repeat)
        if place not in self._replies:
            self._replies[place] = self.crew.submit(list(place))
        try:
            # A question that is abandoned does not take the replies to others with it.
            replies = await asyncio.shield(asyncio.wrap_future(self._replies[place]))
        except Exception:
            self._replies.pop(place, None)
            raise
        stated = replies.pop(name)
        if not replies:
            del self._replies[place]
        return reply_of(stated)


def reply_facts(reply: ReplyOrFailure) -> dict[str, Json]:
    """A reply, or a failure, as JSON.

    >>> reply_of(reply_facts(ModelReply(text="yes", stop_reason="stop"))).text
    'yes'
    """
    kind = "reply" if isinstance(reply, ModelReply) else "failure"
    return {kind: {name: value for name, value in asdict(reply).items() if value is not None}}


def reply_of(facts: Mapping[str, Json]) -> ReplyOrFailure:
    """The reply, or the failure, that `reply_facts` states."""
    return ModelReply(**facts["reply"]) if "reply" in facts else Failure(**facts["failure"])
