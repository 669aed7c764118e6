"""The client for inspect-ai's providers and for embedded observers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from veridical.ask.capabilities import (
    EMBEDDED,
    continuation,
    in_place_of_text,
    opens_reply,
    takes_clips,
)
from veridical.ask.chat import chat_messages, counts_of, failure_in, is_refusal, reasoning_of, text_of
from veridical.ask.clients.base import Continuation, Question, Reply, Schema, free_form
from veridical.ask.failures import Failure
from veridical.ask.local import facts_of
from veridical.ask.policy import seed_of
from veridical.ask.redact import clean_endpoint, redactor, without_secrets
from veridical.records import Json, Trial

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, ResponseSchema

_OF_EXECUTION = {"max_retries", "timeout", "attempt_timeout", "max_connections"}


@dataclass(frozen=True)
class InspectClient:
    """A `Client` over inspect-ai's model layer.

    An embedded observer is asked `direct`ly, without inspect-ai's logging and accounting of calls.
    """

    model: Model
    direct: bool = False
    schema: Schema = free_form

    @property
    def name(self) -> str:
        return str(self.model)

    @property
    def endpoint(self) -> str | None:
        endpoint = getattr(self.model.api, "base_url", None)
        return endpoint if isinstance(endpoint, str) else None

    @property
    def takes_clips(self) -> bool:
        return takes_clips(self.model)

    @property
    def instead_of_text(self) -> str | None:
        return in_place_of_text(self.model)

    @property
    def continuation(self) -> Continuation:
        return continuation(self.model)

    def secrets(self) -> tuple[str, ...]:
        keys = [getattr(self.model.api, "api_key", None), self.model.model_args.get("api_key")]
        for name in ("default_headers", "default_query"):
            values = [str(value) for value in (self.model.model_args.get(name) or {}).values()]
            keys += [*values, *(value.split(" ")[-1] for value in values)]
        return tuple(key for key in keys if isinstance(key, str))

    def facts(self) -> dict[str, Json]:
        return {
            "model": self.name,
            **facts_of(self.model),
            "endpoint": None if self.endpoint is None else clean_endpoint(self.endpoint),
            "args": without_secrets(dict(self.model.model_args), redactor()),
            "client": f"inspect-ai {version('inspect-ai')}",
        }

    def sampled(self, trial: Trial, repeat: int) -> dict[str, Json]:
        whole = self.model.config.merge(self._config(trial, repeat)).model_dump(mode="json", exclude_none=True)
        return {name: value for name, value in whole.items() if name not in _OF_EXECUTION}

    async def send(self, question: Question) -> Reply | Failure:
        repeat = question.repeat if question.tells_trial else None
        chat = chat_messages(question.trial, question.place, tells_repeat=repeat)
        config = self._config(question.trial, question.repeat)
        output = await (self._observed(chat, config) if self.direct else self._generated(chat, config))
        return failure_in(output) or self._reply(output)

    async def close(self) -> None:
        """Does nothing: providers keep their connections, because inspect-ai may still hold the model."""

    def _config(self, trial: Trial, repeat: int) -> GenerateConfig:
        from inspect_ai.model import GenerateConfig

        seed, support = self.model.config.seed, self.continuation if opens_reply(trial) else Continuation(None)
        return GenerateConfig(
            max_retries=0,
            seed=None if seed is None else seed_of(seed, repeat),
            extra_body=support.body,
            response_schema=self._response_schema(trial),
        )

    def _response_schema(self, trial: Trial) -> ResponseSchema | None:
        """The schema that a reply is held to, if it is, as inspect-ai has it."""
        if (schema := self.schema(trial)) is None:
            return None
        from inspect_ai.model import ResponseSchema
        from inspect_ai.util import JSONSchema

        return ResponseSchema(name="reply", json_schema=JSONSchema.model_validate(schema), strict=True)

    async def _generated(self, chat: list[ChatMessage], config: GenerateConfig) -> ModelOutput:
        # In a task and context of its own, because inspect-ai records every call, including media, in its context.
        return await asyncio.create_task(self.model.generate(chat, config=config))

    async def _observed(self, chat: list[ChatMessage], config: GenerateConfig) -> ModelOutput:
        await asyncio.sleep(0)  # lets other tasks and signals run, as a call to a server does
        reply = await self.model.api.generate(chat, [], "none", config)
        output = reply[0] if isinstance(reply, tuple) else reply
        if isinstance(output, Exception):
            raise output
        return output

    def _reply(self, output: ModelOutput) -> Reply | Failure:
        choice = output.choices[0]
        if choice.stop_reason == "model_length":
            return Failure(kind="context_overflow", detail="the context length is exceeded")
        return Reply(
            text=text_of(output),
            reasoning=reasoning_of(output),
            stop_reason=choice.stop_reason,
            refused=is_refusal(output),
            served_model=None if self.name.startswith(EMBEDDED) else output.model or None,
            logprobs=None,
            **counts_of(output),
        )
