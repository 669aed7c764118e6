"""Numbers of videos, questions, models and categories, and the rates over them."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.published.hocabench.layout import KINDS, MAIN, PAPER, allowed, models, single_anomaly
from veridical.published.printed import Sheet
from veridical.published.ranges import Range, exact, printed
from veridical.published.replicate import Check, Finding

SUMS = Check(
    paper=PAPER,
    place="Abstract, Sections 2.1 and 3.3, Tables 1 and 6",
    claim="Videos and questions add up.",
    computation="Sums of the stated parts; questions are videos × tasks per video.",
    consequence=4,
    cause="",
)
SHARES = Check(
    paper=PAPER,
    place="Table 6",
    claim="The share of each source among the synthetic videos.",
    computation="Count divided by 809.",
    consequence=4,
    cause="The share belongs to another state of the counts.",
)
EVALUATED = Check(
    paper=PAPER,
    place="Abstract",
    claim="Seventeen models were evaluated.",
    computation="Models in Table 2; both modes of a model count once.",
    consequence=4,
    cause="The count includes two models that occur only in the additional probes (Time-R1-7B, Gemini-2.0-Flash).",
)
CATEGORIES = Check(
    paper=PAPER,
    place="Figure 6 caption",
    claim="There are 15 anomaly categories at the third level.",
    computation="Names in the taxonomy of Section 3.2, ontological and causal.",
    consequence=4,
    cause="The caption belongs to an earlier taxonomy: 15 categories of at most 37 videos hold 555, fewer than the 630 "
    "videos, while 18 hold 558 to 666.",
)
SPLIT = Check(
    paper=PAPER,
    place="Table 2",
    claim="Accuracies are shares of the ontological and of the causal videos, 630 in total.",
    computation="Numbers of videos up to 630 for which every accuracy of a kind is a whole count; a pair must add up.",
    consequence=4,
    cause="Unreadable answers were dropped from the denominator.",
)
PER_CATEGORY = Check(
    paper=PAPER,
    place="Section 3.3",
    claim="Each category at the third level has 31 to 37 videos.",
    computation="The number of videos of a kind, inferred from the digits of Table 2, divided by its categories.",
    consequence=4,
    cause="",
)
PROBES = Check(
    paper=PAPER,
    place="Tables 3 and 4",
    claim="Rates of the additional probes are shares of their 200 and 120 questions.",
    computation="Whole counts that round to the printed digits.",
    consequence=4,
    cause="The number of questions differs.",
)
TRIPLE = Check(
    paper=PAPER,
    place="Section 4.3",
    claim="A model trained to ground events more than triples the overlap of its base.",
    computation="Ratio of the two cells of Table 3.",
    consequence=4,
    cause="",
)
CHANCE = Check(
    paper=PAPER,
    place="Table 2",
    claim="The scores of random guessing.",
    computation="1 in 9 options for Task II, 1 in 4 for Task III; the H-Index by its formula from the row's own cells.",
    consequence=3,
    cause="The chance level of Task III was also used for Task II, and the index was not computed for the row.",
)


def findings() -> Iterator[Finding]:
    """Findings of this module's checks."""
    text = Sheet(PAPER, "text")
    yield from _sums(text)
    yield from _sources()
    named = {row.removesuffix(" (T)") for row in models()}
    yield EVALUATED.exactly("models", text.text("models", "evaluated"), exact(len(named)))
    yield from _categories(text)
    yield from _probes(text)
    yield from _chance(text)


def _sums(text: Sheet) -> Iterator[Finding]:
    def number(row: str, column: str) -> Range:
        return exact(text.text(row, column))

    parts = ("single-anomaly", "temporal grounding", "multi-anomaly")
    synthetic = sum((number(part, "videos") for part in parts[1:]), number(parts[0], "videos"))
    single = number("real", "videos") * number("real", "tasks per video")
    single += number("single-anomaly", "videos") * number("single-anomaly", "tasks per video")
    questions = sum((number(part, "QA pairs") for part in parts[1:]), number(parts[0], "QA pairs"))
    yield SUMS.exactly("synthetic videos", text.text("synthetic", "videos"), synthetic)
    yield SUMS.exactly("all videos", text.text("all", "videos"), synthetic + number("real", "videos"))
    yield SUMS.exactly("questions on single anomalies", text.text("single-anomaly", "QA pairs"), single)
    yield SUMS.exactly("all questions", text.text("all", "QA pairs"), questions)
    stated = Sheet(PAPER, "1").text("HOCA-Bench", "Scale (QA) in thousands")
    yield SUMS.number("all questions, in thousands", stated, questions / exact(1000))


