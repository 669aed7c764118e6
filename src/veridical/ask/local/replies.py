"""What is wanted of a local model, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from veridical.ask.local.prompts import Prompt

StopReason = Literal["stop", "max_tokens", "model_length"]


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """How a reply is drawn: greedily at `temperature` 0, else from the `top_k` and `top_p` likeliest tokens.

    One random number per token decides, from a generator that the `seed` starts.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int | None = None
    seed: int | None = None


GREEDY = Drawing()


@dataclass(frozen=True)
class Wanted:
    """A reply that is wanted: to which prompt, how it is drawn, and its most tokens.

    `abandoned` says whether nobody waits for it any more.
    """

    prompt: Prompt
    drawing: Drawing = GREEDY
    most: int = 2048
    abandoned: Callable[[], bool] = lambda: False


@dataclass(frozen=True, kw_only=True)
class Written:
    """A reply: its text and tokens, the end of it included, and why it ended: `stop`, `max_tokens` or `model_length`.

    `prompt` counts the prompt's tokens, those of pictures included; `reused` are those of them that were not encoded
    for this reply. A prompt that leaves no room in the model's context has an empty reply that ends for `model_length`.
    """

    text: str
    tokens: tuple[int, ...]
    stop_reason: StopReason
    prompt: int
    reused: int = 0


def overflow(length: int) -> Written:
    """In place of a reply to a prompt of so many tokens, more than the model's context takes."""
    return Written(text="", tokens=(), stop_reason="model_length", prompt=length)
