"""VIA-Bench in an evaluation: does the model see what is ordinary, and what is not?"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from veridical.suite.conclusions import BoundedFigure, Conclusion, RunVerdict
from veridical.suite.evaluation import (
    OPEN,
    EvaluationDesign,
    EvaluationPart,
    ProfileAnswer,
    ProfileQuestion,
    designs_of_sizes,
)
from veridical.suite.evidence import Evidence
from veridical.suite.gains import QuestionScores
from veridical.suite.results import Result, find
from veridical.suite.rows import asked_rows
from veridical.suites.viabench.analysis.replies import plain_replies, replies
from veridical.suites.viabench.options import DEMO
from veridical.suites.viabench.presentation.findings import CHANCE, HALF, LITTLE, MISSING, SEES, TURNED, verdict

ORDINARY = ProfileQuestion(
    name="ordinary",
    ability="perceives",
    question="Does it see what an ordinary picture shows?",
    effect="right answers about ordinary pictures",
    chance=None,
)
UNUSUAL = ProfileQuestion(
    name="usual",
    ability="recalls",
    question="Does it see what is unusual, or give the usual answer?",
    effect="right where the usual answer is right − where it is wrong",
    better="zero",
)

_SIGHTLESS = frozenset({CHANCE, LITTLE, TURNED})
"""Verdicts on models of which nobody can say what the usual answer does."""


def answers(result: Result) -> Mapping[str, ProfileAnswer]:
    """What a run says on ordinary pictures, and whether the usual answer pulls."""
    whole = verdict(result)
    found: dict[str, ProfileAnswer] = {}
    pull = find(result, "pull of the usual", {})
    if pull is not None:
        found[UNUSUAL.name] = ProfileAnswer(pull, _pulled(whole))
    ordinary, chance = (find(result, metric, {"variant": "ordinary"}) for metric in ("accuracy", "chance"))
    if ordinary is not None and chance is not None and chance.value is not None:
        missing = whole.name == MISSING
        conclusion = (
            Conclusion(OPEN, "Too many replies have no answer.", "open", whole.needs)
            if missing
            else _sight(BoundedFigure.of(ordinary), chance.value, whole.needs)
        )
        found[ORDINARY.name] = ProfileAnswer(ordinary, conclusion, 100 * chance.value)
    return found


def scores(evidence: Evidence) -> Mapping[str, QuestionScores]:
    """Right answers about ordinary pictures, and where the usual answer is right and where it is wrong."""
    rows = asked_rows(plain_replies(replies(evidence.outcomes()))[0])
    usual = pl.col("usual") == pl.col("label")
    return {
        ORDINARY.name: QuestionScores.of(rows, "right", {"ordinary": (pl.col("variant") == "ordinary", 1.0)}),
        UNUSUAL.name: QuestionScores.of(rows, "right", {"usual right": (usual, 1.0), "usual wrong": (~usual, -1.0)}),
    }


def _pulled(whole: RunVerdict) -> Conclusion:
    """What the usual answer does; nothing is said of one that sees too little."""
    if whole.name in _SIGHTLESS:
        return Conclusion(OPEN, "Cannot tell of one that sees too little.", "open", ("a model that sees the ordinary",))
    name = "sees the unusual" if whole.name == SEES else whole.name
    return Conclusion(name, whole.sentence, whole.tone, whole.needs)


def _sight(right: BoundedFigure | None, chance: float, needs: tuple[str, ...]) -> Conclusion:
    """What is seen of ordinary pictures, by the limits of the verdict on unusual ones."""
    half = chance + HALF * (1 - chance)
    if right is not None and right.low > half:
        return Conclusion("sees the ordinary", "Sees what ordinary pictures show.", "good")
    if right is not None and right.high < chance + 0.1:
        return Conclusion(CHANCE, "Is hardly right more often than a random choice.", "bad")
    if right is not None and right.low > chance and right.high < half:
        return Conclusion(LITTLE, "Beats chance, but by less than half of what chance leaves.", "bad")
    return Conclusion(OPEN, "Cannot tell yet how much it sees of ordinary pictures.", "open", needs or ("more units",))


EVALUATION = EvaluationPart(
    short="VIA-Bench",
    questions=(ORDINARY, UNUSUAL),
    answers=answers,
    scores=scores,
    designs=designs_of_sizes(
        EvaluationDesign(recipe="quick", repeats=1),
        demo=DEMO,
        quick=(3, "Names one that recalls, avoids, or sees the unusual; no category by itself."),
        standard=(10, "Also names categories in which the usual answer is given."),
        full=EvaluationDesign(recipe="balanced", decides="Five repeats of each question."),
    ),
    prototypes={
        "perceiver": ("simulated", {"sees": 0.95}),
        "recaller": ("simulated", {"mechanism": "recalls", "sees": 0.3}),
        "guesser": ("simulated", {"mechanism": "guesses"}),
    },
    standard=__package__,
)
