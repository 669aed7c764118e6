"""Results as the page shows them: headline rows with their place on an axis, table cells with notes, settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from veridical.base.format import format_interval, format_number, format_value
from veridical.records import STATUSES, Counts, Estimate, Json, canonical
from veridical.suite import Cell, Result, Suite, Table

_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000, 100_000)


@dataclass(frozen=True)
class Whisker:
    """A value and its interval on the axis, in percent of its length; `None` for a side without bound."""

    dot: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Row:
    """One run's headline: its estimate, or `None` where the suite made none."""

    run: str
    estimate: Estimate | None
    whisker: Whisker | None


@dataclass(frozen=True)
class Headline:
    """One metric for all runs on one axis; `ticks` are positions in percent with their labels."""

    metric: str
    methods: tuple[str, ...]
    ticks: tuple[tuple[float, str], ...]
    reference: float | None
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class CellView:
    """A cell: text, what stands small below it, the letters of its notes, and "counts" where it holds those."""

    text: str
    interval: str = ""
    note: str = ""
    kind: str = ""


@dataclass(frozen=True)
class TableView:
    """A table whose numeric columns are marked, with the reasons that its cells refer to by letter."""

    table: Table
    numeric: tuple[bool, ...]
    rows: tuple[tuple[CellView, ...], ...]
    notes: Mapping[str, str] = field(default_factory=dict)


def counts_view(counts: Counts) -> list[tuple[str, int]]:
    """All counts with their names, planned and asked first; `asked again` only where it happened.

    >>> counts_view(Counts(planned=9, asked=8, answered=7, unparsed=1, refused=0, truncated=0, error=0))[:3]
    [('planned', 9), ('asked', 8), ('answered', 7)]
    """
    names = ("planned", "asked", *STATUSES)
    shown = [(name, getattr(counts, name)) for name in names]
    return [*shown, ("asked again", counts.asked_again)] if counts.asked_again else shown


def counts_cell(counts: Counts) -> CellView:
    """Counts in a cell: answered of asked, and below it the planned ones and every way in which there was no answer.

    >>> counts_cell(Counts(planned=9, asked=8, answered=7, unparsed=1, refused=0, truncated=0, error=0)).interval
    '9 planned; 1 unparsed; 0 refused, truncated, error'
    """
    failed = {name: getattr(counts, name) for name in STATUSES if name != "answered"}
    parts = [f"{counts.planned:,} planned", *(f"{count:,} {name}" for name, count in failed.items() if count)]
    none = [name for name, count in failed.items() if not count]
    parts += [f"0 {', '.join(none)}"] if none else []
    parts += [f"{counts.asked_again:,} asked again"] if counts.asked_again else []
    return CellView(f"{counts.answered:,} answered of {counts.asked:,}", "; ".join(parts), kind="counts")


def headlines(suite: Suite, results: Sequence[Result], runs: Sequence[str]) -> list[Headline]:
    """One headline for each of the suite's headline metrics that any run has over everything (slice `{}`)."""
    views = []
    for metric in suite.headline:
        found = [next((e for e in result.estimates if e.metric == metric and not e.slice), None) for result in results]
        present = [estimate for estimate in found if estimate is not None]
        if not present:
            continue
        low, high, reference = _axis(present)
        rows = tuple(
            Row(run, estimate, _whisker(estimate, low, high)) for run, estimate in zip(runs, found, strict=True)
        )
        unit = present[0].unit if present else "proportion"
        ticks = tuple((_place(mark, low, high), _tick(mark, unit)) for mark in _marks(low, high, reference))
        views.append(
            Headline(
                metric=suite.names.get(metric, metric),
                methods=tuple(dict.fromkeys(f"{e.method}, {100 * e.level:g} % interval" for e in present)),
                ticks=ticks,
                reference=None if reference is None else _place(reference, low, high),
                rows=rows,
            )
        )
    return views


def _axis(estimates: Sequence[Estimate]) -> tuple[float, float, float | None]:
    if not estimates or estimates[0].unit == "proportion":
        return 0.0, 1.0, None
    bounds = [abs(x) for e in estimates for x in (e.value, e.low, e.high) if x is not None]
    reach = float(next((step for step in _STEPS if step >= max(bounds, default=1)), max(bounds, default=1)))
    if estimates[0].unit == "points":
        return -reach, reach, 0.0
    return 0.0, max(reach, 2.0), 1.0


def _marks(low: float, high: float, reference: float | None) -> list[float]:
    """What is marked on an axis: its ends and the reference, or its middle; no end whose label that of the other hides.

    >>> _marks(0, 2, 1), _marks(0, 100, 1)
    ([0, 1, 2], [1, 100])
    """
    middle = (low + high) / 2 if reference is None else reference
    ends = [end for end in (low, high) if abs(end - middle) >= 0.06 * (high - low)]
    return sorted([*ends, middle])


def _tick(value: float, unit: str) -> str:
    if unit == "proportion":
        return f"{value:.0%}".replace("%", " %")
    sign = "+" if unit == "points" and value > 0 else ""
    return sign + format_number(value)


def _place(value: float, low: float, high: float) -> float:
    return round(100 * min(1.0, max(0.0, (value - low) / (high - low))), 2)


def _whisker(estimate: Estimate | None, low: float, high: float) -> Whisker | None:
    if estimate is None or estimate.value is None:
        return None
    ends = [None if end is None else _place(end, low, high) for end in (estimate.low, estimate.high)]
    return Whisker(_place(estimate.value, low, high), *ends)


def table_view(table: Table) -> TableView:
    """A table ready to be shown; each reason stands once below it, under the letter that its cells carry."""
    letters: dict[str, str] = {}

    def cell(value: Cell) -> CellView:
        if value is None:
            return CellView("–")
        if isinstance(value, str):
            return CellView(value)
        if isinstance(value, Counts):
            return counts_cell(value)
        if not isinstance(value, Estimate):
            return CellView(format_number(value))
        text = "–" if value.value is None else format_value(value.value, value.unit)
        note = letters.setdefault(value.reason, _letters(len(letters))) if value.reason else ""
        return CellView(text, format_interval(value), note)

    rows = tuple(tuple(cell(value) for value in row) for row in table.rows)
    numeric = tuple(
        any(row[i] is not None for row in table.rows)
        and not any(isinstance(row[i], str | Counts) for row in table.rows)
        for i in range(len(table.columns))
    )
    return TableView(table, numeric, rows, {letter: reason for reason, letter in letters.items()})


def _letters(number: int) -> str:
    last = chr(ord("a") + number % 26)
    return last if number < 26 else _letters(number // 26 - 1) + last


def settings_view(identities: Sequence[Mapping[str, Json]]) -> list[tuple[str, list[str], bool]]:
    """Each key of any identity (nested ones joined by dots), its value in each run, and whether the runs differ.

    >>> settings_view([{"sampling": {"seed": 1}}, {"sampling": {"seed": 2}}])
    [('sampling.seed', ['1', '2'], True)]
    """
    flat = [dict(_flatten("", identity)) for identity in identities]
    keys = dict.fromkeys(key for identity in flat for key in identity)
    rows = [(key, [identity.get(key, "–") for identity in flat]) for key in keys]
    return [(key, values, len(set(values)) > 1) for key, values in rows]


def _flatten(prefix: str, value: Json) -> list[tuple[str, str]]:
    if isinstance(value, Mapping) and (value or not prefix):
        return [pair for key in value for pair in _flatten(f"{prefix}.{key}" if prefix else str(key), value[key])]
    return [(prefix, value if isinstance(value, str) else canonical(value))]
