"""How a suite asks: the levels of its settings, its stages of trials, and published ways of sampling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import polars as pl

from veridical.ask import UNSTATED, Sampling
from veridical.records import Json, Media, Stimulus, Trial

if TYPE_CHECKING:
    from veridical.media.derive import Rule

Levels = Mapping[str, tuple[str, ...]]


class Derivations(Protocol):
    """Where references to derived media come from."""

    def of(self, stimulus: Stimulus, rule: Rule) -> tuple[Media, ...]: ...


@dataclass(frozen=True)
class Planned:
    """References to media that are only counted, and the rules that were asked for, by digest."""

    rules: dict[str, Rule] = field(default_factory=dict)

    def of(self, stimulus: Stimulus, rule: Rule) -> tuple[Media, ...]:
        self.rules[rule.digest] = rule
        return tuple(Media(f"derived/{rule.digest[:16]}/{k}", "") for k in range(rule.count(stimulus)))


@dataclass(frozen=True)
class Asking:
    """How stimuli are asked about: the levels of each setting, and the folder of the user's own wordings, if any.

    `derivations` gives media that a rule derives from those of the set.
    """

    levels: Levels = field(default_factory=dict)
    prompts: Path | None = None
    derivations: Derivations = field(default_factory=Planned)

    def derived(self, stimulus: Stimulus, rule: Rule) -> tuple[Media, ...]:
        """References to the media that a rule derives from a stimulus, in order, for a trial's messages.

        While a run is planned they stand for media that are not made yet. Raises `InputError` where the rule does not
        apply to the stimulus.
        """
        return self.derivations.of(stimulus, rule)


@dataclass(frozen=True)
class Stage:
    """A step of a suite: trials from stimuli, how to ask, and the outcomes of earlier stages (`None` in the first)."""

    name: str
    trials: Callable[[Iterable[Stimulus], Asking, pl.DataFrame | None], Iterator[Trial]]


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A published way of asking: the sampling and repeats that `source` states, `None` where it leaves them open."""

    source: str
    sampling: Sampling = Sampling()  # noqa: RUF009 - frozen
    repeats: int | None = None

    def stated(self) -> dict[str, Json]:
        """Everything that a preset can set, with its value, or "unstated" where the source leaves it open."""
        return {**self.sampling.stated(), "repeats": UNSTATED if self.repeats is None else self.repeats}
