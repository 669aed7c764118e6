"""Requests to a local model and its replies; conversations in the form of chat templates, in order."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

from veridical.media.pictures import decode_picture

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, Content

StopReason = Literal["stop", "max_tokens", "model_length"]


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """How a reply is sampled: greedily at `temperature` 0, else from the `top_k` and `top_p` likeliest tokens.

    One random number per token decides, from a generator seeded with `seed`.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int | None = None
    seed: int | None = None


GREEDY = Drawing()


@dataclass(frozen=True)
class Wanted:
    """A request for a reply: the prompt, the sampling, and the maximum number of tokens.

    `abandoned` says whether the caller no longer waits for it.
    """

    prompt: Prompt
    drawing: Drawing = GREEDY
    most: int = 2048
    abandoned: Callable[[], bool] = lambda: False


@dataclass(frozen=True, kw_only=True)
class Written:
    """A reply: its text, its tokens including the end token, and its stop reason: `stop`, `max_tokens`, `model_length`.

    `prompt` counts the prompt's tokens, including those of pictures; `reused` counts those that were not encoded for
    this reply. A prompt that leaves no room in the model's context has an empty reply with the reason `model_length`.
    """

    text: str
    tokens: tuple[int, ...]
    stop_reason: StopReason
    prompt: int
    reused: int = 0


def overflow(length: int) -> Written:
    """The empty reply to a prompt of this many tokens, which exceeds the model's context."""
    return Written(text="", tokens=(), stop_reason="model_length", prompt=length)


_ROLES = ("system", "user", "assistant")


class PromptRefused(Exception):  # noqa: N818 - failures are classified by this name
    """A prompt that the model's template, processor or provider does not accept."""


@dataclass(frozen=True)
class Prompt:
    """Turns of parts, each a text or the bytes of a picture; `continues` means that the model continues the last turn.

    `pictures` are the hashes of its pictures, in order.
    """

    turns: tuple[tuple[str, tuple[str | bytes, ...]], ...]
    continues: bool
    pictures: tuple[str, ...]

    @classmethod
    def of(cls, messages: Sequence[ChatMessage]) -> Prompt:
        """The prompt of messages; raises `PromptRefused` for a part that is neither text nor picture."""
        turns = tuple((_role(message.role), _parts(message.content)) for message in messages)
        shown = [part for _, parts in turns for part in parts if isinstance(part, bytes)]
        continues = bool(turns) and turns[-1][0] == "assistant"
        return cls(turns, continues, tuple(sha256(picture).hexdigest() for picture in shown))

    def conversation(self) -> list[dict[str, Any]]:
        """The turns in the form of transformers, with decoded pictures.

        Raises `InputError` for a picture that is incomplete or too large.
        """
        return [{"role": role, "content": [_entry(part) for part in parts]} for role, parts in self.turns]


def _role(role: str) -> str:
    if role not in _ROLES:
        raise PromptRefused(f"a turn of the role {role}: {', '.join(_ROLES)} are accepted")
    return role


def _parts(content: str | list[Content]) -> tuple[str | bytes, ...]:
    if isinstance(content, str):
        return (content,)
    return tuple(_part(part) for part in content if part.type != "reasoning")


def _part(part: Content) -> str | bytes:
    if part.type == "text":
        return part.text
    if part.type == "image" and part.image.startswith("data:"):
        return b64decode(part.image.partition(",")[2])
    raise PromptRefused(f"a part of the kind {part.type}: texts and pictures as data URLs are accepted")


def _entry(part: str | bytes) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    from PIL import Image

    return {"type": "image", "image": Image.fromarray(decode_picture(part, "a picture"))}
