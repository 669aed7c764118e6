"""What a plan can measure: the smallest gap of the two layers that its clips show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from veridical.records import Trial
from veridical.suites.hocabench.asking.readers import DESCRIPTION, DOMAIN, EXPLAINED
from veridical.suites.hocabench.taxonomy import LAYERS

_SHOWN, _FOUND = 1.96, 0.84
_SPREAD = 0.25
"""The variance of a right or wrong answer at an accuracy of one half, where it is largest."""


def smallest_gap(ontological: int, causal: int) -> float:
    """The gap of two layers, in points, that a test at 5 % shows in four of five runs, from the units of each.

    It is that at accuracies around one half; repeats of a unit do not count.

    >>> round(smallest_gap(254, 376), 1), round(smallest_gap(12, 24), 1)
    (11.4, 49.5)
    """
    return float(100 * (_SHOWN + _FOUND) * (_SPREAD * (1 / ontological + 1 / causal)) ** 0.5)


def resolution(pieces: Iterable[tuple[Sequence[Trial], int]]) -> Iterator[str]:
    """Lines for a plan: the smallest gap of the layers in Tasks II to IV; nothing where one of the layers lacks."""
    units: Counter[tuple[str, str]] = Counter()
    for trials, times in pieces:
        different = {(trial.settings.get("task"), trial.factors.get("layer"), trial.unit) for trial in trials}
        for task, layer, _ in different:
            units[str(task), str(layer)] += times
    for task in (DOMAIN, DESCRIPTION, EXPLAINED):
        own = [units[task, layer] for layer in LAYERS]
        if all(own):
            yield (
                f"{task}: a gap of {smallest_gap(*own):.0f} points or more between the layers shows in four of five "
                f"runs ({own[0]:,} ontological and {own[1]:,} causal clips)"
            )
