"""The order of results: what matters most, by certainty and consequence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

from studies.published.check import Result
from studies.published.claims import Certainty
from studies.published.operators import Verdict

PLURAL: Mapping[Verdict, str] = {
    "holds": "hold",
    "impossible": "impossible",
    "contradicts": "contradict",
    "only if": "only under one reading",
    "not shown by n": "not shown by n",
}
"""The verdicts after a number of claims."""

_SURE: Mapping[Certainty, int] = {"certain": 6, "depends on reading": 4, "judgment of ours": 1}
_LEFT: Mapping[Verdict, float] = {
    "impossible": 1, "contradicts": 1, "only if": 0.5, "not shown by n": 0.5, "holds": 0,
}  # fmt: skip


def weight(result: Result) -> float:
    """Certainty × consequence; a claim that holds under one reading counts half, one that holds nothing."""
    return _SURE[result.claim.certainty] * (5 - result.claim.consequence) * _LEFT[result.verdict]


def by_weight(results: Sequence[Result]) -> list[Result]:
    """The results that do not hold, the weightiest first; ties in the order of the tables of claims."""
    return sorted((result for result in results if result.verdict != "holds"), key=weight, reverse=True)


def main(results: Sequence[Result], most: int = 10) -> list[Result]:
    """The results that matter most: none rests on a judgment of ours or on a test by n."""
    plain = [
        each for each in results if each.verdict != "not shown by n" and each.claim.certainty != "judgment of ours"
    ]
    return by_weight(plain)[:most]


def tally(results: Sequence[Result]) -> dict[Verdict, int]:
    """The number of claims per verdict, those that hold first."""
    verdicts = [result.verdict for result in results]
    return {verdict: verdicts.count(verdict) for verdict in get_args(Verdict)}
