"""How the probe asks until it can conclude: dots and boxes, the harder picture of a unit after a right answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import polars as pl

from tests.probe_suite.options import ProbeOptions
from veridical.records import Chunk
from veridical.suite.sequential import NextQuestion, SequentialPart, SequentialStanding, TrialPool

FAMILIES = ("dots", "boxes")
_ROUND, _LEAST, _MISSING = 3, 18, 0.25
_RIGHT, _WRONG = 0.9, 0.5


@dataclass
class DotQuestioner:
    """Asks three units of each family in a round; a family whose last answer was right gets its hard picture."""

    pool: TrialPool
    seed: int
    next_unit: int = 0
    hard: dict[str, bool] = field(default_factory=lambda: dict.fromkeys(FAMILIES, False))
    right: list[bool] = field(default_factory=list)
    missing: int = 0

    def next_round(self) -> Sequence[NextQuestion]:
        found = []
        for family in FAMILIES:
            for index in range(self.next_unit, self.next_unit + _ROUND):
                chunk = Chunk(family, index)
                wanted = "hard" if self.hard[family] else "easy"
                (trial,) = [each for each in self.pool(chunk) if each.variant == wanted]
                found.append(NextQuestion(chunk, trial.id))
        return found

    def learn(self, outcomes: pl.DataFrame) -> None:
        self.next_unit += _ROUND
        for family, status, correct in outcomes.select("family", "status", "correct").iter_rows():
            self.missing += status != "answered"
            if status == "answered":
                self.right.append(bool(correct))
                self.hard[family] = bool(correct)

    def standing(self) -> SequentialStanding:
        asked = len(self.right) + self.missing
        share = sum(self.right) / max(len(self.right), 1)
        verdict, rule = "open", None
        if asked >= _LEAST and self.missing > _MISSING * asked:
            rule = "answers are missing"
        elif asked >= _LEAST and (share >= _RIGHT or share <= _WRONG):
            verdict, rule = ("counts" if share >= _RIGHT else "guesses"), "enough of one kind"
        return SequentialStanding(
            verdict=verdict,
            rule=rule,
            sentence=f"It {verdict}." if rule else "Nothing can be said.",
            tone="good" if verdict == "counts" else "open",
            evidence=(f"{sum(self.right)} of {len(self.right)} right",),
            weights={"counts": share, "guesses": 1 - share},
            needs=() if rule else ("more units",),
            families={} if rule else dict.fromkeys(FAMILIES, "about 9 more questions"),
        )


def _start(options: ProbeOptions, pool: TrialPool, most: int) -> DotQuestioner:
    return DotQuestioner(pool, options.seed)


SEQUENTIAL = SequentialPart(note="whether dots and boxes are counted", start=_start, usual=18, most=60)
