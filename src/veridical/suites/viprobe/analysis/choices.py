"""Rates of single answers: comparisons (which target has more), pictures of inducers alone, one polarity alone."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from veridical.records import Estimate, Json
from veridical.suites.viprobe.analysis.pairs import slices
from veridical.suites.viprobe.asking.settings import POLARITIES

Keys = tuple[str, ...]

_RIGHT = "comparisons in which the targets differ"
_FIRST = "share of the option that a positive difference makes right, where the targets are equal: no accuracy"
_RECITED = "yes-no answers that are right of the unchanged figure, though no target is there: no accuracy"
_ANSWERED = (pl.col("status") == "answered").fill_null(value=False)
_CORRECT = pl.col("correct")


def choices(outcomes: pl.DataFrame, note: str, where: dict[str, Json] | None = None) -> list[Estimate]:
    """`choice_accuracy` where the targets differ, `first_choice` where they are equal and no answer is right.

    Both per variant, accuracy overall as well; without `where`, accuracy also per category, per case and per case x
    variant x strength, `first_choice` per case x variant.
    A comparison without an answer is not right; in `first_choice` it has no say.
    """
    first = pl.col("answer") == pl.col("expects").str.json_path_match("$.options[0]")
    differing, equal = outcomes.filter(pl.col("gold").is_not_null()), outcomes.filter(pl.col("gold").is_null())
    coarse: list[Keys] = [("variant",)]
    fine = [] if where else [("category",), ("case",), ("case", "variant", "alpha")]
    of_all = _counts(differing, _CORRECT)
    return [
        *_rates("choice_accuracy", differing, of_all, [(), *coarse, *fine], _RIGHT, where, note),
        *_rates(
            "first_choice",
            equal,
            _answered(equal, first),
            coarse if where else [*coarse, ("case", "variant")],
            f"{_FIRST}; of those answered",
            where,
            note,
        ),
    ]


def template(outcomes: pl.DataFrame, note: str, where: dict[str, Json] | None = None) -> list[Estimate]:
    """`template_rate` on pictures of inducers alone: the yes-no answers that recite the figure that is not there.

    Overall and, without `where`, per case; of all that were asked, and of those answered.
    """
    alone = outcomes.filter(pl.col("variant") == "I")
    if alone.is_empty():
        return []
    recited = pl.col("answer") == pl.col("factors").str.json_path_match("$.answer_if_unchanged")
    keys: list[Keys] = [()] if where else [(), ("case",)]
    of_all, of_answered = _counts(alone, recited), _answered(alone, recited)
    return [
        *_rates("template_rate", alone, of_all, keys, _RECITED, where, note),
        *_rates("template_rate_of_answered", alone, of_answered, keys, f"{_RECITED}; of those answered", where, note),
    ]


def accuracy(outcomes: pl.DataFrame, note: str) -> list[Estimate]:
    """`accuracy` of single answers per variant, in a run that asks in one polarity alone and so has no pairs."""
    planned = set(outcomes["polarity"].unique())
    if set(POLARITIES) <= planned or not planned:
        return []
    method = f"{' and '.join(sorted(planned))} questions alone"
    return _rates("accuracy", outcomes, _counts(outcomes, _CORRECT), [("variant",)], method, None, note)


def _rates(
    metric: str,
    trials: pl.DataFrame,
    rows: pl.DataFrame,
    keys: Sequence[Keys],
    method: str,
    where: dict[str, Json] | None,
    note: str,
) -> list[Estimate]:
    return [
        piece.rate(metric, "counted", f"{method}; pooled over pictures")
        for key in keys
        for piece in slices(trials, rows, key, where or {}, note)
    ]


def _counts(trials: pl.DataFrame, counted: pl.Expr) -> pl.DataFrame:
    """What was asked, with the 0/1 column `counted`; what was not answered does not count."""
    rows = trials.filter(pl.col("status").is_not_null())
    return rows.with_columns((_ANSWERED & counted).fill_null(value=False).cast(pl.Float64).alias("counted"))


def _answered(trials: pl.DataFrame, counted: pl.Expr) -> pl.DataFrame:
    return _counts(trials, counted).filter(_ANSWERED)
