"""Trials as the messages that are sent, and replies as responses."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import TYPE_CHECKING

from veridical.errors import InputError
from veridical.records import Media, Message, Text, Trial

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, Content, ModelOutput

_SIGNATURES = {
    "image/png": (b"\x89PNG\r\n\x1a\n", b""),
    "image/jpeg": (b"\xff\xd8\xff", b""),
    "image/webp": (b"RIFF", b"WEBP"),
}
_TOLD_THE_TRIAL = ("veridical/simulated", "veridical/replay")


def data_url(file: str, content: bytes) -> str:
    """A picture's own bytes as a data URL; raises `InputError` for one that is no PNG, JPEG or WebP.

    >>> data_url("a.png", b"\\x89PNG\\r\\n\\x1a\\n")
    'data:image/png;base64,iVBORw0KGgo='
    """
    for kind, (start, inner) in _SIGNATURES.items():
        if content.startswith(start) and content[8:12].startswith(inner):
            return f"data:{kind};base64,{b64encode(content).decode()}"
    raise InputError(f"'{file}' is no picture that can be sent: PNG, JPEG and WebP are allowed")


def chat_messages(trial: Trial, model: str, picture: Callable[[Media], str]) -> list[ChatMessage]:
    """The messages of a trial, parts in order, media as the data URLs that `picture` gives.

    The trial's id travels beside the user's messages to the models that look up what they reply, and to no other.
    """
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    beside = {"trial": trial.id} if model in _TOLD_THE_TRIAL else None
    chat: list[ChatMessage] = []
    for message in trial.messages:
        content = _content(message, picture)
        if message.role == "user":
            chat.append(ChatMessageUser(content=content, metadata=beside))
        elif message.role == "system":
            chat.append(ChatMessageSystem(content=content))
        else:
            chat.append(ChatMessageAssistant(content=content))
    return chat


def _content(message: Message, picture: Callable[[Media], str]) -> str | list[Content]:
    from inspect_ai.model import ContentImage, ContentText

    if len(message.parts) == 1 and isinstance(message.parts[0], Text):
        return message.parts[0].text
    return [
        ContentText(text=part.text) if isinstance(part, Text) else ContentImage(image=picture(part))
        for part in message.parts
    ]


def reasoning_of(output: ModelOutput) -> str | None:
    """The reasoning text of a reply's first choice, blocks joined by an empty line; `None` where there is none."""
    from inspect_ai.model import ContentReasoning

    content = output.choices[0].message.content
    if isinstance(content, str):
        return None
    blocks = [part for part in content if isinstance(part, ContentReasoning)]
    texts = [(block.summary if block.redacted else block.reasoning) or "" for block in blocks]
    return "\n\n".join(filter(None, texts)) or None


def is_refusal(output: ModelOutput) -> bool:
    """Whether the provider itself flags the reply's first choice as refused or filtered."""
    choice = output.choices[0]
    details = choice.stop_details
    return choice.stop_reason == "content_filter" or (details is not None and details.type == "refusal")
