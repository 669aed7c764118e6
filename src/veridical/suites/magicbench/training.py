"""Training prompts of MagicBench: a trick and its honest control under the same words, true, false or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.records import Stimulus, Trial
from veridical.suite.nuisances import shuffle_items
from veridical.suite.training import TrainingItem, TrainingRecipe, asked_alike
from veridical.suites.magicbench.stimuli import HONEST

_SAID = ("lie", "truth", "misdirection", "silence")


def patter(stimuli: Sequence[Stimulus], trials: Sequence[Trial]) -> Iterator[TrainingItem]:
    """A trick and its honest control, in any order, probed alike under one patter, where the answers differ.

    What is said is the same over both, true of the one and false of the other: who believes it earns nothing. The kinds
    of patter take turns from probe to probe.
    """
    asked: dict[int, dict[str, list[Trial]]] = {}
    for trial in trials:
        asked.setdefault(trial.expects["probe"], {}).setdefault(trial.settings["patter"], []).append(trial)
    kinds = shuffle_items(sorted(_SAID), stimuli[0].seed, stimuli[0].unit)
    for place, by_patter in enumerate(asked.values()):
        said = kinds[place % len(kinds)]
        pair = by_patter.get(said, [])
        if len(pair) == 2 and asked_alike(pair):
            [honest] = [trial for trial in pair if trial.variant == HONEST]
            order = shuffle_items(pair, stimuli[0].seed, f"{stimuli[0].unit}/{said}/{place}")
            # Who believes what is shown off takes a trick for honest.
            yield TrainingItem(trials=tuple(order), recalled=(str(honest.gold),) * 2)


TRAINING = {
    "patter": TrainingRecipe(
        note="a trick and its honest control under the same words, or none; both answers to a probe are needed",
        chance=0.5,
        items=patter,
        settings={
            "task": ("probe",),
            "stance": ("forensic",),
            "patter": _SAID,
            "video": ("frames",),
            "frames": ("uniform-8",),
            "until": ("end",),
            "aid": ("none",),
        },
        answers="the letter of one option",
        words_above=True,
    )
}
