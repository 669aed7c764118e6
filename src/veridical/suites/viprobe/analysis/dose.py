"""Psychometric functions: where a changed figure looks unchanged, and how finely its change is seen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import polars as pl

from veridical.records import SHARE, Estimate, Unit
from veridical.stats import Fitted, Interval
from veridical.suites.viprobe.analysis.measures import ALPHA, FACTOR_UNITS
from veridical.suites.viprobe.analysis.pairs import Slice, slices
from veridical.suites.viprobe.analysis.replies import by_unit_and_level

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
            fit = fit_same_different(*by_unit_and_level(piece.rows, "same"))
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
        fit = fit_sigmoid(*by_unit_and_level(piece.rows, "favoured"))
        yield from _of_fit(piece, {"PSE_choice": fit.mu}, fit, _CHOICE)
    both = chosen.filter(pl.col("context").is_in(["figure", "control"]))
    for piece in slices(planned, both, ("case",), {}, note):
        sides = [piece.rows.filter(pl.col("context") == context) for context in ("figure", "control")]
        if any(side.is_empty() for side in sides):
            continue
        figure, control = (fit_sigmoid(*by_unit_and_level(side, "favoured")) for side in sides)
        paired = set(sides[0]["unit"]) == set(sides[1]["unit"])
        reason = figure.reason or control.reason
        size = _scaled(shift(figure, control, paired=paired), -1.0)
        yield _estimate(piece, "illusion_size", ALPHA, _SHIFT, size, reason)
        scale = piece.rows.filter(pl.col("alpha") != 0).select((pl.col("value") / pl.col("alpha")).abs().mean()).item()
        if scale is not None:
            unit = FACTOR_UNITS[str(piece.rows["factor_unit"].drop_nulls().first())]
            yield _estimate(piece, "illusion_size_in_units", unit, _SHIFT, _scaled(size, scale), reason)


def _scaled(fitted: Fitted, factor: float) -> Fitted:
    value, *bounds = (None if part is None else part * factor for part in fitted)
    low, high = bounds if factor > 0 else reversed(bounds)
    return Fitted(value, low, high)


def _of_fit(piece: Slice, parts: dict[str, Fitted], fit: Fit, method: str) -> Iterator[Estimate]:
    for metric, fitted in parts.items():
        unit = SHARE if metric == "lapse" else ALPHA
        yield _estimate(piece, metric, unit, method, fitted, fit.reason)


def _estimate(piece: Slice, metric: str, unit: Unit, method: str, fitted: Fitted, reason: str | None) -> Estimate:
    why = None if fitted.identified else f"not identified: {_in_words(reason or 'the replies leave it open')}"
    return piece.estimate(metric, unit, method, fitted.value, Interval(fitted.low, fitted.high), why)


def _in_words(reason: str) -> str:
    """The reason of a fit with its parameters as the tables have them; the JND is a multiple of sigma."""
    return re.sub(r"\bsigma\b", "JND", re.sub(r"\bmu\b", "PSE", reason))
