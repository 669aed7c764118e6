"""MagiScore: which boxes a rationale mentions, against those that matter, and what chance gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.records import PROPORTION, Estimate, Json
from veridical.stats import Interval
from veridical.suite.contrasts import mean_score, share_of_sums
from veridical.suite.evidence import Evidence
from veridical.suite.rates import NOTHING, Slice
from veridical.suites.magic.analysis.rows import keys_of, pieces, plain, replies
from veridical.suites.magic.asking.readers import WITHOUT_EXCLUDED
from veridical.suites.magic.asking.trials import BLIND

PARTS = ("precision", "recall", "f1")
SUMS = {"precision": ("tp", "mentioned"), "recall": ("tp", "relevant"), "f1": ("matched", "both")}
"""What each part is a share of, with the counts of all questions summed."""
ALL, RANDOM = ("all boxes", "random boxes")
MICRO: dict[str, Json] = {"average": "micro"}
SILENT: dict[str, Json] = {"silent": "undefined"}
_CHANCE_BY = ((), ("category",), ("family",))
_MACRO = "mean over questions; a reply without a mention, or without an answer, scores 0"
_SUMMED = "counts of all questions summed"


def magiscore(evidence: Evidence) -> Iterator[Estimate]:
    """MagiScore with its other readings, boxes that do not exist, and chance; nothing where no picture was shown."""
    chosen, note = plain(replies(evidence.outcomes()))
    if chosen.is_empty() or set(chosen["view"].unique()) == {BLIND}:
        return
    for keys in keys_of(chosen):
        for piece in pieces(chosen, keys, {}, note):
            yield from _scores(piece)
            yield from _chance(piece) if keys in _CHANCE_BY else ()
    for piece in pieces(chosen, (), {}, note):
        yield _valued(piece).rate("mentions boxes", "mentions", "of all, not answered mentions none")
        several = piece.rows.filter(pl.col("box_count") > pl.col("relevant"))
        yield replace(piece, rows=several).rate(
            "mentions every box", "mentions_all", "of all with boxes that do not matter"
        )
        beyond = replace(piece, rows=piece.rows.drop_nulls("names_beyond"))
        yield beyond.rate("boxes beyond", "names_beyond", "of answered")
    yield from _without_excluded(evidence)


def _valued(piece: Slice) -> Slice:
    return replace(piece, rows=piece.rows.drop_nulls("tp"))


def _scores(piece: Slice) -> Iterator[Estimate]:
    """Macro, micro, and macro over the questions with a mention."""
    valued = _valued(piece)
    spoken = replace(valued, rows=valued.rows.filter(pl.col("mentions") == 1), where={**piece.where, **SILENT})
    pooled = replace(valued, where={**piece.where, **MICRO})
    for part in PARTS:
        metric = f"magiscore {part}"
        defined = replace(valued, rows=valued.rows.drop_nulls(part))
        yield mean_score(defined, metric, part, PROPORTION, _MACRO)
        yield share_of_sums(pooled, metric, *SUMS[part], _SUMMED)
        if part != "recall":
            over = replace(spoken, rows=spoken.rows.drop_nulls(part))
            yield mean_score(over, metric, part, PROPORTION, "mean over questions with a mention")


def _without_excluded(evidence: Evidence) -> Iterator[Estimate]:
    """The same where boxes that are named only to be excluded do not count, by the other reader of rationales."""
    chosen, note = plain(replies(evidence.outcomes(reader=WITHOUT_EXCLUDED)))
    for piece in pieces(chosen, (), {"boxes": WITHOUT_EXCLUDED}, note):
        for part in PARTS:
            defined = replace(piece, rows=piece.rows.drop_nulls(("tp", part)))
            yield mean_score(defined, f"magiscore {part}", part, PROPORTION, _MACRO)


def _chance(piece: Slice) -> Iterator[Estimate]:
    """What mentioning every box gives, and what as many boxes as the reply mentions give, drawn at random."""
    rows = piece.rows.drop_nulls(("tp", "box_count")).filter(pl.col("box_count") >= pl.col("relevant"))
    boxes, relevant = pl.col("box_count").cast(pl.Float64), pl.col("relevant")
    for name, named in ((ALL, boxes), (RANDOM, pl.col("mentioned"))):
        hits = named * relevant / boxes
        drawn = rows.with_columns(
            pl.when(named > 0).then(hits / named).otherwise(0.0).alias("precision"),
            pl.when(relevant > 0).then(hits / relevant).alias("recall"),
            pl.when(named + relevant > 0).then(2 * hits / (named + relevant)).alias("f1"),
            hits.alias("tp"),
            (2 * hits).alias("matched"),
            named.alias("mentioned"),
            (named + relevant).alias("both"),
        )
        words = "computed from the boxes" if name == ALL else "as many as the reply mentions; computed from the boxes"
        for part in PARTS:
            above, below = (float(drawn[column].sum()) for column in SUMS[part])
            pooled = above / below if below else None
            for where, value in (({}, drawn[part].mean()), (MICRO, pooled)):
                own = replace(piece, rows=drawn, where={"chance": name, **where, **piece.where})
                shown = None if value is None else float(value)  # type: ignore[arg-type]
                bounds = Interval(shown, shown) if shown is not None else NOTHING
                reason = None if shown is not None else "nothing to count"
                yield own.estimate(f"chance {part}", PROPORTION, words, shown, bounds, reason)
