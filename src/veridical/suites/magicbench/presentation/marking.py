"""What tables and figures share: who marked the explanations of a run, and where its main figures are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from veridical.judges.blind import named_judge
from veridical.judges.judged import NOT_JUDGED
from veridical.records import Estimate, Json
from veridical.suite.results import Result, find
from veridical.suites.magicbench.asking.cells import (
    FORENSIC,
    NEUTRAL,
    SKEPTIC,
    STANCES,
    TEXT_ONLY,
    THOUGHT,
    VISION_ONLY,
)
from veridical.suites.magicbench.judging.rubrics import PCS
from veridical.suites.magicbench.stimuli import LETTERS, TYPES

Where = Mapping[str, Json]
WORDED = (NEUTRAL, SKEPTIC, FORENSIC, THOUGHT)
"""The stances with frames and words."""
ORDER = (VISION_ONLY, *WORDED, TEXT_ONLY)
assert set(ORDER) == set(STANCES)
COLUMNS = {kind: f"{LETTERS[kind]} {kind}" for kind in TYPES}
"""The types of words with the heads of their columns: A lie, B misdirection, C filler, D silence."""
SHARE_OF_ALL = 1 - 1e-9


def judges(result: Result) -> list[dict[str, Json]]:
    """The judges and rubrics of a run, those by the rubric `pcs` first; empty where no explanation has marks."""
    seen = {
        (str(each.slice["judge"]), str(each.slice["rubric"])): None
        for each in result.estimates
        if each.metric == "cpa" and "rubric" in each.slice
    }
    ordered = sorted(seen, key=lambda pair: pair[1] != PCS.name)
    return [{"judge": judge, "rubric": rubric} for judge, rubric in ordered]


def judge_name(result: Result, where: Where) -> str:
    """Who marked, for a cell: the judge, whether its marks are a smoke test, and the rubric where it is not `pcs`."""
    name = named_judge(result, where["judge"])
    return name if where["rubric"] == PCS.name else f"{name}, {where['rubric']}"


def by_judge(results: Sequence[Result]) -> Iterator[tuple[Result, dict[str, Json]]]:
    """Each run with each of its judges and rubrics; a run without marks does not come."""
    for result in results:
        for judge in judges(result):
            yield result, judge


def unmarked(result: Result) -> Estimate | None:
    """The CPA that a run lacks, with the reason, where it has explanations that nobody marked."""
    return None if judges(result) else find(result, "cpa", {"judge": NOT_JUDGED})


def mark(result: Result, score: str, judge: Where, stance: str, kind: str | None, **where: Json) -> Estimate | None:
    """A mark in a stance under words of a type; what has no words is the same for all types of our clips."""
    own = find(result, score, {"stance": stance, "type": kind, **judge, **where}) if kind else None
    return own or (find(result, score, {"stance": stance, **judge, **where}) if stance == VISION_ONLY else None)


def stances(result: Result, judge: Where, score: str = "cpa") -> list[str]:
    """The stances in which a judge gave a mark, vision-only first."""
    own = [
        each.slice for each in result.estimates if each.metric == score and {*judge.items()} <= {*each.slice.items()}
    ]
    present = {where.get("stance") for where in own}
    return [stance for stance in ORDER if stance in present]


def words(result: Result, metric: str, key: str, order: Sequence[str]) -> list[str]:
    """The levels that a key has in the slices of a metric, in an order; others follow as they come."""
    present = dict.fromkeys(
        str(each.slice[key]) for each in result.estimates if each.metric == metric and key in each.slice
    )
    return [*(level for level in order if level in present), *(level for level in present if level not in order)]
