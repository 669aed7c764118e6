"""The client for inspect-ai's providers, with trials as chat messages."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from veridical.ask.capabilities import EMBEDDED, continuation, opens_reply, takes_clips
from veridical.ask.clients import Continuation, ModelReply, ReplyOrFailure, Schema, TrialAttempt, free_form
from veridical.ask.clients.completion import token_logprobs
from veridical.ask.failures import CONTEXT_OVERFLOW, NO_CHOICES, Failure
from veridical.ask.policy import seed_of
from veridical.ask.redact import clean_endpoint, redactor, without_secrets
from veridical.ask.size_refusals import size_refusal
from veridical.records import TOKENS, Json, Media, Text, Trial

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, Content, GenerateConfig, Model, ModelOutput, ResponseSchema


# Text-only providers and their alternatives: they raise an error for a picture, or silently drop it.
_OF_TEXT = {
    **dict.fromkeys(("HuggingFaceAPI", "NNterpAPI", "TransformerLensAPI"), "veridical-hf/NAME"),
    "TogetherRESTAPI": "together/NAME",
    "VLLMCompletionsAPI": "vllm/NAME",
    "OpenAICompatibleCompletionsAPI": "openai-api/SERVICE/NAME",
}
_OF_EXECUTION = {"max_retries", "timeout", "attempt_timeout", "max_connections"}


@dataclass(frozen=True)
class InspectClient:
    """A `Client` over inspect-ai's model layer, which asks for log probabilities of so many `tops` if any."""

    model: Model
    schema: Schema = free_form
    tops: int | None = None

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
        if getattr(self.model.api, "completion_mode", False) is True:
            return "the same without completion_mode"
        return _OF_TEXT.get(type(self.model.api).__name__)

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
            "endpoint": None if self.endpoint is None else clean_endpoint(self.endpoint),
            "args": without_secrets(dict(self.model.model_args), redactor()),
            "client": f"inspect-ai {version('inspect-ai')}",
        }

    def sampled(self, trial: Trial, repeat: int) -> dict[str, Json]:
        whole = self.model.config.merge(self._config(trial, repeat)).model_dump(mode="json", exclude_none=True)
        return {name: value for name, value in whole.items() if name not in _OF_EXECUTION}

    async def send(self, question: TrialAttempt) -> ReplyOrFailure:
        told = {"trial": question.trial.id, "repeat": question.repeat, "opaque": question.opaque}
        chat = chat_messages(question.trial, question.place, beside=told if question.tells_trial else None)
        config = self._config(question.trial, question.repeat)
        if question.most_tokens is not None:
            config = config.model_copy(update={"max_tokens": question.most_tokens, "response_schema": None})
        # In a task and context of its own, because inspect-ai records every call, including media, in its context.
        output = await asyncio.create_task(self.model.generate(chat, config=config))
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
            logprobs=True if self.tops else None,
            top_logprobs=self.tops,
        )

    def _response_schema(self, trial: Trial) -> ResponseSchema | None:
        """The schema that a reply is held to, if it is, as inspect-ai has it."""
        if (schema := self.schema(trial)) is None:
            return None
        from inspect_ai.model import ResponseSchema
        from inspect_ai.util import JSONSchema

        return ResponseSchema(name="reply", json_schema=JSONSchema.model_validate(schema), strict=True)

    def _reply(self, output: ModelOutput) -> ReplyOrFailure:
        choice = output.choices[0]
        if choice.stop_reason == "model_length":
            return CONTEXT_OVERFLOW
        return ModelReply(
            text=text_of(output),
            reasoning=reasoning_of(output),
            stop_reason=choice.stop_reason,
            refused=is_refusal(output),
            served_model=None if self.name.startswith(EMBEDDED) else output.model or None,
            logprobs=None if choice.logprobs is None else token_logprobs(choice.logprobs.model_dump()),
            **counts_of(output),
        )


# Texts that inspect-ai 0.3.285 substitutes for a model's reply.
_NO_CONTENT = "(no content)"
_BLOCKED = "BLOCKED: "
_TOO_LARGE = re.compile(r"Error code: 413\b")
_APOLOGY = re.compile(
    r"\s*I seem to have had trouble calling a function and replied with .*\.\s+"
    r"I need to fix this by generating the function call JSON instead\.\s*",
    re.DOTALL,
)


