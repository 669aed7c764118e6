"""Critical regions that a model never sees: how many a verdict allows before it may not blame the model for them."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import polars as pl

from veridical.records import CRITICAL_SEEN
from veridical.suite.conclusions import Conclusion, RunVerdict
from veridical.suite.missing_replies import MOST_MISSING, largest_share

LEAST_SEEN = 0.5
"""A critical region counts as seen from this share of its area on."""

UNSEEN = "undetermined: outside what the model sees"
UNSEEN_SENTENCE = "No verdict: what the questions are about lies outside what the model sees."
UNSEEN_TERM = (
    "More than 5 % of the stimuli of one kind have a critical region of which the model sees less than half of the "
    "area, by the measured map of its picture tokens. Missing what is there is then neither memory nor weak vision."
)
UNSEEN_NEEDS = ("stimuli whose critical regions the model sees",)


class UnseenRegions(NamedTuple):
    """How many of the stimuli of one kind have a critical region that the model does not see."""

    kind: str
    unseen: int
    of: int

    @property
    def too_many(self) -> bool:
        """Whether they are more than the share of answers that may be missing.

        >>> str(UnseenRegions("unusual", 36, 700))
        'of 36 of 700 stimuli (unusual), the model sees less than half of a critical region; up to 35 may be so'
        """
        return self.unseen > MOST_MISSING * self.of

    def __str__(self) -> str:
        kind = f" ({self.kind})" if self.kind else ""
        less = "the model sees less than half of a critical region"
        return (
            f"of {self.unseen:,} of {self.of:,} stimuli{kind}, {less}; up to {int(MOST_MISSING * self.of):,} may be so"
        )


def most_unseen(rows: pl.DataFrame, by: Collection[str] = ("variant",)) -> UnseenRegions:
    """The unseen critical regions among the stimuli of the levels of `by` that have the largest share of them.

    A stimulus without a critical region, or of which nothing is measured, counts as seen. 0 of 0 if nothing was
    measured at all.
    """
    if CRITICAL_SEEN not in rows.columns:
        return UnseenRegions("", 0, 0)
    stimuli = rows.select("stimulus", CRITICAL_SEEN, *by).unique(maintain_order=True)
    return UnseenRegions(*largest_share(stimuli, (pl.col(CRITICAL_SEEN) < LEAST_SEEN).fill_null(value=False), by))


def despite_unseen(rows: pl.DataFrame, verdict: RunVerdict, blaming: Collection[str]) -> RunVerdict:
    """The verdict from these outcomes, or `UNSEEN` where one of the names that blame the model may not be given.

    That is so if more than 5 % of the stimuli of any picture type have a critical region that the model does not see.
    Of a verdict with parts, those that blame are open then. Any other verdict says how many stimuli are so, if any.
    """
    unseen = most_unseen(rows)
    if not unseen.unseen:
        return verdict
    stated = {each.name for each in verdict.parts} or {verdict.name}
    if not unseen.too_many or stated.isdisjoint(blaming):
        return verdict._replace(sure=f"{verdict.sure} {_sentence(unseen)}".strip())
    part = Conclusion(UNSEEN, UNSEEN_SENTENCE, "open", UNSEEN_NEEDS)
    parts = tuple(part if each.name in blaming else each for each in verdict.parts)
    return RunVerdict(UNSEEN, UNSEEN_SENTENCE, _sentence(unseen), "open", UNSEEN_NEEDS, parts)


def _sentence(unseen: UnseenRegions) -> str:
    line = str(unseen)
    return f"{line[:1].upper()}{line[1:]}."
