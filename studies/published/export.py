"""Results for other programs: one row or one object per claim."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO

from studies.published.check import Result
from veridical.records import Json

COLUMNS = (
    "id", "paper", "place", "quote", "compares", "verdict", "condition", "certainty", "consequence", "items",
    "failing", "example", "stated", "computed", "difference", "cause", "doubt", "lesson", "answer",
)  # fmt: skip
"""Columns of the CSV; `failing` counts the items that made the verdict, the next four are of the one furthest off."""


def as_csv(results: Sequence[Result]) -> str:
    """The results as CSV with a head, one row per claim."""
    text = StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_row(result) for result in results)
    return text.getvalue()


def as_json(result: Result) -> dict[str, Json]:
    """A result with its items: of each what is stated, what each reading gives, and its verdict."""
    items: list[Json] = [
        {
            "subject": item.subject,
            "stated": item.stated,
            "verdict": item.verdict,
            "readings": {name: outcome.computed for name, outcome in item.outcomes.items()},
            "fits": [name for name, outcome in item.outcomes.items() if outcome.fits],
            "by_n": None if item.by_n is None else item.by_n.computed,
        }
        for item in result.items
    ]
    return _row(result) | {"items": items}


def _row(result: Result) -> dict[str, Json]:
    claim, example = result.claim, result.example
    return {
        "id": claim.id, "paper": claim.paper, "place": claim.place, "quote": claim.quote,
        "compares": result.compares, "verdict": result.verdict, "condition": result.condition,
        "certainty": claim.certainty, "consequence": claim.consequence, "items": len(result.items),
        "failing": len(result.failing), "example": example.subject, "stated": example.stated,
        "computed": example.computed, "difference": result.gap, "cause": result.cause, "doubt": result.doubt,
        "lesson": claim.lesson, "answer": claim.answer,
    }  # fmt: skip
