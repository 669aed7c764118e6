"""What missing answers might have been, in opposing ways."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import polars as pl

from veridical.suite.evidence import Evidence
from veridical.suite.missing_replies import fill_missing
from veridical.suite.results import Result
from veridical.suites.viabench.analysis.estimates import decisive
from veridical.suites.viabench.asking.marking import GRADE
from veridical.suites.viabench.puzzles.puzzle import is_not_sure

RIGHT, USUAL, OTHER = "right", "usual", "other"
"""What a missing answer may have been: the true one, the usual one where that is wrong, or another wrong one."""


def filled_results(result: Result) -> Iterator[Result]:
    """The result with every missing answer filled in, in opposing ways: by kind of picture right, usual, or another."""
    outcomes = result.outcomes
    grades = result.evidence.outcomes(GRADE.name).clear()
    letters = {of: _letters(outcomes, of) for of in (RIGHT, USUAL, OTHER)}
    for unusual, ordinary in product((RIGHT, USUAL, OTHER), (RIGHT, OTHER)):
        kind = pl.when(pl.col("variant") == "unusual")
        answer = kind.then(letters[unusual]).otherwise(letters[ordinary])
        correct = kind.then(unusual == RIGHT).otherwise(ordinary == RIGHT)
        rows = fill_missing(outcomes, answer=answer, correct=correct)
        evidence = Evidence.of({next(iter(result.evidence.stages)): rows, GRADE.name: grades})
        yield replace(result, outcomes=rows, evidence=evidence, estimates=decisive(evidence))


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
