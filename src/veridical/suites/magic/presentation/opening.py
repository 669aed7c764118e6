"""What a report of MagiC says first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from veridical.records import Estimate
from veridical.suite.findings import best_first, finding, levels_in, percent, percent_of, valued_estimate
from veridical.suite.opening import Finding, Opening, Reasons
from veridical.suite.results import Result, find
from veridical.suites.magic.analysis.accuracy import READER
from veridical.suites.magic.analysis.magiscore import ALL
from veridical.suites.magic.analysis.verdict import verdict
from veridical.suites.magic.analysis.views import ACCURACY, MASKED
from veridical.suites.magic.asking.healing import PROMPTED, UNPROMPTED
from veridical.suites.magic.presentation.markers import short_answers, sibling_estimate
from veridical.suites.magic.presentation.tables.healing import self_heal

TITLE = "Is the reasoning grounded, and can it heal itself?"
_LINE = (
    "Numbered boxes are drawn into a picture; some matter for a question, the others mislead. Three things are asked: "
    "does the reasoning mention the boxes that matter, does the answer rest on what they show (their content is "
    "covered, and that of the others), and is reasoning that has gone wrong set right, while right reasoning is kept?"
)
_OURS = "Our scenes are drawings with a known truth; the published benchmark has photographs."
_RELEASED = (
    "Questions of a release are from a copy on disk; where they have no scene, only judges can say what is right."
)
_RATES = {
    "Focus": "F1 of the boxes mentioned, mean of questions",
    "Answers": "right answers",
    "Covering": "answers lost with the relevant boxes covered, beyond the others",
    "Corrects itself": "mistakes named and corrected, nobody asks for it",
    "When asked": "the same after a request to correct mistakes",
}
_ABOUT = ("Is the focus right?", "Does it matter?", "Does it correct mistakes?")


def opening(results: Sequence[Result]) -> Opening | None:
    """A finding for each model, the one with the best focus first; nothing without any."""
    if not results:
        return None
    sources = levels_in(results, "taken_from")
    lines = (_LINE, *([_OURS] if "generator" in sources else []), *([_RELEASED] if sources - {"generator"} else []))
    ordered = best_first(results, "magiscore f1", {})
    return Opening(TITLE, lines, rates=_RATES, findings=tuple(map(_finding, ordered)))


def _finding(result: Result) -> Finding:
    concluded = verdict(result.evidence, result.estimates)
    parts = concluded.parts
    evidence = (_of_focus(result), _of_views(result), _of_healing(result))
    return finding(
        result,
        concluded,
        basis=_basis(result.outcomes),
        rates=_rates(result),
        reasons=[
            Reasons(about=about, verdict=part.name, tone=part.tone, evidence=(part.sentence, *lines))
            for about, part, lines in zip(_ABOUT, parts, evidence, strict=True)
        ],
    )


def _rates(result: Result) -> Iterator[tuple[Estimate | None, str]]:
    questions = f"{result.outcomes['stimulus'].n_unique():,} questions"
    yield find(result, "magiscore f1", {}), questions
    yield short_answers(result), questions
    place = {"view": MASKED[0], "against": MASKED[1], "of": ACCURACY, "by": READER}
    yield find(result, "view effect", place), questions
    for correcting in (UNPROMPTED, PROMPTED):
        heals = self_heal(result, correcting=correcting)
        yield heals, f"{heals.counts.planned:,} continuations" if heals else ""


def _basis(outcomes: pl.DataFrame) -> str:
    questions, units, views = outcomes.select(pl.col("stimulus", "unit", "settings").n_unique()).row(0)
    return f"{questions:,} questions about {units:,} pictures{f', {views} views' if views > 1 else ''}"


def _of_focus(result: Result) -> Iterator[str]:
    for part, words in (("precision", "Precision"), ("recall", "Recall"), ("f1", "F1")):
        if each := valued_estimate(result, f"magiscore {part}", {}):
            drawn = valued_estimate(result, f"chance {part}", {"chance": ALL})
            chance = f"; all boxes: {percent(drawn.value or 0.0)}" if drawn else ""
            yield f"{words} of the boxes mentioned: {percent_of(each)}{chance}."
    beyond = find(result, "boxes beyond", {})
    if beyond and beyond.value:
        yield f"Mentions boxes that do not exist in {percent_of(beyond)} of the replies."
    if slope := valued_estimate(result, "focus slope", {"by": READER}):
        yield f"10 points of F1 more go with {_points(slope)} of right answers{_p(slope)}."


def _of_views(result: Result) -> Iterator[str]:
    places = (
        ("Relevant boxes covered", "relevant-masked"),
        ("Adversarial boxes covered", "adversarial-masked"),
        ("No adversarial boxes", "relevant-boxes"),
        ("Other numbers", "renumbered"),
    )
    for words, view in places:
        place = {"view": view, "against": "all-boxes", "of": ACCURACY, "by": READER}
        if each := valued_estimate(result, "view effect", place):
            yield f"{words}: {_points(each)} of right answers{_p(each)}."


def _of_healing(result: Result) -> Iterator[str]:
    for correcting, asked in ((UNPROMPTED, "nobody asks for it"), (PROMPTED, "after the request to correct")):
        heals = self_heal(result, correcting=correcting)
        if heals is not None and heals.value is not None:
            yield f"Names and corrects {percent_of(heals)} of the mistakes, {asked}; judged by {heals.slice['judge']}."
            yield from _beside(result, heals)


def _beside(result: Result, heals: Estimate) -> Iterator[str]:
    """What stands beside a share of mistakes that are corrected."""
    states, alarms = (
        sibling_estimate(result, "states", heals),
        sibling_estimate(result, "over-correction", heals, rubric="steady"),
    )
    if states and states.value is not None:
        yield f"States what is right in {percent_of(states)}."
    if alarms and alarms.value is not None:
        yield f"Calls right reasoning wrong in {percent_of(alarms)}."
    apart = sibling_estimate(result, "healing d_prime", heals, rubric=None, chain_by=None)
    if apart and apart.value is not None:
        yield f"Mistakes are told from right reasoning by d-prime {apart.unit.number(apart.value)}."


def _points(estimate: Estimate) -> str:
    unit = estimate.unit
    numbers = [unit.number(each) for each in (estimate.value, estimate.low, estimate.high) if each is not None]
    return f"{numbers[0]} points" + (f" [{numbers[1]}, {numbers[2]}]" if len(numbers) == 3 else "")


def _p(estimate: Estimate) -> str:
    return "" if estimate.p is None else f", p {estimate.p:.3f}" if estimate.p >= 0.001 else ", p below 0.001"
