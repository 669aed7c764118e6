"""Claims of the text on the results: numbers of models, the leader, the reading of replies."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.published.ranges import Range, exact, highest
from veridical.published.replicate import Check, Finding
from veridical.published.viabench.layout import (
    BLIND,
    CATEGORIES,
    HUMAN,
    PAPER,
    PROTOCOLS,
    SECTIONS,
    of,
)

PARSED = Check(
    paper=PAPER,
    place="Section 4.2, main results table",
    claim="Replies are parsed reliably: the rule (Match) and the judge read the same answers.",
    computation="Models whose two accuracies are within 2 points of each other in all six categories.",
    consequence=2,
    cause="Only Match counts replies without the requested format as wrong, and the judge misses or forgives answers. "
    "One model differs by 29 points in one category; the printed averages mix both protocols.",
    doubt="The threshold of two points is ours; reliable may refer to the format only.",
    instead="Each reply has a status (answered, unparsed, refused, truncated, error), and tables show accuracy over "
    "all and over answered trials.",
)
MODELS = Check(
    paper=PAPER,
    place="Section 1, main results table",
    claim="Numbers of evaluated models of each kind.",
    computation="Rows of the section in the main results table.",
    consequence=4,
    cause="A model was dropped, or counted in two places.",
    instead="A report has a row per run, with the name in the run's record.",
)
LEAD = Check(
    paper=PAPER,
    place="Section 4.3",
    claim="People are ahead of the best model by 24.07 points.",
    computation="Difference of the two averages; each average is also recomputed.",
    consequence=3,
)
LED = Check(
    paper=PAPER,
    place="Section 4.3",
    claim="Gemini-3-pro leads in three categories.",
    computation="Categories in which it is highest of the proprietary systems under both protocols.",
    consequence=4,
)
HIGHEST = Check(
    paper=PAPER,
    place="Section 4.3",
    claim="The highest accuracies of reasoning-enhanced models on anomalies and on color.",
    computation="The greatest cell of the section, under either protocol.",
    consequence=4,
)
BELOW = Check(
    paper=PAPER,
    place="Section 4.3",
    claim="Two open-source models named in the text score below the blind baseline.",
    computation="Avg. of each below that of the blind model.",
    consequence=4,
)
GAIN = Check(
    paper=PAPER,
    place="Section 4.4",
    claim="Zero-shot CoT adds 14.8 points to Qwen2.5-VL-7B on motion.",
    computation="Difference of the two cells under Match.",
    consequence=4,
)
QUOTED = Check(
    paper=PAPER,
    place="Section 4.3",
    claim="Accuracies quoted in the text are those of the main results table.",
    computation="The same cells.",
    consequence=4,
    cause="The figure was typed separately from its table.",
)
NEAR = exact(2)


def findings() -> Iterator[Finding]:
    """Claims of the text on the results."""
    yield from _counted()
    yield from _quoted()


def _counted() -> Iterator[Finding]:
    sheet, text = of("main"), of("text")
    for kind, section in zip(("proprietary", "open-source", "reasoning-enhanced"), SECTIONS, strict=True):
        yield MODELS.exactly(kind, text.text(kind, "models"), exact(len(sheet.rows(section))))
    close = []
    for section in SECTIONS:
        for row in sheet.rows(section):
            gaps = [abs(_cell(row, category, "Match") - _cell(row, category, "Judge")) for category in CATEGORIES]
            close.append(not any(gap.above(NEAR) for gap in gaps))
    yield PARSED.every("models", close)


def _cell(row: str, category: str, protocol: str) -> Range:
    return of("main").value(row, f"{category} / {protocol}")


def _quoted() -> Iterator[Finding]:
    sheet, text = of("main"), of("text")
    for row, quantity, value in text.frame.filter(group="results").select("row", "column", "value").iter_rows():
        label = "Avg." if quantity == "average" else f"{quantity} / Match"
        if row in sheet.rows() and label in sheet.frame["column"]:
            yield QUOTED.copy(f"{row}, {quantity}", value, sheet.text(row, label))
    best = highest(sheet.value(row, "Avg.") for section in SECTIONS for row in sheet.rows(section))
    lead = sheet.value(HUMAN, "Avg.") - best
    yield LEAD.number("Human", text.text(HUMAN, "lead over the best model"), lead)
    proprietary, model = sheet.rows(SECTIONS[0]), "Gemini-3-pro"
    led = [
        all(
            not _cell(row, category, protocol).above(_cell(model, category, protocol))
            for row in proprietary
            for protocol in PROTOCOLS
        )
        for category in CATEGORIES
    ]
    yield LED.tally(model, text.text(model, "categories led"), led)
    for category in ("VA", "CI"):
        cells = [_cell(row, category, protocol) for row in sheet.rows(SECTIONS[2]) for protocol in PROTOCOLS]
        yield HIGHEST.number(category, text.text("reasoning-enhanced models", f"{category} highest"), highest(cells))
    blind = sheet.value(BLIND, "Avg.")
    named = ("Qwen2.5-VL-3B-Instruct", "InternVL3.5-38B (w/o thinking)")
    yield BELOW.every("models", [blind.above(sheet.value(row, "Avg.")) for row in named])
    cot, group = of("cot"), "Qwen2.5-VL-7B"
    normal, zero_shot, _ = cot.rows(group)
    gain = cot.value(zero_shot, "MI / Match", group) - cot.value(normal, "MI / Match", group)
    yield GAIN.number(group, text.text(group, "MI, zero-shot CoT"), gain)
