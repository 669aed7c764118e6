"""The client for local models, which answer concurrent questions in one batch."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
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
from veridical.records import Json, Trial

if TYPE_CHECKING:
    from veridical.ask.local.engine import Engine

MOST_TOKENS = 2048
"""The maximum number of tokens of a reply if the sampling states none."""

_NOT_TAKEN = ("reasoning_effort", "reasoning_tokens")


class TransformersClient:
    """A `Client` of a vision-language model in this process, which is loaded when the client is made.

    It continues an assistant turn, takes any number of pictures in any place, and answers up to the policy's
    `max_connections` questions together. Replies are greedy unless the temperature is above 0.
    """

    endpoint = None
    takes_clips = False
    instead_of_text = None
    continuation = Continuation(None)

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
        for setting in _NOT_TAKEN:
            if getattr(sampling, setting) not in (None, "none"):
                raise InputError(
                    f"local model '{name.removeprefix(PREFIX)}': it does not support {setting}; leave it out"
                )
        from veridical.ask.local.engine import Batches, engine_of

        self.name = name
        self.engine: Engine = engine_of(name.removeprefix(PREFIX), arguments, key)
        self._batches = Batches(self.engine.replies)
        self._arguments, self._sampling, self._policy, self._schema = arguments, sampling, policy, schema

    def secrets(self) -> tuple[str, ...]:
        return ()

    def facts(self) -> dict[str, Json]:
        return {"model": self.name, LOADED: dict(self.engine.loaded.facts), "args": dict(self._arguments)}

    def sampled(self, trial: Trial, repeat: int) -> dict[str, Json]:  # noqa: ARG002 - the same for every trial
        stated = {**self._sampling.stated(), "max_tokens": self._most}
        return stated if self._sampling.seed is None else {**stated, "seed": seed_of(self._sampling.seed, repeat)}

    async def send(self, question: TrialAttempt) -> ReplyOrFailure:
        if self._schema(question.trial) is not None:
            raise PromptRefused("a local model does not support a JSON schema")
        sampling = self._sampling
        drawing = TokenSampling(
            temperature=sampling.temperature or 0.0,
            top_p=1.0 if sampling.top_p is None else sampling.top_p,
            top_k=sampling.top_k,
            seed=None if sampling.seed is None else seed_of(sampling.seed, question.repeat),
        )
        request = ReplyRequest(LocalPrompt.of(turns_of(question.trial, question.place)), drawing, self._most)
        async with asyncio.timeout(ceil(self._policy.attempt_timeout)):
            return read_reply(await self._batches.reply(request, self._policy.batch), self.engine)

    async def close(self) -> None:
        """Does nothing: the model stays loaded for the next stage."""

    @property
    def _most(self) -> int:
        return self._sampling.max_tokens or MOST_TOKENS


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
    )
