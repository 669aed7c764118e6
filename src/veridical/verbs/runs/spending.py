"""What a run sent and spent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import polars as pl

from veridical.ask import Price, Run
from veridical.ask.outcomes import Attempts, token_use, total
from veridical.errors import InputError
from veridical.records import Json


@dataclass(frozen=True, kw_only=True)
class Spending:
    """What all starts of a run sent and spent, by what was reported.

    `from_cache` replies needed no request. Of the `input_tokens` the provider read `cached_tokens` from its own cache
    and wrote `cache_write_tokens` to it, `None` where it never said; `uncounted` replies came without any count. `usd`
    is at the price that was given last, `None` where none ever was.
    """

    requests: int
    from_cache: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int | None
    cache_write_tokens: int | None
    uncounted: int
    usd: float | None

    @classmethod
    def of(cls, run: Run, attempts: Attempts | None = None) -> Spending:
        """What the attempts of a run come to; `attempts` are what its `read_attempts` read, if it was called."""
        return cls._of(run, run.attempts_of_trials(attempts or run.read_attempts()))

    @classmethod
    def at_most(cls, run: Run) -> Spending:
        """The same, with all that is stored where a damaged table of trials leaves open what was planned."""
        try:
            return cls.of(run)
        except InputError:
            return cls._of(run, run.read_attempts().once())

    @classmethod
    def _of(cls, run: Run, attempts: pl.DataFrame) -> Spending:
        tokens = token_use(attempts)
        price = next((stored for each in reversed(run.executions) if (stored := _price(each))), None)
        reported, wrote = (attempts[name].count() > 0 for name in ("cached_tokens", "cache_write_tokens"))
        return cls(
            requests=total(attempts, "requests"),
            from_cache=total(attempts, "cached"),
            input_tokens=tokens.input_tokens,
            output_tokens=tokens.output_tokens,
            cached_tokens=tokens.cached_tokens if reported else None,
            cache_write_tokens=tokens.cache_write_tokens if wrote else None,
            uncounted=tokens.uncounted,
            usd=tokens.cost(price) if price else None,
        )

    @classmethod
    def together(cls, parts: Sequence[Spending]) -> Spending:
        """What several parts come to; US dollars where any of them has a price."""
        totals: dict[str, Json] = {}
        for field in fields(cls):
            values = [value for part in parts if (value := getattr(part, field.name)) is not None]
            may_be_unknown = field.name in ("cached_tokens", "cache_write_tokens", "usd")
            totals[field.name] = sum(values) if values or not may_be_unknown else None
        return cls(**totals)

    def __str__(self) -> str:
        parts = [] if self.cached_tokens is None else [f"{self.cached_tokens:,} read from the provider's cache"]
        parts += [f"{self.cache_write_tokens:,} written to the provider's cache"] if self.cache_write_tokens else []
        cached = f" ({', '.join(parts)})" if parts else ""
        uncounted = f"; {self.uncounted:,} replies without a count" if self.uncounted else ""
        usd = "" if self.usd is None else f"; {self.usd:,.4g} US dollars"
        return (
            f"{self.requests:,} requests, {self.from_cache:,} replies from the cache; "
            f"tokens: {self.input_tokens:,} in{cached}, {self.output_tokens:,} out{uncounted}{usd}"
        )


def _price(execution: Mapping[str, Json]) -> Price | None:
    """The price that a start was given; a run folder may come from anywhere, so anything else is none."""
    stored: Json = execution.get("price")
    try:
        cached, written = stored["cached_input"], stored.get("cache_write")
        return Price(
            input=float(stored["input"]),
            output=float(stored["output"]),
            cached_input=None if cached is None else float(cached),
            cache_write=None if written is None else float(written),
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
