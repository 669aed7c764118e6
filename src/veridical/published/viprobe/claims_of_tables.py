"""Averages, differences and ratios of Tables 2, 3 and 8 to 11, from the cells beside them."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.published.ranges import Range, exact, mean
from veridical.published.replicate import Check, Finding
from veridical.published.viprobe.layout import LEVELS, PAPER, models, named, of

AVERAGES = Check(
    paper=PAPER,
    place="Table 2",
    claim="The columns Ave. average original and perturbed pictures.",
    computation="Mean of the two accuracies, plain, and by pictures with 10 perturbed to 1 original.",
    consequence=3,
    cause="The cell was typed or rounded separately from its parts.",
    instead="Every average says whether it is the plain mean over picture types or pooled over pictures.",
)
EFFECTS = Check(
    paper=PAPER,
    place="Table 2",
    claim="ΔOriginal and ΔPerturbed are accuracy on the illusion minus accuracy on its control.",
    computation="O − OC and P − PC.",
    consequence=4,
    cause="The cell was typed or rounded separately from its parts.",
    instead="Differences are estimated on paired units, each with its interval.",
)
SIGN = Check(
    paper=PAPER,
    place="Table 2",
    claim="ΔAve. is the same kind of difference as ΔOriginal and ΔPerturbed beside it.",
    computation="Mean of the two printed effects, that is, illusion minus control.",
    consequence=4,
    cause="Only this column has the opposite sign: control minus illusion.",
    instead="Each table states the direction of its differences.",
)
MULTIPLIER = Check(
    paper=PAPER,
    place="Table 2, equation 1",
    claim="R is the size of the drop on illusions over the size of the drop on controls plus 0.001.",
    computation="|O − P| / (|OC − PC| + 0.001), the constant taken as a proportion and as percentage points.",
    consequence=3,
    cause="The cell was typed or rounded separately from its parts.",
    instead="R is shown beside the signed interaction I, its interval, and P by the direction of the change.",
)
EARLIER = Check(
    paper=PAPER,
    place="Table 8",
    claim="R of the four earlier models follows equation 1.",
    computation="|O − P| / |OC − PC|.",
    consequence=3,
    cause="The cell was typed or rounded separately from its parts.",
    instead="R has one definition in all tables.",
)
SIGNED = Check(
    paper=PAPER,
    place="Table 8, caption",
    claim="R of the four earlier models is (O − P) / (OC − PC), as the caption defines it, with its sign.",
    computation="(O − P) / (OC − PC).",
    consequence=2,
    cause="The caption lacks the bars of the absolute value. With them, a model that does better on perturbed pictures "
    "gets the R of one that does worse.",
    instead="The interaction I = (O − P) − (OC − PC) is signed and shown beside R.",
)
COPIES = Check(
    paper=PAPER,
    place="Table 3",
    claim="The effects of hints and of the system prompt are those of Tables 9 and 10.",
    computation="The same cells of the longer tables.",
    consequence=4,
    cause="One table was updated and the other was not.",
    instead="All tables are generated from one frame of estimates.",
)
CHANGES = Check(
    paper=PAPER,
    place="Tables 9 to 11",
    claim="Effects are accuracy with the intervention minus accuracy without it.",
    computation="The difference of the two cells to the left.",
    consequence=4,
    cause="The cell was typed or rounded separately from its parts.",
    instead="Paired differences on the same units, with a sign-flip test.",
)
BASELINES = Check(
    paper=PAPER,
    place="Tables 9 and 10",
    claim="Both tables start from the same accuracies without intervention.",
    computation="The same cells of the other table.",
    consequence=4,
    cause="One table was updated and the other was not.",
    instead="A comparison names its baseline run.",
)


def findings() -> Iterator[Finding]:
    """The arithmetic inside the tables."""
    yield from _isolation()
    yield from _earlier()
    yield from _copies()


def multiplier(o: Range, p: Range, oc: Range, pc: Range, constant: str = "0") -> Range:
    """R from four accuracies in percent; the constant is in percentage points."""
    return abs(o - p) / (abs(oc - pc) + exact(constant))


def _isolation() -> Iterator[Finding]:
    sheet = of("2")
    for model in models():
        o, p = (sheet.value(model, f"illusion / {kind}") for kind in ("original", "perturbed"))
        oc, pc = (sheet.value(model, f"control / {kind}") for kind in ("original", "perturbed"))
        for kind, parts in (("illusion", [o, p]), ("control", [oc, pc])):
            readings = {"plain": mean(parts), "by pictures": mean(parts, [1, LEVELS])}
            yield AVERAGES.average(f"{model}, {kind}", sheet.text(model, f"{kind} / average"), readings)
        for kind, effect in (("original", o - oc), ("perturbed", p - pc)):
            yield EFFECTS.number(f"{model}, {kind}", sheet.text(model, f"effect / {kind}"), effect)
        printed_effects = [sheet.value(model, f"effect / {kind}") for kind in ("original", "perturbed")]
        yield SIGN.number(model, sheet.text(model, "effect / average"), mean(printed_effects))
        readings = {name: multiplier(o, p, oc, pc, c) for name, c in (("proportion", "0.1"), ("points", "0.001"))}
        yield MULTIPLIER.average(model, sheet.text(model, "R"), readings)


def _earlier() -> Iterator[Finding]:
    sheet = of("8")
    for model in sheet.rows():
        parts = ("original", "perturbed", "original control", "perturbed control")
        o, p, oc, pc = (sheet.value(model, part) for part in parts)
        yield EARLIER.number(model, sheet.text(model, "R"), multiplier(o, p, oc, pc))
        yield SIGNED.number(model, sheet.text(model, "R"), (o - p) / (oc - pc))


def _copies() -> Iterator[Finding]:
    sources = (("hints", "visual hints", "9", "effect"), ("prompt", "system prompt", "10", "difference"))
    for model in models("3"):
        for what, label, name, change in sources:
            row = models(name)[models("3").index(model)]
            for kind in ("original", "perturbed"):
                text, other = of("3").text(model, f"{label} / {kind}"), of(name).text(row, f"{kind} / {change}")
                yield COPIES.copy(f"{model}, {what}, {kind}", text, other)
    yield from _changes()


def _changes() -> Iterator[Finding]:
    labels = {
        "9": ("hints", "effect", ""),
        "10": ("prompt", "difference", ""),
        "11": ("prompt", "difference", " control"),
    }
    for name, (what, change, suffix) in labels.items():
        for model in models():
            row = named(model, name)
            for kind in (f"original{suffix}", f"perturbed{suffix}"):
                with_, without = (of(name).value(row, f"{kind} / {word} {what}") for word in ("with", "without"))
                text = of(name).text(row, f"{kind} / {change}")
                yield CHANGES.number(f"Table {name}, {model}, {kind}", text, with_ - without)
                if name == "9":
                    start = of("10").text(named(model, "10"), f"{kind} / without prompt")
                    yield BASELINES.copy(f"{model}, {kind}", of("9").text(row, f"{kind} / without hints"), start)
