"""What a report of MagiC says first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from veridical.records import Counts, Estimate
from veridical.suite.conclusions import Conclusion
from veridical.suite.opening import Finding, Opening, Reasons
from veridical.suite.results import Result, find
from veridical.suites.magic.analysis.accuracy import READER
from veridical.suites.magic.analysis.magiscore import ALL
from veridical.suites.magic.analysis.verdict import verdict
from veridical.suites.magic.analysis.views import ACCURACY, MASKED
from veridical.suites.magic.presentation.markers import beside, judged, judges
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
    "Heals": "mistakes named and corrected",
}
_ABOUT = ("Is the focus right?", "Does it matter?", "Does it heal?")


def opening(results: Sequence[Result]) -> Opening | None:
    """A finding for each model, the one with the best focus first; nothing without any."""
    if not results:
        return None
    ordered = sorted(results, key=_focus, reverse=True)
    sources = {source for result in results for source in result.outcomes["taken_from"].drop_nulls().unique()}
    lines = (_LINE, *([_OURS] if "generator" in sources else []), *([_RELEASED] if sources - {"generator"} else []))
    return Opening(TITLE, lines, rates=_RATES, findings=tuple(map(_finding, ordered)))


def _focus(result: Result) -> float:
    estimate = find(result, "magiscore f1", {})
    return estimate.value if estimate and estimate.value is not None else -1.0


def _finding(result: Result) -> Finding:
    concluded = verdict(result.evidence, result.estimates)
    parts = concluded.parts
    evidence = (_of_focus(result), _of_views(result), _of_healing(result))
    return Finding(
        model=result.model,
        verdict=concluded.name,
        sentence=concluded.sentence,
        sure=concluded.sure,
        tone=concluded.tone,
        needs=concluded.needs,
        basis=_basis(result.outcomes),
        counts=Counts.of(result.outcomes),
        rates=tuple(_rates(result)),
        reasons=tuple(
            _reasons(about, part, tuple(lines)) for about, part, lines in zip(_ABOUT, parts, evidence, strict=True)
        ),
    )


def _reasons(about: str, part: Conclusion, lines: tuple[str, ...]) -> Reasons:
    return Reasons(about=about, verdict=part.name, tone=part.tone, evidence=(part.sentence, *lines))


def _rates(result: Result) -> Iterator[tuple[Estimate | None, str]]:
    questions = f"{result.outcomes['stimulus'].n_unique():,} questions"
    yield find(result, "magiscore f1", {}), questions
    by_judge = judged(result, judges(result)[0], "short")
    own = find(result, "accuracy", {}) if by_judge is None or by_judge.value is None else by_judge
    yield own, questions
    yield _lost(result), questions
    heals = self_heal(result)
    yield heals, f"{heals.counts.planned:,} continuations" if heals else ""


def _lost(result: Result) -> Estimate | None:
    return find(result, "view effect", {"view": MASKED[0], "against": MASKED[1], "of": ACCURACY, "by": READER})


def _basis(outcomes: pl.DataFrame) -> str:
    questions, units, views = outcomes.select(pl.col("stimulus", "unit", "settings").n_unique()).row(0)
    return f"{questions:,} questions about {units:,} pictures{f', {views} views' if views > 1 else ''}"


def _of_focus(result: Result) -> Iterator[str]:
    for part, words in (("precision", "Precision"), ("recall", "Recall"), ("f1", "F1")):
        each, drawn = find(result, f"magiscore {part}", {}), find(result, f"chance {part}", {"chance": ALL})
        if each and each.value is not None:
            chance = f"; all boxes: {drawn.value:.0%}" if drawn and drawn.value is not None else ""
            yield f"{words} of the boxes mentioned: {_percent(each)}{chance}."
    beyond = find(result, "boxes beyond", {})
    if beyond and beyond.value:
        yield f"Mentions boxes that do not exist in {_percent(beyond)} of the replies."
    slope = find(result, "focus slope", {"by": READER})
    if slope and slope.value is not None:
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
        each = find(result, "view effect", place)
        if each and each.value is not None:
            yield f"{words}: {_points(each)} of right answers{_p(each)}."


def _of_healing(result: Result) -> Iterator[str]:
    heals = self_heal(result)
    if heals is None or heals.value is None:
        return
    place = heals.slice
    asked = "with the request to correct" if place["correcting"] == "prompted" else "without a request to correct"
    yield f"Names and corrects {_percent(heals)} of the mistakes, {asked}; judged by {place['judge']}."
    states, alarms = beside(result, "states", heals), beside(result, "over-correction", heals, rubric="steady")
    if states and states.value is not None:
        yield f"States what is right in {_percent(states)}."
    if alarms and alarms.value is not None:
        yield f"Calls right reasoning wrong in {_percent(alarms)}."
    apart = beside(result, "healing d_prime", heals, rubric=None, chain_by=None)
    if apart and apart.value is not None:
        yield f"Mistakes are told from right reasoning by d-prime {apart.unit.number(apart.value)}."


def _percent(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.0%}"
    return f"{estimate.value:.0%} [{estimate.low:.0%}, {estimate.high:.0%}]"


def _points(estimate: Estimate) -> str:
    unit = estimate.unit
    numbers = [unit.number(each) for each in (estimate.value, estimate.low, estimate.high) if each is not None]
    return f"{numbers[0]} points" + (f" [{numbers[1]}, {numbers[2]}]" if len(numbers) == 3 else "")


def _p(estimate: Estimate) -> str:
    return "" if estimate.p is None else f", p {estimate.p:.3f}" if estimate.p >= 0.001 else ", p below 0.001"
