"""A verdict on a run: does the model see what is unusual, or give the usual answer?"""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from veridical.records import Estimate
from veridical.suite.find import find
from veridical.suite.opening import Tone
from veridical.suite.results import Result
from veridical.suites.viabench.analysis.replies import plain, replies

SEES, RECALLS, MIXED, CHANCE = "sees", "recalls the usual", "loses the unusual", "at chance"
MISSING, OPEN = "undetermined: answers missing", "undetermined"
MOST_MISSING, CLOSE = 0.05, 10.0
"""The largest share of missing answers, and the largest difference in points that counts as none."""


_SENTENCES = (
    "Is right where the usual answer is, and wrong where it is not.",
    "Is wrong more often on illusions and anomalies than on their counterparts.",
)


class Verdict(NamedTuple):
    """A verdict, what it means in a sentence, what it rests on, its tone, and what would decide it."""

    name: str
    sentence: str
    sure: str
    tone: Tone
    needs: tuple[str, ...] = ()


def verdict(result: Result) -> Verdict:
    """The verdict on a run, each rule on whole 95 % intervals.

    Answers missing: more than 5 % of the replies to unusual or to ordinary pictures have no answer. Recalls: accuracy
    where the usual answer is right exceeds that where it is wrong by more than 10 points. Loses the unusual: ordinary
    counterparts exceed unusual pictures by more than 10 points. At chance: unusual pictures are not above chance. Sees:
    they are, and both differences are below 10 points. Items of a release have neither, so that above chance no more
    is concluded.
    """
    missing = _missing(result.outcomes)
    if missing > MOST_MISSING:
        line = f"{missing:.0%} of the replies to one kind of picture have no answer; {MOST_MISSING:.0%} are allowed."
        return Verdict(MISSING, "Too many replies have no answer.", line, "open", ("replies with an answer",))
    found = [find(result, metric, {}) for metric in ("pull of the usual", "cost of the unusual")]
    unusual, chance = find(result, "accuracy", {"variant": "unusual"}), find(result, "chance", {"variant": "unusual"})
    differences = [each for each in found if each is not None and each.value is not None]
    if unusual is None or unusual.value is None or chance is None or chance.value is None:
        needs = ("illusions or anomalies, and their ordinary counterparts",)
        return Verdict(OPEN, "No verdict.", "Both kinds of picture are needed.", "open", needs)
    line = _line(unusual, *found)
    for estimate, name, sentence in zip(found, (RECALLS, MIXED), _SENTENCES, strict=True):
        if estimate is not None and _above(estimate, CLOSE):
            return Verdict(name, sentence, line, "bad")
    if not _above(unusual, chance.value):
        return Verdict(CHANCE, "Is not right more often than a random choice.", line, "bad")
    if not differences:
        sentence = "Is above chance; what the usual answer does is open without ordinary counterparts."
        return Verdict(OPEN, sentence, line, "open", ("ordinary counterparts, or items that name the usual answer",))
    if all(each.high is not None and each.high < CLOSE for each in differences):
        return Verdict(SEES, "Sees what is unusual as well as what is ordinary.", line, "good")
    return Verdict(OPEN, "Is above chance; whether the usual pulls is open.", line, "open", ("more units",))


def _missing(outcomes: pl.DataFrame) -> float:
    rows = plain(replies(outcomes))[0].filter(pl.col("status").is_not_null())
    shares = rows.group_by("variant").agg((pl.col("status") != "answered").mean())
    return max(shares["status"].to_list(), default=0.0)


def _above(estimate: Estimate, bound: float) -> bool:
    return estimate.low is not None and estimate.low > bound


def _line(unusual: Estimate, pull: Estimate | None, cost: Estimate | None) -> str:
    parts = [f"Right on {_percent(unusual)} of illusions and anomalies"]
    for estimate, words in ((pull, "where the usual answer is right"), (cost, "on ordinary counterparts")):
        if estimate is not None and estimate.value is not None:
            parts.append(f"{estimate.value:+.0f} points [{estimate.low:+.0f}, {estimate.high:+.0f}] {words}")
    return "; ".join(parts).replace("-", "−") + "."


def _percent(estimate: Estimate) -> str:
    return f"{estimate.value:.0%} [{estimate.low:.0%}, {estimate.high:.0%}]"
