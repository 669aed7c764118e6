"""A profile of models: each suite's questions with their effects in points, and what they come to in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import polars as pl

from veridical.records import Json
from veridical.report.profiles.differences import ModelDifference
from veridical.report.profiles.fresh import FreshComparison
from veridical.report.profiles.profile_file import StoredRun
from veridical.suite.conclusions import Conclusion, interval_text
from veridical.suite.evaluation import (
    ABILITIES,
    ABILITY_WORDS,
    Ability,
    EvaluationPart,
    ProfileAnswer,
    ProfileQuestion,
    scale_points,
)
from veridical.suite.opening import Tone
from veridical.suite.record import Suite
from veridical.suite.results import ModelFacts

NOT_ASKED = "not asked"
_FIELDS = ("model", "suite", "question", "ability", "words", "effect", "value", "low", "high", "chance", "n")
_SPOKEN: Mapping[Tone, str] = {"good": "for", "bad": "against", "open": "open"}


@dataclass(frozen=True, kw_only=True)
class ProfileLine:
    """One question of one model: its answer, or why there is none (`missing`), and the run that it is from."""

    suite: Suite
    part: EvaluationPart
    question: ProfileQuestion
    answer: ProfileAnswer | None = None
    missing: str = ""
    run: str = ""
    set_name: str = ""

    @property
    def conclusion(self) -> Conclusion:
        """What is concluded; where nothing was asked, that."""
        return self.answer.conclusion if self.answer else Conclusion(NOT_ASKED, self.missing, "open")

    @property
    def points(self) -> tuple[float | None, float | None, float | None]:
        """The effect and the bounds of its interval in points; `None` where undefined."""
        effect = self.answer.effect if self.answer else None
        if effect is None or effect.value is None:
            return None, None, None
        value, low, high = (scale_points(effect, each) for each in (effect.value, effect.low, effect.high))
        return value, low, high

    @property
    def chance(self) -> float | None:
        """What one that does not look comes to, in points."""
        own = self.answer.chance if self.answer else None
        return self.question.chance if own is None else own

    @property
    def units(self) -> int:
        """The number of units that the effect is over."""
        return self.answer.effect.n_units if self.answer and self.answer.effect else 0

    @property
    def basis(self) -> str:
        """What the effect is over and what chance is, in words; no number stands apart from its unit."""
        units = f"n\u00a0=\u00a0{self.units:,}\u00a0{'unit' if self.units == 1 else 'units'}"
        if not self.chance:
            return units
        return f"{units}, chance\u00a0{self.chance:.0f}".replace("-", "−")

    @property
    def effect_text(self) -> str:
        """The effect with its interval, or why there is none."""
        value, low, high = self.points
        if value is None:
            effect = self.answer.effect if self.answer else None
            return "not estimated" if effect is None else effect.reason or "undefined"
        if low is None or high is None:
            bound = (
                "no interval" if low is None and high is None else f"≤ {high:.0f}" if low is None else f"≥ {low:.0f}"
            )
            return f"{value:.0f} [{bound}]".replace("-", "−")
        return interval_text(value, low, high)

    def facts(self, model: str) -> dict[str, Json]:
        """The line as plain values, numbers in points."""
        value, low, high = self.points
        verdict = self.conclusion
        numbers = (value, low, high, self.chance, self.units)
        words = (model, self.suite.name, self.question.name, self.question.ability)
        own = dict(zip(_FIELDS, (*words, self.question.question, self.question.effect, *numbers), strict=True))
        state = _SPOKEN[verdict.tone] if self.answer else NOT_ASKED
        needs = list(verdict.needs)
        return {**own, "verdict": verdict.name, "decided": state, "means": verdict.sentence, "needs": needs} | {
            "short": self.part.short,
            "run": self.run,
            "set": self.set_name,
        }


@dataclass(frozen=True, kw_only=True)
class ModelProfile:
    """What was found of one model: its lines in the order of the abilities, and what could not be done.

    `runs` are those that this rests on.
    """

    name: str
    lines: tuple[ProfileLine, ...]
    runs: tuple[StoredRun, ...] = ()
    about: ModelFacts | None = None
    problems: tuple[str, ...] = ()

    def of(self, ability: Ability) -> list[ProfileLine]:
        """The lines on an ability."""
        return [each for each in self.lines if each.question.ability == ability]

    def toned(self, tone: Tone) -> list[ProfileLine]:
        """The lines that were asked and are decided for the model, against it, or not."""
        return [each for each in self.lines if each.answer is not None and each.conclusion.tone == tone]

    @property
    def unasked(self) -> list[ProfileLine]:
        """The lines of which nothing is known."""
        return [each for each in self.lines if each.answer is None]

    def tone_of(self, ability: Ability) -> Tone | Literal["mixed"]:
        """What its decided questions on an ability come to; "open" where none is decided."""
        tones = {each.conclusion.tone for each in self.of(ability) if each.answer is not None} - {"open"}
        return "mixed" if len(tones) > 1 else next(iter(tones), "open")

    @property
    def sentence(self) -> str:
        """What was found, in words: what speaks against the model first, then what is mixed, then what is for it."""
        found = [
            (name, tone)
            for wanted in ("bad", "mixed", "good")
            for name in ABILITY_WORDS
            if (tone := self.tone_of(name)) == wanted
        ]
        if not found:
            return "Nothing is decided yet."
        text = ", ".join(getattr(ABILITY_WORDS[name], tone) for name, tone in found)
        return f"{text[:1].upper()}{text[1:]}."

    @property
    def sureness(self) -> str:
        """How sure that is: how many questions are decided for and against it, with their units.

        What was decided without an effect, as in a run that chose its questions until it could stop, is counted apart.
        """
        counts = {tone: len(self.toned(tone)) for tone in ("good", "bad", "open")}
        decided = [each for each in self.lines if each.answer is not None and each.conclusion.tone != "open"]
        sized = [each.units for each in decided if each.points[0] is not None]
        rest = f", {len(self.unasked)} not asked" if self.unasked else ""
        basis = f"; at 95\u00a0%, over {min(sized):,} units or more" if sized else ""
        if without := len(decided) - len(sized):
            basis += f"; {without} decided without an effect"
        count = f"{counts['good']} decided for it, {counts['bad']} against, {counts['open']} open{rest}"
        return f"{len(self.lines)} questions: {count}{basis}."

    @property
    def verdicts(self) -> dict[str, list[str]]:
        """The names of the verdicts, each once: those against the model, for it, and what is open or not asked."""
        kinds = {"against it": self.toned("bad"), "for it": self.toned("good"), "open": self.toned("open")}
        kinds |= {NOT_ASKED: self.unasked}
        named = {
            kind: [each.conclusion.name if kind.endswith("it") else each.question.question for each in lines]
            for kind, lines in kinds.items()
        }
        return {kind: list(dict.fromkeys(names)) for kind, names in named.items() if names}


@dataclass(frozen=True, kw_only=True, repr=False)
class Profile:
    """What suites found of models; `sets` says, by suite, which set was asked about, `version` which library made it.

    `links` are the paths of the suites' own reports beside the page, by suite; `fresh` compares with fresh units.
    `differences` are those of pairs of models.
    """

    models: tuple[ModelProfile, ...]
    version: str
    sets: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    fresh: FreshComparison | None = None
    differences: tuple[ModelDifference, ...] = ()

    def __repr__(self) -> str:
        return f"<Profile of {', '.join(each.name for each in self.models)}: {len(self.questions)} questions>"

    @cached_property
    def questions(self) -> list[ProfileLine]:
        """One line for each question that any model was to be asked, in the order of the abilities."""
        by_name: dict[tuple[str, str], ProfileLine] = {}
        for model in self.models:
            for each in model.lines:
                by_name.setdefault((each.suite.name, each.question.name), each)
        return sorted(by_name.values(), key=lambda each: [*ABILITIES].index(each.question.ability))

    def line(self, model: ModelProfile, like: ProfileLine) -> ProfileLine | None:
        """The line of a model on the same question as another one."""
        wanted = (like.suite.name, like.question.name)
        return next((each for each in model.lines if (each.suite.name, each.question.name) == wanted), None)

    def facts(self) -> list[dict[str, Json]]:
        """All lines of all models as plain values."""
        return [each.facts(model.name) for model in self.models for each in model.lines]

    def frame(self) -> pl.DataFrame:
        """One row per model and question: the effect in points with its interval, chance, units, and the verdict."""
        rows = [{**each, "needs": "; ".join(each["needs"])} for each in self.facts()]
        numbers = dict.fromkeys(("value", "low", "high", "chance"), pl.Float64)
        return pl.DataFrame(rows, schema_overrides={**numbers, "n": pl.Int64}) if rows else pl.DataFrame()

    def text(self) -> Iterator[str]:
        """The profile for a terminal, a block per model."""
        for model in self.models:
            yield model.name
            yield f"  {model.sentence}"
            yield f"  {model.sureness}"
            for ability in ABILITIES:
                for each in model.of(ability):
                    effect = each.effect_text if each.answer else each.missing
                    verdict = each.conclusion.name if each.answer else NOT_ASKED
                    yield f"  {ability:9}  {verdict:28} {each.part.short}: {each.question.question} {effect}"
            for problem in (*(self.fresh.text(model.name) if self.fresh else ()), *model.problems):
                yield f"  {problem}"
            yield ""
        for difference in self.differences:
            yield from difference.text()
