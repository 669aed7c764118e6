"""How replies lean: toward the usual answer, over all units and where the model has stated it; and toward Not Sure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from veridical.records import Estimate, Json
from veridical.suite.contrasts import difference
from veridical.suite.rows import OF_ALL, Keys
from veridical.suites.viabench.analysis.replies import pieces, plain_replies

Where = Mapping[str, Json]
BY_CATEGORY: tuple[Keys, ...] = ((), ("category",))
BY_FAMILY: tuple[Keys, ...] = (*BY_CATEGORY, ("family",))
STATED: Where = {"prior": "stated"}
"""The slice of units whose usual answer the model gives when it sees nothing."""


def leanings(chosen: pl.DataFrame, expected: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """All of this file, of replies to pictures and of what the model expects, where it was asked for that."""
    yield from unsureness(chosen, note)
    yield from toward_the_usual(chosen, note, {})
    if expected.is_empty():
        return
    of_words, more = plain_replies(expected)
    for piece in pieces(of_words, BY_FAMILY, {}, more):
        yield piece.rate("knows the usual", "right", OF_ALL)
    yield from toward_the_usual(stated_rows(chosen, expected), note, STATED)


def stated_rows(rows: pl.DataFrame, expected: pl.DataFrame) -> pl.DataFrame:
    """The rows of units whose usual answer was given without a picture, in the same repeat and system turn."""
    keys = ["unit", "repeat", "cot"]
    known = expected.select(*keys, pl.col("option").alias("expected"))
    return rows.join(known, on=keys, how="inner", maintain_order="left").filter(pl.col("expected") == pl.col("usual"))


def toward_the_usual(chosen: pl.DataFrame, note: str, where: Where) -> Iterator[Estimate]:
    """`pull of the usual`, `recall rate` and `recall beyond guessing`."""
    yield from pull(chosen, note, where)
    misled = chosen.filter((pl.col("variant") == "unusual") & (pl.col("usual") != pl.col("label")))
    decided = misled.filter(pl.col("option").is_not_null() & (pl.col("kind") != "unsure"))
    for piece in pieces(misled, BY_FAMILY, where, note):
        yield piece.rate("recall rate", "as_usual", "of all")
    for piece in pieces(misled, BY_CATEGORY, {**where, "of": "decided"}, note, decided):
        yield piece.rate("recall rate", "as_usual", "of replies that choose an answer other than 'Not Sure'")
    yield from beyond_guessing(chosen, note, where)


def pull(chosen: pl.DataFrame, note: str, where: Where, by: Sequence[Keys] = BY_FAMILY) -> Iterator[Estimate]:
    """Accuracy where the usual answer is right − where it is wrong, on the items that have one."""
    rows = chosen.drop_nulls("usual")
    right = pl.col("usual") == pl.col("label")
    for piece in pieces(rows, by, where, note):
        yield difference(piece, "pull of the usual", "right", (right, ~right, "usual answer right − wrong"))


def beyond_guessing(rows: pl.DataFrame, note: str, where: Where, by: Sequence[Keys] = BY_FAMILY) -> Iterator[Estimate]:
    """`recall beyond guessing`: the usual answer where it is wrong − any one other wrong option, on unusual pictures.

    Over all, by category and by family. With two options the other wrong one can only be chosen where the usual answer
    is right; with more, the others that are chosen beside the usual one count, divided by their number.
    """
    leaning = rows.filter((pl.col("variant") == "unusual") & pl.col("usual").is_not_null())
    misled, others = pl.col("usual") != pl.col("label"), pl.col("live_options") - 2
    another = pl.col("sure_and_wrong") * (1 - pl.col("as_usual"))
    sides = pl.concat(
        [
            leaning.filter(misled).with_columns(pl.col("as_usual").alias("taken"), pl.lit("usual").alias("wrong")),
            leaning.filter(misled & (others > 0)).with_columns(
                (another / others).alias("taken"), pl.lit("other").alias("wrong")
            ),
            leaning.filter(~misled & (others == 0)).with_columns(
                another.alias("taken"), pl.lit("other").alias("wrong")
            ),
        ]
    )
    words = (pl.col("wrong") == "usual", pl.col("wrong") == "other", "the usual wrong option − any one other")
    for piece in pieces(leaning, by, where, note, sides):
        yield difference(piece, "recall beyond guessing", "taken", words)


def unsureness(chosen: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """How often 'Not Sure' is chosen, and how often errors are stated as sure."""
    unright = chosen.filter(pl.col("option").is_not_null() & (pl.col("kind") != "gold"))
    for keys in BY_FAMILY:
        for metric, column, among, of in (
            ("not sure", "not_sure", chosen, "of all"),
            ("overconfidence", "sure_and_wrong", unright, "of errors"),
        ):
            yield from (piece.rate(metric, column, of) for piece in pieces(among, [keys], {}, note))
