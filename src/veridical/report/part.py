"""One suite's part of a report: what its runs say, apart from the items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from veridical.records import Counts, Json
from veridical.report.headlines import Headline, headlines, read_by
from veridical.report.runs import ReportRun, cannot_be_asked, combined, labels
from veridical.report.select import BaseItem, in_order, units_of
from veridical.report.svg import inline_svg
from veridical.report.table_files import tables_of
from veridical.report.view import PublishedView, TableView, counts_view, published_view, settings_view, table_view
from veridical.suite.record import Suite
from veridical.suite.results import Figure, Opening

if TYPE_CHECKING:
    from markupsafe import Markup


@dataclass(frozen=True, kw_only=True)
class SuitePart:
    """What a page shows of the runs of one suite; every id in it begins with `prefix`.

    `defaults` names the readers that figures are read by, `otherwise` those, beside them, that read any reply
    otherwise. `published` holds published tables, and `apart` why a run is in none of them. `units` are in the order in
    which they are shown.
    """

    suite: Suite
    prefix: str
    runs: Sequence[ReportRun]
    names: Sequence[str]
    counts: Sequence[tuple[str, Sequence[tuple[str, int]], str]]
    incomplete: Sequence[tuple[str, Counts, str | None, Mapping[str, int]]]
    notes: Sequence[tuple[str, Sequence[str]]]
    opening: Opening | None
    headlines: Sequence[Headline]
    defaults: Sequence[str]
    otherwise: Sequence[str]
    tables: Sequence[TableView]
    figures: Sequence[tuple[Figure, Markup]]
    published: Sequence[PublishedView]
    apart: Mapping[str, str]
    settings: Sequence[tuple[str, list[str], bool]]
    units: Sequence[BaseItem]

    @property
    def asked_items(self) -> int:
        return sum(len(unit.stimuli) for unit in self.units)

    def facts(self) -> dict[str, Json]:
        """The part as a template takes it."""
        return {**vars(self), "asked_items": self.asked_items, "asked_units": len(self.units)}


def part_of(runs: Sequence[ReportRun], prefix: str, *, published: bool, seed: int) -> SuitePart:
    """The part of the runs of one suite."""
    suite = runs[0].suite
    names = labels([run.result for run in runs])
    results = [replace(run.result, model=name) for run, name in zip(runs, names, strict=True)]
    beside = suite.presentation.published if published else None
    tables, apart = beside(results, names) if beside else ((), {})
    return SuitePart(
        suite=suite,
        prefix=prefix,
        runs=runs,
        names=names,
        counts=[row for name, run in zip(names, runs, strict=True) for row in _counts(name, run)],
        incomplete=[row for name, run in zip(names, runs, strict=True) for row in _incomplete(name, run)],
        notes=[(name, tuple(run.notes)) for name, run in zip(names, runs, strict=True) if run.notes],
        opening=suite.presentation.opening(results),
        headlines=headlines(suite, results, names, [run.otherwise for run in runs]),
        defaults=_defaults(runs),
        otherwise=tuple(dict.fromkeys(each.reader for run in runs for each in run.otherwise)),
        tables=[table_view(table) for table in tables_of(suite, results)],
        figures=_figures(suite.presentation.figures(results), prefix),
        published=[published_view(table) for table in tables],
        apart=apart,
        settings=settings_view([run.identity for run in runs]),
        units=in_order(units_of(combined(runs)), seed),
    )


def _defaults(runs: Sequence[ReportRun]) -> tuple[str, ...]:
    """The readers of the runs' replies, in alphabetical order."""
    return tuple(sorted({name for run in runs for name in run.result.outcomes["reader"].drop_nulls().unique()}))


def _counts(name: str, run: ReportRun) -> Iterator[tuple[str, Sequence[tuple[str, int]], str]]:
    """A run's counts, stage by stage, with what is known of who was asked."""
    first = f"{name}, stage {next(iter(run.result.evidence.stages))}" if run.later else name
    yield first, counts_view(Counts.of(run.result.outcomes)), str(run.result.about or "")
    for reading in run.otherwise:
        yield read_by(first, reading), counts_view(reading.counts), ""
    for each in run.later:
        yield f"{name}, stage {each.name} ({each.role})", counts_view(each.counts), each.notes()


def _incomplete(name: str, run: ReportRun) -> Iterator[tuple[str, Counts, str | None, Mapping[str, int]]]:
    outcomes = run.result.outcomes
    parts: list[tuple[str, Counts, str | None, Mapping[str, int]]] = [
        (name, Counts.of(outcomes), run.stopped, cannot_be_asked(outcomes))
    ]
    counted = [each for each in run.later if each.counted]
    parts.extend((f"{name}, stage {each.name}, {each.model}", each.counts, None, each.not_asked) for each in counted)
    yield from (part for part in parts if part[1].asked < part[1].planned or part[1].error or part[2])


def _figures(figures: Sequence[Figure], prefix: str) -> list[tuple[Figure, Markup]]:
    from markupsafe import Markup

    return [
        (figure, Markup(inline_svg(figure.svg, f"{prefix}figure-{number}", figure.title)))  # noqa: S704
        for number, figure in enumerate(figures, 1)
    ]
