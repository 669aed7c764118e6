"""How many clips pass each stage of annotation."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from veridical.records import PROPORTION, Counts, Estimate, Measure
from veridical.suite.evidence import Evidence
from veridical.suite.parts import AnalysisPart
from veridical.suite.rates import Slice
from veridical.suites.hocabench.annotate.design import NAME

_MEASURES = {
    "realistic": ("Realistic", "Clips that the filter calls realistic, of all."),
    "described": ("Captioned", "Frames with a caption, of those asked about."),
    "summarized": ("Summarized", "Clips with a summary, of those captioned."),
    "labeled": ("Labeled", "Clips whose labels validate, of those classified."),
    "approved": ("Approved", "Votes for the labels, of all votes."),
    "one right": (
        "One option right",
        "Clips of which most people find exactly one option right, whichever it is, of those checked.",
    ),
    "true alone": (
        "True option alone right",
        "Clips of which most people find the true option right and no other, of those checked.",
    ),
}
MEASURES = {
    name: Measure(title=title, definition=definition, unit=PROPORTION)
    for name, (title, definition) in _MEASURES.items()
}
_STAGES = {
    "realistic": ("filter", "yes"),
    "described": ("captions", None),
    "summarized": ("aggregate", None),
    "labeled": ("attribute", None),
    "approved": ("vote", "yes"),
}
"""The stage of each measure, and the answer that counts; `None` for any."""


def estimates(evidence: Evidence) -> list[Estimate]:
    """The share of each stage whose reply counts; of a stage that was not asked, nothing."""
    made = []
    for metric, (stage, counting) in _STAGES.items():
        rows = evidence.outcomes(stage)
        if stage == "vote":  # What somebody was not shown is no vote.
            rows = rows.filter(pl.col("status").is_not_null())
        if rows.is_empty():
            continue
        wanted = pl.col("status") == "answered"
        if counting is not None:
            wanted &= pl.col("answer") == counting
        marked = rows.with_columns(wanted.fill_null(value=False).cast(pl.Float64).alias("counts"))
        made.append(Slice(NAME, {}, marked, Counts.of(rows)).rate(metric, "counts", "of all"))
    return [*made, *_checked(evidence)]


def _checked(evidence: Evidence) -> Iterator[Estimate]:
    """What most people find of the options of each clip that was shown to somebody; a tie counts as no."""
    rows = evidence.outcomes("check").filter(pl.col("status").is_not_null())
    if rows.is_empty():
        return
    votes = {
        "one right": pl.col("answer").str.contains(r"^[A-Z]$").fill_null(value=False),
        "true alone": pl.col("correct").fill_null(value=False),
    }
    answered = (pl.col("status") == "answered").sum()
    shares = {metric: (2 * vote.sum() > answered).cast(pl.Float64) for metric, vote in votes.items()}
    clips = rows.group_by("unit", "family", maintain_order=True).agg(**shares)
    for metric in votes:
        yield Slice(NAME, {}, clips, Counts.of(rows)).rate(metric, metric, "most people, clip by clip")


ANALYSIS = AnalysisPart(measures=MEASURES, estimates=estimates, headline=tuple(MEASURES), slices=())
