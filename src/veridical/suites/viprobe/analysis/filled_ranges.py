"""The least and the most that missing answers could have made of figures of pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import NamedTuple

import polars as pl

from veridical.records import Json
from veridical.suites.viprobe.analysis.contrasts import AMID_CLUTTER, KEY, with_middle
from veridical.suites.viprobe.analysis.contrasts import CONTRASTS as SIDES
from veridical.suites.viprobe.analysis.estimates import AVERAGES, CONTRASTS, EPSILON
from veridical.suites.viprobe.analysis.pairs import TYPES, asked_pairs, pairs, pairs_if_asked
from veridical.suites.viprobe.asking.settings import baseline


class FilledRange(NamedTuple):
    """A figure as it is, and the least and most that it could be, had the missing answers been given."""

    value: float
    least: float
    most: float


DIFFERENCES: Mapping[str, tuple[float, ...]] = {**CONTRASTS, "gap": (0.0, -1.0, 0.0, 1.0)}
"""Weights of the accuracies of O, P, OC, PC."""


def filled_ranges(outcomes: pl.DataFrame) -> dict[str, FilledRange]:
    """I, R, the gap and the other differences of accuracy, with what missing answers could have made of them.

    In points, R as it is; accuracy is PFA, of all. An answer that is missing could have been right or wrong, so that
    a pair could have been right unless an answered half is wrong. Nothing where no answer is missing; a figure of which
    one of O, P, OC and PC was not asked is left out.
    """
    _, rows, _ = asked_pairs(outcomes)
    found = FilledPairs(rows, rows.clear())
    if rows.filter(pl.col("no_pair") > 0).is_empty():
        return {}
    ranges = {name: found.range_of(name, {}) for name in (*DIFFERENCES, "R")}
    return {name: each for name, each in ranges.items() if each is not None}


_ANY = ("TFI", "PFC")
"""What a pair that lacks an answer can always still be."""
_PARTS = ("PFA", "CbW", *_ANY)
_RATES = {**{name: name for name in _PARTS}, "PFA_of_answered": "PFA"}
"""The part of pairs that each rate is the mean of. If all were given, all were answered."""
_CHANGES = ("PFA difference", "instruction_effect")
INSTRUCTED = ("instruction", "placement")
_STILL = 1e-9
_EVERY, _PICTURES = "every pair", "every pair of O, P, OC, PC"


@dataclass(frozen=True)
class FilledPairs:
    """Pairs with what each could have been, looked up by metric and slice.

    `rows` are those of `pairs`; `changes` have, for a picture with two pairs, how much more of the second is right.
    """

    rows: pl.DataFrame
    changes: pl.DataFrame

    @classmethod
    def of(cls, *runs: pl.DataFrame) -> FilledPairs:
        """The pairs of a run's yes-no trials and the changes that an instruction makes, or those from run to run."""
        if len(runs) == 1:
            rows = _with_instruction(pairs_if_asked(runs[0]))
            plain = pl.col("instruction") == "none"
            return cls(rows, _changes(rows.filter(plain), rows.filter(~plain), KEY))
        first, second = (baseline(_with_instruction(pairs(trials)))[0] for trials in runs)
        return cls(first.clear(), _changes(first, second, [*KEY, "setting"]))

    def range_of(self, metric: str, where: Mapping[str, Json]) -> FilledRange | None:
        """What a figure of a slice could have been: in percent or points; None if it has no pairs."""
        keys = tuple(key for key in where if key != "over")
        means = self._means(keys, changes=metric in _CHANGES).get(tuple(where[key] for key in keys), {})
        if metric == "R":
            ends = [means.get(("PFA", name)) for name in TYPES]
            return None if None in ends else _multiplier([end for end in ends if end])
        part, weights = _made_of(metric, where)
        if metric == "PFA difference" and "variant" not in where:
            present = [name for name in TYPES if ("change", name) in means]
            weights = {name: 1 / len(present) for name in present}
        found = {name: means[part, name] for name, weight in weights.items() if weight and (part, name) in means}
        if len(found) < sum(map(bool, weights.values())) or not found:
            return None
        return _weighed([weights[name] for name in found], list(found.values()))

    @cached_property
    def _looked_up(self) -> dict[tuple[tuple[str, ...], bool], _Table]:
        return {}

    def _means(self, keys: tuple[str, ...], *, changes: bool) -> _Table:
        """For each slice of those keys, the least and most of each part's mean over each group of pairs."""
        if (keys, changes) not in self._looked_up:
            rows = self.changes if changes else self.rows
            if not changes and not set(keys) & set(INSTRUCTED) and "instruction" in rows.columns:
                rows = baseline(rows)[0]
            self._looked_up[keys, changes] = _table(rows, keys, changes=changes)
        return self._looked_up[keys, changes]


