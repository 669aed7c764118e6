"""Training prompts of MagiC: questions about marked scenes, with rationales of right steps, and mistakes to correct."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

from veridical.records import Message, Stimulus, Text, Trial
from veridical.suite.nuisances import shuffle_items
from veridical.suite.prompts import Prompt
from veridical.suite.training import TrainingItem, TrainingRecipe, shown_media
from veridical.suites.magic.asking.healing import CORRECTING, QUOTED, begun_words, heal_prompts
from veridical.suites.magic.healing.consequences import TwinStep, twin_steps
from veridical.suites.magic.stimuli import Step, StepClaim

_MISTAKEN, _RIGHT = "mistaken", "right"
_FOLLOWS = "It follows that the answer is {}."


def rationales(stimuli: Sequence[Stimulus], trials: Sequence[Trial]) -> Iterator[TrainingItem]:
    """Each question by itself. Who recalls takes a mistake about what decides it for so, where there is one."""
    by_id = {stimulus.id: stimulus for stimulus in stimuli}
    for trial in shuffle_items(trials, stimuli[0].seed, f"{stimuli[0].unit}/questions"):
        deciding = _deciding(by_id[trial.stimulus])
        recalled = None if deciding is None else (str(deciding.follows),)
        yield TrainingItem(trials=(_marked(trial),), recalled=recalled)


def questions(stimuli: Sequence[Stimulus], trials: Sequence[Trial]) -> Iterator[TrainingItem]:
    """Two questions of different types about one scene, whose answers say nothing of each other."""
    for pair in list(pairwise(shuffle_items(trials, stimuli[0].seed, f"{stimuli[0].unit}/pairs")))[::2]:
        yield TrainingItem(trials=tuple(map(_marked, pair)))


def corrections(stimuli: Sequence[Stimulus], trials: Sequence[Trial]) -> Iterator[TrainingItem]:
    """Reasoning to go on from, which ends with a mistake in half of the cases, and with what is so in the others.

    Who does not look believes it. Whether there is a mistake is drawn for each beginning, whatever the answer.
    """
    by_id = {stimulus.id: stimulus for stimulus in stimuli}
    for trial in trials:
        stimulus = by_id[trial.stimulus]
        for twin in twin_steps(stimulus):
            place = f"{stimulus.id}/{twin.kind}"
            state, _ = shuffle_items((_MISTAKEN, _RIGHT), stimulus.seed, f"{place}/state")
            asked, _ = shuffle_items(CORRECTING, stimulus.seed, f"{place}/correcting")
            misleads = state == _MISTAKEN and twin.follows not in (None, trial.gold)
            yield TrainingItem(
                trials=(_begun(trial, stimulus, twin, state, asked),),
                recalled=(str(twin.follows),) if misleads else None,
            )


def _marked(trial: Trial) -> Trial:
    """A trial of whose reply the answer alone is marked."""
    return replace(trial, expects={"rule": trial.expects["rule"]})


def _begun(trial: Trial, stimulus: Stimulus, twin: TwinStep, state: str, asked: str) -> Trial:
    """A trial that quotes the steps up to a twin step in this state as the beginning of the reply."""
    steps = (*twin.before, twin.mistaken if state == _MISTAKEN else twin.right)
    words, digest = begun_words(_prompts(), stimulus, steps, (QUOTED, asked))
    return replace(
        _marked(trial),
        id=f"{trial.id}/{twin.kind},{state},{asked}",
        messages=(Message("user", (*shown_media(trial), Text(words))),),
        prompt=digest,
        settings={"prefix": twin.kind, "injection": QUOTED, "correcting": asked},
        expects={"rule": trial.expects["rule"], "kind": twin.kind, "mistaken": state == _MISTAKEN},
    )


@cache
def _prompts() -> dict[str, Prompt]:
    return heal_prompts(None)


def _deciding(stimulus: Stimulus) -> TwinStep | None:
    """A step of which a mistake changes the answer."""
    return next((twin for twin in twin_steps(stimulus) if twin.follows not in (None, stimulus.label)), None)


def reason(stimulus: Stimulus, trial: Trial, answer: str) -> str:  # noqa: ARG001 (a recipe's reply takes the trial)
    """The steps of the true chain with the right answer; else those up to a mistake, with the answer that follows."""
    if answer == stimulus.label:
        return _ended([step["text"] for step in _true_steps(stimulus)], answer)
    deciding = _deciding(stimulus)
    if deciding is None:
        raise ValueError(f"nothing leads to the answer '{answer}' to '{stimulus.id}'")
    return _ended([*deciding.before, deciding.mistaken, _FOLLOWS.format(answer)], answer)


def go_on(stimulus: Stimulus, trial: Trial, answer: str) -> str:
    """How given steps go on: a mistake is corrected first; then come the true steps that are left, and the answer.

    With another answer than the right one, what was given is believed.
    """
    if answer != stimulus.label:
        return _ended(["This is all that the question asks for.", _FOLLOWS.format(answer)], answer)
    [twin] = [each for each in twin_steps(stimulus) if each.kind == trial.expects["kind"]]
    turn = [f"Wait, I made a mistake. {twin.correction}"] if trial.expects["mistaken"] else []
    return _ended([*turn, *_left(_true_steps(stimulus), twin.claims)], answer)


def _left(steps: Sequence[Step], claims: Sequence[StepClaim]) -> Iterator[str]:
    """The steps that claim what is not claimed yet, and those after all claims."""
    last = max((place for place, step in enumerate(steps) if step["claims"]), default=-1)
    for place, step in enumerate(steps):
        if place > last or any(claim not in claims for claim in step["claims"]):
            yield step["text"]


def _true_steps(stimulus: Stimulus) -> Sequence[Step]:
    [chain] = [chain for chain in stimulus.truth["chains"] if chain["kind"] == "true"]
    steps: Sequence[Step] = chain["steps"]
    return steps


def _ended(steps: Sequence[str], answer: str) -> str:
    return f"{' '.join(steps)}\n\nAnswer: {answer}"


_ASKED = {"view": ("all-boxes",), "shots": ("none",)}

TRAINING = {
    "rationales": TrainingRecipe(
        note="a question about a scene with numbered boxes; a right reply names the boxes that matter, step by step",
        chance=0.435,
        items=rationales,
        reply=reason,
        settings=_ASKED,
    ),
    "questions": TrainingRecipe(
        note="two questions about one scene; both answers are needed",
        chance=0.25,
        items=questions,
        settings=_ASKED,
        answers="a few words, and a question of yes or no with Yes or No",
    ),
    "corrections": TrainingRecipe(
        note="reasoning to go on from, half of which ends with a mistake",
        chance=0.5,
        items=corrections,
        reply=go_on,
        settings=_ASKED,
    ),
}
