"""The clients for local models, which answer concurrent questions in one batch."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING

from veridical.ask.clients import Continuation, ModelReply, ReplyOrFailure, Schema, TrialAttempt, free_form, turns_of
from veridical.ask.failures import CONTEXT_OVERFLOW
from veridical.ask.local import LOADED, PREFIX
from veridical.ask.local.requests import (
    LocalPrompt,
    LocalReply,
    PromptRefused,
    ReplyRequest,
    TokenSampling,
    apart_from_reasoning,
)
from veridical.ask.policy import Policy, Sampling, seed_of
from veridical.errors import InputError
from veridical.records import ChatTurn, Json, Trial

if TYPE_CHECKING:
    from veridical.ask.local.engine import Engine

MOST_TOKENS = 2048
"""The maximum number of tokens of a reply if the sampling states none."""

_NOT_TAKEN = ("reasoning_effort", "reasoning_tokens")


class LocalClient(ABC):
    """A `Client` of a vision-language model that this library loads, wherever it is loaded.

    It continues an assistant turn, and takes any number of pictures in any place.
    """

    endpoint = None
    takes_clips = False
    instead_of_text = None
    continuation = Continuation(None)

    def __init__(
        self, name: str, arguments: Mapping[str, Json], sampling: Sampling, schema: Schema, tops: int | None = None
    ) -> None:
        for setting in _NOT_TAKEN:
            if getattr(sampling, setting) not in (None, "none"):
                raise InputError(
                    f"local model '{name.removeprefix(PREFIX)}': it does not support {setting}; leave it out"
                )
        self.name = name
        self._arguments, self._sampling, self._schema, self._tops = arguments, sampling, schema, tops

    @property
    @abstractmethod
    def loaded(self) -> Mapping[str, Json]:
        """Facts about the loaded weights."""

    @abstractmethod
    async def reply(self, turns: Sequence[ChatTurn], repeat: int, most: int | None = None) -> ReplyOrFailure:
        """The reply to turns, of at most so many tokens (default: as sampled)."""

    def secrets(self) -> tuple[str, ...]:
        return ()

    def facts(self) -> dict[str, Json]:
        return {"model": self.name, LOADED: dict(self.loaded), "args": dict(self._arguments)}

    def sampled(self, trial: Trial, repeat: int) -> dict[str, Json]:  # noqa: ARG002 - the same for every trial
        stated = {**self._sampling.stated(), "max_tokens": self._most}
        stated |= {} if self._tops is None else {"top_logprobs": self._tops}
        return stated if self._sampling.seed is None else {**stated, "seed": seed_of(self._sampling.seed, repeat)}

    async def send(self, question: TrialAttempt) -> ReplyOrFailure:
        if self._schema(question.trial) is not None:
            raise PromptRefused("a local model does not support a JSON schema")
        return await self.reply(turns_of(question.trial, question.place), question.repeat, question.most_tokens)

    async def close(self) -> None:  # noqa: B027 - there is nothing to close
        """Does nothing: the model stays loaded."""

    @property
    def _most(self) -> int:
        return self._sampling.max_tokens or MOST_TOKENS


class TransformersClient(LocalClient):
    """The client of a local model in this process, which is loaded when the client is made, for all stages.

    It answers up to the policy's `max_connections` questions together. Replies are greedy unless the temperature is
    above 0.
    """

    def __init__(
        self,
        name: str,
        arguments: Mapping[str, Json],
        *,
        sampling: Sampling,
        policy: Policy,
        key: str | None = None,
        schema: Schema = free_form,
    ) -> None:
        super().__init__(name, arguments, sampling, schema, policy.tops)
        from veridical.ask.local.engine import Batches, engine_of

        self.engine: Engine = engine_of(name.removeprefix(PREFIX), arguments, key)
        self._batches, self._policy = Batches(self.engine.replies), policy

    @property
    def loaded(self) -> Mapping[str, Json]:
        return self.engine.loaded.facts

    async def reply(self, turns: Sequence[ChatTurn], repeat: int, most: int | None = None) -> ReplyOrFailure:
        sampling = self._sampling
        drawing = TokenSampling(
            temperature=sampling.temperature or 0.0,
            top_p=1.0 if sampling.top_p is None else sampling.top_p,
            top_k=sampling.top_k,
            seed=None if sampling.seed is None else seed_of(sampling.seed, repeat),
        )
        request = ReplyRequest(LocalPrompt.of(turns), drawing, most or self._most, tops=self._tops)
        async with asyncio.timeout(ceil(self._policy.attempt_timeout)):
            return read_reply(await self._batches.reply(request, self._policy.batch), self.engine)


def read_reply(written: LocalReply, engine: Engine) -> ReplyOrFailure:
    """A local model's reply, with its reasoning apart and all tokens of the prompt counted."""
    if written.stop_reason == "model_length":
        return CONTEXT_OVERFLOW
    text, reasoning = apart_from_reasoning(written.text)
    return ModelReply(
        text=text,
        reasoning=reasoning or None,
        stop_reason=written.stop_reason,
        served_model=engine.loaded.served,
        input_tokens=written.prompt,
        output_tokens=len(written.tokens),
        cached_tokens=written.reused,
        logprobs=written.logprobs,
    )
