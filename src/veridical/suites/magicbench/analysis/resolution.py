"""What a plan can measure: the smallest effect of a lie on seeing that its clips show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from veridical.records import Trial
from veridical.suites.magicbench.analysis.rows import TRICKS
from veridical.suites.magicbench.asking.cells import EXPLAIN, PROBE, VISION_ONLY

_SHOWN, _FOUND = 1.96, 0.84
_CHANGED = 0.3
"""The share of probes whose answer changes from right to wrong or back between two kinds of words."""
_ALIKE = 0.1
"""The correlation of changes within a clip."""
_SPREAD = 0.35
"""The standard deviation of the difference of two marks of a clip, of 1."""


def smallest_effect(clips: int, probes: float) -> float:
    """The effect of words on seeing, in points, that a test at 5 % shows in four of five runs.

    Three of ten answers change in either direction; the changes of a clip's `probes` are correlated by 0.1.

    >>> round(smallest_effect(60, 10), 1), round(smallest_effect(600, 10), 1)
    (8.6, 2.7)
    """
    variance = _CHANGED * (1 + (probes - 1) * _ALIKE) / (clips * probes)
    return float(100 * (_SHOWN + _FOUND) * variance**0.5)


def smallest_gain(clips: int) -> float:
    """The spotlight gain or agency loss, in points of a mark, that shows in four of five runs.

    >>> round(smallest_gain(60), 1), round(smallest_gain(400), 1)
    (12.7, 4.9)
    """
    return float(100 * (_SHOWN + _FOUND) * _SPREAD / clips**0.5)


def resolution(pieces: Iterable[tuple[Sequence[Trial], int]]) -> Iterator[str]:
    """Lines for a plan that asks without words and with them; nothing where one of both lacks."""
    clips: dict[str, int] = {PROBE: 0, EXPLAIN: 0}
    probes, stances = 0, set()
    for trials, times in pieces:
        own = [trial for trial in trials if trial.variant in TRICKS]
        stances |= {trial.settings.get("stance") for trial in own}
        for task in clips:
            mine = [t for t in own if t.settings.get("task") == task and t.settings.get("stance") == VISION_ONLY]
            clips[task] += times * len({trial.stimulus for trial in mine})
            probes += times * len(mine) if task == PROBE else 0
    if len(stances) < 2:
        return
    if clips[PROBE]:
        each = probes / clips[PROBE]
        yield (
            f"probes: an effect of words of {smallest_effect(clips[PROBE], each):.0f} points or more on seeing shows "
            f"in four of five runs ({clips[PROBE]:,} tricks, {probes:,} probes)"
        )
    if clips[EXPLAIN]:
        yield (
            f"explanations: a spotlight gain or an agency loss of {smallest_gain(clips[EXPLAIN]):.0f} points or more "
            f"in marks shows in four of five runs ({clips[EXPLAIN]:,} tricks)"
        )
