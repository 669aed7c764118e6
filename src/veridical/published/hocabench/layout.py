"""Labels of HOCA-Bench's tables, and the numbers of videos of each kind inferred from its rates."""

from __future__ import annotations

from functools import cache

from veridical.published.granularity import sizes
from veridical.published.printed import Sheet

PAPER = "hocabench"
MAIN = "2"
TASKS = ("Task II", "Task III", "Task IV")
COUNTED = ("Task II", "Task III")
"""The tasks whose score is a share of correct answers."""
KINDS = {"Onto.": "ontological", "Caus.": "causal"}
REFERENCES = ("Random", "Human")


def models() -> list[str]:
    """The rows of the main table that are models, in printed order; `(T)` marks the thinking mode."""
    return [row for row in Sheet(PAPER, MAIN).rows() if row not in REFERENCES]


def pairs() -> list[tuple[str, str]]:
    """The models with both modes: the row of the instruct mode, and that of the thinking mode."""
    rows = models()
    return [(row, f"{row} (T)") for row in rows if f"{row} (T)" in rows]


def single_anomaly() -> int:
    """The number of synthetic videos with one anomaly."""
    return int(Sheet(PAPER, "text").text("single-anomaly", "videos"))


@cache
def allowed(kind: str) -> tuple[int, ...]:
    """Every number of videos, up to all with one anomaly, for which each accuracy of a kind is a whole count.

    >>> allowed("Onto."), allowed("Caus.")
    ((254, 508), (376, 624))
    """
    sheet = Sheet(PAPER, MAIN)
    rates = [sheet.text(row, f"{task} / {kind}") for row in models() for task in COUNTED]
    return tuple(sizes(rates, single_anomaly()))


def kind_sizes() -> dict[str, int]:
    """The only split into ontological and causal videos that fits the rates and the total.

    >>> kind_sizes()
    {'Onto.': 254, 'Caus.': 376}
    """
    total = single_anomaly()
    ((ontological, causal),) = [(n, m) for n in allowed("Onto.") for m in allowed("Caus.") if n + m == total]
    return {"Onto.": ontological, "Caus.": causal}
