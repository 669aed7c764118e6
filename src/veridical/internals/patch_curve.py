"""How much of a changed picture's effect on the answer goes through its picture tokens from each depth on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from veridical.base.charts import document, shorten
from veridical.stats import Cells, student
from veridical.suite.points import COLORS, categories, legend_below, open_axes
from veridical.suite.rates import mean_rate, unit_sums

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FACTS = ("trial", "stimulus", "unit", "clean_trial", "family", "group", "problem")
_NONE = 1e-4
"""The mean effect, in nats, below which nothing but rounding is left."""
_REASON = "the pictures of its pairs change no answer's probability"
_TICKS = 16
_BOUNDED = (f"{name}{end}" for name in ("share", "answers", "difference", "effect") for end in ("", "_low", "_high"))
CURVE = "curve.parquet"
CURVE_SCHEMA = {
    **dict.fromkeys(("group", "depth"), pl.String()),
    **dict.fromkeys((*_BOUNDED, "elsewhere"), pl.Float64()),
    **dict.fromkeys(("pairs", "units", "changed"), pl.Int64()),
    "reason": pl.String(),
}


def patch_curve(frame: pl.DataFrame) -> pl.DataFrame:
    """A row for each group of pairs and depth, from the numbers of `PatchTable.frame`; pairs with a problem are out.

    `effect` is the mean change of the log probabilities of answers from the clean run to the donor's: of two answers,
    that of their log odds, in nats without sign. `elsewhere` is the mean probability that the next token of these runs
    is no answer. `share` is how much of the effect a patched run has, over all pairs: 1 at the projector, 0 after the
    last layer, by construction; it may leave [0, 1] in between. `answers` is the share of the `changed` pairs, whose
    runs have different likeliest answers, in which the patched one has the donor's. 95 %
    intervals are over units: Student's with bootstrap errors, for `answers` those of rates. `difference` is the share
    minus that of the first group. What is not defined is null; `reason` says why there is no share.
    """
    pairs = frame.filter(pl.col("problem").is_null())
    depths = [name for name in frame.columns if name not in {*FACTS, "answers", "clean", "donor"}]
    groups = pairs["group"].unique(maintain_order=True).to_list()
    if not groups:
        return pl.DataFrame(schema=CURVE_SCHEMA)
    numbers = pl.DataFrame([_effects(row, depths) for row in pairs.iter_rows(named=True)])
    columns = ("effect", "elsewhere", "changed", *depths, *(f"{depth} answer" for depth in depths))
    cell = np.array([groups.index(group) for group in pairs["group"]])
    sums, counts, strata = unit_sums(pairs.select("unit", "family").hstack(numbers), columns, cell, len(groups))
    many = len(depths) + 3
    share, effect = Cells(sums[..., 3:many], sums[..., 0], strata), Cells(sums[..., :2], counts, strata)
    answers = Cells(sums[..., many:], sums[..., 2], strata)
    rows = []
    for place, group in enumerate(groups):
        pairs_of, changed = int(counts[:, place].sum()), int(sums[:, place, 2].sum())
        one = tuple(np.eye(len(groups))[place])
        known = bool(effect.rates[place, 0] > _NONE)
        facts: dict[str, Any] = {"pairs": pairs_of, "units": int((counts[:, place] > 0).sum()), "changed": changed}
        facts |= _bounded("effect", effect, effect.rates[place, 0], effect.replicates[:, place, 0])
        facts |= {"effect_low": None if facts["effect_low"] is None else max(0.0, facts["effect_low"])}
        facts |= {"elsewhere": float(effect.rates[place, 1])}
        for at, depth in enumerate(depths):
            values, drawn = share.rates[:, at], share.replicates[..., at]
            row: dict[str, Any] = {"group": group, "depth": depth, "reason": None if known else _REASON}
            if known:
                row |= _bounded("share", share, values[place], drawn[:, place])
            if known and place and effect.rates[0, 0] > _NONE:
                row |= _bounded("difference", share, values[place] - values[0], drawn[:, place] - drawn[:, 0])
            if changed:
                value, bounds = mean_rate(answers, at, one)
                row |= {"answers": value, "answers_low": bounds.low, "answers_high": bounds.high}
            rows.append({**row, **facts})
    return pl.DataFrame(rows, CURVE_SCHEMA)


def _effects(row: dict[str, Any], depths: list[str]) -> dict[str, float]:
    """How far the answers of each depth move along the way from those of the clean run to those of the donor."""
    clean, donor = (np.array(row[name]) - np.mean(row[name]) for name in ("clean", "donor"))
    way = donor - clean
    effect = float(np.linalg.norm(way))
    along = way * np.sqrt(2) / (effect or 1.0)
    changed = clean.argmax() != donor.argmax()
    elsewhere = 1 - np.mean([np.exp(row[name]).sum() for name in ("clean", "donor")])
    numbers = {"effect": effect * np.sqrt(2), "elsewhere": float(max(0.0, elsewhere)), "changed": float(changed)}
    for depth in depths:
        patched = np.array(row[depth]) - np.mean(row[depth])
        numbers[depth] = float((patched - clean) @ along)
        numbers[f"{depth} answer"] = float(changed and patched.argmax() == donor.argmax())
    return numbers


def _bounded(name: str, cells: Cells, value: float, drawn: Any) -> dict[str, float | None]:  # noqa: ANN401 - of numpy
    low, high = student(value, drawn, cells.df) if cells.df > 0 else (None, None)
    return {name: float(value), f"{name}_low": low, f"{name}_high": high}


def curve_svg(curve: pl.DataFrame) -> str:
    """The share by depth, a line with its interval for each group; the key has the size of the effect."""

    def draw(canvas: Figure) -> None:
        axes, keys = canvas.subplots(), list[Any]()
        depths = curve["depth"].unique(maintain_order=True).to_list() if len(curve) else []
        for (group,), rows in curve.drop_nulls("share").group_by("group", maintain_order=True):
            color, places = COLORS[len(keys) % len(COLORS)], range(len(rows))
            size = f"{rows['effect'][0]:.2g} nats, {rows['units'][0]:,} units"
            label = f"{shorten(str(group), 40)} ({size})"
            keys += axes.plot(places, rows["share"], "o-", color=color, markersize=3, label=label)
            low, high = (rows[name].fill_null(rows["share"]) for name in ("share_low", "share_high"))
            axes.fill_between(places, low, high, color=color, alpha=0.15, linewidth=0)
        axes.axhline(0, color="#999999", linewidth=0.6)
        axes.axhline(1, color="#999999", linewidth=0.6)
        categories(axes, [name.removeprefix("language.") for name in depths])
        axes.set_xticks(axes.get_xticks()[:: -(-max(len(depths), 1) // _TICKS)])
        axes.set_xlabel("picture tokens of the donor from here on: projector, then after a layer of the text model")
        open_axes(axes, "share of the effect", share=False)
        if keys:
            legend_below(canvas, keys, 2)

    return document(7.2, 3.6, draw, math=False)
