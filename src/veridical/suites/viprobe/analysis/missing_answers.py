"""Missing answers: the gate on how many there are, what filling them in could make of figures, and what is withheld."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import isfinite
from typing import NamedTuple

import polars as pl

from veridical.records import STATUSES, Estimate, Json
from veridical.suite.missing_replies import MOST_MISSING, fill_missing
from veridical.suites.viprobe.analysis.estimates import AVERAGES, CONTRASTS
from veridical.suites.viprobe.analysis.filled_ranges import INSTRUCTED, FilledPairs
from veridical.suites.viprobe.analysis.pairs import ASIDE, TYPES
from veridical.suites.viprobe.asking.settings import baseline, with_settings

MOST_UNEVEN = 0.05
MOST_AT_RANDOM = 0.2
"""Of the answers: from here on, neither a verdict "if missing at random" nor bounds of a figure are shown."""


class MissingCounts(NamedTuple):
    """Missing answers of one picture type and half of the strengths (`""` without a change)."""

    variant: str
    half: str
    missing: int
    trials: int
    reasons: tuple[tuple[str, int], ...]

    @property
    def share(self) -> float:
        return self.missing / self.trials

    def __str__(self) -> str:
        why = ", ".join(f"{count} {reason}" for reason, count in self.reasons)
        kind = f"{self.variant} {self.half}".strip()
        return f"{kind}: {100 * self.share:.0f} % of {self.trials}" + (f" ({why})" if why else "")


class MissingGate(NamedTuple):
    """Missing answers by picture type and half of the strengths; closed if they are many or unevenly spread."""

    rows: tuple[MissingCounts, ...]

    @property
    def open(self) -> bool:
        shares = [row.share for row in self.rows]
        return not shares or (max(shares) <= MOST_MISSING and self.even)

    @property
    def even(self) -> bool:
        """Whether the shares of missing answers of any two kinds of pictures differ by at most 5 points."""
        shares = [row.share for row in self.rows]
        return not shares or max(shares) - min(shares) <= MOST_UNEVEN + 1e-12

    @property
    def ignorable(self) -> bool:
        """Whether the verdict from the answered trials may be shown as "if missing at random"."""
        shares = [row.share for row in self.rows]
        return self.even and bool(shares) and max(shares) < MOST_AT_RANDOM


def gate(outcomes: pl.DataFrame) -> MissingGate:
    """The gate of a run's asked trials; trials without a gold answer are ignored."""
    rows = kinds(outcomes)
    if rows.is_empty():
        return MissingGate(())
    return MissingGate(tuple(_missing(part) for part in rows.partition_by("variant", "half", maintain_order=True)))


def _missing(part: pl.DataFrame) -> MissingCounts:
    gone = part.filter("gone")["status"].value_counts(sort=True)
    reasons = tuple((str(name), int(count)) for name, count in gone.iter_rows())
    return MissingCounts(str(part["variant"][0]), part["half"][0], int(part["gone"].sum()), len(part), reasons)


