"""One attempt at a trial: what is sent, until a request is answered, fails permanently, or reaches a limit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence, Set
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from functools import cached_property
from math import ceil
from time import monotonic
from typing import NamedTuple

from veridical.ask.answer_logprobs import FORCED_TOKENS, AnswerLogprobs, begun_answer
from veridical.ask.cache import ReplyCache, cache_key, is_worth_keeping
from veridical.ask.clients import Client, ModelReply, ReplyOrFailure, TrialAttempt
from veridical.ask.clients.completion import without_secret_tokens
from veridical.ask.failures import Failure, Kind, failure_of
from veridical.ask.pending_trials import GroupMedia, PendingTrial
from veridical.ask.policy import Policy, pause
from veridical.ask.redact import Redact, one_line
from veridical.ask.servers import NOT_SENT, Server, ServerPool
from veridical.records import Json, Message, Response, Trial

_REPLIED = tuple(each.name for each in fields(ModelReply))

SharedReplies = dict[tuple[tuple[Message, ...], int], Response]
"""Replies by the messages of a trial, and by repeat."""


class AttemptEnd(NamedTuple):
    """The response of an attempt, and its failure, if any."""

    response: Response
    failure: Failure | None

    @property
    def unsent(self) -> bool:
        """Whether asking stopped before any request was sent."""
        return self.failure is not None and not self.response.requests


class _Sent(NamedTuple):
    """What requests for one reply came to, with the seconds of the last one and the number of its server."""

    reply: ReplyOrFailure
    requests: int
    latency: float
    server: int | None


def _nobody(_: str) -> None:
    """Takes a line that nobody waits for."""


@dataclass(frozen=True)
class Asker:
    """A model with the policy for asking it, the redaction of its secrets, and the pause between two requests.

    `pause` returns after its seconds whether to continue; if not, the attempt ends with its last failure. `failed` is
    told of each request that fails and is not sent to another server at once. `stop` ends asking, and `tell` shows a
    line, where the model has several servers. `answers` keeps of the log probabilities those of the answer.
    """

    client: Client
    policy: Policy
    redact: Redact
    pause: Callable[[float], Awaitable[bool]]
    failed: Callable[[Kind], None]
    stop: Callable[[str], None] = _nobody
    tell: Callable[[str], None] = _nobody
    answers: AnswerLogprobs | None = None

    @cached_property
    def servers(self) -> ServerPool:
        """The servers of the model."""
        return ServerPool(self.client, self.policy, self.redact, self.pause, stop=self.stop, tell=self.tell)

    async def attempt(self, question: TrialAttempt, *, final: frozenset[Kind] = frozenset()) -> AttemptEnd:
        """The end of an attempt; kinds of failure in `final` are not retried."""
        sent = await self._sent(question, final)
        response = Response(
            trial=question.trial.id,
            repeat=question.repeat,
            attempt=question.attempt,
            requests=sent.requests,
            latency=round(sent.latency, 4),
            ended=utc_now(),
            server=sent.server,
            **self._facts(sent.reply),
        )
        if not isinstance(sent.reply, ModelReply):
            return AttemptEnd(response, sent.reply)
        if self.answers is None:
            return AttemptEnd(response, None)
        kept, lead = self.answers.kept(response, question.trial)
        if lead is not None and await self.answers.can_force():
            kept = await self._forced(self.answers, kept, question, lead)
        return AttemptEnd(kept, None)

    async def _forced(self, answers: AnswerLogprobs, response: Response, question: TrialAttempt, lead: str) -> Response:
        """The response with the probabilities of the answer without reasons, from requests of their own."""
        begun = replace(question, trial=begun_answer(question.trial, lead), most_tokens=FORCED_TOKENS)
        reply, requests, _, _ = await self._sent(begun, frozenset())
        tokens = without_secret_tokens(reply.logprobs, self.redact) if isinstance(reply, ModelReply) else None
        return answers.forced(response, question.trial, lead, requests, reply, tokens)

    async def _sent(self, question: TrialAttempt, final: frozenset[Kind]) -> _Sent:
        """What a question results in, after retries.

        A request that fails at one of several servers is sent to each other one before there is a pause.
        """
        requests, rounds, latency, failed = 0, 0, 0.0, set[Server]()
        reply: ReplyOrFailure = NOT_SENT
        number: int | None = None
        while (server := await self.servers.take(question.trial.stimulus, failed)) is not None:
            requests += 1
            began = monotonic()
            reply = await self._request(server.client, question)
            latency, number = monotonic() - began, server.number
            self.servers.ended(server, reply, question.trial)
            if isinstance(reply, ModelReply):
                break
            if self.servers.elsewhere(server, reply, failed):
                continue
            self.failed(reply.kind)
            rounds += 1
            if not reply.again or reply.kind in final or rounds == self.policy.max_requests:
                break
            failed.clear()
            if not await self.pause(pause(rounds, self.policy.backoff, self.servers.retry_after(reply))):
                break
        return _Sent(reply, requests, latency, number)

    async def _request(self, client: Client, question: TrialAttempt) -> ReplyOrFailure:
        seconds = ceil(self.policy.attempt_timeout)
        try:
            async with asyncio.timeout(seconds):
                return await client.send(question)
        except Exception as error:  # noqa: BLE001 - any exception of a provider is stored as a failed attempt
            return failure_of(error, seconds)

    def _facts(self, reply: ReplyOrFailure) -> dict[str, Json]:
        if isinstance(reply, ModelReply):
            return self._replied(reply)
        detail = reply.detail if reply.size is None else f"{reply.detail}: the server {reply.size.takes}"
        return {"error": reply.kind, "detail": one_line(self.redact(detail))}

    def _replied(self, reply: ModelReply) -> dict[str, Json]:
        facts: dict[str, Json] = {name: getattr(reply, name) for name in _REPLIED}
        for name in ("text", "reasoning", "served_model"):
            facts[name] = None if facts[name] is None else self.clean(facts[name])
        facts["logprobs"] = without_secret_tokens(reply.logprobs, self.redact)
        if reply.served_model is not None:
            facts["served_model"] = one_line(facts["served_model"])
        return facts

    def clean(self, text: str) -> str:
        """A text of the model that is safe to write: without secrets and lone surrogates."""
        return self.redact(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def utc_now() -> str:
    """The current time in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def shared_replies(
    trials: Sequence[Trial], earlier: Mapping[tuple[str, int], Response], fresh: Set[tuple[str, int]]
) -> SharedReplies:
    """The replies of earlier starts that other trials with the same messages may take, less those in `fresh`."""
    messages = {trial.id: trial.messages for trial in trials}
    return {
        (messages[name], repeat): response
        for (name, repeat), response in earlier.items()
        if name in messages and (name, repeat) not in fresh and is_worth_keeping(response)
    }


