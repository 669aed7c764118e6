"""One suite's part of a report: what its runs say, apart from the items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from veridical.records import Counts, Json
from veridical.report.glossary import Link, Term, glossary, linker
from veridical.report.headlines import Headline, headlines
from veridical.report.held_out import TrainingView, training_view
from veridical.report.inside import InsideRun, inside_view
from veridical.report.runs import ReportRun, cannot_be_asked, combined_outcomes, labels
from veridical.report.select import ReportUnit, order_units, split_units, units_of
from veridical.report.settings import SettingRow, settings_view
from veridical.report.svg import inline_svg
from veridical.report.table_files import Exhibits
from veridical.report.view import PublishedView, TableView, published_view, table_view
from veridical.suite.human_bounds import add_human_bounds
from veridical.suite.opening import Opening
from veridical.suite.record import Suite
from veridical.suite.results import Figure, OtherReading, ReadFigure, read_otherwise
from veridical.suite.unanswered_replies import UnansweredReplies, unanswered_by_reason

if TYPE_CHECKING:
    from markupsafe import Markup


@dataclass(frozen=True)
class RunReaders:
    """How many replies of a run each reader reads, the suite's own first, and the figures that they give otherwise."""

    run: str
    asked: int
    answered: Sequence[int]
    figures: Sequence[tuple[str, ReadFigure]]


@dataclass(frozen=True, kw_only=True)
class SuitePart:
    """What a page shows of the runs of one suite; every id in it begins with `prefix`.

    `defaults` names the readers that figures are read by, `otherwise` those, beside them, that read any reply
    otherwise; `readers` has for each run that they differ in how many replies each reads, and what that changes.
    `unanswered` says of each run and stage why replies have no answer. `published` holds published tables,
    and `apart` why a run is in none of them. `units` are in the order in which they are shown. `training`
    says what was held out of training, `inside` what was read from inside the models.
    """

    suite: Suite
    prefix: str
    runs: Sequence[ReportRun]
    names: Sequence[str]
    counts: Sequence[tuple[str, Counts, str]]
    incomplete: Sequence[tuple[str, Counts, str | None, Mapping[str, int]]]
    unanswered: Sequence[tuple[str, UnansweredReplies]]
    notes: Sequence[tuple[str, Sequence[str]]]
    opening: Opening | None
    headlines: Sequence[Headline]
    defaults: Sequence[str]
    otherwise: Sequence[str]
    readers: Sequence[RunReaders]
    tables: Sequence[TableView]
    figures: Sequence[tuple[Figure, Markup]]
    published: Sequence[PublishedView]
    apart: Mapping[str, str]
    settings: Sequence[tuple[str, Sequence[SettingRow]]]
    terms: Sequence[Term]
    units: Sequence[ReportUnit]
    training: TrainingView | None
    inside: Sequence[InsideRun]

    @property
    def asked_items(self) -> int:
        return sum(len(unit.stimuli) for unit in self.units)

    @cached_property
    def linker(self) -> Callable[[], Link]:
        """What gives a function for each section that links terms to the glossary."""
        return linker(self.terms)

    def facts(self) -> dict[str, Json]:
        """The part as a template takes it."""
        split = any(unit.split for unit in self.units)
        items = {"asked_items": self.asked_items, "asked_units": len(self.units), "split": split}
        return {**vars(self), **items, "linker": self.linker}


