"""What tables and figures share: who marks answers and healing in a run, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from veridical.judges.judged_outcomes import NOT_JUDGED
from veridical.records import Estimate, Json
from veridical.suite.results import Result, find
from veridical.suites.magic.analysis.accuracy import READER

CORRECTING = {"unprompted": "no", "prompted": "yes"}
"""Whether the request to correct mistakes was made."""
POOLED = {"judge", "rubric", "injection", "correcting", "chain_by"}
"""The keys of healing over all kinds of wrong prefixes."""


def judges(result: Result, rubric: str = "short") -> list[str | None]:
    """The judges of answers by a rubric, in the order of their verdicts; `None` alone where nobody judged."""
    metric = f"{rubric} accuracy"
    names = [str(each.slice["judge"]) for each in result.estimates if each.metric == metric and "judge" in each.slice]
    marked = [name for name in dict.fromkeys(names) if name != NOT_JUDGED]
    return list(marked) or [None]


def judged_accuracy(result: Result, judge: str | None, rubric: str, **where: Json) -> Estimate | None:
    """The accuracy of short or full answers by a judge."""
    metric = f"{rubric} accuracy"
    if judge is None:
        return find(result, metric, {"judge": NOT_JUDGED, **where})
    return find(result, metric, {"judge": judge, "rubric": rubric, **where})


def short_answers(result: Result) -> Estimate | None:
    """Short answers by the first judge, or by the reader where nobody judged."""
    by_judge = judged_accuracy(result, judges(result)[0], "short")
    return find(result, "accuracy", {}) if by_judge is None or by_judge.value is None else by_judge


def marker(by: Json) -> str | None:
    """Who marks, for a cell: `None` for the reader."""
    return None if by == READER else str(by)


def healing_estimates(result: Result, metric: str, keys: set[str]) -> Iterator[Estimate]:
    """The estimates of healing with exactly these keys in their slices."""
    yield from (each for each in result.estimates if each.metric == metric and set(each.slice) == keys)


def sibling_estimate(result: Result, metric: str, of: Estimate, **changed: Json) -> Estimate | None:
    """The estimate of another metric in the slice of one, some of its keys changed, others (`None`) left out."""
    where: Mapping[str, Json] = {**of.slice, **changed}
    return find(result, metric, {key: level for key, level in where.items() if level is not None})


def chain_owner(chain_by: Json) -> str:
    """Whose chain was continued, in words."""
    return {"generator": "ours", "": "not stated"}.get(str(chain_by), str(chain_by))
