"""Differences between two kinds of pictures within base items: gaps, rises with the strength, directions, hints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from veridical.records import Estimate
from veridical.stats import holm, sign_flip_p
from veridical.suites.viprobe.pairs import clustered
from veridical.suites.viprobe.rates import NOTHING, Slice, contrast, slices

_STRONG = pl.col("magnitude") > pl.col("middle")
_METHOD = "pooled over pictures; cluster bootstrap of units within cases, sign-flip test by unit"

_READ = ("variant", "congruent", "magnitude", "middle", "PFA")
"""The columns that the sides of `CONTRASTS` and their differences are made from."""

Sides = tuple[pl.Expr, pl.Expr, str]
"""The rows that count for a difference, those that count against it, and the two in words."""


def _type(name: str) -> pl.Expr:
    return pl.col("variant") == name


CONTRASTS: Mapping[str, Sides] = {
    "gap": (_type("PC"), _type("P"), "PFA of perturbed controls less that of perturbed figures"),
    "rise": (_type("P") & _STRONG, _type("P") & ~_STRONG, "PFA of P, stronger half of |α| less the weaker half"),
    "rise_control": (_type("PC") & _STRONG, _type("PC") & ~_STRONG, "PFA of PC, stronger half of |α| less the weaker"),
    "asymmetry": (
        _type("P") & pl.col("congruent"),
        _type("P") & ~pl.col("congruent"),
        "PFA of P, changes that go the way of the impression less those that oppose it",
    ),
    "asymmetry_control": (
        _type("PC") & pl.col("congruent"),
        _type("PC") & ~pl.col("congruent"),
        "PFA of PC, changes that go the way of the impression less those that oppose it",
    ),
    "hint_effect_original": (_type("OH"), _type("O"), "PFA of O with a hint less that without"),
    "hint_effect_perturbed": (_type("PH"), _type("P"), "PFA of P with a hint less that without"),
}


def contrasts(
    planned: pl.DataFrame,
    paired: pl.DataFrame,
    note: str,
    metrics: Iterable[str] = tuple(CONTRASTS),
    fine: Sequence[tuple[str, ...]] = ((), ("category",), ("case",)),
) -> Iterator[Estimate]:
    """Each of `CONTRASTS` in points with a p-value: overall, per category, per case.

    The p-values of `gap` are Holm's, over the categories and over the cases. Where a run has no picture of either kind,
    the contrast is left out; where it has only one kind, it is there with its reason.
    """
    strength = pl.col("alpha").abs()
    rows = paired.with_columns(strength.alias("magnitude"))
    magnitudes = np.unique(rows["magnitude"].drop_nulls().to_numpy())
    magnitudes = magnitudes[magnitudes > 0]
    middle = float((magnitudes[0] + magnitudes[-1]) / 2) if len(magnitudes) else None
    rows = rows.with_columns(pl.lit(middle, pl.Float64).alias("middle"))
    rows = rows.select(*dict.fromkeys(("unit", "family", *sum(fine, ()), *_READ)))
    pieces = {keys: list(slices(planned, rows, keys, {}, note)) for keys in fine}
    for metric in metrics:
        sides = CONTRASTS[metric]
        # Where it is not known on which side a picture belongs, the contrast is asked for all the same.
        if not rows.select((sides[0] | sides[1]).fill_null(value=True).any()).item():
            continue
        for keys in fine:
            found = [difference(piece, metric, "PFA", sides) for piece in pieces[keys]]
            yield from _corrected(found) if metric == "gap" and keys else found


def difference(piece: Slice, metric: str, column: str, sides: Sides) -> Estimate:
    """The mean of a 0/1 column over the rows of one side less that over the other, in points, with the sign-flip p."""
    plus, minus, words = sides
    method = f"{words}; {_METHOD}"
    side = pl.when(plus).then(0).when(minus).then(1).alias("side_of")
    rows = piece.rows.select("unit", "family", column, side).drop_nulls("side_of")
    lacking = [name for name, k in (("first", 0), ("second", 1)) if not (rows["side_of"] == k).any()]
    if lacking:
        reason = f"nothing to compare: no pair of the {' or the '.join(lacking)} kind"
        return piece.estimate(metric, "points", method, None, NOTHING, reason)
    data = clustered(rows, (column,), rows["side_of"].to_numpy(), 2)
    value, bounds = contrast(data, (1.0, -1.0))
    share = (data.sums[..., 0] / data.rows.sum(0)) @ np.array([1.0, -1.0])
    return replace(piece.estimate(metric, "points", method, value, bounds), p=sign_flip_p(share))


def _corrected(found: list[Estimate]) -> list[Estimate]:
    """The same with Holm's p-values over all of them."""
    kind = ", ".join(next(iter(found)).slice) if found else ""
    adjusted = holm([each.p for each in found])
    note = f"; p by Holm over {len(found)} of kind {kind}"
    return [replace(each, p=p, method=each.method + note) for each, p in zip(found, adjusted, strict=True)]
