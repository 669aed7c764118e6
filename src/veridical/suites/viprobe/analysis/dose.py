"""Psychometric functions: where a changed figure looks unchanged, how finely change is seen, and from where surely."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from veridical.records import SHARE, Counts, Estimate, Unit
from veridical.stats import Cells, FittedNumber, Interval
from veridical.suite.rates import RATE_METHOD
from veridical.suite.results import are_people
from veridical.suite.sensitivity import fitted_estimate
from veridical.suites.viprobe.analysis.measures import ALPHA, FACTOR_UNITS
from veridical.suites.viprobe.analysis.pairs import Slice, slice_of, slices
from veridical.suites.viprobe.analysis.replies import level_sums
from veridical.suites.viprobe.asking.settings import baseline, rows_where, with_settings

if TYPE_CHECKING:
    from veridical.stats import Fit

_CHOICE = "comparisons over signed α; maximum likelihood, profile intervals by unit"
_SHIFT = "PSE on controls − PSE on figures, from comparisons; maximum likelihood, profile intervals by unit"
_SAME = "same/different replies of both polarities over signed α; maximum likelihood, profile intervals by unit"


def same_different(planned: pl.DataFrame, answered: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`PSE`, `JND`, `same_criterion` and `lapse` in units of α, per context over directed cases, and per case.

    Cases whose impression has no direction are in no pooled fit, since the sign of their α means nothing.
    """
    from veridical.stats import fit_same_different

    for keys in (("context",), ("case", "context")):
        fitted, rows = planned, answered
        if keys == ("context",):
            fitted, rows = (frame.filter(pl.col("directed")) for frame in (planned, answered))
        for piece in slices(fitted, rows, keys, {}, note):
            fit = fit_same_different(*level_sums(piece.rows, "same"))
            parts = {"PSE": fit.mu, "JND": fit.jnd, "same_criterion": fit.criterion, "lapse": fit.lapse}
            yield from _of_fit(piece, parts, fit, _SAME)


def comparisons(planned: pl.DataFrame, chosen: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`PSE_choice` per case x context, and the size of each illusion.

    `illusion_size` is how much nearer to the inducers' side the point of subjective equality lies on figures than on
    controls, in units of α: positive where the impression works on the observer as on people.
    `illusion_size_in_units` is that in the factor's own unit, at the mean scale of the case's pictures.
    """
    from veridical.stats import fit_sigmoid, shift

    for piece in slices(planned, chosen, ("case", "context"), {}, note):
        fit = fit_sigmoid(*level_sums(piece.rows, "favoured"))
        yield from _of_fit(piece, {"PSE_choice": fit.mu}, fit, _CHOICE)
    both = chosen.filter(pl.col("context").is_in(["figure", "control"]))
    for piece in slices(planned, both, ("case",), {}, note):
        sides = [piece.rows.filter(pl.col("context") == context) for context in ("figure", "control")]
        if any(side.is_empty() for side in sides):
            continue
        figure, control = (fit_sigmoid(*level_sums(side, "favoured")) for side in sides)
        paired = set(sides[0]["unit"]) == set(sides[1]["unit"])
        reason = figure.reason or control.reason
        size = _scaled(shift(figure, control, paired=paired), -1.0)
        yield _estimate(piece, "illusion_size", ALPHA, _SHIFT, size, reason)
        scale = piece.rows.filter(pl.col("alpha") != 0).select((pl.col("value") / pl.col("alpha")).abs().mean()).item()
        if scale is not None:
            unit = FACTOR_UNITS[str(piece.rows["factor_unit"].drop_nulls().first())]
            yield _estimate(piece, "illusion_size_in_units", unit, _SHIFT, _scaled(size, scale), reason)


def _scaled(fitted: FittedNumber, factor: float) -> FittedNumber:
    value, *bounds = (None if part is None else part * factor for part in fitted)
    low, high = bounds if factor > 0 else reversed(bounds)
    return FittedNumber(value, low, high)


def _of_fit(piece: Slice, parts: dict[str, FittedNumber], fit: Fit, method: str) -> Iterator[Estimate]:
    for metric, fitted in parts.items():
        unit = SHARE if metric == "lapse" else ALPHA
        yield _estimate(piece, metric, unit, method, fitted, fit.reason)


def _estimate(piece: Slice, metric: str, unit: Unit, method: str, fitted: FittedNumber, reason: str | None) -> Estimate:
    lacking = f"not identified: {_in_words(reason or 'the replies leave it open')}"
    return fitted_estimate(piece, metric, unit, method, fitted, lacking)


def _in_words(reason: str) -> str:
    """The reason of a fit with its parameters as the tables have them; the JND is a multiple of sigma."""
    return re.sub(r"\bsigma\b", "JND", re.sub(r"\bmu\b", "PSE", reason))


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
    rows = baseline(rows_where(with_settings(outcomes), pl.col("task") == "yes-no"))[0]
    planned = rows.filter((pl.col("variant") == "P") & pl.col("gold").is_not_null() & (pl.col("alpha") != 0))
    by_case = planned.partition_by("case", maintain_order=True)
    return [_threshold(piece, criterion) for piece in by_case]


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
    unbroken = takewhile(lambda pair: pair[1], zip(reversed(scale), reversed(holds), strict=True))
    return min((value for value, _ in unbroken), default=None)


def _threshold(planned: pl.DataFrame, criterion: float) -> Estimate:
    people = are_people(str(planned["model"][0]))
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
    method = (
        f"smallest |α| from which on at least {criterion:.0%} are detected; "
        f"{clusters} {'people' if people else 'units'}, {pictures} pictures; {RATE_METHOD}"
    )
    known = value is not None
    bounds = Interval(low if known and low != strengths[0] else None, high if known else None)
    piece = slice_of({"case": str(planned["case"][0])}, replies, Counts.of(planned))
    reason = "; ".join(reasons) or None
    return replace(piece.estimate("detection_threshold", ALPHA, method, value, bounds, reason), n_units=clusters)
