"""Model-free rates of replies: changes noticed, by context and strength, and contradictions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from veridical.stats import Cells
from veridical.suite.rates import contrast
from veridical.suites.viprobe.verdicts.counts import CHANGED, SAME, SAYS, Counts

Floats = NDArray[np.float64]

_TWICE = SAME * CHANGED
"""1 for pairs whose two answers contradict each other."""
_WHOLE = (SAME + CHANGED == 2).astype(float)
_FAVORED, _OTHER = SAYS.index("S."), SAYS.index("C.")
_STRONG = 2 / 3


class Points(NamedTuple):
    """A difference or rate in percentage points with its interval; None where undefined."""

    value: float | None
    low: float | None
    high: float | None

    def inside(self, bound: float) -> bool:
        """Whether the whole interval lies within ±`bound`."""
        return self.low is not None and self.high is not None and -bound <= self.low and self.high <= bound

    @property
    def around_zero(self) -> bool:
        """Whether the interval contains 0."""
        return self.low is not None and self.high is not None and self.low <= 0 <= self.high

    def __str__(self) -> str:
        if self.value is None:
            return "–"
        low, high = ("–" if end is None else f"{end:.0f}" for end in (self.low, self.high))
        return f"{self.value:.0f} [{low}, {high}]".replace("-", "−")


class Rates(NamedTuple):
    """Model-free rates, in percentage points.

    `gap`: changes noticed, controls − figures. `follow_control`, `follow_figure`: replies "changed", strongest third of
    changes − no change. `lost`: `follow_control` − `follow_figure`. `contradictory_control`, `contradictory_figure`:
    pairs that say both. `units`: number of base items. `sensitivity_control`, `sensitivity_figure`: upper bound of d'
    for the strongest third of changes, by `_most_sensitive`.
    """

    gap: Points
    follow_control: Points
    follow_figure: Points
    lost: Points
    contradictory_control: Points
    contradictory_figure: Points
    units: int
    sensitivity_control: float | None
    sensitivity_figure: float | None


def rates(control: Counts, figure: Counts, *, comparison: bool = False) -> Rates:
    """The rates over all cases of the counts, with intervals over base items within cases.

    In comparisons, a change is noticed if the target that has more is named, and `follow` runs from the strongest
    changes in one direction to those in the other.
    """
    parts = [(_chosen if comparison else _answers)(each) for each in (control, figure)]
    noticed = _cells(control, [sums for sums, _ in parts], [answers for _, answers in parts])
    follow = _points(noticed, (-1, 0, 1, 0, 0, 0)), _points(noticed, (0, 0, 0, -1, 0, 1))
    bases = [(sums[:, 0].sum(), answers[:, 0].sum()) for sums, answers in parts]
    most = [_most_sensitive(*base, each, comparison=comparison) for base, each in zip(bases, follow, strict=True)]
    pairs = [each.pairs.sum(1) for each in (control, figure)]
    twice = _cells(control, [(each @ _TWICE)[:, None] for each in pairs], [(each @ _WHOLE)[:, None] for each in pairs])
    return Rates(
        gap=_points(noticed, (0, 1, 0, 0, -1, 0)),
        follow_control=follow[0],
        follow_figure=follow[1],
        lost=_points(noticed, (-1, 0, 1, 1, 0, -1)),
        contradictory_control=_points(twice, (1, 0)),
        contradictory_figure=_points(twice, (0, 1)),
        units=len(control.case),
        sensitivity_control=most[0],
        sensitivity_figure=most[1],
    )


def _most_sensitive(false_alarms: float, answers: float, follow: Points, *, comparison: bool) -> float | None:
    """Upper bound of d' for strong changes, or None without answers or interval.

    The false-alarm rate is the share of "changed" without a change, with the log-linear correction (Hautus 1995). The
    hit rate is that rate plus the upper bound of `follow`, at most half an answer below 1. In comparisons, d' is
    divided by √2 (Green and Swets 1966).
    """
    if follow.high is None or not answers:
        return None
    half = 0.5 / (answers + 1)
    false_alarm_rate = (false_alarms + 0.5) / (answers + 1)
    hit_rate = min(max(false_alarm_rate + follow.high / 100, half), 1 - half)
    return float((ndtri(hit_rate) - ndtri(false_alarm_rate)) / (np.sqrt(2) if comparison else 1))


def _answers(counts: Counts) -> tuple[Floats, Floats]:
    """Answers "changed" and all answers of each base item: without a change, with any change, with a strong one."""
    size = np.abs(counts.alpha)
    strong = size >= _STRONG * size.max(1, keepdims=True)
    kinds = np.stack([size == 0, size > 0, strong & (size > 0)], -1)[counts.case].astype(float)
    tallies = [np.einsum("uc,uck->uk", counts.pairs @ weight, kinds) for weight in (CHANGED, SAME + CHANGED)]
    return tallies[0], tallies[1]


def _chosen(counts: Counts) -> tuple[Floats, Floats]:
    """The same of comparisons: favored target at strong negative α, correct at any α, favored at strong positive α."""
    size = np.abs(counts.alpha)
    strong = (size >= _STRONG * size.max(1, keepdims=True)) & (size > 0)
    kinds = np.stack([strong & (counts.alpha < 0), counts.alpha != 0, strong & (counts.alpha > 0)], -1)
    kinds = kinds[counts.case].astype(float)
    favored, answers = counts.pairs[..., _FAVORED], counts.pairs[..., _FAVORED] + counts.pairs[..., _OTHER]
    right = np.where(counts.alpha[counts.case] > 0, favored, answers - favored)
    sums = np.einsum("uc,uck->uk", favored, kinds)
    sums[:, 1] = (right * kinds[..., 1]).sum(1)
    return sums, np.einsum("uc,uck->uk", answers, kinds)


def _cells(counts: Counts, sums: list[Floats], rows: list[Floats]) -> Cells:
    return Cells(np.concatenate(sums, 1)[..., None], np.concatenate(rows, 1), counts.case)


def _points(data: Cells, weights: tuple[float, ...]) -> Points:
    used = np.array(weights) != 0
    if (data.rows.sum(0)[used] == 0).any():
        return Points(None, None, None)
    value, bounds = contrast(data, weights)
    return Points(value, bounds.low, bounds.high)
