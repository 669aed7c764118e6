"""Relations between focus on regions, answers, and model size."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise, product
from statistics import NormalDist

from veridical.published.printed import Sheet
from veridical.published.ranges import Fact, Range, count, exact, mean
from veridical.published.relations import pearson, rank, tau
from veridical.published.replicate import Check, Finding

ANSWERS = ("Final Answer / Full", "Final Answer / Short")
FOCUS = ("MagiScore (Macro) / F1", "MagiScore (Micro) / F1")
SMALL, MEDIUM, LARGE = ("Small Open LVLM", "Medium Open LVLM", "Large Open LVLM")
QWEN = ("Qwen2.5-VL 7B", "Qwen2.5-VL 32B", "Qwen2.5-VL 72B")
LARGER = (
    ("InternVL 2.5-MPO 8B", "InternVL 2.5-MPO 26B"),
    ("Aya Vision 8B", "Aya Vision 32B"),
    ("Gemma 3 12B", "Gemma 3 27B"),
    *pairwise(QWEN),
)
"""Each model of Table 2 with the next larger one of its family."""

LINEAR = Check(
    paper="magic",
    place="Section 5",
    claim="Accuracy climbs almost linearly with the focus on relevant regions, which strongly indicates it.",
    computation="Pearson's r of each MagiScore F1 with each accuracy over the 15 models, and over those that the paper "
    "does not call an exception. Almost linear is read leniently: r² of at least one half.",
    consequence=1,
    cause="A tendency in a figure, among models of different families and sizes, was called linear; with so few "
    "models, the 95 % interval of each r includes 0.",
    doubt="The threshold of half the variance is ours; the paper gives none. The models are few and not a random "
    "sample.",
)
TENDENCY = Check(
    paper="magic",
    place="Section 5.2",
    claim="Models with a higher MagiScore tend to answer better.",
    computation="Kendall's τ over the 15 models must be above 0.",
    consequence=3,
    cause="",
)
MEDIUM_ANSWERS = Check(
    paper="magic",
    place="Section 5.2",
    claim="Medium models answer better than small ones, by full and by short answers.",
    computation="Mean over the five medium models compared with the mean over the five small ones; and over the three "
    "families that have both.",
    consequence=2,
    cause="Gains of Qwen2.5-VL and losses of InternVL 2.5-MPO cancel; the groups are not the same families.",
)
LARGE_ANSWERS = Check(
    paper="magic",
    place="Section 5.2",
    claim="Large models bring further gains in answers over medium ones.",
    computation="Mean over the three large open models compared with the mean over the five medium ones.",
    consequence=3,
    cause="",
)
MEDIUM_FOCUS = Check(
    paper="magic",
    place="Section 5.2",
    claim="Medium models focus better than small ones.",
    computation="Mean MagiScore F1 over the five models of each group.",
    consequence=3,
    cause="",
)
LARGE_FOCUS = Check(
    paper="magic",
    place="Sections 5 and 5.2",
    claim="Focus on regions emerges with size and keeps growing from medium to large models.",
    computation="Mean MagiScore F1 over the three large open models compared with that over the five medium ones.",
    consequence=2,
    cause="Llama 3.2 Vision 90B has one of the lowest scores; the groups are not the same families.",
    doubt="The paper claims gains in performance, in a paragraph on focus; for answers alone the statement holds, see "
    "below.",
)
FAMILIES = Check(
    paper="magic",
    place="Section 6",
    claim="Focus and answers improve with size.",
    computation="Of the five steps to the next larger model of a family in Table 2, more go up than not.",
    consequence=3,
    cause="",
)
QWEN_STEPS = Check(
    paper="magic",
    place="Section 5.2",
    claim="The three Qwen2.5-VL models rise with size.",
    computation="Both steps, for both accuracies and both MagiScores.",
    consequence=4,
    cause="",
)
QWEN_PEERS = Check(
    paper="magic",
    place="Section 5.2",
    claim="Qwen2.5-VL models usually focus worse than their peers.",
    computation="The MagiScore F1 of each compared with the mean of the other models of its group.",
    consequence=4,
    cause="The statement fits the two smaller models; of the large open ones, Qwen2.5-VL 72B has the best macro F1.",
)
GEMMA = Check(
    paper="magic",
    place="Section 5.2",
    claim="Gemma 3 12B beats Llama 3.2 90B both in focus and in short answers.",
    computation="Cells of Table 2, both MagiScores.",
    consequence=4,
    cause="",
)
EXHAUSTIVE = Check(
    paper="magic",
    place="Sections 5.2 and 5.3",
    claim="QvQ names all regions: high recall, low precision.",
    computation="Its rank among the 15 models is first in recall and one of the last two in precision.",
    consequence=4,
    cause="",
)
PERMISSIVE = Check(
    paper="magic",
    place="Section 4.2",
    claim="Short-answer accuracy is more permissive than full-answer accuracy.",
    computation="For each of the 15 models, it must be at least the full-answer accuracy.",
    consequence=4,
    cause="The two are judged separately, so a judge may accept the full answer only.",
)


def findings() -> Iterator[Finding]:
    """Findings of this module's checks."""
    sheet = Sheet("magic", "2")
    yield from _correlations(sheet)
    yield from _groups(sheet)
    yield from _families(sheet)
    yield from _single(sheet)


