"""Differences of two models in a profile: on which questions one is better, and on which nobody can tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from veridical.records import Json
from veridical.stats import holm
from veridical.suite.conclusions import interval_text
from veridical.suite.gains import ScoreGain
from veridical.suite.opening import Tone

Decision = Literal["better", "worse", "cannot tell"]
LEVEL = 0.05
"""The level of the tests on all questions together."""
_TONES: dict[Decision, Tone] = {"better": "good", "worse": "bad", "cannot tell": "open"}


@dataclass(frozen=True, kw_only=True)
class QuestionDifference:
    """What two models differ by on one question of a suite, by its name, its `short` one, and its words.

    `gain` is by how much the first one is better, `p` its p-value by Holm over the questions. `unproven` says of each
    of both that its effect is no merit by itself: low effects are good here, and it has no verdict on the question.
    One that sees nothing is moved by nothing.
    """

    suite: str
    short: str
    name: str
    question: str
    gain: ScoreGain
    unproven: tuple[bool, bool] = (False, False)
    p: float | None = None

    @property
    def decision(self) -> Decision:
        """Better or worse where p is below 0.05, the interval excludes 0, and the better one is not `unproven`."""
        found = self._found
        return "cannot tell" if found != "cannot tell" and self.unproven[found == "worse"] else found

    @property
    def tone(self) -> Tone:
        """Good where the first one is better, bad where it is worse."""
        return _TONES[self.decision]

    @property
    def _found(self) -> Decision:
        low, high = self.gain.low, self.gain.high
        if self.p is None or self.p >= LEVEL or low is None or high is None or low <= 0 <= high:
            return "cannot tell"
        return "better" if low > 0 else "worse"

    @property
    def text(self) -> str:
        """The gain with its interval, p, and what it is over; or why there is none."""
        gain = self.gain
        if gain.value is None or gain.low is None or gain.high is None:
            return gain.reason
        p = "" if self.p is None else f", p {_p_text(self.p)}"
        return f"{interval_text(gain.value, gain.low, gain.high)} points{p}, {gain.units:,} units"

    @property
    def note(self) -> str:
        """Why a difference that is there decides nothing; else empty."""
        return "The better one has no verdict here." if self._found != self.decision else ""

    def facts(self) -> dict[str, Json]:
        """The difference as plain values, in points; `value` is above 0 where the first one is better."""
        gain = self.gain
        return {
            "suite": self.suite,
            "question": self.name,
            "decision": self.decision,
            "value": gain.value,
            "low": gain.low,
            "high": gain.high,
            "p": self.p,
            "n": gain.units,
            "pairs": gain.items,
            "reason": gain.reason or self.note,
        }


@dataclass(frozen=True, kw_only=True)
class ModelDifference:
    """What two models differ by, question by question; `notes` say where they were not asked the same."""

    first: str
    second: str
    lines: tuple[QuestionDifference, ...]
    notes: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """On how many questions the first one is better and worse, and on how many nobody can tell."""
        counts = [sum(each.decision == name for each in self.lines) for name in _TONES]
        better, worse, rest = counts
        return f"Better on {better} of {len(self.lines)} questions, worse on {worse}, cannot tell on {rest}."

    def facts(self) -> dict[str, Json]:
        """All as plain values."""
        differences: list[Json] = [each.facts() for each in self.lines]
        return {"first": self.first, "second": self.second, "notes": list(self.notes), "differences": differences}

    def text(self) -> Iterator[str]:
        """The differences for a terminal."""
        yield f"{self.first} against {self.second}"
        yield f"  {self.sentence}"
        for each in self.lines:
            yield f"  {each.decision:11}  {each.short}: {each.question} {each.text} {each.note}".rstrip()
        yield from (f"  {note}" for note in self.notes)
        yield ""


def holm_differences(lines: Sequence[QuestionDifference]) -> tuple[QuestionDifference, ...]:
    """The lines with Holm's p-values over all of them."""
    adjusted = holm([each.gain.p for each in lines])
    return tuple(replace(each, p=p) for each, p in zip(lines, adjusted, strict=True))


def _p_text(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"
