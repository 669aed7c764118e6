"""The judge's marks of single replies: rubric, worked example and case study."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.published.hocabench.layout import PAPER
from veridical.published.printed import Sheet
from veridical.published.ranges import Range, exact
from veridical.published.replicate import Check, Finding

PARTS = ("Scene", "Anomaly", "Process", "Reasoning")

RUBRIC = Check(
    paper=PAPER,
    place="Appendix B.8",
    claim="The marks of the rubric add up, to 100 and within the scene.",
    computation="Sums of the parts.",
    consequence=4,
    cause="",
)
WORKED = Check(
    paper=PAPER,
    place="Appendix B.8",
    claim="A reply that explains by tautology loses 10 of the marks for reasoning.",
    computation="Full marks minus the deduction, compared with the worked example of such a reply.",
    consequence=3,
    cause="The example follows a stricter rule than the stated one, so the judge has two rules to choose from.",
)
TOTALS = Check(
    paper=PAPER,
    place="Appendix B.9",
    claim="The score of a reply is the sum of its four marks.",
    computation="Sum of the marks printed with it.",
    consequence=3,
    cause="The judge gave only the parts and the totals were written by hand, or they belong to another verdict; a "
    "mean over such scores carries the error into Task IV.",
)


def findings() -> Iterator[Finding]:
    """Findings of this module's checks."""
    sheet = Sheet(PAPER, "marks")
    full = {part: _mark(sheet, "Rubric", part) for part in PARTS}
    yield RUBRIC.exactly("all parts", sheet.text("Rubric", "Total"), _sum(list(full.values())))
    scene = [_mark(sheet, "Rubric", f"Scene / {part}") for part in ("entity", "action", "outcome")]
    yield RUBRIC.exactly("scene", sheet.text("Rubric", "Scene"), _sum(scene))
    (example,) = sheet.rows("worked example")
    left = full["Reasoning"] + _mark(sheet, "Rubric", "Reasoning / deduction for a tautology")
    yield WORKED.exactly(example, sheet.text(example, "Reasoning"), left)
    for row in sheet.rows("case study"):
        total = _sum([_mark(sheet, row, part) for part in PARTS])
        yield TOTALS.exactly(row, sheet.text(row, "Total"), total)


def _mark(sheet: Sheet, row: str, part: str) -> Range:
    return exact(sheet.text(row, part))


def _sum(parts: list[Range]) -> Range:
    return sum(parts[1:], parts[0])
