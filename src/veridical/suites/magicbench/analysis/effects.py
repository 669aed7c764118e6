"""What words change in explanations on the same clips, what another level of a setting changes, and aids to the eye."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import polars as pl

from veridical.judges.judged_outcomes import NOT_JUDGED
from veridical.judges.marks import split_by_judge, verdict_counts
from veridical.records import POINTS, Estimate, Json
from veridical.suite.contrasts import Sides, doubled_rows, holm_by, mean_score
from veridical.suite.evidence import Evidence
from veridical.suite.rates import CONTRAST_METHOD, Slice, cluster_rows, contrast
from veridical.suite.reply import REPLY
from veridical.suite.rows import asked_rows, groups, with_settings
from veridical.suites.magicbench.analysis.marks import (
    MARKS,
    OF_ALL,
    SCORE,
    explanations_by_judge,
    judged_explanations,
    marked_pieces,
    readable,
    readable_alone,
)
from veridical.suites.magicbench.analysis.rows import plain_replies, same_clip_difference, tricks
from veridical.suites.magicbench.asking.aids import NONE, PLACEBO, RING
from veridical.suites.magicbench.asking.cells import (
    DEFAULTS,
    EXPLAIN,
    FORENSIC,
    NEUTRAL,
    PROBE,
    SETTINGS,
    SKEPTIC,
    TEXT_ONLY,
    THOUGHT,
    VISION_ONLY,
)
from veridical.suites.magicbench.asking.ring import AID, CHOSEN, RING_GRADE
from veridical.suites.magicbench.stimuli import COMPONENTS, NAME, REAL, TYPES

WORDED = (NEUTRAL, SKEPTIC, FORENSIC, THOUGHT)
"""The stances with pictures and words."""
LIE, MISDIRECTION, FILLER, SILENCE = TYPES
CUE, NOUNS, TRUTH = COMPONENTS
_FAMILY = ("judge", "rubric", "score", "stance", "of")
Cell = tuple[str, ...]
"""A stance, and the words that it is under, if any."""


class MarkContrast(NamedTuple):
    """A difference of marks between two cells, in words, and its slice."""

    metric: str
    plus: Cell
    minus: Cell
    words: str
    where: Mapping[str, Json]


def _paradox() -> Iterator[MarkContrast]:
    """`spotlight gain` and `agency loss` of each stance."""
    for stance in WORDED:
        for kind in (LIE, MISDIRECTION):
            words = f"{stance} under {kind} − {VISION_ONLY}"
            yield MarkContrast(
                "spotlight gain", (stance, kind), (VISION_ONLY,), words, {"stance": stance, "type": kind}
            )
        words = f"{VISION_ONLY} − {stance} in silence"
        yield MarkContrast("agency loss", (VISION_ONLY,), (stance, SILENCE), words, {"stance": stance})


def _components() -> Iterator[MarkContrast]:
    """`component effect`: parts of a patter and the whole lie against vision-only, and what the false claim adds."""
    for stance in WORDED:
        for kind in (CUE, NOUNS, FILLER, LIE):
            where = {"stance": stance, "words": kind, "against": VISION_ONLY}
            words = f"{stance} under {kind} − {VISION_ONLY}"
            yield MarkContrast("component effect", (stance, kind), (VISION_ONLY,), words, where)
        for kind, base in ((LIE, NOUNS), (NOUNS, CUE), (NOUNS, SILENCE), (CUE, SILENCE)):
            where = {"stance": stance, "words": kind, "against": base}
            yield MarkContrast("component effect", (stance, kind), (stance, base), f"{stance}: {kind} − {base}", where)


def _type_gaps(clips: str) -> Iterator[MarkContrast]:
    """`type gap`: each type − silence at the same stance."""
    for stance in WORDED:
        for kind in (LIE, MISDIRECTION, FILLER):
            where = {"stance": stance, "type": kind, "clips": clips}
            yield MarkContrast("type gap", (stance, kind), (stance, SILENCE), f"{stance}: {kind} − {SILENCE}", where)


def _thought() -> tuple[list[MarkContrast], list[MarkContrast]]:
    """`iot gain` over the forensic stance by type, and `iot residual`: what silence still costs with it."""
    gains, left = [], []
    for kind in TYPES:
        own, where = (THOUGHT, kind), {"type": kind}
        gains.append(MarkContrast("iot gain", own, (FORENSIC, kind), f"{kind}: {THOUGHT} − {FORENSIC}", where))
        words = f"{VISION_ONLY} − {THOUGHT} under {kind}"
        left.append(MarkContrast("iot residual", (VISION_ONLY,), own, words, where))
    return gains, left


def _over_text() -> Iterator[MarkContrast]:
    """`gain over text-only`: what the frames add to the same words; of vision-only, to silence."""
    for cell in (*product(WORDED, TYPES), (VISION_ONLY,)):
        stance, words = (*cell, SILENCE)[:2]
        where = {"stance": stance, "type": words}
        yield MarkContrast(
            "gain over text-only", cell, (TEXT_ONLY, words), f"{stance} − {TEXT_ONLY} under {words}", where
        )


def effects(marks: pl.DataFrame) -> Iterator[Estimate]:
    """All contrasts of marks between words and stances, by judge and rubric; nothing without verdicts.

    Spotlight gain and agency loss are over all items, and over readable verdicts. Types are compared on the same clips
    where they are crossed with them; on released clips a type has clips of its own (`clips` "different").
    """
    for where, rows, note in judged_explanations(marks):
        own = tricks(rows)
        yield from _tested(own, _paradox(), where, note)
        yield from _tested(readable(own), _paradox(), {**where, "of": "readable"}, note)
        yield from _tested(own, _components(), where, note)
        yield from _tested(own.filter(pl.col("variant") != REAL), _type_gaps("same"), where, note)
        yield from _between(own.filter(pl.col("variant") == REAL), where, note)
        for contrasts in _thought():
            yield from _tested(own, contrasts, where, note)
        yield from _ceiling(own, where, note)
        yield from _tested(own, _over_text(), where, note)


def _rows_of(cell: Cell) -> pl.Expr:
    stance, *kind = cell
    own = pl.col("stance") == stance
    return own & (pl.col("type") == kind[0]) if kind else own


def _tested(
    rows: pl.DataFrame, contrasts: Iterable[MarkContrast], where: Mapping[str, Json], note: str
) -> Iterator[Estimate]:
    """A paired difference of each mark in each contrast of which both sides were asked; p by Holm within stances."""
    tested: list[Estimate] = []
    asked = asked_rows(rows)
    for each in contrasts:
        plus, minus = _rows_of(each.plus), _rows_of(each.minus)
        if not all(len(asked.filter(side)) for side in (plus, minus)):
            continue
        either = rows.filter(plus | minus)
        counts, of_both = verdict_counts(either), asked_rows(either)
        for mark in MARKS:
            missing = of_both[mark].null_count()
            left = f"; pairs without both verdicts are left out: {missing:,} marks are missing" if missing else ""
            inside = {"score": mark, **each.where, **where}
            found = same_clip_difference(rows, each.metric, mark, (plus, minus, each.words), inside, note + left)
            tested.append(replace(found, counts=counts))
    yield from holm_by(tested, _FAMILY)


def _between(rows: pl.DataFrame, where: Mapping[str, Json], note: str) -> Iterator[Estimate]:
    """Differences of marks between clips of two types, without a pair and without a test."""
    method = f"between different clips: words and clips are confounded; {CONTRAST_METHOD}"
    found: list[Estimate] = []
    for each in _type_gaps("different"):
        plus, minus = _rows_of(each.plus), _rows_of(each.minus)
        side = pl.when(plus).then(0).when(minus).then(1).alias("side")
        for mark in MARKS:
            own = asked_rows(rows).with_columns(side).drop_nulls(("side", mark))
            if own["side"].n_unique() < 2:
                break
            every = doubled_rows(own)
            value, bounds = contrast(cluster_rows(every, (mark,), every["side"].to_numpy(), 2), (1.0, -1.0))
            counts = verdict_counts(rows.filter(plus | minus))
            piece = Slice(NAME, {"score": mark, **each.where, **where}, own, counts, note)
            found.append(piece.estimate(each.metric, POINTS, method, value, bounds))
    yield from holm_by(found, _FAMILY)


def _ceiling(rows: pl.DataFrame, where: dict[str, Json], note: str) -> Iterator[Estimate]:
    """`truth ceiling`: the marks with the true principle in place of the patter."""
    for piece in marked_pieces(rows.filter(pl.col("type") == TRUTH), [("stance",)], where, note):
        yield from _of_each_mark(piece, "truth ceiling")


def _of_each_mark(piece: Slice, metric: str) -> Iterator[Estimate]:
    """The mean of each mark over all items, and over readable verdicts."""
    for own in (piece, readable_alone(piece)):
        for mark in MARKS:
            yield mean_score(replace(own, where={"score": mark, **own.where}), metric, mark, SCORE, OF_ALL)


CHANGED = ("hush", "frames", "video", REPLY)
_ALIKE = ("stimulus", "repeat", "stance", "words", "probe")
"""What a pair has in common; `probe` is null for explanations."""


def setting_effects(rows: pl.DataFrame, marks: pl.DataFrame) -> Iterator[Estimate]:
    """`setting effect` on probes and on CPA of each further level of a setting; nothing where all have one level."""
    for name in CHANGED:
        chosen, note = plain_replies(rows, PROBE, (name,))
        yield from _of(tricks(chosen), name, "right", {"of": "probes"}, note)
        for where, own in split_by_judge(marks):
            if where["judge"] != NOT_JUDGED:
                chosen, note = plain_replies(own, EXPLAIN, (name,))
                for found in _of(tricks(chosen), name, "cpa", {"of": "cpa", **where}, note):
                    yield replace(found, counts=verdict_counts(chosen.filter(pl.col(name).is_not_null())))


def _of(rows: pl.DataFrame, name: str, column: str, where: dict[str, Json], note: str) -> Iterator[Estimate]:
    present = [level for level in SETTINGS[name] if level in set(rows[name].drop_nulls())]
    if len(present) < 2:
        return
    usual = DEFAULTS[name][0]
    base = usual if usual in present else present[0]
    tested = []
    for level in present:
        if level != base:
            sides = (pl.col(name) == level, pl.col(name) == base, f"{name} {level} − {base}, all words alike")
            inside: dict[str, Json] = {"setting": name, "level": level, "against": base, **where}
            tested.append(same_clip_difference(rows, "setting effect", column, sides, inside, note, _ALIKE))
    yield from holm_by(tested, ("setting", "of", "judge", "rubric"))


_ITEM = ("about_trial", "repeat")
_KEPT = ("unit", "family", "status", "attempt", "verdict_status")
_OF_JUDGE = ("judge", "rubric", "score")


def aid_estimates(evidence: Evidence) -> Iterator[Estimate]:
    """`aided marks`, `effect of an aid`, `regression to the mean`, and recovery with it; nothing without the stage."""
    if RING_GRADE.about not in evidence.stages or evidence.outcomes(RING_GRADE.about).is_empty():
        return
    first = {
        (where["judge"], where["rubric"]): rows.group_by(pl.col("trial").alias("about_trial")).agg(
            pl.first("stimulus", *_KEPT), pl.mean(*MARKS)
        )
        for where, rows in split_by_judge(explanations_by_judge(evidence))
        if where["judge"] != NOT_JUDGED
    }
    for judge, rows in split_by_judge(explanations_by_judge(evidence, RING_GRADE)):
        if judge["judge"] == NOT_JUDGED:
            continue
        before = first.get((judge["judge"], judge["rubric"]))
        for where, own in groups(with_settings(tricks(rows), (AID, CHOSEN)), (CHOSEN,)):
            inside = {**where, **judge}
            for piece in marked_pieces(own, [(AID,)], inside):
                yield from _of_each_mark(piece, "aided marks")
            yield from holm_by(_of_aids(own, inside), _OF_JUDGE)
            yield from holm_by(() if before is None else _since(own, before, inside), _OF_JUDGE)


def _of_aids(rows: pl.DataFrame, where: dict[str, Json]) -> Iterator[Estimate]:
    """Each aid − none, and the ring − its placebo, both asked again."""
    present = [level for level in rows[AID].unique(maintain_order=True) if level not in (None, NONE)]
    pairs = [(level, NONE) for level in present]
    pairs += [(RING, PLACEBO)] if {RING, PLACEBO} <= set(present) else []
    for mark in MARKS:
        for level, base in pairs:
            sides: Sides = (pl.col(AID) == level, pl.col(AID) == base, f"{level} − {base}, both asked again")
            inside: dict[str, Json] = {"score": mark, AID: level, "against": base, **where}
            found = same_clip_difference(rows, "effect of an aid", mark, sides, inside, pair_by=_ITEM)
            yield replace(found, counts=verdict_counts(rows.filter(sides[0] | sides[1])))


def _since(rows: pl.DataFrame, before: pl.DataFrame, where: dict[str, Json]) -> Iterator[Estimate]:
    """Marks asked again − when the clips were chosen: without an aid, regression to the mean; with one, both."""
    kept = (*_ITEM, "stimulus", *_KEPT, *MARKS)
    for level in rows[AID].drop_nulls().unique(maintain_order=True):
        again = rows.filter(pl.col(AID) == level).select(*kept, then=pl.lit(0))
        stated = again.select(_ITEM).join(before, on="about_trial", maintain_order="left")
        both = pl.concat([again, stated.select(*kept, then=pl.lit(1))])
        metric = "regression to the mean" if level == NONE else "recovery with regression"
        sides = (pl.col("then") == 0, pl.col("then") == 1, f"{level}, asked again − when chosen")
        for mark in MARKS:
            inside: dict[str, Json] = {"score": mark, **({} if level == NONE else {AID: level}), **where}
            found = same_clip_difference(both, metric, mark, sides, inside, pair_by=_ITEM)
            yield replace(found, counts=verdict_counts(both))