def kinds(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The asked trials that have a gold answer, with `half` (of the strengths) and `gone` (not answered)."""
    size = pl.col("alpha").abs()
    middle = (size.max() + size.filter(size > 0).min()) / 2
    half = pl.when(pl.col("alpha") == 0).then(pl.lit("")).when(size > middle).then(pl.lit("strong"))
    rows = outcomes.filter(pl.col("gold").is_not_null() & pl.col("status").is_not_null())
    return rows.with_columns(
        half.otherwise(pl.lit("weak")).alias("half"), (pl.col("status") != "answered").alias("gone")
    )


FILLS = (("figure", True), ("figure", False), ("all", True), ("all", False))
"""Which answers a fill makes correct: those on figures alone, those on all others alone, all, or none."""


def fills(outcomes: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """The outcomes with every missing answer filled in, in four opposing ways (`FILLS`) that bound the results."""
    figures = pl.col("variant").is_in(["O", "P"])
    for which, right in FILLS:
        correct = (figures == right) if which == "figure" else pl.lit(right)
        wrong = pl.when(pl.col("gold") == "1").then(pl.lit("0")).otherwise(pl.lit("1"))
        yield fill_missing(outcomes, correct=correct, answer=pl.when(correct).then(pl.col("gold")).otherwise(wrong))


_GONE = tuple(name for name in STATUSES if name != "answered")

PAIRED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("PFC", "PFA", "CbW", "TFI", "PFA_of_answered", "R", "PFA difference"), TYPES),
    **{
        name: tuple(kind for kind, weight in zip(TYPES, weights, strict=True) if weight)
        for name, weights in (AVERAGES | CONTRASTS).items()
    },
    "gap": ("P", "PC"),
    "clutter_gap": ("PC", "PS"),
    "figure_gap": ("PS", "P"),
    "rise": ("P",),
    "asymmetry": ("P",),
    "hint_effect_original": ("OH", "O"),
    "hint_effect_perturbed": ("PH", "P"),
    "instruction_effect": (*TYPES, *ASIDE),
}
"""The metrics made from pairs of answers, each with the picture types that it is over where its slice names none."""


def withhold(estimates: Iterable[Estimate], *runs: pl.DataFrame) -> list[Estimate]:
    """The estimates, without the value of those that are made from pairs and lack too many answers.

    While fewer than 20 % are missing, `low` and `high` are then the least and the most that the missing answers could
    have made of the figure; `high` is None where there is no most, as for R if the controls could all look alike.

    `runs` has the outcomes of the run that the estimates are of, or of the two runs that they compare.

    The rule is that of the gate on verdicts (`missing_answers`), for the trials of each estimate's own slice: at most
    5 % of the answers may be missing in any picture type and half of the strengths. One missing answer closes no slice,
    since a slice of one case may have four. `no_pair` is never withheld. The reason says which pictures lack how many
    answers.
    """
    names = ("",) if len(runs) == 1 else ("first run: ", "second run: ")
    every = [_Lacking(name, outcomes) for name, outcomes in zip(names, runs, strict=True)]
    lacking = [each for each in every if each.any]
    if not lacking:
        return list(estimates)
    filled = cache(lambda: FilledPairs.of(*(each.sent for each in every)))
    return [_closed(each, lacking, filled) for each in estimates]


def _closed(estimate: Estimate, runs: Sequence[_Lacking], filled: Callable[[], FilledPairs]) -> Estimate:
    if estimate.metric not in PAIRED:
        return estimate
    lacking = [(run.name, worst) for run in runs if (worst := run.worst(estimate))]
    if not lacking:
        return estimate
    reason = "; ".join(f"{name}{_reason(worst)}" for name, worst in lacking)
    bare = replace(estimate, value=None, low=None, high=None, p=None, reason=reason)
    if max(worst.share for _, worst in lacking) >= MOST_AT_RANDOM:
        return bare
    ends = filled().range_of(estimate.metric, estimate.slice)
    if ends is None:
        return bare
    most = ends.most / estimate.unit.scale if isfinite(ends.most) else None
    return replace(bare, low=ends.least / estimate.unit.scale, high=most)


def _reason(worst: MissingCounts) -> str:
    """Which answers are missing, in words."""
    pictures = f"{worst.variant} ({worst.half} changes)" if worst.half else worst.variant
    why = ", ".join(f"{count:,} {status}" for status, count in worst.reasons)
    return (
        f"{100 * worst.share:.0f} % of the {worst.trials:,} answers on {pictures} are missing ({why}); "
        f"at most {100 * MOST_MISSING:.0f} % may be"
    )


@dataclass(frozen=True)
class _Lacking:
    """The missing answers of a run's yes-no trials, looked up by slice; `name` begins what is said of them."""

    name: str
    outcomes: pl.DataFrame

    @cached_property
    def sent(self) -> pl.DataFrame:
        of_types = pl.col("variant").is_in((*TYPES, *ASIDE))
        return with_settings(self.outcomes).filter((pl.col("task") == "yes-no") & of_types)

    @cached_property
    def rows(self) -> pl.DataFrame:
        columns = ("category", "case", "variant", "congruent", "alpha", "half", "gone", "status", *INSTRUCTED)
        return kinds(self.sent).select(columns)

    @cached_property
    def baseline(self) -> pl.DataFrame:
        return baseline(self.rows)[0]

    @property
    def any(self) -> bool:
        return bool(self.rows["gone"].any())

    def worst(self, estimate: Estimate) -> MissingCounts | None:
        """The kind of pictures that lacks most of its answers in an estimate's slice, where any lacks too many."""
        where = {name: level for name, level in estimate.slice.items() if name != "over"}
        without = {name: level for name, level in where.items() if name not in INSTRUCTED}
        slices = [where, without] if estimate.metric == "instruction_effect" else [where]
        closed = [
            each
            for part in slices
            for each in self._of(tuple(part)).get(tuple(part.values()), ())
            if each.variant in PAIRED[estimate.metric] or "variant" in part
        ]
        return max(closed, key=lambda each: each.share, default=None)

    @cached_property
    def _by_keys(self) -> dict[tuple[str, ...], dict[tuple[Json, ...], list[MissingCounts]]]:
        return {}

    def _of(self, keys: tuple[str, ...]) -> dict[tuple[Json, ...], list[MissingCounts]]:
        """The kinds of pictures that lack too many answers, by the slice of those keys."""
        if keys not in self._by_keys:
            rows = self.rows if set(keys) & set(INSTRUCTED) else self.baseline
            by = tuple(dict.fromkeys((*keys, "variant", "half")))
            counts = [(pl.col("status") == name).sum().alias(name) for name in _GONE]
            table = rows.group_by(by, maintain_order=True).agg(
                pl.len().alias("trials"), pl.col("gone").sum().alias("missing"), *counts
            )
            table = table.filter(pl.col("missing") > pl.max_horizontal(MOST_MISSING * pl.col("trials"), 1))
            missing: dict[tuple[Json, ...], list[MissingCounts]] = {}
            for row in table.iter_rows(named=True):
                missing.setdefault(tuple(row[key] for key in keys), []).append(_missing_of(row))
            self._by_keys[keys] = missing
        return self._by_keys[keys]


def _missing_of(row: Mapping[str, Json]) -> MissingCounts:
    reasons = sorted(((name, row[name]) for name in _GONE if row[name]), key=lambda each: -each[1])
    return MissingCounts(row["variant"], row["half"], row["missing"], row["trials"], tuple(reasons))
