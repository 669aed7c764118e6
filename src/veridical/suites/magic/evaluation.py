"""MagiC in an evaluation: does the reasoning rest on the right regions, and does the model correct mistakes?"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from veridical.suite.evaluation import (
    EvaluationDesign,
    EvaluationPart,
    ProfileAnswer,
    ProfileQuestion,
    designs_of_sizes,
)
from veridical.suite.evidence import Evidence
from veridical.suite.gains import ALL, QuestionScores
from veridical.suite.results import Result, find
from veridical.suite.rows import asked_rows
from veridical.suites.magic.analysis.accuracy import READER
from veridical.suites.magic.analysis.healing import OWN, verdicts
from veridical.suites.magic.analysis.magiscore import RANDOM
from veridical.suites.magic.analysis.rows import ALL_BOXES, plain_replies, replies
from veridical.suites.magic.analysis.verdict import verdict
from veridical.suites.magic.analysis.views import ACCURACY, MASKED
from veridical.suites.magic.asking.healing import HEAL_GRADE, PROMPTED, UNPROMPTED
from veridical.suites.magic.options import DEMO
from veridical.suites.magic.presentation.tables.healing import self_heal

FOCUS = ProfileQuestion(
    name="focus",
    ability="reasons",
    question="Does it reason about the regions that matter?",
    effect="share of the boxes it mentions that matter",
    chance=None,
)
MATTERS = ProfileQuestion(
    name="grounding",
    ability="reasons",
    question="Do its answers rest on what those regions show?",
    effect="right answers lost by covering the regions that matter − the others",
)
HEALS = ProfileQuestion(
    name="healing",
    ability="corrects",
    question="Does it correct mistakes in its reasoning, and nothing else?",
    effect="share of mistakes that it names and corrects",
)


def answers(result: Result) -> Mapping[str, ProfileAnswer]:
    """What a run says on focus, grounding and healing; healing as without a request, else as with one."""
    focus, matters, healing = verdict(result.evidence, result.estimates).parts
    covered = {"view": MASKED[0], "against": MASKED[1], "of": ACCURACY, "by": READER}
    drawn = find(result, "chance precision", {"chance": RANDOM})
    guessed = None if drawn is None or drawn.value is None else 100 * drawn.value
    found = {
        FOCUS.name: ProfileAnswer(find(result, "magiscore precision", {}), focus, guessed),
        MATTERS.name: ProfileAnswer(find(result, "view effect", covered), matters),
    }
    healed = (self_heal(result, correcting=correcting) for correcting in (UNPROMPTED, PROMPTED))
    heals = next((each for each in healed if each is not None and each.value is not None), None)
    if heals is not None:
        found[HEALS.name] = ProfileAnswer(heals, healing)
    return found


def scores(evidence: Evidence) -> Mapping[str, QuestionScores]:
    """The precision of focus, right answers with what matters covered and with the rest, and mistakes healed."""
    rows = asked_rows(replies(evidence.outcomes()))
    covered = plain_replies(rows, ("view",))[0].filter(pl.col("view").is_in(MASKED))
    both = covered.filter(pl.col("view").n_unique().over("stimulus", "repeat") == len(MASKED))
    views = {view: (pl.col("view") == view, weight) for view, weight in zip(MASKED, (1.0, -1.0), strict=True)}
    found = {
        FOCUS.name: QuestionScores.of(plain_replies(rows)[0].drop_nulls("tp"), "precision", {"boxes": (ALL, 1.0)}),
        MATTERS.name: QuestionScores.of(both, "right", views),
    }
    healed = _healed(evidence)
    if healed is not None:
        found[HEALS.name] = QuestionScores.of(healed, "value", {"mistakes": (ALL, 1.0)}, _STRETCH)
    return found


_STRETCH = ("stimulus", "prefix", "stretch", "repeat", "chain_by", "judge", "correcting")


def _healed(evidence: Evidence) -> pl.DataFrame | None:
    """The begun mistakes with what the first judge says of them, without a request to correct, else with one."""
    if not {HEAL_GRADE.about, HEAL_GRADE.name} <= set(evidence.stages):
        return None
    judge, rows = next(verdicts(evidence, HEAL_GRADE, "heals"), ("", None))
    if rows is None:
        return None
    begun = rows.filter((pl.col("injection") == "prefill") & (pl.col("prefix") != OWN))
    unasked = begun.filter(pl.col("correcting") == UNPROMPTED)
    return (begun if unasked.is_empty() else unasked).with_columns(judge=pl.lit(judge))


EVALUATION = EvaluationPart(
    short="MagiC",
    questions=(FOCUS, MATTERS, HEALS),
    answers=answers,
    scores=scores,
    designs=designs_of_sizes(
        EvaluationDesign(recipe="quick", settings={"view": (ALL_BOXES, *MASKED)}, judge="rule"),
        demo=DEMO,
        quick=(8, "Names wrong and right boxes, and a habit of correcting; no kind of mistake by itself."),
        standard=(20, "Also tells grounding from its absence in models that are often wrong."),
        full=EvaluationDesign(recipe="balanced", decides="All views and kinds of mistakes.", judge="rule"),
    ),
    prototypes={
        "perceiver": ("simulated", {"right": 0.95, "heals": 0.95}),
        "recaller": ("simulated", {"mechanism": "exhaustive", "heals": 0.0}),
        "guesser": ("simulated", {"mechanism": "distracted", "heals": 0.0}),
    },
    standard=__package__,
)
