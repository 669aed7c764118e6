"""Numbers of pictures behind the rates: granularity of Tables 2 and 8 to 13."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.published.granularity import sizes
from veridical.published.ranges import exact
from veridical.published.replicate import Check, Finding
from veridical.published.viprobe.layout import LEVELS, ORIGINALS, PAPER, SIZE_ORIGINALS, models, of, text

LARGEST = 4000

WHOLE = Check(
    paper=PAPER,
    place="Tables 2, 8 to 13",
    claim="Each accuracy is a whole count over the pictures of its kind.",
    computation=f"Counts over {ORIGINALS} and {ORIGINALS * LEVELS} pictures (Table 2), {SIZE_ORIGINALS} and "
    f"{SIZE_ORIGINALS * LEVELS} (size cases), 11 and 110 (one case): sizes that fit all other digits.",
    consequence=4,
    cause="Some replies are missing from this cell's denominator, or the cell was typed.",
    instead="Unanswered trials stay in the denominator; every table shows planned and asked trials and each status.",
)
TOTAL = 2 * ORIGINALS * (1 + LEVELS)
POOLED = Check(
    paper=PAPER,
    place="Table 2, Appendix A",
    claim="PFC is the share of all pictures of the four types that are answered coherently.",
    computation=f"Counts over {TOTAL} pictures: originals, perturbed pictures, and the controls of both.",
    consequence=3,
    cause="PFC was averaged with weights other than in its formula, or pairs without an answer were left out.",
    instead="PFA, CbW, TFI and pairs without an answer add up to 1, per picture type and as the mean over types.",
)
PICTURES = Check(
    paper=PAPER,
    place="Table 1",
    claim="The experiments use 870 original pictures.",
    computation=f"The least number of pictures, up to {LARGEST}, over which every accuracy on originals and on their "
    "controls in Table 2 is a whole count.",
    consequence=3,
    cause="870 counts three versions of each original (plain, control, hint), or it counts something else. Rates over "
    "870 pictures would not all be multiples of three by chance.",
    doubt="The number of pictures is inferred from digits: 290 is the only one below 870 that fits all 30 rates.",
    instead="Every estimate is shown with its numbers of units and trials.",
)
PERTURBED = Check(
    paper=PAPER,
    place="Table 1",
    claim="The experiments use 870 × 10 perturbed pictures.",
    computation=f"The least number of pictures, up to {2 * LARGEST + 700}, over which every accuracy on perturbed "
    "pictures and on their controls in Table 2 is a whole count.",
    consequence=3,
    cause="As for the originals.",
    instead="Every estimate is shown with its numbers of units and trials.",
)
CASES = Check(
    paper=PAPER,
    place="Section 3.1, Table 4",
    claim="There are 27 cases.",
    computation="Sum of the cases listed for size, color and orientation.",
    consequence=4,
    cause="A case was added in one place only.",
    instead="The registry of cases is the only list.",
)
MODELS = Check(
    paper=PAPER,
    place="Table 7",
    claim="The models listed as evaluated in the main paper are the 15 with results.",
    computation="Listed models that have a row in Table 2.",
    consequence=4,
    cause="The list was made for an earlier selection: it lacks models with results and has models without.",
    instead="A report has a row per run, with the name in the run's record.",
)


def findings() -> Iterator[Finding]:
    """The numbers of pictures that the digits imply."""
    yield from _whole()
    for kind, check, largest in (("original", PICTURES, LARGEST), ("perturbed", PERTURBED, 2 * LARGEST + 700)):
        rates = [
            of("2").text(model, f"{context} / {kind}") for model in models() for context in ("illusion", "control")
        ]
        least = sizes(rates, largest)[0]
        stated = of("1").text("Ours", f"{kind} / images in the experiments")
        first, _, times = stated.partition("×")
        yield check.exactly(
            f"{len(rates)} accuracies, {stated} pictures", str(int(first) * int(times or 1)), exact(least)
        )
    listed = [int(text(kind, "cases listed")) for kind in ("size", "color", "orientation")]
    yield CASES.exactly("cases", text("design", "cases"), exact(sum(listed)))
    plain = {model.lower().replace(" ", "-") for model in models()}
    rows = of("text").frame.filter(group="models listed")["row"].to_list()
    yield MODELS.tally(
        "listed models", text("design", "models"), [row.lower().replace(" ", "-") in plain for row in rows]
    )


def _whole() -> Iterator[Finding]:
    for name in ("2", "8", "9", "10", "11", "12", "13"):
        base, scale = {"2": (ORIGINALS, 100), "12": (11, 1), "13": (11, 1)}.get(name, (SIZE_ORIGINALS, 100))
        rates = of(name).frame
        for row, column, value, unit in rates.select("row", "column", "value", "unit").iter_rows():
            if unit in ("percent", "proportion") and column != "PFC" and "average" not in column:
                n = base * (LEVELS if "perturbed" in column else 1)
                yield WHOLE.whole(f"Table {name}, {row}, {column}", value, n, scale)
    for model in models():
        yield POOLED.whole(model, of("2").text(model, "PFC"), TOTAL)