def _column(sheet: Sheet, column: str, rows: list[str]) -> list[Range]:
    return [sheet.value(row, column) for row in rows]


def _correlations(sheet: Sheet) -> Iterator[Finding]:
    every = sheet.rows()
    for answer, focus in product(ANSWERS, FOCUS):
        for name, rows in (("all", every), ("without Qwen2.5-VL", [row for row in every if row not in QWEN])):
            pair = _column(sheet, focus, rows), _column(sheet, answer, rows)
            subject, r, order = f"{focus} with {answer}, {name}", pearson(*pair), tau(*pair)
            half, shown = r.high > 0 and r.high**2 * 2 >= 1, f"r = {r.show(3)}, {_fisher(r, len(rows))}"
            yield LINEAR.holds(subject, "r² of at least 0.5", half, shown)
            yield TENDENCY.holds(subject, "τ above 0", order.above(exact(0)), f"τ = {order.show(2)}")


def _groups(sheet: Sheet) -> Iterator[Finding]:
    def compare(check: Check, column: str, subject: str, upper: list[str], lower: list[str]) -> Finding:
        high, low = mean(_column(sheet, column, upper)), mean(_column(sheet, column, lower))
        return check.holds(f"{column}, {subject}", "higher", high.above(low), f"{high.show(2)} against {low.show(2)}")

    small, medium, large = (sheet.rows(group) for group in (SMALL, MEDIUM, LARGE))
    both = [pair for pair in LARGER if pair[0] in small and pair[1] in medium]
    for column in ANSWERS:
        yield compare(MEDIUM_ANSWERS, column, "all models", medium, small)
        yield compare(
            MEDIUM_ANSWERS, column, "families in both groups", [up for _, up in both], [low for low, _ in both]
        )
        yield compare(LARGE_ANSWERS, column, "all models", large, medium)
    for column in FOCUS:
        yield compare(MEDIUM_FOCUS, column, "all models", medium, small)
        yield compare(LARGE_FOCUS, column, "all models", large, medium)


def _families(sheet: Sheet) -> Iterator[Finding]:
    for column in (*FOCUS, *ANSWERS):
        up = count(sheet.value(large, column).above(sheet.value(small, column)) for small, large in LARGER)
        most = up.high * 2 > len(LARGER)
        yield FAMILIES.holds(column, "more steps up than not", most, f"{up.show(0)} of {len(LARGER)} up")
    facts = [sheet.value(b, column).above(sheet.value(a, column)) for a, b in pairwise(QWEN) for column in ANSWERS]
    facts += [sheet.value(b, column).above(sheet.value(a, column)) for a, b in pairwise(QWEN) for column in FOCUS]
    yield QWEN_STEPS.every("steps of accuracy and MagiScore", facts)
    for model in QWEN:
        (group,) = (group for group in sheet.groups() if model in sheet.rows(group))
        peers = [row for row in sheet.rows(group) if row != model]
        for column in FOCUS:
            value, other = sheet.value(model, column), mean(_column(sheet, column, peers))
            shown = f"{sheet.text(model, column)} against {other.show(2)}"
            yield QWEN_PEERS.holds(f"{model}, {column}", "lower", other.above(value), shown)


def _single(sheet: Sheet) -> Iterator[Finding]:
    columns = (*FOCUS, "Final Answer / Short")
    better = [
        sheet.value("Gemma 3 12B", column).above(sheet.value("Llama 3.2 Vision 90B", column)) for column in columns
    ]
    yield GEMMA.every("both MagiScores and the short answers", better)
    rows = sheet.rows()
    for kind in ("Macro", "Micro"):
        for name in ("Precision", "Recall"):
            column = f"MagiScore ({kind}) / {name}"
            place = rank(sheet.value("QvQ 72B", column), _column(sheet, column, rows))
            wanted = place.low <= 1 if name == "Recall" else place.high >= len(rows) - 1
            statement = "first" if name == "Recall" else "one of the last two"
            yield EXHAUSTIVE.holds(f"QvQ 72B, {column}", statement, wanted, f"{place.show(0)} of {len(rows)}")
    full, short = (_column(sheet, column, rows) for column in ANSWERS)
    yield PERMISSIVE.every("models", [_at_most(low, high) for low, high in zip(full, short, strict=True)])


def _at_most(low: Range, high: Range) -> Fact:
    """Whether the first is at most the second."""
    return True if low.high <= high.low else False if low.low > high.high else None


def _fisher(r: Range, n: int) -> str:
    """The 95 % interval of a correlation of n pairs by Fisher's transformation."""
    middle, spread = math.atanh(float(r.low + r.high) / 2), NormalDist().inv_cdf(0.975) / math.sqrt(n - 3)
    return f"95 % interval {math.tanh(middle - spread):.2f} to {math.tanh(middle + spread):.2f}"
