"""Tasks II to IV: accuracies of choices and marks of explanations, by layer and below, and the gap of the layers."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from veridical.judges import judged
from veridical.judges.judged import COMBINED, NOT_JUDGED
from veridical.records import PROPORTION, STATUSES, Counts, Estimate, Json
from veridical.stats import Interval
from veridical.suite.contrasts import holm_corrected, mean_score
from veridical.suite.evidence import Evidence
from veridical.suite.rates import NOTHING, Slice
from veridical.suites.hocabench.analysis.figures import OF_ALL, SCORE, layer_gap
from veridical.suites.hocabench.analysis.rows import (
    BY,
    both_kinds,
    groups,
    keys_of,
    pieces,
    plain,
    replies,
    with_status,
)
from veridical.suites.hocabench.asking.marking import GRADE
from veridical.suites.hocabench.asking.readers import DESCRIPTION, DOMAIN, EXPLAINED, PLAUSIBILITY
from veridical.suites.hocabench.asking.trials import SETTINGS
from veridical.suites.hocabench.asking.verdicts import RANGES
from veridical.suites.hocabench.stimuli import NAME

CHOICES = {DOMAIN: 9, DESCRIPTION: 4}
"""How many options each task has."""
COMPARED = ("frames", "sight", "video", "resolution", "domains", "attribution_rule")
"""The settings whose levels are compared on the same clips."""
PARTS = {part: f"mark_{part}" for part in ("total", "scene", "anomaly", "process", "reasoning")}
"""The column of each part's marks; `scene` alone would be that of the factor."""
TOTAL = PARTS["total"]
OF_FULL = "share of the full marks; of all, not answered is 0"


def choices(rows: pl.DataFrame) -> Iterator[Estimate]:
    """Accuracies of Tasks II and III, and what chance gives."""
    for task, options in CHOICES.items():
        chosen, note = plain(rows, task)
        if chosen.is_empty():
            continue
        for keys in keys_of(chosen):
            for piece in pieces(chosen, keys, {"task": task}, note):
                yield piece.rate("accuracy", "right", OF_ALL)
        for piece in pieces(chosen, (), {"task": task}):
            guess = 1 / options
            yield piece.estimate("chance", PROPORTION, f"1 of {options} options", guess, Interval(guess, guess))


def by_level(rows: pl.DataFrame) -> Iterator[Estimate]:
    """`accuracy` of Tasks I to III at each level of the settings of which a run has more than one."""
    for task in (PLAUSIBILITY, *CHOICES):
        for name in COMPARED:
            chosen, note = plain(rows, task, (name,))
            chosen = both_kinds(chosen)
            present = set(chosen[name].drop_nulls().unique())
            if len(present) > 1:
                order = pl.Enum([each for each in SETTINGS[name] if each in present])
                ordered = chosen.with_columns(chosen[name].cast(order)).sort(name).with_columns(pl.col(name).cast(str))
                for piece in pieces(ordered, (name,), {"task": task}, note):
                    yield piece.rate("accuracy", "right", OF_ALL)


def marks_of(evidence: Evidence) -> pl.DataFrame:
    """The replies to Task IV, once by each judge and rubric, with the columns of `PARTS`, each of 0 to 1.

    A column is 0 for a reply that cannot be judged, and null where there is no verdict. `judge` and `rubric` are null
    where there is no judge.
    """
    outcomes = evidence.outcomes()
    if GRADE.name not in evidence.stages:
        empty = [pl.lit(None, pl.String).alias(name) for name in ("judge", "rubric", "verdict_status")]
        frame = outcomes.with_columns(*empty, *(pl.lit(None, pl.Float64).alias(name) for name in PARTS.values()))
    else:
        each = [judged(evidence, GRADE, part) for part in PARTS]
        frame = (
            each[0]
            .drop("verdict")
            .with_columns(
                rows["verdict"].alias(PARTS[part]) / RANGES[part][1] for part, rows in zip(PARTS, each, strict=True)
            )
        )
    frame = frame.filter(pl.col("judge").is_null() | ~pl.col("judge").is_in(COMBINED))
    own = replies(frame).filter(pl.col("task") == EXPLAINED)
    nothing = pl.col("status").is_not_null() & (pl.col("status") != "answered")
    return own.with_columns(pl.when(nothing).then(0.0).otherwise(pl.col(name)).alias(name) for name in PARTS.values())


def judges(marks: pl.DataFrame) -> Iterator[tuple[dict[str, Json], pl.DataFrame]]:
    """The replies by judge and rubric, with the slice of each; one without a verdict is "not judged"."""
    for (judge, rubric), rows in marks.group_by("judge", "rubric", maintain_order=True):
        yield ({"judge": NOT_JUDGED} if judge is None else {"judge": judge, "rubric": rubric}), rows


def scores(marks: pl.DataFrame) -> Iterator[Estimate]:
    """`explanation score` by part, judge and rubric: over all, by layer, and the total by each column of `BY`."""
    for where, rows in judges(marks):
        chosen, note = plain(rows, EXPLAINED)
        for part, column in PARTS.items():
            inside = {"part": part, **where}
            if where["judge"] == NOT_JUDGED:
                piece = Slice(NAME, inside, chosen, verdict_counts(chosen), note)
                yield piece.estimate("explanation score", SCORE, OF_FULL, None, NOTHING, NOT_JUDGED)
                continue
            for keys in keys_of(chosen, BY if part == "total" else ("layer",)):
                for piece in _pieces(chosen, keys, inside, note):
                    yield mean_score(piece, "explanation score", column, SCORE, OF_FULL)


def layer_gaps(rows: pl.DataFrame, marks: pl.DataFrame) -> Iterator[Estimate]:
    """`layer gap` of Tasks II to IV; p by Holm over the tasks, for Task IV with those of the same judge."""
    own = []
    for task in CHOICES:
        chosen, note = plain(rows, task)
        if not chosen.is_empty():
            own += [layer_gap(piece, "layer gap", "right") for piece in pieces(chosen, (), {"task": task}, note)]
    by_judge = []
    for where, judged_rows in judges(marks):
        if where["judge"] != NOT_JUDGED:
            chosen, note = plain(judged_rows, EXPLAINED)
            parts = _pieces(chosen, (), {"task": EXPLAINED, **where}, note)
            by_judge.append([layer_gap(piece, "layer gap", TOTAL) for piece in parts])
    first = [*own, *(by_judge[0] if by_judge else [])]
    yield from holm_corrected(first) if first else ()
    for tested in by_judge[1:]:
        yield from holm_corrected([*own, *tested])[len(own) :]


def _pieces(rows: pl.DataFrame, keys: tuple[str, ...], where: dict[str, Json], note: str) -> Iterator[Slice]:
    for inside, within in groups(rows, keys, where):
        yield Slice(NAME, inside, with_status(within), verdict_counts(within), note)


def verdict_counts(rows: pl.DataFrame) -> Counts:
    """Counts of the verdicts on answered replies; those that were never given are planned and not asked."""
    status = rows["verdict_status"].drop_nulls()
    given = status.filter(status != NOT_JUDGED)
    by_status = {name: int((given == name).sum()) for name in STATUSES}
    return Counts(planned=len(status), asked=len(given), **by_status)
