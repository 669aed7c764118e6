"""What openings are made from: figures in words, the order of models, findings, small charts over levels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import polars as pl

from veridical.records import Counts, Estimate, Json
from veridical.suite.opening import Chart, ChartCurve, Finding, Reasons, Tone
from veridical.suite.results import Result, are_people, find


class StatedVerdict(Protocol):
    """A verdict as an opening needs it; see `Finding`."""

    @property
    def name(self) -> str: ...
    @property
    def sentence(self) -> str: ...
    @property
    def sure(self) -> str: ...
    @property
    def tone(self) -> Tone: ...
    @property
    def needs(self) -> tuple[str, ...]: ...


def percent(share: float) -> str:
    """A share in whole percent.

    >>> percent(0.667)
    '67 %'
    """
    return f"{share:.0%}".replace("%", " %")


def percent_of(estimate: Estimate) -> str:
    """A proportion that has a value in whole percent, with its interval where both sides are bounded."""
    value = percent(estimate.value or 0.0)
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} [{percent(estimate.low)}, {percent(estimate.high)}]"


def valued_estimate(result: Result, metric: str, where: Mapping[str, Json]) -> Estimate | None:
    """The estimate of a metric in a slice where it has a value; else `None`."""
    estimate = find(result, metric, where)
    return None if estimate is None or estimate.value is None else estimate


def best_first(results: Iterable[Result], metric: str, where: Mapping[str, Json]) -> list[Result]:
    """Models by the value of a metric in a slice, the highest first, those without a value last; then people alike."""

    def value(result: Result) -> tuple[bool, float]:
        estimate = find(result, metric, where)
        known = estimate is not None and estimate.value is not None
        return not are_people(result.model), (estimate.value or 0.0) if estimate and known else float("-inf")

    return sorted(results, key=value, reverse=True)


def levels_in(results: Iterable[Result], column: str) -> set[str]:
    """The levels of a column of the outcomes over all results."""
    return {level for result in results for level in result.outcomes[column].drop_nulls().unique()}


def stimuli_by_variant(rows: pl.DataFrame) -> dict[str, int]:
    """The number of stimuli of each picture or clip type."""
    return dict(rows.group_by("variant").agg(pl.col("stimulus").n_unique()).iter_rows())


def finding(
    result: Result,
    verdict: StatedVerdict,
    *,
    basis: str,
    rates: Iterable[tuple[Estimate | None, str]],
    reasons: Iterable[Reasons],
    chart: Chart | None = None,
    needs: Sequence[str] = (),
) -> Finding:
    """The finding of a run with a verdict; `needs` follow what the verdict names. See `Finding`."""
    return Finding(
        model=result.model,
        verdict=verdict.name,
        sentence=verdict.sentence,
        sure=verdict.sure,
        tone=verdict.tone,
        needs=(*verdict.needs, *needs),
        basis=basis,
        counts=Counts.of(result.outcomes),
        rates=tuple(rates),
        chart=chart,
        reasons=tuple(reasons),
    )


def chart_over(title: str, ends: tuple[str, str], curves: Mapping[str, Iterable[Estimate | None]]) -> Chart | None:
    """A chart of curves over levels at 0, 1, 2 ...; a curve needs two values, and `None` stands for no curve."""
    pieces = {
        name: tuple((float(x), each) for x, each in enumerate(curve) if each is not None and each.value is not None)
        for name, curve in curves.items()
    }
    drawn = tuple(ChartCurve(name, (piece,)) for name, piece in pieces.items() if len(piece) > 1)
    return Chart(title=title, curves=drawn, ends=ends) if drawn else None
