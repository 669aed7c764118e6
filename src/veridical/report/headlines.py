"""Headline metrics with their place on an axis, which the unit of each makes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from veridical.base.format import format_number
from veridical.records import Estimate, Measure, Unit
from veridical.suite.record import Suite
from veridical.suite.results import Result


@dataclass(frozen=True)
class Whisker:
    """A value and its interval on the axis, in percent of its length; `None` for a side without bound."""

    dot: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class HeadlineRow:
    """One run's headline: its estimate, or `None` where the suite made none."""

    run: str
    estimate: Estimate | None
    whisker: Whisker | None


@dataclass(frozen=True)
class Headline:
    """One metric for all runs on one axis; `ticks` are positions in percent with their labels."""

    metric: str
    spelled: str
    definition: str
    source: str
    methods: tuple[str, ...]
    ticks: tuple[tuple[float, str], ...]
    reference: float | None
    rows: tuple[HeadlineRow, ...]


def headlines(suite: Suite, results: Sequence[Result], runs: Sequence[str]) -> list[Headline]:
    """One headline for each of the suite's headline metrics that any run has over everything (slice `{}`)."""
    views = []
    for metric in suite.analysis.headline:
        estimates = [next((e for e in each.estimates if e.metric == metric and not e.slice), None) for each in results]
        present = [estimate for estimate in estimates if estimate is not None]
        if not present:
            continue
        unit = present[0].unit
        low, high = axis(unit, (x for e in present for x in (e.value, e.low, e.high) if x is not None))
        measure = suite.analysis.measures.get(metric)
        views.append(
            Headline(
                metric=measure.title if measure else metric,
                spelled=measure.spelled if measure else "",
                definition=_definition(measure) if measure else "",
                source=measure.source if measure else "",
                methods=tuple(dict.fromkeys(f"{e.method}, {100 * e.level:g} % interval" for e in present)),
                ticks=tuple((_place(mark, low, high), _tick(mark, unit)) for mark in marks(low, high, unit.neutral)),
                reference=None if unit.neutral is None else _place(unit.neutral, low, high),
                rows=tuple(HeadlineRow(run, e, _whisker(e, low, high)) for run, e in zip(runs, estimates, strict=True)),
            )
        )
    return views


def _definition(measure: Measure) -> str:
    better = f"{measure.better.capitalize()} is better." if measure.better else ""
    return " ".join(part for part in (measure.definition, better) if part)


def axis(unit: Unit, values: Iterable[float]) -> tuple[float, float]:
    """The ends of an axis that holds the values: what the unit bounds, else round numbers, its neutral value inside.

    >>> from veridical.records import POINTS, PROPORTION, RATIO
    >>> axis(PROPORTION, [0.2]), axis(POINTS, [-3.2, 12.0]), axis(RATIO, [4.0])
    ((0.0, 1.0), (-20.0, 20.0), (0.0, 5.0))
    """
    finite = [value for value in values if math.isfinite(value)]
    least, most = min(finite, default=0.0), max(finite, default=0.0)
    low, high, middle = unit.low, unit.high, unit.neutral
    if low is None and high is None and middle is not None:
        reach = _round(max(most - middle, middle - least), unit)
        return middle - reach, middle + reach
    if high is None:
        high = max(_round(most, unit), 0.0 if middle is None else 2 * middle - (low or 0.0))
    if low is None:
        low = min(-_round(-least, unit) if least < 0 else 0.0, high if middle is None else 2 * middle - high)
    return (low, high) if low < high else (low, low + 1 / unit.scale)


def _round(value: float, unit: Unit) -> float:
    """The least of 1, 2, 5, 10, 20 ... and of their tenths, hundredths ..., as the unit shows them, that reaches it."""
    shown = value * unit.scale
    if shown <= 0:
        return 1 / unit.scale
    power = math.floor(math.log10(shown))
    steps = (step * 10.0**exponent for exponent in (power, power + 1) for step in (1, 2, 5))
    return next((step for step in steps if step >= shown * (1 - 1e-12)), shown) / unit.scale


def marks(low: float, high: float, reference: float | None) -> list[float]:
    """What is marked on an axis: its ends and the reference, or its middle; no end whose label that of the other hides.

    >>> marks(0, 2, 1), marks(0, 100, 1)
    ([0, 1, 2], [1, 100])
    """
    middle = (low + high) / 2 if reference is None else reference
    ends = [end for end in (low, high) if abs(end - middle) >= 0.06 * (high - low)]
    return sorted([*ends, middle])


def _tick(value: float, unit: Unit) -> str:
    shown = round(value * unit.scale, 10)
    return ("+" if unit.signed and shown > 0 else "") + format_number(shown) + unit.suffix


def _place(value: float, low: float, high: float) -> float:
    return round(100 * min(1.0, max(0.0, (value - low) / (high - low))), 2)


def _whisker(estimate: Estimate | None, low: float, high: float) -> Whisker | None:
    if estimate is None or estimate.value is None:
        return None
    ends = [None if end is None else _place(end, low, high) for end in (estimate.low, estimate.high)]
    return Whisker(_place(estimate.value, low, high), *ends)
