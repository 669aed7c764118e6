"""What a report of VIA-Bench says first."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from veridical.records import Counts, Estimate
from veridical.suite.opening import Finding, Opening, Reasons
from veridical.suite.results import Result, find
from veridical.suites.viabench.analysis.replies import plain, replies
from veridical.suites.viabench.options import CATEGORIES, CODES
from veridical.suites.viabench.presentation.findings import Verdict, verdict
from veridical.suites.viabench.releases.rows import RELEASE

TITLE = "Does it see against common sense, or give the usual answer?"
_LINE = (
    "Every question has one picture for each of its possible answers, so a model that does not look is at chance. An "
    "ordinary counterpart is the same picture without the illusion, or the normal version of an anomaly. The usual "
    "answer is the one that common sense or the illusion suggests. All with 95 % intervals. Our generators have no "
    "photographs: mirrors, paintings and posed scenes of the published benchmark are absent."
)
_RELEASE_LINE = (
    "Released items are the published benchmark's own, from a copy on disk. They have no ordinary counterparts and "
    "name no usual answer, so accuracy is set against chance alone: a random choice among all options but 'Not Sure'. "
    "The model veridical/text, which sees no picture, shows how far their wording gives answers away."
)
_RATES = {
    "Unusual": "right on illusions and anomalies",
    "Ordinary": "right on their counterparts",
    "Chance": "a random choice",
    "Pull": "usual answer right − wrong",
}
_PARTS = (("accuracy", "variant", "unusual"), ("accuracy", "variant", "ordinary"))


def opening(results: Sequence[Result]) -> Opening | None:
    """A finding for each model, the most accurate on unusual pictures first; nothing without any."""
    if not results:
        return None
    ordered = sorted(results, key=_seen, reverse=True)
    sources = {source for result in results for source in result.outcomes["taken_from"].unique()}
    lines = (*([_LINE] if sources - {RELEASE} else []), *([_RELEASE_LINE] if RELEASE in sources else []))
    return Opening(TITLE, lines, rates=_RATES, findings=tuple(map(_finding, ordered)))


def _seen(result: Result) -> float:
    estimate = find(result, "accuracy", {"variant": "unusual"})
    return estimate.value if estimate and estimate.value is not None else -1.0


def _finding(result: Result) -> Finding:
    concluded = verdict(result)
    rows = plain(replies(result.outcomes))[0]
    return Finding(
        model=result.model,
        verdict=concluded.name,
        sentence=concluded.sentence,
        sure=concluded.sure,
        tone=concluded.tone,
        needs=concluded.needs,
        basis=_basis(rows),
        counts=Counts.of(result.outcomes),
        rates=tuple(_rates(result, rows)),
        reasons=(_reasons(result, concluded),),
    )


def _rates(result: Result, rows: pl.DataFrame) -> list[tuple[Estimate | None, str]]:
    counts = dict(rows.group_by("variant").agg(pl.col("stimulus").n_unique()).iter_rows())
    rates: list[tuple[Estimate | None, str]] = [
        (find(result, metric, {column: level}), f"{counts.get(level, 0):,} items") for metric, column, level in _PARTS
    ]
    leaning = rows.drop_nulls("usual")
    rates.append((find(result, "chance", {}), f"{rows['stimulus'].n_unique():,} items"))
    return [*rates, (find(result, "pull of the usual", {}), f"{leaning['stimulus'].n_unique():,} items")]


def _basis(rows: pl.DataFrame) -> str:
    counts = rows.select(pl.col("stimulus", "unit", "family").n_unique()).row(0)
    return "{:,} items of {:,} units in {:,} puzzles".format(*counts)


def _reasons(result: Result, concluded: Verdict) -> Reasons:
    return Reasons(
        about="All categories", verdict=concluded.name, tone=concluded.tone, evidence=tuple(_evidence(result))
    )


def _evidence(result: Result) -> list[str]:
    """The accuracy in each category beside its chance, in words."""
    lines = []
    for category, title in CATEGORIES.items():
        rate, chance = (find(result, metric, {"category": category}) for metric in ("accuracy", "chance"))
        if rate and rate.value is not None and chance and chance.value is not None:
            bounds = f"[{rate.low:.0%}, {rate.high:.0%}]"
            lines.append(
                f"{title.capitalize()} ({CODES[category]}): {rate.value:.0%} {bounds}, chance {chance.value:.0%}"
            )
    return lines
