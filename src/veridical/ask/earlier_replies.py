"""What a run has before a start asks: the replies, what they cost, and the planned trials that lack a reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import polars as pl

from veridical.ask.limits import TokenUse
from veridical.ask.outcomes import token_use
from veridical.ask.responses import last_attempts
from veridical.ask.store import Run
from veridical.records import TOKENS, Response, Trial

_KEY = ("trial", "repeat")
_COUNTED = (*_KEY, "attempt", "error", "refused", "requests", "cached", *TOKENS)
"""What is read of each response to know what is left to ask; not its text."""


@dataclass(frozen=True)
class EarlierReplies:
    """The attempts of all starts so far: the `last` one at each trial and repeat, and what all of them `spent`.

    Of a run of which only the remaining trials are at hand, `last` has the attempts at these, without texts, and
    `others` is the number of the other planned trials, which have every reply. `answered`: any attempt had a reply.
    `attempts` has every attempt; it is empty if only the remaining trials are at hand.
    """

    last: Mapping[tuple[str, int], Response]
    spent: TokenUse
    answered: bool
    others: int = 0
    attempts: Sequence[Response] = ()

    @classmethod
    def of(cls, run: Run) -> EarlierReplies:
        """Those of a run, all of them."""
        attempts = list(run.attempts())
        last = last_attempts(attempts)
        answered = any(response.error is None for response in last.values())
        return cls(last, TokenUse.over(attempts), answered, attempts=attempts)


class PlannedNumbers(NamedTuple):
    """How many trials are planned, on how many stimuli and units."""

    trials: int
    stimuli: int
    units: int


@dataclass(frozen=True)
class RemainingTrials:
    """The stored trials of a run that lack a reply in any repeat, in order; of the others only the numbers are held.

    `marks` are those of the run's files before they were read.
    """

    trials: Sequence[Trial]
    earlier: EarlierReplies
    planned: PlannedNumbers
    marks: Mapping[str, tuple[int, int]]

    @classmethod
    def of(cls, run: Run) -> RemainingTrials | None:
        """Those of a run; `None` where any trial begins the model's turn.

        Whether these can be asked depends on the model, so all of them are needed. Raises `InputError` for a damaged
        table or file of responses.
        """
        marks, table = run.file_marks(), run.planned_trials()
        if table.opens_replies():
            return None
        planned = table.columns("id", "stimulus", "unit")
        numbers = PlannedNumbers(len(planned), planned["stimulus"].n_unique(), planned["unit"].n_unique())
        attempts = run.read_attempts(_COUNTED).of(planned["id"], run.repeats)
        spent, last = token_use(attempts.once()), attempts.last()
        attempts.clear()
        replied = last.filter(pl.col("error").is_null())
        whole = replied.group_by("trial").len().filter(pl.col("len") == run.repeats)
        names = planned["id"].filter(~planned["id"].is_in(whole["trial"].implode()))
        of_remaining = last.filter(pl.col("trial").is_in(names.implode())).select(*_KEY, "attempt", "error")
        held = {(row["trial"], row["repeat"]): Response(**row) for row in of_remaining.iter_rows(named=True)}
        earlier = EarlierReplies(held, spent, not replied.is_empty(), len(planned) - len(names))
        return cls(table.some(names), earlier, numbers, marks)
