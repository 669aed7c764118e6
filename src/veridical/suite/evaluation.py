"""What a suite adds to the page that joins suites: its questions in plain words, and what an evaluation asks of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, get_args

from veridical.errors import InputError
from veridical.records import POINTS, Estimate, Json
from veridical.suite.conclusions import Conclusion
from veridical.suite.evidence import Evidence
from veridical.suite.gains import Better, QuestionScores
from veridical.suite.results import Result

Ability = Literal["perceives", "recalls", "believes", "reasons", "corrects"]

ABILITIES: Mapping[Ability, str] = {
    "perceives": "Does it see what is there?",
    "recalls": "Does it see against memory, or give the usual answer?",
    "believes": "Does it see for itself, or repeat what it is told?",
    "reasons": "Does it know what cannot be, and rest its reasons on what it sees?",
    "corrects": "Does it correct mistakes, and nothing else?",
}
"""What a profile asks of a model, in the order of its page."""


class AbilityWords(NamedTuple):
    """What is said of a model whose questions on an ability are decided for it, against it, or some each way.

    `label` is the ability as something good of a model.
    """

    label: str
    good: str
    bad: str
    mixed: str


ABILITY_WORDS: Mapping[Ability, AbilityWords] = {
    "perceives": AbilityWords(
        "sees what is there", "sees what is there", "does not see what is there", "sees a part of what is there"
    ),
    "recalls": AbilityWords(
        "sees past memory", "sees past memory", "gives the usual answer", "gives the usual answer now and then"
    ),
    "believes": AbilityWords(
        "sees past words", "sees past words", "believes what it is told", "believes some of what it is told"
    ),
    "reasons": AbilityWords(
        "reasons from sight",
        "reasons from what it sees",
        "does not reason from what it sees",
        "reasons in part from what it sees",
    ),
    "corrects": AbilityWords(
        "corrects itself", "corrects its mistakes", "does not correct its mistakes", "corrects a part of its mistakes"
    ),
}

RecipeName = Literal["demo", "quick", "standard", "full"]

PROTOTYPES: Mapping[str, str] = {
    "perceiver": "sees what is there, with a lapse now and then",
    "recaller": "sees what is usual, gives the usual answer otherwise, and repeats what it is told",
    "guesser": "sees nothing, and guesses",
}
"""Embedded observers of known mechanism that an evaluation can ask in every suite, as `veridical/NAME`."""

OPEN = "undetermined"
"""The verdict on a question of which nothing is known."""


@dataclass(frozen=True, kw_only=True)
class ProfileQuestion:
    """A question that a suite answers about a model, in plain words.

    `name` identifies it within the suite. `effect` says what is measured, on a scale of points from −100 to 100, and
    `chance` what one that does not look, or is not moved, comes to (`None`: it differs from set to set). `better` says
    which effects are good: high ones, low ones, or those near 0. One that is `optional` is left out of the profile of a
    model that was not asked in the way that it takes.
    """

    name: str
    ability: Ability
    question: str
    effect: str
    better: Better = "higher"
    chance: float | None = 0.0
    optional: bool = False


class ProfileAnswer(NamedTuple):
    """What a run says on a question: the effect, if it has one, what is concluded, and the run's own chance."""

    effect: Estimate | None
    conclusion: Conclusion
    chance: float | None = None


@dataclass(frozen=True, kw_only=True)
class EncodedTarget:
    """What a local model's states are asked for, if they were read: a target that its answers may not follow.

    `question` names the question on it among those of the profile. `target` is a column of states; `groups` has the
    levels of `variant` that make a group each, and the question is on the first. `unused` and `used` name, by other
    questions, the verdicts that its answers do not follow the target there, or that they do.
    """

    question: str
    target: str
    groups: tuple[tuple[str, ...], ...]
    unused: Mapping[str, frozenset[str]]
    used: Mapping[str, frozenset[str]]


@dataclass(frozen=True, kw_only=True)
class EvaluationDesign:
    """What an evaluation draws and asks of a suite.

    A recipe of the suite's own, with other `values` of its options, `settings`, and `repeats` of each trial; `judge`
    is who marks where the user names nobody (`None`: nothing is marked). `decides` says in a sentence what so many
    units can decide and what they cannot.
    """

    recipe: str
    decides: str = ""
    values: Mapping[str, Json] = field(default_factory=dict)
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    repeats: int | None = None
    judge: str | None = None


def designs_of_sizes(
    asked: EvaluationDesign,
    *,
    demo: Mapping[str, Json],
    quick: tuple[int, str],
    standard: tuple[int, str],
    full: EvaluationDesign,
) -> Mapping[RecipeName, EvaluationDesign]:
    """The designs of a suite that asks the same of few units and of many.

    `asked` is what is drawn and asked; `quick` and `standard` have the units of a family, and what these decide. The
    sets of `demo` are those of the suite's demonstration.
    """
    few, many = (
        replace(asked, values={**asked.values, "units": units}, decides=decides) for units, decides in (quick, standard)
    )
    shown = replace(asked, recipe=full.recipe, values=demo, decides="Enough for observers that hardly lapse.")
    return {"demo": shown, "quick": few, "standard": many, "full": full}


@dataclass(frozen=True, kw_only=True, repr=False)
class EvaluationPart:
    """What a suite adds to an evaluation: its questions, how a run answers them, and the design of each recipe.

    `answers` gives the answers by the names of the questions; one that is left out was not asked. `scores` gives the
    scores that their effects are made of, so that two models can be compared. `short` is the
    suite's name as a page shows it, and `prototypes` has what the embedded observers of `PROTOTYPES` are in it: the
    name of one of its own, and its arguments. `standard` is the package whose `standard.json` has the hashes of the
    suite's standard set: the design `standard` with seed 0, whose first units are the design `quick`. `graded_settings`
    are levels of settings with which replies have probabilities of answers, beside the usual ones, `encoded` is what
    states of local models are read for. Raises ValueError where a question stands twice, or one of the recipes or
    prototypes is missing.
    """

    short: str
    questions: tuple[ProfileQuestion, ...]
    answers: Callable[[Result], Mapping[str, ProfileAnswer]]
    scores: Callable[[Evidence], Mapping[str, QuestionScores]]
    designs: Mapping[RecipeName, EvaluationDesign]
    prototypes: Mapping[str, tuple[str, Mapping[str, Json]]]
    standard: str | None = None
    graded_settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    encoded: EncodedTarget | None = None

    def __post_init__(self) -> None:
        names = [each.name for each in self.questions]
        if len(set(names)) < len(names):
            raise ValueError(f"a question stands twice: {', '.join(names)}")
        missing = {*get_args(RecipeName), *PROTOTYPES} - {*self.designs, *self.prototypes}
        if missing:
            raise ValueError(f"no design, or no observer, for {', '.join(sorted(missing))}")

    def __repr__(self) -> str:
        return f"<EvaluationPart {self.short}: {len(self.questions)} questions>"


def scale_points(estimate: Estimate, value: float | None) -> float | None:
    """A value of an estimate on the scale of points, from −100 to 100.

    Raises `InputError` for a unit that is neither points nor bounded by 1.
    """
    if value is None or estimate.unit == POINTS:
        return value
    if estimate.unit.high != 1.0:
        raise InputError(f"{estimate.metric} is measured in {estimate.unit}, which has no place on a scale of points")
    return 100.0 * value
