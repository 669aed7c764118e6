"""How a suite asks until it can conclude: questions chosen round by round from what was answered, and when to stop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import polars as pl

from veridical.records import Chunk, Json, Trial
from veridical.suite.opening import Tone

STOP_AT = "stop_at"
"""The option of a run, and the key of its identity, that has the goal at which it stops asking."""
SEQUENTIAL = "sequential"
"""The key of a start under which stands what could be concluded when its latest round ended."""

TrialPool = Callable[[Chunk], Sequence[Trial]]
"""The trials of a piece of the design, as they would be asked; its stimuli are not drawn yet."""


class NextQuestion(NamedTuple):
    """A trial that is asked next, by its id, and the piece of the design that its stimulus is in.

    The piece is `None` where the set is there already.
    """

    chunk: Chunk | None
    trial: str


@dataclass(frozen=True, kw_only=True)
class SequentialStanding:
    """What can be concluded from the questions so far.

    `rule` is the rule by which asking stops, in words; `None` while it goes on. `verdict` is the name that stands, with
    its `evidence` in words and the `weights` of what it was weighed against, which sum to 1; `sentence` says what it
    means in plain words, `tone` how it speaks of the model, and `needs` what would decide an open one. `families` has,
    by family, one line where nothing can be said of it alone, with how many more questions that would take.
    """

    verdict: str
    rule: str | None
    sentence: str = ""
    tone: Tone = "open"
    evidence: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    families: Mapping[str, str] = field(default_factory=dict)


class Questioner(Protocol):
    """What chooses the questions of a sequential run: the same replies lead to the same choices."""

    def next_round(self) -> Sequence[NextQuestion]:
        """The questions of the next round, none asked before; empty where nothing is left to ask."""
        ...

    def learn(self, outcomes: pl.DataFrame) -> None:
        """Takes in the outcomes of the round, those without an answer included: by repeat, as they were chosen."""
        ...

    def standing(self) -> SequentialStanding:
        """What can be concluded now."""
        ...


@dataclass(frozen=True, kw_only=True, repr=False)
class SequentialPart:
    """How a suite asks until it can conclude.

    `start` makes the questioner of a design, from its options, the trials of its pieces, and the most questions that
    may be asked, on which no choice may depend. `values` are the options of the design where no set states them,
    `settings` the levels that are asked. `usual` is how many questions a clear observer takes, and `most` how many are
    asked at most if nobody says otherwise.
    """

    note: str
    start: Callable[[Any, TrialPool, int], Questioner]
    usual: int
    most: int
    values: Mapping[str, Json] = field(default_factory=dict)
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<SequentialPart: {self.note}>"
