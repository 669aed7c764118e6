"""How a model is asked: concurrency, retries, time limits, and sampling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from random import SystemRandom

from veridical.ask.connections import steps_of
from veridical.base.run_options import MOST_TOPS, require_allowed
from veridical.errors import InputError
from veridical.records import Json

UNSTATED = "unstated"
_SEEDS = 2**31
_LONGEST_PAUSE = 60.0
_LONGEST_RETRY_AFTER = 300.0
_random = SystemRandom()


@dataclass(frozen=True, kw_only=True)
class Policy:
    """Limits of asking, and what is asked for beside the reply; none of them changes what the model replies.

    `max_connections` is the number of stimuli in flight at a time; `None` leaves it to a ramp (`ConnectionRamp`).
    `max_requests` is the maximum number of requests for one attempt at a trial: retries + 1. `attempt_timeout` limits
    one request, in seconds, rounded up to whole seconds. `backoff` is the first pause in seconds. It doubles with each
    request up to 60 s, and the pause is drawn from the upper half of it; a longer `Retry-After` (up to 300 s) overrides
    it. `stop_after` overrides, by kind, the number of consecutive failures that ends a start; 0 is never. With
    `logprobs`, the log probabilities of the `top_logprobs` likeliest tokens (default: 20) are asked for; with
    `forced_answer`, a reply that gives reasons first is followed by a request for its answer without them.
    """

    max_connections: int | None = None
    max_requests: int = 5
    attempt_timeout: float = 120.0
    backoff: float = 0.5
    stop_after: Mapping[str, int] = field(default_factory=dict)
    logprobs: bool = False
    top_logprobs: int | None = None
    forced_answer: bool = False

    def __post_init__(self) -> None:
        require_allowed(asdict(self))
        if self.top_logprobs is not None and not self.logprobs:
            raise InputError(f"top_logprobs {self.top_logprobs}: only with logprobs")
        if self.forced_answer and not self.logprobs:
            raise InputError("forced_answer: only with logprobs")
        if not 0 <= self.backoff <= 60:
            raise InputError(f"backoff {self.backoff}: 0 to 60 seconds are allowed")

    @property
    def tops(self) -> int | None:
        """How many likeliest tokens a provider is asked for; `None` asks for no log probabilities.

        >>> Policy().tops, Policy(logprobs=True).tops, Policy(logprobs=True, top_logprobs=5).tops
        (None, 20, 5)
        """
        return (self.top_logprobs or MOST_TOPS) if self.logprobs else None

    @property
    def batch(self) -> int:
        """How many questions a model in this process is asked at a time; there is no ramp for one."""
        return self.max_connections or steps_of(1)[0]

    def at_a_time(self, *, here: bool, servers: int = 1) -> str:
        """How many stimuli are asked about at a time, in words; a model that runs `here` has no ramp.

        >>> Policy().at_a_time(here=False), Policy().at_a_time(here=True), Policy().at_a_time(here=False, servers=4)
        ('8 to 64', '8', '32 to 256')
        """
        steps = steps_of(servers)
        return f"{steps[0]} to {steps[-1]}" if self.max_connections is None and not here else str(self.batch)


def pause(requests: int, backoff: float, retry_after: float) -> float:
    """The seconds to wait after this many requests: the doubled, jittered backoff, or `retry_after` if that is longer.

    >>> pause(1, 0.5, retry_after=7.0), pause(1, 0.5, retry_after=4000.0), pause(30, 0.5, 0.0) <= 60
    (7.0, 300.0, True)
    """
    longest = min(_LONGEST_PAUSE, backoff * 2.0 ** (requests - 1))
    return max(_random.uniform(longest / 2, longest), min(retry_after, _LONGEST_RETRY_AFTER))


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """How replies are sampled; `None` uses the model's default.

    `top_k` is the number of likeliest tokens that are drawn from, `seed` the seed of the first repeat
    (`seed_of`), `reasoning_tokens` the maximum number of thinking tokens; it and `reasoning_effort` reach only
    providers that have such a setting. What is allowed stands in `base.run_options`.
    """

    temperature: float | None = None
    max_tokens: int | None = None
    top_p: float | None = None
    top_k: int | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    reasoning_tokens: int | None = None

    def __post_init__(self) -> None:
        require_allowed(asdict(self))

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
