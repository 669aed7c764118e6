"""Replies without an answer: how many a verdict allows, and whether what they might have been would change it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

import polars as pl

from veridical.suite.conclusions import Conclusion, RunVerdict

MOST_MISSING = 0.05
"""The largest share of replies without an answer on which a verdict is given as it is."""
MOST_FILLED = 0.1
"""Below this share missing replies are filled in, in opposing ways, to see whether they matter."""

LACKING = pl.col("status").is_not_null() & (pl.col("status") != "answered") & pl.col("gold").is_not_null()
"""The outcomes that were asked, have a true answer, and were not answered."""


class MissingReplies(NamedTuple):
    """How many of the replies to one kind of item have no answer."""

    kind: str
    missing: int
    of: int

    @property
    def share(self) -> float:
        """The share; all of them where there is no reply.

        >>> str(MissingReplies("unusual", 36, 700))
        '36 of 700 replies (unusual) have no answer; up to 35 may lack one'
        """
        return self.missing / self.of if self.of else 1.0

    @property
    def too_many(self) -> bool:
        """Whether more are missing than a verdict allows."""
        return self.share > MOST_MISSING

    def __str__(self) -> str:
        kind = f" ({self.kind})" if self.kind else ""
        most = f"up to {int(MOST_MISSING * self.of):,} may lack one"
        return f"{self.missing:,} of {self.of:,} replies{kind} have no answer; {most}"


def most_missing(rows: pl.DataFrame, by: Collection[str] = ()) -> MissingReplies:
    """The missing answers among the replies of the levels of `by` that lack the largest share of them.

    `kind` has these levels; a level that does not apply is left out.
    """
    return MissingReplies(*largest_share(rows, pl.col("status") != "answered", by))


def largest_share(rows: pl.DataFrame, counted: pl.Expr, by: Collection[str]) -> tuple[str, int, int]:
    """The levels of `by` of whose rows the largest share is counted, how many are, and of how many; no rows: 0 of 0.

    >>> largest_share(pl.DataFrame({"type": ["a", "b", "b"], "gone": [False, True, False]}), pl.col("gone"), ["type"])
    ('b', 1, 2)
    """
    if rows.is_empty():
        return "", 0, 0
    sums = counted.sum().alias("counted"), pl.len().alias("of")
    parts = rows.group_by(list(by), maintain_order=True).agg(sums) if by else rows.select(sums)
    row = max(parts.iter_rows(named=True), key=lambda each: each["counted"] / each["of"])
    return ", ".join(str(row[name]) for name in by if row[name] is not None), row["counted"], row["of"]


def fill_missing(outcomes: pl.DataFrame, where: pl.Expr = LACKING, **given: pl.Expr | pl.Series) -> pl.DataFrame:
    """The outcomes with every missing reply answered: there the columns named have the values given.

    >>> rows = pl.DataFrame({"status": ["answered", "refused"], "gold": ["1", "1"], "answer": ["1", None]})
    >>> fill_missing(rows, answer=pl.lit("0"))["answer"].to_list()
    ['1', '0']
    """
    columns = {"status": pl.lit("answered"), **given}
    return outcomes.with_columns(
        **{name: pl.when(where).then(value).otherwise(pl.col(name)) for name, value in columns.items()}
    )


def despite_missing(
    missing: MissingReplies, verdict: RunVerdict, otherwise: Iterable[RunVerdict] | None, name: str
) -> RunVerdict:
    """The verdict from the replies there are, where those that are missing do not matter, else one of this name.

    `otherwise` has the verdicts with the missing replies filled in, in opposing ways (`None`: nothing can fill them
    in); it is used only where more are missing than a verdict allows, and less than a tenth.
    """
    if not missing.of or not missing.too_many:
        return verdict
    if missing.share < MOST_FILLED and otherwise is not None and all(each.name == verdict.name for each in otherwise):
        return verdict._replace(sure=f"{verdict.sure} {missing}; whatever they had been, the verdict is the same.")
    return _too_many(name, missing, len(verdict.parts))


def _too_many(name: str, missing: MissingReplies, parts: int) -> RunVerdict:
    """The verdict where more answers are missing than allowed, with as many open parts."""
    part = Conclusion("undetermined", "Too many replies have no answer.", "open")
    return RunVerdict(name, part.sentence, f"{missing}.", "open", ("replies with an answer",), (part,) * parts)
