"""What models differ by, question by question, from their runs: on the trials and repeats that two of them have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from veridical.errors import InputError
from veridical.report.profiles import ModelDifference, ModelProfile, QuestionDifference, holm_differences
from veridical.suite.evaluation import ABILITIES, Ability
from veridical.suite.evidence import Evidence
from veridical.suite.gains import NOTHING_COMMON, ScoreGain, paired_gain
from veridical.suite.results import are_people
from veridical.verbs.evaluation.choices import part_of
from veridical.verbs.results.comparison import OutcomeOverlap, common_outcomes, shared_trials
from veridical.verbs.results.result import RunResult

ALL_PAIRS = 4
"""Of so many models each pair is compared; of more, each with the first."""


def model_differences(
    models: Sequence[ModelProfile], runs: Mapping[str, Mapping[str, RunResult]], suites: Sequence[str]
) -> tuple[ModelDifference, ...]:
    """The differences of pairs of models, over what both were asked; p-values by Holm over a pair's questions.

    People are no model: they are compared with none.
    """
    own = [each for each in models if not are_people(each.name)]
    pairs = combinations(own, 2) if len(own) <= ALL_PAIRS else [(own[0], each) for each in own[1:]]
    return tuple(_difference(first, second, runs, suites) for first, second in pairs)


def _difference(
    first: ModelProfile, second: ModelProfile, runs: Mapping[str, Mapping[str, RunResult]], suites: Sequence[str]
) -> ModelDifference:
    found: list[tuple[Ability, QuestionDifference]] = []
    notes: list[str] = []
    for suite in suites:
        mine, theirs = (runs[each.name].get(suite) for each in (first, second))
        if mine is not None and theirs is not None:
            short = part_of(suite)[1].short
            gains, said = _gains(suite, mine, theirs)
            notes += [f"{short}: {note}" for note in said]
            found += _lines(suite, gains, (first, second))
    order = [*ABILITIES]
    found.sort(key=lambda each: order.index(each[0]))
    return ModelDifference(
        first=first.name, second=second.name, lines=holm_differences([line for _, line in found]), notes=tuple(notes)
    )


def _gains(suite: str, first: RunResult, second: RunResult) -> tuple[dict[str, ScoreGain], list[str]]:
    """The gains of the questions of a suite that both runs have scores on, and where the runs are not alike."""
    part = part_of(suite)[1]
    try:
        mine, theirs, overlaps = common_outcomes(first, second, shared_trials(first.run, second.run))
    except InputError:
        gains = {each.name: ScoreGain(reason=NOTHING_COMMON) for each in part.questions if not each.optional}
        return gains, ["other questions or pictures were asked of the two: nothing is compared"]
    a, b = (part.scores(each) for each in (mine, theirs))
    both = [each for each in part.questions if each.name in a and each.name in b]
    gains = {each.name: paired_gain(a[each.name], b[each.name], each.better) for each in both}
    return gains, list(_unlike(overlaps, mine, theirs))


def _unlike(overlaps: Sequence[OutcomeOverlap], *evidence: Evidence) -> Iterator[str]:
    """Where two runs were not asked the same, and what they have in common."""
    first = overlaps[0]
    if not first.whole:
        units = evidence[0].outcomes()["unit"].n_unique()
        yield f"{first}; these are of {units:,} units"
    repeats = [each.outcomes()["repeat"].n_unique() for each in evidence]
    if repeats[0] != repeats[1]:
        yield f"compared over the repeats that both runs have, {min(repeats)} of {max(repeats)}"


def _lines(
    suite: str, gains: Mapping[str, ScoreGain], models: tuple[ModelProfile, ModelProfile]
) -> Iterator[tuple[Ability, QuestionDifference]]:
    part = part_of(suite)[1]
    for question in part.questions:
        if question.name in gains:
            low_is_good = question.better != "higher"
            unproven = [low_is_good and not _decided(each, suite, question.name) for each in models]
            yield (
                question.ability,
                QuestionDifference(
                    suite=suite,
                    short=part.short,
                    name=question.name,
                    question=question.question,
                    gain=gains[question.name],
                    unproven=(unproven[0], unproven[1]),
                ),
            )


def _decided(model: ModelProfile, suite: str, question: str) -> bool:
    """Whether a model has a verdict on a question."""
    return any(
        each.suite.name == suite and each.question.name == question and each.conclusion.tone != "open"
        for each in model.lines
    )
