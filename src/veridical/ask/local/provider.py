"""Local models as an inspect-ai model provider: `veridical-hf/NAME` is asked like any other model, with pictures.

Concurrent requests are gathered and answered in batches.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextvars import Context
from dataclasses import replace
from threading import Lock
from typing import Any

import torch
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.model._reasoning import parse_content_with_reasoning
from inspect_ai.tool import ToolChoice, ToolInfo

from veridical.ask.local.generation import (
    Generator,
    LocalPrompt,
    LocalReply,
    PromptRefused,
    ReplyRequest,
    TokenSampling,
    overflow,
)
from veridical.ask.local.loader import Arguments, LoadedModel, load_model, locate_model, quiet
from veridical.ask.local.reuse import NotCutBackError, Reuse
from veridical.errors import InputError
from veridical.records import Json, canonical

_QUIET = 0.02
Answer = Callable[[Sequence[ReplyRequest], int], Sequence[LocalReply | Exception]]


class Engine:
    """Generates replies; with `reuse`, shared beginnings of prompts are encoded once if the model's cache allows it.

    `encoded` counts the `tokens` and `pictures` of prompts that the model encoded, and the `reused` tokens.
    """

    def __init__(self, loaded: LoadedModel, *, reuse: bool = True) -> None:
        self.loaded, self.encoded = loaded, Counter[str]()
        self._generator, self._lock = Generator(loaded), Lock()
        possible = reuse and Reuse.possible(self._generator)
        self._reuse = Reuse(self._generator, self.encoded) if possible else None

    def replies(self, wanted: Sequence[ReplyRequest], kept: int = 8) -> list[LocalReply | Exception]:
        """The reply to each prompt, generated together; an exception takes the place of a missing reply.

        A batch that fails, for example because it does not fit into the device's memory, is retried in two halves.
        `kept` is the number of prompts to keep.
        """
        with self._lock, quiet(self.loaded.name):
            if self._reuse is not None:
                self._reuse.keeper.most = kept
            return self._halved(wanted)

    def _halved(self, wanted: Sequence[ReplyRequest]) -> list[LocalReply | Exception]:
        try:
            return self._together(wanted)
        except Exception as error:  # noqa: BLE001 - any exception of a model fails the prompts of its batch
            if self._reuse is not None:
                self._reuse.keeper.clear()
            if len(wanted) == 1:
                return [error]
        torch.cuda.empty_cache()
        half = len(wanted) // 2
        return [*self._halved(wanted[:half]), *self._halved(wanted[half:])]

    def _together(self, wanted: Sequence[ReplyRequest]) -> list[LocalReply | Exception]:
        if self._reuse is not None:
            try:
                return self._reuse.replies(wanted)
            except NotCutBackError:
                self._reuse = None
        return self._anew(wanted)

    def _anew(self, wanted: Sequence[ReplyRequest]) -> list[LocalReply | Exception]:
        """Replies to prompts that are encoded in full, in groups that the template and processor accept together."""
        replies: dict[int, LocalReply | Exception] = {}
        kinds: dict[tuple[bool, bool], list[int]] = {}
        for index, each in enumerate(wanted):
            kinds.setdefault((each.prompt.continues, bool(each.prompt.pictures)), []).append(index)
        for indices in kinds.values():
            replies |= zip(indices, self._alike([wanted[index] for index in indices]), strict=True)
        return [replies[index] for index in range(len(wanted))]

    def _alike(self, wanted: Sequence[ReplyRequest]) -> list[LocalReply | Exception]:
        try:
            inputs = self._generator.inputs([each.prompt for each in wanted])
            lengths = inputs["attention_mask"].sum(-1).tolist()
        except (PromptRefused, InputError) as error:
            return [error] if len(wanted) == 1 else self._one_by_one(wanted)
        if any(map(self._generator.too_long, lengths)):
            return [overflow(lengths[0])] if len(wanted) == 1 else self._one_by_one(wanted)
        self.encoded.update(tokens=sum(lengths), pictures=sum(len(each.prompt.pictures) for each in wanted))
        rows, _ = self._generator.generated(inputs, wanted, lengths)
        each_row = zip(rows.tolist(), wanted, lengths, strict=True)
        return [self._generator.written(row, each, length) for row, each, length in each_row]

    def _one_by_one(self, wanted: Sequence[ReplyRequest]) -> list[LocalReply | Exception]:
        return [self._alike([each])[0] for each in wanted]


class Batches:
    """Gathers requests until a batch is full or none has arrived for 20 ms, then answers the batch.

    `answer` is called in a thread, one call at a time, with a batch and the maximum batch size. Requests that are
    abandoned before their batch begins are left out.
    """

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._waiting: list[tuple[ReplyRequest, asyncio.Future[LocalReply]]] = []
        self._came = asyncio.Event()
        self._work: asyncio.Task[None] | None = None

    async def reply(self, wanted: ReplyRequest, most: int) -> LocalReply:
        """The reply, from a batch of at most `most` requests; raises the exception of its answer."""
        future: asyncio.Future[LocalReply] = asyncio.get_running_loop().create_future()
        self._waiting.append((replace(wanted, abandoned=future.cancelled), future))
        if self._work is not None and not self._work.done():
            self._came.set()
        else:
            self._came = asyncio.Event()  # belongs to the running loop
            # In a context of its own, because inspect-ai records all messages in the context of a call.
            self._work = asyncio.get_running_loop().create_task(self._answered(most), context=Context())
        return await future

    async def _answered(self, most: int) -> None:
        while self._waiting:
            await self._gathered(most)
            batch, self._waiting = self._waiting[:most], self._waiting[most:]
            batch = [(wanted, future) for wanted, future in batch if not future.done()]
            if batch:
                await self._put(batch, most)

    async def _gathered(self, most: int) -> None:
        while len(self._waiting) < most:
            self._came.clear()
            try:
                await asyncio.wait_for(self._came.wait(), _QUIET)
            except TimeoutError:
                return

    async def _put(self, batch: Sequence[tuple[ReplyRequest, asyncio.Future[LocalReply]]], most: int) -> None:
        try:
            replies = await asyncio.to_thread(self._answer, [wanted for wanted, _ in batch], most)
        except Exception as error:  # noqa: BLE001 - the waiting callers raise it, and store it as a failed attempt
            replies = [error] * len(batch)
        for (_, future), reply in zip(batch, replies, strict=True):
            if future.done():
                continue
            if isinstance(reply, Exception):
                future.set_exception(reply)
            else:
                future.set_result(reply)


_MOST_TOKENS = 2048
_AT_ONCE = 8
_NOT_TAKEN = (
    *("stop_seqs", "frequency_penalty", "presence_penalty", "logit_bias", "num_choices", "logprobs"),
    *("response_schema", "reasoning_effort", "reasoning_tokens"),
)
_engine: tuple[str, Engine] | None = None


class LocalModel(ModelAPI):
    """A vision-language model in this process; its arguments are those of `place.Arguments`.

    It continues an assistant turn, accepts any number of pictures in any place, and answers concurrent requests in one
    batch of up to `max_connections`. Replies are greedy unless the temperature is above 0. `facts` are stored with a
    run.
    """

    continues_assistant_turn = True

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 (the base class's own default)
        **model_args: Any,  # noqa: ANN401
    ) -> None:
        if base_url is not None:
            raise InputError(f"local model '{model_name}' has no endpoint: leave out the base URL")
        try:
            _require_taken(config)
        except PromptRefused as error:
            raise InputError(f"local model '{model_name}': {error}; leave it out") from None
        super().__init__(model_name, base_url, api_key, [], config)
        self.engine = _engine_of(model_name, model_args, api_key)
        self._batches = Batches(self.engine.replies)

    @property
    def facts(self) -> Mapping[str, Json]:
        """The facts about the loaded model: revision, classes, dtype, device and versions."""
        return self.engine.loaded.facts

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 (the base class's own name)
        tools: list[ToolInfo],
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,
    ) -> ModelOutput:
        if tools:
            raise PromptRefused("it does not support tools")
        _require_taken(config)
        drawing = TokenSampling(
            temperature=config.temperature or 0.0,
            top_p=1.0 if config.top_p is None else config.top_p,
            top_k=config.top_k,
            seed=config.seed,
        )
        wanted = ReplyRequest(LocalPrompt.of(input), drawing, config.max_tokens or _MOST_TOKENS)
        return self._output(await self._batches.reply(wanted, config.max_connections or _AT_ONCE))

    def max_tokens(self) -> int:
        """The default maximum number of tokens of a reply."""
        return _MOST_TOKENS

    def max_connections(self) -> int:
        """The default number of requests that are answered together."""
        return _AT_ONCE

    def _output(self, written: LocalReply) -> ModelOutput:
        encoded = written.prompt - written.reused
        choice = ChatCompletionChoice(message=_message(written.text), stop_reason=written.stop_reason)
        usage = ModelUsage(
            input_tokens=encoded,
            output_tokens=len(written.tokens),
            total_tokens=written.prompt + len(written.tokens),
            input_tokens_cache_read=written.reused,
        )
        return ModelOutput(model=self.engine.loaded.served, choices=[choice], usage=usage)


def _message(text: str) -> ChatMessageAssistant:
    """The reply with its reasoning separated; some templates open the thinking block, so only its end is generated."""
    if "</think>" in text and "<think" not in text:
        text = f"<think>{text}"
    reply, thought = parse_content_with_reasoning(text)
    if thought is None:
        return ChatMessageAssistant(content=text)
    return ChatMessageAssistant(content=[ContentReasoning(reasoning=thought.reasoning), ContentText(text=reply)])


def _require_taken(config: GenerateConfig) -> None:
    for name in _NOT_TAKEN:
        if getattr(config, name, None) not in (None, False, "none"):
            raise PromptRefused(f"a local model does not support {name}")


def _engine_of(name: str, args: Mapping[str, Json], token: str | None) -> Engine:
    """The model, loaded once for all stages of a run; it stays until another one is loaded."""
    global _engine
    key = canonical([name, dict(args), locate_model(name, Arguments.of(args), token).revision])
    if _engine is None or _engine[0] != key:
        _engine = None
        _engine = key, Engine(load_model(name, args, token))
    return _engine[1]
