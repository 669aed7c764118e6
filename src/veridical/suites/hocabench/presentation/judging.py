"""What the tables share: under which judges a run's explanations have marks, and the places of its main figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from veridical.judges.blind import named_judge
from veridical.records import Estimate, Json
from veridical.suite.find import find
from veridical.suite.results import Result

NOT_JUDGED = "not judged"
_KEYS = ("judge", "rubric")
Where = Mapping[str, Json]


def judges(result: Result) -> list[dict[str, Json]]:
    """The judges and rubrics of a run as parts of a slice, each once; that it has none where nothing is judged."""
    seen: dict[tuple[Json, ...], dict[str, Json]] = {}
    for each in result.estimates:
        if each.metric == "explanation score" and "judge" in each.slice:
            where = {key: each.slice[key] for key in _KEYS if key in each.slice}
            seen.setdefault(tuple(where.values()), where)
    marked = [where for where in seen.values() if where["judge"] != NOT_JUDGED]
    return marked or list(seen.values()) or [{"judge": NOT_JUDGED}]


def judge_name(result: Result, where: Where) -> str | None:
    """Who judged, for a cell, and whether its marks are a smoke test; `None` where nobody did."""
    return None if where["judge"] == NOT_JUDGED else named_judge(result, where["judge"])


def score(result: Result, judge: Where, part: str = "total", **where: Json) -> Estimate | None:
    """The explanation score of a part by a judge, in a slice."""
    return find(result, "explanation score", {"part": part, **judge, **where})


def index(result: Result, judge: Where, weighting: str, **where: Json) -> Estimate | None:
    """The H-Index by a judge, with a weighting of the layers."""
    return find(result, "h_index", {"weighting": weighting, **judge, **where})


def accuracy(result: Result, task: str, **where: Json) -> Estimate | None:
    """The accuracy in a task, in a slice."""
    return find(result, "accuracy", {"task": task, **where})


def by_judge(results: Sequence[Result]) -> Iterator[tuple[Result, dict[str, Json]]]:
    """Each run with each of its judges."""
    for result in results:
        for judge in judges(result):
            yield result, judge


def mode(result: Result) -> str | None:
    """Whether a model is in its instruct or its thinking mode, where a user states it."""
    thinking = result.about.thinking if result.about else None
    return None if thinking is None else "thinking" if thinking else "instruct"
