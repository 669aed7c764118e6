"""MagiC in an evaluation: does the reasoning rest on the right regions, and does the model correct mistakes?"""

from __future__ import annotations

from collections.abc import Mapping

from veridical.suite.evaluation import EvaluationDesign, EvaluationPart, ProfileAnswer, ProfileQuestion
from veridical.suite.results import Result, find
from veridical.suites.magic.analysis.accuracy import READER
from veridical.suites.magic.analysis.magiscore import RANDOM
from veridical.suites.magic.analysis.rows import ALL_BOXES
from veridical.suites.magic.analysis.verdict import verdict
from veridical.suites.magic.analysis.views import ACCURACY, MASKED
from veridical.suites.magic.asking.healing import PROMPTED, UNPROMPTED
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


def _design(units: int, decides: str) -> EvaluationDesign:
    return EvaluationDesign(
        recipe="quick",
        decides=decides,
        values={"units": units},
        settings={"view": (ALL_BOXES, *MASKED)},
        judge="rule",
    )


EVALUATION = EvaluationPart(
    short="MagiC",
    questions=(FOCUS, MATTERS, HEALS),
    answers=answers,
    designs={
        "demo": EvaluationDesign(
            recipe="balanced",
            decides="Enough for observers that hardly lapse.",
            values=DEMO,
            settings={"view": (ALL_BOXES, *MASKED)},
            judge="rule",
        ),
        "quick": _design(8, "Names wrong and right boxes, and a habit of correcting; no kind of mistake by itself."),
        "standard": _design(20, "Also tells grounding from its absence in models that are often wrong."),
        "full": EvaluationDesign(recipe="balanced", decides="All views and kinds of mistakes.", judge="rule"),
    },
    prototypes={
        "perceiver": ("simulated", {"right": 0.95, "heals": 0.95}),
        "recaller": ("simulated", {"mechanism": "exhaustive", "heals": 0.0}),
        "guesser": ("simulated", {"mechanism": "distracted", "heals": 0.0}),
    },
)
