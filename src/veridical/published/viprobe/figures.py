"""The numbers of Figures 4 to 6 that the text gives, compared with Table 2 and with each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from veridical.published.ranges import Range, exact, mean, printed
from veridical.published.relations import tau
from veridical.published.replicate import Finding
from veridical.published.viprobe import prose
from veridical.published.viprobe.layout import LEVELS, ORIGINALS, SIZE_ORIGINALS, column, models, of, text

TYPES = ("illusion / original", "illusion / perturbed", "control / original", "control / perturbed")
WEIGHTS = (1, LEVELS, 1, LEVELS)
FULL = exact(100)


def findings() -> Iterator[Finding]:
    """Findings on the numbers of the figures."""
    yield from _consistency()
    yield from _dose_response()
    yield from _categories()


def pooled(least: Sequence[Range], plain: Range, weights: Sequence[int]) -> Range | None:
    """Range of the weighted mean of rates in percent, given their plain mean and a lower bound of each.

    Each rate is between its lower bound and 100. `None` if no such rates have that plain mean.

    >>> pooled([exact(0), exact(0)], exact(75), [1, 3]).show(1)
    '62.5 to 87.5'
    """
    floor, total = [rate.low for rate in least], sum(weights)
    spare = [end * len(floor) - sum(floor) for end in (plain.low, plain.high)]
    if spare[1] < 0 or spare[0] > sum(100 - rate for rate in floor):
        return None
    pairs = sorted(zip(weights, floor, strict=True))
    return Range(_filled(pairs, spare[0]) / total, _filled(pairs[::-1], spare[1]) / total)


def _filled(pairs: Sequence[tuple[int, Fraction]], spare: Fraction) -> Fraction:
    """The weighted sum of the rates after raising them to 100 one by one, by `spare` in total."""
    value = Fraction(0)
    for weight, rate in pairs:
        raised = min(max(spare, Fraction(0)), 100 - rate)
        value += weight * (rate + raised)
        spare -= raised
    return value


def _consistency() -> Iterator[Finding]:
    sheet, group = of("2"), "Figure 4"
    figure = of("text").frame.filter(group=group)
    for model in models():
        quoted = dict(figure.filter(row=model).select("column", "value").iter_rows())
        if {"PFC", "PFA", "CbW"} <= quoted.keys():
            yield prose.SUM.number(model, quoted["PFC"], printed(quoted["PFA"]) + printed(quoted["CbW"]))
        least = [sheet.value(model, kind) for kind in TYPES]
        if "PFC" in quoted and "CbW" in quoted:
            accuracy = printed(quoted["PFC"]) - printed(quoted["CbW"])
            readings = {"plain mean over types": mean(least), "pooled over pictures": mean(least, WEIGHTS)}
            yield from _accuracy(model, quoted, accuracy, readings)
        coherent = quoted.get("PFC") or quoted.get("TFI")
        if coherent:
            plain = printed(coherent) if "PFC" in quoted else FULL - printed(coherent)
            reach = pooled(least, plain, WEIGHTS)
            readings = {"the same": plain} | ({"pooled over pictures": reach} if reach else {})
            yield prose.COHERENT.average(model, sheet.text(model, "PFC"), readings)


def _accuracy(model: str, quoted: dict[str, str], accuracy: Range, readings: dict[str, Range]) -> Iterator[Finding]:
    shown = quoted.get("PFA") or f"{quoted['PFC']} − {quoted['CbW']}"
    fits = [name for name, value in readings.items() if value.meets(accuracy)]
    values = "; ".join(f"{name}: {value.show(3)}" for name, value in readings.items())
    yield prose.FOUR_TYPES.holds(model, shown, bool(fits), values)
    size = of("9").value(of("9").rows()[models().index(model)], "perturbed / with hints")
    share = Fraction(SIZE_ORIGINALS, ORIGINALS)
    hinted = Range(size.low * share, size.high * share + 100 * (1 - share))
    four = readings["plain mean over types"]
    five = mean([four, hinted], [4, 1])
    yield prose.FIVE_TYPES.holds(model, shown, accuracy.meets(five), five.show(2))


def _dose_response() -> Iterator[Finding]:
    group = "Figure 5"
    near = printed(text("OpenAI flagships", "illusion at strength ±0.5, lowest", group))
    levels = int(text("design", "levels of strength", group))
    for model in ("GPT-5", "GPT-5-Mini"):
        average = of("2").text(model, TYPES[1])
        least = near * exact(2) / exact(levels)
        yield prose.COLLAPSE.holds(model, f"{average} on average", printed(average).high >= least.low, least.show(2))
    model, ends = "Claude-Opus-4.1", text("Claude-Opus-4.1", "illusion at strength ±1", group)
    least = printed(text(model, "illusion, strongest", group)) / exact(2)
    yield prose.RISES.holds(model, f"{ends} %", printed(ends).high >= least.low, f"{least.show(2)} or more")
    for model in ("GPT-5", "Claude-Opus-4.1"):
        yield from _gaps(model, group)
    for model in ("GPT-5", "GPT-5-Mini", "Claude-Opus-4.1"):
        turned = len(models()) + 1 - int(text(model, "rank at strength +1, control", group))
        yield prose.COMPLETE.exactly(model, text(model, "rank at strength +1, illusion", group), exact(turned))
    order = tau(column("2", TYPES[3]), column("2", TYPES[1]))
    yield prose.REVERSED.holds("15 models, all strengths", "τ = -1", order.meets(exact(-1)), f"τ = {order.show(2)}")


def _gaps(model: str, group: str) -> Iterator[Finding]:
    control = [printed(text(model, f"control, {end}", group)) for end in ("weakest", "strongest")]
    ends = ("lowest", "highest") if model == "GPT-5" else ("weakest", "strongest")
    illusion = [printed(text(model, f"illusion, {end}", group)) for end in ends]
    if model == "GPT-5":
        illusion = [Range(illusion[0].low, illusion[1].high)] * 2
        stated_gaps = [printed(text(model, "gap, constant", group))] * 2
        shown = text(model, "gap, constant", group)
    else:
        bounds = [printed(text(model, f"gap, {end}", group)) for end in ("lowest", "highest")]
        stated_gaps = [Range(bounds[0].low, bounds[1].high)] * 2
        shown = " to ".join(text(model, f"gap, {end}", group) for end in ("lowest", "highest"))
    for end, above, below, gap in list(zip(("weakest", "strongest"), control, illusion, stated_gaps, strict=True))[
        ::-1
    ]:
        difference = above - below
        yield prose.CONSTANT.holds(f"{model}, {end} change", shown, difference.meets(gap), difference.show(0))
    average = of("2").value(model, TYPES[3]) - of("2").value(model, TYPES[1])
    yield prose.MEAN_GAP.holds(f"{model}, all strengths", shown, average.meets(stated_gaps[0]), average.show(2))


def _categories() -> Iterator[Finding]:
    parts = ("length", "color", "orientation")
    for family in of("2").groups():
        quoted = dict(of("text").frame.filter(group="Figure 6", row=family).select("column", "value").iter_rows())
        gaps = [printed(quoted[f"gap / {part}"]) for part in parts if f"gap / {part}" in quoted]
        overall = quoted["gap / overall"]
        if len(gaps) == len(parts):
            cases = [int(text(kind, "cases listed")) for kind in ("size", "color", "orientation")]
            yield prose.OVERALL.average(family, overall, {"plain": mean(gaps), "by cases": mean(gaps, cases)})
        rows = [models().index(model) for model in of("2").rows(family)]
        size = [column("11", "perturbed control / without prompt"), column("10", "perturbed / without prompt")]
        yield prose.LENGTH.number(family, quoted["gap / length"], mean(size[0][i] - size[1][i] for i in rows))
        if len(gaps) == len(parts):
            table = mean(column("2", TYPES[3])[i] - column("2", TYPES[1])[i] for i in rows)
            share = Fraction(SIZE_ORIGINALS, ORIGINALS)
            rest = Range(min(gap.low for gap in gaps[1:]), max(gap.high for gap in gaps[1:]))
            expected = mean([gaps[0], rest], [share, 1 - share])
            yield prose.FAMILY.holds(family, f"{table.show(2)} (Table 2)", table.meets(expected), expected.show(2))
