"""One attempt at a trial: requests until one is answered, fails for good, or patience ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil
from random import SystemRandom
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from veridical.ask.chat import counts_of, failure_in, is_refusal, reasoning_of, text_of
from veridical.ask.failures import Failure, Kind, failure_of
from veridical.ask.policy import Policy
from veridical.ask.redact import Redact, one_line
from veridical.records import Json, Response

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput

_LONGEST_PAUSE = 60.0
_LONGEST_ASKED_FOR = 300.0
_random = SystemRandom()


class Ended(NamedTuple):
    """The response of an attempt, and the failure that it ended with, if any."""

    response: Response
    failure: Failure | None


@dataclass(frozen=True)
class Question:
    """One attempt at one repeat of a trial: the messages, and what this repeat is asked with besides the rest."""

    trial: str
    repeat: int
    attempt: int
    chat: Sequence[ChatMessage]
    config: GenerateConfig


@dataclass(frozen=True)
class Asker:
    """A model, the policy by which it is asked, what must not be written of it, and the pause between two requests.

    `pause` says after its seconds whether to go on; where not, an attempt ends with the failure that it has. An
    embedded observer may be asked `direct`ly, without what inspect-ai notes of a call and keeps account of.
    """

    model: Model
    policy: Policy
    redact: Redact
    pause: Callable[[float], Awaitable[bool]]
    direct: bool = False

    async def attempt(self, question: Question, *, final: frozenset[Kind] = frozenset()) -> Ended:
        """The end of an attempt; kinds of failure in `final` are not asked again."""
        requests = 0
        while True:
            requests += 1
            began = monotonic()
            reply = await self._request(question)
            latency = monotonic() - began
            if not isinstance(reply, Failure) or not reply.again or reply.kind in final:
                break
            if requests == self.policy.max_requests:
                break
            if not await self.pause(pause(requests, self.policy.backoff, reply.retry_after)):
                break
        facts = self._failed(reply) if isinstance(reply, Failure) else self._replied(reply)
        response = Response(
            trial=question.trial,
            repeat=question.repeat,
            attempt=question.attempt,
            requests=requests,
            latency=round(latency, 4),
            ended=now(),
            **facts,
        )
        return Ended(response, reply if isinstance(reply, Failure) else None)

    async def _request(self, question: Question) -> ModelOutput | Failure:
        # The client libraries retry on their own, unseen and uncounted; some providers build theirs only when asked.
        client = getattr(self.model.api, "client", None)
        if client is not None and hasattr(client, "max_retries"):
            client.max_retries = 0
        try:
            output = await (self._observed(question) if self.direct else self._generated(question))
        except Exception as error:  # noqa: BLE001 - whatever a provider raises is a failed attempt, and is stored as one
            return failure_of(error, ceil(self.policy.attempt_timeout))
        return failure_in(output) or output

    async def _generated(self, question: Question) -> ModelOutput:
        # In a task, so in a context, of its own: inspect-ai notes every call, media and all, in its context.
        return await asyncio.create_task(self.model.generate(list(question.chat), config=question.config))

    async def _observed(self, question: Question) -> ModelOutput:
        await asyncio.sleep(0)  # others go on, and signals come in, as between the calls that wait for a server
        reply = await self.model.api.generate(list(question.chat), [], "none", question.config)
        output = reply[0] if isinstance(reply, tuple) else reply
        if isinstance(output, Exception):
            raise output
        return output

    def _replied(self, output: ModelOutput) -> dict[str, Json]:
        choice = output.choices[0]
        overflow = choice.stop_reason == "model_length"
        reasoning = reasoning_of(output)
        return {
            "text": self.clean(text_of(output)),
            "reasoning": None if reasoning is None else self.clean(reasoning),
            "stop_reason": choice.stop_reason,
            "refused": is_refusal(output),
            "error": "context_overflow" if overflow else None,
            "detail": "the context length is exceeded" if overflow else None,
            "served_model": one_line(self.clean(output.model)) or None,
            **counts_of(output),
        }

    def _failed(self, failure: Failure) -> dict[str, Json]:
        return {"error": failure.kind, "detail": one_line(self.redact(failure.detail))}

    def clean(self, text: str) -> str:
        """A text of the model's as it may be written: no secrets, no halves of characters."""
        return self.redact(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def now() -> str:
    """The time, in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def pause(requests: int, backoff: float, asked_for: float) -> float:
    """The seconds to wait after so many requests: the doubled, jittered backoff, or what the server asks for if longer.

    >>> pause(1, 0.5, asked_for=7.0), pause(1, 0.5, asked_for=4000.0), pause(30, 0.5, 0.0) <= 60
    (7.0, 300.0, True)
    """
    longest = min(_LONGEST_PAUSE, backoff * 2.0 ** (requests - 1))
    return max(_random.uniform(longest / 2, longest), min(asked_for, _LONGEST_ASKED_FOR))
