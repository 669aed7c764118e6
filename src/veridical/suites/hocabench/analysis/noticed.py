"""What a verdict rests on: how often clips are called implausible, how far kinds are apart, what is described."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from veridical.stats import holm
from veridical.suite.clusters import clustered
from veridical.suites.hocabench.analysis.figures import permuted_p
from veridical.suites.hocabench.analysis.rows import EXPLAINED_CONTROL
from veridical.suites.hocabench.stimuli import PLAUSIBLE, VIOLATING

LAYERS = ("ontological", "causal")
MOST_MISSING = 0.05
"""The largest share of missing answers on which a verdict is given."""


class Bounds(NamedTuple):
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.value:.0f} [{100 * self.low:.0f}, {100 * self.high:.0f}]".replace("-", "−")


class Figures(NamedTuple):
    """Shares called implausible and their differences, as shares; `None` where there is nothing to count.

    `apart` is violating − plausible, over all and by layer; `alarm` is explained − plausible; `named` is the accuracy
    of descriptions by layer; `gaps` are the p values, by Holm, of ontological − causal in both.
    """

    odd: Bounds
    false: Bounds
    apart: Bounds
    by_layer: tuple[Bounds | None, Bounds | None]
    alarm: Bounds | None
    named: tuple[Bounds | None, Bounds | None]
    gaps: tuple[float | None, float | None]


def figures_of(said: pl.DataFrame, described: pl.DataFrame) -> Figures:
    """The figures, from the answered replies to Task I and those to Task III."""
    kinds = {name: said.filter(pl.col("variant") == name) for name in (VIOLATING, PLAUSIBLE, EXPLAINED_CONTROL)}
    by_layer = [_apart(*(_of_layer(kinds[name], layer) for name in (VIOLATING, PLAUSIBLE))) for layer in LAYERS]
    explained = kinds[EXPLAINED_CONTROL]
    shared = kinds[PLAUSIBLE].filter(pl.col("unit").is_in(explained["unit"].unique().implode()))
    usable = len(described) > 0 and "blind" not in set(described["sight"]) and missing_share(described) <= MOST_MISSING
    named = [_rate(described.filter(pl.col("layer") == layer), "right") if usable else None for layer in LAYERS]
    p = [_gap_p(kinds[VIOLATING], kinds[PLAUSIBLE]), _described_p(described) if usable else None]
    odd, false, apart = _rate(kinds[VIOLATING]), _rate(kinds[PLAUSIBLE]), _apart(kinds[VIOLATING], kinds[PLAUSIBLE])
    assert odd is not None
    assert false is not None
    assert apart is not None
    adjusted = holm(p)
    return Figures(
        odd,
        false,
        apart,
        (by_layer[0], by_layer[1]),
        _apart(explained, shared),
        (named[0], named[1]),
        (adjusted[0], adjusted[1]),
    )


def _of_layer(rows: pl.DataFrame, layer: str) -> pl.DataFrame:
    """The rows of a layer; all, where no row has one, as real clips of a release."""
    return rows if rows["layer"].null_count() == len(rows) else rows.filter(pl.col("layer") == layer)


def _rate(rows: pl.DataFrame, column: str = "implausible") -> Bounds | None:
    if rows.is_empty():
        return None
    data = clustered(rows, (column,), np.zeros(len(rows), np.int64), 1)
    return Bounds(*(float(each) for each in data.measured.mean([1.0])))


def _apart(first: pl.DataFrame, second: pl.DataFrame) -> Bounds | None:
    """How much more often the first rows are called implausible than the second."""
    if first.is_empty() or second.is_empty():
        return None
    side = np.repeat([0, 1], [len(first), len(second)])
    data = clustered(pl.concat([first, second]), ("implausible",), side, 2)
    return Bounds(*(float(each) for each in data.measured.contrast([1.0, -1.0])))


def _gap_p(violating: pl.DataFrame, plausible: pl.DataFrame) -> float | None:
    """p of ontological − causal in how far units are apart, by permutation of the layers of units."""
    own = violating.group_by("unit", maintain_order=True).agg(
        pl.col("layer").first(), pl.col("implausible").mean().alias("odd")
    )
    control = plausible.group_by("unit").agg(pl.col("implausible").mean().alias("false"))
    units = own.join(control, on="unit", how="left", maintain_order="left").with_columns(
        pl.col("false").fill_null(pl.col("false").mean()).fill_null(0.0)
    )
    return _permuted(units.with_columns(score=pl.col("odd") - pl.col("false")))


def _described_p(described: pl.DataFrame) -> float | None:
    return _permuted(
        described.group_by("unit", maintain_order=True).agg(
            pl.col("layer").first(), pl.col("right").mean().alias("score")
        )
    )


def _permuted(units: pl.DataFrame) -> float | None:
    layers = np.stack([(units["layer"] == layer).fill_null(value=False).to_numpy() for layer in LAYERS], 1)
    layers = layers.astype(float)
    if not layers.any(0).all():
        return None
    used = layers.any(1)
    return permuted_p((layers * units["score"].to_numpy()[:, None])[used], layers[used])


def missing_share(rows: pl.DataFrame) -> float:
    """The largest share of replies without an answer among the variants of clips, in [0, 1]."""
    shares = rows.group_by("variant").agg((pl.col("status") != "answered").mean())
    return float(max(shares["status"].to_list(), default=0.0))
