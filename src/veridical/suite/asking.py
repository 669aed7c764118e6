"""How a suite asks: the levels of its settings, its stages of trials, and published ways of sampling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from veridical.ask import UNSTATED, Sampling
from veridical.records import Json, Stimulus, Trial

Levels = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Asking:
    """How stimuli are asked about: the levels of each setting, and the folder of the user's own wordings, if any."""

    levels: Levels = field(default_factory=dict)
    prompts: Path | None = None


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
