"""Finding estimates, and the order in which models are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veridical.records import Counts, Estimate, Json
from veridical.suite import Result


def by_pfc(results: Sequence[Result]) -> list[Result]:
    """Results ordered by overall PFC, highest first; those without one come last."""

    def pfc(result: Result) -> float:
        found = find(result, "PFC", {})
        return found.value if found and found.value is not None else -1.0

    return sorted(results, key=pfc, reverse=True)


def find(result: Result, metric: str, where: Mapping[str, Json]) -> Estimate | None:
    """The estimate of a metric in a slice, or `None`."""
    return result.by_slice.get((metric, frozenset(where.items())))


def counts_of(result: Result, where: Mapping[str, Json]) -> Counts | None:
    """The counts behind a slice's PFA, or `None`."""
    found = find(result, "PFA", where)
    return found.counts if found else None


def named(result: Result, key: str) -> list[Json]:
    """The values that a key of the slices takes, in order of appearance."""
    return list(dict.fromkeys(e.slice[key] for e in result.estimates if key in e.slice))
