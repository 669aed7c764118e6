"""The paper's Tables 3 and 4: finding when something is wrong, and naming several anomalies at a time."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.records import Json
from veridical.suite.find import find, named
from veridical.suite.results import Cell, Result, Table

THRESHOLDS = tuple(k / 10 for k in range(1, 10))
"""The intersections over union from which an interval counts as found, for the recall curve."""
_CHANCE = "best fixed interval"


def grounding(results: Sequence[Result]) -> Table:
    """The paper's Table 3, with the recall at every threshold and what the best fixed interval gives."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        whole = find(result, "mean iou", {})
        if whole is None:
            continue
        rows.append((result.model, whole, *_recalls(result, "recall at iou"), whole.counts))
        levels = named(result, "grounding")
        rows += [(f"{result.model}, {level}", find(result, "mean iou", {"grounding": level})) for level in levels]
        fixed = find(result, "mean iou chance", {})
        if fixed:
            rows.append((f"{_CHANCE}, {result.model}", fixed, *_recalls(result, "recall at iou chance"), None))
    width = len(THRESHOLDS) + 3
    filled = tuple((*row, *[None] * (width - len(row))) for row in rows)
    note = (
        "IoU: intersection over union of the seconds answered and the seconds that are odd, of several intervals of "
        "their unions; mIoU is its mean. R@0.5: the share of questions with an IoU of at least 0.5. The best fixed "
        "interval is one answer to all questions, chosen on the other clips."
    )
    heads = ("Model", "mIoU", *(f"R@{each:.1f}" for each in THRESHOLDS), "Trials")
    return Table("hocabench-grounding", "When is it odd?", note, heads, filled)


def _recalls(result: Result, metric: str) -> list[Cell]:
    return [find(result, metric, {"iou": each}) for each in THRESHOLDS]


def several(results: Sequence[Result]) -> Table:
    """The paper's Table 4: sets of sub-types, or of domains, named by a model."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for over in ("sub-types", "domains"):
            places: list[tuple[str, dict[str, Json]]] = [
                ("set f1", {"over": over, "average": average}) for average in ("micro", "macro", "clips")
            ]
            cells = [find(result, *place) for place in (*places, ("exact match", {"over": over}))]
            whole = cells[0]
            if any(cells):
                rows.append((result.model, over, *cells, whole.counts if whole else None))
    note = (
        "Clips with two or three anomalies at a time. F1 of the sets answered: micro counts all names, macro is "
        "the mean over sub-types or domains, by clips the mean over clips. Exact: the whole set is right."
    )
    heads = ("Model", "Of", "F1, micro", "F1, macro", "F1, by clips", "Exact", "Trials")
    return Table("hocabench-several", "Several anomalies at a time", note, heads, tuple(rows))
