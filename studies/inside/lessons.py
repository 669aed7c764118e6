"""What models are taught: pictures as they see them, what changes in each, and answers to questions."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from veridical.ask.local.requests import LocalPrompt
from veridical.records import ChatTurn, Media, Text, Trial
from veridical.verbs.exchange.planned_stages import planned_stage
from veridical.verbs.runs.setup import Setup

if TYPE_CHECKING:
    from veridical.ask.local.loader import LoadedModel
    from veridical.stimulus_set import StimulusSet

ASKED: Mapping[str, str] = {"rationale": "none"}
OPENING = "<answer>"
VARIANTS = ("O", "P", "OC", "PC", "I")
INDUCERS = VARIANTS.index("I")


def reply_of(digit: int) -> str:
    """The whole reply with an answer."""
    return f"{OPENING}{digit}</answer>"


def planned(stimuli: StimulusSet) -> Setup:
    """The trials of a set, as a run of a local model asks them."""
    return planned_stage(stimuli, None, "veridical-hf/none", settings=ASKED)


def question_of(trial: Trial) -> str:
    """The text of a trial."""
    return "".join(part.text for message in trial.messages for part in message.parts if isinstance(part, Text))


@dataclass(frozen=True, eq=False)
class Lessons:
    """The pictures of a set and the questions about them.

    `pixels` has shape (pictures, 3, side, side), `values` the change of each as a part of the largest, 0 for none or no
    target; `variants` are places in VARIANTS. `picture`, `prompt`, `gold` and `textbook` have a place for each trial;
    `prompts` are the tokens of each question, up to the reply.
    """

    pixels: Any
    values: NDArray[np.float32]
    variants: NDArray[np.int64]
    picture: NDArray[np.int64]
    prompt: NDArray[np.int64]
    gold: NDArray[np.int64]
    textbook: NDArray[np.int64]
    prompts: tuple[Any, ...]

    @classmethod
    def of(cls, stimuli: StimulusSet, loaded: LoadedModel) -> Lessons:
        """The lessons of a set for a model: its processor says what of a picture it sees."""
        from PIL import Image

        from veridical.ask.local.generation import Generator

        setup, generator = planned(stimuli), Generator(loaded)
        place = {each.id: number for number, each in enumerate(stimuli.stimuli)}
        media = [each.media[0].file for each in stimuli.stimuli]
        pictures = [Image.open(io.BytesIO(stimuli.read(file))).convert("RGB") for file in media]
        seen = loaded.processor.image_processor(images=pictures, return_tensors="pt")["pixel_values"]
        texts = {question_of(trial): trial for trial in setup.trials}
        usual = [stimuli.stimuli[place[trial.stimulus]].truth["answer_if_unchanged"] for trial in setup.trials]
        turned = [trial.settings["polarity"] == "reversed" for trial in setup.trials]
        textbook = np.array([int(answer) for answer in usual]) ^ np.array(turned)
        # Inducers alone have no true answer: what is not there has not changed.
        gold = [
            book if trial.gold is None else int(trial.gold) for trial, book in zip(setup.trials, textbook, strict=True)
        ]
        values = np.array([each.truth["value"] or 0.0 for each in stimuli.stimuli], np.float32)
        return cls(
            seen,
            values / np.abs(values).max(),
            np.array([VARIANTS.index(each.variant) for each in stimuli.stimuli]),
            np.array([place[trial.stimulus] for trial in setup.trials]),
            np.array([list(texts).index(question_of(trial)) for trial in setup.trials]),
            np.array(gold),
            textbook,
            tuple(generator.inputs([_prompt(trial, setup)])["input_ids"][0] for trial in texts.values()),
        )

    @property
    def figure(self) -> NDArray[np.bool_]:
        """Which trials show inducers."""
        return np.isin(self.variants[self.picture], [VARIANTS.index(name) for name in ("O", "P", "I")])


def _prompt(trial: Trial, setup: Setup) -> LocalPrompt:
    turns = [
        ChatTurn(
            each.role, tuple(setup.read(part.file) if isinstance(part, Media) else part.text for part in each.parts)
        )
        for each in trial.messages
    ]
    return LocalPrompt.of(turns)
