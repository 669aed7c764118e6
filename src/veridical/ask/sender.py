"""Sending one trial: its messages, its sampling settings, and the cache that may have the reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import cached_property

from veridical.ask.attempt import Asker, Ended, now
from veridical.ask.cache import ReplyCache, cache_key, is_worth_keeping
from veridical.ask.clients import Question
from veridical.ask.failures import Kind
from veridical.ask.pending import Pending, Shown
from veridical.records import Json, Message, Response, Trial

SharedReplies = dict[tuple[tuple[Message, ...], int], Response]
"""Replies by the messages of a trial, and by repeat."""


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

    def shares(self, item: Pending) -> Response | None:
        """The reply to another trial with the same messages, if there is one."""
        return self._shared.get((item.trial.messages, item.repeat)) if self._shared else None

    async def put(
        self, item: Pending, shown: Shown, *, final: frozenset[Kind] = frozenset(), fresh: bool = False
    ) -> Ended:
        """The end of the attempt at an item; kinds of failure in `final` are not retried, `fresh` asks in any case."""
        taken = None if fresh else self.shares(item)
        if taken is not None:
            return Ended(self._from_cache(item, taken), None)
        ended = await self._put(item, shown, final, fresh=fresh)
        if self._shared is not None and is_worth_keeping(ended.response):
            self._shared[item.trial.messages, item.repeat] = ended.response
        return ended

    async def _put(self, item: Pending, shown: Shown, final: frozenset[Kind], *, fresh: bool) -> Ended:
        await shown.read(item.trial)
        key = self._key(item, shown) if self._cache else None
        if self._cache and key and not fresh and (item.trial.id, item.repeat) not in self._fresh:
            kept = self._cache.get(key)
            if kept:
                return Ended(self._from_cache(item, kept), None)
        question = Question(
            trial=item.trial,
            repeat=item.repeat,
            attempt=item.attempt,
            place=shown.url,
            tells_trial=self._tells_trial,
        )
        ended = await self.asker.attempt(question, final=final)
        if self._cache and key:
            self._cache.put(key, ended.response)
        return ended

    @cached_property
    def _facts(self) -> dict[str, Json]:
        return self.asker.client.facts()

    def _key(self, item: Pending, shown: Shown) -> str:
        sampled = self.asker.client.sampled(item.trial, item.repeat)
        return cache_key(self._facts, sampled, item.trial.messages, shown.hash, item.repeat)

    def _from_cache(self, item: Pending, kept: Response) -> Response:
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
            ended=now(),
        )
