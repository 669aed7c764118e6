"""Embedded observers and local models for inspect-ai's own runner, as `veridical/NAME` and `veridical-hf/NAME`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn, cast

from veridical.ask.clients import ModelReply, ReplyOrFailure, content_in
from veridical.ask.clients.transformers_client import MOST_TOKENS, read_reply
from veridical.ask.local import API
from veridical.ask.local.loader import require_packages
from veridical.ask.local.requests import LocalPrompt, PromptRefused, ReplyRequest, TokenSampling
from veridical.base.requirements import extra_needed
from veridical.errors import InputError
from veridical.observers import TrialContext
from veridical.records import ChatTurn
from veridical.suite import registry
from veridical.verbs.runs.models import PREFIX, SUITE, find_observer, suite_observer

with extra_needed("providers", "a provider of inspect"):
    from inspect_ai.model import (
        ChatCompletionChoice,
        ChatMessage,
        ChatMessageAssistant,
        Content,
        ContentReasoning,
        ContentText,
        GenerateConfig,
        Model,
        ModelAPI,
        ModelOutput,
        ModelUsage,
        StopDetails,
        StopReason,
        modelapi,
    )
    from inspect_ai.tool import ToolChoice, ToolInfo

_RUN = "run"
_AT_ONCE = 8
_NOT_TAKEN = (
    *("stop_seqs", "frequency_penalty", "presence_penalty", "logit_bias", "num_choices", "logprobs"),
    *("response_schema", "reasoning_effort", "reasoning_tokens"),
)


class EmbeddedModel(ModelAPI):
    """An embedded observer, by name; it is handed what its record says that it sees, and nothing else."""

    continues_assistant_turn = True
    takes_clips = True

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 (the base class's own default)
        **model_args: Any,  # noqa: ANN401
    ) -> None:
        suite, run = model_args.pop(SUITE, None), model_args.pop(_RUN, None)
        self.observer = (
            find_observer(model_name) if suite is None else suite_observer(model_name, registry.get(str(suite)))
        )
        folder = Path(str(run)) if run is not None and self.observer.sees == "run" else None
        self._reply = self.observer.opened(model_args, folder)
        super().__init__(model_name, base_url, api_key, [], config)

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 (the base class's own name)
        tools: list[ToolInfo],  # noqa: ARG002
        tool_choice: ToolChoice,  # noqa: ARG002
        config: GenerateConfig,  # noqa: ARG002
    ) -> ModelOutput:
        told = _trial_in(input) if self.observer.sees_trial else None
        reply = self._reply([turn_of(message) for message in input], told)
        name = f"{PREFIX}{self.model_name}"
        return ModelOutput.from_content(name, reply) if isinstance(reply, str) else output_of(reply, name)


class LocalModel(ModelAPI):
    """A vision-language model in this process; its arguments are those of `veridical.ask.local.loader.Arguments`.

    It answers concurrent requests in one batch of up to `max_connections`.
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
        from veridical.ask.local.engine import Batches, engine_of

        if base_url is not None:
            raise InputError(f"local model '{model_name}' has no endpoint: leave out the base URL")
        try:
            _require_taken(config)
        except PromptRefused as error:
            raise InputError(f"local model '{model_name}': {error}; leave it out") from None
        super().__init__(model_name, base_url, api_key, [], config)
        self.engine = engine_of(model_name, model_args, api_key)
        self._batches = Batches(self.engine.replies)

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
        prompt = LocalPrompt.of([turn_of(message, pictures_only=True) for message in input])
        request = ReplyRequest(prompt, drawing, config.max_tokens or MOST_TOKENS)
        written = await self._batches.reply(request, config.max_connections or _AT_ONCE)
        return output_of(read_reply(written, self.engine), self.engine.loaded.served)

    def max_tokens(self) -> int:
        """The default maximum number of tokens of a reply."""
        return MOST_TOKENS

    def max_connections(self) -> int:
        """The default number of requests that are answered together."""
        return _AT_ONCE


modelapi(name="veridical")(EmbeddedModel)


@modelapi(name=API)
def local() -> type[ModelAPI]:
    """The provider of local models, with PyTorch and transformers; raises `InputError` where these are missing."""
    require_packages()
    return LocalModel


def sees_trial(model: Model) -> bool:
    """Whether an opened model is an observer that is told which trial it is asked."""
    return isinstance(model.api, EmbeddedModel) and model.api.observer.sees_trial


def turn_of(message: ChatMessage, *, pictures_only: bool = False) -> ChatTurn:
    """A message as a turn, without its id and all that stands beside its content; reasoning is left out.

    A medium that does not come as a data URL has no bytes. With `pictures_only` it raises `PromptRefused` for such a
    medium, for a clip, and for another role than system, user and assistant.
    """
    if message.role == "tool":
        raise PromptRefused("a turn of the role tool: system, user and assistant are accepted")
    if isinstance(message.content, str):
        return ChatTurn(message.role, (message.content,))
    parts: list[str | bytes] = []
    for part in message.content:
        if part.type == "text":
            parts.append(part.text)
        elif part.type in ("image", "video"):
            content = content_in(str(getattr(part, part.type)))
            if pictures_only and (part.type == "video" or not content):
                _refuse(part)
            parts.append(content)
        elif pictures_only and part.type != "reasoning":
            _refuse(part)
    return ChatTurn(message.role, tuple(parts))


def _refuse(part: Content) -> NoReturn:
    raise PromptRefused(f"a part of the kind {part.type}: texts and pictures as data URLs are accepted")


def output_of(reply: ReplyOrFailure, name: str) -> ModelOutput:
    """A reply of a model of that name in inspect-ai's form; a failure is a context length that was exceeded."""
    if not isinstance(reply, ModelReply):
        return ModelOutput.from_content(name, "", stop_reason="model_length")
    content: list[Content] = [ContentReasoning(reasoning=reply.reasoning)] if reply.reasoning else []
    choice = ChatCompletionChoice(
        message=ChatMessageAssistant(content=[*content, ContentText(text=reply.text)], source="generate"),
        stop_reason=cast("StopReason", reply.stop_reason),
        stop_details=StopDetails(type="refusal") if reply.refused else None,
    )
    # An output with an id is a model's own words, whatever ended it.
    return ModelOutput(model=name, choices=[choice], usage=_usage(reply), response_id="own")


def _usage(reply: ModelReply) -> ModelUsage | None:
    read, written = reply.input_tokens, reply.output_tokens
    if read is None or written is None:
        return None
    reused = reply.cached_tokens
    return ModelUsage(
        input_tokens=read - (reused or 0),
        output_tokens=written,
        total_tokens=read + written,
        input_tokens_cache_read=reused,
    )


def _require_taken(config: GenerateConfig) -> None:
    for name in _NOT_TAKEN:
        if getattr(config, name, None) not in (None, False, "none"):
            raise PromptRefused(f"it does not support {name}")


def _trial_in(messages: list[ChatMessage]) -> TrialContext | None:
    """What stands beside the last user turn."""
    beside = next((message.metadata for message in reversed(messages) if message.role == "user"), None) or {}
    if "trial" not in beside:
        return None
    return TrialContext(str(beside["trial"]), int(beside.get("repeat", 1)), beside.get("opaque"))
