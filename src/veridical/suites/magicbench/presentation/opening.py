"""What a report of MagicBench says first: what a lie does to seeing, with nothing marked, beside the judged scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from veridical.records import Counts, Estimate
from veridical.suite.opening import Chart, Curve, Finding, Opening, Reasons
from veridical.suite.results import Result, find
from veridical.suites.magicbench.analysis.seeing import BASES
from veridical.suites.magicbench.analysis.verdict import verdict
from veridical.suites.magicbench.asking.cells import VISION_ONLY
from veridical.suites.magicbench.presentation.marking import judge_name, judges, unmarked
from veridical.suites.magicbench.presentation.tables.seeing import MOMENTS
from veridical.suites.magicbench.stimuli import HONEST, REAL, TRICK

TITLE = "Who believes the magician?"
_LINE = (
    "Each clip shows a trick, or its honest control: the same pixels up to the secret move, and then nothing hidden. "
    "The same clip is shown without words (vision-only) and under a lie, misdirection, talk of something else, and "
    "silence, an empty transcript. The headline is the effect of a lie on seeing: right answers to multiple choice "
    "about the clip (where is the coin?) under the lie − without it, where no model marks anything. Beside it stand "
    "marks of a judge for explanations. All with 95 % intervals. Our own clips are drawings."
)
_RELEASE_LINE = (
    "Released clips come with words of their own, one type each: between types the clips differ, too, so that such "
    "contrasts are not those of words alone."
)
_RATES = {
    "Effect of a lie": "probes: right under the lie − without it",
    "Told apart": "probes: tricks from controls, without words; 1 is all",
    "Takes the lie": "answers that are the lie's, where it is false",
    "CPA": "marks for how it is done, of 100",
    "Loss in silence": "CPA: vision-only − an empty transcript",
    "False alarms": "controls called a trick, without words",
}
_CURVES = {VISION_ONLY: "without words", "lie": "under a lie", "silence": "in silence"}


def opening(results: Sequence[Result]) -> Opening | None:
    """A finding for each model, the one from which a lie takes least first; nothing without any."""
    if not results:
        return None
    ordered = sorted(results, key=_kept, reverse=True)
    variants = {variant for result in results for variant in result.outcomes["variant"].unique()}
    lines = [*([_LINE] if variants - {REAL} else []), *([_RELEASE_LINE] if REAL in variants else [])]
    lines += [_unmarked(result) for result in results if unmarked(result) is not None]
    return Opening(TITLE, tuple(lines), rates=_RATES, findings=tuple(map(_finding, ordered)))


def _kept(result: Result) -> float:
    estimate = find(result, "effect of a lie", {})
    return estimate.value if estimate and estimate.value is not None else -1000.0


def _unmarked(result: Result) -> str:
    return (
        f"Explanations of {result.model} have no marks yet, so that VTG, CPA and CFR, and all that follows from them, "
        "are missing: `veridical judge RUN --judge rule` marks them by rule, as far as it can tell, and "
        "`--judge M` asks a model; then write the report again."
    )


def _finding(result: Result) -> Finding:
    concluded = verdict(result.evidence, result.estimates)
    parts = concluded.parts
    return Finding(
        model=result.model,
        verdict=concluded.name,
        sentence=concluded.sentence,
        sure=concluded.sure,
        tone=concluded.tone,
        needs=(*concluded.needs, *(("marks of a judge",) if unmarked(result) is not None else ())),
        basis=_basis(result.outcomes),
        counts=Counts.of(result.outcomes),
        rates=tuple(_rates(result)),
        chart=_chart(result),
        reasons=(
            Reasons(
                about="All",
                verdict=concluded.name,
                tone=concluded.tone,
                evidence=tuple(_evidence(result)),
                parts=tuple(
                    Reasons(about=about, verdict=part.name, tone=part.tone, evidence=(part.sentence,))
                    for about, part in zip(
                        ("Without words", "Under a lie", "In silence", "Its report"), parts, strict=True
                    )
                    if part.sentence
                ),
            ),
        ),
    )


def _basis(outcomes: pl.DataFrame) -> str:
    clips, units = outcomes.select(pl.col("stimulus", "unit").n_unique()).row(0)
    families = outcomes["family"].n_unique()
    return f"{clips:,} clips of {units:,} units, {families:,} {'family' if families == 1 else 'families'} of tricks"


def _rates(result: Result) -> Iterator[tuple[Estimate | None, str]]:
    """The headline figures, each with what it is of."""
    whole = find(result, "effect of a lie", {})
    every = [find(result, "effect of a lie", {"against": base, "lie": "false"}) for base in BASES]
    false = next((each for each in every if each is not None), None)
    units = "" if whole is None else f"{whole.n_units:,} units"
    yield whole, units if false is None or false.value is None else f"{units}; where it is false {_value(false)}"
    yield _with_units(find(result, "told apart", {"under": VISION_ONLY}))
    yield _with_units(find(result, "takes the lie", {"under": "lie"}))
    judge = next(iter(judges(result)), None)
    by = "not judged" if judge is None else f"by {judge_name(result, judge)}"
    for metric in ("cpa", "agency loss"):
        each = find(result, metric, {}) if judge is not None else unmarked(result)
        yield each, by
    alarms = find(result, "says trick", {"stance": VISION_ONLY, "words": "none", "variant": HONEST})
    yield _with_units(alarms)


def _with_units(estimate: Estimate | None) -> tuple[Estimate | None, str]:
    return estimate, "" if estimate is None else f"{estimate.n_units:,} units"


def _chart(result: Result) -> Chart | None:
    """Right answers to probes over the moments that they are about, under three kinds of words."""
    curves = []
    for under, name in _CURVES.items():
        places = [
            (float(place), find(result, "probe accuracy", {"under": under, "moment": moment}))
            for place, moment in enumerate(MOMENTS)
        ]
        piece = tuple((x, each) for x, each in places if each is not None and each.value is not None)
        if len(piece) > 1:
            curves.append(Curve(name, (piece,)))
    if not curves:
        return None
    return Chart(title="Probes right, before to after the secret", curves=tuple(curves), ends=("before", "after"))


def _evidence(result: Result) -> Iterator[str]:
    """What the verdict rests on, in words."""
    for against in BASES:
        whole = find(result, "effect of a lie", {"against": against})
        if whole is not None and whole.value is not None:
            false = find(result, "effect of a lie", {"against": against, "lie": "false"})
            more = f"; where it is false {_number(false)}" if false is not None and false.value is not None else ""
            yield f"A lie against {against} changes right answers to probes by {_number(whole)}{more}."
    pulled = find(result, "pull of the lie", {"against": VISION_ONLY})
    if pulled is not None and pulled.value is not None:
        yield f"Answers that the lie names rise by {_number(pulled)} on tricks."
    told = find(result, "d_prime", {"stance": VISION_ONLY, "words": "none"})
    if told is not None and told.value is not None:
        hits = find(result, "says trick", {"stance": VISION_ONLY, "words": "none", "variant": TRICK})
        share = f"; {100 * hits.value:.0f} % of tricks are called tricks" if hits and hits.value is not None else ""
        yield f"Without words tricks are told from controls with a d-prime of {_number(told)}{share}."
    for judge in judges(result)[:1]:
        for kind in ("lie", "misdirection"):
            gain = find(result, "spotlight gain", {"score": "cpa", "stance": "forensic", "type": kind, **judge})
            if gain is not None and gain.value is not None:
                yield f"CPA under {kind} − vision-only, judged by {judge_name(result, judge)}: {_number(gain)}."


def _value(estimate: Estimate) -> str:
    """A figure in its own unit, to a whole number."""
    return f"{estimate.value or 0.0:+.0f}".replace("-", "−")


def _number(estimate: Estimate) -> str:
    """A figure with its interval, in its own unit."""
    unit = estimate.unit
    low, high = (unit.number(each) if each is not None else "–" for each in (estimate.low, estimate.high))
    return f"{unit.number(estimate.value or 0.0)}{unit.suffix} [{low}, {high}]"
