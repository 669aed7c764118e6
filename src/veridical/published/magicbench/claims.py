"""The paper's conclusions: false nouns help (spotlight), silence harms (crutch), the truth helps all."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from veridical.published.magicbench.layout import FORENSIC, METRICS, MODELS, PAPER, PROMPTS, TRUTH, TYPES, VISION
from veridical.published.printed import Sheet
from veridical.published.ranges import Fact, Range, exact, mean
from veridical.published.replicate import Check, Finding

AT_ONE_PERCENT = Fraction("6.6349")
"""Square of the normal quantile of a two-sided test at 0.01."""

SPOTLIGHT = Check(
    paper=PAPER,
    place="Section 4.2, Table 3 caption",
    claim="Under lies and misdirection (Types A and B) and the forensic prompt, every model does better with the "
    "transcript than with vision alone.",
    computation="Cells of Table 7 (CPA): three models, two types.",
    consequence=1,
    cause="It holds for GPT-4o and Qwen2.5-VL-72B; Gemini-2.5-Pro loses on both types.",
)
OTHER_PROMPTS = Check(
    paper=PAPER,
    place="Section 5.1",
    claim="Deceptive transcripts raise performance, as the skeptic prompt on Type B shows.",
    computation="Cells of Table 7 (CPA): three models, Types A and B, for the two other prompts.",
    consequence=3,
    cause="The example is GPT-4o on Type B; under that prompt, one of the other models does not gain there and one "
    "loses.",
)
SILENCE = Check(
    paper=PAPER,
    place="Table 7 caption, Figure 4 caption",
    claim="In silence (Type D), vision alone scores above every multimodal prompt, for each model and score.",
    computation="Cells of Table 7: three models, three prompts.",
    consequence=3,
    cause="",
)
DROPS = Check(
    paper=PAPER,
    place="Sections 4.2 and 5.4",
    claim="The drop of single models in silence, forensic prompt compared with vision alone.",
    computation="Difference of the two cells of Type D in Table 3.",
    consequence=4,
    cause="One of the cells is from another run.",
)
GENERAL_DROP = Check(
    paper=PAPER,
    place="Abstract",
    claim="Multimodal performance falls by 12.4 % in silence, without naming a model.",
    computation="Plain mean of the three models' differences; and GPT-4o's own as a percentage of its score.",
    consequence=3,
    cause="The figure is that of one of the three models, GPT-4o, and is in points, not in percent.",
)
MARKED = Check(
    paper=PAPER,
    place="Table 3 caption",
    claim="The losses in silence marked in Table 3 are significant at 0.01.",
    computation="The squared difference compared with 6.63 × the sum of squared standard errors (as if independent).",
    consequence=3,
    cause="",
)
RESILIENCE = Check(
    paper=PAPER,
    place="Table 7 caption",
    claim="In silence vision alone is significantly above the forensic prompt in counterfactual resilience too.",
    computation="The squared difference compared with 6.63 × the sum of squared standard errors. None is printed for "
    "this score: the smallest in Table 3 for Type D is used for both, which favors the claim.",
    consequence=3,
    cause="Only the order of the cells was considered: for one model they are 0.3 points apart.",
)
CEILING = Check(
    paper=PAPER,
    place="Table 7 caption",
    claim="With truthful context, GPT-4o and Gemini-2.5-Pro always score above 85.",
    computation="Cells of Table 7: two models, three scores, four types.",
    consequence=3,
    cause="The statement refers to CPA and CFR; the four VTG cells of GPT-4o are below.",
)
LOWEST = Check(
    paper=PAPER,
    place="Section 5.4",
    claim="Multimodal performance is lowest in silence.",
    computation="Type D is the lowest of the four CPA cells: three models, three prompts.",
    consequence=3,
    cause="",
)
PATTER = Check(
    paper=PAPER,
    place="Section 5.1",
    claim="Irrelevant patter (Type C) lowers performance.",
    computation="Forensic prompt compared with vision alone (CPA), three models.",
    consequence=4,
    cause="",
)


def findings() -> Iterator[Finding]:
    """Findings of this module's checks."""
    sheet = Sheet(PAPER, "7")

    def above(model: str, row: str, other: str, cell: str) -> Fact:
        return sheet.value(row, cell, model).above(sheet.value(other, cell, model))

    for prompt in (FORENSIC, *PROMPTS[:2]):
        check = SPOTLIGHT if prompt == FORENSIC else OTHER_PROMPTS
        yield check.every(prompt, [above(m, prompt, VISION, f"CPA / {kind}") for m in MODELS for kind in "AB"])
    for metric in METRICS:
        yield SILENCE.every(metric, [above(m, VISION, prompt, f"{metric} / D") for m in MODELS for prompt in PROMPTS])
    yield from _drops()
    yield from _resilience(sheet)
    truth = [
        sheet.value(TRUTH, f"{metric} / {kind}", model).above(exact(_floor()))
        for model in MODELS[:2]
        for metric in METRICS
        for kind in TYPES
    ]
    yield CEILING.every(f"cells above {_floor()}", truth)
    yield LOWEST.every("models and prompts", [_lowest(sheet, model, prompt) for model in MODELS for prompt in PROMPTS])
    yield PATTER.every("models", [above(model, VISION, FORENSIC, "CPA / C") for model in MODELS])


