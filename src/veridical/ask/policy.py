"""How a model is asked: how many at once, how patiently, and with which sampling."""

from __future__ import annotations

import math
from dataclasses import dataclass

from veridical.errors import InputError

MOST_CONNECTIONS = 1000


@dataclass(frozen=True, kw_only=True)
class Policy:
    """Limits of asking; none of them changes what reaches the model.

    `max_requests` counts what may be sent for one attempt at a trial, so retries + 1. `attempt_timeout` bounds one
    request, in seconds, and is rounded up to whole ones. `backoff` is the first pause in seconds; it doubles with each
    request up to 60 s, is drawn from the upper half of that, and gives way to a longer `Retry-After` (up to 300 s).
    """

    max_connections: int = 8
    max_requests: int = 5
    attempt_timeout: float = 120.0
    backoff: float = 0.5

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
    """How replies are sampled; `None` leaves it to the model's own default."""

    temperature: float | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        if self.temperature is not None and not (math.isfinite(self.temperature) and self.temperature >= 0):
            raise InputError(f"temperature {self.temperature}: a number from 0 up is allowed")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise InputError(f"max_tokens {self.max_tokens}: 1 or more are allowed")
