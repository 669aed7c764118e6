"""Budgets of tokens and money over all starts of a run, prices from the user's own table, and a time limit."""

from __future__ import annotations

import asyncio
import csv
import math
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from veridical.base.run_options import require_allowed
from veridical.errors import InputError, unknown
from veridical.records import TOKENS, Json, Response

_LONGEST = 1_000_000
_NEEDED, _OPTIONAL = ("input", "output"), ("cached_input", "cache_write")
_SHAPE = "input, output and optionally cached_input and cache_write, in US dollars per million tokens"


@dataclass(frozen=True, kw_only=True)
class Price:
    """US dollars per million tokens.

    `cached_input` is for tokens read from the provider's cache, `cache_write` for tokens written to it; the default of
    both is the price of other input.
    """

    input: float
    output: float
    cached_input: float | None = None
    cache_write: float | None = None

    def cost(self, input_tokens: int, output_tokens: int, cached_tokens: int = 0, cache_write_tokens: int = 0) -> float:
        """The cost in US dollars; `input_tokens` includes the tokens read from a cache and written to it.

        >>> Price(input=2.0, output=10.0, cached_input=1.0).cost(1_000_000, 50_000, 400_000)
        2.1
        >>> Price(input=2.0, output=10.0, cache_write=2.5).cost(1_000_000, 50_000, cache_write_tokens=400_000)
        2.7
        """
        cached = self.input if self.cached_input is None else self.cached_input
        written = self.input if self.cache_write is None else self.cache_write
        plain = input_tokens - cached_tokens - cache_write_tokens
        whole = plain * self.input + cached_tokens * cached + cache_write_tokens * written
        return (whole + output_tokens * self.output) / 1e6


@dataclass(frozen=True)
class Prices:
    """A table of prices by model name, and its file."""

    path: Path
    models: Mapping[str, Price]

    def of(self, model: str) -> Price:
        """The price of a model, by the name under which it is asked; raises `InputError` if the table lacks it."""
        if model not in self.models:
            raise InputError(f"{self.path} has no price: {unknown('model', model, self.models)}")
        return self.models[model]


def read_prices(path: Path) -> Prices:
    """The prices in a TOML or CSV file.

    TOML: one table per model, `["provider/name"]`, with `input`, `output` and optionally `cached_input` and
    `cache_write`. CSV: the column `model`, and columns of the same names. Raises `InputError` for other content, and
    for a price that is not a number of at least 0.
    """
    try:
        if path.stat().st_size > _LONGEST:
            raise InputError(f"{path} is not a table of prices: it is larger than {_LONGEST:,} bytes")
        text = path.read_text(encoding="utf-8-sig")
        rows = list(_of_csv(text) if path.suffix.lower() == ".csv" else tomllib.loads(text).items())
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, csv.Error) as error:
        raise InputError(f"{path} is not a table of prices: {str(error).splitlines()[0]}") from error
    models: dict[str, Price] = {}
    for model, values in rows:
        if model in models:
            raise InputError(f"{path} has two prices for '{model}': one is allowed")
        models[model] = price_of(path, model, values)
    return Prices(path, models)


def _of_csv(text: str) -> Iterator[tuple[str, Json]]:
    reader = csv.DictReader(text.splitlines(), skipinitialspace=True, strict=True)
    for row in reader:
        model = row.pop("model", None)
        if not model:
            raise ValueError(f"line {reader.line_num} names no model")
        yield model, {name: value for name, value in row.items() if value not in (None, "")}


def price_of(path: Path, model: str, values: Json) -> Price:
    """The price of a model in a file; raises `InputError` if it is not valid."""
    if not isinstance(values, Mapping):
        raise InputError(f"{path}: '{model}' has no prices; {_SHAPE}, are needed")
    wrong = [name for name in values if name not in (*_NEEDED, *_OPTIONAL)]
    missing = [name for name in _NEEDED if name not in values]
    if wrong or missing:
        problem = f"'{wrong[0]}' is unknown" if wrong else f"'{missing[0]}' is missing"
        raise InputError(f"{path}: {problem} for '{model}'; {_SHAPE}, are needed")
    return Price(**{name: _number(path, model, name, value) for name, value in values.items()})


def _number(path: Path, model: str, name: str, value: Json) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not (math.isfinite(number) and number >= 0):
        raise InputError(f"{path}: {name} of '{model}' is not a price; a number of at least 0 is needed")
    return number


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
        require_allowed({name: getattr(self, name) for name in ("budget_tokens", "budget_usd", "time_limit")})
        if self.budget_usd is not None and self.price is None:
            raise InputError("budget_usd needs the model's price: give a table of prices")


@dataclass(frozen=True, kw_only=True)
class OtherSpending:
    """The spending of other stages of a run, each at its own price, and the deadline of the start (`time.monotonic`).

    A budget applies to all stages of a run together, a time limit to everything that one start asks.
    """

    tokens: int = 0
    usd: float = 0.0
    uncounted: int = 0
    deadline: float | None = None


@dataclass(kw_only=True)
class TokenUse:
    """The reported tokens over all attempts; `uncounted` is the number of replies without token counts."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    uncounted: int = 0

    @classmethod
    def over(cls, responses: Iterable[Response]) -> TokenUse:
        """The tokens of these responses.

        >>> TokenUse.over([Response(trial="t", input_tokens=10, output_tokens=2), Response(trial="t")])
        TokenUse(input_tokens=10, output_tokens=2, cached_tokens=0, cache_write_tokens=0, uncounted=1)
        """
        spent = cls()
        for response in responses:
            spent.add(response)
        return spent

    def add(self, response: Response) -> None:
        """Counts one response; failures, filtered replies and cached replies may have no token counts."""
        for name in TOKENS:
            setattr(self, name, getattr(self, name) + (getattr(response, name) or 0))
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
        self, limits: Limits, spent: TokenUse, *, free: bool = False, elsewhere: OtherSpending = OtherSpending()
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
