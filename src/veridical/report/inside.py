"""The part of a page on what was read from inside models: read-outs, patched runs, answers, what no token sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from veridical.errors import InputError
from veridical.internals.encoded_answer import encoded_answer, r2_estimate
from veridical.internals.patch_curve import curve_svg
from veridical.internals.probe import NO_CONTROL, lacks_control
from veridical.internals.readout_charts import BEYOND, CHANGE, MODEL, PIXELS, read_out_curves
from veridical.internals.run_internals import RunInternals
from veridical.report.runs import ReportRun
from veridical.report.svg import inline_svg
from veridical.report.view import TableView, table_view
from veridical.suite.evaluation import ProfileAnswer
from veridical.suite.results import Cell, Table

if TYPE_CHECKING:
    from markupsafe import Markup

ReadPlace = tuple[str, str, str]
_CURVES = (
    "How much of a target's variance a ridge regression reads from each state, on base items that were left out; bars "
    "are 95 % intervals. Left: from each picture alone; right: from what differs inside a base item."
)
_CLOUDS = (
    "The last state of each part on its first two principal components, means of base items removed. They hold what "
    "varies most, which need not be the target: nothing is tested here."
)
_PATCH = (
    "How much of a changed picture's effect on the answer its picture tokens carry when they are put into the run on "
    "the unchanged one, from each depth on: 1 at the projector and 0 after the last layer by construction."
)
_TABLE = (
    "R² of what differs inside a base item, with 95 % intervals. “− random” is the part beyond the same architecture "
    "with random weights, which alone says that training put it there."
)


class InsideFigure(NamedTuple):
    """A figure of the part: its title, what it shows, and the drawing."""

    title: str
    note: str
    svg: Markup


@dataclass(frozen=True, kw_only=True)
class InsideRun:
    """What was read from a run's model: the answer on its question, lines, figures and tables.

    `warning` says loudly why nothing follows from its read-outs.
    """

    name: str
    answer: ProfileAnswer | None
    warning: str
    lines: Sequence[str]
    figures: Sequence[InsideFigure]
    tables: Sequence[TableView]


def inside_view(runs: Sequence[ReportRun], names: Sequence[str], prefix: str) -> list[InsideRun]:
    """What a page shows of the readings of these runs' models; nothing of a run that has none."""
    return [
        _run_view(name, run, run.internals, f"{prefix}inside-{number}")
        for number, (name, run) in enumerate(zip(names, runs, strict=True), 1)
        if run.internals is not None and not run.internals.empty
    ]


def _run_view(name: str, run: ReportRun, inside: RunInternals, prefix: str) -> InsideRun:
    part, figures, problems = run.suite.evaluation, list[InsideFigure](), list(inside.problems)
    for number, drawing in enumerate(_drawings(inside), 1):
        try:
            figures.append(_figure(*drawing, f"{prefix}-{number}"))
        except InputError as error:
            problems.append(str(error))
    read = part is not None and part.encoded is not None and inside.read_outs
    return InsideRun(
        name=name,
        answer=encoded_answer(part, run.suite.name, inside, part.answers(run.result)) if part and read else None,
        warning=NO_CONTROL if any(map(lacks_control, inside.read_outs.values())) else "",
        lines=[*_lines(inside), *(f"left out: {problem}" for problem in problems)],
        figures=figures,
        tables=[table_view(table) for each in inside.read_outs.values() for table in _tables(run.suite.name, each)],
    )


def _figure(title: str, note: str, svg: str, prefix: str) -> InsideFigure:
    from markupsafe import Markup

    return InsideFigure(title, note, Markup(inline_svg(svg, prefix, title)))  # noqa: S704


def _drawings(inside: RunInternals) -> Iterator[tuple[str, str, str]]:
    for name, table in inside.read_outs.items():
        where = "" if name == "states" else f" ({name})"
        yield f"What can be read, state by state{where}", _CURVES, read_out_curves(table)
        if name in inside.components:
            yield f"States by target{where}", _CLOUDS, inside.components[name]
    for name, curve in inside.curves.items():
        where = "" if name == "patch" else f" ({name})"
        yield f"From which depth the answer follows the picture{where}", _PATCH, curve_svg(curve)


def _lines(inside: RunInternals) -> Iterator[str]:
    for each in inside.maps:
        if each.unseen >= 0.005:
            size = f"{each.width}×{each.height} pixels"
            why = "what stands there cannot be seen, and missing it is no memory"
            yield f"{100 * each.unseen:.0f} % of pictures of {size} is in no picture token: {why}"
    for count in inside.answers.values():
        agree = count.read - sum(count.flags.values())
        flags = "".join(f"; {flagged:,} flagged: {reason}" for reason, flagged in count.flags.items())
        yield f"in {agree:,} of {count.trials:,} trials the likeliest answer is what the model replies{flags}"
    for curve in inside.curves.values():
        for row in curve.unique("group", keep="first", maintain_order=True).iter_rows(named=True):
            what = f"{row['changed']:,} of {row['pairs']:,} pairs change their likeliest answer"
            why = f"; no share: {row['reason']}" if row["reason"] else ""
            yield f"patched runs, {row['group']}: {what}, {row['units']:,} units{why}"


def _tables(suite: str, table: pl.DataFrame) -> Iterator[Table]:
    """A table for each target: a row for each state, columns for each group, alone and beyond random weights."""
    changes = table.filter(read=CHANGE)
    for (target,), rows in changes.group_by("target", maintain_order=True):
        places = {(row["state"], row["group"], row["source"]): row for row in rows.iter_rows(named=True)}
        groups = rows["group"].unique(maintain_order=True).to_list()
        heads = [head for group in groups for head in ((group, MODEL), (group, BEYOND)) if _has(rows, *head)]
        yield Table(
            name=f"read-out of {target}",
            title=f"Read-out of {target}",
            note=_TABLE,
            columns=("State", *(f"{group}{' − random' if source == BEYOND else ''}" for group, source in heads)),
            rows=tuple(
                (state, *(_cell(suite, places, state, group, source) for group, source in heads))
                for state in rows["state"].unique(maintain_order=True)
            ),
        )


def _has(rows: pl.DataFrame, group: str, source: str) -> bool:
    return not rows.filter(group=group, source=source).is_empty()


def _cell(suite: str, places: Mapping[ReadPlace, Mapping[str, Any]], state: str, group: str, source: str) -> Cell:
    row = places.get((state, group, source)) or (places.get((state, group, PIXELS)) if source == MODEL else None)
    return None if row is None else r2_estimate(suite, row)
