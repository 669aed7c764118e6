"""What a plan can measure: the smallest effect of a view on right answers that its scenes show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from veridical.records import Trial
from veridical.suites.magic.analysis.rows import ALL_BOXES
from veridical.suites.magic.asking.trials import VIEWS

_SHOWN, _FOUND = 1.96, 0.84
_CHANGED = 0.3
"""The share of questions whose answer changes between two views, in either direction."""
_ALIKE = 0.1
"""The correlation of changes within a scene."""


def smallest_effect(units: int, questions: float) -> float:
    """The effect of a view, in points, that a test at 5 % shows in four of five runs.

    Three of ten answers change in either direction; the changes of a scene's `questions` are correlated by 0.1.

    >>> round(smallest_effect(40, 5), 1), round(smallest_effect(200, 5), 1)
    (12.8, 5.7)
    """
    variance = _CHANGED * (1 + (questions - 1) * _ALIKE) / (units * questions)
    return float(100 * (_SHOWN + _FOUND) * variance**0.5)


def resolution(pieces: Iterable[tuple[Sequence[Trial], int]]) -> Iterator[str]:
    """A line for a plan that asks in several views: the smallest effect that they show; else nothing."""
    units = questions = 0
    views: set[str] = set()
    for trials, times in pieces:
        views |= {str(trial.settings.get("view")) for trial in trials}
        shown = [trial for trial in trials if trial.settings.get("view") == ALL_BOXES]
        units += times * len({trial.unit for trial in shown})
        questions += times * len({trial.stimulus for trial in shown})
    if units and len(views & set(VIEWS)) > 1:
        yield (
            f"views: a change of {smallest_effect(units, questions / units):.0f} points or more in right answers shows "
            f"in four of five runs ({units:,} scenes, {questions:,} questions)"
        )
