"""Training prompts of VI-Probe: changed and unchanged figures beside their controls, and one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from veridical.records import Stimulus, Trial
from veridical.suite.nuisances import shuffle_items
from veridical.suite.training import TrainingItem, TrainingRecipe

_PICTURES = ("O", "P", "OC", "PC")
_FIGURES = frozenset({"O", "P"})


def controls(stimuli: Sequence[Stimulus], trials: Sequence[Trial]) -> Iterator[TrainingItem]:
    """A figure and its control, asked alike, of which exactly one is changed: saying the same of both earns nothing.

    How often the changed one comes first, and how the question is put, are balanced within a unit.
    """
    asked = {(trial.stimulus, trial.settings["polarity"]): trial for trial in trials}
    pictures = _by_strength(stimuli)
    alphas = sorted({alpha for _, alpha in pictures if alpha})
    ways = shuffle_items(list(product((True, False), ("forward", "reversed"))), stimuli[0].seed, stimuli[0].unit)
    pairs = [(("P", alpha), ("OC", 0.0)) for alpha in alphas] + [(("O", 0.0), ("PC", alpha)) for alpha in alphas]
    items = []
    for place, (figure, control) in enumerate(pairs):
        changed_first, polarity = ways[place % len(ways)]
        pair = sorted((figure, control), key=lambda picture: (picture[1] == 0) == changed_first)
        items.append(_item([asked[pictures[picture].id, polarity] for picture in pair]))
    yield from shuffle_items(items, stimuli[0].seed, f"{stimuli[0].unit}/items")


def figures(stimuli: Sequence[Stimulus], trials: Sequence[Trial]) -> Iterator[TrainingItem]:
    """The figure and its control, changed and unchanged, one by one in the suite's own words."""
    unit, seed = stimuli[0].unit, stimuli[0].seed
    asked = {(trial.stimulus, trial.settings["polarity"]): trial for trial in trials}
    pictures = _by_strength(stimuli)
    low, high = shuffle_items(sorted({alpha for _, alpha in pictures if alpha}), seed, f"{unit}/strengths")
    first, second = shuffle_items(["forward", "reversed"], seed, f"{unit}/polarities")
    chosen = [("O", 0.0, first), ("P", low, first), ("OC", 0.0, second), ("PC", high, second)]
    for variant, alpha, polarity in shuffle_items(chosen, seed, f"{unit}/items"):
        yield _item([asked[pictures[variant, alpha].id, polarity]])


def _by_strength(stimuli: Sequence[Stimulus]) -> Mapping[tuple[str, float], Stimulus]:
    return {(each.variant, each.factors["alpha"]): each for each in stimuli}


def _item(trials: Sequence[Trial]) -> TrainingItem:
    """One who recalls answers of the figure what is known of it, and sees its control."""
    recalled = (
        trial.factors["answer_if_unchanged"] if trial.variant in _FIGURES else str(trial.gold) for trial in trials
    )
    return TrainingItem(trials=tuple(trials), recalled=tuple(recalled))


def reply(stimulus: Stimulus, trial: Trial, answer: str) -> str:
    """A reply that states what is so in the picture, and the answer that follows from it."""
    verb = "are" if answer == trial.factors["answer_if_unchanged"] else "are not"
    state = stimulus.truth["state"]
    return f"<reasons>In this picture the targets {verb} {state}.</reasons>\n<answer>{answer}</answer>"


_ASKED = {"task": ("yes-no",), "instruction": ("none",), "sight": ("shown",)}

TRAINING = {
    "controls": TrainingRecipe(
        note="a figure and its control, of which exactly one is changed; both answers are needed",
        chance=0.5,
        items=controls,
        reply=reply,
        values={"variants": _PICTURES, "alphas": (-1.0, -0.6, -0.3, 0.3, 0.6, 1.0)},
        settings=_ASKED,
        answers="1 for yes or 0 for no",
    ),
    "figures": TrainingRecipe(
        note="changed and unchanged figures and controls one by one, half of each changed",
        chance=0.5,
        items=figures,
        reply=reply,
        values={"variants": _PICTURES, "alphas": (-0.4, 0.4)},
        settings=_ASKED,
    ),
}
