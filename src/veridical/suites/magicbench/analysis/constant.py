"""What a constant reply is worth: "sleight of hand" to every clip, marked by the rule of the rubric `pcs`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import polars as pl

from veridical.judges.rubric import REPLY
from veridical.records import Counts, Estimate, Json, canonical
from veridical.suite.evidence import Evidence
from veridical.suite.means import mean_score
from veridical.suite.rates import Slice
from veridical.suites.magicbench.analysis.marks import FULL, MARKS, SCORE
from veridical.suites.magicbench.analysis.rows import tricks
from veridical.suites.magicbench.asking.marking import GRADE
from veridical.suites.magicbench.judging.rubrics import PCS
from veridical.suites.magicbench.judging.verdicts import scores
from veridical.suites.magicbench.stimuli import NAME

CONSTANT = "sleight of hand"
REPLIED = canonical(
    {
        "effect": "Something impossible seems to happen.",
        "anomalies": [],
        "misdirection": "",
        "steps": ["By sleight of hand, a thing is secretly kept in a hand."],
        "principle": "Sleight of hand: the thing is secretly palmed.",
        "trick": "yes",
        "confidence": 50,
    }
)
"""The constant explanation."""
_METHOD = "the same explanation of every trick, marked by rule; tricks that the rule cannot tell are in the bounds"


def constants(evidence: Evidence) -> Iterator[Estimate]:
    """`constant marks`, of the clips that were judged by a rubric with a rule; nothing without it."""
    if PCS.rule is None or GRADE.name not in evidence.stages:
        return
    outcomes = evidence.outcomes(GRADE.name)
    if not {"expects", "variant"} <= set(outcomes.columns):
        return
    judged = tricks(outcomes.filter(pl.col("reader") == PCS.name)).unique("stimulus", maintain_order=True)
    if judged.is_empty():
        return
    marks = [_marks(json.loads(text)["shown"]) for text in judged["expects"]]
    columns = [
        pl.Series(mark, [None if own is None else own[mark] for own in marks], dtype=pl.Float64) for mark in MARKS
    ]
    rows = judged.with_columns(columns)
    for mark in MARKS:
        where: dict[str, Json] = {"score": mark, "reply": CONSTANT}
        yield mean_score(Slice(NAME, where, rows, Counts.of(rows)), "constant marks", mark, SCORE, _METHOD)


def _marks(shown: Mapping[str, str]) -> dict[str, float] | None:
    """The marks of the constant explanation, of 1, or `None` where the rule cannot tell."""
    assert PCS.rule is not None
    verdict = PCS.rule({**shown, REPLY: REPLIED})
    if isinstance(verdict, str):
        return None
    own = scores(verdict)
    return {mark: own[mark] / FULL for mark in MARKS}
