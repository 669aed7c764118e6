"""Interventions on the picture: the same failures again with a ring, a placebo ring, magnified, or with no aid."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.judges import marking
from veridical.judges.judged import NOT_JUDGED
from veridical.records import Estimate, Json
from veridical.suite.evidence import Evidence
from veridical.suite.means import mean_score
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
from veridical.suites.magicbench.analysis.paired import Sides, holm_by, paired_difference
from veridical.suites.magicbench.analysis.rows import tricks

AID, WITHOUT, RING, PLACEBO = "aid", "none", "ring", "placebo"
AIDED = marking("ring-grade", "ring", (), setting="grading")
"""How the stage with aids is marked: `none` is the same clip again, as it is."""
_ITEM = ("about_trial", "about_repeat", "repeat")
_FAMILY = ("judge", "rubric", "score")


def aided(evidence: Evidence) -> Iterator[Estimate]:
    """`aided marks`, `effect of an aid`, `regression to the mean`, and recovery with it; nothing without the stage."""
    if AIDED.about not in evidence.stages or evidence.outcomes(AIDED.about).is_empty():
        return
    first = _chosen_by(evidence)
    for where, rows in judges(marked(evidence, AIDED)):
        if where["judge"] == NOT_JUDGED:
            continue
        own = tricks(_with_aid(rows))
        for piece in marked_pieces(own, (AID,), where):
            for each in (piece, readable_alone(piece)):
                for mark in MARKS:
                    at = replace(each, where={"score": mark, **each.where})
                    yield mean_score(at, "aided marks", mark, SCORE, OF_ALL)
        yield from holm_by(list(_effects(own, where)), _FAMILY)
        before = first.get((where["judge"], where["rubric"]))
        if before is not None:
            yield from holm_by(list(_since(own, before, where)), _FAMILY)


def _with_aid(rows: pl.DataFrame) -> pl.DataFrame:
    levels = rows.select("settings").unique()
    read = [json.loads(text).get(AID) for text in levels["settings"]]
    named = levels.with_columns(pl.Series(AID, read, dtype=pl.String))
    return rows.join(named, on="settings", how="left", maintain_order="left")


def _chosen_by(evidence: Evidence) -> dict[tuple[Json, Json], pl.DataFrame]:
    """The marks of the replies by which clips were chosen, by judge and rubric, as rows like those with an aid."""
    renamed = {"trial": "about_trial", "repeat": "about_repeat"}
    return {
        (where["judge"], where["rubric"]): rows.drop("about_trial", "about_repeat").rename(renamed)
        for where, rows in judges(marked(evidence))
        if where["judge"] != NOT_JUDGED
    }


def _effects(rows: pl.DataFrame, where: dict[str, Json]) -> Iterator[Estimate]:
    """Each aid − none, and the ring − its placebo, both asked again."""
    present = [level for level in rows[AID].unique(maintain_order=True) if level not in (None, WITHOUT)]
    pairs = [(level, WITHOUT) for level in present]
    pairs += [(RING, PLACEBO)] if {RING, PLACEBO} <= set(present) else []
    for mark in MARKS:
        for level, base in pairs:
            sides = Sides(pl.col(AID) == level, pl.col(AID) == base, f"{level} − {base}, both asked again", _ITEM)
            inside: dict[str, Json] = {"score": mark, AID: level, "against": base, **where}
            found = paired_difference(rows, "effect of an aid", mark, sides, inside)
            yield replace(found, counts=verdict_counts(rows.filter(sides.plus | sides.minus)))


def _since(rows: pl.DataFrame, before: pl.DataFrame, where: dict[str, Json]) -> Iterator[Estimate]:
    """Marks asked again − when the clips were chosen: without an aid, regression to the mean; with one, both."""
    keys = ["about_trial", "about_repeat"]
    kept = ["stimulus", "unit", "family", "status", "attempt", "verdict_status", *MARKS]
    base = before.join(rows.select(keys).unique(), on=keys, how="semi").select(*keys, *kept, then=pl.lit(1))
    for level in rows[AID].drop_nulls().unique(maintain_order=True):
        again = rows.filter(pl.col(AID) == level).select(*keys, "repeat", *kept, then=pl.lit(0))
        stated = base.join(again.select(*keys, "repeat"), on=keys, how="inner").select(again.columns)
        both = pl.concat([again, stated])
        metric = "regression to the mean" if level == WITHOUT else "recovery with regression"
        words = f"{level}, asked again − when chosen"
        sides = Sides(pl.col("then") == 0, pl.col("then") == 1, words, _ITEM)
        for mark in MARKS:
            inside: dict[str, Json] = {"score": mark, **({} if level == WITHOUT else {AID: level}), **where}
            found = paired_difference(both, metric, mark, sides, inside)
            yield replace(found, counts=verdict_counts(both))
