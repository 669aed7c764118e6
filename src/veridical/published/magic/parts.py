"""Numbers that follow from parts: means and sums of counts, F1, counts behind the rates."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.published.granularity import sizes
from veridical.published.printed import Sheet
from veridical.published.ranges import Range, exact, printed
from veridical.published.replicate import Check, Finding

SETS = ("WS", "Dev", "Test")
CURATED = ("Dev", "Test")

STEPS_PER_INSTANCE = Check(
    paper="magic",
    place="Table 1",
    claim="The mean number of reasoning steps per instance of each set.",
    computation="Steps divided by instances.",
    consequence=4,
    cause="The figure of the weakly supervised set belongs to another version of the set (5,534 instances of 12.00 "
    "steps would be 66,408); that of the test set was truncated, not rounded.",
)
ANNOTATED_STEPS = Check(
    paper="magic",
    place="Section 1",
    claim="The human-curated instances have more than 15,000 annotated steps.",
    computation="Sum of the steps of the development and test sets.",
    consequence=3,
    cause="A figure from before instances were removed, or one that counts more than the two curated sets.",
)
ABOUT = Check(
    paper="magic",
    place="Abstract and Section 1",
    claim="The sizes of the two sets, to the nearest hundred.",
    computation="Instances of Table 1; development and test sets added.",
    consequence=4,
    cause="",
)
MODELS = Check(
    paper="magic",
    place="Abstract, Section 5.1, Appendix C",
    claim="Numbers of evaluated models: open, proprietary, with and without test-time scaling.",
    computation="Rows of Table 2.",
    consequence=4,
    cause="",
)
INSTANCES = Check(
    paper="magic",
    place="Table 2",
    claim="Each accuracy is a share of the test instances.",
    computation="Whole counts of 698 instances that round to the printed digits.",
    consequence=4,
    cause="Answers that could not be judged were dropped from the denominator.",
)
ONE_SIZE = Check(
    paper="magic",
    place="Table 2",
    claim="All models are scored on the 698 test instances.",
    computation="Every n up to 1,000 that fits all 30 accuracies.",
    consequence=4,
    cause="Another set was scored.",
)
MICRO_F1 = Check(
    paper="magic",
    place="Table 2",
    claim="Micro F1 belongs to the micro precision and recall beside it.",
    computation="2 / (1 / precision + 1 / recall).",
    consequence=4,
    cause="One of the three cells is from another run.",
)
MACRO_F1 = Check(
    paper="magic",
    place="Table 2",
    claim="Macro F1 is the mean of the F1 of single images.",
    computation="The harmonic mean is concave, so the mean of the images' F1 is at most the F1 of mean precision and "
    "mean recall; the printed value must not exceed that.",
    consequence=4,
    cause="Images without predicted regions are left out of some of the three means.",
)
RUNS_OF_ERRORS = Check(
    paper="magic",
    place="Table 4",
    claim="Self-Heal is a rate over the runs of wrong steps of the test set.",
    computation="Every n up to the 2,700 corrected steps (a run has at least one) that fits all five rates.",
    consequence=4,
    cause="The models were scored on different numbers of runs.",
)


def f1(precision: Range, recall: Range) -> Range:
    """F1, the harmonic mean of precision and recall, in their unit. Raises `ZeroDivisionError` if one may be 0.

    >>> f1(printed("77.78"), printed("32.72")).show(2)
    '46.05 to 46.07'
    """
    return exact(2) / (exact(1) / precision + exact(1) / recall)


def findings() -> Iterator[Finding]:
    """Findings of this module's checks."""
    yield from _sets()
    yield from _models()
    yield from _accuracies()
    yield from _f1()
    yield from _self_heal()


def _sets() -> Iterator[Finding]:
    sheet, quoted = Sheet("magic", "1"), Sheet("magic", "text")
    count = {name: exact(sheet.text("# of Instances", name)) for name in SETS}
    steps = {name: exact(sheet.text("# of Steps", name)) for name in SETS}
    for name in SETS:
        ratio = steps[name] / count[name]
        yield STEPS_PER_INSTANCE.number(f"{name} set", sheet.text("Avg. Steps/Inst.", name), ratio)
    total = steps["Dev"] + steps["Test"]
    bound = quoted.text("human-curated set", "steps, more than")
    yield ANNOTATED_STEPS.holds("curated steps", f"more than {bound}", total.above(exact(bound)), total.show(0))
    curated = count["Dev"] + count["Test"]
    for subject, text, size in (
        ("weakly supervised set", quoted.text("weakly supervised set", "examples"), count["WS"]),
        ("human-curated set", quoted.text("human-curated set", "examples"), curated),
    ):
        center = Range(printed(text).low - 50, printed(text).high + 50)
        yield ABOUT.holds(subject, text, center.meets(size), size.show(0))


def _models() -> Iterator[Finding]:
    sheet, quoted = Sheet("magic", "2"), Sheet("magic", "text")
    every, closed = sheet.rows(), sheet.rows("Proprietary LVLMs")
    thinking = [row for row in every if sheet.text(row, "Think Capability") == "Yes"]
    for subject, text, number in (
        ("all models", quoted.text("models", "evaluated"), len(every)),
        ("open models", quoted.text("open models", "evaluated"), len(every) - len(closed)),
        ("proprietary models", quoted.text("proprietary models", "evaluated"), len(closed)),
        (
            "open models without test-time scaling",
            quoted.text("open models without test-time scaling", "evaluated"),
            len(every) - len(closed) - len(thinking),
        ),
    ):
        yield MODELS.exactly(subject, text, exact(number))


def _accuracies() -> Iterator[Finding]:
    sheet = Sheet("magic", "2")
    size = Sheet("magic", "1").text("# of Instances", "Test")
    answers = ("Final Answer / Full", "Final Answer / Short")
    rates = {(row, answer): sheet.text(row, answer) for row in sheet.rows() for answer in answers}
    for (row, answer), rate in rates.items():
        yield INSTANCES.whole(f"{row}, {answer}", rate, int(size))
    allowed = sizes(rates.values(), 1000)
    shown = ", ".join(map(str, allowed)) or "none"
    yield ONE_SIZE.holds("test instances", size, int(size) in allowed, f"allowed up to 1,000: {shown}")


def _f1() -> Iterator[Finding]:
    sheet = Sheet("magic", "2")

    def both(row: str, kind: str) -> Range:
        precision, recall = (sheet.value(row, f"MagiScore ({kind}) / {name}") for name in ("Precision", "Recall"))
        return f1(precision, recall)

    for row in sheet.rows():
        yield MICRO_F1.number(row, sheet.text(row, "MagiScore (Micro) / F1"), both(row, "Micro"))
    for row in sheet.rows():
        text, most = sheet.text(row, "MagiScore (Macro) / F1"), both(row, "Macro")
        within = printed(text).low <= most.high
        yield MACRO_F1.holds(row, text, within, f"at most {most.show(3)}")


def _self_heal() -> Iterator[Finding]:
    sheet = Sheet("magic", "4")
    most = int(Sheet("magic", "1").text("# of Correction", "Test"))
    allowed = sizes([sheet.text(row, "Self-Heal") for row in sheet.rows()], most)
    shown = ", ".join(map(str, allowed)) or "none"
    yield RUNS_OF_ERRORS.holds("all five models", "one number of runs", bool(allowed), f"allowed: {shown}")
