"""Local models as an inspect-ai model provider: `veridical-hf/NAME` is asked like any other model, with pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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

from veridical.ask.local.engine import Batches, Engine
from veridical.ask.local.generation import Drawing, Prompt, PromptRefused, Wanted, Written
from veridical.ask.local.loading import Arguments, load_model, locate_model
from veridical.errors import InputError
from veridical.records import Json, canonical

_MOST_TOKENS = 2048
_AT_ONCE = 8
_NOT_TAKEN = (
    "stop_seqs",
    "frequency_penalty",
    "presence_penalty",
    "logit_bias",
    "num_choices",
    "logprobs",
    "response_schema",
    "reasoning_effort",
    "reasoning_tokens",
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
        drawing = Drawing(
            temperature=config.temperature or 0.0,
            top_p=1.0 if config.top_p is None else config.top_p,
            top_k=config.top_k,
            seed=config.seed,
        )
        wanted = Wanted(Prompt.of(input), drawing, config.max_tokens or _MOST_TOKENS)
        return self._output(await self._batches.reply(wanted, config.max_connections or _AT_ONCE))

    def max_tokens(self) -> int:
        """The default maximum number of tokens of a reply."""
        return _MOST_TOKENS

    def max_connections(self) -> int:
        """The default number of requests that are answered together."""
        return _AT_ONCE

    def _output(self, written: Written) -> ModelOutput:
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
