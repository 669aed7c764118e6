"""MagicBench in an evaluation: does the model see the trick, and does it go by what it is told?"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from veridical.suite.conclusions import Conclusion
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
from veridical.suites.magicbench.analysis.changes import KINDS
from veridical.suites.magicbench.analysis.probes import probe_replies
from veridical.suites.magicbench.analysis.rows import replies
from veridical.suites.magicbench.analysis.verdict import LIE, SILENCE, UNMOVED, verdict
from veridical.suites.magicbench.asking.cells import FORENSIC, PROBE, VISION_ONLY
from veridical.suites.magicbench.options import DEMO
from veridical.suites.magicbench.stimuli import HONEST, TRICK

TOLD_APART = ProfileQuestion(
    name="trick",
    ability="perceives",
    question="Does it tell a magic trick from its honest control?",
    effect="right on tricks + right on their controls − 100, without words; 0 or less if it does not look",
)
LIED = ProfileQuestion(
    name="lie",
    ability="believes",
    question="Does it see as much when the magician lies?",
    effect="the same with a lie − without words",
    better="zero",
)
SILENT = ProfileQuestion(
    name="silence",
    ability="believes",
    question="Does it see as much when nobody speaks?",
    effect="the same with an empty transcript − without any",
    better="zero",
)


_ASKED = {"task": (PROBE,), "stance": (VISION_ONLY, FORENSIC), "patter": (LIE, SILENCE)}


def answers(result: Result) -> Mapping[str, ProfileAnswer]:
    """What a run says on sight, on a lie and on silence; what was not asked is left out."""
    sight, *kinds, _ = verdict(result.evidence, result.estimates).parts
    seen = sight.tone == "good"
    by_words = dict(zip(KINDS, kinds, strict=True))
    apart = find(result, "told apart", {"under": VISION_ONLY})
    found = {TOLD_APART.name: ProfileAnswer(apart, sight._replace(name="sees the trick") if seen else sight)}
    for question, kind, words in ((LIED, LIE, "a lie"), (SILENT, SILENCE, "silence")):
        change = find(result, "change of told apart", {"words": kind, "against": VISION_ONLY})
        if change is not None:
            found[question.name] = ProfileAnswer(change, _under(by_words[kind], words, seen=seen))
    return found


def scores(evidence: Evidence) -> Mapping[str, QuestionScores]:
    """Right answers to the probes that tell tricks from controls, without words, with a lie, and in silence."""
    probes = asked_rows(probe_replies(replies(evidence.outcomes()))[0])
    rows = probes.filter(pl.col("decides"))
    plain = _cells(VISION_ONLY, 1.0)
    found = {TOLD_APART.name: QuestionScores.of(rows, "right", plain)}
    for question, kind in ((LIED, LIE), (SILENT, SILENCE)):
        found[question.name] = QuestionScores.of(rows, "right", _cells(kind, 1.0) | _cells(VISION_ONLY, -1.0))
    return found


def _cells(under: str, weight: float) -> dict[str, tuple[pl.Expr, float]]:
    """Tricks and controls under some words."""
    words = pl.col("under") == under
    return {f"{name}, {under}": (words & (pl.col("variant") == name), weight) for name in (TRICK, HONEST)}


def _under(conclusion: Conclusion, words: str, *, seen: bool) -> Conclusion:
    """What words do to sight; nothing is said of one that sees nothing without them."""
    if conclusion.name != UNMOVED:
        return conclusion
    if seen:
        return conclusion._replace(name=f"{UNMOVED} by {words}")
    return Conclusion(OPEN, "Cannot tell of one that is not shown to see.", "open", ("a model that sees the trick",))


EVALUATION = EvaluationPart(
    short="MagicBench",
    questions=(TOLD_APART, LIED, SILENT),
    answers=answers,
    scores=scores,
    designs=designs_of_sizes(
        EvaluationDesign(recipe="quick", values={"height": 240, "rate": 12}, settings=_ASKED),
        demo=DEMO,
        quick=(10, "Names one that believes a lie, or sees little; no effect of words below 15 points."),
        standard=(30, "Also names one that sees for itself with lapses in one of ten replies."),
        full=EvaluationDesign(
            recipe="balanced",
            decides="All words and stances, explanations too, which a judge by rule marks where nobody is named.",
            judge="rule",
        ),
    ),
    prototypes={
        "perceiver": ("simulated", {"sees": 0.95}),
        "recaller": ("simulated", {"mechanism": "believer", "sees": 0.9}),
        "guesser": ("simulated", {"sees": 0.25}),
    },
    standard=__package__,
)
