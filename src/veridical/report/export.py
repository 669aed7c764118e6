"""All figures of runs as one table for other programs (CSV, JSON), or the main ones (Markdown, LaTeX)."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, get_args

from veridical.base.format import format_interval, format_value, visible
from veridical.base.markdown import table
from veridical.records import Estimate, Json
from veridical.report.latex import latex_text
from veridical.report.main_figures import figure_title, main_figures
from veridical.report.runs import labels
from veridical.report.table_files import inert
from veridical.report.view import note_letter
from veridical.suite.record import Suite
from veridical.suite.results import Result
from veridical.suite.unanswered_replies import unanswered_by_reason

Form = Literal["csv", "json", "latex", "markdown"]
FORMS: tuple[Form, ...] = get_args(Form)
FIELDS = (
    "model",
    "group",
    "suite",
    "metric",
    "slice",
    "value",
    "low",
    "high",
    "level",
    "unit",
    "n",
    "planned",
    "asked",
    "answered",
    "unanswered",
    "p",
    "method",
    "reason",
)
"""The fields of a row, in order; what each holds is in docs/files.md. A name keeps its meaning."""

Runs = Sequence[tuple[Suite, Result]]
_HEAD = ("Model", "Figure", "Value", "95 % interval", "Base items", "Unanswered")
_MARKS = re.compile(r"([\\`*_\[\]<>|&~$#])")


def export_text(runs: Runs, form: Form) -> str:
    """The figures of some runs as text in one of `FORMS`.

    CSV and JSON have every estimate, a row for each and each model, with the names of `FIELDS`; CSV writes a slice as
    `case=ponzo,variant=P`. Markdown has the suite's headline figures, the first of them by picture type as well, as a
    reader sees them, and says below which runs lack answers. LaTeX has the same with a column for each run.
    """
    if form == "markdown":
        return _markdown(runs)
    if form == "latex":
        return latex_text(runs)
    rows = list(figures(runs))
    if form == "json":
        return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"
    return csv_text(FIELDS, [row.values() for row in rows])


def csv_text(fields: Iterable[str], rows: Iterable[Iterable[Json]]) -> str:
    """Rows as CSV with a line of fields; a text is in sight, and nothing that a spreadsheet takes for a formula."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(fields)
    writer.writerows([_plain(value) for value in row] for row in rows)
    return text.getvalue()


def figures(runs: Runs) -> Iterator[dict[str, Json]]:
    """One row for each model and estimate, with `FIELDS` as keys; each model's name names one run."""
    names = labels([result for _, result in runs])
    for name, (_, result) in zip(names, runs, strict=True):
        group = result.about.group if result.about else None
        for each in result.estimates:
            counts = each.counts
            values: tuple[Json, ...] = (name, group, each.suite, each.metric, dict(each.slice))
            values += (each.value, each.low, each.high, each.level, each.unit.name, each.n_units)
            values += (counts.planned, counts.asked, counts.answered, counts.asked - counts.answered)
            yield dict(zip(FIELDS, (*values, each.p, each.method, each.reason), strict=True))


def place(where: Json) -> str:
    """A slice in one text, `KEY=LEVEL` with commas between; empty for everything.

    >>> place({"case": "ponzo", "alpha": 0.5, "congruent": True})
    'case=ponzo,alpha=0.5,congruent=true'
    """
    return ",".join(f"{key}={level if isinstance(level, str) else json.dumps(level)}" for key, level in where.items())


def _plain(value: Json) -> str | int | float | None:
    if isinstance(value, dict):
        return inert(place(value))
    return inert(visible(value)) if isinstance(value, str) else value


def _markdown(runs: Runs) -> str:
    rows, notes = [], []
    letters: dict[str, str] = {}
    for name, (suite, result) in zip(labels([result for _, result in runs]), runs, strict=True):
        rows += [_row(name, each, suite, letters) for each in main_figures(suite, result)]
        trouble = unanswered_by_reason(result.outcomes)
        if trouble.count:
            notes.append(f"- {_text(name)}: {_text(trouble.line())}")
    notes += [f"- ({letter}) {_text(reason)}" for reason, letter in letters.items()]
    return "\n".join([table(_HEAD, rows), *(["", *notes] if notes else []), ""])


def _row(name: str, estimate: Estimate, suite: Suite, letters: dict[str, str]) -> list[str]:
    """The cells of a figure; a reason stands in `letters`, under which it is explained below the table."""
    value = (estimate.between or "undefined") if estimate.value is None else format_value(estimate.value, estimate.unit)
    if estimate.reason:
        value += f" ({letters.setdefault(estimate.reason, note_letter(len(letters)))})"
    counts = estimate.counts
    lacking = f"{counts.asked - counts.answered:,} of {counts.asked:,}"
    cells = [
        name,
        figure_title(suite, estimate),
        value,
        format_interval(estimate),
        f"{estimate.n_units:,}",
        lacking,
    ]
    return [_text(cell) for cell in cells]


def _text(text: str) -> str:
    """A text that Markdown shows as it is, in one line."""
    return _MARKS.sub(r"\\\1", " ".join(visible(text).split()))
