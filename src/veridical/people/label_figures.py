"""Figures of what people labeled: how often each code was given, and how far each two people agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
import polars as pl

from veridical.records import Counts, Estimate, Estimates, Json
from veridical.stats import cohen_kappa
from veridical.suite.rates import KAPPA, Slice


def code_figures(suite: str, coded: pl.DataFrame, codes: Sequence[str]) -> Estimates:
    """`error pattern`, how often a person gave each code, and `agreement` of each two people by code, over units.

    `coded` has a row per reply and person: item, person, unit, family, and 1 or 0 for each code.
    """
    columns = {code: {"pattern": code} for code in codes}
    return Estimates([*_rates(suite, coded, codes), *agreements(suite, coded, columns)])


def _rates(suite: str, coded: pl.DataFrame, codes: Sequence[str]) -> Iterator[Estimate]:
    for (person,), own in coded.group_by("person", maintain_order=True):
        for code in codes:
            where: dict[str, Json] = {"pattern": code, "among": "wrong answers", "person": str(person)}
            piece = Slice(suite, where, own, labeled_counts(len(own)))
            yield piece.rate("error pattern", code, "of the failures that the person coded")


def agreements(suite: str, labels: pl.DataFrame, columns: Mapping[str, Mapping[str, Json]]) -> Iterator[Estimate]:
    """Cohen's kappa of each two people in each column, with its interval over units; columns have parts of a slice."""
    by_person = {str(person): own for (person,), own in labels.group_by("person", maintain_order=True)}
    for one, two in combinations(sorted(by_person), 2):
        for column, named in columns.items():
            second = by_person[two].select("item", pl.col(column).alias("second"))
            both = by_person[one].join(second, on="item", maintain_order="left")
            units = both["unit"].to_numpy() if len(both) else np.empty(0, str)
            kappa = cohen_kappa(both[column].to_numpy(), both["second"].to_numpy(), levels=(0.0, 1.0), units=units)
            piece = Slice(suite, {**named, "person": one, "against": two}, both, labeled_counts(len(both)))
            yield piece.stated("agreement", KAPPA, kappa)


def labeled_counts(number: int) -> Counts:
    """The counts of rows of which all were asked about and answered."""
    return Counts(planned=number, asked=number, answered=number, unparsed=0, refused=0, truncated=0, error=0)
