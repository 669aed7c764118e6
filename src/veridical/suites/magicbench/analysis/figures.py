"""The figures of a run by metric and slice, as a verdict takes them: all as shares, with whole intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from veridical.records import POINTS, Estimate, Json

WIDER = 4 / 3
"""How much wider an interval of 99 % is than one of 95 %, of few units."""


class Bounds(NamedTuple):
    """A figure with its interval, as shares of 1, and the share of its replies or verdicts that are missing."""

    value: float
    low: float
    high: float
    missing: float

    def __str__(self) -> str:
        return f"{100 * self.value:.0f} [{100 * self.low:.0f}, {100 * self.high:.0f}]".replace("-", "−")

    def inside(self, margin: float) -> bool:
        """Whether the whole interval is within a margin of 0."""
        return -margin < self.low and self.high < margin

    def above(self, limit: float) -> bool:
        """Whether the interval is above a limit, and would be if it were wider: that of about 99 %."""
        return self.value - WIDER * (self.value - self.low) > limit

    def below(self, limit: float) -> bool:
        """Whether the interval is below a limit, and would be if it were wider: that of about 99 %.

        >>> Bounds(0.0, -0.1, 0.1, 0.0).below(0.12), Bounds(0.0, -0.1, 0.1, 0.0).below(0.15)
        (False, True)
        """
        return self.value + WIDER * (self.high - self.value) < limit


class Figures:
    """The estimates of a run by metric and slice."""

    def __init__(self, estimates: Sequence[Estimate]) -> None:
        self._by_slice = {(each.metric, frozenset(each.slice.items())): each for each in reversed(estimates)}

    def get(self, metric: str, **where: Json) -> Bounds | None:
        """The figure in a slice, if it has a value and both bounds; points become shares."""
        each = self._by_slice.get((metric, frozenset(where.items())))
        if each is None or each.value is None or each.low is None or each.high is None:
            return None
        scale = 0.01 if each.unit == POINTS else 1.0
        counts = each.counts
        missing = 1 - counts.answered / counts.planned if counts.planned else 0.0
        return Bounds(scale * each.value, scale * each.low, scale * each.high, missing)
