"""The smallest change that is seen: where on the scale of strengths detection is as good as certain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from veridical.records import Counts, Estimate
from veridical.stats import Cells, Interval
from veridical.suite.rates import RATE_METHOD
from veridical.suite.results import PEOPLE
from veridical.suites.viprobe.analysis.measures import ALPHA
from veridical.suites.viprobe.asking.settings import baseline, with_settings

CRITERION = 0.95


class Level(NamedTuple):
    """One strength without its sign, the rate of detection there, and the 95 % interval of the rate."""

    alpha: float
    rate: float
    bounds: Interval


def detection_threshold(outcomes: pl.DataFrame, *, criterion: float = CRITERION) -> list[Estimate]:
    """Per case the smallest tested |alpha| from which on perturbed figures are seen to be changed, as good as always.

    Detected is a reply to a yes-no question that amounts to "different", of all such replies to pictures of variant P,
    both signs and both polarities together; no answer is no detection. From the threshold on, each strength has at
    least `criterion` (0 to 1) of them. Its interval has as ends the strengths from which on that could be so, and from
    which on it is sure, by the 95 % intervals of the rates; clusters are participants in a run of people, else units.
    Without a bound where the smallest strength could do already, or none is sure; `None` where none does.
    """
    if not 0 < criterion <= 1:
        raise ValueError(f"criterion {criterion}: above 0, up to 1 is allowed")
    rows = baseline(with_settings(outcomes).filter(pl.col("task") == "yes-no"))[0]
    planned = rows.filter((pl.col("variant") == "P") & pl.col("gold").is_not_null() & (pl.col("alpha") != 0))
    by_case = planned.partition_by("case", maintain_order=True)
    return [_estimate(piece, criterion) for piece in by_case]


def levels(replies: pl.DataFrame, cluster: str) -> list[Level]:
    """The strengths of asked replies in ascending order, with the rate of right answers and its interval.

    `cluster` names the column of what replies are clustered by; each has one or more at some of the strengths.
    """
    strengths, at = np.unique(replies["alpha"].abs().round(4).to_numpy(), return_inverse=True)
    names, by = np.unique(replies[cluster].to_numpy(), return_inverse=True)
    rows = np.zeros((len(names), len(strengths)))
    sums = np.zeros((len(names), len(strengths), 1))
    np.add.at(rows, (by, at), 1)
    detected = (replies["status"] == "answered") & replies["correct"]
    np.add.at(sums[..., 0], (by, at), detected.fill_null(value=False).to_numpy())
    data = Cells(sums, rows, np.zeros(len(names), np.int64))
    rates = zip(*(each.tolist() for each in data.measured.cells), strict=True)
    return [Level(float(a), value, Interval(low, high)) for a, (value, low, high) in zip(strengths, rates, strict=True)]


def from_which_on(scale: Sequence[float], holds: Sequence[bool]) -> float | None:
    """The smallest value of an ascending scale from which on something holds; `None` where it does not at the end.

    >>> from_which_on([0.2, 0.4, 0.6, 0.8], [True, False, True, True])
    0.6
    """
    least = None
    for value, so in zip(reversed(scale), reversed(holds), strict=True):
        if not so:
            break
        least = value
    return least


def _estimate(planned: pl.DataFrame, criterion: float) -> Estimate:
    people = str(planned["model"][0]).startswith(PEOPLE)
    cluster = "repeat" if people else "unit"
    replies = planned.filter(pl.col("status").is_not_null())
    clusters, pictures = replies[cluster].n_unique(), replies["stimulus"].n_unique()
    scale = levels(replies, cluster) if len(replies) else []
    strengths = [level.alpha for level in scale]
    value = from_which_on(strengths, [level.rate >= criterion for level in scale])
    low = from_which_on(strengths, [(level.bounds.high or 0.0) >= criterion for level in scale])
    high = from_which_on(strengths, [(level.bounds.low or 0.0) >= criterion for level in scale])
    reasons = []
    if not scale:
        reasons.append("no reply to a perturbed figure with a strength")
    elif value is None:
        reasons.append(f"at the largest strength, {strengths[-1]:g}, {scale[-1].rate:.1%} are detected")
    else:
        reasons += ["no lower bound: the smallest strength could do"] if low == strengths[0] else []
        reasons += [f"no upper bound: {clusters} {'people' if people else 'units'} are too few"] if high is None else []
    return Estimate(
        suite=str(planned["suite"][0]),
        metric="detection_threshold",
        slice={"case": str(planned["case"][0])},
        value=value,
        low=None if value is None or low == strengths[0] else low,
        high=None if value is None else high,
        unit=ALPHA,
        n_units=clusters,
        counts=Counts.of(planned),
        method=(
            f"smallest |α| from which on at least {criterion:.0%} are detected; "
            f"{clusters} {'people' if people else 'units'}, {pictures} pictures; {RATE_METHOD}"
        ),
        reason="; ".join(reasons) or None,
    )
