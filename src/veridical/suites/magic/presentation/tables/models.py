"""Models by size and group, and how far judges agree."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.judges import judge_tables
from veridical.records import Estimate
from veridical.suite.results import Cell, Result, Table, find
from veridical.suites.magic.analysis.measures import MEASURES
from veridical.suites.magic.asking.grading import GRADE
from veridical.suites.magic.presentation.markers import judged, judges, marker
from veridical.suites.magic.presentation.tables.healing import self_heal


def sizes(results: Sequence[Result]) -> Table:
    """The main figures by group and size, where a file of models states them."""
    stated = [each for each in results if each.about and (each.about.size is not None or each.about.group)]
    rows = [
        (
            about.group,
            about.family,
            about.size,
            result.model,
            find(result, "magiscore f1", {}),
            judged(result, judges(result)[0], "short"),
            find(result, "accuracy", {}),
            find(result, "stepsense", {}),
            self_heal(result),
        )
        for result in sorted(stated, key=_place)
        if (about := result.about) is not None
    ]
    note = "Group, family and size as the file of models states them. Heals: prefilled, by the first judge."
    heads = ("Group", "Family", "Size, B", "Model", "F1 of boxes", "Short", "Reader", "StepSense", "Heals")
    return Table("magic-sizes", "By size and group", note, heads, tuple(rows))


def _place(result: Result) -> tuple[str, str, float]:
    about = result.about
    return ("", "", 0.0) if about is None else (about.group or "", about.family or "", about.size or 0.0)


def agreement(results: Sequence[Result]) -> Table:
    """Kappa of each judge with the reader and with each other judge."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        own: list[Estimate] = [each for each in result.estimates if each.metric == "agreement"]
        rows += [
            (
                result.model,
                *(str(each.slice["rubric"]), str(each.slice["judge"])),
                marker(each.slice["against"]) or "reader",
                each,
            )
            for each in own
        ]
    note = "Cohen's kappa: 1 is full agreement, 0 that of chance. The reader marks by rule or exact match."
    return Table(
        "magic-agreement", "Do judges agree?", note, ("Model", "Rubric", "Judge", "With", "Kappa"), tuple(rows)
    )


def by_judge(results: Sequence[Result]) -> list[Table]:
    """How often pairs of judges give the same verdict."""
    marked = [result for result in results if judges(result) != [None] and GRADE.name in result.evidence.stages]
    return judge_tables(marked, GRADE, "right", "short accuracy", MEASURES["short accuracy"])[1:]
