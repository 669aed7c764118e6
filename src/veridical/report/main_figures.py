"""The main figures of a run, as tables for papers and pull requests show them."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.records import Estimate
from veridical.suite.record import Suite
from veridical.suite.results import Result


def main_figures(suite: Suite, result: Result) -> Iterator[Estimate]:
    """The headline figures over everything, the first one by picture type after it."""
    headline, order = suite.analysis.headline, list(suite.presentation.variants)
    for metric in headline:
        estimates = [each for each in result.estimates if each.metric == metric]
        yield from (each for each in estimates if not each.slice)
        if metric == headline[0]:
            types = {str(each.slice["variant"]): each for each in estimates if set(each.slice) == {"variant"}}
            yield from (types[name] for name in dict.fromkeys((*order, *types)) if name in types)


def figure_title(suite: Suite, estimate: Estimate) -> str:
    """The title of a main figure, with the picture type that it is of."""
    measure = suite.analysis.measures.get(estimate.metric)
    title = measure.title if measure else estimate.metric
    where = suite.presentation.variants.get(str(estimate.slice.get("variant")), estimate.slice.get("variant"))
    return f"{title}, {where}" if where else title
