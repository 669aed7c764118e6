"""Figures that need both answers to a picture are withheld where too many answers are missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import polars as pl

from veridical.records import STATUSES, Estimate, Json
from veridical.suites.viprobe.analysis.estimates import AVERAGES, CONTRASTS
from veridical.suites.viprobe.analysis.missing_answers import MOST_MISSING, Missing, kinds
from veridical.suites.viprobe.analysis.pairs import ASIDE, TYPES
from veridical.suites.viprobe.asking.settings import baseline, with_settings

_INSTRUCTED = ("instruction", "placement")
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


def withheld(estimates: Iterable[Estimate], *runs: pl.DataFrame) -> list[Estimate]:
    """The estimates, without the value of those that are made from pairs and lack too many answers.

    `runs` has the outcomes of the run that the estimates are of, or of the two runs that they compare.

    The rule is that of the gate on verdicts (`missing_answers`), for the trials of each estimate's own slice: at most
    5 % of the answers may be missing in any picture type and half of the strengths. One missing answer closes no slice,
    since a slice of one case may have four. `no_pair` is never withheld. The reason says which pictures lack how many
    answers.
    """
    names = ("",) if len(runs) == 1 else ("first run: ", "second run: ")
    lacking = [each for each in map(_Lacking, names, runs) if each.any]
    return [_closed(each, lacking) for each in estimates] if lacking else list(estimates)


def _closed(estimate: Estimate, runs: Sequence[_Lacking]) -> Estimate:
    if estimate.metric not in PAIRED:
        return estimate
    lacking = [(run.name, worst) for run in runs if (worst := run.worst(estimate))]
    if not lacking:
        return estimate
    reason = "; ".join(f"{name}{_reason(worst)}" for name, worst in lacking)
    return replace(estimate, value=None, low=None, high=None, p=None, reason=reason)


def _reason(worst: Missing) -> str:
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
    def rows(self) -> pl.DataFrame:
        sent = with_settings(self.outcomes).filter(
            (pl.col("task") == "yes-no") & pl.col("variant").is_in((*TYPES, *ASIDE))
        )
        columns = ("category", "case", "variant", "congruent", "alpha", "half", "gone", "status", *_INSTRUCTED)
        return kinds(sent).select(columns)

    @cached_property
    def baseline(self) -> pl.DataFrame:
        return baseline(self.rows)[0]

    @property
    def any(self) -> bool:
        return bool(self.rows["gone"].any())

    def worst(self, estimate: Estimate) -> Missing | None:
        """The kind of pictures that lacks most of its answers in an estimate's slice, where any lacks too many."""
        where = {name: level for name, level in estimate.slice.items() if name != "over"}
        without = {name: level for name, level in where.items() if name not in _INSTRUCTED}
        slices = [where, without] if estimate.metric == "instruction_effect" else [where]
        closed = [
            each
            for part in slices
            for each in self._of(tuple(part)).get(tuple(part.values()), ())
            if each.variant in PAIRED[estimate.metric] or "variant" in part
        ]
        return max(closed, key=lambda each: each.share, default=None)

    @cached_property
    def _by_keys(self) -> dict[tuple[str, ...], dict[tuple[Json, ...], list[Missing]]]:
        return {}

    def _of(self, keys: tuple[str, ...]) -> dict[tuple[Json, ...], list[Missing]]:
        """The kinds of pictures that lack too many answers, by the slice of those keys."""
        if keys not in self._by_keys:
            rows = self.rows if set(keys) & set(_INSTRUCTED) else self.baseline
            by = tuple(dict.fromkeys((*keys, "variant", "half")))
            counts = [(pl.col("status") == name).sum().alias(name) for name in _GONE]
            table = rows.group_by(by, maintain_order=True).agg(
                pl.len().alias("trials"), pl.col("gone").sum().alias("missing"), *counts
            )
            table = table.filter(pl.col("missing") > pl.max_horizontal(MOST_MISSING * pl.col("trials"), 1))
            missing: dict[tuple[Json, ...], list[Missing]] = {}
            for row in table.iter_rows(named=True):
                missing.setdefault(tuple(row[key] for key in keys), []).append(_missing(row))
            self._by_keys[keys] = missing
        return self._by_keys[keys]


def _missing(row: Mapping[str, Json]) -> Missing:
    reasons = sorted(((name, row[name]) for name in _GONE if row[name]), key=lambda each: -each[1])
    return Missing(row["variant"], row["half"], row["missing"], row["trials"], tuple(reasons))
