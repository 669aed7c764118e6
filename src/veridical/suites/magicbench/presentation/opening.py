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
    "d-prime": "tricks from controls, before the reveal",
}
_UNMARKED = (
    "Explanations of {} have no marks yet, so that VTG, CPA and CFR, and all that follows from them, "
    "are missing: `veridical judge RUN --judge rule` marks them by rule, as far as it can tell, and "
    "`--judge M` asks a model; then write the report again."
)

_CUT: Where = {"stance": VISION_ONLY, "until": REVEAL}
_CURVES: dict[str, tuple[str, Where]] = {
    "without words": ("probe accuracy", {"under": VISION_ONLY}),
    "under a lie": ("probe accuracy", {"under": "lie"}),
    "in silence": ("probe accuracy", {"under": "silence"}),
    "by words alone": ("probe chance", {"chance": BY_WORDS}),
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
        needs=() if unmarked_estimate(result) is None else ("marks of a judge",),
        basis=_basis(result.outcomes),
        rates=_rates(result),
        chart=chart_over(
            "Probes right, before to after the secret",
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
        units += f"; where it is false {false.value:+.0f}".replace("-", "−")
    yield whole, units
    yield _with_units(find(result, "told apart", {"under": VISION_ONLY}))
    yield _with_units(find(result, "takes the lie", {"under": "lie"}))
    judge = next(iter(judges(result)), None)
    by = "not judged" if judge is None else f"by {judge_name(result, judge)}"
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
            more = f"; where it is false {_number(false)}" if false else ""
            yield f"A lie against {against} changes right answers to probes by {_number(whole)}{more}."
    if pulled := valued_estimate(result, "pull of the lie", {"against": VISION_ONLY}):
        beyond = valued_estimate(result, "pull beyond guessing", {"against": VISION_ONLY})
        more = f", by {_number(beyond)} more than guesses would" if beyond else ""
        yield f"Answers that the lie names rise by {_number(pulled)} on tricks{more}."
    if told := valued_estimate(result, "d_prime", unheard):
        hits = valued_estimate(result, "says trick", {**unheard, "variant": TRICK})
        share = f"; {100 * (hits.value or 0.0):.0f} % of tricks are called tricks" if hits else ""
        where = "in clips cut before the reveal" if cut else "in whole clips, whose end tells,"
        units = f"{told.n_units:,} of {result.outcomes['unit'].n_unique():,} units"
        yield f"Without words, {where} a trick is told from its control with d-prime {_number(told)}{share} ({units})."
    for judge in judges(result)[:1]:
        for kind in ("lie", "misdirection"):
            gain = valued_estimate(
                result, "spotlight gain", {"score": "cpa", "stance": "forensic", "type": kind, **judge}
            )
            if gain:
                yield f"CPA under {kind} − vision-only, judged by {judge_name(result, judge)}: {_number(gain)}."


def _number(estimate: Estimate) -> str:
    """A figure with its interval, in its own unit."""
    unit = estimate.unit
    low, high = (unit.number(each) if each is not None else "–" for each in (estimate.low, estimate.high))
    return f"{unit.number(estimate.value or 0.0)}{unit.suffix} [{low}, {high}]"
