"""Requests to a local model, and its replies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from veridical.ask.local.prompts import Prompt

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
