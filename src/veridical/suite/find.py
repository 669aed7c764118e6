"""Finding estimates among those of a run."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.records import Estimate, Json
from veridical.suite.results import Result


def find(result: Result, metric: str, where: Mapping[str, Json]) -> Estimate | None:
    """The estimate of a metric in a slice, or `None`."""
    return result.by_slice.get((metric, frozenset(where.items())))


def named(result: Result, key: str) -> list[Json]:
    """The values that a key of the slices takes, in order of appearance."""
    return list(dict.fromkeys(e.slice[key] for e in result.estimates if key in e.slice))