class Sender:
    """Sends trials to a model, or takes their replies from a cache.

    Trials in `fresh` are not looked up. `tells_trial` passes the trial's id to an embedded observer that sees trials.
    `shared` has replies by messages and repeat: a trial with the same messages takes the reply, and new ones are added;
    `None` sends every trial.
    """

    def __init__(
        self,
        asker: Asker,
        cache: ReplyCache | None,
        fresh: Set[tuple[str, int]] = frozenset(),
        *,
        tells_trial: bool = False,
        shared: SharedReplies | None = None,
    ) -> None:
        self.asker = asker
        self._cache, self._fresh, self._tells_trial, self._shared = cache, fresh, tells_trial, shared

    def shares(self, item: PendingTrial) -> Response | None:
        """The reply to another trial with the same messages, if there is one."""
        return self._shared.get((item.trial.messages, item.repeat)) if self._shared else None

    async def put(
        self, item: PendingTrial, shown: GroupMedia, *, final: frozenset[Kind] = frozenset(), fresh: bool = False
    ) -> AttemptEnd:
        """The end of the attempt at an item; kinds of failure in `final` are not retried, `fresh` asks in any case."""
        taken = None if fresh else self.shares(item)
        if taken is not None:
            return AttemptEnd(self._from_cache(item, taken), None)
        ended = await self._put(item, shown, final, fresh=fresh)
        if self._shared is not None and is_worth_keeping(ended.response):
            self._shared[item.trial.messages, item.repeat] = ended.response
        return ended

    async def _put(self, item: PendingTrial, shown: GroupMedia, final: frozenset[Kind], *, fresh: bool) -> AttemptEnd:
        await shown.read(item.trial)
        key = None
        if self._cache:
            sampled = self.asker.client.sampled(item.trial, item.repeat)
            sampled |= {"forced_answer": True} if self.asker.policy.forced_answer else {}
            key = cache_key(self._facts, sampled, item.trial.messages, shown.hash, item.repeat)
        if self._cache and key and not fresh and (item.trial.id, item.repeat) not in self._fresh:
            kept = self._cache.get(key)
            if kept:
                return AttemptEnd(self._from_cache(item, kept), None)
        question = TrialAttempt(
            trial=item.trial, repeat=item.repeat, attempt=item.attempt, place=shown.url, tells_trial=self._tells_trial
        )
        ended = await self.asker.attempt(question, final=final)
        if self._cache and key:
            self._cache.put(key, ended.response)
        return ended

    @cached_property
    def _facts(self) -> dict[str, Json]:
        return self.asker.client.facts()

    def _from_cache(self, item: PendingTrial, kept: Response) -> Response:
        clean = self.asker.clean
        return Response(
            trial=item.trial.id,
            repeat=item.repeat,
            attempt=item.attempt,
            requests=0,
            stop_reason=kept.stop_reason,
            input_tokens=0,
            output_tokens=0,
            served_model=kept.served_model,
            cached=True,
            text=clean(kept.text),
            reasoning=None if kept.reasoning is None else clean(kept.reasoning),
            logprobs=kept.logprobs,
            ended=utc_now(),
        )
