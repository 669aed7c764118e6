"""The figures of a run by metric and slice, as a verdict takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from veridical.records import Estimate, Json


class Figures:
    """The estimates of a run by metric and slice."""

    def __init__(self, estimates: Sequence[Estimate]) -> None:
        self.estimates = estimates
        self._by_slice = {(each.metric, frozenset(each.slice.items())): each for each in reversed(estimates)}

    def get(self, metric: str, **where: Json) -> Estimate | None:
        """The estimate in a slice, if it has a value and a lower bound."""
        each = self._by_slice.get((metric, frozenset(where.items())))
        return each if each is not None and each.value is not None and each.low is not None else None

    def pooled(self, metric: str, place: Mapping[str, Json]) -> Iterator[Estimate]:
        """Those over all kinds of wrong prefixes with a value and bounds, by judge, as they come."""
        keys = {"judge", "rubric", "injection", "correcting", "chain_by"}
        for each in self.estimates:
            inside = each.metric == metric and set(each.slice) == keys and place.items() <= each.slice.items()
            if inside and None not in (each.value, each.low, each.high):
                yield each


def value(estimate: Estimate) -> float:
    """The value of an estimate that has one."""
    return float(estimate.value or 0.0)


def low(estimate: Estimate) -> float:
    """Its lower bound."""
    return float(estimate.low or 0.0)


def high(estimate: Estimate) -> float:
    """Its upper bound."""
    return float(estimate.high or 0.0)


def shown(estimate: Estimate, scale: float = 100) -> str:
    """The value and its interval in whole numbers, after multiplication by `scale`."""
    numbers = (f"{scale * each:.0f}" for each in (value(estimate), low(estimate), high(estimate)))
    return "{} [{}, {}]".format(*numbers).replace("-", "−")
