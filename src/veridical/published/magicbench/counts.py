"""Whole counts behind printed means and rates: scores are whole numbers from 0 to 10, printed × 10."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from veridical.published.magicbench.layout import METRICS, PAPER, TYPES, videos
from veridical.published.printed import Sheet
from veridical.published.ranges import exact
from veridical.published.replicate import Check, Finding
from veridical.stats.intervals import wilson

CELLS = Check(
    paper=PAPER,
    place="Table 7",
    claim="Each score is the mean of whole judge scores over the videos of its type, times 10.",
    computation="Sums of whole scores over 91, 83 or 82 videos that round to the printed digits. Type A is left out: "
    "with 146 videos, every number with one decimal is possible.",
    consequence=3,
    cause="Videos without a readable answer or verdict were dropped from the denominator, or several runs were "
    "averaged without saying so.",
    doubt="It assumes whole scores, as the judge's prompt asks for, and one run per video.",
    instead="Unanswered trials stay in the denominator; every table shows planned and asked trials and each status.",
)
ABLATION = Check(
    paper=PAPER,
    place="Table 4",
    claim="Each score is the mean over 50 videos.",
    computation="Sums of whole scores over 50 videos, × 10 / 50, that round to the printed digits.",
    consequence=4,
    cause="The rows are from different samples.",
)
INTERVENTIONS = Check(
    paper=PAPER,
    place="Sections 4.3 and 5.3",
    claim="Marking or magnifying the critical region restores CPA on 60 and on 20 selected failures.",
    computation="Sums of whole scores over 60 or 20 videos, × 10 / n, that round to the printed digits.",
    consequence=3,
    cause="The numbers of videos differ from those stated, or the scores are means over several runs. Besides, the "
    "videos were selected for a low score in one condition, so a second measurement rises without any intervention.",
)
VETO = Check(
    paper=PAPER,
    place="Table 2",
    claim="The judges' rates and mean scores over 20 cases.",
    computation="Whole counts of 20 cases, and sums of whole scores over 20 cases, that round to the printed digits.",
    consequence=4,
    cause="The figures are from different samples.",
)
RECALL = Check(
    paper=PAPER,
    place="Appendix B",
    claim="Frames of the critical moment were found in 59 of 60 videos.",
    computation="The rate, and its Wilson interval at 95 %.",
    consequence=4,
    cause="A different interval was computed.",
)
SHARE = Check(
    paper=PAPER,
    place="Section 3.3",
    claim="The human validation covers a fifth of the videos.",
    computation="Samples divided by videos.",
    consequence=4,
    cause="The sample belongs to another state of the set.",
)


def findings() -> Iterator[Finding]:
    """Findings of this module's checks."""
    text = Sheet(PAPER, "text")
    yield from _cells()
    ablation = Sheet(PAPER, "4")
    size = int(ablation.text("all", "N"))
    for row in ablation.rows():
        if row != "all":
            yield ABLATION.whole(row, ablation.text(row, "CPA (%)"), size, 10)
    for what in ("spatial prompting, Qwen2.5-VL-72B", "magnification"):
        for when in ("before", "after"):
            score, cases = text.text(what, f"CPA {when}"), int(text.text(what, "cases"))
            yield INTERVENTIONS.whole(f"{what}, {when}", score, cases, 10)
    judges = Sheet(PAPER, "2")
    cases = int(judges.text("all", "N"))
    for row in ("Vanilla GPT-4o (No PCS)", "PCS-Grounded (Ours)"):
        yield VETO.whole(f"{row}, FPR", judges.text(row, "FPR"), cases)
        yield VETO.whole(f"{row}, mean score", judges.text(row, "Avg. Score (of 10)"), cases, 1)
    yield from _audit(text)


def _cells() -> Iterator[Finding]:
    sheet, size = Sheet(PAPER, "7"), videos()
    for group in sheet.groups():
        for row in sheet.rows(group):
            for metric in METRICS:
                for kind in TYPES[1:]:
                    score = sheet.text(row, f"{metric} / {kind}", group)
                    yield CELLS.whole(f"{group}, {row}, {metric}, Type {kind}", score, size[kind], 10)


def _audit(text: Sheet) -> Iterator[Finding]:
    captured, total = (int(text.text("frame audit", name)) for name in ("captured", "videos"))
    yield RECALL.number("recall", text.text("frame audit", "recall"), exact(Fraction(100 * captured, total)))
    bounds = wilson(captured / total, total)
    for end, bound in (("low", bounds.low), ("high", bounds.high)):
        if bound is not None:
            stated = text.text("frame audit", f"95% interval / {end}")
            yield RECALL.number(f"interval, {end}", stated, exact(100 * Fraction(bound)))
    samples = int(text.text("human validation", "samples"))
    share = exact(Fraction(100 * samples, sum(videos().values())))
    yield SHARE.number("human validation", text.text("human validation", "share of the videos"), share)
