"""What a model was trained on beside what it was asked: families, seeds and pixels, and its results by both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import polars as pl

from veridical.base.format import format_number
from veridical.records import Counts, Estimate
from veridical.report.runs import ReportRun
from veridical.report.settings import shown_name
from veridical.report.view import TableView, table_view
from veridical.suite.results import Cell, Result, Table
from veridical.suite.training_exports import TrainingExport, TrainingRecord

TRAINED, HELD_OUT = "trained on", "held out"
_NAMED = 8
"""How many families are named; of more, how many they are."""


@dataclass(frozen=True)
class TrainingCheck:
    """What was held out of a run's training, in words by subject."""

    run: str
    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class TrainingView:
    """The part of a page on training: a check for each run whose training is stated, and results on both families."""

    checks: tuple[TrainingCheck, ...]
    results: TableView


def training_view(runs: Sequence[ReportRun], names: Sequence[str]) -> TrainingView | None:
    """What a page says of the training of these runs; `None` where no export is stated for any of them.

    Runs whose training is not stated have their results on the same families beside the others'.
    """
    pairs = list(zip(names, runs, strict=True))
    trained = {family for run in runs if run.training is not None for family in _trained(run, run.training)}
    checks = [TrainingCheck(name, tuple(_lines(run, run.training))) for name, run in pairs if run.training is not None]
    if not checks:
        return None
    rows = [row for name, run in pairs for row in _rows(name, run, trained)]
    heads = list(dict.fromkeys(head for row in rows for head in row))
    table = Table(
        name="training",
        title="Results on families trained on and held out",
        note="",
        columns=tuple(heads),
        rows=tuple(tuple(row.get(head) for head in heads) for row in rows),
    )
    return TrainingView(tuple(checks), table_view(table))


def _asked(run: ReportRun) -> list[str]:
    return list(dict.fromkeys(run.result.outcomes["family"]))


def _trained(run: ReportRun, record: TrainingRecord) -> set[str]:
    return {family for export in record.exports for family in export.families_of(run.suite.name)}


def _lines(run: ReportRun, record: TrainingRecord) -> Iterator[tuple[str, str]]:
    suite, asked, trained = run.suite.name, _asked(run), _trained(run, record)
    recipes = list(dict.fromkeys(name for export in record.exports for name in export.recipes_of(suite)))
    yield "Trained on", _examples(suite, recipes, record)
    called = run.suite.presentation.names
    both = {TRAINED: [f for f in asked if f in trained], HELD_OUT: [f for f in asked if f not in trained]}
    shares = [
        f"{len(f) or 'none'} {kind}{_named([shown_name(called, each) for each in f])}" for kind, f in both.items()
    ]
    yield "Families", f"of {len(asked)} asked about, {'; '.join(shares)}"
    yield "Seeds", _seeds(record)
    yield "Pixels", _pixels(record, shown=bool(recipes))


def _examples(suite: str, recipes: Sequence[str], record: TrainingRecord) -> str:
    """How many examples of this suite and of others there were to train on, and the recipes of this suite."""
    counts: Counter[str] = Counter()
    for export in record.exports:
        for family, count in export.families.items():
            counts[family.partition("/")[0]] += count
    own = [f"{format_number(counts[suite])} examples of this suite: {', '.join(recipes)}"] if recipes else []
    others = [f"{format_number(count)} of {name}" for name, count in sorted(counts.items()) if name != suite]
    return "; ".join([*own, *others])


def _named(families: Sequence[str]) -> str:
    return f" ({', '.join(families)})" if 0 < len(families) <= _NAMED else ""


def _seeds(record: TrainingRecord) -> str:
    spaces = {export.space for export in record.exports}
    if record.space is None:
        return "not known: the set is not here"
    if not record.space:
        return "held out: this set was not drawn from seeds"
    if record.space in spaces:
        return f"not held out: training and this set are of the {record.space} space of seeds"
    return (
        f"held out: training is of the {', '.join(sorted(spaces))} space of seeds, this set of the {record.space} space"
    )


def _pixels(record: TrainingRecord, *, shown: bool) -> str:
    """Whether pictures of the set were trained on; `shown`: whether an export shows any of the suite."""
    if not shown:
        return "held out: no export has pictures of this suite"
    if all(record.digest in export.arguments.apart_from for export in record.exports):
        return f"held out: no picture of this set was trained on; {_left_out(record.exports)}"
    if record.standard:
        return f"held out: the set is {record.standard}, whose units no export has; {_left_out(record.exports)}"
    return "not compared: not every export names this set in --apart-from"


def _left_out(exports: Sequence[TrainingExport]) -> str:
    count = sum(export.left_out for export in exports)
    return f"{format_number(count)} examples were left out and others drawn" if count else "none had to be left out"


def _rows(name: str, run: ReportRun, trained: Collection[str]) -> Iterator[dict[str, Cell]]:
    """A row for the families that were trained on, and one for those held out, where any was asked about.

    `trained` are those of all runs, which is what one is compared on whose own training is not stated.
    """
    own = trained if run.training is None else _trained(run, run.training)
    label = f"{name} (training not known)" if run.training is None else name
    for kind, inside in ((TRAINED, True), (HELD_OUT, False)):
        families = [family for family in _asked(run) if (family in own) is inside]
        if families:
            which = f"{len(families)} {kind}" if run.training is not None else f"{len(families)} {kind} by others"
            yield {"Run": label, "Families": which, **_results(run, families)}


def _results(run: ReportRun, families: Sequence[str]) -> dict[str, Cell]:
    """What the suite finds on some families alone: its verdict, and the rates that its reports begin with."""
    evidence = run.result.evidence.of_families(families)
    outcomes = evidence.outcomes()
    estimates = run.suite.analysis.estimates(evidence)
    part: Result = replace(run.result, outcomes=outcomes, estimates=estimates, evidence=evidence)
    opening = run.suite.presentation.opening([part])
    finding = opening.findings[0] if opening and opening.findings else None
    cells: dict[str, Cell] = {"Base items": outcomes["unit"].n_unique(), "Replies": Counts.of(outcomes)}
    if opening and finding:
        cells["Verdict"] = finding.verdict
    cells["Right"] = _right(run.suite.name, outcomes)
    if opening and finding:
        cells |= {head: rate for head, (rate, _) in zip(opening.rates, finding.rates, strict=False)}
    return cells


def _right(suite: str, outcomes: pl.DataFrame) -> Estimate | None:
    """The share of right replies among all, of trials that have a true answer."""
    from veridical.suite.rows import OF_ALL, RIGHT, asked_slices

    marked = outcomes.filter(pl.col("gold").is_not_null()).with_columns(RIGHT.alias("right"))
    return next((piece.rate("right", "right", OF_ALL) for piece in asked_slices(suite, marked)), None)
