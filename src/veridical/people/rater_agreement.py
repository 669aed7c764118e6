"""How far the people of a study agree, by field, while it goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from veridical.people.study import LastVote
from veridical.records import Json
from veridical.stats import cohen_kappa, krippendorff_alpha
from veridical.stats.resample import Statistic

Scale = Literal["nominal", "interval"]


class FieldAgreement(NamedTuple):
    """The agreement of people about one field: Cohen's kappa of two, Krippendorff's alpha of more, or of numbers."""

    field: str
    people: int
    statistic: Statistic


def agreement_of(agreed: Mapping[str, Scale], by_item: Sequence[Sequence[LastVote]]) -> list[FieldAgreement]:
    """The agreement about each field that the task names, else about each field of which one option is taken.

    Votes of thirds do not count, who are asked only where others differ. Items of one group are one unit.
    """
    ratings: dict[str, list[tuple[int, LastVote]]] = {}
    for place, votes in enumerate(by_item):
        for vote in votes:
            for name in () if vote.third else agreed or vote.hidden["choices"]:
                if vote.answer.get(name) is not None:
                    ratings.setdefault(name, []).append((place, vote))
    return [_agreement(name, agreed.get(name, "nominal"), rated) for name, rated in sorted(ratings.items())]


def _agreement(name: str, scale: Scale, rated: Sequence[tuple[int, LastVote]]) -> FieldAgreement:
    people = {person: row for row, person in enumerate(sorted({vote.person for _, vote in rated}))}
    column = {place: index for index, place in enumerate(sorted({place for place, _ in rated}))}
    codes: dict[str, float] = {}
    table = np.full((len(people), len(column)), np.nan)
    units = [""] * len(column)
    for place, vote in rated:
        row, value = people[vote.person], vote.answer[name]
        table[row, column[place]] = _number(value) if scale == "interval" else codes.setdefault(str(value), len(codes))
        units[column[place]] = str(vote.hidden["group"])
    if scale == "nominal" and len(people) == 2:
        both = ~np.isnan(table).any(0)
        statistic = cohen_kappa(*table[:, both], units=np.asarray(units)[both])
    else:
        statistic = krippendorff_alpha(table, scale, units=units)
    return FieldAgreement(name, len(people), statistic)


def _number(value: Json) -> float:
    """A value on a scale as a number; options of a scale are numbers as text; NaN, which is left out, for any other."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")
