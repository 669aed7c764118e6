"""Budgets of tokens and money over all starts of a run, and a time limit for one start; no reply is lost."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable
from dataclasses import dataclass
from time import monotonic

from veridical.ask.prices import Price
from veridical.errors import InputError
from veridical.records import Response

_NO_USAGE = "replies come without token counts, so no budget can be kept: use a time limit"


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits of asking; `None` is no limit.

    `budget_tokens` (input plus output) and `budget_usd` apply to the whole run, including earlier starts; `time_limit`,
    in seconds, applies to one start. `price` converts tokens to US dollars; `budget_usd` requires it.
    """

    budget_tokens: int | None = None
    budget_usd: float | None = None
    time_limit: float | None = None
    price: Price | None = None

    def __post_init__(self) -> None:
        if self.budget_tokens is not None and self.budget_tokens < 1:
            raise InputError(f"budget_tokens {self.budget_tokens}: 1 or more are allowed")
        if self.budget_usd is not None and not (math.isfinite(self.budget_usd) and self.budget_usd > 0):
            raise InputError(f"budget_usd {self.budget_usd}: a number above 0 is allowed")
        if self.budget_usd is not None and self.price is None:
            raise InputError("budget_usd needs the model's price: give a table of prices")
        if self.time_limit is not None and not (math.isfinite(self.time_limit) and self.time_limit > 0):
            raise InputError(f"time_limit {self.time_limit}: a number of seconds above 0 is allowed")


@dataclass(frozen=True, kw_only=True)
class Elsewhere:
    """The spending of other stages of a run, each at its own price, and the deadline of the start (`time.monotonic`).

    A budget applies to all stages of a run together, a time limit to everything that one start asks.
    """

    tokens: int = 0
    usd: float = 0.0
    uncounted: int = 0
    deadline: float | None = None


@dataclass(kw_only=True)
class Spent:
    """The reported tokens over all attempts; `uncounted` is the number of replies without token counts."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    uncounted: int = 0

    @classmethod
    def over(cls, responses: Iterable[Response]) -> Spent:
        """The tokens of these responses.

        >>> Spent.over([Response(trial="t", input_tokens=10, output_tokens=2), Response(trial="t")])
        Spent(input_tokens=10, output_tokens=2, cached_tokens=0, cache_write_tokens=0, uncounted=1)
        """
        spent = cls()
        for response in responses:
            spent.add(response)
        return spent

    def add(self, response: Response) -> None:
        """Counts one response; failures, filtered replies and cached replies may have no token counts."""
        self.input_tokens += response.input_tokens or 0
        self.output_tokens += response.output_tokens or 0
        self.cached_tokens += response.cached_tokens or 0
        self.cache_write_tokens += response.cache_write_tokens or 0
        replied = response.error is None and not response.refused and not response.cached
        self.uncounted += replied and response.input_tokens is None and response.requests > 0

    @property
    def tokens(self) -> int:
        """Input plus output tokens."""
        return self.input_tokens + self.output_tokens

    def cost(self, price: Price) -> float:
        """The cost in US dollars at a price."""
        return price.cost(self.input_tokens, self.output_tokens, self.cached_tokens, self.cache_write_tokens)


class Gate:
    """Open until a limit is reached; then `reached` names it, nothing new is sent, and pauses end."""

    def __init__(
        self,
        limits: Limits,
        spent: Spent,
        *,
        free: bool = False,
        elsewhere: Elsewhere = Elsewhere(),
    ) -> None:
        self.reached: str | None = None
        self.spent = spent
        self._limits, self._free, self._elsewhere = limits, free, elsewhere
        self.closed = asyncio.Event()
        self._check()

    def add(self, response: Response) -> None:
        """Counts a response, and closes if a budget is reached."""
        self.spent.add(response)
        self._check()

    def start_clock(self) -> None:
        """Starts the time limit of this start, in the running event loop."""
        seconds, deadline = self._limits.time_limit, self._elsewhere.deadline
        if seconds is not None:
            left = seconds if deadline is None else max(0.0, deadline - monotonic())
            asyncio.get_running_loop().call_later(left, self.close, f"time_limit of {seconds:g} s")

    async def pause(self, seconds: float) -> bool:
        """Whether asking may continue after this many seconds; returns False as soon as a limit is reached."""
        try:
            await asyncio.wait_for(self.closed.wait(), seconds)
        except TimeoutError:
            return True
        return False

    def _check(self) -> None:
        limits, spent, elsewhere = self._limits, self.spent, self._elsewhere
        if limits.budget_usd is None and limits.budget_tokens is None:
            return
        if elsewhere.uncounted or (spent.uncounted and not self._free):
            self.close(_NO_USAGE)
        tokens = spent.tokens + elsewhere.tokens
        if limits.budget_tokens is not None and tokens >= limits.budget_tokens:
            self.close(f"budget_tokens of {limits.budget_tokens:,} ({tokens:,} spent)")
        if limits.budget_usd is not None and limits.price is not None:
            cost = spent.cost(limits.price) + elsewhere.usd
            if cost >= limits.budget_usd:
                self.close(f"budget_usd of {limits.budget_usd:g} ({cost:.4g} spent)")

    def close(self, why: str) -> None:
        """Stops new requests for this reason; an earlier reason stays."""
        if self.reached is None:
            self.reached = why
            self.closed.set()
