"""What a suite offers for training: recipes that draw stimuli, and prompts whose replies its own readers mark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from veridical.records import Json, Stimulus, Trial

SPACE = 2**63
"""What is added to a seed for training: no evaluation or standard set has a seed of this size (see `Options.seed`)."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TrainingItem:
    """One prompt: a trial, or two trials whose questions are asked together and which earn nothing one by one.

    `recalled` are the answers of one who does not look (to each trial one), where the suite knows them.
    """

    trials: tuple[Trial, ...]
    recalled: tuple[str, ...] | None = None

    def __repr__(self) -> str:
        return f"<TrainingItem: {' and '.join(trial.id for trial in self.trials)}>"


@dataclass(frozen=True, kw_only=True, repr=False)
class TrainingRecipe:
    """A kind of training prompts that a suite draws.

    `values` are options of its design and `settings` levels of its first stage. `items` makes the prompts of a unit
    from its stimuli and their trials. `chance` is the most that a policy without sight earns on average, from 0 to 1.
    `reply` writes an answer to a trial as a whole reply in the form that the prompt asks for; `answers` says how to
    answer a question that is one of two in a prompt, and is needed where a recipe asks two.
    """

    note: str
    chance: float
    items: Callable[[Sequence[Stimulus], Sequence[Trial]], Iterable[TrainingItem]]
    reply: Callable[[Stimulus, Trial, str], str]
    values: Mapping[str, Json] = field(default_factory=dict)
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    answers: str = ""

    def __repr__(self) -> str:
        return f"<TrainingRecipe: {self.note}>"
