"""Checks of published numbers: a check says what is compared and how, a finding what came of it for one number.

A verdict is only ever computed. Printed numbers are ranges (`ranges`), so that a verdict other than `agrees` stands
however the parts were rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from veridical.published.granularity import counts, nearest
from veridical.published.ranges import Fact, Range, count, decimals, exact, printed

Verdict = Literal["agrees", "disagrees", "impossible"]
Consequence = Literal[1, 2, 3, 4]
"""What hangs on a number: 1 a main result, 2 another conclusion, 3 a figure that is quoted, 4 a cell or a label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a check found for one number: as printed, as recomputed, and whether they agree."""

    check: Check
    subject: str
    printed: str
    recomputed: str
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What a paper says, where, how it is recomputed, and what to make of it where the two disagree.

    `cause` is a guess at why, needed where anything does not agree; `doubt` says what in the check itself one may judge
    otherwise. `instead` is what this library does, empty where it does nothing of the kind yet.
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
        """A printed number beside one recomputed from its parts: they agree where some unrounded values do."""
        verdict: Verdict = "agrees" if printed(text).meets(recomputed) else "disagrees"
        return self._finding(subject, text, recomputed.show(decimals(text) + 1), verdict)

    def copy(self, subject: str, text: str, other: str) -> Finding:
        """A number that is printed in two places, in one perhaps with fewer digits; `other` is the second.

        Two neighbouring numbers share the value between them; that alone does not make one a copy of the other.
        """
        first, second = printed(text), printed(other)
        same = first.low < second.high and second.low < first.high
        return self._finding(subject, text, other, "agrees" if same else "disagrees")

    def average(self, subject: str, text: str, readings: Mapping[str, Range]) -> Finding:
        """A printed average beside it under each weighting that could be meant: one that gives the number suffices."""
        value, digits = printed(text), decimals(text) + 1
        shown = [f"{name}: {reading.show(digits)}" for name, reading in readings.items()]
        fits = [name for name, reading in readings.items() if value.meets(reading)]
        verdict: Verdict = "agrees" if fits else "disagrees"
        return self._finding(subject, text, "; ".join(shown) + (f" → {', '.join(fits)}" if fits else ""), verdict)

    def exactly(self, subject: str, text: str, recomputed: Range) -> Finding:
        """A printed count or rank, which is not rounded, beside a recomputed one."""
        verdict: Verdict = "agrees" if exact(text).meets(recomputed) else "disagrees"
        return self._finding(subject, text, recomputed.show(0), verdict)

    def tally(self, subject: str, text: str, facts: Iterable[Fact]) -> Finding:
        """`text` of so many things are said to be so, as "12"; `facts` says which are."""
        parts = list(facts)
        finding = self.exactly(subject, text, count(parts))
        return self._finding(
            subject, f"{text} of {len(parts)}", f"{finding.recomputed} of {len(parts)}", finding.verdict
        )

    def every(self, subject: str, facts: Iterable[Fact]) -> Finding:
        """All of some things are said to be so."""
        parts = list(facts)
        return self.tally(subject, str(len(parts)), parts)

    def holds(self, subject: str, text: str, fact: Fact, recomputed: str) -> Finding:
        """A statement, `text` in short, which holds, does not, or stands open by rounding (then it agrees)."""
        return self._finding(subject, text, recomputed, "disagrees" if fact is False else "agrees")

    def whole(self, subject: str, text: str, n: int, scale: int = 100, roundings: int = 1) -> Finding:
        """A printed rate over n items: some whole count gives its digits, or none does."""
        possible = counts(text, n, scale, roundings)
        digits = decimals(text) + 1
        near = sorted({possible[0], possible[-1]} if possible else set(nearest(text, n, scale)))
        shown = " or ".join(f"{k}/{n} = {scale * k / n:.{digits}f}" for k in near)
        return self._finding(subject, text, shown, "agrees" if possible else "impossible")

    def _finding(self, subject: str, text: str, recomputed: str, verdict: Verdict) -> Finding:
        return Finding(check=self, subject=subject, printed=text, recomputed=recomputed, verdict=verdict)
