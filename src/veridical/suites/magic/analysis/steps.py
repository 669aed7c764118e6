"""StepSense and error patterns, by rule: on our scenes, a step that states something of the scene can be checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.records import Estimate
from veridical.suite.contrasts import share_of_sums
from veridical.suite.evidence import Evidence
from veridical.suites.magic.analysis.rows import pieces, plain, replies
from veridical.suites.magic.errors import PATTERNS

WRONG, ANY = AMONG = ("wrong answers", "all replies")
_KEYS: tuple[tuple[str, ...], ...] = ((), ("category",))


def steps(evidence: Evidence) -> Iterator[Estimate]:
    """`stepsense` and `checkable steps`, over all and by question type; nothing where no rule checks steps."""
    chosen, note = plain(replies(evidence.outcomes()))
    checked = chosen.filter(pl.col("checkable").is_not_null())
    if checked.is_empty():
        return
    for keys in _KEYS:
        for piece in pieces(checked, keys, {}, note):
            yield share_of_sums(piece, "stepsense", "right_steps", "checkable", "by rule, of the checkable steps")
            yield share_of_sums(piece, "checkable steps", "checkable", "steps", "of all steps of answered replies")


def errors(evidence: Evidence) -> Iterator[Estimate]:
    """`error pattern` by pattern, among wrong answers and among all replies, over all and by question type."""
    chosen, note = plain(replies(evidence.outcomes()))
    for pattern in PATTERNS:
        column = f"error_{pattern}"
        counted = chosen.drop_nulls(column)
        for among in AMONG if len(counted) else ():
            rows = counted.filter(pl.col("right") == 0) if among == WRONG else counted
            for keys in _KEYS:
                for piece in pieces(rows, keys, {}, note):
                    where = {"pattern": pattern, "among": among, **piece.where}
                    yield replace(piece, where=where).rate("error pattern", column, f"of {among}, answered, by rule")
