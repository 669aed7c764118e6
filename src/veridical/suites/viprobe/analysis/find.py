"""Finding estimates, and the order in which models are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veridical.records import Counts, Json
from veridical.suite.results import Result, find


def by_pfc(results: Sequence[Result]) -> list[Result]:
    """Results ordered by overall PFC, highest first; those without one come last."""

    def pfc(result: Result) -> float:
        estimate = find(result, "PFC", {})
        return estimate.value if estimate and estimate.value is not None else -1.0

    return sorted(results, key=pfc, reverse=True)


def counts_of(result: Result, where: Mapping[str, Json]) -> Counts | None:
    """The counts behind a slice's PFA, or `None`."""
    estimate = find(result, "PFA", where)
    return estimate.counts if estimate else None
