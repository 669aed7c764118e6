"""Calibration of judges against people: agreement, correlation, errors, and rates that people's labels correct."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import polars as pl

from veridical.errors import InputError
from veridical.judges.calibrate_pairs import NamedFigure, binary, correlations, judge_agreement, score_figures
from veridical.judges.calibrate_tables import CrossTable, counts_frame, cross_tables
from veridical.judges.people import People, Ranges
from veridical.judges.verdict_frames import KEY, READ, check_verdicts, counts
from veridical.stats import PoweredMean, false_positive_rate, powered_mean
from veridical.stats.agreement import noisy

NOISE = (0.5, 1.0)
"""Standard deviations of the noise that is added to the reference, in those of the reference."""

_GROUP = ("judge", "rubric", "score_name")


@dataclass(frozen=True)
class Calibration:
    """What is known of judges: the `estimates`, the `tables` of persons and judges, and `verdicts` by status.

    Verdicts that were not read are in no estimate and in no table.
    """

    estimates: tuple[NamedFigure, ...]
    tables: tuple[CrossTable, ...]
    verdicts: pl.DataFrame

    def frame(self) -> pl.DataFrame:
        """One row per estimate: name, what it is about, value, interval, rows, units, method and reason."""
        keys = list(dict.fromkeys(key for each in self.estimates for key in each.about))
        kinds = {"value": pl.Float64, "low": pl.Float64, "high": pl.Float64, "n": pl.Int64, "units": pl.Int64}
        rows = [
            {
                "name": each.name,
                **{key: each.about.get(key) for key in keys},
                **{name: getattr(each.statistic, name) for name in (*kinds, "method", "reason")},
                "unread": each.unread,
            }
            for each in self.estimates
        ]
        schema = {"name": pl.String, **dict.fromkeys(keys, pl.String), **kinds, "method": pl.String}
        return pl.DataFrame(rows, schema={**schema, "reason": pl.String, "unread": pl.Int64})

    def tables_frame(self) -> pl.DataFrame:
        """One row per cell of the tables: rubric, score, judges, the person's label, the judges' scores, replies."""
        return counts_frame(self.tables)


def calibrate(
    verdicts: pl.DataFrame,
    people: People,
    ranges: Ranges,
    *,
    vetoes: Collection[str] = (),
    planted: Collection[str] = (),
    noise: Sequence[float] = NOISE,
    seed: int = 0,
) -> Calibration:
    """The calibration of every judge, by rubric and score, from verdicts (see `VERDICTS`) and people's labels.

    `vetoes` names the scores from 0 to 1 that are vetoes: of these, agreement is given, and no correlation. `planted`
    are items whose replies cannot be right; they are only in the rate of false positives, any score above 0. `noise`
    are the amounts of seeded normal noise that is added to the reference. Personas are judges with names of their own.
    Raises `InputError` for a table without a column, a score without a range, and a planted item without a verdict.
    """
    judged = check_verdicts(verdicts)
    _require(judged, people, ranges, vetoes, planted)
    cannot = pl.col("item").is_in(list(planted))
    normal = judged.filter(~cannot)
    both = normal.join(people.reference, on=[*KEY, "score_name"], how="inner", maintain_order="left")
    estimates = [
        NamedFigure("agreement among people", {"score": name}, each) for name, each in people.agreement.items()
    ]
    for group, rows in both.group_by(_GROUP, maintain_order=True):
        estimates += _of_judge(_about(group), rows, ranges, vetoes, noise, seed)
    for (score, rubric), rows in normal.group_by("score_name", "rubric", maintain_order=True):
        about = {"rubric": str(rubric), "score": str(score)}
        estimates += judge_agreement(about, rows, ranges[str(score)], veto=score in vetoes)
    for group, rows in judged.filter(cannot).group_by(_GROUP, maintain_order=True):
        if group[2] not in vetoes:
            read = rows.filter(pl.col("status") == READ)
            rate = false_positive_rate(read["score"].to_numpy(), units=read["unit"].to_numpy())
            estimates.append(NamedFigure("false positives", _about(group), rate, len(rows) - len(read)))
    for group, rows in normal.group_by(_GROUP, maintain_order=True):
        estimates += _rates(_about(group), rows, people, ranges)
    return Calibration(tuple(estimates), cross_tables(both), counts(judged))


def _about(group: Sequence[object]) -> dict[str, str]:
    judge, rubric, score = map(str, group)
    return {"judge": judge, "rubric": rubric, "score": score}


def _require(
    judged: pl.DataFrame, people: People, ranges: Ranges, vetoes: Collection[str], planted: Collection[str]
) -> None:
    scores = judged["score_name"].unique(maintain_order=True).to_list()
    for score in [*scores, *vetoes]:
        if score not in ranges:
            raise InputError(f"score '{score}' has no range: there are {', '.join(ranges) or 'none'}")
        if score in vetoes and ranges[score] != (0.0, 1.0):
            raise InputError(
                f"veto '{score}' ranges from {ranges[score][0]:g} to {ranges[score][1]:g}: 0 to 1 is needed"
            )
    items = set(judged["item"].to_list())
    for item in planted:
        if item not in items:
            raise InputError(f"no verdict is about the planted item '{item}'")
    outside = judged.drop_nulls("score").join(
        pl.DataFrame([(name, *bounds) for name, bounds in ranges.items()], schema=_BOUNDS, orient="row"),
        on="score_name",
    )
    outside = outside.filter((pl.col("score") < pl.col("low")) | (pl.col("score") > pl.col("high")))
    if len(outside):
        row = outside.row(0, named=True)
        raise InputError(f"{row['judge']}, item '{row['item']}': {row['score_name']} {row['score']:g} is out of range")
    if people.reference.join(judged, on=[*KEY, "score_name"], how="semi").is_empty():
        raise InputError("no label is about a reply that has a verdict")


_BOUNDS = {"score_name": pl.String, "low": pl.Float64, "high": pl.Float64}


def _of_judge(
    about: dict[str, str],
    rows: pl.DataFrame,
    ranges: Ranges,
    vetoes: Collection[str],
    noise: Sequence[float],
    seed: int,
) -> Iterator[NamedFigure]:
    """The figures of one judge on one score against the reference."""
    read = rows.filter(pl.col("status") == READ)
    unread, bounds = len(rows) - len(read), ranges[about["score"]]
    if about["score"] in vetoes:
        yield from binary("veto", about, read, unread)
        return
    yield from score_figures(about, read, bounds, unread)
    for amount in noise:
        disturbed = noisy(read["reference"].to_numpy(), amount, bounds=bounds, seed=seed)
        where = {**about, "noise": f"{amount:g}"}
        yield from correlations(where, read.with_columns(pl.Series("reference", disturbed)), unread)


def _rates(about: dict[str, str], rows: pl.DataFrame, people: People, ranges: Ranges) -> Iterator[NamedFigure]:
    """The judged mean of each model, raw and corrected, and that of the labels alone; of all, if there are several."""
    models = rows["model"].unique(maintain_order=True).to_list()
    for model in models:
        yield from _rate({**about, "model": model}, rows.filter(pl.col("model") == model), people, ranges)
    if len(models) > 1:
        yield from _rate({**about, "model": "all"}, rows, people, ranges)


def _rate(about: dict[str, str], rows: pl.DataFrame, people: People, ranges: Ranges) -> Iterator[NamedFigure]:
    read = rows.filter(pl.col("status") == READ)
    unread, bounds = len(rows) - len(read), ranges[about["score"]]
    both = read.join(people.reference, on=[*KEY, "score_name"], how="inner", maintain_order="left")
    every, units = read["score"].to_numpy(), read["unit"].to_numpy()
    raw = powered_mean(every, every, [], units=units, bounds=bounds)
    reason = raw.reason if len(every) else "no verdict was read"
    yield NamedFigure(
        "judged mean", about, replace(raw, method=_MEAN.format("the judge's scores"), reason=reason), unread
    )

    def powered(weight: float | None) -> PoweredMean:
        return powered_mean(
            both["reference"].to_numpy(),
            both["score"].to_numpy(),
            every,
            units=both["unit"].to_numpy(),
            more_units=units,
            weights=both["weight"].to_numpy(),
            bounds=bounds,
            weight=weight,
        )

    yield NamedFigure("corrected mean", about, powered(None), unread)
    labels = replace(powered(0.0), method=_MEAN.format("people's labels, weighted as they were drawn"))
    yield NamedFigure("mean of labels", about, labels, unread)


_MEAN = "mean of {}; linearized over units, one deviating row added"
