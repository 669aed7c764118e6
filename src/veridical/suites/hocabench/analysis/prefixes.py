"""When it changes its mind: the same clips, cut before, at and after the event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.records import Estimate
from veridical.suite.contrasts import difference
from veridical.suites.hocabench.analysis.rows import pieces, plain
from veridical.suites.hocabench.asking.cut import END, UNTIL
from veridical.suites.hocabench.asking.readers import PLAUSIBILITY

_EARLY = ("before", "event")


def prefixes(rows: pl.DataFrame) -> Iterator[Estimate]:
    """`implausible until` by variant and cut, and `change of mind`; nothing where clips were shown whole alone."""
    chosen, note = plain(rows, PLAUSIBILITY, ("until",))
    present = [each for each in UNTIL if each in set(chosen["until"].drop_nulls())]
    if len(present) < 2:
        return
    # Clips whose event comes too early are not cut there, so that levels would be of other clips.
    cut = chosen.filter(pl.col("until").n_unique().over("stimulus", "repeat") == len(present))
    order = pl.Enum(present)
    cut = cut.with_columns(pl.col("until").cast(order)).sort("until", maintain_order=True)
    cut = cut.with_columns(pl.col("until").cast(pl.String))
    note = f"; the clips that are shown up to every cut{note}"
    for keys in (("variant", "until"), ("variant", "until", "layer")):
        for piece in pieces(cut, keys, {}, note):
            said = replace(piece, rows=piece.rows.drop_nulls("implausible"))
            yield said.rate("implausible until", "implausible", "of answered")
    early = next((each for each in _EARLY if each in present), None)
    late = END if END in present else present[-1]
    if early is None or late in _EARLY:
        return
    sides = (pl.col("until") == late, pl.col("until") == early, f"'implausible' of answered, {late} − {early}")
    for piece in pieces(cut.filter(pl.col("until").is_in([early, late])), ("variant",), {}, note):
        yield difference(
            replace(piece, rows=piece.rows.drop_nulls("implausible")), "change of mind", "implausible", sides
        )
