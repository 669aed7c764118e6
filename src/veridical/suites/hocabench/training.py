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


TRAINING = {
    "laws": TrainingRecipe(
        note="two clips of one scene, of which exactly one breaks a law; both answers are needed",
        chance=0.5,
        items=laws,
        values={"panels": 0, "sequences": 0},
        settings={"task": (PLAUSIBILITY,), "frames": ("uniform-8",), "until": ("end",)},
        answers="Yes or No",
        words_above=True,
    )
}
