"""Paired differences: between kinds of pictures, with an instruction (paper, Tables 3, 9 to 11), between two runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from veridical.records import POINTS, Counts, Estimate, Json
from veridical.stats import sign_flip_p
from veridical.suite.contrasts import Sides, difference, holm_corrected
from veridical.suite.rates import CONTRAST_METHOD, cluster_rows, contrast
from veridical.suites.viprobe.analysis.pairs import Slice, slice_of, slices

_STRONG = pl.col("magnitude") > pl.col("middle")

_READ = ("variant", "congruent", "magnitude", "middle", "PFA")
"""The columns that the sides of `CONTRASTS` and their differences are made from."""


def _type(name: str) -> pl.Expr:
    return pl.col("variant") == name


CONTRASTS: Mapping[str, Sides] = {
    "gap": (_type("PC"), _type("P"), "PFA of perturbed controls − PFA of perturbed figures"),
    "clutter_gap": (_type("PC"), _type("PS"), "PFA of perturbed controls − PFA of perturbed pictures amid clutter"),
    "figure_gap": (_type("PS"), _type("P"), "PFA of perturbed pictures amid clutter − PFA of perturbed figures"),
    "rise": (_type("P") & _STRONG, _type("P") & ~_STRONG, "PFA of P, stronger half of |α| − weaker half"),
    "asymmetry": (
        _type("P") & pl.col("congruent"),
        _type("P") & ~pl.col("congruent"),
        "PFA of P, changes that go the way of the impression − changes that oppose it",
    ),
    "hint_effect_original": (_type("OH"), _type("O"), "PFA of O, with a hint − without"),
    "hint_effect_perturbed": (_type("PH"), _type("P"), "PFA of P, with a hint − without"),
}


AMID_CLUTTER = ("clutter_gap", "figure_gap")
"""Contrasts over the cases alone that have pictures amid clutter; they add up to `gap` over these cases."""


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
    rows = with_middle(paired).select(*dict.fromkeys(("unit", "family", *sum(fine, ()), *_READ)))
    every = {keys: list(slices(planned, rows, keys, {}, note)) for keys in fine}
    cluttered = planned.filter(pl.col("variant") == "PS")["family"].unique().implode()
    amid = [frame.filter(pl.col("family").is_in(cluttered)) for frame in (planned, rows)]
    strewn = {keys: list(slices(amid[0], amid[1], keys, {}, note)) for keys in fine}
    for metric in metrics:
        pieces = strewn if metric in AMID_CLUTTER else every
        sides = CONTRASTS[metric]
        # Where it is not known on which side a picture belongs, the contrast is asked for all the same.
        if not rows.select((sides[0] | sides[1]).fill_null(value=True).any()).item():
            continue
        for keys in fine:
            estimates = [difference(piece, metric, "PFA", sides) for piece in pieces[keys]]
            yield from holm_corrected(estimates) if metric == "gap" and keys else estimates


def with_middle(paired: pl.DataFrame) -> pl.DataFrame:
    """The pairs with |α| as `magnitude`, and the `middle` between its least and most, 0 aside."""
    rows = paired.with_columns(pl.col("alpha").abs().alias("magnitude"))
    magnitudes = np.unique(rows["magnitude"].drop_nulls().to_numpy())
    magnitudes = magnitudes[magnitudes > 0]
    middle = float((magnitudes[0] + magnitudes[-1]) / 2) if len(magnitudes) else None
    return rows.with_columns(pl.lit(middle, pl.Float64).alias("middle"))


KEY = ["stimulus", "repeat"]
_METHOD = (
    "PFA with the instruction − PFA without, on pictures asked both ways; pooled over pictures; "
    f"{CONTRAST_METHOD}; sign-flip test by unit"
)


def instruction_effects(
    without: pl.DataFrame, instructed: pl.DataFrame, trials: pl.DataFrame, where: dict[str, Json]
) -> Iterator[Estimate]:
    """`instruction_effect` in points, per picture type and per category x picture type, with its p-value.

    `without` and `instructed` are question pairs (`pairs`) without and with the instruction that `where` names,
    `trials` all trials with it. Nothing comes of pictures that were not asked both ways.
    """
    both = without.join(instructed.select(*KEY, pl.col("PFA").alias("PFA_given")), on=KEY, how="inner")
    for keys in (("variant",), ("category", "variant")):
        for values, rows in both.partition_by(keys, as_dict=True, maintain_order=True).items():
            inside = dict(zip(keys, values, strict=True))
            counts = Counts.of(trials.filter(*(pl.col(key) == value for key, value in inside.items())))
            yield change(
                slice_of({**where, **inside}, rows, counts), "instruction_effect", ("PFA", "PFA_given"), _METHOD
            )


def change(piece: Slice, metric: str, columns: tuple[str, str], method: str) -> Estimate:
    """The mean of the second 0/1 column less that of the first, row by row, in points, with the sign-flip p."""
    data = cluster_rows(piece.rows, columns, np.zeros(len(piece.rows), np.int64), 1)
    value, bounds = contrast(data, [[-1.0, 1.0]])
    share = (data.sums[:, 0, 1] - data.sums[:, 0, 0]) / data.rows.sum()
    return replace(piece.estimate(metric, POINTS, method, value, bounds), p=sign_flip_p(share))
