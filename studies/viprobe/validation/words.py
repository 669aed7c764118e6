"""Shares and promises as text."""

from __future__ import annotations

from veridical.stats import Interval


def percent(value: float, bounds: Interval) -> str:
    """A share and its interval in percent.

    >>> percent(0.945, Interval(0.931, 0.956))
    '94.5 [93.1, 95.6]'
    """
    low, high = bounds
    return f"{100 * value:.1f} [{100 * (low or 0.0):.1f}, {100 * (1.0 if high is None else high):.1f}]"


def promise(kept: bool) -> str:
    """Whether a promise is kept, as tables say it."""
    return "kept" if kept else "**missed**"
