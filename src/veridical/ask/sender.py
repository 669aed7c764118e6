"""One trial on its way: its messages, what its repeat is asked with, and the cache that may know the reply."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from veridical.ask.attempt import Asker, Ended, Question, now
from veridical.ask.cache import ReplyCache, cache_key, model_facts
from veridical.ask.capabilities import opens_reply
from veridical.ask.chat import chat_messages
from veridical.ask.failures import Kind
from veridical.ask.pending import Pending, Shown
from veridical.ask.policy import seed_of
from veridical.records import Json, Response

if TYPE_CHECKING:
    from inspect_ai.model import GenerateConfig


class Sender:
    """Puts trials to a model, or finds their replies in a cache.

    `body` is what the server must be told to continue an assistant's turn; what is in `fresh` is not looked up. An
    embedded observer that sees trials is told which it is asked (`tells_trial`).
    """

    def __init__(
        self,
        asker: Asker,
        cache: ReplyCache | None,
        body: Mapping[str, Json] | None,
        fresh: Set[tuple[str, int]] = frozenset(),
        *,
        tells_trial: bool = False,
    ) -> None:
        self.asker = asker
        self._cache, self._body, self._fresh, self._tells_trial = cache, body, fresh, tells_trial

    async def put(self, item: Pending, shown: Shown, *, final: frozenset[Kind] = frozenset()) -> Ended:
        """The end of the attempt at an item; kinds of failure in `final` are not asked again."""
        config = self._config(item)
        await shown.read(item.trial)
        key = self._key(item, shown, config) if self._cache else None
        if self._cache and key and (item.trial.id, item.repeat) not in self._fresh:
            kept = self._cache.get(key)
            if kept:
                return Ended(self._from_cache(item, kept), None)
        chat = chat_messages(item.trial, shown.url, tells_repeat=item.repeat if self._tells_trial else None)
        question = Question(item.trial.id, item.repeat, item.attempt, chat, config)
        ended = await self.asker.attempt(question, final=final)
        if self._cache and key:
            self._cache.put(key, ended.response)
        return ended

    @cached_property
    def _facts(self) -> dict[str, Json]:
        return model_facts(self.asker.model)

    def _config(self, item: Pending) -> GenerateConfig:
        from inspect_ai.model import GenerateConfig

        seed = self.asker.model.config.seed
        return GenerateConfig(
            seed=None if seed is None else seed_of(seed, item.repeat),
            extra_body=dict(self._body) if self._body and opens_reply(item.trial) else None,
        )

    def _key(self, item: Pending, shown: Shown, config: GenerateConfig) -> str:
        whole = self.asker.model.config.merge(config)
        return cache_key(self._facts, whole, item.trial.messages, shown.hash, item.repeat)

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
