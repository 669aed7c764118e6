"""Sending one trial: its messages, its sampling settings, and the cache that may have the reply."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from functools import cached_property

from veridical.ask.attempt import Asker, Ended, now
from veridical.ask.cache import ReplyCache, cache_key
from veridical.ask.clients import Question
from veridical.ask.failures import Kind
from veridical.ask.pending import Pending, Shown
from veridical.records import Json, Response


class Sender:
    """Sends trials to a model, or takes their replies from a cache.

    Trials in `fresh` are not looked up. `tells_trial` passes the trial's id to an embedded observer that sees trials.
    """

    def __init__(
        self,
        asker: Asker,
        cache: ReplyCache | None,
        fresh: Set[tuple[str, int]] = frozenset(),
        *,
        tells_trial: bool = False,
    ) -> None:
        self.asker = asker
        self._cache, self._fresh, self._tells_trial = cache, fresh, tells_trial

    async def put(self, item: Pending, shown: Shown, *, final: frozenset[Kind] = frozenset()) -> Ended:
        """The end of the attempt at an item; kinds of failure in `final` are not retried."""
        await shown.read(item.trial)
        key = self._key(item, shown) if self._cache else None
        if self._cache and key and (item.trial.id, item.repeat) not in self._fresh:
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
        return replace(
            kept,
            trial=item.trial.id,
            repeat=item.repeat,
            attempt=item.attempt,
            text=clean(kept.text),
            reasoning=None if kept.reasoning is None else clean(kept.reasoning),
            ended=now(),
        )
