"""Which options were chosen, and replies that rules and judge read unlike."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from veridical.judges import judged
from veridical.suite.results import Cell, Result, Table
from veridical.suites.viabench.analysis.replies import plain, replies
from veridical.suites.viabench.asking.marking import BY_FORM, GRADE
from veridical.suites.viabench.asking.readers import CHOICE

_KINDS = {
    "gold": "True",
    "usual": "Usual, wrong",
    "opposite": "Opposite",
    "near": "Beside the truth",
    "other": "Other",
    "unsure": "Not Sure",
}
_MOST, _WIDTH = 40, 90


def choices(results: Sequence[Result]) -> Table:
    """How often each kind of option is chosen, on unusual and on ordinary pictures."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        chosen = plain(replies(result.outcomes))[0]
        for (variant,), within in chosen.group_by("variant", maintain_order=True):
            counts = dict(within["kind"].drop_nulls().value_counts().iter_rows())
            cells = [int(counts.get(kind, 0)) for kind in _KINDS]
            rows.append((result.model, str(variant), *cells, within["kind"].null_count(), len(within)))
    heads = ("Model", "Pictures", *_KINDS.values(), "No answer", "Replies")
    note = "Replies by the kind of option chosen. Usual, wrong: the answer that common sense or the illusion suggests."
    return Table("viabench-choices", "Which option is chosen", note, heads, tuple(rows))


def disagreements(results: Sequence[Result]) -> Table:
    """Replies that the rules read as right and a judge calls wrong, or the other way round, the first forty."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        each = judged(result.evidence, GRADE, "correct").filter(pl.col("rubric") == BY_FORM[CHOICE].name)
        right = pl.col("correct").fill_null(value=False).cast(pl.Float64)
        unlike = each.drop_nulls("verdict").filter(right != pl.col("verdict"))
        for row in unlike.iter_rows(named=True):
            by_rules = "right" if row["correct"] else f"wrong ({row['answer'] or row['reason']})"
            verdict = "right" if row["verdict"] else "wrong"
            text = " ".join(str(row["text"]).split())
            shown = text if len(text) <= _WIDTH else f"… {text[-_WIDTH:]}"
            rows.append((result.model, row["trial"], row["repeat"], row["judge"], by_rules, verdict, shown))
    first = f", the first {_MOST}" if len(rows) > _MOST else ""
    note = f"Each is a defect of one of the two. {len(rows):,} in all{first}."
    heads = ("Model", "Trial", "Repeat", "Judge", "Rules", "Judge says", "Reply")
    return Table("viabench-unlike", "Rules and judge disagree", note, heads, tuple(rows[:_MOST]))
