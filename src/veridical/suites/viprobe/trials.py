"""What is asked of each picture: the question and its exact complement, in one fixed answer format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import polars as pl

from veridical.answers import Reader, read_binary
from veridical.records import Media, Message, Stimulus, Text, Trial
from veridical.suites.prompts import load

POLARITIES = ("forward", "reversed")
READER = Reader("answer-tag-binary", "1", read_binary)
_PROMPTS = Path(__file__).parent / "prompts"


def trials(
    stimuli: Iterable[Stimulus],
    settings: Mapping[str, str],
    earlier: pl.DataFrame | None,  # noqa: ARG001
) -> Iterator[Trial]:
    """Two trials per picture, forward and reversed, the picture before the text and the question at its end."""
    prompt = load(_PROMPTS / "question.md")
    for stimulus in stimuli:
        questions = {"forward": (stimulus.question, stimulus.label)}
        if stimulus.question_reversed:
            questions["reversed"] = (
                stimulus.question_reversed,
                stimulus.label and str(1 - int(stimulus.label)),
            )
        picture = Media(stimulus.media[0], stimulus.sha256)
        for polarity, (question, gold) in questions.items():
            yield Trial(
                id=f"{stimulus.id}?{polarity}",
                suite=stimulus.suite,
                stage="ask",
                stimulus=stimulus.id,
                unit=stimulus.unit,
                family=stimulus.family,
                category=stimulus.category,
                variant=stimulus.variant,
                alpha=stimulus.alpha,
                congruent=stimulus.congruent,
                side=stimulus.side,
                messages=(Message("user", (picture, Text(prompt.fill(question=question)))),),
                gold=gold,
                reader=READER.name,
                prompt=prompt.digest,
                settings={**settings, "polarity": polarity},
                factors={**stimulus.factors, "value": stimulus.truth["value"], "unit": stimulus.truth["unit"]},
            )
