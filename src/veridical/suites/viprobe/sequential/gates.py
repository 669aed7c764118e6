"""What keeps a verdict back at a look: too few questions, missing answers, replies that the model misses."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np
import polars as pl
from scipy.special import chdtrc

from veridical.stats import mixture_interval
from veridical.suite.missing_replies import MOST_MISSING
from veridical.suites.viprobe.analysis.missing_answers import MissingGate, gate
from veridical.suites.viprobe.sequential.blocks import BlockQuestion

LEAST, LEAST_CASES = 96, 12
"""The fewest questions before a verdict, and over how many cases at least (all, where there are fewer)."""

UNREADABLE_AFTER = 48
"""Asking stops if none of so many answers can be read."""

RARE = 0.001
"""The model misses the replies if misses as large are at most as likely as this."""

_HOPELESS = 0.999
_WEAK = 0.35
_COLUMNS = ("variant", "alpha", "gold", "status")


class ReplyTally:
    """The replies so far, those without an answer included."""

    def __init__(self) -> None:
        self._frames: list[pl.DataFrame] = []

    def add(self, outcomes: pl.DataFrame) -> None:
        self._frames.append(outcomes.select(_COLUMNS))

    @property
    def asked(self) -> int:
        return sum(map(len, self._frames))

    def statuses(self) -> dict[str, int]:
        """How many replies have each status, the most frequent first."""
        if not self._frames:
            return {}
        counts = pl.concat(self._frames)["status"].value_counts(sort=True)
        return {str(status): int(count) for status, count in counts.iter_rows()}

    def missing(self) -> MissingGate:
        """The gate on missing answers, by picture type and half of the strengths."""
        return gate(pl.concat(self._frames)) if self._frames else MissingGate(())


def unreadable(statuses: dict[str, int]) -> str | None:
    """Why no answer can be read, after so many that more will not help; else `None`."""
    asked = sum(statuses.values())
    if asked < UNREADABLE_AFTER or statuses.get("answered"):
        return None
    return f"none of {asked} replies has an answer: " + ", ".join(f"{many} {name}" for name, many in statuses.items())


def hopeless(missing: MissingGate) -> str | None:
    """Why more questions will not open the gate: a kind of picture surely lacks too many answers; else `None`."""
    for row in missing.rows:
        low, _ = mixture_interval(row.missing, row.trials, _HOPELESS)
        if low is not None and low > MOST_MISSING:
            return f"more than {100 * MOST_MISSING:.0f} % of answers are missing, whatever else is asked: {row}"
    return None


class _Sum(NamedTuple):
    surplus: float = 0.0
    variance: float = 0.0


class Misfit:
    """How far the replies in the fixed random order are from what was expected of them before they came.

    They are compared by context, strength (none, weak, strong) and question: the sum of squared surpluses of "changed"
    over their variance is chi-square where the model holds.
    """

    def __init__(self) -> None:
        self._sums: dict[tuple[int, int, int], _Sum] = defaultdict(_Sum)

    def note(self, question: BlockQuestion, expected: float, *, changed: bool) -> None:
        """Takes in an answer whose chance to be "changed" was `expected`."""
        key = question.context, int(question.alpha != 0) + int(abs(question.alpha) > _WEAK), question.half
        before = self._sums[key]
        self._sums[key] = _Sum(before.surplus + changed - expected, before.variance + expected * (1 - expected))

    @property
    def p(self) -> float:
        """The chance of misses as large where the model holds; 1 without replies."""
        squares = [each.surplus**2 / max(each.variance, 0.25) for each in self._sums.values()]
        return float(chdtrc(len(squares), np.sum(squares))) if squares else 1.0

    @property
    def fails(self) -> bool:
        return self.p <= RARE
