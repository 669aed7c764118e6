"""Plain rates of replies, beside the models: what is seen of changes, by context and strength, and contradictions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.stats import Cells
from veridical.suite.rates import contrast
from veridical.suites.viprobe.verdicts.counts import CHANGED, SAME, SAYS, Counts

Floats = NDArray[np.float64]

_TWICE = SAME * CHANGED
"""Of pairs whose two answers contradict each other."""
_WHOLE = (SAME + CHANGED == 2).astype(float)
_FAVORED, _OTHER = SAYS.index("S."), SAYS.index("C.")
_STRONG = 2 / 3


class Points(NamedTuple):
    """A difference or rate in percentage points with its interval, or nothing where it cannot be had."""

    value: float | None
    low: float | None
    high: float | None

    def inside(self, bound: float) -> bool:
        """Whether the whole interval lies within the bound on both sides of 0."""
        return self.low is not None and self.high is not None and -bound <= self.low and self.high <= bound

    def __str__(self) -> str:
        if self.value is None:
            return "–"
        low, high = ("–" if end is None else f"{end:.0f}" for end in (self.low, self.high))
        return f"{self.value:.0f} [{low}, {high}]".replace("-", "−")


class Rates(NamedTuple):
    """What replies say without a model, all in points.

    `gap`: changes noticed in controls less in figures. `follow_control`, `follow_figure`: replies "changed" to the
    strongest third of changes less to none. `lost`: the latter two's difference. `contradictory_control`,
    `contradictory_figure`: pairs that say both. `units` is how many base items they are of.
    """

    gap: Points
    follow_control: Points
    follow_figure: Points
    lost: Points
    contradictory_control: Points
    contradictory_figure: Points
    units: int


def rates(control: Counts, figure: Counts, *, comparison: bool = False) -> Rates:
    """The rates of some cases, with intervals over base items within cases.

    In a comparison a change is noticed where the target is named that has more, and answers follow it from the
    strongest changes one way to those the other way.
    """
    parts = [(_chosen if comparison else _answers)(each) for each in (control, figure)]
    said = _cells(control, [sums for sums, _ in parts], [asked for _, asked in parts])
    pairs = [each.pairs.sum(1) for each in (control, figure)]
    twice = _cells(control, [(each @ _TWICE)[:, None] for each in pairs], [(each @ _WHOLE)[:, None] for each in pairs])
    return Rates(
        gap=_points(said, (0, 1, 0, 0, -1, 0)),
        follow_control=_points(said, (-1, 0, 1, 0, 0, 0)),
        follow_figure=_points(said, (0, 0, 0, -1, 0, 1)),
        lost=_points(said, (-1, 0, 1, 1, 0, -1)),
        contradictory_control=_points(twice, (1, 0)),
        contradictory_figure=_points(twice, (0, 1)),
        units=len(control.case),
    )


def _answers(counts: Counts) -> tuple[Floats, Floats]:
    """Answers "changed" and all answers of each base item, without a change, with any, and with a strong one."""
    size = np.abs(counts.alpha)
    strong = size >= _STRONG * size.max(1, keepdims=True)
    kinds = np.stack([size == 0, size > 0, strong & (size > 0)], -1)[counts.case].astype(float)
    found = [np.einsum("uc,uck->uk", counts.pairs @ weight, kinds) for weight in (CHANGED, SAME + CHANGED)]
    return found[0], found[1]


def _chosen(counts: Counts) -> tuple[Floats, Floats]:
    """Of comparisons: favored targets at strong negative strengths, right answers at any, favored at strong ones."""
    size = np.abs(counts.alpha)
    strong = (size >= _STRONG * size.max(1, keepdims=True)) & (size > 0)
    kinds = np.stack([strong & (counts.alpha < 0), counts.alpha != 0, strong & (counts.alpha > 0)], -1)
    kinds = kinds[counts.case].astype(float)
    favored, asked = counts.pairs[..., _FAVORED], counts.pairs[..., _FAVORED] + counts.pairs[..., _OTHER]
    right = np.where(counts.alpha[counts.case] > 0, favored, asked - favored)
    sums = np.einsum("uc,uck->uk", favored, kinds)
    sums[:, 1] = (right * kinds[..., 1]).sum(1)
    return sums, np.einsum("uc,uck->uk", asked, kinds)


def _cells(counts: Counts, sums: list[Floats], rows: list[Floats]) -> Cells:
    return Cells(np.concatenate(sums, 1)[..., None], np.concatenate(rows, 1), counts.case)


def _points(data: Cells, weights: tuple[float, ...]) -> Points:
    used = np.array(weights) != 0
    if (data.rows.sum(0)[used] == 0).any():
        return Points(None, None, None)
    value, bounds = contrast(data, weights)
    return Points(value, bounds.low, bounds.high)
