"""How a suite asks: the levels of its settings, its stages of trials, and published ways of sampling."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from veridical.ask import UNSTATED, Sampling
from veridical.base.path_checks import DERIVED
from veridical.errors import unknown
from veridical.records import Json, Media, Stimulus, Trial

if TYPE_CHECKING:
    from veridical.media.derive import Rule
    from veridical.suite.evidence import Evidence

Levels = Mapping[str, tuple[str, ...]]


class Derivations(Protocol):
    """A source of references to derived media."""

    def of(self, stimulus: Stimulus, rule: Rule) -> tuple[Media, ...]: ...


@dataclass(frozen=True)
class PlannedMedia:
    """References to media that are counted but not made; `rules` collects the rules used, by digest."""

    rules: dict[str, Rule] = field(default_factory=dict)

    def of(self, stimulus: Stimulus, rule: Rule) -> tuple[Media, ...]:
        self.rules[rule.digest] = rule
        return tuple(Media(f"{DERIVED}/{rule.digest[:16]}/{stimulus.id}/{k}", "") for k in range(rule.count(stimulus)))


@dataclass(frozen=True)
class AskingOptions:
    """How stimuli are asked about: the levels of each setting, and the folder of the user's own prompts, if any.

    `derivations` provides the media that a rule derives from those of the set.
    """

    levels: Levels = field(default_factory=dict)
    prompts: Path | None = None
    derivations: Derivations = field(default_factory=PlannedMedia)

    def derived(self, stimulus: Stimulus, rule: Rule) -> tuple[Media, ...]:
        """References to the media that a rule derives from a stimulus, in order, for a trial's messages.

        While a run is planned, they refer to media that are not made yet. Raises `InputError` if the rule does not
        apply to the stimulus.
        """
        return self.derivations.of(stimulus, rule)

    def of_stage(self, stage: Stage) -> AskingOptions:
        """A copy with only the settings that apply in a stage."""
        if stage.settings is None:
            return self
        return replace(self, levels={name: self.levels[name] for name in self.levels if name in stage.settings})


MODEL, JUDGE, PEOPLE = "model", "judge", "people"
"""Roles of every suite: the model under test, the judge of replies, and people, whose answers are read from a file."""


@dataclass(frozen=True, kw_only=True)
class StageBounds:
    """Upper bounds for a later stage: its trials, the tokens of their requests, and the assumptions behind both."""

    trials: int
    input_tokens: int
    assumed: str


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A step of a suite, put to the model that has its role once all stages in `needs` are answered.

    `trials` makes the trials from the stimuli, the levels of the stage's `settings`, and the outcomes of the stages
    that it needs. `settings` names the settings that apply (default: all of the suite's). `sampling` is used where the
    model's own is not stated. Two askings of a stage differ in these alone. A stage without needs has the repeats of
    the run, one with needs has `repeats`. `at_most` gives plans an upper bound for a stage with needs, if every earlier
    stage is asked once; it gets the levels of all settings, because those of earlier stages count as well.

    `stratum` says what a sample of its trials for people is balanced over (default: the suite's `stratum`).

    A reply that no reader can read is asked for up to `most_tries` times in all. With `shares_replies`, trials with the
    same messages get one reply: it is requested once, and the others take it like one from a cache.
    """

    name: str
    trials: Callable[[Sequence[Stimulus], AskingOptions, Evidence], Iterable[Trial]]
    role: str = MODEL
    needs: tuple[str, ...] = ()
    settings: tuple[str, ...] | None = None
    sampling: Sampling = Sampling()  # noqa: RUF009 - frozen
    repeats: int = 1
    at_most: Callable[[Sequence[Stimulus], AskingOptions], StageBounds] | None = None
    most_tries: int = 1
    shares_replies: bool = False
    stratum: Callable[[Trial], Hashable] | None = None


def order_stages(stages: Sequence[Stage], settings: Levels) -> tuple[Stage, ...]:
    """The stages, each after those that it needs, otherwise in the order given.

    Raises ValueError, in one line, for a name that is used twice or has characters other than lower-case letters,
    digits and dashes, for an unknown need or setting, for a first stage with needs, and for a cycle.
    """
    names = [stage.name for stage in stages]
    for stage in stages:
        if not re.fullmatch(r"[a-z][a-z0-9-]*", stage.name) or names.count(stage.name) > 1:
            raise ValueError(f"stage '{stage.name}': a name of its own, of lower-case letters and digits, is needed")
        for kind, used, allowed in (("stage", stage.needs, names), ("setting", stage.settings or (), settings)):
            for name in used:
                if name not in allowed:
                    raise ValueError(f"stage '{stage.name}': {unknown(kind, name, allowed)}")
    if not stages or stages[0].needs:
        raise ValueError("the first stage of a suite needs no other")
    ordered: list[Stage] = []
    while len(ordered) < len(stages):
        done = {stage.name for stage in ordered}
        ready = [stage for stage in stages if stage.name not in done and done.issuperset(stage.needs)]
        if not ready:
            raise ValueError(f"stages need each other: {', '.join(name for name in names if name not in done)}")
        ordered.append(ready[0])
    return tuple(ordered)


@dataclass(frozen=True, kw_only=True)
class PresetModel:
    """A model that a published way of asking has in a role, such as its judge.

    `name` is what the source calls it; `version`, the snapshot, and `sampling` are what it states of it. `model` is who
    is asked: PROVIDER/NAME, or a table of the user's file of models, where the model has no provider of its own.
    """

    name: str
    model: str
    version: str | None = None
    sampling: Sampling = Sampling()  # noqa: RUF009 - frozen

    def stated(self) -> dict[str, Json]:
        """What the source states, with "unstated" for what it does not.

        >>> judge = PresetModel(name="GPT-4o", model="openai/gpt-4o")
        >>> judge.stated()["name"], judge.stated()["version"], judge.stated()["temperature"]
        ('GPT-4o', 'unstated', 'unstated')
        """
        return {
            "name": self.name,
            "model": self.model,
            "version": UNSTATED if self.version is None else self.version,
            **self.sampling.stated(),
        }


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A published way of asking: the sampling and repeats that `source` states; `None` if it does not state them.

    `roles` has the models that it states for other roles: each is asked where the user names none, and its sampling
    holds for whoever has the role.
    """

    source: str
    sampling: Sampling = Sampling()  # noqa: RUF009 - frozen
    repeats: int | None = None
    roles: Mapping[str, PresetModel] = field(default_factory=dict)

    def stated(self) -> dict[str, Json]:
        """Everything that a preset can set, with its value, or "unstated" if the source does not state one."""
        facts = {**self.sampling.stated(), "repeats": UNSTATED if self.repeats is None else self.repeats}
        return {**facts, "roles": {role: each.stated() for role, each in self.roles.items()}} if self.roles else facts
