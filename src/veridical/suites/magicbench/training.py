"""Training prompts of MagicBench: a trick and its honest control under the same words, true, false or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from veridical.errors import InputError
from veridical.records import Chunk, Stimulus, Trial
from veridical.suite.nuisances import shuffle_items
from veridical.suite.training import TrainingItem, TrainingRecipe, asked_alike
from veridical.suites.magicbench.asking.trials import duration_of
from veridical.suites.magicbench.make import Performance
from veridical.suites.magicbench.options import MagicBenchOptions
from veridical.suites.magicbench.stimuli import HONEST, OWN, TRICK, Patter, PatterType
from veridical.suites.magicbench.tricks.trick import FAMILIES

_SAID: tuple[PatterType, ...] = ("lie", "truth", "misdirection", "silence")


def patter(stimuli: Sequence[Stimulus], trials: Sequence[Trial]) -> Iterator[TrainingItem]:
    """A trick and its honest control, in any order, probed alike under one patter, where the answers differ.

    What is said is the same over both, true of the one and false of the other: who believes it earns nothing. The kinds
    of patter take turns from probe to probe.
    """
    for pair in _pairs(stimuli, trials):
        yield TrainingItem(trials=pair, recalled=(_usual(pair),) * 2)


def probes(stimuli: Sequence[Stimulus], trials: Sequence[Trial]) -> Iterator[TrainingItem]:
    """The clips of these pairs one by one."""
    for pair in _pairs(stimuli, trials):
        for trial in pair:
            yield TrainingItem(trials=(trial,), recalled=(_usual(pair),))


def _pairs(stimuli: Sequence[Stimulus], trials: Sequence[Trial]) -> Iterator[tuple[Trial, ...]]:
    asked: dict[int, dict[str, list[Trial]]] = {}
    for trial in trials:
        asked.setdefault(trial.expects["probe"], {}).setdefault(trial.settings["patter"], []).append(trial)
    seed, unit = stimuli[0].seed, stimuli[0].unit
    kinds = shuffle_items(sorted({trial.settings["patter"] for trial in trials}), seed, unit)
    for place, by_patter in enumerate(asked.values()):
        said = kinds[place % len(kinds)]
        pair = by_patter.get(said, [])
        if len(pair) == 2 and asked_alike(pair):
            yield tuple(shuffle_items(pair, seed, f"{unit}/{said}/{place}"))


def _usual(pair: Sequence[Trial]) -> str:
    """The answer of one who believes what is shown off, and takes a trick for honest."""
    [honest] = [trial for trial in pair if trial.variant == HONEST]
    return str(honest.gold)


def foreign_words(stimuli: Sequence[Stimulus]) -> Sequence[Stimulus]:
    """The clips of a unit with one patter in place of their own: the lie over a trick of another family.

    The family is the first, in a random order, whose words fit into the clip; its unit has the same number and seed.
    """
    first = stimuli[0]
    made, index, duration = first.truth["made"]["options"], first.truth["made"]["index"], duration_of(first)
    options = MagicBenchOptions(**{**made, "tricks": None}).model_copy(update={"seed": first.seed})
    for family in shuffle_items(sorted({*FAMILIES} - {first.family}), first.seed, f"{first.unit}/foreign"):
        words = Performance(options, Chunk(family, index), painted=False).patter[TRICK]["lie"]
        if words["timeline"][-1][1] <= duration:
            own: Patter = {**words, "claims": []}
            return [replace(stimulus, truth={**stimulus.truth, "patter": {OWN: own}}) for stimulus in stimuli]
    raise InputError(f"{first.unit}: the words over no other trick fit into its clip; another seed may do")


def reply(stimulus: Stimulus, trial: Trial, answer: str) -> str:  # noqa: ARG001 (a recipe's reply takes all of them)
    """The option and its letter, in the form that the prompt asks for."""
    option = trial.expects["options"][ord(answer) - ord("A")]
    return f"In the clip, it is this: {option}\nAnswer: {answer}"


_ASKED = {
    "task": ("probe",),
    "stance": ("forensic",),
    "video": ("frames",),
    "frames": ("uniform-8",),
    "until": ("end",),
    "aid": ("none",),
}


def _recipe(note: str, items: Callable[..., Iterator[TrainingItem]], *said: PatterType) -> TrainingRecipe:
    """A recipe of two questions, asked under these kinds of patter."""
    settings = {**_ASKED, "patter": said}
    return TrainingRecipe(
        note=note,
        chance=0.5,
        items=items,
        settings=settings,
        answers="the letter of one option",
        words_above=True,
    )


TRAINING = {
    "patter": _recipe(
        "a trick and its honest control under the same words, or none; both answers to a probe are needed",
        patter,
        *_SAID,
    ),
    "silent": _recipe(
        "a trick and its honest control without a word; both answers to a probe are needed", patter, "silence"
    ),
    "mismatched": replace(
        _recipe(
            "a trick and its honest control under words about another trick; both answers to a probe are needed",
            patter,
            OWN,
        ),
        variation=foreign_words,
    ),
    "probes": replace(
        _recipe("clips of a trick and of its honest control one by one, under the same words or none", probes, *_SAID),
        reply=reply,
    ),
}
