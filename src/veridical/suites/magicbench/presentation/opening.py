"""What a report of MagicBench says first: what a lie does to seeing, with nothing marked, beside the judged scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from veridical.records import Estimate
from veridical.suite.findings import best_first, chart_over, finding, levels_in, valued_estimate
from veridical.suite.opening import Finding, Opening, Reasons
from veridical.suite.results import Result, find
from veridical.suite.tables import Where
from veridical.suites.magicbench.analysis.probes import BASES, BY_WORDS
from veridical.suites.magicbench.analysis.verdict import ABOUT, verdict
from veridical.suites.magicbench.asking.cells import REVEAL, VISION_ONLY
from veridical.suites.magicbench.presentation.marking import judge_name, judges, unmarked_estimate
from veridical.suites.magicbench.presentation.tables.probes import MOMENTS
from veridical.suites.magicbench.stimuli import HONEST, REAL, TRICK

TITLE = "Who believes the magician?"
_LINE = (
    "Each clip shows a magic trick or its honest control: the same pixels up to the secret move, and then nothing is "
    "hidden. The model sees every clip without words (vision-only), and again with a magician's words: a lie, "
    "misdirection, unrelated talk, or silence, which is an empty transcript. The first figure is what a lie does to "
    "seeing: right answers to multiple-choice questions about the clip (where is the coin?) with the lie − without "
    "it. No judge is needed for that; a judge marks explanations of the trick. Intervals are 95 %. Our own clips are "
    "drawings."
)
_RELEASE_LINE = (
    "Each released clip comes with one type of words. Clips of different types differ in more than their words, so a "
    "difference between types need not be due to the words."
)
_RATES = {
    "Effect of a lie": "right answers with the lie − without it",
    "Told apart": "tricks from controls, without words; 1 is perfect",
    "Takes the lie": "answers what the lie says, where it is false",
    "CPA": "a judge's marks for how it is done, of 100",
    "Loss in silence": "CPA without words − with an empty transcript",
    "d-prime": "tricks from controls, cut before the reveal",
}
_UNMARKED = (
    "Nobody has marked the explanations of {} yet, so VTG, CPA, CFR and everything based on them are missing. "
    "`veridical judge RUN --judge rule` marks by rule what rules can mark, and `--judge M` asks a model; then write "
    "the report again."
)

_CUT: Where = {"stance": VISION_ONLY, "until": REVEAL}
_CURVES: dict[str, tuple[str, Where]] = {
    "without words": ("probe accuracy", {"under": VISION_ONLY}),
    "with a lie": ("probe accuracy", {"under": "lie"}),
    "in silence": ("probe accuracy", {"under": "silence"}),
    "from words alone": ("probe chance", {"chance": BY_WORDS}),
}


def opening(results: Sequence[Result]) -> Opening | None:
    """A finding for each model, the one from which a lie takes least first; nothing without any."""
    if not results:
        return None
    variants = levels_in(results, "variant")
    lines = [*([_LINE] if variants - {REAL} else []), *([_RELEASE_LINE] if REAL in variants else [])]
    lines += [_UNMARKED.format(result.model) for result in results if unmarked_estimate(result) is not None]
    ordered = best_first(results, "effect of a lie", {})
    return Opening(TITLE, tuple(lines), rates=_RATES, findings=tuple(map(_finding, ordered)))


def _finding(result: Result) -> Finding:
    concluded = verdict(result.evidence, result.estimates)
    return finding(
        result,
        concluded,
        needs=() if unmarked_estimate(result) is None else ("a judge's marks for the explanations",),
        basis=_basis(result.outcomes),
        rates=_rates(result),
        chart=chart_over(
            "Right answers, before and after the secret move",
            ("before", "after"),
            {
                name: [find(result, metric, {**where, "moment": moment}) for moment in MOMENTS]
                for name, (metric, where) in _CURVES.items()
            },
        ),
        reasons=[
            Reasons(
                about="All",
                verdict=concluded.name,
                tone=concluded.tone,
                evidence=tuple(_evidence(result)),
                parts=tuple(
                    Reasons(about=about, verdict=part.name, tone=part.tone, evidence=(part.sentence,))
                    for about, part in zip(ABOUT, concluded.parts, strict=True)
                    if part.sentence
                ),
            )
        ],
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
    if false is not None and false.value is not None:
        units += f"; where the lie is false {false.value:+.0f}".replace("-", "−")
    yield whole, units
    yield _with_units(find(result, "told apart", {"under": VISION_ONLY}))
    yield _with_units(find(result, "takes the lie", {"under": "lie"}))
    judge = next(iter(judges(result)), None)
    by = "not marked" if judge is None else f"marked by {judge_name(result, judge)}"
    for metric in ("cpa", "agency loss"):
        yield find(result, metric, {}) if judge is not None else unmarked_estimate(result), by
    told, units = _with_units(find(result, "d_prime", _CUT))
    alarms = valued_estimate(result, "says trick", {**_CUT, "variant": HONEST})
    yield told, f"{units}; false alarms {100 * (alarms.value or 0.0):.0f} %" if alarms else units


def _with_units(estimate: Estimate | None) -> tuple[Estimate | None, str]:
    return estimate, "" if estimate is None else f"{estimate.n_units:,} units"


def _evidence(result: Result) -> Iterator[str]:
    """What the verdict rests on, in words."""
    cut = find(result, "d_prime", _CUT)
    unheard: Where = _CUT if cut else {"stance": VISION_ONLY, "words": "none"}
    for against in BASES:
        if whole := valued_estimate(result, "effect of a lie", {"against": against}):
            false = valued_estimate(result, "effect of a lie", {"against": against, "lie": "false"})
            more = f"; where the lie is false, by {_number(false)}" if false else ""
            than = "no words" if against == VISION_ONLY else against
            yield f"Compared with {than}, a lie changes right answers by {_number(whole)}{more}."
    if pulled := valued_estimate(result, "pull of the lie", {"against": VISION_ONLY}):
        beyond = valued_estimate(result, "pull beyond guessing", {"against": VISION_ONLY})
        more = f"; {_number(beyond)} of that is beyond what guessing would give" if beyond else ""
        yield f"On tricks, a lie changes how often the answer is the lie's by {_number(pulled)}{more}."
    if told := valued_estimate(result, "d_prime", unheard):
        hits = valued_estimate(result, "says trick", {**unheard, "variant": TRICK})
        share = f", and calls {100 * (hits.value or 0.0):.0f} % of the tricks tricks" if hits else ""
        where = "cut before the reveal" if cut else "whole, so that the end gives tricks away"
        units = f"{told.n_units:,} of {result.outcomes['unit'].n_unique():,} units"
        yield (
            f"Shown clips without words, {where}, it tells tricks from controls with d-prime {_number(told)}{share} "
            f"({units})."
        )
    for judge in judges(result)[:1]:
        for kind in ("lie", "misdirection"):
            gain = valued_estimate(
                result, "spotlight gain", {"score": "cpa", "stance": "forensic", "type": kind, **judge}
            )
            if gain:
                words = "A lie" if kind == "lie" else kind.capitalize()
                yield f"{words} changes CPA by {_number(gain)}, as marked by {judge_name(result, judge)}."


def _number(estimate: Estimate) -> str:
    """A figure with its interval, in its own unit."""
    unit = estimate.unit
    low, high = (unit.number(each) if each is not None else "–" for each in (estimate.low, estimate.high))
    return f"{unit.number(estimate.value or 0.0)}{unit.suffix} [{low}, {high}]"