def chat_messages(
    trial: Trial, place: Callable[[Media], str], *, beside: dict[str, Json] | None = None
) -> list[ChatMessage]:
    """The messages of a trial, parts in order; `place` gives the data URL of a medium, or the path of its file.

    What stands `beside` them is the metadata of the user's messages. This is only for embedded observers that look up
    their replies.
    """
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    chat: list[ChatMessage] = []
    for message in trial.messages:
        only = message.parts[0] if len(message.parts) == 1 else None
        content = only.text if isinstance(only, Text) else [_part(part, place) for part in message.parts]
        if message.role == "user":
            chat.append(ChatMessageUser(content=content, metadata=beside))
        elif message.role == "system":
            chat.append(ChatMessageSystem(content=content))
        else:
            chat.append(ChatMessageAssistant(content=content))
    return chat


def _part(part: Text | Media, place: Callable[[Media], str]) -> Content:
    from inspect_ai.model import ContentImage, ContentText, ContentVideo

    if isinstance(part, Text):
        return ContentText(text=part.text)
    if part.kind == "image":
        return ContentImage(image=place(part))
    where = place(part)
    # inspect-ai has no name for the container WebM, and uses the type in a data URL.
    is_mov = where.startswith("data:video/quicktime") or where.lower().endswith(".mov")
    return ContentVideo(video=where, format="mov" if is_mov else "mp4")


def text_of(output: ModelOutput) -> str:
    """The joined text parts of a reply's first choice; empty if the text is not the model's.

    inspect-ai substitutes its own texts, or a server's error, for the reply to a request that was filtered or too long,
    for a prompt that Google blocked, a reply without candidates, and a malformed function call.
    """
    content = output.choices[0].message.content
    if _is_made_up(output):
        return ""
    if isinstance(content, str):
        return content
    texts = [part.text for part in content if part.type == "text"]
    if texts and output.stop_reason in ("unknown", "stop") and _APOLOGY.fullmatch(texts[-1]):
        texts.pop()
    return "".join(texts)


def has_no_reply(output: ModelOutput) -> bool:
    """Whether a reply has no choice, or only one that inspect-ai substituted for a missing one."""
    return output.empty or (output.stop_reason == "stop" and not _spent(output) and _plain(output) == _NO_CONTENT)


def counts_of(output: ModelOutput) -> dict[str, int | None]:
    """The token counts of a reply by their names in a response; all are `None` if the provider reported none or zeros.

    Input tokens include those read from a cache or written to it.
    """
    usage = output.usage
    if usage is None:
        return dict.fromkeys(TOKENS)
    read, written = usage.input_tokens_cache_read, usage.input_tokens_cache_write
    whole = usage.input_tokens + (read or 0) + (written or 0)
    if whole == usage.output_tokens == 0:
        return dict.fromkeys(TOKENS)
    return dict(zip(TOKENS, (whole, usage.output_tokens, read, written), strict=True))


def failure_in(output: ModelOutput) -> Failure | None:
    """The failure behind a reply that inspect-ai made up; `None` for a real reply or a context overflow.

    inspect-ai mistakes Anthropic's refusal of a request with too many bytes for one with too many tokens.
    """
    if has_no_reply(output):
        return NO_CHOICES
    if output.error is not None and _TOO_LARGE.match(output.error):
        return Failure(kind="bad_request", detail="HTTP 413", reason=output.error, size=size_refusal(413, output.error))
    return None


def _is_made_up(output: ModelOutput) -> bool:
    if output.error is not None or has_no_reply(output):
        return True
    if output.stop_reason not in ("content_filter", "model_length") or _spent(output):
        return False
    details, text = output.choices[0].stop_details, _plain(output)
    if output.response_id is None:
        return True
    explained = details is not None and text == details.explanation
    return text is not None and (explained or text.startswith(_BLOCKED))


def _plain(output: ModelOutput) -> str | None:
    """The content of a reply if it is a plain text; texts that providers make up have this form."""
    content = output.choices[0].message.content
    return content if isinstance(content, str) else None


def _spent(output: ModelOutput) -> bool:
    """Whether the provider counted any output token."""
    return output.usage is not None and output.usage.output_tokens > 0


def reasoning_of(output: ModelOutput) -> str | None:
    """The reasoning text of a reply's first choice, blocks joined by an empty line; `None` if there is none."""
    from inspect_ai.model import ContentReasoning

    content = output.choices[0].message.content
    if isinstance(content, str):
        return None
    blocks = [part for part in content if isinstance(part, ContentReasoning)]
    texts = [(not block.redacted and block.reasoning) or block.summary or "" for block in blocks]
    return "\n\n".join(filter(None, texts)) or None


def is_refusal(output: ModelOutput) -> bool:
    """Whether the provider itself flags the reply's first choice as refused or filtered."""
    choice = output.choices[0]
    details = choice.stop_details
    flagged = choice.stop_reason == "content_filter" or (details is not None and details.type == "refusal")
    content = choice.message.content
    parts = [] if isinstance(content, str) else content
    return flagged or any(part.type == "text" and part.refusal is True for part in parts)
