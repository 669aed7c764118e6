"""Budgets of tokens and of money over all starts of a run, a limit of time for one: kept without losing a reply."""

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
    """Where asking stops; `None` is no limit.

    `budget_tokens` (input and output together) and `budget_usd` hold for the run as a whole, earlier starts included;
    `time_limit`, in seconds, for one start. `price` turns tokens into US dollars, and `budget_usd` needs it.
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
    """What other stages of a run have spent, each at its own price, and when (by `time.monotonic`) the start must end.

    A budget holds for all stages of a run together, a limit of time for all that one start asks.
    """

    tokens: int = 0
    usd: float = 0.0
    uncounted: int = 0
    deadline: float | None = None


@dataclass(kw_only=True)
class Spent:
    """Tokens that were reported and paid for, over all attempts; `uncounted` replies came without any count."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    uncounted: int = 0

    @classmethod
    def over(cls, responses: Iterable[Response]) -> Spent:
        """What so many responses came to.

        >>> Spent.over([Response(trial="t", input_tokens=10, output_tokens=2), Response(trial="t")])
        Spent(input_tokens=10, output_tokens=2, cached_tokens=0, uncounted=1)
        """
        spent = cls()
        for response in responses:
            spent.add(response)
        return spent

    def add(self, response: Response) -> None:
        """Counts one response; a failure, a filtered reply and what no request was sent for may well be without."""
        self.input_tokens += response.input_tokens or 0
        self.output_tokens += response.output_tokens or 0
        self.cached_tokens += response.cached_tokens or 0
        replied = response.error is None and not response.refused and not response.cached
        self.uncounted += replied and response.input_tokens is None and response.requests > 0

    @property
    def tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens

    def cost(self, price: Price) -> float:
        """US dollars at a price."""
        return price.cost(self.input_tokens, self.output_tokens, self.cached_tokens)


class Gate:
    """Open until a limit is reached; then `reached` says which, nothing new is sent, and nobody waits any longer."""

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
        """Counts a response, and closes where it reaches a budget."""
        self.spent.add(response)
        self._check()

    def start_clock(self) -> None:
        """Begins to count the time of this start, in the running event loop."""
        seconds, deadline = self._limits.time_limit, self._elsewhere.deadline
        if seconds is not None:
            left = seconds if deadline is None else max(0.0, deadline - monotonic())
            asyncio.get_running_loop().call_later(left, self.close, f"time_limit of {seconds:g} s")

    async def pause(self, seconds: float) -> bool:
        """Whether asking may go on after so many seconds; the answer no comes as soon as it is known."""
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
        """Nothing new is sent from now on, for this reason, unless there was one before."""
        if self.reached is None:
            self.reached = why
            self.closed.set()
