"""The smallest effects that a plan shows, from how many units and questions it has."""

from __future__ import annotations

SHOWN, FOUND = 1.96, 0.84
"""Standard errors at which a test at 5 % shows an effect, and how many more it takes to do so in four of five runs."""
_CHANGED = 0.3
"""The share of answers that change between two ways of asking, in either direction."""
_ALIKE = 0.1
"""The correlation of changes within a unit."""


def smallest_effect(units: int, questions: float) -> float:
    """The effect of another way of asking, in points, that a test at 5 % shows in four of five runs.

    Three of ten answers change in either direction; the changes of a unit's `questions` are correlated by 0.1.

    >>> round(smallest_effect(40, 5), 1), round(smallest_effect(600, 10), 1)
    (12.8, 2.7)
    """
    variance = _CHANGED * (1 + (questions - 1) * _ALIKE) / (units * questions)
    return smallest_mean(variance**0.5, 1)


def smallest_mean(spread: float, units: float) -> float:
    """The mean, in points, that shows in four of five runs, of values with this spread (of 1) in so many units.

    >>> round(smallest_mean(0.35, 60), 1), round(smallest_mean(0.35, 400), 1)
    (12.7, 4.9)
    """
    return float(100 * (SHOWN + FOUND) * spread / units**0.5)
