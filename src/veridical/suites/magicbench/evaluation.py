"""MagicBench in an evaluation: does the model see the trick, and does it go by what it is told?"""

from __future__ import annotations

from collections.abc import Mapping

from veridical.suite.conclusions import Conclusion
from veridical.suite.evaluation import OPEN, EvaluationDesign, EvaluationPart, ProfileAnswer, ProfileQuestion
from veridical.suite.results import Result, find
from veridical.suites.magicbench.analysis.changes import KINDS
from veridical.suites.magicbench.analysis.verdict import LIE, SILENCE, UNMOVED, verdict
from veridical.suites.magicbench.asking.cells import FORENSIC, PROBE, VISION_ONLY
from veridical.suites.magicbench.options import DEMO

TRICK = ProfileQuestion(
    name="trick",
    ability="perceives",
    question="Does it tell a magic trick from its honest control?",
    effect="right on tricks + right on their controls − 100, without words",
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
    found = {TRICK.name: ProfileAnswer(apart, sight._replace(name="sees the trick") if seen else sight)}
    for question, kind, words in ((LIED, LIE, "a lie"), (SILENT, SILENCE, "silence")):
        change = find(result, "change of told apart", {"words": kind, "against": VISION_ONLY})
        if change is not None:
            found[question.name] = ProfileAnswer(change, _under(by_words[kind], words, seen=seen))
    return found


def _under(conclusion: Conclusion, words: str, *, seen: bool) -> Conclusion:
    """What words do to sight; nothing is said of one that sees nothing without them."""
    if conclusion.name != UNMOVED:
        return conclusion
    if seen:
        return conclusion._replace(name=f"{UNMOVED} by {words}")
    return Conclusion(OPEN, "Cannot tell of one that is not shown to see.", "open", ("a model that sees the trick",))


def _design(units: int, decides: str) -> EvaluationDesign:
    return EvaluationDesign(
        recipe="quick",
        decides=decides,
        values={"units": units, "height": 240, "rate": 12},
        settings=_ASKED,
    )


EVALUATION = EvaluationPart(
    short="MagicBench",
    questions=(TRICK, LIED, SILENT),
    answers=answers,
    designs={
        "demo": EvaluationDesign(
            recipe="balanced",
            decides="Enough for observers that hardly lapse.",
            values=DEMO,
            settings=_ASKED,
        ),
        "quick": _design(10, "Names one that believes a lie, or sees little; no effect of words below 15 points."),
        "standard": _design(30, "Also names one that sees for itself with lapses in one of ten replies."),
        "full": EvaluationDesign(
            recipe="balanced",
            decides="All words and stances, explanations too, which a judge by rule marks where nobody is named.",
            judge="rule",
        ),
    },
    prototypes={
        "perceiver": ("simulated", {"sees": 0.95}),
        "recaller": ("simulated", {"mechanism": "believer", "sees": 0.9}),
        "guesser": ("simulated", {"sees": 0.25}),
    },
    standard=__package__,
)
