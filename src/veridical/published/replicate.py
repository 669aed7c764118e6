"""Checks of published numbers: a check says what is compared and how, a finding has the result for one number.

Verdicts are always computed. Printed numbers are ranges (`ranges`), so a verdict other than `agrees` holds for every
way in which the parts were rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from veridical.published.granularity import counts, nearest
from veridical.published.ranges import Fact, Range, count, decimals, exact, printed

Verdict = Literal["agrees", "disagrees", "impossible"]
Consequence = Literal[1, 2, 3, 4]
"""What depends on a number: 1 a main result, 2 another conclusion, 3 a quoted figure, 4 a cell or a label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The result of a check for one number: as printed, as recomputed, and whether they agree."""

    check: Check
    subject: str
    printed: str
    recomputed: str
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A claim of a paper, its place, the recomputation, and comments on disagreements.

    `cause` is a guess at the cause, required if any number disagrees; `doubt` names what is debatable in the check
    itself. `instead` is what this library does, empty if it does nothing of the kind yet.
    """

    paper: str
    place: str
    claim: str
    computation: str
    consequence: Consequence
    cause: str = ""
    doubt: str = ""
    instead: str = ""

    def number(self, subject: str, text: str, recomputed: Range) -> Finding:
        """Compares a printed number with its recomputed range: they agree if the ranges overlap."""
        verdict: Verdict = "agrees" if printed(text).meets(recomputed) else "disagrees"
        return self._finding(subject, text, recomputed.show(decimals(text) + 1), verdict)

    def copy(self, subject: str, text: str, other: str) -> Finding:
        """Compares a number that is printed in two places, perhaps with different digits; `other` is the second.

        Neighboring numbers share the bound between them; that alone does not count as agreement.
        """
        first, second = printed(text), printed(other)
        same = first.low < second.high and second.low < first.high
        return self._finding(subject, text, other, "agrees" if same else "disagrees")

    def average(self, subject: str, text: str, readings: Mapping[str, Range]) -> Finding:
        """Compares a printed average with each weighting that could be meant: one that fits is enough."""
        value, digits = printed(text), decimals(text) + 1
        shown = [f"{name}: {reading.show(digits)}" for name, reading in readings.items()]
        fits = [name for name, reading in readings.items() if value.meets(reading)]
        verdict: Verdict = "agrees" if fits else "disagrees"
        return self._finding(subject, text, "; ".join(shown) + (f" → {', '.join(fits)}" if fits else ""), verdict)

    def exactly(self, subject: str, text: str, recomputed: Range) -> Finding:
        """Compares a printed count or rank, which is not rounded, with a recomputed one."""
        verdict: Verdict = "agrees" if exact(text).meets(recomputed) else "disagrees"
        return self._finding(subject, text, recomputed.show(0), verdict)

    def tally(self, subject: str, text: str, facts: Iterable[Fact]) -> Finding:
        """Compares a stated number of things (`text`, such as "12") with the number of `facts` that hold."""
        parts = list(facts)
        finding = self.exactly(subject, text, count(parts))
        return self._finding(
            subject, f"{text} of {len(parts)}", f"{finding.recomputed} of {len(parts)}", finding.verdict
        )

    def every(self, subject: str, facts: Iterable[Fact]) -> Finding:
        """Checks a statement that all `facts` hold."""
        parts = list(facts)
        return self.tally(subject, str(len(parts)), parts)

    def holds(self, subject: str, text: str, fact: Fact, recomputed: str) -> Finding:
        """Checks a statement, `text` in short; if rounding leaves it open, it agrees."""
        return self._finding(subject, text, recomputed, "disagrees" if fact is False else "agrees")

    def whole(self, subject: str, text: str, n: int, scale: int = 100, roundings: int = 1) -> Finding:
        """Checks whether a printed rate over n items corresponds to a whole count."""
        possible = counts(text, n, scale, roundings)
        digits = decimals(text) + 1
        near = sorted({possible[0], possible[-1]} if possible else set(nearest(text, n, scale)))
        shown = " or ".join(f"{k}/{n} = {scale * k / n:.{digits}f}" for k in near)
        return self._finding(subject, text, shown, "agrees" if possible else "impossible")

    def _finding(self, subject: str, text: str, recomputed: str, verdict: Verdict) -> Finding:
        return Finding(check=self, subject=subject, printed=text, recomputed=recomputed, verdict=verdict)
