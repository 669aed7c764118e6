"""Counts of reply pairs: the answers to the two questions about each picture, by base item and kind of picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.suites.viprobe.analysis.replies import CONTEXTS, favoured, in_contexts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

SAYS = ("SS", "SC", "CS", "CC", "S.", "C.", ".S", ".C")
"""Outcomes of a pair. First letter: answer to the question whose yes means "same"; second: to the one whose yes means
"changed". S is same, C is changed, a point is a missing answer. A pair with neither answer is not counted.
"""


SAME, CHANGED = (np.array([float(each.count(reply)) for each in SAYS]) for reply in "SC")
"""How many of the two answers are "same", and how many "changed"."""

_CELL = ("alpha", "way", "side")
_SIDE = pl.col("side").replace_strict({"left": 1.0, "top": 1.0, "right": -1.0, "bottom": -1.0}, default=0.0)


@dataclass(frozen=True)
class Counts:
    """Reply pairs of the pictures of one context, in cells.

    A cell is a strength (`alpha`), the target that has more at positive strengths (`way`, 1 or −1), and the place of
    the change (`side`: 1 left or top, −1 right or bottom, else 0); each has shape (cases, cells), padded with cells
    without trials. `forward_first`, shape (cases,), is whether yes to the forward question means "same". `pairs`, shape
    (units, cells, 8), counts the `SAYS` of each base item, and `case`, shape (units,), is the item's case.
    """

    cases: tuple[str, ...]
    directed: Flags
    forward_first: Flags
    alpha: Floats
    way: Floats
    side: Floats
    pairs: Floats
    case: Ints

    @property
    def total(self) -> Floats:
        """The pairs of each case, shape (cases, cells, 8)."""
        totals = np.zeros((len(self.cases), *self.pairs.shape[1:]))
        np.add.at(totals, self.case, self.pairs)
        return totals

    @property
    def units(self) -> Ints:
        """How many base items each case has."""
        return np.bincount(self.case, minlength=len(self.cases))

    def of_units(self, kept: Flags) -> Counts:
        """The counts of some base items, with all cases kept; `kept` has shape (units,)."""
        return replace(self, pairs=self.pairs[kept], case=self.case[kept])

    def of_cases(self, places: Ints) -> Counts:
        """The counts of some cases."""
        order = np.full(len(self.cases), -1)
        order[places] = np.arange(len(places))
        kept = order[self.case] >= 0
        return replace(
            self,
            cases=tuple(self.cases[place] for place in places),
            directed=self.directed[places],
            forward_first=self.forward_first[places],
            alpha=self.alpha[places],
            way=self.way[places],
            side=self.side[places],
            pairs=self.pairs[kept],
            case=order[self.case[kept]],
        )


def counted(outcomes: pl.DataFrame) -> dict[str, Counts]:
    """Counts of the yes-no trials by context. All contexts share their cases, base items and cells.

    `outcomes` are those of one level of each setting, with a column per setting.
    """
    rows = in_contexts(outcomes).filter(pl.col("gold").is_not_null() & pl.col("alpha").is_not_null())
    return _by_context(_pairs(rows))


def compared(outcomes: pl.DataFrame) -> dict[str, Counts]:
    """Counts of the comparisons by context, of cases whose illusion has a direction.

    `S.` stands for the target that the illusion favors, `C.` for the other.
    """
    rows = favoured(in_contexts(outcomes)).drop_nulls("alpha")
    choice = pl.when(pl.col("favoured") == 1).then(pl.lit("S.")).otherwise(pl.lit("C."))
    return _by_context(
        rows.with_columns(
            choice.alias("says"),
            pl.col("orientation").cast(pl.Float64).alias("way"),
            _SIDE.alias("side"),
            pl.lit(True).alias("forward_first"),
        )
    )


def _by_context(pairs: pl.DataFrame) -> dict[str, Counts]:
    if pairs.is_empty():
        return {}
    cases = tuple(sorted(pairs["family"].cast(pl.String).unique()))
    pairs = pairs.with_columns(pl.col("family", "unit").cast(pl.String))
    units = pairs.select("unit", "family").unique().sort("family", "unit")
    cells = pairs.select("family", *_CELL).unique().sort("family", *_CELL)
    cells = cells.with_columns(pl.int_range(pl.len()).over("family").alias("cell"))
    deep = int(cells["cell"].max() or 0) + 1  # type: ignore[arg-type]
    case = cells["family"].replace_strict(cases, range(len(cases)), return_dtype=pl.Int64).to_numpy()
    held = {name: np.full((len(cases), deep), float(name == "way")) for name in _CELL}
    for name, values in held.items():
        values[case, cells["cell"]] = cells[name]
    facts = pairs.group_by("family").agg(pl.col("directed").any(), pl.col("forward_first").any())
    facts = facts.sort("family")
    shared = Counts(
        cases,
        facts["directed"].to_numpy(),
        facts["forward_first"].to_numpy(),
        held["alpha"],
        held["way"],
        held["side"],
        np.zeros((len(units), deep, len(SAYS))),
        units["family"].replace_strict(cases, range(len(cases)), return_dtype=pl.Int64).to_numpy(),
    )
    place = pairs.join(cells, on=["family", *_CELL]).join(units.with_row_index("row"), on=["family", "unit"])
    by_context: dict[str, Counts] = {}
    for context in CONTEXTS:
        part = place.filter((pl.col("context") == context) & pl.col("says").is_not_null())
        if not place.filter(pl.col("context") == context).is_empty():
            sums = np.zeros_like(shared.pairs)
            says = part["says"].replace_strict(SAYS, range(len(SAYS)), return_dtype=pl.Int64)
            np.add.at(sums, (part["row"].to_numpy(), part["cell"].to_numpy(), says.to_numpy()), 1.0)
            by_context[context] = replace(shared, pairs=sums)
    return by_context


def _pairs(rows: pl.DataFrame) -> pl.DataFrame:
    """One row per picture and repeat: `says` is its pair of answers, null if both are missing."""
    original = pl.col("variant").is_in([name for name, _ in CONTEXTS.values()])
    same_is_yes = (pl.col("gold") == "1") == original
    judgment = pl.when(pl.col("status") == "answered").then(
        pl.when(pl.col("correct") == original).then(pl.lit("S")).otherwise(pl.lit("C"))
    )
    value = pl.col("factors").str.json_path_match("$.value").cast(pl.Float64, strict=False)
    answers = rows.with_columns(
        same_is_yes.alias("first"),
        judgment.alias("judgment"),
        (same_is_yes == (pl.col("polarity") == "forward")).alias("forward_first"),
        (value * pl.col("alpha")).sign().alias("sign"),
    )
    way = pl.col("sign").filter(pl.col("sign") != 0).first().over("unit").fill_null(1.0)
    answers = answers.with_columns(way.alias("way"), _SIDE.alias("side"))
    key = ["stimulus", "repeat", "setting"] if "setting" in answers.columns else ["stimulus", "repeat"]
    facts = ("family", "unit", "context", "variant", "alpha", "directed", "way", "side")
    grouped = answers.group_by(key, maintain_order=True).agg(
        *(pl.col(name).first() for name in facts),
        pl.col("forward_first").first(),
        pl.col("judgment").filter(pl.col("first")).first().alias("one"),
        pl.col("judgment").filter(~pl.col("first")).first().alias("two"),
    )
    says = pl.concat_str(pl.col("one").fill_null("."), pl.col("two").fill_null("."))
    return grouped.with_columns(pl.when(says != "..").then(says).alias("says"))
