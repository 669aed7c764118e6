"""What a verdict is made of: conclusions on single questions, figures looked up by slice, and numbers in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from veridical.records import POINTS, Estimate, Json
from veridical.suite.opening import Tone
from veridical.suite.results import index_by_slice

_WIDER = 4 / 3
"""How much wider an interval of 99 % is than one of 95 %, of few units."""
_NORMAL_99 = 2.5758
"""Half an interval of 99 % of a normal law, in standard deviations."""


class Conclusion(NamedTuple):
    """What is concluded of one question: its name, a sentence, its tone, and what would decide it."""

    name: str
    sentence: str
    tone: Tone
    needs: tuple[str, ...] = ()


class RunVerdict(NamedTuple):
    """A verdict on a run, what it means in a sentence, what it rests on, its tone, and what would decide it.

    `parts` are the conclusions that it is made of.
    """

    name: str
    sentence: str
    sure: str
    tone: Tone
    needs: tuple[str, ...] = ()
    parts: tuple[Conclusion, ...] = ()


class BoundedFigure(NamedTuple):
    """A figure with its interval, as shares of 1, and the share of its replies or verdicts that are missing."""

    value: float
    low: float
    high: float
    missing: float = 0.0

    @classmethod
    def of(cls, estimate: Estimate | None) -> BoundedFigure | None:
        """An estimate that has a value and both bounds; points become shares."""
        if estimate is None or estimate.value is None or estimate.low is None or estimate.high is None:
            return None
        scale, counts = 0.01 if estimate.unit == POINTS else 1.0, estimate.counts
        missing = 1 - counts.answered / counts.planned if counts.planned else 0.0
        return cls(scale * estimate.value, scale * estimate.low, scale * estimate.high, missing)

    def inside(self, margin: float) -> bool:
        """Whether the whole interval is within a margin of 0."""
        return -margin < self.low and self.high < margin

    def above(self, limit: float) -> bool:
        """Whether the interval is above a limit, and would be if it were wider: that of about 99 %."""
        return self.value - _WIDER * (self.value - self.low) > limit

    def below(self, limit: float) -> bool:
        """Whether the interval is below a limit, and would be if it were wider: that of about 99 %.

        >>> BoundedFigure(0.0, -0.1, 0.1).below(0.12), BoundedFigure(0.0, -0.1, 0.1).below(0.15)
        (False, True)
        """
        return self.value + _WIDER * (self.high - self.value) < limit

    def p_below(self, limit: float) -> float:
        """The one-sided p-value against being at a limit or above it, by the normal law of an interval of 99 %.

        >>> round(BoundedFigure(0.0, -0.1, 0.1).p_below(0.15), 4)
        0.0019
        """
        return _upper_tail(limit - self.value, self.high - self.value)

    def p_above(self, limit: float) -> float:
        """The one-sided p-value against being at a limit or below it."""
        return _upper_tail(self.value - limit, self.value - self.low)

    def reversed(self) -> BoundedFigure:
        """The same of the opposite difference."""
        return BoundedFigure(-self.value, -self.high, -self.low, self.missing)

    def __str__(self) -> str:
        return interval_text(100 * self.value, 100 * self.low, 100 * self.high)


def _upper_tail(distance: float, half: float) -> float:
    """The share of a normal law beyond a distance, its standard deviation that of half an interval of 95 %, widened."""
    if half <= 0:
        return float(distance <= 0)
    return 0.5 * math.erfc(distance * _NORMAL_99 / (_WIDER * half) / math.sqrt(2))


def interval_text(value: float, low: float, high: float, digits: int = 0) -> str:
    """A number with its interval.

    >>> interval_text(0.204, -0.1, 0.3, digits=2)
    '0.20 [−0.10, 0.30]'
    """
    value, low, high = (round(each, digits) + 0.0 for each in (value, low, high))  # no zero has a sign
    return f"{value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]".replace("-", "−")


class Figures:
    """The estimates of a run by metric and slice."""

    def __init__(self, estimates: Sequence[Estimate]) -> None:
        self.estimates = estimates
        self._by_slice = index_by_slice(estimates)

    def estimate(self, metric: str, **where: Json) -> Estimate | None:
        """The estimate in a slice, whether it has a value or not."""
        return self._by_slice.get((metric, frozenset(where.items())))

    def get(self, metric: str, **where: Json) -> BoundedFigure | None:
        """The figure in a slice, if it has a value and both bounds; points become shares."""
        return BoundedFigure.of(self.estimate(metric, **where))


def more(what: str, here: int, named_from: Mapping[str, int]) -> str:
    """What an open verdict needs: more units, with how many these are and how many named simulated observers.

    >>> more("units", 12, {"sees": 56, "at chance": 28})
    'more units (12 here; simulated observers are named from 28 to 56 on)'
    >>> more("units", 80, {"sees": 56, "at chance": 28})
    'more units than these 80'
    """
    least, most = min(named_from.values(), default=0), max(named_from.values(), default=0)
    if here >= most:
        return f"more {what} than these {here:,}"
    return f"more {what} ({here:,} here; simulated observers are named from {least:,} to {most:,} on)"


def named_lines(units: int, named_from: Mapping[str, int]) -> Iterator[str]:
    """The lines of a plan on which verdicts so many units suffice for; nothing where no number is known.

    >>> list(named_lines(30, {"sees": 56, "at chance": 28}))[1:]
    ['  at chance: from 28 units on', '  sees: from 56 units on; here 30']
    """
    if named_from:
        yield "units that a verdict takes (four of five simulated runs of such an observer are given it):"
    for name, needed in sorted(named_from.items(), key=lambda each: each[1]):
        yield f"  {name}: from {needed:,} units on{f'; here {units:,}' if units < needed else ''}"


def sentence_of(parts: Iterable[str]) -> str:
    """What a verdict rests on as one sentence."""
    line = "; ".join(parts)
    return f"{line[:1].upper()}{line[1:]}." if line else "Nothing to rest on."
