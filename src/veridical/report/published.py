"""Published results beside the runs of a report: as printed, where a run was asked under the same conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from veridical.errors import InputError
from veridical.records import Estimate, Json
from veridical.report.view import CellView, TableView, table_view
from veridical.suite import Result, Table

_TYPES = {"Original": "O", "Perturbed": "P", "Control original": "OC", "Control perturbed": "PC"}
_SUFFIX = {"percent": " %", "points": " pts"}

Find = tuple[str, Mapping[str, Json]]


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A published table as a report shows it: which cells, and which estimates of a run stand in the same column.

    `columns` gives, for each heading, the table's own column and the metric and slice of the estimate.
    """

    title: str
    note: str
    source: str
    paper: str
    table: str
    group: str | None
    columns: Mapping[str, tuple[str, Find]]


@dataclass(frozen=True)
class Beside:
    """A table ready to be shown: the runs' rows, then the published ones under the name of their source."""

    runs: TableView
    source: str
    rows: tuple[tuple[CellView, ...], ...]


VIPROBE = (
    Shown(
        title="Isolating the illusion with matched controls",
        note="Accuracy is PFA, both polarities right, pooled over the pictures of a type. PFC of the runs is the plain "
        "mean over the four types; the paper's formula pools over pictures. R = |O − P| / (|OC − PC| + 0.001).",
        source="Sun et al. 2026, arXiv:2601.22150, Table 2",
        paper="viprobe",
        table="2",
        group=None,
        columns={
            "PFC": ("PFC", ("PFC", {})),
            "Original": ("illusion / original", ("PFA", {"variant": "O"})),
            "Perturbed": ("illusion / perturbed", ("PFA", {"variant": "P"})),
            "Control original": ("control / original", ("PFA", {"variant": "OC"})),
            "Control perturbed": ("control / perturbed", ("PFA", {"variant": "PC"})),
            "R": ("R", ("R", {})),
        },
    ),
    Shown(
        title="Consistency over question polarity",
        note="Plain mean over O, P, OC, PC; the figure's setup names hinted pictures as a fifth. It has no printed "
        "values: these are quoted in its text, with a dash where none is. Its PFC is not that of Table 2.",
        source="Sun et al. 2026, arXiv:2601.22150, Figure 4 as quoted in section 4.2.1",
        paper="viprobe",
        table="text",
        group="Figure 4",
        columns={name: (name, (name, {})) for name in ("PFC", "PFA", "CbW", "TFI")},
    ),
)
_KNOWN = {"viprobe": VIPROBE}


def beside(suite: str, results: Sequence[Result], names: Sequence[str]) -> tuple[list[Beside], dict[str, str]]:
    """The suite's published tables with the runs whose conditions match, and why each other run is left out.

    The conditions are those of the published numbers: yes-no questions in both polarities without an instruction, on
    all four picture types. Pictures, prompts and dates are others in any case. Raises `InputError` where nothing is
    published for the suite, or no run matches.
    """
    if suite not in _KNOWN:
        raise InputError(f"--published: nothing is stored for the suite {suite}; there is for {', '.join(_KNOWN)}")
    lacking = {name: why for name, result in zip(names, results, strict=True) if (why := _lacks(result))}
    if len(lacking) == len(names):
        told = "; ".join(f"{name} {why}" for name, why in lacking.items())
        raise InputError(f"--published: no run was asked as the published models were: {told}")
    matching = [(name, r) for name, r in zip(names, results, strict=True) if name not in lacking]
    return [_beside(shown, matching) for shown in _KNOWN[suite]], lacking


def _lacks(result: Result) -> str | None:
    """What a run lacks for its numbers to stand in the published columns."""
    instruction = result.outcomes["settings"].str.json_path_match("$.instruction").fill_null("none")
    if not (instruction == "none").any():
        return "had an instruction with every question"
    missing = [name for name in _TYPES.values() if not _valued(result, "PFA", {"variant": name})]
    return f"has no pair of questions on pictures {', '.join(missing)}" if missing else None


def _valued(result: Result, metric: str, where: Mapping[str, Json]) -> bool:
    found = _find(result, metric, where)
    return found is not None and found.value is not None


def _find(result: Result, metric: str, where: Mapping[str, Json]) -> Estimate | None:
    return next((e for e in result.estimates if e.metric == metric and dict(e.slice) == dict(where)), None)


def _beside(shown: Shown, runs: Iterable[tuple[str, Result]]) -> Beside:
    rows = tuple((name, *(_find(r, *find) for _, find in shown.columns.values())) for name, r in runs)
    table = Table(f"published-{shown.table}", shown.title, shown.note, ("Model", *shown.columns), rows)
    return Beside(table_view(table), shown.source, tuple(_published(shown)))


def _published(shown: Shown) -> Iterable[tuple[CellView, ...]]:
    from veridical.published import table

    frame = table(shown.paper, shown.table)
    if shown.group is not None:
        frame = frame.filter(pl.col("group") == shown.group)
    for (label,), cells in frame.group_by("row", maintain_order=True):
        printed = {column: (value, unit) for column, value, unit in cells.select("column", "value", "unit").iter_rows()}
        if any(column in printed for column, _ in shown.columns.values()):
            yield (
                CellView(str(label)),
                *(_cell(*printed.get(column, ("", ""))) for column, _ in shown.columns.values()),
            )


def _cell(value: str, unit: str) -> CellView:
    return CellView(value.replace("-", "−") + _SUFFIX.get(unit, "") if value else "–")
