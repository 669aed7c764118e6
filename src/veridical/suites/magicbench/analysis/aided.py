"""Interventions on the picture: the same failures again with a ring, a placebo ring, magnified, or with no aid."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.judges.judged import NOT_JUDGED
from veridical.records import Estimate, Json
from veridical.suite.contrasts import mean_score
from veridical.suite.evidence import Evidence
from veridical.suites.magicbench.analysis.marks import (
    MARKS,
    OF_ALL,
    SCORE,
    judges,
    marked,
    marked_pieces,
    readable_alone,
    verdict_counts,
)
from veridical.suites.magicbench.analysis.rows import Sides, holm_by, paired_difference, tricks
from veridical.suites.magicbench.asking.aids import NONE, PLACEBO, RING
from veridical.suites.magicbench.asking.ring import AID, CHOSEN, RING_GRADE

_ITEM = ("about_trial", "repeat")
_FAMILY = ("judge", "rubric", "score")


def aided(evidence: Evidence) -> Iterator[Estimate]:
    """`aided marks`, `effect of an aid`, `regression to the mean`, and recovery with it; nothing without the stage."""
    if RING_GRADE.about not in evidence.stages or evidence.outcomes(RING_GRADE.about).is_empty():
        return
    first = _chosen_by(evidence)
    for judge, rows in judges(marked(evidence, RING_GRADE)):
        if judge["judge"] != NOT_JUDGED:
            for (level,), own in _with_aid(tricks(rows)).group_by(CHOSEN, maintain_order=True):
                before = first.get((judge["judge"], judge["rubric"]))
                yield from _of_choice(own, before, {CHOSEN: str(level), **judge})


def _of_choice(own: pl.DataFrame, before: pl.DataFrame | None, where: dict[str, Json]) -> Iterator[Estimate]:
    """The estimates of the items that were chosen in one way."""
    for piece in marked_pieces(own, (AID,), where):
        for each in (piece, readable_alone(piece)):
            for mark in MARKS:
                at = replace(each, where={"score": mark, **each.where})
                yield mean_score(at, "aided marks", mark, SCORE, OF_ALL)
    yield from holm_by(list(_effects(own, where)), _FAMILY)
    if before is not None:
        yield from holm_by(list(_since(own, before, where)), _FAMILY)


def _with_aid(rows: pl.DataFrame) -> pl.DataFrame:
    levels = rows.select("settings").unique()
    read = [json.loads(text) for text in levels["settings"]]
    named = levels.with_columns(
        pl.Series(name, [each.get(name) for each in read], dtype=pl.String) for name in (AID, CHOSEN)
    )
    return rows.join(named, on="settings", how="left", maintain_order="left")


def _chosen_by(evidence: Evidence) -> dict[tuple[Json, Json], pl.DataFrame]:
    """The mean marks over repeats of what was asked first, by judge and rubric."""
    kept = [pl.first("stimulus", "unit", "family", "status", "attempt", "verdict_status"), pl.mean(*MARKS)]
    return {
        (where["judge"], where["rubric"]): rows.group_by(pl.col("trial").alias("about_trial")).agg(kept)
        for where, rows in judges(marked(evidence))
        if where["judge"] != NOT_JUDGED
    }


def _effects(rows: pl.DataFrame, where: dict[str, Json]) -> Iterator[Estimate]:
    """Each aid − none, and the ring − its placebo, both asked again."""
    present = [level for level in rows[AID].unique(maintain_order=True) if level not in (None, NONE)]
    pairs = [(level, NONE) for level in present]
    pairs += [(RING, PLACEBO)] if {RING, PLACEBO} <= set(present) else []
    for mark in MARKS:
        for level, base in pairs:
            sides = Sides(pl.col(AID) == level, pl.col(AID) == base, f"{level} − {base}, both asked again", _ITEM)
            inside: dict[str, Json] = {"score": mark, AID: level, "against": base, **where}
            found = paired_difference(rows, "effect of an aid", mark, sides, inside)
            yield replace(found, counts=verdict_counts(rows.filter(sides.plus | sides.minus)))


def _since(rows: pl.DataFrame, before: pl.DataFrame, where: dict[str, Json]) -> Iterator[Estimate]:
    """Marks asked again − when the clips were chosen: without an aid, regression to the mean; with one, both."""
    kept = ["stimulus", "unit", "family", "status", "attempt", "verdict_status", *MARKS]
    item = pl.col("about_trial")
    for level in rows[AID].drop_nulls().unique(maintain_order=True):
        again = rows.filter(pl.col(AID) == level).select(item, "repeat", *kept, then=pl.lit(0))
        stated = again.select("about_trial", "repeat").join(before, on="about_trial", maintain_order="left")
        both = pl.concat([again, stated.select(item, "repeat", *kept, then=pl.lit(1))])
        metric = "regression to the mean" if level == NONE else "recovery with regression"
        words = f"{level}, asked again − when chosen"
        sides = Sides(pl.col("then") == 0, pl.col("then") == 1, words, _ITEM)
        for mark in MARKS:
            inside: dict[str, Json] = {"score": mark, **({} if level == NONE else {AID: level}), **where}
            found = paired_difference(both, metric, mark, sides, inside)
            yield replace(found, counts=verdict_counts(both))
