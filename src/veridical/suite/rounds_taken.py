"""What a run that asked in rounds came to, and what its suite shows of it: a verdict, and no figure by design."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import polars as pl

from veridical.records import Counts, Estimate, Json
from veridical.suite.evidence import Evidence
from veridical.suite.findings import finding
from veridical.suite.opening import Opening, Reasons
from veridical.suite.record import Suite
from veridical.suite.results import Cell, Result, Table
from veridical.suite.sequential import SequentialStanding
from veridical.suite.unseen_regions import UNSEEN, UNSEEN_NEEDS, UNSEEN_SENTENCE, most_unseen

VERDICT = "verdict"
"""The goal of rounds whose questions are chosen by the replies before them."""
NOT_ESTIMATED = "not estimated: the questions were chosen by the replies before them"
_LEAST_WEIGHT = 0.005
_TITLE = "A verdict in as few questions as it takes"
_LINE = (
    "Questions were asked in rounds, each chosen by the replies before it, until a verdict was safe. Rates of such "
    "questions say nothing of all questions, so no figure by kind or strength is estimated."
)


@dataclass(frozen=True, kw_only=True)
class RoundsTaken:
    """What stood after so many questions in so many rounds, of at most `most`, that were asked for a `goal`."""

    goal: str
    standing: SequentialStanding
    questions: int
    rounds: int
    most: int

    @classmethod
    def of(cls, goal: str, facts: Mapping[str, Json]) -> RoundsTaken:
        """The same from the facts that a run stores at its latest start."""
        names = [field.name for field in fields(SequentialStanding) if field.name in facts]
        stated: dict[str, Any] = {
            name: tuple(facts[name]) if isinstance(facts[name], list) else facts[name] for name in names
        }
        numbers = {name: int(facts[name]) for name in ("questions", "rounds", "most")}
        return cls(goal=goal, standing=SequentialStanding(**stated), **numbers)

    @property
    def adaptive(self) -> bool:
        """Whether the questions were chosen by replies."""
        return self.goal == VERDICT

    def lines(self) -> Iterator[str]:
        """What a terminal says of it."""
        standing = self.standing
        asked = f"{self.questions:,} questions in {self.rounds:,} rounds"
        ended = f"stopped: {standing.rule}" if standing.rule else "not ended"
        yield f"{standing.verdict} after {asked}; {ended}"
        yield from (f"  {line}" for line in standing.evidence)
        yield from (f"  it would take {line}" for line in standing.needs)
        names: dict[str, list[str]] = {}
        for family, line in _open(standing):
            names.setdefault(line, []).append(family)
        yield from (f"  {line}: {', '.join(families)}" for line, families in names.items())


def adaptive_suite(suite: Suite) -> Suite:
    """The suite as it shows runs whose questions were chosen by replies.

    Its estimates have no value, and the reason; what a report says first is the verdict of the rounds.
    """
    analysis = replace(suite.analysis, estimates=lambda evidence: _without_values(suite, evidence), differences=None)
    presentation = replace(suite.presentation, opening=_opening, tables=_tables, figures=lambda _: [], published=None)
    return replace(suite, parts={**suite.parts, "analysis": analysis, "presentation": presentation})


def _without_values(suite: Suite, evidence: Evidence) -> list[Estimate]:
    """The suite's figures over everything, with what they rest on and no value."""
    whole = [each for each in suite.analysis.estimates(evidence) if not each.slice]
    return [replace(each, value=None, low=None, high=None, p=None, reason=NOT_ESTIMATED) for each in whole]


class _Verdict:
    """A standing as an opening takes it."""

    def __init__(self, taken: RoundsTaken) -> None:
        standing = taken.standing
        self.name, self.needs = standing.verdict, standing.needs
        self.sentence, self.tone = standing.sentence, standing.tone
        self.sure = f"Stopped: {standing.rule}." if standing.rule else "Asking has not ended."


def _opening(results: Sequence[Result]) -> Opening | None:
    runs = [(each, _in_sight(each.rounds, each.outcomes)) for each in results if each.rounds is not None]
    weights = dict.fromkeys(name for _, taken in runs for name in _considered(taken.standing))
    findings = [
        finding(result, _Verdict(taken), basis=_basis(result, taken), rates=(), reasons=(_reasons(taken),))
        for result, taken in runs
    ]
    return Opening(_TITLE, (_LINE,), findings=tuple(findings), weights={name: name for name in weights})


def _in_sight(taken: RoundsTaken, outcomes: pl.DataFrame) -> RoundsTaken:
    """What rounds came to, without a verdict against a model that does not see what it was asked about."""
    unseen, standing = most_unseen(outcomes), taken.standing
    if standing.tone != "bad" or not unseen.too_many:
        return taken
    evidence = (str(unseen), *standing.evidence)
    withheld = replace(standing, verdict=UNSEEN, sentence=UNSEEN_SENTENCE, tone="open", needs=UNSEEN_NEEDS)
    return replace(taken, standing=replace(withheld, evidence=evidence))


def _basis(result: Result, taken: RoundsTaken) -> str:
    sent = result.outcomes.filter(pl.col("status").is_not_null())
    stimuli, units, families = sent.select(pl.col("stimulus", "unit", "family").n_unique()).row(0)
    return (
        f"{taken.questions:,} questions in {taken.rounds:,} rounds (at most {taken.most:,}), "
        f"on {stimuli:,} stimuli of {units:,} units in {families:,} families"
    )


def _reasons(taken: RoundsTaken) -> Reasons:
    standing = taken.standing
    parts = [Reasons(about=name, verdict="nothing can be said yet", evidence=(line,)) for name, line in _open(standing)]
    return Reasons(
        about="all questions",
        verdict=standing.verdict,
        tone=standing.tone,
        weights=_considered(standing),
        evidence=standing.evidence,
        parts=tuple(parts),
    )


def _considered(standing: SequentialStanding) -> dict[str, float]:
    """The explanations that have any weight to speak of."""
    return {name: weight for name, weight in standing.weights.items() if weight >= _LEAST_WEIGHT}


def _open(standing: SequentialStanding) -> list[tuple[str, str]]:
    return sorted(standing.families.items())


def _tables(results: Sequence[Result]) -> list[Table]:
    """What was asked, by family and variant, with how it was answered."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for (family, variant), part in sorted(result.outcomes.partition_by("family", "variant", as_dict=True).items()):
            rows.append((result.model, str(family), str(variant), part["unit"].n_unique(), Counts.of(part)))
    columns = ("Model", "Family", "Variant", "Units", "Questions")
    return [Table("asked", "What was asked", "Chosen by the replies: counts, no rates.", columns, tuple(rows))]