def _floor() -> str:
    return Sheet(PAPER, "text").text("Truth Context, GPT-4o and Gemini-2.5-Pro", "scores above")


def _lowest(sheet: Sheet, model: str, prompt: str) -> Fact:
    values = [sheet.value(prompt, f"CPA / {kind}", model) for kind in TYPES]
    return values[-1].low <= min(value.high for value in values[:-1])


def _drops() -> Iterator[Finding]:
    sheet, text = Sheet(PAPER, "3"), Sheet(PAPER, "text")
    vision, forensic = "Vision-Only (Probe)", "Multi-Forensic (SIA)"
    drops = {m: sheet.value(vision, "Type D", m) - sheet.value(forensic, "Type D", m) for m in MODELS}
    for subject in ("GPT-4o in silence (Section 4.2)", "gap under equal prompts", "Gemini-2.5-Pro in silence"):
        model = "Gemini-2.5-Pro" if subject.startswith("Gemini") else "GPT-4o"
        yield DROPS.number(subject, text.text(subject, "drop"), drops[model])
    stated = text.text("multimodal in silence (Abstract)", "drop")
    yield GENERAL_DROP.number("mean of the three models, points", stated, mean(drops.values()))
    relative = exact(100) * (
        exact(1) - sheet.value(forensic, "Type D", "GPT-4o") / sheet.value(vision, "Type D", "GPT-4o")
    )
    yield GENERAL_DROP.number("GPT-4o, percent of its score", stated, relative)
    for model, drop in drops.items():
        errors = [sheet.value(row, "Type D / standard error", model) for row in (vision, forensic)]
        yield MARKED.holds(model, "p < 0.01", _significant(drop, errors), f"{drop.show(2)} points")


def _resilience(sheet: Sheet) -> Iterator[Finding]:
    three = Sheet(PAPER, "3")
    rows = [(row, group) for group in MODELS for row in three.rows(group)]
    least = min((three.value(row, "Type D / standard error", group) for row, group in rows), key=lambda each: each.low)
    for model in MODELS:
        gap = sheet.value(VISION, "CFR / D", model) - sheet.value(FORENSIC, "CFR / D", model)
        shown = f"{gap.show(2)} points"
        yield RESILIENCE.holds(model, "p < 0.01", _significant(gap, [least, least]), shown)


def _significant(difference: Range, errors: list[Range]) -> Fact:
    squares = [error * error for error in errors]
    return (difference * difference).above(exact(AT_ONE_PERCENT) * (squares[0] + squares[1]))
