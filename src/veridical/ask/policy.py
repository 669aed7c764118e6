"""How a model is asked: concurrency, retries, time limits, and sampling."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from veridical.errors import InputError
from veridical.records import Json

MOST_CONNECTIONS = 1000
MOST_REPEATS = 1000
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
UNSTATED = "unstated"
_SEEDS = 2**31


@dataclass(frozen=True, kw_only=True)
class Policy:
    """Limits of asking; none of them changes what reaches the model.

    `max_requests` is the maximum number of requests for one attempt at a trial: retries + 1. `attempt_timeout` limits
    one request, in seconds, rounded up to whole seconds. `backoff` is the first pause in seconds. It doubles with each
    request up to 60 s, and the pause is drawn from the upper half of it; a longer `Retry-After` (up to 300 s) overrides
    it. `stop_after` overrides, by kind, the number of consecutive failures that ends a start; 0 is never.
    """

    max_connections: int = 8
    max_requests: int = 5
    attempt_timeout: float = 120.0
    backoff: float = 0.5
    stop_after: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 1 <= self.max_connections <= MOST_CONNECTIONS:
            raise InputError(f"max_connections {self.max_connections}: 1 to {MOST_CONNECTIONS} are allowed")
        if not 1 <= self.max_requests <= 100:
            raise InputError(f"max_requests {self.max_requests}: 1 to 100 requests per attempt are allowed")
        if not 0 < self.attempt_timeout <= 86_400:
            raise InputError(f"attempt_timeout {self.attempt_timeout}: more than 0, up to 86400 seconds are allowed")
        if not 0 <= self.backoff <= 60:
            raise InputError(f"backoff {self.backoff}: 0 to 60 seconds are allowed")


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """How replies are sampled; `None` uses the model's default.

    `top_p` is in (0, 1], `top_k` the number of likeliest tokens that are drawn from. `seed` is the seed of the first
    repeat (`seed_of`). `reasoning_effort` is one of `EFFORTS`, `reasoning_tokens` the maximum number of thinking
    tokens; both reach only providers that have such a setting.
    """

    temperature: float | None = None
    max_tokens: int | None = None
    top_p: float | None = None
    top_k: int | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    reasoning_tokens: int | None = None

    def __post_init__(self) -> None:
        if self.temperature is not None and not (math.isfinite(self.temperature) and self.temperature >= 0):
            raise InputError(f"temperature {self.temperature}: a number of at least 0 is allowed")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise InputError(f"max_tokens {self.max_tokens}: 1 or more are allowed")
        if self.top_p is not None and not 0 < self.top_p <= 1:
            raise InputError(f"top_p {self.top_p}: more than 0, up to 1 is allowed")
        if self.top_k is not None and self.top_k < 1:
            raise InputError(f"top_k {self.top_k}: 1 or more are allowed")
        if self.seed is not None and not 0 <= self.seed < _SEEDS:
            raise InputError(f"seed {self.seed}: 0 to {_SEEDS - 1} is allowed")
        if self.reasoning_effort is not None and self.reasoning_effort not in EFFORTS:
            raise InputError(f"reasoning_effort '{self.reasoning_effort}': {', '.join(EFFORTS)} are allowed")
        if self.reasoning_tokens is not None and self.reasoning_tokens < 0:
            raise InputError(f"reasoning_tokens {self.reasoning_tokens}: 0 or more are allowed")

    def stated(self) -> dict[str, Json]:
        """Every setting with its value, or "unstated" if it is left to the model, for the identity of a run.

        >>> Sampling(temperature=0.0).stated()["temperature"], Sampling().stated()["top_p"]
        (0.0, 'unstated')
        """
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: UNSTATED if value is None else value for name, value in values.items()}


def seed_of(seed: int, repeat: int) -> int:
    """The seed of a repeat (from 1): `seed` for the first repeat, then 1 more for each, modulo 2³¹.

    >>> seed_of(7, 1), seed_of(7, 3), seed_of(2**31 - 1, 2)
    (7, 9, 0)
    """
    return (seed + repeat - 1) % _SEEDS
