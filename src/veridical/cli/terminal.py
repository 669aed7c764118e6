"""What the command line shows on a terminal: a progress bar and tables that fit it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from veridical.records import Estimate
from veridical.report import format_interval, format_value, visible
from veridical.suite import About
from veridical.verbs import RunResult

_FEW: tuple[set[str], ...] = (set(), {"category"}, {"case"}, {"variant"})


@contextmanager
def bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on a terminal, and nothing elsewhere; yields a function of done and total."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def estimates_tables(result: RunResult, about: About | None = None) -> None:
    """Prints the headline figures overall and per category, case and variant, and the counts behind them.

    A figure that no slice has a value for takes no column; why it has none is told below.
    """
    console = Console()
    headline = result.suite.headline
    estimates = [each for each in result.estimates() if set(each.slice) in _FEW and each.metric in headline]
    valued = {each.metric for each in estimates if each.value is not None}
    reasons = {f"{each.metric}: {each.reason}": None for each in estimates if each.reason and not each.slice}
    estimates = [each for each in estimates if each.metric in valued or not valued]
    model = f"{result.model} ({about})" if about and str(about) else result.model
    table = Table(title=visible(f"{model} on {result.suite.name}"), title_justify="left", box=SIMPLE_HEAD)
    table.add_column("slice", no_wrap=True)
    columns = [metric for metric in headline if metric in valued or not valued]
    for metric in columns:
        table.add_column(metric, justify="right")
    table.add_column("units", justify="right")
    slices = list(dict.fromkeys(tuple(each.slice.items()) for each in estimates))
    for where in slices:
        row = {each.metric: each for each in estimates if tuple(each.slice.items()) == where}
        shown = [_cell(row.get(metric), reasons) for metric in columns]
        name = ", ".join(visible(str(value)) for _, value in where) or "all"
        table.add_row(name, *shown, str(next(iter(row.values())).n_units))
    console.print(table, markup=False)
    for reason in reasons:
        console.print(f"– {reason}", markup=False)
    console.print(str(result.counts), markup=False)
    for reason, number in result.not_asked.items():
        console.print(visible(f"{number:,} {reason}"), markup=False)
    if result.stopped:
        console.print(visible(f"the latest start stopped early: {result.stopped}"), markup=False)
    for method in dict.fromkeys(f"{e.method}; intervals at {e.level:.0%}" for e in estimates if e.value is not None):
        console.print(method, markup=False)


def differences_table(estimates: Sequence[Estimate], first: str, second: str) -> None:
    """Prints paired differences with their intervals and p-values."""
    console = Console()
    table = Table(title=visible(f"{second} less {first}"), title_justify="left", box=SIMPLE_HEAD)
    for column in ("slice", "metric", "difference", "p", "units"):
        table.add_column(column, justify="left" if column in ("slice", "metric") else "right")
    for each in estimates:
        name = ", ".join(visible(str(value)) for value in each.slice.values()) or "all"
        p = "–" if each.p is None else f"{each.p:.4f}" if each.p >= 0.0001 else "< 0.0001"
        table.add_row(name, each.metric, _cell(each, {}), p, str(each.n_units))
    console.print(table, markup=False)
    console.print(f"{estimates[0].method}; intervals at {estimates[0].level:.0%}", markup=False)


def _cell(estimate: Estimate | None, reasons: dict[str, None]) -> str:
    if estimate is None:
        return ""
    if estimate.reason:
        reasons[f"{estimate.metric}: {estimate.reason}"] = None
    if estimate.value is None:
        return "–"
    return f"{format_value(estimate.value, estimate.unit)}\n{format_interval(estimate)}"
