"""Training prompts of HOCA-Bench: a clip that breaks a law beside one that does not, of one scene."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.records import Stimulus, Trial
from veridical.suite.nuisances import shuffle_items
from veridical.suite.training import TrainingItem, TrainingRecipe, asked_alike
from veridical.suites.hocabench.asking.readers import PLAUSIBILITY


def laws(stimuli: Sequence[Stimulus], trials: Sequence[Trial]) -> Iterator[TrainingItem]:
    """The violating clip with the plausible one, and with the explained one where there is one.

    It comes first in one pair and second in the other. Who recalls how such a scene goes takes each of them for
    possible.
    """
    asked = {trial.variant: trial for trial in trials}
    orders = shuffle_items([True, False], stimuli[0].seed, stimuli[0].unit)
    for variant, violating_first in zip(("plausible", "explained"), orders, strict=True):
        if variant in asked and asked_alike([asked["violating"], asked[variant]]):
            pair = (asked["violating"], asked[variant])
            yield TrainingItem(trials=pair if violating_first else pair[::-1], recalled=("Yes", "Yes"))


def clips(stimuli: Sequence[Stimulus], trials: Sequence[Trial]) -> Iterator[TrainingItem]:
    """The violating clip and one that breaks no law, each by itself: explained in about half of the units that can."""
    asked = {trial.variant: trial for trial in trials}
    order = shuffle_items(["plausible", "explained"], stimuli[0].seed, f"{stimuli[0].unit}/control")
    control = next((asked[variant] for variant in order if variant in asked), None)
    if control is not None and asked_alike([asked["violating"], control]):
        for trial in shuffle_items([asked["violating"], control], stimuli[0].seed, f"{stimuli[0].unit}/clips"):
            yield TrainingItem(trials=(trial,), recalled=("Yes",))


def reply(stimulus: Stimulus, trial: Trial, answer: str) -> str:  # noqa: ARG001 (a recipe's reply takes all of them)
    """The one word that the prompt asks for."""
    return answer


_ASKED = {"task": (PLAUSIBILITY,), "frames": ("uniform-8",), "until": ("end",)}
_VALUES = {"panels": 0, "sequences": 0}

TRAINING = {
    "laws": TrainingRecipe(
        note="two clips of one scene, of which exactly one breaks a law; both answers are needed",
        chance=0.5,
        items=laws,
        values=_VALUES,
        settings=_ASKED,
        answers="Yes or No",
        words_above=True,
    ),
    "clips": TrainingRecipe(
        note="clips one by one, half of which break a law; of the others some look odd and show their cause",
        chance=0.5,
        items=clips,
        reply=reply,
        values=_VALUES,
        settings=_ASKED,
    ),
}
