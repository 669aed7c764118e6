"""What textbooks say, asked without a picture, and how often changed pictures get that answer where it is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import polars as pl

from veridical.records import Estimate, Json
from veridical.suite.rows import OF_ALL, Keys, asked_rows
from veridical.suites.viprobe.analysis.pairs import slices
from veridical.suites.viprobe.analysis.replies import context_replies, replies, responses

STATED: Mapping[str, Json] = {"prior": "stated"}
"""The slice of base items of which the answer of textbooks was given without a picture."""
_BY: tuple[Keys, ...] = (("context",), ("case", "context"))
_OF_SAME = "replies that an unchanged figure would get, of answered"


def prior_estimates(hinted: pl.DataFrame, expected: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`knows_textbook`, and `textbook_rate` over all base items and over those that are known, with `response` there.

    `hinted` are the yes-no trials on pictures; nothing where nothing was asked without one. An item counts as known
    where every question about it without a picture, of the same repeat, was answered as textbooks do.
    """
    asked = asked_rows(expected).with_columns(pl.col("correct").fill_null(value=False).cast(pl.Float64).alias("right"))
    if asked.is_empty():
        return
    for keys in ((), ("category",), ("case",)):
        for piece in slices(expected, asked, keys, {}, ""):
            yield piece.rate("knows_textbook", "right", OF_ALL)
    stated = asked.group_by("unit", "repeat").agg(pl.col("right").min()).filter(pl.col("right") == 1)
    known = hinted.join(stated.select("unit", "repeat"), on=["unit", "repeat"], how="semi", maintain_order="left")
    yield from _textbook_rates(hinted, note, {})
    yield from _textbook_rates(known, note, STATED)
    yield from responses(context_replies(known), replies(known), note, _BY, STATED)


def _textbook_rates(hinted: pl.DataFrame, note: str, where: Mapping[str, Json]) -> Iterator[Estimate]:
    """How often changed pictures get the answer of unchanged ones, by context and by case."""
    planned, answered = (rows.filter(pl.col("magnitude") > 0) for rows in (context_replies(hinted), replies(hinted)))
    for keys in _BY:
        for piece in slices(planned, answered, keys, dict(where), note):
            yield piece.rate("textbook_rate", "same", _OF_SAME)
