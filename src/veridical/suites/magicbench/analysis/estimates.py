"""The estimates of a run, those that stand for it as a whole, and what differs between two runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars as pl

from veridical.judges.blind import blind_floors, is_smoke
from veridical.judges.judged import NOT_JUDGED
from veridical.records import Counts, Estimate, Json
from veridical.suite.contrasts import difference, doubled_rows
from veridical.suite.evidence import Evidence
from veridical.suite.rates import Slice
from veridical.suites.magicbench.analysis.aided import aided
from veridical.suites.magicbench.analysis.effects import WORDED, effects, setting_effects
from veridical.suites.magicbench.analysis.marks import KINDS, MARKS, SCORE, judges, marked, scores, vetoes
from veridical.suites.magicbench.analysis.noticed import confidence, noticed
from veridical.suites.magicbench.analysis.reliability import accepted, reliability
from veridical.suites.magicbench.analysis.rows import plain, replies, sent, tricks
from veridical.suites.magicbench.analysis.seeing import BASES, decisive, probed, seeing
from veridical.suites.magicbench.asking.cells import EXPLAIN, FORENSIC
from veridical.suites.magicbench.asking.marking import GRADE
from veridical.suites.magicbench.judging.rubrics import PCS
from veridical.suites.magicbench.stimuli import NAME, TYPES

Where = dict[str, Json]


def overall(estimates: Sequence[Estimate]) -> Iterator[Estimate]:
    """Headline metrics with an empty slice: the first of their usual slices that a run has with a value.

    Marks are those of the first judge by the rubric `pcs` (else by the first), in the forensic stance (else the next
    one asked), as the plain mean of the types. The effect of a lie is that against vision-only, else silence.
    """
    for metric, candidates in _wanted(estimates):
        for where in candidates:
            found = next(
                (each for each in estimates if each.metric == metric and dict(each.slice) == where and _valued(each)),
                None,
            )
            if found is not None:
                words = ", ".join(f"{level}" for level in where.values())
                yield replace(found, slice={}, method=f"{words}: {found.method}")
                break


def _valued(estimate: Estimate) -> bool:
    return estimate.value is not None


def main_judge(estimates: Sequence[Estimate]) -> Where | None:
    """The judge and the rubric that stand for a run: the first judge's marks by `pcs`, else by its first rubric.

    One whose marks are a smoke test comes last.
    """
    seen = [each.slice for each in estimates if each.metric == "cpa" and "rubric" in each.slice]
    ordered = sorted(seen, key=lambda where: (is_smoke(estimates, where["judge"]), where["rubric"] != PCS.name))
    return {"judge": ordered[0]["judge"], "rubric": ordered[0]["rubric"]} if ordered else None


def _wanted(estimates: Sequence[Estimate]) -> Iterator[tuple[str, list[Where]]]:
    yield "effect of a lie", [{"against": base} for base in BASES]
    yield "told apart", [{"under": base} for base in BASES]
    yield "pull of the lie", [{"against": base} for base in BASES]
    judge = main_judge(estimates)
    stances = (FORENSIC, *(stance for stance in WORDED if stance != FORENSIC))
    if judge is not None:
        for mark in MARKS:
            yield mark, [{**judge, "stance": stance, "average": KINDS} for stance in stances]
        marks: Where = {"score": "cpa", **judge}
        yield "agency loss", [{**marks, "stance": stance} for stance in stances]
        yield (
            "spotlight gain",
            [{**marks, "stance": stance, "type": kind} for stance in stances for kind in TYPES[:2]],
        )
    yield "d_prime", [{"stance": stance} for stance in stances]
    yield "criterion", [{"stance": stance} for stance in stances]


def estimates(evidence: Evidence) -> list[Estimate]:
    """All estimates of a run; those of tasks, stances and stages that it does not have are left out."""
    rows, marks = replies(evidence.outcomes()), marked(evidence)
    every = [*seeing(rows), *decisive(rows), *scores(marks), *effects(marks), *noticed(rows)]
    every += [*confidence(marks), *vetoes(marks), *reliability(marks), *aided(evidence)]
    every += blind_floors(NAME, evidence, GRADE, MARKS, SCORE)
    every += [*setting_effects(rows, marks), *accepted(evidence)]
    return [*every, *overall(every)]


_SIDES = (pl.col("run") == 1, pl.col("run") == 0, "B − A")
_KEPT = ("trial", "repeat", "unit", "family", "status", "attempt", "value")


def differences(first: Evidence, second: Evidence) -> list[Estimate]:
    """`probe difference` by what is said, and `mark difference` by mark, judge, stance and words: second − first."""
    return [*_of_probes(first, second), *_of_marks(first, second)]


def _of_probes(first: Evidence, second: Evidence) -> Iterator[Estimate]:
    rows = [
        tricks(probed(replies(each.outcomes()))[0]).with_columns(pl.col("right").alias("value"))
        for each in (first, second)
    ]
    both = _shared(rows, ("under",))
    if len(both):
        yield _difference(both, "probe difference", {}, fractions=False)
        for (under,), own in both.group_by("under", maintain_order=True):
            yield _difference(own, "probe difference", {"under": str(under)}, fractions=False)


def _of_marks(first: Evidence, second: Evidence) -> Iterator[Estimate]:
    runs = [{tuple(where.items()): rows for where, rows in judges(marked(each))} for each in (first, second)]
    for judge in runs[0]:
        if judge not in runs[1] or ("judge", NOT_JUDGED) in judge:
            continue
        for mark in MARKS:
            rows = [tricks(plain(run[judge], EXPLAIN)[0]).with_columns(pl.col(mark).alias("value")) for run in runs]
            both = _shared(rows, ("stance", "words"))
            for (stance, words), own in both.group_by("stance", "words", maintain_order=True):
                where: dict[str, Json] = {"score": mark, "stance": stance, "words": words or "none", **dict(judge)}
                yield _difference(own, "mark difference", where, fractions=True)


def _shared(rows: list[pl.DataFrame], more: tuple[str, ...]) -> pl.DataFrame:
    """The rows of the trials and repeats that both runs have, with `run`, 0 or 1."""
    both = pl.concat([each.select(*_KEPT, *more, pl.lit(k).alias("run")) for k, each in enumerate(rows)])
    kept = sent(both).drop_nulls("value")
    return kept.filter(pl.col("run").n_unique().over("trial", "repeat") == 2)


def _difference(rows: pl.DataFrame, metric: str, where: dict[str, Json], *, fractions: bool) -> Estimate:
    counts = [Counts.of(rows.filter(pl.col("run") == run)) for run in (0, 1)]
    piece = Slice(NAME, where, doubled_rows(rows) if fractions else rows, counts[1], "; on the trials that both have")
    return replace(difference(piece, metric, "value", _SIDES), counts_first=counts[0])
