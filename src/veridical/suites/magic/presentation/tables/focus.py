"""The paper's Table 2, boxes beside chance and in their other readings, and accuracy by focus."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.records import Json
from veridical.suite.results import Cell, Result, Table, find
from veridical.suites.magic.analysis.magiscore import ALL, BINS, MICRO, PARTS, RANDOM, SILENT
from veridical.suites.magic.asking.readers import WITHOUT_EXCLUDED
from veridical.suites.magic.presentation.markers import judged, judges, marker

HEADS = tuple(f"{part} {average}" for average in ("macro", "micro") for part in ("P", "R", "F1"))


def main(results: Sequence[Result]) -> Table:
    """The paper's Table 2, with a row for each judge of answers, and the rows of chance below each run's."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        focus = [find(result, f"magiscore {part}", where) for where in ({}, MICRO) for part in PARTS]
        about = result.about
        own = (about.size if about else None, None if about is None else _thinks(about.thinking))
        for judge in judges(result):
            answers = (judged(result, judge, "full"), judged(result, judge, "short"), find(result, "accuracy", {}))
            if any((*focus, *answers)):
                rows.append((result.model, *own, judge, *answers, *focus))
    for result in results[:1]:
        for name in (ALL, RANDOM):
            drawn = [
                find(result, f"chance {part}", {"chance": name, **where}) for where in ({}, MICRO) for part in PARTS
            ]
            if any(drawn):
                label = name if name == ALL else f"{name}, as many as {result.model}"
                rows.append((label, *[None] * 6, *drawn))
    note = (
        "Full, short: answers by a judge; reader: by rule on our scenes, by exact match otherwise. Boxes that a "
        "rationale mentions against the relevant ones: precision, recall and F1, as means over questions (macro) and "
        "from the counts of all (micro). A reply that mentions none scores 0. Last rows: all boxes, and as many as the "
        "first run mentions."
    )
    heads = ("Model", "Size, B", "Thinks", "Judge", "Full", "Short", "Reader", *HEADS)
    return Table("magic-main", "Answers and focus", note, heads, tuple(rows))


def _thinks(thinking: bool | None) -> str | None:
    return {None: None, True: "yes", False: "no"}[thinking]


def readings(results: Sequence[Result]) -> Table:
    """The readings that the paper leaves open, and boxes that do not exist."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        precision, _, f1 = (f"magiscore {part}" for part in PARTS)
        other: dict[str, Json] = {"boxes": WITHOUT_EXCLUDED}
        cells = [find(result, metric, where) for where in ({}, SILENT, other) for metric in (precision, f1)]
        if any(cells):
            rest = tuple(find(result, name, {}) for name in ("mentions boxes", "mentions every box", "boxes beyond"))
            rows.append((result.model, *cells, *rest))
    note = (
        "Macro precision and F1. Silent: replies that mention no box score 0, or are left out; excluded: boxes "
        "named only to be excluded count, or do not. Beyond: a box that the picture does not have is mentioned."
    )
    heads = ("Model", "P", "F1", "P, silent left out", "F1, silent left out", "P, excluded left out")
    return Table(
        "magic-readings",
        "Focus in other readings",
        note,
        (*heads, "F1, excluded left out", "Mentions a box", "Mentions all", "Beyond"),
        tuple(rows),
    )


def by_focus(results: Sequence[Result]) -> Table:
    """Accuracy in each bin of the F1 of boxes, with the slope."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for each in result.estimates:
            if each.metric == "focus slope" and set(each.slice) == {"by"}:
                by = each.slice["by"]
                cells = [find(result, "accuracy by focus", {"focus": name, "by": by}) for name in BINS]
                rows.append((result.model, marker(by), *cells, each, each.p))
    note = (
        "Right answers by the F1 of the boxes mentioned. Slope: points of accuracy for 10 points of F1, within "
        "question types; p by flipping the signs of whole scenes. It is no effect: easy questions may have both. "
        "No judge: by the reader."
    )
    heads = ("Model", "Judge", *(f"F1 {name}" for name in BINS), "Slope", "p")
    return Table("magic-by-focus", "Accuracy by focus", note, heads, tuple(rows))


def types(results: Sequence[Result]) -> Table:
    """Answers, focus, StepSense and healing by question type."""
    from veridical.suites.magic.presentation.tables.healing import by_type
    from veridical.suites.magic.stimuli import QUESTION_TYPES

    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for name in QUESTION_TYPES:
            where: dict[str, Json] = {"category": name}
            answers = (judged(result, judges(result)[0], "short", **where), find(result, "accuracy", where))
            focus = [find(result, f"magiscore {part}", where) for part in PARTS]
            chance = find(result, "chance f1", {"chance": ALL, **where})
            cells = (*answers, *focus, chance, find(result, "stepsense", where), by_type(result, name))
            if any(cells):
                rows.append((result.model, name, *cells))
    note = (
        "Short: by the first judge. F1 of all boxes: what mentioning every box comes to. Heals: wrong prefixes of all "
        "kinds, prefilled, with the request to correct where it was made."
    )
    heads = ("Model", "Type", "Short", "Reader", "P", "R", "F1", "F1 of all boxes", "StepSense", "Heals")
    return Table("magic-types", "By question type", note, heads, tuple(rows))
