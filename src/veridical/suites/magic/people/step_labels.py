"""StepSense by people: one row per step of sampled replies, and the share of right steps from what they labeled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl

from veridical.records import Estimate, Estimates, Json
from veridical.stats import Interval, cohen_kappa
from veridical.suite.contrasts import share_of_sums
from veridical.suite.rates import Slice
from veridical.suites.magic.analysis.accuracy import KAPPA
from veridical.suites.magic.asking.readers import parts_of
from veridical.suites.magic.people.sheets import (
    STRATA,
    answered,
    counts_of,
    drawn,
    filled,
    read_key,
    write_sheet,
    yes_or_no,
)
from veridical.suites.magic.stimuli import NAME

COLUMNS = ("item", "reply", "picture", "question", "number", "step", "person", "label")
LABEL = ("label",)
"""Filled in by people: yes for a right step, no for a wrong one, nothing for one that states nothing."""


def write_steps(runs: Sequence[Path], out: Path, *, count: int | None = 50, seed: int = 0) -> tuple[int, int, Path]:
    """Writes the steps of a sample of replies; returns the numbers of replies and steps, and the place of the key.

    Replies are in random order and spread evenly over models and types of questions; their steps stay in order. People
    see the picture's file, the question and the steps, and not whose reply it is, its answer, or what is right.
    """
    rows = []
    sampled = drawn(answered(runs), count, seed, STRATA)
    width = len(str(len(sampled)))
    for place, reply in enumerate(sampled.iter_rows(named=True), start=1):
        for number, step in enumerate(parts_of(reply["answer"])[1], start=1):
            item = f"r{place:0{width}}-{number}"
            rows.append({**reply, "item": item, "reply": f"r{place:0{width}}", "number": number, "step": step})
    _, key = write_sheet(out, COLUMNS, rows)
    return len(sampled), len(rows), key


def read_steps(paths: Sequence[Path], key: Path) -> pl.DataFrame:
    """The labels of people, a row each: item, person, `right` (1 or 0), and the columns of the key.

    Raises `InputError` as `sheets.filled` does.
    """
    known = read_key(key)
    rows = []
    for row in filled(paths, known, LABEL):
        label = yes_or_no(row, "label")
        if label is not None:
            rows.append({**known[row.cells["item"]], "person": row.cells["person"], "right": float(label)})
    return pl.DataFrame(rows)


def stepsense(labels: pl.DataFrame) -> Estimates:
    """`stepsense`, the share of right steps, over all, by model and by person; and `agreement` of each two people.

    Where several people labeled a step, it counts as the mean of their labels. Intervals and kappa are over units.
    """
    return Estimates([*_shares(labels), *_agreements(labels)])


def _shares(labels: pl.DataFrame) -> Iterator[Estimate]:
    groups: list[tuple[dict[str, Json], pl.DataFrame]] = [({}, labels)]
    for column in ("model", "category", "person"):
        groups += [({column: str(level)}, own) for (level,), own in labels.group_by(column, maintain_order=True)]
    for where, own in groups:
        reply = pl.col("item").str.split("-").list.first().alias("reply")
        steps = own.group_by(reply, "item", "unit", "family", maintain_order=True).agg(pl.col("right").mean())
        by_reply = steps.group_by("reply", "unit", "family", maintain_order=True).agg(
            pl.col("right").sum(), pl.len().cast(pl.Float64).alias("labeled")
        )
        piece = Slice(NAME, where, by_reply, counts_of(len(by_reply)))
        yield share_of_sums(piece, "stepsense", "right", "labeled", "by people's labels, of the labeled steps")


def _agreements(labels: pl.DataFrame) -> Iterator[Estimate]:
    by_person = {str(person): own for (person,), own in labels.group_by("person", maintain_order=True)}
    for one, two in combinations(sorted(by_person), 2):
        yield kappa_of(by_person[one], by_person[two], "right", {"person": one, "against": two})


def kappa_of(one: pl.DataFrame, two: pl.DataFrame, column: str, where: Mapping[str, Json]) -> Estimate:
    """Cohen's kappa of two people on the items that both labeled, with its interval over units."""
    both = one.join(two.select("item", pl.col(column).alias("second")), on="item", maintain_order="left")
    units = both["unit"].to_numpy() if len(both) else np.empty(0, str)
    stated = cohen_kappa(both[column].to_numpy(), both["second"].to_numpy(), levels=(0.0, 1.0), units=units)
    piece = Slice(NAME, dict(where), both, counts_of(len(both)))
    return piece.estimate(
        "agreement", KAPPA, stated.method, stated.value, Interval(stated.low, stated.high), stated.reason
    )
