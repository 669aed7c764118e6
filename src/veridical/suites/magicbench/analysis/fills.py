"""What missing answers to probes might have been, in opposing ways under each kind of words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from string import ascii_uppercase
from typing import Any

import polars as pl

from veridical.suite.missing_replies import fill_missing
from veridical.suites.magicbench.analysis.probes import probe_replies

RIGHT, LIE, OTHER = "right", "lie", "other"
"""The true answer, the lie's where that is false, or another wrong one."""
OPPOSED = ((RIGHT, OTHER), (OTHER, RIGHT), (RIGHT, LIE), (LIE, RIGHT), (OTHER, LIE), (LIE, OTHER))
"""What is filled in under one kind of words, and under all others."""


def filled_probes(rows: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """The replies with every missing answer to a probe filled in: under each kind of words one thing, else another."""
    probes, _ = probe_replies(rows)
    lied = {
        (row["stimulus"], row["probe"]): row["lie_names"] or []
        for row in probes.select("stimulus", "probe", "lie_names").unique().iter_rows(named=True)
    }
    fields = ("stimulus", "probe", "options", "gold")
    own = [_answers(row, lied) for row in rows.select(fields).iter_rows(named=True)]
    answers = {of: pl.Series("answer", [each[of] for each in own], dtype=pl.String) for of in (RIGHT, LIE, OTHER)}
    lacking = pl.col("probe").is_not_null() & pl.col("status").is_not_null() & (pl.col("status") != "answered")
    kinds = rows.filter(lacking).select(_KIND)["kind"].unique(maintain_order=True)
    for kind, (one, rest) in product(kinds, OPPOSED):
        answer = pl.when(kind == _KIND).then(answers[one]).otherwise(answers[rest])
        right = pl.when(kind == _KIND).then(float(one == RIGHT)).otherwise(float(rest == RIGHT))
        yield fill_missing(rows, lacking, answer=answer, right=right)


_KIND = pl.concat_str("stance", pl.col("words").fill_null("")).alias("kind")


def _answers(row: dict[str, Any], lied: dict[tuple[str, int], list[str]]) -> dict[str, str | None]:
    """The letter of each kind of answer to a probe; `None` of what is no probe."""
    if row["probe"] is None:
        return dict.fromkeys((RIGHT, LIE, OTHER))
    wrong = [letter for letter in ascii_uppercase[: len(row["options"])] if letter != row["gold"]]
    named = [letter for letter in lied.get((row["stimulus"], row["probe"]), []) if letter in wrong]
    away = [letter for letter in wrong if letter not in named]
    return {RIGHT: row["gold"], LIE: (named or away)[0], OTHER: (away or wrong)[0]}