def _sources() -> Iterator[Finding]:
    sheet, text = Sheet(PAPER, "6"), Sheet(PAPER, "text")
    sources = [row for row in sheet.rows() if row != "all"]
    total = exact(sum(int(sheet.text(row, "Count")) for row in sources))
    yield SUMS.exactly("videos by source", sheet.text("all", "Count"), total)
    yield SUMS.exactly("sources", text.text("sources of synthetic videos", "number"), exact(len(sources)))
    for row in sources:
        share = exact(100) * exact(sheet.text(row, "Count")) / total
        yield SHARES.number(row, sheet.text(row, "Percentage (%)"), share)


def _categories(text: Sheet) -> Iterator[Finding]:
    kinds = [text.text(row, "kind") for row in text.rows() if "kind" in _columns(text, row)]
    yield CATEGORIES.exactly("categories", text.text("all", "third-level categories"), exact(len(kinds)))
    possible = {kind: allowed(kind) for kind in KINDS}
    sums = [(n, m) for n in possible["Onto."] for m in possible["Caus."] if n + m == single_anomaly()]
    shown = "; ".join(f"{name} {', '.join(map(str, possible[kind]))}" for kind, name in KINDS.items())
    yield SPLIT.holds("single-anomaly videos", str(single_anomaly()), bool(sums), shown)
    fewest, most = (int(text.text("third-level category", f"videos / {end}")) for end in ("fewest", "most"))
    for place, name in enumerate(KINDS.values()):
        number = kinds.count(name)
        fits = any(fewest * number <= pair[place] <= most * number for pair in sums)
        shown = ", ".join(f"{pair[place] / number:.1f} ({pair[place]} videos in {number})" for pair in sums)
        yield PER_CATEGORY.holds(f"mean of the {name} categories", f"{fewest} to {most}", fits, shown)


def _columns(sheet: Sheet, row: str) -> list[str]:
    return sheet.frame.filter(row=row)["column"].to_list()


def _probes(text: Sheet) -> Iterator[Finding]:
    for name, column, what in (("3", "R@0.5 (%)", "temporal grounding"), ("4", "Acc (%)", "multi-anomaly")):
        sheet, size = Sheet(PAPER, name), int(text.text(what, "QA pairs"))
        for row in sheet.rows():
            yield PROBES.whole(f"{row}, {what}", sheet.text(row, column), size)
    tuned, base = "Time-R1-7B", "Qwen2.5-VL-7B-Instruct"
    overlap = Sheet(PAPER, "3")
    times = text.text(f"{tuned} over {base}", "mIoU, more than times")
    ratio = overlap.value(tuned, "mIoU (%)") / overlap.value(base, "mIoU (%)")
    yield TRIPLE.holds(tuned, f"more than {times} times", ratio.above(exact(times)), ratio.show(2))


def _chance(text: Sheet) -> Iterator[Finding]:
    sheet = Sheet(PAPER, MAIN)
    options = {
        "Task II": exact(text.text("Task II", "options")),
        "Task III": exact(text.text("Task III", "distractors")) + exact(1),
    }
    for task, number in options.items():
        for kind in KINDS:
            column = f"{task} / {kind}"
            yield CHANCE.number(column, sheet.text("Random", column), exact(100) / number)
    cells = [printed(sheet.text("Random", f"{task} / {kind}")) for task in (*options, "Task IV") for kind in KINDS]
    half = exact(1) / exact(2)
    tasks = [half * (cells[i] + cells[i + 1]) for i in range(0, len(cells), 2)]
    index = (sum(tasks[1:], tasks[0]) + sheet.value("Random", "Task I / F1")) / exact(4)
    yield CHANCE.number("H-Index", sheet.text("Random", "H-Index (Avg)"), index)
