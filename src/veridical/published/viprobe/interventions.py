"""Claims of the text on hints, the system prompt and inducers alone: Tables 9 to 13."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.published.ranges import Fact, Range, exact, mean, printed
from veridical.published.replicate import Check, Finding
from veridical.published.viprobe.layout import PAPER, column, named, of, text

_EACH = "Each model has a paired difference with an interval and a sign-flip test; there is no mean over models."

HINTS_UP = Check(
    paper=PAPER,
    place="Section 4.2.4, Appendix B.2.2",
    claim="Hints raise accuracy on originals for 13 of 15 models.",
    computation="Models of Table 9 with an effect above 0.",
    consequence=3,
)
HINTS_DOWN = Check(
    paper=PAPER,
    place="Section 4.2.4, Appendix B.2.2",
    claim="Hints lower accuracy on perturbed pictures for 12 of 15 models, and raise it for 2.",
    computation="Models of Table 9 with an effect below 0, and above 0.",
    consequence=3,
    cause="GPT-5, which falls by 1.82 from 1.98, was left out of the count and of the mean beside it. The two counts "
    "add up to 14.",
    instead="Each model has paired differences with intervals and sign-flip tests; models are not counted.",
)
HINTS_MEAN = Check(
    paper=PAPER,
    place="Section 4.2.4, Appendix B.2.2",
    claim="The mean effect of hints is +6.2 points on originals and −6.9 on perturbed pictures.",
    computation="Mean of the effects in Table 9 over the 15 models, over those that move in the stated direction, and "
    "over the largest of these, as many as the paper counts.",
    consequence=3,
    cause="A mean of an earlier version of the table, or of an unnamed selection of models.",
    instead=_EACH,
)
CONTROL_MEAN = Check(
    paper=PAPER,
    place="Appendix B.2.2",
    claim="The mean effect of the system prompt is −2.1 points on original controls and +11.8 on perturbed controls.",
    computation="Mean of the differences in Table 11 over the 15 models, and over those that move in the stated "
    "direction.",
    consequence=3,
    cause="A mean of an earlier version of the table, or of an unnamed selection of models.",
    instead=_EACH,
)
CONTROL_UP = Check(
    paper=PAPER,
    place="Appendix B.2.2",
    claim="The system prompt raises accuracy on perturbed controls for 12 of 15 models.",
    computation="Models of Table 11 with a difference above 0.",
    consequence=3,
)
BOTH = Check(
    paper=PAPER,
    place="Section 4.2.4",
    claim="With the system prompt, exactly three Qwen2.5 models gain on both originals and perturbed pictures.",
    computation="Models of Table 10 with both differences above 0.",
    consequence=3,
)
DISSOCIATION = Check(
    paper=PAPER,
    place="Appendix B.2.2",
    claim="Flagships gain 5.45 to 25.46 points on perturbed controls and lose 11.57 to 84.30 on originals.",
    computation="Differences in Tables 10 and 11 of the four models that the paper calls flagships or frontier models.",
    consequence=2,
    cause="The ranges are those of other models: 11.57 is Gemini-2.5-Flash-Lite's. Claude-Sonnet-4.5 loses on controls "
    "as well, so for it the prompt does not separate templates from perception.",
    instead="The effect of an instruction is estimated per picture type, on controls as on figures, with intervals.",
)
FLAGSHIP_DROPS = Check(
    paper=PAPER,
    place="Appendix B.2.3",
    claim="On the Müller-Lyer figure GPT-5, Gemini-2.5-Flash and Claude-Sonnet-4.5 fall by 99 % on illusions.",
    computation="O − P from Table 12, in percent.",
    consequence=3,
)
CONTROL_DROPS = Check(
    paper=PAPER,
    place="Appendix B.2.3",
    claim="On the Müller-Lyer controls the same three models fall by 45 to 60 %.",
    computation="OC − PC from Table 12, in percent.",
    consequence=2,
    cause="The range covers two of the three; Claude-Sonnet-4.5 hardly changes on controls.",
    instead="Estimates are per case and per model, each with its interval.",
)
INDUCER = Check(
    paper=PAPER,
    place="Appendix B.2.3",
    claim="Inducers alone: 1.00 for all OpenAI and Google models on Müller-Lyer, 0.00 for all Claude and Qwen models "
    "on Ebbinghaus.",
    computation="The column Inducer of Tables 12 and 13.",
    consequence=3,
)
STRONGER = Check(
    paper=PAPER,
    place="Appendix B.2.3",
    claim="Flagships fall further on Müller-Lyer than on Ebbinghaus.",
    computation="O − P of GPT-5, Gemini-2.5-Flash and Claude-Sonnet-4.5 in Table 12 above that in Table 13.",
    consequence=2,
)
BEST = Check(
    paper=PAPER,
    place="Appendix B.2.3",
    claim="Claude-Haiku-4.5 is the best of all on perturbed Ebbinghaus figures.",
    computation="Models of Table 13 that are not above it.",
    consequence=3,
)
INVERTED = Check(
    paper=PAPER,
    place="Appendix B.2.3",
    claim="Qwen3-VL-235B is better on perturbed Müller-Lyer illusions than on their controls by 67 points.",
    computation="P − PC from Table 12, in percent.",
    consequence=4,
)
ZERO = exact(0)


def findings() -> Iterator[Finding]:
    """Claims of the text on interventions and on single cases."""
    yield from _hints()
    yield from _prompt()
    yield from _cases()


def _signs(name: str, label: str) -> tuple[list[Fact], list[Fact]]:
    """Facts per model: whether it rises, and whether it falls."""
    changes = column(name, label)
    return [change.above(ZERO) for change in changes], [ZERO.above(change) for change in changes]


def _means(name: str, label: str, way: int, stated: str | None = None) -> dict[str, Range]:
    """The mean change for each selection of models: all, those that move one way, the `stated` number of these."""
    changes = column(name, label)
    moved = [change for change in changes if (change if way > 0 else -change).above(ZERO)]
    choices = {f"{len(changes)} models": changes, f"the {len(moved)} that move so": moved}
    if stated is not None and int(stated) != len(moved):
        largest = sorted(moved, key=lambda change: -abs(change).low)
        choices[f"the {stated} that move most"] = largest[: int(stated)]
    return {choice: mean(values) for choice, values in choices.items()}


def _hints() -> Iterator[Finding]:
    for group in ("hints, main text", "hints, appendix"):
        quoted = dict(of("text").frame.filter(group=group).select("column", "value").iter_rows())
        rises, falls = _signs("9", "perturbed / effect")
        yield HINTS_UP.tally(group, quoted["original rises"], _signs("9", "original / effect")[0])
        yield HINTS_DOWN.tally(f"{group}, fall", quoted["perturbed falls"], falls)
        yield HINTS_DOWN.tally(f"{group}, rise", quoted["perturbed rises"], rises)
        for kind, way, counted in (("original", 1, "original rises"), ("perturbed", -1, "perturbed falls")):
            means = _means("9", f"{kind} / effect", way, quoted[counted])
            yield HINTS_MEAN.average(f"{group}, {kind}", quoted[f"{kind} mean"], means)


def _prompt() -> Iterator[Finding]:
    label, group = "perturbed control / difference", "controls"
    yield CONTROL_UP.tally("models", text("15 models", "perturbed control gains"), _signs("11", label)[0])
    for kind, way in (("original control", -1), ("perturbed control", 1)):
        means = _means("11", f"{kind} / difference", way)
        yield CONTROL_MEAN.average(kind, text("15 models", f"{kind} mean"), means)
    o, p = (_signs("10", f"{kind} / difference")[0] for kind in ("original", "perturbed"))
    yield BOTH.tally("models", text("Qwen2.5-VL-3B, 7B, 32B", "models that gain on both"), map(_and, o, p))
    for model in ("GPT-5", "GPT-5-Mini", "Gemini-2.5-Flash", "Claude-Sonnet-4.5"):
        for name, kind in (("10", "original"), ("11", "perturbed control")):
            ends = [text("flagship models", f"{kind}, {end}", group) for end in ("lowest", "highest")]
            bounds = Range(printed(ends[0]).low, printed(ends[1]).high)
            row = named(model, name)
            inside = of(name).value(row, f"{kind} / difference").meets(bounds)
            change = of(name).text(row, f"{kind} / difference")
            yield DISSOCIATION.holds(f"{model}, {kind}", " to ".join(ends), inside, change)


def _and(first: Fact, second: Fact) -> Fact:
    if False in (first, second):
        return False
    return True if first and second else None


def _drop(name: str, model: str, suffix: str = "") -> Range:
    sheet = of(name)
    return exact(100) * (sheet.value(model, f"original{suffix}") - sheet.value(model, f"perturbed{suffix}"))


def _cases() -> Iterator[Finding]:
    row = "GPT-5, Gemini-2.5-Flash, Claude-Sonnet-4.5"
    low, high = (text(row, f"drop on control, {end}") for end in ("lowest", "highest"))
    for model in row.split(", "):
        yield FLAGSHIP_DROPS.number(model, text(row, "drop on illusion, Müller-Lyer"), _drop("12", model))
        control = _drop("12", model, " control")
        inside = control.meets(Range(printed(low).low, printed(high).high))
        yield CONTROL_DROPS.holds(model, f"{low} to {high}", inside, control.show(1))
        further = _drop("12", model).above(_drop("13", model))
        yield STRONGER.holds(model, "further", further, f"{_drop('12', model).show(1)}; {_drop('13', model).show(1)}")
    for name, families, value in (("12", ("OpenAI", "Google"), 1), ("13", ("Anthropic", "Qwen"), 0)):
        rows = [model for family in families for model in of(name).rows(family)]
        yield INDUCER.every(f"Table {name}", [of(name).value(model, "inducer").meets(exact(value)) for model in rows])
    best = of("13").value("Claude-Haiku-4.5", "perturbed")
    yield BEST.every("models", [not value.above(best) for value in column("13", "perturbed")])
    model = "Qwen3-VL-235B-A22B"
    gap = of("12").value(model, "perturbed") - of("12").value(model, "perturbed control")
    yield INVERTED.number(model, text(model, "perturbed less perturbed control, Müller-Lyer"), exact(100) * gap)
