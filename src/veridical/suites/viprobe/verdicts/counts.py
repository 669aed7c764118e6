"""Counts of reply pairs by base item and kind of picture, and rates of changes noticed and of contradictions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import ndtri

from veridical.stats import Cells
from veridical.suite.rates import contrast
from veridical.suites.viprobe.analysis.replies import CONTEXTS, context_replies, favored_choices

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
class PairCounts:
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

    def of_units(self, kept: Flags) -> PairCounts:
        """The counts of some base items, with all cases kept; `kept` has shape (units,)."""
        return replace(self, pairs=self.pairs[kept], case=self.case[kept])

    def of_cases(self, places: Ints) -> PairCounts:
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


def pair_counts(outcomes: pl.DataFrame) -> dict[str, PairCounts]:
    """Counts of the yes-no trials by context. All contexts share their cases, base items and cells.

    `outcomes` are those of one level of each setting, with a column per setting.
    """
    rows = context_replies(outcomes).filter(pl.col("gold").is_not_null() & pl.col("alpha").is_not_null())
    return _by_context(_pairs(rows))


def choice_counts(outcomes: pl.DataFrame) -> dict[str, PairCounts]:
    """Counts of the comparisons by context, of cases whose illusion has a direction.

    `S.` stands for the target that the illusion favors, `C.` for the other.
    """
    rows = favored_choices(context_replies(outcomes)).drop_nulls("alpha")
    choice = pl.when(pl.col("favoured") == 1).then(pl.lit("S.")).otherwise(pl.lit("C."))
    return _by_context(
        rows.with_columns(
            choice.alias("says"),
            pl.col("orientation").cast(pl.Float64).alias("way"),
            _SIDE.alias("side"),
            pl.lit(True).alias("forward_first"),
        )
    )


def _by_context(pairs: pl.DataFrame) -> dict[str, PairCounts]:
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
    shared = PairCounts(
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
    by_context: dict[str, PairCounts] = {}
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
    also = [name for name in ("repeat", "setting") if name in answers.columns and answers[name].n_unique() > 1]
    key = ["stimulus", *also]
    facts = ("family", "unit", "context", "variant", "alpha", "directed", "way", "side")
    grouped = (
        answers.select(*key, *facts, "forward_first", "judgment", "first")
        .group_by(key, maintain_order=True)
        .agg(
            *(pl.col(name).first() for name in facts),
            pl.col("forward_first").first(),
            pl.col("judgment").filter(pl.col("first")).first().alias("one"),
            pl.col("judgment").filter(~pl.col("first")).first().alias("two"),
        )
    )
    says = pl.concat_str(pl.col("one").fill_null("."), pl.col("two").fill_null("."))
    return grouped.with_columns(pl.when(says != "..").then(says).alias("says"))


_TWICE = SAME * CHANGED
"""1 for pairs whose two answers contradict each other."""
_WHOLE = (SAME + CHANGED == 2).astype(float)
_FAVORED, _OTHER = SAYS.index("S."), SAYS.index("C.")
_STRONG = 2 / 3


class Points(NamedTuple):
    """A difference or rate in percentage points with its interval; None where undefined."""

    value: float | None
    low: float | None
    high: float | None

    def inside(self, bound: float) -> bool:
        """Whether the whole interval lies within ±`bound`."""
        return self.low is not None and self.high is not None and -bound <= self.low and self.high <= bound

    @property
    def around_zero(self) -> bool:
        """Whether the interval contains 0."""
        return self.low is not None and self.high is not None and self.low <= 0 <= self.high

    def __str__(self) -> str:
        if self.value is None:
            return "–"
        low, high = ("–" if end is None else f"{end:.0f}" for end in (self.low, self.high))
        return f"{self.value:.0f} [{low}, {high}]".replace("-", "−")


class PairRates(NamedTuple):
    """Model-free rates, in percentage points.

    `gap`: changes noticed, controls − figures. `follow_control`, `follow_figure`: replies "changed", strongest third of
    changes − no change. `lost`: `follow_control` − `follow_figure`. `contradictory_control`, `contradictory_figure`:
    pairs that say both. `units`: number of base items. `sensitivity_control`, `sensitivity_figure`: upper bound of d'
    for the strongest third of changes, by `_most_sensitive`.
    """

    gap: Points
    follow_control: Points
    follow_figure: Points
    lost: Points
    contradictory_control: Points
    contradictory_figure: Points
    units: int
    sensitivity_control: float | None
    sensitivity_figure: float | None


def rates(control: PairCounts, figure: PairCounts, *, comparison: bool = False) -> PairRates:
    """The rates over all cases of the counts, with intervals over base items within cases.

    In comparisons, a change is noticed if the target that has more is named, and `follow` runs from the strongest
    changes in one direction to those in the other.
    """
    parts = [(_chosen if comparison else _answers)(each) for each in (control, figure)]
    noticed = _cells(control, [sums for sums, _ in parts], [answers for _, answers in parts])
    follow = _points(noticed, (-1, 0, 1, 0, 0, 0)), _points(noticed, (0, 0, 0, -1, 0, 1))
    bases = [(sums[:, 0].sum(), answers[:, 0].sum()) for sums, answers in parts]
    most = [_most_sensitive(*base, each, comparison=comparison) for base, each in zip(bases, follow, strict=True)]
    pairs = [each.pairs.sum(1) for each in (control, figure)]
    twice = _cells(control, [(each @ _TWICE)[:, None] for each in pairs], [(each @ _WHOLE)[:, None] for each in pairs])
    return PairRates(
        gap=_points(noticed, (0, 1, 0, 0, -1, 0)),
        follow_control=follow[0],
        follow_figure=follow[1],
        lost=_points(noticed, (-1, 0, 1, 1, 0, -1)),
        contradictory_control=_points(twice, (1, 0)),
        contradictory_figure=_points(twice, (0, 1)),
        units=len(control.case),
        sensitivity_control=most[0],
        sensitivity_figure=most[1],
    )


def _most_sensitive(false_alarms: float, answers: float, follow: Points, *, comparison: bool) -> float | None:
    """Upper bound of d' for strong changes, or None without answers or interval.

    The false-alarm rate is the share of "changed" without a change, with the log-linear correction (Hautus 1995). The
    hit rate is that rate plus the upper bound of `follow`, at most half an answer below 1. In comparisons, d' is
    divided by √2 (Green and Swets 1966).
    """
    if follow.high is None or not answers:
        return None
    half = 0.5 / (answers + 1)
    false_alarm_rate = (false_alarms + 0.5) / (answers + 1)
    hit_rate = min(max(false_alarm_rate + follow.high / 100, half), 1 - half)
    return float((ndtri(hit_rate) - ndtri(false_alarm_rate)) / (np.sqrt(2) if comparison else 1))


def _answers(counts: PairCounts) -> tuple[Floats, Floats]:
    """Answers "changed" and all answers of each base item: without a change, with any change, with a strong one."""
    size = np.abs(counts.alpha)
    strong = size >= _STRONG * size.max(1, keepdims=True)
    kinds = np.stack([size == 0, size > 0, strong & (size > 0)], -1)[counts.case].astype(float)
    tallies = [np.einsum("uc,uck->uk", counts.pairs @ weight, kinds) for weight in (CHANGED, SAME + CHANGED)]
    return tallies[0], tallies[1]


def _chosen(counts: PairCounts) -> tuple[Floats, Floats]:
    """The same of comparisons: favored target at strong negative α, correct at any α, favored at strong positive α."""
    size = np.abs(counts.alpha)
    strong = (size >= _STRONG * size.max(1, keepdims=True)) & (size > 0)
    kinds = np.stack([strong & (counts.alpha < 0), counts.alpha != 0, strong & (counts.alpha > 0)], -1)
    kinds = kinds[counts.case].astype(float)
    favored, answers = counts.pairs[..., _FAVORED], counts.pairs[..., _FAVORED] + counts.pairs[..., _OTHER]
    right = np.where(counts.alpha[counts.case] > 0, favored, answers - favored)
    sums = np.einsum("uc,uck->uk", favored, kinds)
    sums[:, 1] = (right * kinds[..., 1]).sum(1)
    return sums, np.einsum("uc,uck->uk", answers, kinds)


def _cells(counts: PairCounts, sums: list[Floats], rows: list[Floats]) -> Cells:
    return Cells(np.concatenate(sums, 1)[..., None], np.concatenate(rows, 1), counts.case)


def _points(data: Cells, weights: tuple[float, ...]) -> Points:
    used = np.array(weights) != 0
    if (data.rows.sum(0)[used] == 0).any():
        return Points(None, None, None)
    value, bounds = contrast(data, weights)
    return Points(value, bounds.low, bounds.high)
