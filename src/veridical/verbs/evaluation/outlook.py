"""What an evaluation is going to take and could find, over all suites: a table for people before anything is sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridical.base.format import span
from veridical.records import Json
from veridical.verbs.plans.forecast import Effect, Forecast

_HEAD = ("suite", "units", "requests", "pictures", "tokens in", "tokens out", "time", "finds from")
_BASE, _ALIKE = 0.8, 0.2
"""The rate and the correlation within a unit for which the smallest effect is told."""


@dataclass(frozen=True)
class SuiteOutlook:
    """What one suite asks of a model: its forecast, the later stages that others answer, and what it can decide."""

    short: str
    forecast: Forecast
    decides: str

    @property
    def requests(self) -> int:
        """The requests to the model under test, those of later stages at most."""
        own = [each for each in self.forecast.later if each.role == "model"]
        return self.forecast.requests + sum(each.requests or 0 for each in own)

    @property
    def seconds(self) -> float | None:
        """How long they take at the rate of the forecast."""
        return None if self.forecast.rate is None else self.requests / self.forecast.rate

    def cells(self) -> tuple[str, ...]:
        """The row of the table."""
        own, effect = self.forecast, _smallest(self.forecast.effects)
        time = "–" if self.seconds is None else span(self.seconds)
        counts = (own.units, self.requests, own.pictures + own.clips, own.input_tokens, own.output_tokens)
        return (self.short, *(f"{each:,}" for each in counts), time, effect)


@dataclass(frozen=True, repr=False)
class Outlook:
    """What is to be sent to one model: a row for each suite."""

    model: str
    suites: tuple[SuiteOutlook, ...]

    def __repr__(self) -> str:
        return f"<Outlook for {self.model}: {self.requests:,} requests>"

    @property
    def requests(self) -> int:
        """All requests to the model."""
        return sum(each.requests for each in self.suites)

    @property
    def usd(self) -> float | None:
        """The cost in US dollars, `None` where no price is known."""
        costs = [each.forecast.usd for each in self.suites]
        known = [each for each in costs if each is not None]
        return sum(known) if known and len(known) == len(costs) else None

    def lines(self) -> Iterator[str]:
        """The table, with totals, and what so many units can decide."""
        rows = [_HEAD, *(each.cells() for each in self.suites), self._total()]
        widths = [max(len(row[place]) for row in rows) for place in range(len(_HEAD))]
        yield f"{self.model}:"
        for row in rows:
            cells = [
                cell.ljust(width) if not place else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            yield "  " + "  ".join(cells).rstrip()
        if any(each.forecast.rate is None for each in self.suites):
            yield "  time: unknown without --rate N, in questions per second"
        cost = "unknown without --prices" if self.usd is None else f"{self.usd:,.2f} US dollars, without judges"
        yield f"  cost: {cost}"
        yield "  'finds from': the difference between two kinds of picture that is found with 80 % power below 80 %"
        yield from (f"  {each.short}: {each.decides}" for each in self.suites)

    def facts(self) -> dict[str, Json]:
        """The same as plain values."""
        rows = [dict(zip(_HEAD, each.cells(), strict=True)) | {"decides": each.decides} for each in self.suites]
        return {"model": self.model, "requests": self.requests, "usd": self.usd, "suites": rows}

    def _total(self) -> tuple[str, ...]:
        times = [each.seconds for each in self.suites]
        known = [each for each in times if each is not None]
        time = span(sum(known)) if len(known) == len(times) else "–"
        forecasts = [each.forecast for each in self.suites]
        counts = (
            sum(each.units for each in forecasts),
            self.requests,
            sum(each.pictures + each.clips for each in forecasts),
            sum(each.input_tokens for each in forecasts),
            sum(each.output_tokens for each in forecasts),
        )
        return ("in all", *(f"{each:,}" for each in counts), time, "")


def _smallest(effects: Sequence[Effect]) -> str:
    """The smallest drop from the usual rate that is found over all units."""
    found = next((each for each in effects if each.base == _BASE and each.correlation == _ALIKE), None)
    return "–" if found is None or found.points is None else f"{found.points:.0f} points"
