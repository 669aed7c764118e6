"""What the probe concludes: accuracy, closeness in a unit of its own, and what is lost from easy to hard."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import polars as pl

from veridical.records import POINTS, PROPORTION, Counts, Estimate, Measure, Unit
from veridical.stats import Interval
from veridical.suite.contrasts import difference
from veridical.suite.evidence import Evidence
from veridical.suite.parts import AnalysisPart
from veridical.suite.rates import NOTHING, Slice, cluster_rows, mean_rate, slices

OUT_OF_TEN = Unit(name="out of ten", digits=1, suffix=" /10", low=0.0, high=10.0, neutral=5.0)
MEASURES = {
    "accuracy": Measure(
        title="Accuracy",
        definition="Correct replies of all trials.",
        unit=PROPORTION,
        source="Nobody 2026",
        better="higher",
    ),
    "closeness": Measure(
        title="Closeness",
        definition="10 for the true number of dots, one less for each dot off.",
        unit=OUT_OF_TEN,
        better="higher",
    ),
    "loss": Measure(title="Loss", definition="Accuracy on easy items − on hard ones.", unit=POINTS, better="lower"),
    "agreement": Measure(title="Agreement", definition="Verdicts that are true.", unit=PROPORTION, better="higher"),
    "healed": Measure(title="Healed", definition="Right at the second look.", unit=PROPORTION, better="higher"),
    "accuracy difference": Measure(title="Difference", definition="Accuracy, B − A.", unit=POINTS),
}
_BY = (("family",), ("tone",), ("pale",))
_EASY, _HARD = (pl.col("variant") == name for name in ("easy", "hard"))


def estimates(evidence: Evidence) -> list[Estimate]:
    return [*_estimates(_prepared(evidence.outcomes())), *_of_later_stages(evidence)]


def _of_later_stages(evidence: Evidence) -> Iterator[Estimate]:
    """How often each judge agrees with the truth, and what is right at the second look."""
    for stage in ("mark", "remark"):
        for (judge,), rows in _right(evidence.outcomes(stage)).group_by("model", maintain_order=True):
            piece = Slice("probe", {"stage": stage, "judge": str(judge)}, rows, Counts.of(rows))
            yield piece.rate("agreement", "right", "of all")
    again = _right(evidence.outcomes("again"))
    if not again.is_empty():
        yield Slice("probe", {}, again, Counts.of(again)).rate("healed", "right", "of all")


def _right(outcomes: pl.DataFrame) -> pl.DataFrame:
    return outcomes.with_columns(pl.col("correct").fill_null(value=False).cast(pl.Float64).alias("right"))


def _prepared(outcomes: pl.DataFrame) -> pl.DataFrame:
    tones = {text: json.loads(text)["tone"] for text in outcomes["settings"].unique()}
    return _right(outcomes).with_columns(pl.col("settings").replace_strict(tones, return_dtype=pl.String).alias("tone"))


def _estimates(trials: pl.DataFrame) -> Iterator[Estimate]:
    whole = Slice("probe", {}, trials, Counts.of(trials))
    yield whole.rate("accuracy", "right", "of all")
    for keys in _BY:
        yield from (piece.rate("accuracy", "right", "of all") for piece in slices("probe", trials, trials, keys, {}))
    dots = trials.filter(pl.col("family") == "dots")
    yield _closeness(Slice("probe", {}, dots, Counts.of(dots)))
    yield difference(whole, "loss", "right", (_EASY, _HARD, "easy − hard"))


def _closeness(piece: Slice) -> Estimate:
    method = "of all, not answered is 0; by resampling units"
    if piece.rows.is_empty() or "score_closeness" not in piece.rows.columns:
        return piece.estimate("closeness", OUT_OF_TEN, method, None, NOTHING, "no dots were counted")
    rows = piece.rows.with_columns((pl.col("score_closeness").fill_null(0) / 10).alias("part"))
    value, bounds = mean_rate(cluster_rows(rows, ("part",), np.zeros(len(rows), np.int64), 1), 0, (1.0,))
    low, high = (None if bound is None else 10 * bound for bound in (bounds.low, bounds.high))
    return piece.estimate("closeness", OUT_OF_TEN, method, 10 * value, Interval(low, high))


def differences(first: Evidence, second: Evidence) -> list[Estimate]:
    both = pl.concat(
        [
            _prepared(evidence.outcomes()).select("unit", "family", "right", pl.lit(k).alias("run"))
            for k, evidence in enumerate((first, second))
        ]
    )
    piece = Slice("probe", {}, both, Counts.of(first.outcomes()))
    return [difference(piece, "accuracy difference", "right", (pl.col("run") == 1, pl.col("run") == 0, "B − A"))]


ANALYSIS = AnalysisPart(
    measures=MEASURES,
    estimates=estimates,
    headline=("accuracy", "closeness", "loss"),
    slices=("family", "tone", "pale"),
    differences=differences,
)
