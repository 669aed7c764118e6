"""One attempt at a trial: requests are sent until one is answered, fails permanently, or reaches a limit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from math import ceil
from random import SystemRandom
from time import monotonic
from typing import NamedTuple

from veridical.ask.clients import Client, Question, Reply
from veridical.ask.clients.logprobs import without_secret_tokens
from veridical.ask.failures import Failure, Kind, failure_of
from veridical.ask.policy import Policy
from veridical.ask.redact import Redact, one_line
from veridical.records import Json, Response

_LONGEST_PAUSE = 60.0
_LONGEST_RETRY_AFTER = 300.0
_random = SystemRandom()


class Ended(NamedTuple):
    """The response of an attempt, and its failure, if any."""

    response: Response
    failure: Failure | None


@dataclass(frozen=True)
class Asker:
    """A model with the policy for asking it, the redaction of its secrets, and the pause between two requests.

    `pause` returns after its seconds whether to continue; if not, the attempt ends with its last failure.
    """

    client: Client
    policy: Policy
    redact: Redact
    pause: Callable[[float], Awaitable[bool]]

    async def attempt(self, question: Question, *, final: frozenset[Kind] = frozenset()) -> Ended:
        """The end of an attempt; kinds of failure in `final` are not retried."""
        requests = 0
        while True:
            requests += 1
            began = monotonic()
            reply = await self._request(question)
            latency = monotonic() - began
            if isinstance(reply, Reply) or not reply.again or reply.kind in final:
                break
            if requests == self.policy.max_requests:
                break
            if not await self.pause(pause(requests, self.policy.backoff, reply.retry_after)):
                break
        facts = self._replied(reply) if isinstance(reply, Reply) else self._failed(reply)
        response = Response(
            trial=question.trial.id,
            repeat=question.repeat,
            attempt=question.attempt,
            requests=requests,
            latency=round(latency, 4),
            ended=now(),
            **facts,
        )
        return Ended(response, None if isinstance(reply, Reply) else reply)

    async def _request(self, question: Question) -> Reply | Failure:
        seconds = ceil(self.policy.attempt_timeout)
        try:
            async with asyncio.timeout(seconds):
                return await self.client.send(question)
        except Exception as error:  # noqa: BLE001 - any exception of a provider is stored as a failed attempt
            return failure_of(error, seconds)

    def _replied(self, reply: Reply) -> dict[str, Json]:
        facts = asdict(reply)
        for name in ("text", "reasoning", "served_model"):
            facts[name] = None if facts[name] is None else self.clean(facts[name])
        facts["logprobs"] = without_secret_tokens(reply.logprobs, self.redact)
        if reply.served_model is not None:
            facts["served_model"] = one_line(facts["served_model"])
        return facts

    def _failed(self, failure: Failure) -> dict[str, Json]:
        return {"error": failure.kind, "detail": one_line(self.redact(failure.detail))}

    def clean(self, text: str) -> str:
        """A text of the model that is safe to write: without secrets and lone surrogates."""
        return self.redact(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def now() -> str:
    """The current time in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def pause(requests: int, backoff: float, retry_after: float) -> float:
    """The seconds to wait after this many requests: the doubled, jittered backoff, or `retry_after` if that is longer.

    >>> pause(1, 0.5, retry_after=7.0), pause(1, 0.5, retry_after=4000.0), pause(30, 0.5, 0.0) <= 60
    (7.0, 300.0, True)
    """
    longest = min(_LONGEST_PAUSE, backoff * 2.0 ** (requests - 1))
    return max(_random.uniform(longest / 2, longest), min(retry_after, _LONGEST_RETRY_AFTER))
