"""The trials of each picture: the question, its exact complement, or a comparison, with or without instruction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from veridical.answers import LENIENT_BINARY, LENIENT_CHOICE, STRICT_BINARY, STRICT_CHOICE, Readers
from veridical.records import Json, Media, Message, Stimulus, Text, Trial
from veridical.suite.evidence import Evidence
from veridical.suite.people_forms import YES_NO, named_form
from veridical.suite.people_tasks import FormField
from veridical.suite.prompts import digest_of
from veridical.suite.stages import AskingOptions
from veridical.suites.viprobe.asking.settings import DEFAULTS, PRIOR, REASONED
from veridical.suites.viprobe.asking.wording import Wording, wording
from veridical.suites.viprobe.illusions import CASES

READERS: Readers = {"yes-no": (LENIENT_BINARY, STRICT_BINARY), "choice": (LENIENT_CHOICE, STRICT_CHOICE)}
"""Readers of yes-no answers and of the two options of a comparison: lenient by default, or strict."""


class Arm(NamedTuple):
    """One combination of settings; `form` is the polarity of a yes-no question, or "comparison"."""

    form: str
    instruction: str
    placement: str
    sight: str = "shown"
    rationale: str = REASONED

    @property
    def settings(self) -> dict[str, str]:
        """The settings as stored in trials; `polarity` of a comparison is "comparison"."""
        task = "comparison" if self.form == "comparison" else "yes-no"
        settings = {"polarity": self.form, "instruction": self.instruction, "placement": self.placement, "task": task}
        settings |= {} if self.sight == "shown" else {"sight": self.sight}
        return settings if self.rationale == REASONED else {**settings, "rationale": self.rationale}

    @property
    def suffix(self) -> str:
        """Identifies the trials of one picture, such as `forward&instruction=weigh&placement=user`."""
        parts = [self.form]
        parts += [f"instruction={self.instruction}"] if self.instruction != "none" else []
        parts += [f"placement={self.placement}"] if self.placement == "user" else []
        parts += [f"sight={self.sight}"] if self.sight != "shown" else []
        parts += [f"rationale={self.rationale}"] if self.rationale != REASONED else []
        return "&".join(parts)


def arms(levels: Mapping[str, tuple[str, ...]]) -> list[Arm]:
    """All combinations of the chosen levels, without duplicate questions; without reasons only without instruction."""
    chosen = {**DEFAULTS, **levels}
    polarities = [*chosen["polarity"]] if "yes-no" in chosen["task"] else []
    forms = [*polarities, *(["comparison"] if "comparison" in chosen["task"] else [])]
    shown = [
        Arm(form, instruction, placement, rationale=rationale)
        for rationale in chosen["rationale"]
        for instruction in chosen["instruction"]
        if rationale == REASONED or instruction == "none"
        for placement in (("none",) if instruction == "none" else chosen["placement"])
        for form in forms
    ]
    unseen = [Arm(form, "none", "none", PRIOR) for form in polarities]
    return [*(shown if "shown" in chosen["sight"] else []), *(unseen if PRIOR in chosen["sight"] else [])]


def trials(
    stimuli: Iterable[Stimulus],
    asking: AskingOptions,
    evidence: Evidence | None = None,  # noqa: ARG001 (its only stage needs no evidence)
) -> Iterator[Trial]:
    """The trials of each picture in turn: every arm that it has a question for, with the picture before the text.

    A comparison needs a case that has one and a picture that shows its targets; without a difference it has no gold
    answer. Pictures with targets but no stated true answer are skipped. What textbooks say is asked of the first such
    picture of a base item, which is not shown; of cases that are not ours it is not asked. Raises `InputError` for
    invalid wordings of the user.
    """
    words, planned = wording(asking.prompts), arms(asking.levels)
    asked_for: set[str] = set()
    for stimulus in stimuli:
        expects = stimulus.family in CASES and stimulus.label is not None and stimulus.unit not in asked_for
        asked_for |= {stimulus.unit} if expects else set()
        for arm in planned:
            if arm.sight == PRIOR and not expects:
                continue
            trial = _trial(stimulus, arm, words)
            if trial is not None:
                yield trial


def _trial(stimulus: Stimulus, arm: Arm, words: Wording) -> Trial | None:
    if stimulus.label is None and stimulus.variant != "I":
        return None
    rationale, unseen = arm.rationale == REASONED, arm.sight == PRIOR
    worded = words.unseen(stimulus, arm.form) if unseen else words.worded(stimulus, arm.form, rationale=rationale)
    if worded is None or (arm.form == "comparison" and stimulus.truth["value"] is None):
        return None
    text, digest = worded
    picture = Media.of(stimulus.media[0])
    messages = [Message("user", (Text(text),) if arm.sight == PRIOR else (picture, Text(text)))]
    if arm.instruction != "none":
        instruction, source = words.instruction(stimulus, arm.instruction)
        digest = digest_of(digest, source)
        if arm.placement == "user":
            messages = [Message("user", (picture, Text(f"{instruction}\n\n{text}")))]
        else:
            messages = [Message("system", (Text(instruction),)), *messages]
    marking = _marking(stimulus, arm.form, prior=arm.sight == PRIOR)
    return Trial.about(
        stimulus,
        arm.suffix,
        stage="ask",
        messages=tuple(messages),
        gold=marking.gold,
        reader=marking.reader,
        prompt=digest,
        settings=arm.settings,
        factors={
            **stimulus.factors,
            "value": stimulus.truth["value"],
            "value_unit": stimulus.truth["unit"],
            **marking.facts,
        },
        expects=marking.expects,
    )


class _Marking(NamedTuple):
    """The gold answer, the family of readers, their expectations, and factors for the analysis."""

    gold: str | None
    reader: str
    expects: Mapping[str, Json]
    facts: Mapping[str, Json]


def _marking(stimulus: Stimulus, form: str, *, prior: bool) -> _Marking:
    if form == "comparison":
        comparison = stimulus.truth["comparison"]
        return _Marking(comparison["answer"], "choice", {"options": comparison["options"]}, {})
    unchanged = stimulus.truth.get("answer_if_unchanged", "1")
    gold = unchanged if prior else stimulus.label
    if form == "forward":
        return _Marking(gold, "yes-no", {}, {"answer_if_unchanged": unchanged})
    return _Marking(_opposite(gold), "yes-no", {}, {"answer_if_unchanged": _opposite(unchanged)})


def _opposite(answer: str | None) -> str | None:
    return None if answer is None else str(1 - int(answer))


def stratum(stimulus: Stimulus) -> tuple[str, str, int, str]:
    """Case, variant, sign of the change (-1, 0, 1), and its side ("" where all targets change)."""
    sign = int(np.sign(stimulus.factors.get("alpha") or 0))
    return stimulus.family, stimulus.variant, sign, stimulus.factors.get("side") or ""


def bare_question(stimulus: Stimulus, trial: Trial) -> str:
    """The question without instructions on the answer format, which people do not need.

    Where no picture is shown, it says which figure is meant.
    """
    question = _question(stimulus, trial.settings.get("polarity"))
    if trial.settings.get("sight") != PRIOR:
        return question
    title = CASES[stimulus.family].title
    return f"Think of the figure that is known as “{title}”, as textbooks show it.\n\n{question}"


def _question(stimulus: Stimulus, form: str | None) -> str:
    if form == "reversed":
        return str(stimulus.truth.get("question_reversed") or "")
    comparison = stimulus.truth.get("comparison")
    return str(comparison["question"]) if form == "comparison" and comparison else stimulus.question


def answer_form(stimulus: Stimulus, trial: Trial) -> Sequence[FormField]:
    """Yes or no, or one of the targets that are compared."""
    compared = trial.settings.get("polarity") == "comparison"
    return named_form(stimulus.truth["comparison"]["options"] if compared else YES_NO)
