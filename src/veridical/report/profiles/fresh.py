"""Fresh units against standard ones: what a model gains on pictures that it may have met before, by question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from scipy.special import ndtr, ndtri

from veridical.records import Json
from veridical.stats import Interval, holm, linear
from veridical.suite.conclusions import Conclusion, interval_text

if TYPE_CHECKING:
    from veridical.report.profiles.profile import ModelProfile, Profile, ProfileLine

LEVEL = 0.95
ERROR = 0.01
"""The p-value, by Holm over a model's questions, up to which a gap is called one: it is a grave thing to say."""

RECALLED = Conclusion(
    "recalls the standard set", "Does better on standard units than on fresh ones of like design.", "bad"
)
REVERSED = Conclusion(
    "better on fresh units", "Does worse on standard units, which recall of them does not do.", "open"
)
NO_GAP = Conclusion("no gap found", "Standard and fresh units may come to the same.", "open")


class PointsInterval(NamedTuple):
    """A number of points and its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class FreshGap:
    """A question asked on standard and on fresh units: what is gained on the standard ones, in points.

    `gain` is `None` where either has no effect with an interval. It is above 0 where the standard units come out
    better: it is standard − fresh where higher effects are better, fresh − standard where lower ones are, and the
    distance from 0 of fresh − standard where those near 0 are. `p` is of no gain, by Holm over the model's questions.
    """

    standard: ProfileLine
    fresh: ProfileLine
    gain: PointsInterval | None
    p: float | None

    @property
    def conclusion(self) -> Conclusion:
        """Whether the standard set is recalled."""
        if self.gain is None or self.p is None or self.p > ERROR:
            return NO_GAP
        return RECALLED if self.gain.value > 0 else REVERSED

    @property
    def text(self) -> str:
        """The gain with its interval, or that there is none."""
        return "undefined" if self.gain is None else interval_text(*self.gain)

    def facts(self) -> dict[str, Json]:
        """The gap as plain values, in points."""
        value, low, high = self.gain or (None, None, None)
        numbers = {"standard": self.standard.points[0], "fresh": self.fresh.points[0]}
        named = {"suite": self.standard.suite.name, "question": self.standard.question.name}
        gain = {"gain": value, "low": low, "high": high, "p": self.p}
        return {**named, **numbers, **gain, "n": self.fresh.units, "verdict": self.conclusion.name}


@dataclass(frozen=True, kw_only=True, repr=False)
class FreshComparison:
    """The gaps of each model, and the commitment to the seed of the fresh units."""

    commitment: str
    gaps: Mapping[str, Sequence[FreshGap]]

    def __repr__(self) -> str:
        return f"<FreshComparison of {', '.join(self.gaps)}>"

    def gap(self, model: str, line: ProfileLine) -> FreshGap | None:
        """The gap of a model on the question of a line; `None` where it was not asked on both kinds of unit."""
        same = (each for each in self.gaps.get(model, ()) if each.standard.question == line.question)
        return next((each for each in same if each.standard.suite.name == line.suite.name), None)

    def decided(self, model: str) -> list[FreshGap]:
        """The gaps of a model that are beyond chance."""
        return [each for each in self.gaps.get(model, ()) if each.conclusion is not NO_GAP]

    def recalled(self, model: str) -> list[FreshGap]:
        """The gaps of a model that say that it recalls the standard set."""
        return [each for each in self.decided(model) if each.conclusion is RECALLED]

    def sentence(self, model: str) -> str:
        """What fresh units say of a model."""
        compared = [each for each in self.gaps.get(model, ()) if each.gain is not None]
        if recalled := self.recalled(model):
            return (
                f"Recalls the standard set: better than on fresh units in {len(recalled)} of {len(compared)} questions."
            )
        if not compared:
            return "Not compared with fresh units yet."
        most = max(min(gain.high, 100.0) for each in compared if (gain := each.gain) is not None)
        count = f"{len(compared)} questions asked on fresh units as well"
        return f"No recall of the standard set found in {count}; gains of up to {most:.0f} points are not ruled out."

    def text(self, model: str) -> Iterator[str]:
        """The sentence, and a line for each gap that is beyond chance."""
        yield self.sentence(model)
        for each in self.decided(model):
            line = each.standard
            yield f"standard − fresh  {each.conclusion.name}  {line.part.short}: {line.question.question} {each.text}"

    def facts(self) -> dict[str, Json]:
        """The comparison as plain values."""
        gaps = [{"model": model, **each.facts()} for model, own in self.gaps.items() for each in own]
        return {"commitment": self.commitment, "gaps": gaps}


def with_fresh(standard: Profile, fresh: Iterable[ModelProfile], commitment: str) -> Profile:
    """A profile with what its models gain over the same questions on fresh units; what those miss is named in it."""
    gaps: dict[str, list[FreshGap]] = {}
    models = []
    by_name = {other.name: other for other in fresh}
    for model in standard.models:
        other = by_name[model.name]
        pairs = [(each, line) for each in model.lines if (line := standard.line(other, each)) is not None]
        gains = [_gain(each, line) for each, line in pairs]
        corrected = holm([None if gain is None else _p(gain) for gain in gains])
        asked = zip(pairs, gains, corrected, strict=True)
        gaps[model.name] = [
            FreshGap(standard=each, fresh=line, gain=gain, p=p) for (each, line), gain, p in asked if each.answer
        ]
        problems = (*model.problems, *(f"fresh units, {problem}" for problem in other.problems))
        models.append(replace(model, problems=problems))
    return replace(standard, models=tuple(models), fresh=FreshComparison(commitment=commitment, gaps=gaps))


def _gain(standard: ProfileLine, fresh: ProfileLine) -> PointsInterval | None:
    """What is gained on standard units; the interval is by variance recovery, because the sets share no unit."""
    one, two = _goodness(standard), _goodness(fresh)
    if one is None or two is None:
        return None
    bounds = (Interval(one.low, one.high), Interval(two.low, two.high))
    low, high = linear((1.0, -1.0), (one.value, two.value), bounds)
    return PointsInterval(one.value - two.value, low or 0.0, high or 0.0)


def _goodness(line: ProfileLine) -> PointsInterval | None:
    """An effect such that more is better: turned where lower ones are, and as the distance from 0 where that is."""
    value, low, high = line.points
    if value is None or low is None or high is None:
        return None
    if line.question.better == "higher":
        return PointsInterval(value, low, high)
    if line.question.better == "zero" and value < 0:
        value, low, high = -value, -high, -low
    if line.question.better == "zero":
        high, low = max(high, -low), max(low, 0.0)
    return PointsInterval(-value, -high, -low)


def _p(gain: PointsInterval) -> float:
    """The two-sided p-value of no gain: the error at which the interval, shrunk or grown as a normal one, ends at 0.

    >>> round(_p(PointsInterval(10.0, 0.0, 15.0)), 4), _p(PointsInterval(0.0, -5.0, 5.0))
    (0.05, 1.0)
    """
    half = gain.value - gain.low if gain.value > 0 else gain.high - gain.value
    if not gain.value or half <= 0:
        return 1.0 if not gain.value else 0.0
    return float(2 * ndtr(-float(ndtri(0.5 + LEVEL / 2)) * abs(gain.value) / half))
