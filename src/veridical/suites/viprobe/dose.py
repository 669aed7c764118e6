"""Psychometric functions: where a changed figure looks unchanged, and how finely its change is seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import polars as pl

from veridical.records import Estimate
from veridical.stats import Interval
from veridical.suites.viprobe.rates import Slice, slices
from veridical.suites.viprobe.replies import by_unit_and_level

if TYPE_CHECKING:
    from veridical.stats.fit import Fit
    from veridical.stats.likelihood import Fitted

_SAME = "same/different replies of both polarities over signed α; maximum likelihood, profile intervals by unit"


def same_different(planned: pl.DataFrame, said: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`PSE`, `JND`, `same_criterion` and `lapse` in units of α, per context over directed cases, and per case.

    Cases whose impression has no direction are in no pooled fit, since the sign of their α means nothing.
    """
    from veridical.stats.psychometric import fit_same_different

    for keys in (("context",), ("case", "context")):
        fitted, rows = planned, said
        if keys == ("context",):
            fitted, rows = (frame.filter(pl.col("directed")) for frame in (planned, said))
        for piece in slices(fitted, rows, keys, {}, note):
            fit = fit_same_different(*by_unit_and_level(piece.rows, "same"))
            parts = {"PSE": fit.mu, "JND": fit.jnd, "same_criterion": fit.criterion, "lapse": fit.lapse}
            yield from _of_fit(piece, parts, fit, _SAME)


def _of_fit(piece: Slice, parts: dict[str, Fitted], fit: Fit, method: str) -> Iterator[Estimate]:
    for metric, fitted in parts.items():
        unit = "proportion" if metric.startswith("lapse") else "alpha"
        yield _estimate(piece, metric, unit, method, fitted, fit.reason)


def _estimate(piece: Slice, metric: str, unit: str, method: str, fitted: Fitted, reason: str | None) -> Estimate:
    lacking = fitted.value is None or fitted.low is None or fitted.high is None
    why = f"not identified: {reason or 'the replies leave it open'}" if lacking else None
    return piece.estimate(metric, unit, method, fitted.value, Interval(fitted.low, fitted.high), why)
