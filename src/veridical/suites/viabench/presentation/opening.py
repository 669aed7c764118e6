"""What a report of VIA-Bench says first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from veridical.records import Estimate
from veridical.suite.findings import (
    best_first,
    finding,
    levels_in,
    percent,
    percent_of,
    stimuli_by_variant,
    valued_estimate,
)
from veridical.suite.opening import Finding, Opening, Reasons
from veridical.suite.results import Result, find
from veridical.suites.viabench.analysis.replies import plain_replies, replies
from veridical.suites.viabench.options import CATEGORIES, CODES
from veridical.suites.viabench.presentation.findings import verdict
from veridical.suites.viabench.releases.rows import RELEASE

TITLE = "Does it see what is there, or give the usual answer?"
_LINE = (
    "Each question comes with one picture for each of its possible answers, so a model that does not look is at "
    "chance. An ordinary counterpart is the same picture without the illusion, or the normal version of an anomaly. "
    "The usual answer is the one that common sense or the illusion suggests. Intervals are 95 %. Our pictures are "
    "drawn: they have none of the mirrors, paintings and posed scenes of the published benchmark."
)
_RELEASE_LINE = (
    "Released items are those of the published benchmark, from a copy on disk. They have no ordinary counterparts and "
    "name no usual answer, so accuracy can be compared only with chance: a random choice among all options but "
    "'Not Sure'. The model veridical/text, which sees no picture, shows how far the wording gives answers away."
)
_RATES = {
    "Unusual": "right on illusions and anomalies",
    "Ordinary": "right on ordinary counterparts",
    "Chance": "a random choice",
    "Pull": "accuracy where the usual answer is right − where it is wrong",
}


def opening(results: Sequence[Result]) -> Opening | None:
    """A finding for each model, the most accurate on unusual pictures first; nothing without any."""
    if not results:
        return None
    sources = levels_in(results, "taken_from")
    lines = (*([_LINE] if sources - {RELEASE} else []), *([_RELEASE_LINE] if RELEASE in sources else []))
    ordered = best_first(results, "accuracy", {"variant": "unusual"})
    return Opening(TITLE, lines, rates=_RATES, findings=tuple(map(_finding, ordered)))


def _finding(result: Result) -> Finding:
    concluded = verdict(result)
    rows = plain_replies(replies(result.outcomes))[0]
    evidence = tuple(_evidence(result))
    return finding(
        result,
        concluded,
        basis=_basis(rows),
        rates=_rates(result, rows),
        reasons=[Reasons(about="All categories", verdict=concluded.name, tone=concluded.tone, evidence=evidence)],
    )


def _rates(result: Result, rows: pl.DataFrame) -> Iterator[tuple[Estimate | None, str]]:
    items = stimuli_by_variant(rows)
    for variant in ("unusual", "ordinary"):
        yield find(result, "accuracy", {"variant": variant}), f"{items.get(variant, 0):,} items"
    yield find(result, "chance", {}), f"{rows['stimulus'].n_unique():,} items"
    leaning = rows.drop_nulls("usual")["stimulus"].n_unique()
    yield find(result, "pull of the usual", {}), f"{leaning:,} items"


def _basis(rows: pl.DataFrame) -> str:
    counts = rows.select(pl.col("stimulus", "unit", "family").n_unique()).row(0)
    return "{:,} items of {:,} units in {:,} puzzles".format(*counts)


def _evidence(result: Result) -> Iterator[str]:
    """The accuracy in each category beside its chance, in words."""
    for category, title in CATEGORIES.items():
        rate, chance = (valued_estimate(result, metric, {"category": category}) for metric in ("accuracy", "chance"))
        if rate and chance:
            beside = f"chance is {percent(chance.value or 0.0)}"
            yield f"{title.capitalize()} ({CODES[category]}): right on {percent_of(rate)}; {beside}."
