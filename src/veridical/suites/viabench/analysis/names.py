"""What the name of a familiar thing, written below its picture, costs."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from veridical.records import Estimate
from veridical.suite.contrasts import difference, holm_by
from veridical.suite.rows import OF_ALL, filter_to_level
from veridical.suites.viabench.analysis.replies import letter_replies, pieces
from veridical.suites.viabench.asking.trials import SETTINGS


def written_names(rows: pl.DataFrame) -> Iterator[Estimate]:
    """`accuracy` by whether the name is written below a picture, and `cost of the name`: without − with.

    Over the things that are shown both ways, by variant and by family; nothing where there are none.
    """
    both = letter_replies(rows, names=True).filter(pl.col("sight") == "shown").drop_nulls("name_written")
    shown, note = filter_to_level(both, {"cot": "none"}, SETTINGS)
    if shown["name_written"].n_unique() < 2:
        return
    written = pl.col("name_written")
    sides = (~written, written, "without the name − with it")
    for keys in ((), ("variant",), ("family",)):
        for piece in pieces(shown, [("name_written", *keys)], {}, note):
            yield piece.rate("accuracy", "right", OF_ALL)
        yield from holm_by(
            difference(piece, "cost of the name", "right", sides) for piece in pieces(shown, [keys], {}, note)
        )
