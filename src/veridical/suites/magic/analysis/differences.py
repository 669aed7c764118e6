"""What differs between two runs, on the trials that both have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.records import Counts, Estimate, Json
from veridical.suite.contrasts import difference, doubled_rows
from veridical.suite.evidence import Evidence
from veridical.suite.rates import Slice
from veridical.suites.magic.analysis.accuracy import marked
from veridical.suites.magic.analysis.healing import KEYS, OUTCOMES, verdicts
from veridical.suites.magic.analysis.magiscore import PARTS
from veridical.suites.magic.analysis.rows import plain, replies, sent
from veridical.suites.magic.asking.healing import HEAL_GRADE
from veridical.suites.magic.stimuli import NAME

_SIDES = (pl.col("run") == 1, pl.col("run") == 0, "B − A")
_KEPT = ("trial", "repeat", "unit", "family", "category", "status", "attempt", "value")


def differences(first: Evidence, second: Evidence) -> list[Estimate]:
    """`accuracy difference` by who marks, `focus difference` by part, `healing difference` by outcome: second − first.

    Accuracy and F1 also stand by question type.
    """
    return [*_focus(first, second), *_answers(first, second), *_healing(first, second)]


def _focus(first: Evidence, second: Evidence) -> Iterator[Estimate]:
    rows = [sent(plain(replies(evidence.outcomes()))[0]) for evidence in (first, second)]
    for part in PARTS:
        both = _shared([each.with_columns(pl.col(part).alias("value")) for each in rows])
        if len(both):
            yield from _by_type(both, "focus difference", {"part": part}, fractions=True, types=part == "f1")


def _answers(first: Evidence, second: Evidence) -> Iterator[Estimate]:
    by_marker = [{str(by["by"]): rows for by, rows in marked(evidence)} for evidence in (first, second)]
    for name in by_marker[0]:
        if name in by_marker[1]:
            rows = [sent(plain(own[name])[0]).with_columns(pl.col("right").alias("value")) for own in by_marker]
            both = _shared(rows)
            if len(both):
                yield from _by_type(both, "accuracy difference", {"by": name}, fractions=False, types=True)


def _healing(first: Evidence, second: Evidence) -> Iterator[Estimate]:
    if not all({HEAL_GRADE.about, HEAL_GRADE.name} <= set(each.stages) for each in (first, second)):
        return
    for score in (*OUTCOMES, "denies"):
        by_judge = [dict(verdicts(evidence, HEAL_GRADE, score)) for evidence in (first, second)]
        for judge in by_judge[0]:
            both = _shared([own[judge] for own in by_judge], KEYS) if judge in by_judge[1] else None
            for values, own in both.group_by(KEYS, maintain_order=True) if both is not None else ():
                where: dict[str, Json] = {"of": score, "judge": judge, **dict(zip(KEYS, map(str, values), strict=True))}
                yield _difference(own, "healing difference", where, fractions=False)


def _shared(rows: list[pl.DataFrame], more: tuple[str, ...] = ()) -> pl.DataFrame:
    """The rows of the trials and repeats that both runs have, with `run`, 0 or 1."""
    both = pl.concat([each.select(*_KEPT, *more, pl.lit(k).alias("run")) for k, each in enumerate(rows)])
    kept = both.drop_nulls("value")
    return kept.filter(pl.col("run").n_unique().over("trial", "repeat") == 2)


def _by_type(
    both: pl.DataFrame, metric: str, where: dict[str, Json], *, fractions: bool, types: bool
) -> Iterator[Estimate]:
    yield _difference(both, metric, where, fractions=fractions)
    for (category,), own in both.group_by("category", maintain_order=True) if types else ():
        yield _difference(own, metric, {**where, "category": str(category)}, fractions=fractions)


def _difference(rows: pl.DataFrame, metric: str, where: dict[str, Json], *, fractions: bool) -> Estimate:
    counts = [Counts.of(rows.filter(pl.col("run") == run)) for run in (0, 1)]
    piece = Slice(NAME, where, doubled_rows(rows) if fractions else rows, counts[1], "; on the trials that both have")
    return replace(difference(piece, metric, "value", _SIDES), counts_first=counts[0])
