"""Agreement of the judge with people: averages of correlations, and claims on them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from veridical.published.magicbench.layout import METRICS, PAPER
from veridical.published.printed import Sheet
from veridical.published.ranges import Range, exact, mean
from veridical.published.replicate import Check, Finding

OURS, CLAUDE = "Human vs. GPT-4o", "Human vs. Claude"

AVERAGES = Check(
    paper=PAPER,
    place="Table 6",
    claim="The last row averages the three correlations.",
    computation="Plain mean, and mean on Fisher's scale; one of the two must fit.",
    consequence=4,
    cause="The average belongs to another state of the cells.",
)
QUOTED = Check(
    paper=PAPER,
    place="Table 6 caption, Section 3.3, Appendix A, Limitations",
    claim="The correlations quoted outside the cells of the table.",
    computation="The cell, rounded to the digits quoted.",
    consequence=4,
    cause="Truncated to two digits, not rounded.",
)
FLOOR = Check(
    paper=PAPER,
    place="Appendix A",
    claim="All three correlations of GPT-4o with people are above 0.86.",
    computation="Cells of Table 6.",
    consequence=4,
    cause="",
)


def findings() -> Iterator[Finding]:
    """Findings of this module's checks."""
    sheet, text = Sheet(PAPER, "6"), Sheet(PAPER, "text")
    for pair in (OURS, CLAUDE, "GPT-4o vs. Claude"):
        cells = [sheet.value(metric, pair) for metric in METRICS]
        readings = {"plain": mean(cells), "on Fisher's scale": _by_fisher(cells)}
        yield AVERAGES.average(pair, sheet.text("Average", pair), readings)
    people, claude = (mean(sheet.value(metric, pair) for metric in METRICS) for pair in (OURS, CLAUDE))
    for where, stated, value in (
        ("average, caption", sheet.text("Average in the caption", OURS), people),
        ("average, Section 3.3", text.text("GPT-4o and people", "r"), people),
        ("average, Limitations", text.text("judge and people", "r"), people),
        ("average of Claude, Section 3.3", text.text("Claude-3.5-Sonnet and people", "average r"), claude),
        ("CPA, Appendix A", text.text("GPT-4o and people, CPA", "r"), sheet.value("CPA", OURS)),
        ("CPA of Claude, Appendix A", text.text("Claude-3.5-Sonnet and people, CPA", "r"), sheet.value("CPA", CLAUDE)),
    ):
        yield QUOTED.number(where, stated, value)
    floor = exact(text.text("GPT-4o and people, each metric", "r above"))
    yield FLOOR.every("metrics", [sheet.value(metric, OURS).above(floor) for metric in METRICS])


def _by_fisher(cells: list[Range]) -> Range:
    """The mean of correlations on the scale of arctanh, where they are nearly normal."""
    lows, highs = (
        [math.atanh(float(end)) for end in ends] for ends in zip(*((c.low, c.high) for c in cells), strict=True)
    )
    return Range(*(Fraction(math.tanh(sum(ends) / len(ends))) for ends in (lows, highs)))
