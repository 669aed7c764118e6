"""Requests to a local model and their replies; neither PyTorch nor transformers is needed to state them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from veridical.media.pictures import decode_picture
from veridical.records import ChatTurn, Json

StopReason = Literal["stop", "max_tokens", "model_length"]


@dataclass(frozen=True, kw_only=True)
class TokenSampling:
    """How a reply is sampled: greedily at `temperature` 0, else from the `top_k` and `top_p` likeliest tokens.

    One random number per token decides, from a generator seeded with `seed`.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int | None = None
    seed: int | None = None


GREEDY = TokenSampling()
TOKENS_WITH_TOPS = 64
"""How many tokens of a reply have log probabilities: an answer after more of them rests on the reasons before it."""


@dataclass(frozen=True)
class ReplyRequest:
    """A request for a reply: the prompt, the sampling, and the maximum number of tokens.

    `abandoned` says whether the caller no longer waits for it; `tops` is how many likeliest tokens are wanted of the
    first `TOKENS_WITH_TOPS` places of the reply, if any.
    """

    prompt: LocalPrompt
    drawing: TokenSampling = GREEDY
    most: int = 2048
    abandoned: Callable[[], bool] = lambda: False
    tops: int | None = None


@dataclass(frozen=True, kw_only=True)
class LocalReply:
    """A reply: its text, its tokens including the end token, and its stop reason: `stop`, `max_tokens`, `model_length`.

    `prompt` counts the prompt's tokens, including those of pictures; `reused` counts those that were not encoded for
    this reply. A prompt that leaves no room in the model's context has an empty reply with the reason `model_length`.
    `logprobs` are those of the first tokens, as a `ModelReply` has them, if they were wanted.
    """

    text: str
    tokens: tuple[int, ...]
    stop_reason: StopReason
    prompt: int
    reused: int = 0
    logprobs: list[Json] | None = None


def overflow(length: int) -> LocalReply:
    """The empty reply to a prompt of this many tokens, which exceeds the model's context."""
    return LocalReply(text="", tokens=(), stop_reason="model_length", prompt=length)


class PromptRefused(Exception):  # noqa: N818 - failures are classified by this name
    """A prompt that the model's template, processor or provider does not accept."""


@dataclass(frozen=True)
class LocalPrompt:
    """Turns whose media are pictures; `continues` means that the model continues the last turn.

    `pictures` are the hashes of its pictures, in order.
    """

    turns: tuple[ChatTurn, ...]
    continues: bool
    pictures: tuple[str, ...]

    @classmethod
    def of(cls, turns: Sequence[ChatTurn]) -> LocalPrompt:
        """The prompt of turns."""
        shown = [part for turn in turns for part in turn.parts if isinstance(part, bytes)]
        continues = bool(turns) and turns[-1].role == "assistant"
        return cls(tuple(turns), continues, tuple(sha256(picture).hexdigest() for picture in shown))

    def conversation(self) -> list[dict[str, Any]]:
        """The turns in the form of transformers, with decoded pictures.

        Raises `InputError` for a picture that is incomplete or too large.
        """
        return [{"role": turn.role, "content": [_entry(part) for part in turn.parts]} for turn in self.turns]


def _entry(part: str | bytes) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    from PIL import Image

    return {"type": "image", "image": Image.fromarray(decode_picture(part, "a picture"))}


_TAG = re.compile(r"<think[^>]*>|</think>")


def apart_from_reasoning(text: str) -> tuple[str, str | None]:
    """A reply without its first block of reasoning, and that block's text, which is `None` where there is none.

    Blocks may be nested. Some templates open the block, so that only its end is generated.

    >>> apart_from_reasoning("<think>1 + 1</think> 2"), apart_from_reasoning("hm</think>Yes"), apart_from_reasoning("2")
    (('2', '1 + 1'), ('Yes', 'hm'), ('2', None))
    """
    if "</think>" in text and "<think" not in text:
        text = f"<think>{text}"
    opened, closed = [], []
    for tag in _TAG.finditer(text):
        if tag[0] != "</think>":
            opened.append(tag)
        elif opened:
            closed.append(tag)
            if len(closed) == len(opened):
                break
    if not closed:
        return text, None
    begin, end = opened[0], closed[-1] if len(closed) == len(opened) else closed[0]
    return f"{text[: begin.start()]}{text[end.end() :]}".strip(), text[begin.end() : end.start()].strip()
