"""Figures of two columns of scores: a judge's beside the reference, or those of two judges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.judges.verdict_frames import KEY, READ
from veridical.stats import Rates, Statistic, cohen_kappa, krippendorff_alpha, pearson, percentage_error, spearman
from veridical.stats.agreement import Weights

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class NamedFigure:
    """A named figure: what it is `about`, the statistic, and how many verdicts could not be read or are missing."""

    name: str
    about: Mapping[str, str]
    statistic: Statistic
    unread: int = 0


def correlations(about: Mapping[str, str], rows: pl.DataFrame, unread: int) -> Iterator[NamedFigure]:
    """Pearson's and Spearman's correlation of the columns `reference` and `score`, by unit."""
    columns, units = _columns(rows)
    yield NamedFigure("Pearson", about, pearson(*columns, units=units), unread)
    yield NamedFigure("Spearman", about, spearman(*columns, units=units), unread)


def score_figures(
    about: Mapping[str, str], rows: pl.DataFrame, bounds: tuple[float, float], unread: int
) -> Iterator[NamedFigure]:
    """All figures of a judge's scores against the reference, by unit."""
    columns, units = _columns(rows)
    yield from correlations(about, rows, unread)
    yield NamedFigure("kappa", about, kappa(*columns, bounds, units), unread)
    yield NamedFigure("Krippendorff", about, _alpha(np.stack(columns), bounds, units), unread)
    yield NamedFigure("percentage error", about, percentage_error(*columns, units=units), unread)


def binary(name: str, about: Mapping[str, str], rows: pl.DataFrame, unread: int) -> Iterator[NamedFigure]:
    """Kappa, and the share of replies on which both columns are alike, of scores 0 and 1; halves count as 1."""
    columns, units = _columns(rows)
    yield NamedFigure(f"{name} kappa", about, kappa(*columns, (0.0, 1.0), units), unread)
    yield NamedFigure(f"{name} agreement", about, _alike(_rounded(columns[0]), _rounded(columns[1]), units), unread)


def judge_agreement(
    about: Mapping[str, str], verdicts: pl.DataFrame, bounds: tuple[float, float], *, veto: bool
) -> Iterator[NamedFigure]:
    """Agreement of judges with each other, personas among them: of each pair, and of all together."""
    read = verdicts.filter(pl.col("status") == READ)
    judges = verdicts["judge"].unique(maintain_order=True).to_list()
    for one, other in combinations(judges, 2):
        pair = read.filter(pl.col("judge") == one).rename({"score": "reference"})
        both = pair.join(
            read.filter(pl.col("judge") == other).select(*KEY, "score"), on=list(KEY), maintain_order="left"
        )
        items = verdicts.filter(pl.col("judge").is_in([one, other])).select(KEY).unique()
        where, unread = {**about, "judge": one, "other": other}, len(items) - len(both)
        if veto:
            yield from binary("veto", where, both, unread)
            continue
        columns, units = _columns(both)
        yield NamedFigure("kappa", where, kappa(*columns, bounds, units), unread)
        yield NamedFigure("Spearman", where, spearman(*columns, units=units), unread)
    if len(judges) > 1:
        ratings, units = _wide(read, judges)
        asked_of_all = len(verdicts) - len(read)
        yield NamedFigure("agreement among judges", about, _alpha(ratings, bounds, units), asked_of_all)


def kappa(reference: Floats, score: Floats, bounds: tuple[float, float], units: NDArray[np.str_]) -> Statistic:
    """Cohen's kappa of scores rounded to whole numbers, halves up: plain from 0 to 1, otherwise quadratic."""
    low, high = bounds
    levels = [float(each) for each in np.arange(np.floor(low), np.ceil(high) + 1)]
    weights: Weights = "plain" if len(levels) == 2 else "quadratic"
    return cohen_kappa(_rounded(reference), _rounded(score), weights=weights, levels=levels, units=units)


def _rounded(values: Floats) -> Floats:
    return np.floor(values + 0.5)


def _alpha(ratings: Floats, bounds: tuple[float, float], units: NDArray[np.str_]) -> Statistic:
    """Krippendorff's alpha: nominal where all is 0 or 1, otherwise of intervals."""
    whole = bounds == (0.0, 1.0) and bool(np.isin(ratings[~np.isnan(ratings)], (0.0, 1.0)).all())
    return krippendorff_alpha(ratings, "nominal" if whole else "interval", units=units)


def _alike(one: Floats, other: Floats, units: NDArray[np.str_]) -> Statistic:
    """The share of rows that are alike, with the interval of a clustered rate."""
    method = "share alike; Student's interval over units, one half-right unit added; mid-P where each has one row"
    if len(one) == 0:
        reason = "nothing was rated by both"
        return Statistic(value=None, low=None, high=None, n=0, units=0, method=method, reason=reason)
    codes = np.unique(units, return_inverse=True)[1]
    rows = np.bincount(codes).astype(float)
    hits = np.bincount(codes, (one == other).astype(float))
    value, low, high = map(float, Rates(hits[:, None], rows[:, None], np.zeros(len(rows))).mean([1.0]))
    return Statistic(value=value, low=low, high=high, n=len(one), units=len(rows), method=method)


def _columns(rows: pl.DataFrame) -> tuple[tuple[Floats, Floats], NDArray[np.str_]]:
    return (rows["reference"].to_numpy(), rows["score"].to_numpy()), rows["unit"].to_numpy()


def _wide(read: pl.DataFrame, judges: list[str]) -> tuple[Floats, NDArray[np.str_]]:
    """Scores by judge and reply, NaN where missing, and the unit of each reply."""
    wide = read.pivot("judge", index=[*KEY, "unit"], values="score", maintain_order=True)
    empty = np.full(len(wide), np.nan)
    rows = [wide[judge].fill_null(np.nan).to_numpy() if judge in wide.columns else empty for judge in judges]
    return np.stack(rows), wide["unit"].to_numpy()
