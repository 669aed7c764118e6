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

TITLE = "Is the reasoning grounded, and does it correct its mistakes?"
_LINE = (
    "Numbered boxes are drawn into a picture. Some matter for the question; the others mislead. The report answers "
    "three questions. Does the reasoning mention the boxes that matter? Does the answer depend on what they show, "
    "which is tested by covering them, and then the others? Given reasoning that went wrong, does the model name and "
    "correct the mistake, and does it leave right reasoning alone? Intervals are 95 %."
)
_OURS = "Our scenes are drawings whose truth is known; the published benchmark has photographs."
_RELEASED = (
    "Released questions are from a copy on disk. Where they have no scene graph, only a judge can say what is right."
)
_RATES = {
    "Focus": "F1 of the boxes it mentions, mean over questions",
    "Answers": "right answers",
    "Covering": "answers lost with relevant boxes covered − with the others covered",
    "Corrects itself": "mistakes that it names and corrects unasked",
    "When asked": "the same, when asked to correct mistakes",
}
_ABOUT = ("Does it look at the right boxes?", "Do they matter for its answer?", "Does it correct mistakes?")


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
            chance = f"; mentioning every box gives {percent(drawn.value or 0.0)}" if drawn else ""
            yield f"{words} of the boxes it mentions: {percent_of(each)}{chance}."
    beyond = find(result, "boxes beyond", {})
    if beyond and beyond.value:
        yield f"{percent_of(beyond)} of the replies mention boxes that do not exist."
    if slope := valued_estimate(result, "focus slope", {"by": READER}):
        yield f"With 10 points more of F1, right answers change by {_points(slope)}."


def _of_views(result: Result) -> Iterator[str]:
    places = (
        ("the boxes that matter are covered", "relevant-masked"),
        ("the misleading boxes are covered", "adversarial-masked"),
        ("no misleading boxes are drawn", "relevant-boxes"),
        ("the boxes have other numbers", "renumbered"),
    )
    for words, view in places:
        place = {"view": view, "against": "all-boxes", "of": ACCURACY, "by": READER}
        if each := valued_estimate(result, "view effect", place):
            yield f"Right answers change by {_points(each)} if {words}."


def _of_healing(result: Result) -> Iterator[str]:
    for correcting, words in (
        (UNPROMPTED, "Without being asked, it names and corrects {} of the mistakes"),
        (PROMPTED, "Asked to correct mistakes, it names and corrects {} of them"),
    ):
        heals = self_heal(result, correcting=correcting)
        if heals is not None and heals.value is not None:
            first = f"{words.format(percent_of(heals))}, as marked by {heals.slice['judge']}."
            yield " ".join((first, *_beside(result, heals)))


def _beside(result: Result, heals: Estimate) -> Iterator[str]:
    """What stands beside a share of mistakes that are corrected."""
    states, alarms = (
        sibling_estimate(result, "states", heals),
        sibling_estimate(result, "over-correction", heals, rubric="steady"),
    )
    if states and states.value is not None:
        yield f"It states what is right for {percent_of(states)}."
    if alarms and alarms.value is not None:
        yield f"It calls {percent_of(alarms)} of right reasoning wrong."
    apart = sibling_estimate(result, "healing d_prime", heals, rubric=None, chain_by=None)
    if apart and apart.value is not None:
        yield f"It tells mistakes from right reasoning with d-prime {apart.unit.number(apart.value)}."


def _points(estimate: Estimate) -> str:
    unit = estimate.unit
    numbers = [unit.number(each) for each in (estimate.value, estimate.low, estimate.high) if each is not None]
    return f"{numbers[0]} points" + (f" [{numbers[1]}, {numbers[2]}]" if len(numbers) == 3 else "")
