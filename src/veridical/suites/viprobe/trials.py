"""What is asked of each picture: the question and its exact complement, or which target has more, as instructed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import polars as pl

from veridical.answers import Reader, choice_reader, read_binary
from veridical.records import Json, Media, Message, Stimulus, Text, Trial
from veridical.suite import Asking
from veridical.suite.prompts import digest_of
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.settings import DEFAULTS
from veridical.suites.viprobe.wording import Wording, wording

READER = Reader("answer-tag-binary", "1", read_binary)
_CHOICES = [choice_reader(c.comparison.positive, c.comparison.negative) for c in CASES.values() if c.comparison]
READERS: Mapping[str, Reader] = {reader.name: reader for reader in (READER, *_CHOICES)}
"""The reader of yes or no, and one for each pair of words that a comparison offers."""


class Arm(NamedTuple):
    """One way of asking: `form` is the polarity of a yes-no question, or "comparison"."""

    form: str
    instruction: str
    placement: str

    @property
    def settings(self) -> dict[str, str]:
        """The settings as they stand in trials; a comparison has no polarity, and nothing instructed has no place."""
        question = "comparison" if self.form == "comparison" else "yes-no"
        given = {"polarity": self.form, "instruction": self.instruction, "placement": self.placement}
        return {**given, "question": question}

    @property
    def suffix(self) -> str:
        """What tells the trials of one picture apart, such as `forward&instruction=weigh&placement=user`."""
        parts = [self.form]
        parts += [f"instruction={self.instruction}"] if self.instruction != "none" else []
        parts += [f"placement={self.placement}"] if self.placement == "user" else []
        return "&".join(parts)


def arms(levels: Mapping[str, tuple[str, ...]]) -> list[Arm]:
    """The crossing of the chosen levels, without what would be asked twice."""
    chosen = {**DEFAULTS, **levels}
    forms = [*chosen["polarity"]] if "yes-no" in chosen["question"] else []
    forms += ["comparison"] if "comparison" in chosen["question"] else []
    return [
        Arm(form, instruction, placement)
        for instruction in chosen["instruction"]
        for placement in (("none",) if instruction == "none" else chosen["placement"])
        for form in forms
    ]


def trials(
    stimuli: Iterable[Stimulus],
    asking: Asking,
    earlier: pl.DataFrame | None,  # noqa: ARG001
) -> Iterator[Trial]:
    """The trials of each picture in turn: every arm that it has a question for, the picture before the text.

    A comparison is asked where a case has one and the picture shows its targets; without a difference it has no gold
    answer. A picture with targets whose true answer nobody stated is not asked about. Raises `InputError` for wordings
    of the user that cannot be used.
    """
    words, planned = wording(asking.prompts), arms(asking.levels)
    for stimulus in stimuli:
        for arm in planned:
            trial = _trial(stimulus, arm, words)
            if trial is not None:
                yield trial


def _trial(stimulus: Stimulus, arm: Arm, words: Wording) -> Trial | None:
    if stimulus.label is None and stimulus.variant != "I":
        return None
    asked = words.asked(stimulus, arm.form)
    if asked is None or (arm.form == "comparison" and stimulus.truth["value"] is None):
        return None
    text, digest = asked
    picture = Media(stimulus.media[0], stimulus.sha256)
    messages = [Message("user", (picture, Text(text)))]
    if arm.instruction != "none":
        instruction, source = words.instruction(stimulus, arm.instruction)
        digest = digest_of(digest, source)
        if arm.placement == "user":
            messages = [Message("user", (picture, Text(f"{instruction}\n\n{text}")))]
        else:
            messages = [Message("system", (Text(instruction),)), *messages]
    gold, reader, facts = _scoring(stimulus, arm.form)
    return Trial(
        id=f"{stimulus.id}?{arm.suffix}",
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
        messages=tuple(messages),
        gold=gold,
        reader=reader,
        prompt=digest,
        settings=arm.settings,
        factors={**stimulus.factors, "value": stimulus.truth["value"], "unit": stimulus.truth["unit"], **facts},
    )


def _scoring(stimulus: Stimulus, form: str) -> tuple[str | None, str, dict[str, Json]]:
    """The gold answer, the reader, and what the figures need to know: the options, or the unchanged figure's answer."""
    if form == "comparison":
        comparison = stimulus.truth["comparison"]
        return comparison["answer"], choice_reader(*comparison["options"]).name, {"options": comparison["options"]}
    unchanged = stimulus.truth.get("answer_if_unchanged", "1")
    if form == "forward":
        return stimulus.label, READER.name, {"answer_if_unchanged": unchanged}
    return _opposite(stimulus.label), READER.name, {"answer_if_unchanged": _opposite(unchanged)}


def _opposite(answer: str | None) -> str | None:
    return None if answer is None else str(1 - int(answer))
