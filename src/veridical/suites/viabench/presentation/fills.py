"""A verdict where answers are missing: the one that every way of filling them in leads to, or none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

import polars as pl

from veridical.suite.evidence import Evidence
from veridical.suite.results import Result
from veridical.suites.viabench.analysis.estimates import estimates
from veridical.suites.viabench.asking.marking import GRADE
from veridical.suites.viabench.puzzles.puzzle import is_not_sure

RIGHT, USUAL, OTHER = "right", "usual", "other"
"""What a missing answer may have been: the true one, the usual one where that is wrong, or another wrong one."""


def filled_results(result: Result) -> Iterator[Result]:
    """The result with every missing answer filled in, in opposing ways: by kind of picture right, usual, or another."""
    outcomes = result.outcomes
    missing = pl.col("status").is_not_null() & (pl.col("status") != "answered") & pl.col("gold").is_not_null()
    grades = result.evidence.outcomes(GRADE.name).clear()
    letters = {of: _letters(outcomes, of) for of in (RIGHT, USUAL, OTHER)}
    for unusual, ordinary in product((RIGHT, USUAL, OTHER), (RIGHT, OTHER)):
        given = pl.when(pl.col("variant") == "unusual").then(letters[unusual]).otherwise(letters[ordinary])
        filled = outcomes.with_columns(
            pl.when(missing).then(pl.lit("answered")).otherwise("status").alias("status"),
            pl.when(missing).then(given).otherwise("answer").alias("answer"),
            pl.when(missing).then(given == pl.col("gold")).otherwise("correct").alias("correct"),
        )
        evidence = Evidence.of({next(iter(result.evidence.stages)): filled, GRADE.name: grades})
        yield replace(result, outcomes=filled, evidence=evidence, estimates=estimates(evidence))


def stands(name: str, result: Result, conclude: Callable[[Result], str]) -> bool:
    """Whether `conclude` gives this name however the missing answers are filled in."""
    return all(conclude(filled) == name for filled in filled_results(result))


def _letters(outcomes: pl.DataFrame, of: str) -> pl.Series:
    """The letter of such an answer to each trial."""
    made = []
    for expects, gold, usual in outcomes.select("expects", "gold", "usual").iter_rows():
        options = json.loads(expects).get("options") or []
        live = {chr(ord("A") + k): text for k, text in enumerate(options) if not is_not_sure(text)}
        wrong = [letter for letter in live if letter != gold]
        leaning = [letter for letter in wrong if live[letter] == usual]
        away = [letter for letter in wrong if live[letter] != usual]
        made.append(gold if of == RIGHT else next(iter((leaning if of == USUAL else away) or wrong), None))
    return pl.Series("given", made, dtype=pl.String)
