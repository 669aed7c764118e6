"""Tables on a terminal; columns that do not fit go into further tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from veridical.base.format import format_interval, format_value, visible
from veridical.records import Counts, Estimate, Json, Measure
from veridical.suite.results import ModelFacts, OtherReading, read_otherwise
from veridical.suite.unanswered_replies import unanswered_by_reason
from veridical.verbs import RunResult
from veridical.verbs.results.comparison import Comparison

_BESIDE = 3
"""Characters of a column besides its text."""

_LONGEST = 30
_HEADING = 16


@dataclass(frozen=True)
class _Column:
    """A column with its cells by row; a heading is broken at spaces to be as narrow as the cells allow."""

    title: str
    cells: Sequence[str]

    @property
    def width(self) -> int:
        lines = [line for cell in self.cells for line in cell.splitlines()]
        return max(map(len, [*lines, *self.title.split()]), default=1)

    @property
    def heading(self) -> str:
        return "\n".join(wrap(self.title, self.width, break_long_words=False))


def estimates_tables(
    result: RunResult, estimates: Sequence[Estimate], about: ModelFacts | None = None, reader: str | None = None
) -> None:
    """Prints the headline figures overall and by each of the suite's columns, and the counts behind them.

    A figure that no slice has a value for takes no column; why it has none is said below. Where another reader of the
    suite gives figures otherwise, one table below compares the two, unless `reader` asks for one alone.
    """
    console = Console()
    analysis = result.suite.analysis
    wanted: list[set[str]] = [set(), *({name} for name in analysis.slices)]
    shown = [each for each in estimates if each.metric in analysis.headline and set(each.slice) in wanted]
    otherwise = result.otherwise if reader is None else ()
    valued = {each.metric for each in shown if each.value is not None or each.between}
    reasons = [each for each in shown if each.reason and not each.slice]
    shown = [each for each in shown if each.metric in valued or not valued]
    reasons += [each for each in shown if each.reason]
    model = f"{result.model} ({about})" if about and str(about) else result.model
    console.print(visible(f"{model} on {result.suite.name}"), style="italic", markup=False, highlight=False)
    metrics = [metric for metric in analysis.headline if metric in valued or not valued]
    for table in _tables(console, shown, metrics, analysis.measures):
        console.print(table, markup=False)
    for line in _reasons(reasons, analysis.measures):
        console.print(f"– {line}", markup=False)
    counts = result.counts if reader is None else Counts.of(result.outcomes(reader))
    trouble = unanswered_by_reason(result.outcomes(reader))
    lacking = [trouble.line()] if trouble.count and not trouble.many else []
    for line in (*_counts(result, counts), *lacking):
        console.print(visible(line), markup=False, highlight=False)
    if otherwise:
        _print_readers(console, result, estimates, otherwise)
    if result.stopped:
        console.print(visible(f"the latest start stopped early: {result.stopped}"), markup=False)
    for method in dict.fromkeys(f"{e.method}; intervals at {e.level:.0%}" for e in shown if e.value is not None):
        console.print(method, markup=False)


def _counts(result: RunResult, counts: Counts) -> Iterator[str]:
    """The counts of a run, by stage if there are several."""
    several = len(result.stages.ordered) > 1
    yield f"stage {result.stages.ordered[0].name}: {counts}" if several else str(counts)
    yield from (f"{number:,} {reason}" for reason, number in result.not_asked.items())
    for each in result.staged:
        if each.folder != result.folder:
            kept = "" if each.counted else "; in no figure, since a later start of the stage counts"
            stale = f"; {each.stale:,} more stale, in no figure" if each.stale else ""
            yield f"stage {each.stage} ({each.role} {each.model}): {each.counts}{stale}{kept}"
    yield from map(str, result.waiting)
    yield from (f"note: {line}" for line in result.remarks)


def _print_readers(
    console: Console, result: RunResult, estimates: Sequence[Estimate], otherwise: Sequence[OtherReading]
) -> None:
    """Prints how many replies each reader reads, and the headline figures that they give otherwise."""
    defaults = "/".join(sorted(set(result.outcomes()["reader"].drop_nulls())))
    others = "".join(f", {each.counts.answered:,} by {each.reader}" for each in otherwise)
    line = f"replies read: {result.counts.answered:,} of {result.counts.asked:,} by {defaults}{others}"
    console.print(visible(line), markup=False, highlight=False)
    analysis = result.suite.analysis
    figures = read_otherwise(analysis.headline, estimates, otherwise)
    if figures:
        table = Table(box=SIMPLE_HEAD)
        table.add_column("figure", overflow="fold")
        for name in (defaults, *(each.reader for each in otherwise)):
            table.add_column(f"by {name}", justify="right", overflow="fold")
        for each in figures:
            table.add_row(_title(each.own.metric, analysis.measures), *map(_cell, (each.own, *each.others)))
        console.print(table, markup=False)


def differences_table(comparison: Comparison, letter: str = "B") -> None:
    """Prints paired differences with their intervals and p-values, and the counts of both runs, A and `letter`."""
    console = Console()
    estimates, measures = list(comparison), comparison.first.suite.analysis.measures
    metrics = list(dict.fromkeys(_title(each.metric, measures) for each in estimates))
    several = len(metrics) > 1
    heading = f"{comparison.second.model} − {comparison.first.model}"
    table = Table(title=visible(heading), title_justify="left", box=SIMPLE_HEAD)
    own = ("metric", "difference") if several else metrics
    for column in ("slice", *own, "p", "units", "answered A", f"answered {letter}"):
        left = column in ("slice", "metric")
        # A long heading is broken, so that the slices beside it are not.
        broken = "\n".join(wrap(column, _HEADING))
        table.add_column(broken, justify="left" if left else "right", no_wrap=not left, overflow="fold")
    for each in estimates:
        p = "–" if each.p is None else f"{each.p:.4f}" if each.p >= 0.0001 else "< 0.0001"
        titled = [_title(each.metric, measures)] if several else []
        table.add_row(_place(each.slice), *titled, _cell(each), p, str(each.n_units), *_both(each))
    console.print(table, markup=False)
    reasons = [each for each in estimates if each.reason]
    for line in _reasons([each for each in reasons if not each.slice] or reasons, measures):
        console.print(f"– {line}", markup=False)
    for name, run in (("A", comparison.first), (letter, comparison.second)):
        for line in _counts(run, run.counts):
            console.print(visible(f"{name}, {run.model}: {line}"), markup=False, highlight=False)
    if estimates:
        console.print(f"{estimates[0].method}; intervals at {estimates[0].level:.0%}", markup=False)


def _both(estimate: Estimate) -> tuple[str, str]:
    """How many trials were answered in either run, of how many."""
    of_runs = (estimate.counts_first, estimate.counts)
    first, second = ("" if each is None else f"{each.answered:,}/{each.planned:,}" for each in of_runs)
    return first, second


def _tables(
    console: Console,
    estimates: Sequence[Estimate],
    metrics: Sequence[str],
    measures: Mapping[str, Measure],
) -> Iterator[Table]:
    """The estimates as tables that fit the terminal, each with the slices and the numbers of units."""
    rows: dict[tuple[tuple[str, Json], ...], dict[str, Estimate]] = {}
    for each in estimates:
        rows.setdefault(tuple(each.slice.items()), {})[each.metric] = each
    columns = {
        metric: _Column(_title(metric, measures), [_cell(row.get(metric)) for row in rows.values()])
        for metric in metrics
    }
    names = [_place(dict(where)) for where in rows]
    first = min(max(map(len, ["slice", *names])), _LONGEST) + _BESIDE
    units = _Column("units", [str(each.n_units) for each in estimates]).width + _BESIDE
    for some in _fitting(columns, console.width - first - units - 1):
        table = Table(box=SIMPLE_HEAD)
        table.add_column("slice", max_width=_LONGEST, overflow="fold", vertical="top")
        for column in some:
            table.add_column(columns[column].heading, justify="right", no_wrap=True, overflow="fold")
        table.add_column("units", justify="right", no_wrap=True)
        for at, (name, row) in enumerate(zip(names, rows.values(), strict=True)):
            of_row = [row[column] for column in some if column in row]
            if of_row:
                table.add_row(name, *(columns[column].cells[at] for column in some), str(of_row[0].n_units))
        yield table


def _fitting(columns: Mapping[str, _Column], room: int) -> Iterator[list[str]]:
    """The columns in turn, in groups that fit the room; a column that alone is wider has a group of its own."""
    group: list[str] = []
    taken = 0
    for metric, column in columns.items():
        width = column.width + _BESIDE
        if group and taken + width > room:
            yield group
            group, taken = [], 0
        group.append(metric)
        taken += width
    if group:
        yield group


def _title(metric: str, measures: Mapping[str, Measure]) -> str:
    return measures[metric].title if metric in measures else metric


def _place(where: Mapping[str, Json]) -> str:
    levels = (value if isinstance(value, str) else f"{name}={value}" for name, value in where.items())
    return ", ".join(map(visible, levels)) or "all"


def _reasons(estimates: Sequence[Estimate], measures: Mapping[str, Measure]) -> Iterator[str]:
    """The different reasons, each with the titles of the figures that have it."""
    titles: dict[str, dict[str, None]] = {}
    for each in estimates:
        titles.setdefault(str(each.reason), {}).setdefault(_title(each.metric, measures))
    yield from (visible(f"{', '.join(of)}: {reason}") for reason, of in titles.items())


def _cell(estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    if estimate.value is None:
        return estimate.between.replace(" and ", "\nand ") or "–"
    return f"{format_value(estimate.value, estimate.unit)}\n{format_interval(estimate)}".rstrip()
