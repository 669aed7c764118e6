"""HOCA-Bench in an evaluation: does the model know what cannot be, and accept what has a visible cause?"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from veridical.suite.conclusions import BoundedFigure, Conclusion
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
from veridical.suites.hocabench.analysis.plausibility import explained_pairs
from veridical.suites.hocabench.analysis.rows import EXPLAINED_CONTROL, plain_replies, replies
from veridical.suites.hocabench.analysis.verdict import ODDNESS, verdict
from veridical.suites.hocabench.asking.readers import DESCRIPTION, PLAUSIBILITY
from veridical.suites.hocabench.options import DEMO
from veridical.suites.hocabench.stimuli import PLAUSIBLE, VIOLATING

NOTICES = ProfileQuestion(
    name="impossible",
    ability="reasons",
    question="Does it notice what cannot be?",
    effect="calls clips implausible in which something cannot be − their plausible controls",
)
ACCEPTS = ProfileQuestion(
    name="explained",
    ability="reasons",
    question="Does it accept what looks odd and has a visible cause?",
    effect="calls explained clips implausible − plausible ones",
    better="lower",
)
_NEAR = 0.3
"""The alarm below which explained clips are accepted, as in the verdict."""


_ASKED = {"task": (PLAUSIBILITY, DESCRIPTION)}


def answers(result: Result) -> Mapping[str, ProfileAnswer]:
    """What a run says on both questions; the second is of clips with a visible cause alone."""
    whole = verdict(result.evidence)
    noticed, alarm = (find(result, metric, {}) for metric in ("notices the impossible", "alarm at the explained"))
    found = {NOTICES.name: ProfileAnswer(noticed, Conclusion(whole.name, whole.sentence, whole.tone, whole.needs))}
    if alarm is not None:
        found[ACCEPTS.name] = ProfileAnswer(alarm, _acceptance(BoundedFigure.of(alarm), BoundedFigure.of(noticed)))
    return found


def scores(evidence: Evidence) -> Mapping[str, QuestionScores]:
    """Calls of "implausible" among answers: of violating, explained and plausible clips."""
    rows = asked_rows(plain_replies(replies(evidence.outcomes()), PLAUSIBILITY)[0])
    violating, explained, plausible = (pl.col("variant") == name for name in (VIOLATING, EXPLAINED_CONTROL, PLAUSIBLE))
    noticed, alarm = {VIOLATING: (violating, 1.0)}, {EXPLAINED_CONTROL: (explained, 1.0)}
    controls = {PLAUSIBLE: (plausible, -1.0)}
    return {
        NOTICES.name: QuestionScores.of(rows, "implausible", noticed | controls),
        ACCEPTS.name: QuestionScores.of(explained_pairs(rows), "implausible", alarm | controls),
    }


def _acceptance(alarm: BoundedFigure | None, noticed: BoundedFigure | None) -> Conclusion:
    """Whether explained clips are accepted, of a model that notices anything."""
    if alarm is None or noticed is None or noticed.low <= 0:
        wanted = "a model that notices what cannot be"
        return Conclusion(OPEN, "Cannot tell of one that is not shown to notice anything.", "open", (wanted,))
    if alarm.low > _NEAR - 0.1:
        return Conclusion(ODDNESS, "Calls odd clips implausible even where a visible cause explains them.", "bad")
    if alarm.high < _NEAR:
        return Conclusion("accepts causes", "Accepts odd clips that have a visible cause.", "good")
    return Conclusion(OPEN, "Cannot tell yet whether it accepts what has a visible cause.", "open", ("more units",))


EVALUATION = EvaluationPart(
    short="HOCA-Bench",
    questions=(NOTICES, ACCEPTS),
    answers=answers,
    scores=scores,
    designs=designs_of_sizes(
        EvaluationDesign(recipe="quick", values={"panels": 0, "sequences": 0}, settings=_ASKED),
        demo=DEMO,
        quick=(3, "Names one that sees both layers, or calls everything odd or possible; no single sub-type."),
        standard=(10, "Also names a gap between things and events, and half sight."),
        full=EvaluationDesign(recipe="balanced", decides="All tasks, explanations and intervals among them."),
    ),
    prototypes={
        "perceiver": ("simulated", {"ontological": 0.95, "causal": 0.95}),
        "recaller": ("simulated", {"mechanism": "lag"}),
        "guesser": (
            "simulated",
            {"mechanism": "credulous", "alarms": 0.5, "alarms_explained": 0.5, "ontological": 0.5, "causal": 0.5},
        ),
    },
    standard=__package__,
)
