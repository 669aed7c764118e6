"""Training prompts of VIA-Bench: what is usual and what is not, of one puzzle, asked in the same words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from veridical.records import Stimulus, Trial
from veridical.suite.nuisances import shuffle_items
from veridical.suite.training import TrainingItem, TrainingRecipe, asked_alike
from veridical.suites.viabench.asking.trials import letter


def counterparts(stimuli: Sequence[Stimulus], trials: Sequence[Trial]) -> Iterator[TrainingItem]:
    """Pictures of a unit two by two, in any order, whose answers differ: the same answer for both earns nothing.

    An illusion's pictures are paired among themselves, as are those without what deceives; of an anomaly, of which
    each answer has one picture, the ordinary one is among the others.
    """
    by_id = {stimulus.id: stimulus for stimulus in stimuli}
    for pair in _pairs(stimuli, trials):
        yield TrainingItem(trials=pair, recalled=tuple(_usual(by_id[trial.stimulus], trial) for trial in pair))


def pictures(stimuli: Sequence[Stimulus], trials: Sequence[Trial]) -> Iterator[TrainingItem]:
    """The pictures of these pairs one by one, so that no answer is the right one more often than another."""
    by_id = {stimulus.id: stimulus for stimulus in stimuli}
    for pair in _pairs(stimuli, trials):
        for trial in pair:
            yield TrainingItem(trials=(trial,), recalled=(_usual(by_id[trial.stimulus], trial),))


def _pairs(stimuli: Sequence[Stimulus], trials: Sequence[Trial]) -> Iterator[tuple[Trial, Trial]]:
    once = len({trial.gold for trial in trials}) == len(trials)
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        groups.setdefault("" if once else trial.variant, []).append(trial)
    for name, group in sorted(groups.items()):
        order = shuffle_items(sorted(group, key=lambda trial: trial.id), stimuli[0].seed, f"{stimuli[0].unit}/{name}")
        for pair in list(pairwise(order))[::2]:
            if asked_alike(pair):
                yield pair


def _usual(stimulus: Stimulus, trial: Trial) -> str:
    """The letter of the usual answer where what is shown is unusual, else that of the true one."""
    usual = stimulus.factors.get("usual") if stimulus.variant == "unusual" else None
    return letter(trial.expects["options"], usual) or str(trial.gold)


def reply(stimulus: Stimulus, trial: Trial, answer: str) -> str:  # noqa: ARG001 (a recipe's reply takes both)
    """The option and its letter, in the form that the prompt asks for."""
    option = trial.expects["options"][ord(answer) - ord("A")]
    return f"What is shown fits this option: {option}\nAnswer: [{answer}]"


_ASKED = {"cot": ("none",), "sight": ("shown",), "answer_form": ("choice",)}

TRAINING = {
    "counterparts": TrainingRecipe(
        note="two pictures of one puzzle, asked alike, whose answers differ; both are needed",
        chance=0.252,
        items=counterparts,
        settings=_ASKED,
        answers="the letter of one option",
    ),
    "pictures": TrainingRecipe(
        note="pictures of one puzzle one by one, with different answers to one question",
        chance=0.385,
        items=pictures,
        reply=reply,
        settings=_ASKED,
    ),
}
