"""Which units a report shows: whole ones, trouble first, every family represented."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
import polars as pl

from veridical.report.runs import is_score

_TIERS = 5
_FLAGS = ("failed", "wrong", "disagree", "asked")


@dataclass(frozen=True, slots=True)
class ReportUnit:
    """A unit: the stimuli made from it by id, and what happened on any of them in any run.

    `failed`: a trial was asked and not answered; `wrong`: an answer is not correct; `disagree`: two runs answer one
    trial differently; `split`: two judges give one reply different scores or answers; `asked`: any trial was asked.
    """

    name: str
    family: str
    stimuli: tuple[str, ...]
    failed: bool
    wrong: bool
    disagree: bool
    asked: bool
    split: bool = False

    @property
    def tier(self) -> int:
        """0 where judges disagree, 1 for a failure, 2 for a wrong answer or models that disagree, 3 for other replies.

        4 where nothing was asked.
        """
        return (self.split, self.failed, self.wrong or self.disagree, self.asked, True).index(True)


def units_of(outcomes: pl.DataFrame, split: Set[str] = frozenset()) -> list[ReportUnit]:
    """The units in an outcome table of one or several runs, in order of appearance, stimuli likewise.

    Those in `split` have replies on which judges disagree.
    """
    answered = (pl.col("status") == "answered").fill_null(value=False)
    answers = pl.col("answer").filter(answered)
    several = outcomes.select(pl.struct("trial", "repeat").n_unique()).item() < len(outcomes)
    disagree = answers.n_unique().over("trial", "repeat") > 1 if several else pl.lit(value=False)
    per_unit = (
        outcomes.with_columns(
            failed=(pl.col("status") != "answered").fill_null(value=False),
            wrong=answered & pl.col("correct").eq(other=False).fill_null(value=False),
            asked=pl.col("status").is_not_null(),
            disagree=disagree,
        )
        .group_by("unit", maintain_order=True)
        .agg(pl.col("family").first(), pl.col("stimulus").unique(maintain_order=True), pl.col(*_FLAGS).any())
    )
    return [
        ReportUnit(
            name=row["unit"],
            family=row["family"],
            stimuli=tuple(row["stimulus"]),
            split=row["unit"] in split,
            **{flag: row[flag] for flag in _FLAGS},
        )
        for row in per_unit.iter_rows(named=True)
    ]


def split_units(verdicts: pl.DataFrame) -> set[str]:
    """The units of a stage of several models, such as judges, with a reply about which these say different things."""
    answered = verdicts.filter(pl.col("status") == "answered")
    differ = _content(answered).n_unique().over("trial", "repeat") > 1
    return set(answered.filter(differ)["unit"])


def _content(outcomes: pl.DataFrame) -> pl.Expr:
    """What a reply says: its scores if it has any, since verdicts give reasons in their own words, else its answer."""
    scores = [pl.col(name) for name in outcomes.columns if is_score(name)]
    if not scores:
        return pl.col("answer")
    scored = pl.any_horizontal(score.is_not_null() for score in scores)
    return pl.when(scored).then(pl.struct(scores).struct.json_encode()).otherwise("answer")


def order_units(units: Iterable[ReportUnit], seed: int) -> list[ReportUnit]:
    """All units, tier by tier; inside a tier shuffled with the seed, the families taking turns."""
    pool = list(units)
    ordered: list[ReportUnit] = []
    for tier in range(_TIERS):
        members = [unit for unit in pool if unit.tier == tier]
        families: dict[str, list[ReportUnit]] = {}
        for index in np.random.default_rng((seed, tier)).permutation(len(members)):
            families.setdefault(members[index].family, []).append(members[index])
        ordered += [unit for turn in zip_longest(*families.values()) for unit in turn if unit is not None]
    return ordered


def first_units(units: Sequence[ReportUnit], items: int) -> list[ReportUnit]:
    """The longest beginning of the units that holds at most so many items (stimuli), but at least one unit.

    >>> unit = ReportUnit("u", "f", ("O", "P"), failed=False, wrong=False, disagree=False, asked=True)
    >>> len(first_units([unit] * 5, 7)), len(first_units([unit] * 5, 1))
    (3, 1)
    """
    ends = np.cumsum([len(unit.stimuli) for unit in units])
    return list(units[: max(1, int(np.searchsorted(ends, items, side="right")))])