_Means = dict[tuple[str, str], tuple[float, float]]
_Table = dict[tuple[Json, ...], _Means]


def _made_of(metric: str, where: Mapping[str, Json]) -> tuple[str, dict[str, float]]:
    """The part of pairs that a figure is made of, and the weight of its mean over each group of them."""
    if metric in _CHANGES:
        return "change", {_EVERY: 1.0}
    if metric in _RATES:
        pooled = _EVERY if "variant" in where else _PICTURES if "over" in where else ""
        return _RATES[metric], {pooled: 1.0} if pooled else dict.fromkeys(TYPES, 0.25)
    if metric in SIDES:
        return "PFA", {f"{metric} +": 1.0, f"{metric} −": -1.0}
    return "PFA", dict(zip(TYPES, (AVERAGES | CONTRASTS)[metric], strict=True))


def _with_instruction(rows: pl.DataFrame) -> pl.DataFrame:
    setting = pl.col("setting").str
    return rows.with_columns(setting.json_path_match(f"$.{name}").fill_null("none").alias(name) for name in INSTRUCTED)


def _changes(first: pl.DataFrame, second: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    both = second.join(first.select(*key, "PFA", "most_PFA"), on=key, how="inner", suffix="_first")
    return both.with_columns(
        (pl.col("PFA") - pl.col("most_PFA_first")).alias("change"),
        (pl.col("most_PFA") - pl.col("PFA_first")).alias("most_change"),
    )


def _table(rows: pl.DataFrame, keys: tuple[str, ...], *, changes: bool) -> _Table:
    types = {name: pl.col("variant") == name for name in TYPES}
    groups = {_EVERY: pl.lit(value=True), _PICTURES: pl.col("variant").is_in(TYPES), **types}
    wanted = [(part, groups) for part in (("change",) if changes else _PARTS)]
    if not changes:
        cluttered = pl.col("family").is_in(rows.filter(pl.col("variant") == "PS")["family"].unique().implode())
        sides = {
            f"{metric} {sign}": side & cluttered if metric in AMID_CLUTTER else side
            for metric, parts in SIDES.items()
            for sign, side in zip("+−", parts[:2], strict=True)
        }
        wanted.append(("PFA", sides))
        rows = with_middle(rows).with_columns((pl.col(part) + pl.col("no_pair")).alias(f"most_{part}") for part in _ANY)
    pieces = {(part, group): holds for part, parts in wanted for group, holds in parts.items()}
    means = [
        (100 * pl.col(column).filter(holds).mean()).alias(f"{column} of {group}")
        for (part, group), holds in pieces.items()
        for column in (part, f"most_{part}")
    ]
    found: _Table = {}
    for row in rows.group_by(pl.lit(value=True).alias("all"), *keys).agg(means).iter_rows():
        ends = zip(row[1 + len(keys) :: 2], row[2 + len(keys) :: 2], strict=True)
        named = zip(pieces, ends, strict=True)
        found[row[1 : 1 + len(keys)]] = {name: (low, high) for name, (low, high) in named if low is not None}
    return found


def _weighed(weights: Sequence[float], ends: Sequence[tuple[float, float]]) -> FilledRange:
    parts = list(zip(weights, ends, strict=True))
    return FilledRange(
        sum(w * low for w, (low, _) in parts),
        sum(w * (low if w > 0 else high) for w, (low, high) in parts),
        sum(w * (high if w > 0 else low) for w, (low, high) in parts),
    )


def _multiplier(ends: Sequence[tuple[float, float]]) -> FilledRange:
    """R, whose ends are those of its two differences apart; without a most if the controls could look alike."""
    above, below = _size(*ends[:2]), _size(*ends[2:])
    return FilledRange(
        above.value / (below.value + EPSILON),
        above.least / (below.most + EPSILON),
        above.most / (below.least + EPSILON) if below.least > _STILL else inf,
    )


def _size(one: tuple[float, float], two: tuple[float, float]) -> FilledRange:
    """The absolute difference of two accuracies."""
    low, high = one[0] - two[1], one[1] - two[0]
    return FilledRange(abs(one[0] - two[0]), max(low, -high, 0.0), max(abs(low), abs(high)))