def part_of(runs: Sequence[ReportRun], prefix: str, *, published: bool, seed: int) -> SuitePart:
    """The part of the runs of one suite."""
    suite = runs[0].suite
    names = labels([run.result for run in runs])
    results = [replace(run.result, model=name) for run, name in zip(runs, names, strict=True)]
    beside = suite.presentation.published if published else None
    tables, apart = beside(results, names) if beside else ((), {})
    opening = add_human_bounds(suite.presentation.opening(results), results, suite.analysis)
    exhibits = (runs[0].exhibits if len(runs) == 1 else None) or Exhibits(suite, results)
    elsewhere = opening.in_place_of if opening else ()
    called_so = suite.presentation.names
    otherwise = tuple(dict.fromkeys(each.reader for run in runs for each in run.otherwise))
    split = {unit for run in runs for verdicts in run.later_outcomes() for unit in split_units(verdicts)}
    return SuitePart(
        suite=suite,
        prefix=prefix,
        runs=runs,
        names=names,
        counts=[row for name, run in zip(names, runs, strict=True) for row in _counts(name, run)],
        incomplete=[row for name, run in zip(names, runs, strict=True) for row in _incomplete(name, run)],
        unanswered=[row for name, run in zip(names, runs, strict=True) for row in _unanswered(name, run)],
        notes=[(name, tuple(run.notes)) for name, run in zip(names, runs, strict=True) if run.notes],
        opening=opening,
        headlines=headlines(suite, results, names),
        defaults=tuple(sorted({name for run in runs for name in run.result.outcomes["reader"].drop_nulls().unique()})),
        otherwise=otherwise,
        readers=[_readers(name, run, otherwise) for name, run in zip(names, runs, strict=True) if run.otherwise],
        tables=[table_view(each, called_so) for each in exhibits.tables if each.name not in elsewhere],
        figures=_figures([each for each in exhibits.figures if each.name not in elsewhere], prefix),
        published=[published_view(table) for table in tables],
        apart=apart,
        settings=settings_view([run.identity for run in runs], called_so),
        terms=glossary(suite, results, prefix),
        training=training_view(runs, names),
        inside=inside_view(runs, names, prefix),
        units=order_units(units_of(combined_outcomes(runs), split), seed),
    )


def _counts(name: str, run: ReportRun) -> Iterator[tuple[str, Counts, str]]:
    """A run's counts, stage by stage, with what is known of who was asked."""
    first = f"{name}, stage {next(iter(run.result.evidence.stages))}" if run.later else name
    yield first, Counts.of(run.result.outcomes), str(run.result.about or "")
    for each in run.later:
        yield f"{name}, stage {each.name} ({each.role})", each.counts, each.notes()


def _readers(name: str, run: ReportRun, readers: Sequence[str]) -> RunReaders:
    """How the readers differ in a run; one that reads nothing otherwise there reads as the suite's own does."""
    counts, analysis = Counts.of(run.result.outcomes), run.suite.analysis
    own = OtherReading(reader="", counts=counts, estimates=run.result.estimates)
    beside = {each.reader: each for each in run.otherwise}
    readings = [beside.get(reader, own) for reader in readers]
    figures = read_otherwise(analysis.headline, run.result.estimates, readings)
    titles = [analysis.measures[m].title if (m := each.own.metric) in analysis.measures else m for each in figures]
    answered = [counts.answered, *(each.counts.answered for each in readings)]
    return RunReaders(name, counts.asked, answered, list(zip(titles, figures, strict=True)))


def _incomplete(name: str, run: ReportRun) -> Iterator[tuple[str, Counts, str | None, Mapping[str, int]]]:
    outcomes = run.result.outcomes
    parts: list[tuple[str, Counts, str | None, Mapping[str, int]]] = [
        (name, Counts.of(outcomes), run.stopped, cannot_be_asked(outcomes))
    ]
    counted = [each for each in run.later if each.counted]
    parts.extend((f"{name}, stage {each.name}, {each.model}", each.counts, None, each.not_asked) for each in counted)
    yield from (part for part in parts if part[1].asked < part[1].planned or part[1].error or part[2])


def _unanswered(name: str, run: ReportRun) -> Iterator[tuple[str, UnansweredReplies]]:
    """Why replies have no answer, for each stage in which any has none."""
    parts: list[tuple[str, UnansweredReplies | None]] = [(name, unanswered_by_reason(run.result.outcomes))]
    parts.extend((f"{name}, stage {each.name}, {each.model}", each.unanswered) for each in run.later if each.counted)
    yield from ((where, missing) for where, missing in parts if missing is not None and missing.count)


def _figures(figures: Sequence[Figure], prefix: str) -> list[tuple[Figure, Markup]]:
    from markupsafe import Markup

    return [
        (figure, Markup(inline_svg(figure.svg, f"{prefix}figure-{number}", figure.title)))  # noqa: S704
        for number, figure in enumerate(figures, 1)
    ]
