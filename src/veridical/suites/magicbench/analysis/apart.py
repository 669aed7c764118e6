"""Probes that decide: tricks told apart from their honest controls, and answers pulled to what a lie says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.records import SHARE, Estimate, Json
from veridical.stats import Interval
from veridical.suite.rates import CONTRAST_METHOD, NOTHING, Slice, clustered
from veridical.suites.magicbench.analysis.paired import holm_by, paired_difference
from veridical.suites.magicbench.analysis.rows import pieces, tricks
from veridical.suites.magicbench.analysis.seeing import BASES, LIE, OF_ALL, levels, probed, sides
from veridical.suites.magicbench.asking.cells import VISION_ONLY
from veridical.suites.magicbench.stimuli import HONEST, TRICK

_APART = (
    "right on tricks + right on their controls − 1, of the same questions with another answer there; 0 or less without "
    f"looking; {OF_ALL}; {CONTRAST_METHOD}"
)


def decisive(rows: pl.DataFrame) -> Iterator[Estimate]:
    """`told apart`, its changes, `takes the lie` and `pull of the lie`; nothing where no probes were asked."""
    own, note = probed(rows)
    if len(own):
        yield from told_apart(own, note)
        yield from pulls(own, note)


def told_apart(own: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`told apart` under each kind of words, and `change of told apart` against both bases."""
    decisive = own.filter(pl.col("decides"))
    if decisive.is_empty():
        return
    for piece in pieces(decisive, ("under",), {}, note):
        yield _apart(piece, "told apart", [(piece.where["under"], 1.0)])
    present = levels(decisive)
    for against in BASES:
        for level in present:
            if level in (against, VISION_ONLY) or against not in present:
                continue
            both = decisive.filter(pl.col("under").is_in([level, against]))
            for piece in pieces(both, (), {"words": level, "against": against}, note):
                yield _apart(piece, "change of told apart", [(level, 1.0), (against, -1.0)])


def _apart(piece: Slice, metric: str, weights: list[tuple[Json, float]]) -> Estimate:
    """The sum of the rates on tricks and on their controls, less 1 for each level, weighted by level."""
    names = [(level, variant) for level, _ in weights for variant in (TRICK, HONEST)]
    cell = pl.lit(-1)
    for place, (level, variant) in enumerate(names):
        cell = pl.when((pl.col("under") == level) & (pl.col("variant") == variant)).then(place).otherwise(cell)
    rows = piece.rows.with_columns(cell.alias("cell")).filter(pl.col("cell") >= 0)
    if rows["cell"].n_unique() < len(names):
        return piece.estimate(metric, SHARE, _APART, None, NOTHING, "tricks and honest controls are needed")
    data = clustered(rows, ("right",), rows["cell"].to_numpy(), len(names))
    each = [sign for _, sign in weights for _ in (TRICK, HONEST)]
    less = sum(sign for _, sign in weights)
    value, low, high = (float(part) - less for part in data.measured.contrast(each))
    return piece.estimate(metric, SHARE, _APART, value, Interval(low, high))


def pulls(own: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`takes the lie`: answers that the lie names and that are false; `pull of the lie`: how much more under it."""
    lied = tricks(own).drop_nulls("takes")
    if lied.is_empty():
        return
    for piece in pieces(lied, ("under",), {}, note):
        yield piece.rate("takes the lie", "takes", "of all probes that the lie is false about")
    tested = [
        paired_difference(
            lied,
            "pull of the lie",
            "takes",
            replace(sides(LIE, against), words=f"answers that the lie names, {LIE} − {against}"),
            {"against": against},
            note,
        )
        for against in BASES
        if {LIE, against} <= set(levels(lied))
    ]
    yield from holm_by(tested, ()) if tested else ()
