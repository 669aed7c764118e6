"""Whether figures and controls order the models alike: ranks at each strength, and Kendall's tau between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.records import RATIO, Counts, Estimate
from veridical.stats import Interval, kendall_tau
from veridical.suite.rates import NOTHING, cluster_rows
from veridical.suite.results import Cell, Result, Table
from veridical.suites.viprobe.analysis.pairs import asked_pairs, slice_of

_SIDES = ("P", "PC")
_FEWEST = 3
_METHOD = (
    "Kendall's tau-b between the ranks of models by PFA of P and by PFA of PC, pooled over pictures of both signs; "
    "cluster bootstrap of units within cases, percentile interval"
)
_OTHERS = "the runs are not on the same pictures"


@dataclass(frozen=True)
class _Model:
    """A model's perturbed pictures at one strength, and what was planned there."""

    name: str
    rows: pl.DataFrame
    trials: pl.DataFrame

    def rate(self, side: str) -> Estimate:
        rows, trials = (frame.filter(pl.col("variant") == side) for frame in (self.rows, self.trials))
        return slice_of({"variant": side}, rows, Counts.of(trials)).rate("PFA", "PFA", "pooled over pictures")

    def replicates(self) -> NDArray[np.float64]:
        """Rates of P and of PC over resampled units, shape (draws, 2)."""
        cell = (self.rows["variant"] == "PC").cast(pl.Int64).to_numpy()
        return cluster_rows(self.rows, ("PFA",), cell, 2).replicates[..., 0]


def ranks(results: Sequence[Result]) -> list[Table]:
    """A table of ranks with tau at each |α|; nothing for fewer than three models.

    Models on different pictures get no rank, and the reason.
    """
    perturbed = [(result.model, *_perturbed(result)) for result in results]
    perturbed = [(name, trials, rows) for name, trials, rows in perturbed if not rows.is_empty()]
    if len(perturbed) < _FEWEST:
        return []
    pictures = [set(trials["stimulus"]) for _, trials, _ in perturbed]
    alike = all(one == other for one, other in pairwise(pictures))
    rows: list[tuple[Cell, ...]] = []
    for magnitude in sorted({m for _, trials, _ in perturbed for m in trials["magnitude"].drop_nulls()}):
        at = pl.col("magnitude") == magnitude
        rows += _ranked(magnitude, [_Model(name, r.filter(at), t.filter(at)) for name, t, r in perturbed], alike=alike)
    columns = (
        "|α|",
        "Model",
        "PFA, figures",
        "Rank, figures",
        "PFA, controls",
        "Rank, controls",
        "Kendall's τ",
        "Trials",
    )
    note = (
        "Rank 1 has the highest PFA of perturbed pictures of this strength, both signs pooled; ties share the mean of "
        "their ranks. τ is 1 where figures and controls order the models alike, −1 where they order them in reverse."
    )
    return [Table("ranks", "Ranks of models on figures and on controls", note, columns, tuple(rows))]


def _perturbed(result: Result) -> tuple[pl.DataFrame, pl.DataFrame]:
    trials, rows, _ = asked_pairs(result.outcomes)
    changed = pl.col("variant").is_in(_SIDES) & pl.col("alpha").is_not_null()
    trials, rows = (f.filter(changed).with_columns(pl.col("alpha").abs().alias("magnitude")) for f in (trials, rows))
    return trials, rows


def _ranked(magnitude: float, models: Sequence[_Model], *, alike: bool) -> list[tuple[Cell, ...]]:
    from scipy.stats import rankdata

    rates = [[model.rate(side) for side in _SIDES] for model in models]
    values = np.array([[np.nan if e.value is None else e.value for e in pair] for pair in rates])
    comparable = alike and not np.isnan(values).any()
    places = rankdata(-values, axis=0) if comparable else np.full(values.shape, np.nan)
    tau = _tau(magnitude, models, values, _OTHERS if not alike else None if comparable else "a model has no pair here")
    return [
        (
            magnitude,
            model.name,
            *(cell for e, place in zip(pair, row, strict=True) for cell in (e, float(place) if comparable else None)),
            tau,
            Counts.of(model.trials),
        )
        for model, pair, row in zip(models, rates, places, strict=True)
    ]


def _tau(magnitude: float, models: Sequence[_Model], values: NDArray[np.float64], lacking: str | None) -> Estimate:
    from scipy.stats import rankdata

    rows, trials = (pl.concat(frames) for frames in ([m.rows for m in models], [m.trials for m in models]))
    piece = slice_of({"magnitude": magnitude}, rows, Counts.of(trials))

    def estimate(value: float | None, bounds: Interval, reason: str | None) -> Estimate:
        return piece.estimate("kendall_tau", RATIO, _METHOD, value, bounds, reason)

    value = None if lacking else kendall_tau(*values.T)
    if value is None:
        return estimate(None, NOTHING, lacking or "all models are alike, on figures or on controls")
    # Rates that are equal but for the order of their additions must tie.
    draws = np.stack([model.replicates() for model in models], 1).round(9)
    orders, times = np.unique(rankdata(draws, axis=1), axis=0, return_counts=True)
    taus = [kendall_tau(*order.T) for order in orders]
    drawn = [tau for tau, count in zip(taus, times, strict=True) if tau is not None for _ in range(count)]
    if np.ptp(drawn or [0.0]) < 1e-9:
        return estimate(value, NOTHING, "no interval: the order of the models is the same in every resample")
    low, high = np.quantile(drawn, [0.025, 0.975])
    return estimate(value, Interval(min(float(low), value), max(float(high), value)), None)
