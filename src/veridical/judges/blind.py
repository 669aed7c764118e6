"""The blind floor of a rule judge: what the best fixed reply is worth over all items, whatever they show.

A rule looks for words. A reply that has the words of many items, and was written without looking at any, can be worth a
lot to it: its marks say little of a model where such a reply has them, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from statistics import fmean

import polars as pl

from veridical.judges.marking import Marking
from veridical.judges.rubric import REPLY, Rubric, Shown
from veridical.judges.rule_judge import NAME
from veridical.records import Counts, Estimate, Json, Measure, Unit, canonical
from veridical.suite.contrasts import mean_score
from veridical.suite.evidence import Evidence
from veridical.suite.rates import Slice
from veridical.suite.results import Result, find

METRIC = "blind floor"
NOTE = (
    "Blind floor: what the best fixed explanation is worth to the rule, the same for every clip and written without "
    "looking; above a third of the range, the rule's marks are called a smoke test, and no verdict rests on them."
)
SMOKE = " (smoke test)"
"""Follows the name of a rule judge whose marks a fixed reply could have."""


def measure(unit: Unit) -> Measure:
    """The measure of the blind floor, for a suite whose marks have this unit."""
    return Measure(title="Blind floor", definition=NOTE.removeprefix("Blind floor: ").capitalize(), unit=unit)


_MOST = 1 / 3
"""The share of the range above which a floor makes the rule's figure a smoke test."""
_ITEMS, _PIECES, _ROUNDS = 30, 40, 8
"""How many items and pieces are tried, and of how many pieces a reply is made at most."""


def blind_floors(
    suite: str, evidence: Evidence, marking: Marking, scores: Sequence[str], unit: Unit
) -> Iterator[Estimate]:
    """`blind floor` of each score by each rubric with a rule that was used, as a share of the score's range.

    The fixed reply is found by adding, one at a time, the piece of `Rubric.fixed` that raises the mean most; an item on
    which the rule cannot tell counts as 0. A true optimum may be higher.
    """
    if marking.name not in evidence.stages:
        return
    outcomes = evidence.outcomes(marking.name)
    if "expects" not in outcomes.columns:
        return
    for rubric in marking.rubrics:
        own = outcomes.filter((pl.col("reader") == rubric.name) & (pl.col("model") == NAME))
        if rubric.rule is None or rubric.fixed is None or own.is_empty():
            continue
        shown = [{**json.loads(text)["shown"], REPLY: ""} for text in own["expects"]]
        rows = own.with_columns(pl.Series("_shown", [canonical(each) for each in shown]))
        rows = rows.unique(["stimulus", "_shown"], maintain_order=True)
        items: list[Shown] = [json.loads(text) for text in rows["_shown"]]
        for score in scores:
            reply, pieces = best_reply(rubric, items, score)
            marks = pl.Series("mark", [rule_score(rubric, each, reply, score) for each in items], dtype=pl.Float64)
            where: dict[str, Json] = {"score": score, "judge": NAME, "rubric": rubric.name}
            method = f"the best reply of up to {_ROUNDS} of {pieces} pieces of text, the same for every item; by rule"
            piece = Slice(suite, where, rows.with_columns(marks), Counts.of(rows))
            yield mean_score(piece, METRIC, "mark", unit, method)


def best_reply(rubric: Rubric, items: Sequence[Shown], score: str) -> tuple[str, int]:
    """The fixed reply with the highest mean of a score over items, and the number of pieces that were tried.

    Greedy with stale gains: a piece is tried again only while what it gained before is more than the best gain now.
    """
    assert rubric.fixed is not None
    few = items[:: max(1, -(-len(items) // _ITEMS))]
    fixed = rubric.fixed(few)
    pieces = fixed.pieces[:: max(1, -(-len(fixed.pieces) // _PIECES))]

    def mean(chosen: Sequence[str]) -> float:
        return fmean(rule_score(rubric, each, fixed.reply(chosen), score) for each in few)

    chosen: list[str] = []
    best, gains = 0.0, dict.fromkeys(pieces, float("inf"))
    for _ in range(_ROUNDS):
        top, most = None, 0.0
        for piece in sorted(gains, key=lambda each: -gains[each]):
            if gains[piece] <= most:
                break
            gains[piece] = mean([*chosen, piece]) - best
            if gains[piece] > most:
                top, most = piece, gains[piece]
        if top is None:
            break
        chosen, best = [*chosen, top], best + most
        del gains[top]
    return fixed.reply(chosen), len(pieces)


def rule_score(rubric: Rubric, item: Shown, reply: str, score: str) -> float:
    """A score of a reply to an item by rule, as a share of its range; 0 where the rule cannot tell."""
    low, high = rubric.ranges[score]
    return (_scores(rubric, reply, canonical(dict(item))).get(score, low) - low) / (high - low)


@lru_cache(maxsize=50_000)
def _scores(rubric: Rubric, reply: str, item: str) -> Mapping[str, float]:
    """The scores of a reply to an item in JSON, by rule; none where the rule cannot tell."""
    assert rubric.rule is not None
    shown = {**json.loads(item), REPLY: reply}
    verdict = rubric.rule(shown)
    return {} if isinstance(verdict, str) else rubric.scored(canonical(dict(verdict)), shown)


def floor_of(result: Result, where: Mapping[str, Json], score: str) -> Estimate | None:
    """The blind floor of a score by a judge; `None` for a judge that is no rule."""
    return find(result, METRIC, {"score": score, "judge": where.get("judge"), "rubric": where.get("rubric")})


def is_smoke(estimates: Sequence[Estimate], judge: Json) -> bool:
    """Whether a judge's marks are a smoke test: a fixed reply has more than a third of the range of one of them."""
    floors = (each for each in estimates if each.metric == METRIC and each.slice["judge"] == judge)
    return any(each.value is not None and each.value > _MOST for each in floors)


def named_judge(result: Result, judge: Json) -> str:
    """The name of a judge, with the words "smoke test" where its marks are one."""
    return f"{judge}{SMOKE if is_smoke(result.estimates, judge) else ''}"
