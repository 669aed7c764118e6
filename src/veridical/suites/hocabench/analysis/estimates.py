"""The estimates of HOCA-Bench."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from veridical.judges.blind import blind_floors
from veridical.records import Estimate, Json
from veridical.suite.contrasts import corrected
from veridical.suite.evidence import Evidence
from veridical.suites.hocabench.analysis.choices import by_level, choices, gaps
from veridical.suites.hocabench.analysis.effects import effects
from veridical.suites.hocabench.analysis.explained import marked, score_gaps, scores
from veridical.suites.hocabench.analysis.figures import SCORE
from veridical.suites.hocabench.analysis.grounding import grounding
from veridical.suites.hocabench.analysis.index import indices
from veridical.suites.hocabench.analysis.pairs import pairs
from veridical.suites.hocabench.analysis.plausibility import plausibility
from veridical.suites.hocabench.analysis.prefixes import prefixes
from veridical.suites.hocabench.analysis.rows import replies
from veridical.suites.hocabench.analysis.several import several
from veridical.suites.hocabench.asking.marking import GRADE
from veridical.suites.hocabench.stimuli import NAME


def estimates(evidence: Evidence) -> list[Estimate]:
    """All estimates of a run; those of tasks and settings that it does not have are left out."""
    rows, marks = replies(evidence.outcomes()), marked(evidence)
    every = [*indices(rows, marks), *plausibility(rows), *choices(rows), *by_level(rows), *_gaps(rows, marks)]
    every += [*scores(marks), *grounding(rows), *several(rows), *effects(rows, marks)]
    return [*every, *pairs(rows), *prefixes(rows), *blind_floors(NAME, evidence, GRADE, ("total",), SCORE)]


def _gaps(rows: pl.DataFrame, marks: pl.DataFrame) -> Iterator[Estimate]:
    """`layer gap` of Tasks II to IV; p by Holm over the tasks, for Task IV with those of the same judge."""
    own = gaps(rows)
    by_judge: dict[tuple[Json, Json], list[Estimate]] = {}
    for each in score_gaps(marks):
        by_judge.setdefault((each.slice["judge"], each.slice["rubric"]), []).append(each)
    first = next(iter(by_judge.values()), [])
    yield from _holm([*own, *first])
    for judged in list(by_judge.values())[1:]:
        yield from _holm([*own, *judged])[len(own) :]


def _holm(tested: list[Estimate]) -> list[Estimate]:
    return corrected(tested) if tested else []
