"""Several anomalies at a time: F1 of sets by sub-type or domain, pooled, averaged, or by clip, and exact matches."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.records import PROPORTION, Estimate
from veridical.stats import Cells, Interval, student
from veridical.suite.clusters import clustered
from veridical.suite.means import mean_score
from veridical.suite.rates import Slice
from veridical.suites.hocabench.analysis.figures import OF_ALL
from veridical.suites.hocabench.analysis.rows import pieces, plain
from veridical.suites.hocabench.asking.readers import SEVERAL
from veridical.suites.hocabench.asking.sets import members, overlap
from veridical.suites.hocabench.taxonomy import SUB_TYPES

OVER = ("sub-types", "domains")
_EMPTY = "none"
_METHOD = (
    "a reply without an answer names nothing; Student's interval from a bootstrap of units within families, one unit "
    "added"
)
Floats = NDArray[np.float64]


def several(rows: pl.DataFrame) -> Iterator[Estimate]:
    """`set f1` and `exact match` over sub-types and over their domains; nothing where no set was asked."""
    chosen, note = plain(rows, SEVERAL)
    chosen = chosen.drop_nulls("gold")
    for over in OVER if len(chosen) else ():
        named = chosen.with_columns(_sets(chosen, over))
        for piece in pieces(named, (), {"over": over}, note):
            yield piece.rate("exact match", "exact", OF_ALL)
        for piece in pieces(named, (), {"over": over, "average": "clips"}, note):
            yield mean_score(piece, "set f1", "own_f1", PROPORTION, "mean of the clips' F1; of all, not answered is 0")
        yield from (_averaged(piece, "micro") for piece in pieces(named, (), {"over": over, "average": "micro"}, note))
        yield from (_averaged(piece, "macro") for piece in pieces(named, (), {"over": over, "average": "macro"}, note))


def in_domains(names: frozenset[str]) -> frozenset[str]:
    """The domains of sub-types.

    >>> sorted(in_domains(frozenset({"gravity", "collision"})))
    ['mechanics']
    """
    return frozenset(SUB_TYPES[name].domain for name in names if name in SUB_TYPES)


def _sets(rows: pl.DataFrame, over: str) -> list[pl.Series]:
    """The true and the named sets as texts, whether they are the same, and the F1 of the two."""
    true, named = (
        [members(text or _EMPTY) if over == OVER[0] else in_domains(members(text or _EMPTY)) for text in rows[column]]
        for column in ("gold", "answer")
    )
    texts = [[",".join(sorted(each)) or _EMPTY for each in side] for side in (named, true)]
    f1 = [overlap(one, other)["set_f1"] for one, other in zip(*texts, strict=True)]
    exact = [
        float(one == other and answer is not None)
        for one, other, answer in zip(named, true, rows["answer"], strict=True)
    ]
    return [
        pl.Series("named", texts[0]),
        pl.Series("true", texts[1]),
        pl.Series("own_f1", f1, dtype=pl.Float64),
        pl.Series("exact", exact, dtype=pl.Float64),
    ]


def _averaged(piece: Slice, average: str) -> Estimate:
    """F1 pooled over all names, or the plain mean of the F1 of each name that is true of a clip."""
    method = f"{_METHOD}; {'pooled over names' if average == 'micro' else 'mean over the names that occur'}"
    if piece.rows.is_empty():
        return piece.estimate("set f1", PROPORTION, method, None, Interval(None, None), "nothing to count")
    sets = [[members(text) for text in piece.rows[column]] for column in ("named", "true")]
    kinds = sorted(frozenset[str]().union(*sets[1]))
    outside = sorted(frozenset[str]().union(*sets[0]) - set(kinds))
    columns: dict[str, Floats] = {}
    for kind in (*kinds, *outside):
        hits = [kind in one and kind in other for one, other in zip(*sets, strict=True)]
        sizes = [(kind in one) + (kind in other) for one, other in zip(*sets, strict=True)]
        columns |= {f"both {kind}": np.array(hits, float), f"sizes {kind}": np.array(sizes, float)}
    rows = piece.rows.select("unit", "family").with_columns(pl.Series(name, each) for name, each in columns.items())
    data = clustered(rows, tuple(columns), np.zeros(len(rows), np.int64), 1)
    counted = len(kinds) if average == "macro" else len(kinds) + len(outside)
    value = float(_f1(data.rates[None, 0], counted, average)[0])
    return piece.estimate("set f1", PROPORTION, method, value, _bounds(data, value, counted, average))


def _f1(rates: Floats, kinds: int, average: str) -> Floats:
    """F1 from the means by clip of hits and sizes of each name in turn, shape (samples, 2 · names)."""
    both, sizes = 2 * rates[:, 0 : 2 * kinds : 2], rates[:, 1 : 2 * kinds : 2]
    if average == "micro":
        both, sizes = both.sum(1, keepdims=True), sizes.sum(1, keepdims=True)
    return np.asarray((both / np.where(sizes > 0, sizes, 1)).mean(1))


def _bounds(data: Cells, value: float, kinds: int, average: str) -> Interval:
    """Student's interval of bootstrap replicates with the variance of one more unit, inside [0, 1]."""
    if data.df < 1:
        return Interval(0.0, 1.0)
    drawn = _f1(data.replicates[:, 0], kinds, average)
    low, high = student(value, drawn, data.df)
    added = 2.0 / (data.units + 1)
    assert low is not None
    assert high is not None
    half = float(np.hypot(high - value, added))
    return Interval(max(value - half, 0.0), min(value + half, 1.0))
