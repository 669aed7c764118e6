"""Does the reply say that a trick happened: rates, false alarms by what is claimed, d-prime, and the criterion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.records import Estimate, Json, Z
from veridical.stats import Detection, Fitted, Interval, Table, detection, detection_change
from veridical.suite.clusters import unit_sums
from veridical.suite.rates import NOTHING, Slice
from veridical.suites.magicbench.analysis.paired import Sides, holm_by, paired_difference
from veridical.suites.magicbench.analysis.rows import by_clip, honest, pieces, plain, sent, tricks
from veridical.suites.magicbench.asking.cells import EXPLAIN, VISION_ONLY
from veridical.suites.magicbench.stimuli import HONEST, TRICK, TYPES

OF_ANSWERED = "'yes' to whether anything is done in secret, of answered"
_METHOD = (
    "a hit is a trick called one, a false alarm an honest control called one; log-linear correction; of answered; "
    "Student's interval from a bootstrap of units within families"
)
_FAR = "a rate of 0 or 1 sets no bound on its far side"
_LACKING = "tricks and honest controls are needed"
_SILENCE = TYPES[-1]
Strata = NDArray[np.int64] | None


def noticed(rows: pl.DataFrame) -> Iterator[Estimate]:
    """All estimates of whether a trick is noticed, by stance and by what is said; nothing without explanations."""
    own, note = plain(rows, EXPLAIN)
    if own.is_empty():
        return
    cells = own.with_columns(under=pl.col("words").fill_null("none"))
    both = cells.filter(pl.col("variant").is_in([TRICK, HONEST]))
    for keys, rows_of in (
        (("stance",), both.filter(pl.col("under").is_in([*TYPES, "none"]))),
        (("stance", "under"), both),
        (("stance", "under", "family"), both),
    ):
        for group in pieces(rows_of, keys, {}, note):
            yield from _told(_named(group))
    for variant_rows, variant in ((tricks(cells), TRICK), (honest(cells), HONEST)):
        for group in pieces(variant_rows, ("stance", "under"), {"variant": variant}, note):
            answered = replace(_named(group), rows=group.rows.drop_nulls("claims_trick"))
            yield answered.rate("says trick", "claims_trick", OF_ANSWERED)
    yield from _alarms(honest(cells), note)
    yield from _changes(cells, note)


def _named(piece: Slice) -> Slice:
    """The slice with `words` as the name of what is said."""
    where = {("words" if key == "under" else key): level for key, level in piece.where.items()}
    return replace(piece, where=where)


def _told(piece: Slice) -> Iterator[Estimate]:
    """`d_prime` and `criterion`."""
    table, strata = _table(piece.rows)
    if table is None:
        return
    fitted = detection(table, strata)
    yield _fitted(piece, "d_prime", fitted.d_prime, fitted)
    yield _fitted(piece, "criterion", fitted.criterion, fitted)


def _table(rows: pl.DataFrame) -> tuple[Table | None, Strata]:
    answered = sent(rows).drop_nulls("claims_trick")
    if set(answered["variant"]) != {TRICK, HONEST}:
        return None, None
    side = answered.select(pl.when(pl.col("variant") == TRICK).then(0).otherwise(1).alias("side"))["side"].to_numpy()
    sums, counts, strata = unit_sums(answered, ("claims_trick",), side, 2)
    hits = sums[..., 0]
    return Table(hits[:, 0], counts[:, 0], hits[:, 1], counts[:, 1]), strata


def _fitted(piece: Slice, metric: str, fitted: Fitted, whole: Detection) -> Estimate:
    reason = None if fitted.identified else whole.reason or _FAR
    return piece.estimate(metric, Z, _METHOD, fitted.value, Interval(fitted.low, fitted.high), reason)


def _alarms(rows: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`false alarms` on honest controls by what is claimed there, by type, and by clip; `alarm effect` of each type."""
    answered = rows.drop_nulls("claims_trick")
    if answered.is_empty():
        return
    for keys in (("stance", "claimed"), ("stance", "under", "claimed")):
        for piece in pieces(rows, keys, {}, note):
            own = replace(_named(piece), rows=piece.rows.drop_nulls("claims_trick"))
            yield own.rate("false alarms", "claims_trick", OF_ANSWERED)
    for name, sliced in by_clip(rows):
        for piece in pieces(sliced, ("stance", name), {}, note):
            own = replace(piece, rows=piece.rows.drop_nulls("claims_trick"))
            yield own.rate("false alarms", "claims_trick", OF_ANSWERED)
    tested = []
    for stance, kind, against in _contrasts(answered):
        base = pl.col("stance") == VISION_ONLY if against == VISION_ONLY else _cell(stance, against)
        words = f"'yes' of answered on controls, {stance} under {kind} − {against}"
        where: dict[str, Json] = {"stance": stance, "words": kind, "against": against}
        sides = Sides(_cell(stance, kind), base, words)
        tested.append(paired_difference(rows, "alarm effect", "claims_trick", sides, where, note))
    yield from holm_by(tested, ("stance", "against"))


def _cell(stance: str, under: str) -> pl.Expr:
    return (pl.col("stance") == stance) & (pl.col("under") == under)


def _contrasts(rows: pl.DataFrame) -> Iterator[tuple[str, str, str]]:
    """Stance, words and what these are compared with, of the cells that a run has."""
    cells = set(rows.select("stance", "under").unique().iter_rows())
    for stance, kind in sorted(cells):
        for against in (VISION_ONLY, _SILENCE):
            there = (VISION_ONLY, "none") if against == VISION_ONLY else (stance, _SILENCE)
            if stance != VISION_ONLY and kind != against and there in cells:
                yield stance, kind, against


def _changes(rows: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`d_prime change` and `criterion change`: words against vision-only and against silence, in the same units."""
    own = sent(rows.filter(pl.col("variant").is_in([TRICK, HONEST]))).drop_nulls("claims_trick")
    changes: list[tuple[Estimate, Estimate]] = []
    for stance, kind, against in _contrasts(own):
        base = own.filter(pl.col("stance") == VISION_ONLY if against == VISION_ONLY else _cell(stance, against))
        after = own.filter(_cell(stance, kind))
        shared = set(base["unit"]) & set(after["unit"])
        parts = [part.filter(pl.col("unit").is_in(list(shared))) for part in (base, after)]
        where: dict[str, Json] = {"stance": stance, "words": kind, "against": against}
        both = pl.concat(parts)
        tables = [_table(part) for part in parts]
        changes += [_changed(piece, tables) for piece in pieces(both, (), where, note)]
    for metric in zip(*changes, strict=True):
        yield from holm_by(list(metric), ("stance", "against"))


def _changed(piece: Slice, tables: list[tuple[Table | None, Strata]]) -> tuple[Estimate, Estimate]:
    (before, strata), (after, _) = tables
    names = ("d_prime change", "criterion change")
    if before is None or after is None:
        lacking = [piece.estimate(name, Z, _METHOD, None, NOTHING, _LACKING) for name in names]
        return lacking[0], lacking[1]
    change = detection_change(before, after, strata)
    return (
        replace(_fitted(piece, names[0], change.d_prime, change), p=change.d_prime_p),
        replace(_fitted(piece, names[1], change.criterion, change), p=change.criterion_p),
    )
