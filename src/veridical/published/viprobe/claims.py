"""Claims of the text on Tables 2 and 8: clusters, thresholds of R, comparisons between models."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.published.ranges import Range, exact, printed
from veridical.published.replicate import Check, Finding
from veridical.published.viprobe.claims_of_tables import multiplier
from veridical.published.viprobe.layout import PAPER, column, models, of, text

CLUSTER = Check(
    paper=PAPER,
    place="Section 4.2.2",
    claim="The illusion averages of the 15 models cluster at 46 to 48 %.",
    computation="Models of Table 2 whose average rounds to 46, 47 or 48.",
    consequence=3,
    cause="The sentence refers to the closed models; four Qwen2.5 models are between 18 and 43 %.",
    instead="The isolation table has each model's averages with their intervals.",
)
HALF = Check(
    paper=PAPER,
    place="Section 4.2.2",
    claim="GPT-5 drops on controls by less than half of its drop on illusions.",
    computation="(OC − PC) / (O − P) from Table 2, which must lie below 0.5.",
    consequence=3,
    cause="Rounded in the text: it is slightly more than half, as R below 2 also shows.",
    instead="I and R have intervals.",
)
SMALLEST = Check(
    paper=PAPER,
    place="Section 4.2.2",
    claim="Qwen2.5-VL-3B (R = 0.13) drops nearly equally on illusions and controls.",
    computation="The two drops in points from Table 2 (equal drops would give an R of about 1); they count as nearly "
    "equal if one is at least half of the other.",
    consequence=2,
    cause="A low R was read as no difference. It means the opposite: controls drop eight times as much.",
    doubt="The paper has no threshold for nearly equal; half is ours, and lenient. If the kinds of answers are meant "
    "rather than the size of the drops, there is nothing to compute.",
    instead="Verdicts come from a model fitted to the replies by picture type and strength; R is not used.",
)
UNIQUE = Check(
    paper=PAPER,
    place="Section 4.2.2",
    claim="Only Claude-Haiku-4.5 does better on perturbed than on original illusions.",
    computation="Models of Table 2 with P above O.",
    consequence=3,
    cause="GPT-5-Nano has the same order and was overlooked.",
    instead="O and P are shown side by side with their intervals, P also split by the direction of the change.",
)
FLAGSHIPS = Check(
    paper=PAPER,
    place="Section 4.2.2",
    claim="GPT-5, Gemini-2.5-Flash and GPT-5-Mini have R above 1.2.",
    computation="|O − P| / |OC − PC| from Table 2.",
    consequence=2,
    instead="R carries its interval.",
)
QWEN = Check(
    paper=PAPER,
    place="Section 4.2.2",
    claim="All Qwen models have R below 1.",
    computation="|O − P| / |OC − PC| from Table 2.",
    consequence=2,
    instead="R carries its interval.",
)
PROMPTED = Check(
    paper=PAPER,
    place="Section 4.2.4, Appendix B.2.2",
    claim="The four models with the severe trade-offs under the system prompt are models with R above 1.2.",
    computation="R in Table 2 of GPT-5, GPT-5-Mini, Gemini-2.5-Flash and Claude-Sonnet-4.5.",
    consequence=2,
    cause="Claude-Sonnet-4.5 (R = 1.01) was grouped with the memory-driven models because of its trade-off, which "
    "makes the link from R to the trade-off circular.",
    instead="Changes in accuracy per picture type, sensitivity and criterion have intervals for each instruction.",
)
QUOTED = Check(
    paper=PAPER,
    place="Section 4.2.2",
    claim="Accuracies, drops and R quoted in the text are those of Table 2.",
    computation="The same cells, and O − P and OC − PC.",
    consequence=4,
    cause="The figure was typed separately from its table.",
)
LARGER = Check(
    paper=PAPER,
    place="Appendix B.2.1, takeaways",
    claim="All four earlier models drop more on illusions than on controls.",
    computation="O − P above OC − PC in Table 8, with their signs.",
    consequence=2,
    cause="The absolute value in R: GPT-4o-mini gains on perturbed illusions and still gets R above 1.",
    instead="The interaction I = (O − P) − (OC − PC) is signed and shown beside R.",
)
SEVENFOLD = Check(
    paper=PAPER,
    place="Appendix B.2.1",
    claim="Ratio of Claude-3.5-Sonnet's accuracy on originals to that on perturbed pictures.",
    computation="O / P from Table 8.",
    consequence=4,
    cause="The text has three figures for one ratio; the first was not updated.",
)
SCALING = Check(
    paper=PAPER,
    place="Appendix B.2.1",
    claim="Within a family the smaller model has the higher R, in both generations.",
    computation="R of the smaller model above R of the larger: Haiku and Sonnet, GPT mini and the full model; "
    "Tables 8 and 2.",
    consequence=2,
    cause="It holds only in the earlier generation; in the later one both pairs are reversed.",
    instead="veridical compare gives paired differences of two runs on the same trials, with intervals.",
)


def findings() -> Iterator[Finding]:
    """Claims of the text on the tables of accuracies."""
    yield from _clusters()
    yield from _thresholds()
    yield from _earlier()


def drops(model: str) -> tuple[Range, Range]:
    """O − P and OC − PC of a model of Table 2, in points."""
    o, p, oc, pc = (of("2").value(model, f"{kind} / {label}") for kind, label in _FOUR)
    return o - p, oc - pc


def _r(model: str) -> Range:
    illusion, control = drops(model)
    return abs(illusion) / abs(control)


def _clusters() -> Iterator[Finding]:
    low, high = (printed(text("15 models", f"illusion average {end}")) for end in ("lowest", "highest"))
    averages = column("2", "illusion / average")
    yield CLUSTER.every("models", [low.low <= value.high and value.low <= high.high for value in averages])
    yield from _quoted()
    illusion, control = drops("GPT-5")
    share, half = control / illusion, exact(text("GPT-5", "control drop as a share of the illusion drop, below"))
    yield HALF.holds("GPT-5", "below 0.5", half.above(share), share.show(4))
    falls = [abs(drop) for drop in drops("Qwen2.5-VL-3B")]
    least, most = sorted(falls, key=lambda drop: drop.low)
    equal = (least + least).above(most)
    shown = " and ".join(drop.show(2) for drop in falls)
    yield SMALLEST.holds("Qwen2.5-VL-3B", "nearly equal drops", equal, f"{shown} points")
    inverted = [p.above(o) for o, p in zip(column("2", _label(0)), column("2", _label(1)), strict=True)]
    yield UNIQUE.tally("models", "1", inverted)


def _quoted() -> Iterator[Finding]:
    labels = of("2").frame["column"].unique().to_list()
    for model, quantity, value in of("text").frame.filter(group="Table 2").select("row", "column", "value").iter_rows():
        context, _, kind = quantity.partition(" ")
        if kind == "drop":
            yield QUOTED.number(f"{model}, {quantity}", value, drops(model)[context == "control"])
        label = "R" if quantity == "R" else f"{context} / {kind}"
        if model in models() and label in labels:
            yield QUOTED.copy(f"{model}, {quantity}", value, of("2").text(model, label))


def _thresholds() -> Iterator[Finding]:
    high, one = exact(text("frontier models", "R above", "Table 2")), exact(text("Qwen models", "R below", "Table 2"))
    yield FLAGSHIPS.every("models named", [_r(model).above(high) for model in (*models()[:2], "Gemini-2.5-Flash")])
    yield QWEN.every("Qwen models", [one.above(_r(model)) for model in of("2").rows("Qwen")])
    traded = [row for row in of("text").rows("system prompt, appendix") if row != "frontier models"]
    named = {row.lower(): row for row in models()}
    for row in traded:
        r = _r(named[row.lower()])
        yield PROMPTED.holds(row, "R above 1.2", r.above(high), r.show(3))


def _earlier() -> Iterator[Finding]:
    sheet = of("8")
    parts = ("original", "perturbed", "original control", "perturbed control")
    cells = {model: tuple(sheet.value(model, part) for part in parts) for model in sheet.rows()}
    yield LARGER.every("models", [(o - p).above(oc - pc) for o, p, oc, pc in cells.values()])
    o, p, *_ = cells["claude-3.5-sonnet"]
    for where in ("", ", in words before it", ", takeaways"):
        yield SEVENFOLD.number(f"ratio{where}", text("claude-3.5-sonnet", f"original over perturbed{where}"), o / p)
    earlier = {model: multiplier(o, p, oc, pc) for model, (o, p, oc, pc) in cells.items()}
    pairs = (
        ("Claude 3.5", earlier["claude-3.5-haiku"], earlier["claude-3.5-sonnet"]),
        ("GPT-4o", earlier["gpt-4o-mini"], earlier["gpt-4o"]),
        ("Claude 4.5", _r("Claude-Haiku-4.5"), _r("Claude-Sonnet-4.5")),
        ("GPT-5", _r("GPT-5-Mini"), _r("GPT-5")),
    )
    for family, small, large in pairs:
        yield SCALING.holds(family, "smaller above larger", small.above(large), f"{small.show(2)}; {large.show(2)}")


_FOUR = tuple((kind, label) for kind in ("illusion", "control") for label in ("original", "perturbed"))


def _label(index: int) -> str:
    return " / ".join(_FOUR[index])
