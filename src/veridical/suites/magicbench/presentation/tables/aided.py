"""Interventions on the picture: the same failures with no aid, a ring, a placebo ring, magnified, or more frames."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.records import Json
from veridical.suite.results import Cell, Result, Table, find
from veridical.suites.magicbench.asking.aids import AIDS, NONE, PLACEBO, RING
from veridical.suites.magicbench.asking.ring import AID, CHOSEN
from veridical.suites.magicbench.presentation.marking import by_judge, judge_name

LEVELS = ("discrepant", "failed", "every")
CHOICES = {
    "discrepant": "bad with words, good without",
    "failed": "bad with words",
    "every": "all with words",
}
NAMES = {
    "none": "asked again, no aid",
    "ring": "ring",
    "placebo": "placebo ring",
    "magnified": "magnified",
    "dense": "more frames",
}


def aids(results: Sequence[Result]) -> Table:
    """CPA of the chosen items with each aid, and what the aid does beyond asking again."""
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        for level in LEVELS:
            for aid in AIDS:
                where: dict[str, Json] = {"score": "cpa", CHOSEN: level, AID: aid, **judge}
                each = find(result, "aided marks", where)
                if each is None:
                    continue
                again = {key: value for key, value in where.items() if key != AID}
                since = find(result, "recovery with regression", where) if aid != NONE else None
                regressed = find(result, "regression to the mean", again) if aid == NONE else None
                effect = find(result, "effect of an aid", {**where, "against": NONE}) if aid != NONE else None
                own = find(result, "effect of an aid", {**where, "against": PLACEBO}) if aid == RING else None
                tests = (effect, effect.p if effect else None, own, own.p if own else None)
                rows.append(
                    (
                        result.model,
                        judge_name(result, judge),
                        CHOICES[level],
                        NAMES[aid],
                        each,
                        since or regressed,
                        *tests,
                    )
                )
    note = (
        "CPA of 100. Items are chosen because their marks were bad, so that they do better when asked again, with no "
        "aid at all: regression to the mean, the change of the row without an aid. Since chosen has that in it; beyond "
        "asking again, and beyond the placebo ring, do not. In points, on the same items."
    )
    heads = ("Model", "Judge", "Items", "Frames", "CPA", "Since chosen", "Beyond asking again", "p, again")
    columns = (*heads, "Beyond the placebo", "p, placebo")
    return Table("magicbench-aids", "Does it help to point?", note, columns, tuple(rows))
