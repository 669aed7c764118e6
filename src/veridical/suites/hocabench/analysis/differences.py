"""What two levels of a setting differ in on the same clips, and two runs on the trials that both have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl

from veridical.records import POINTS, Counts, Estimate, Json
from veridical.stats import Interval, sign_flip_p
from veridical.suite.contrasts import difference, doubled_rows, holm_corrected
from veridical.suite.evidence import Evidence
from veridical.suite.rates import NOTHING, Slice, clustered
from veridical.suite.reply import REPLY
from veridical.suites.hocabench.analysis.figures import LACKING, f1, f1_slopes, has_both, sides
from veridical.suites.hocabench.analysis.rows import (
    both_kinds,
    default_level,
    groups,
    keys_of,
    plain,
    replies,
    with_status,
)
from veridical.suites.hocabench.analysis.scores import CHOICES, TOTAL, judges, marks_of
from veridical.suites.hocabench.asking.readers import EXPLAINED, INTERVAL, PLAUSIBILITY, SEVERAL
from veridical.suites.hocabench.asking.tasks import TASKS
from veridical.suites.hocabench.asking.trials import SETTINGS
from veridical.suites.hocabench.stimuli import NAME

CHANGED = ("frames", "video", "resolution", "domains", "attribution_rule", REPLY)
_FRACTIONS = (INTERVAL, SEVERAL, EXPLAINED)
_WORDS = {INTERVAL: "intersection over union", SEVERAL: "F1 of the set", EXPLAINED: "score"}
_SIDES = (pl.col("run") == 1, pl.col("run") == 0, "B − A")
_KEPT = ("trial", "repeat", "unit", "family", "variant", "status", "attempt", "layer", "value")
_F1 = "B − A; F1 linearized in both rates, variance recovery, correlated within units; sign-flip test by unit"


def effects(rows: pl.DataFrame, marks: pl.DataFrame) -> Iterator[Estimate]:
    """`setting effect` of each further level of a setting, and `gain over blind`, by task."""
    for name in CHANGED:
        found = list(_of_setting(rows, marks, name))
        by_level: dict[Json, list[Estimate]] = {}
        for each in found:
            by_level.setdefault(each.slice["level"], []).append(each)
        for same in by_level.values():
            yield from holm_corrected(same)
    blind = []
    for task, own, where in _by_task(rows, marks, "sight"):
        if "blind" in set(own["sight"].drop_nulls()) and "shown" in set(own["sight"].drop_nulls()):
            blind.append(_effect(own, "gain over blind", ("sight", "shown", "blind"), {"task": task, **where}))
    yield from holm_corrected(blind) if blind else ()


def _of_setting(rows: pl.DataFrame, marks: pl.DataFrame, name: str) -> Iterator[Estimate]:
    for task, own, where in _by_task(rows, marks, name):
        present = [level for level in SETTINGS[name] if level in set(own[name].drop_nulls())]
        if len(present) < 2:
            continue
        base = default_level(name, task) if default_level(name, task) in present else present[0]
        for level in present:
            if level != base:
                inside: dict[str, Json] = {"setting": name, "level": level, "against": base, "task": task, **where}
                yield _effect(own, "setting effect", (name, level, base), inside)


def _by_task(rows: pl.DataFrame, marks: pl.DataFrame, name: str) -> Iterator[tuple[str, pl.DataFrame, dict[str, Json]]]:
    """The replies to each task at one level of all other settings; explanations by judge, with the share of marks."""
    for task in TASKS:
        if task == EXPLAINED:
            for where, own in judges(marks):
                scored = own.with_columns(pl.col(TOTAL).alias("value"))
                if scored["value"].count():
                    yield task, plain(scored, task, (name,))[0], where
            continue
        own = both_kinds(rows) if task == "plausibility" else rows
        yield task, plain(own, task, (name,))[0], {}


def _effect(rows: pl.DataFrame, metric: str, levels: tuple[str, str, str], where: dict[str, Json]) -> Estimate:
    """The mean difference of two levels of a setting over the clips and repeats that have both."""
    name, level, base = levels
    task = str(where["task"])
    counted = with_status(rows).filter(pl.col(name).is_in([level, base])).drop_nulls("value")
    paired = counted.filter(pl.col(name).n_unique().over("stimulus", "repeat") == 2)
    words = f"{_WORDS.get(task, 'accuracy')}, {level} − {base}, on the same clips"
    used = doubled_rows(paired) if task in _FRACTIONS else paired
    piece = Slice(NAME, where, used, Counts.of(rows.filter(pl.col(name).is_in([level, base]))))
    found = difference(piece, metric, "value", (pl.col(name) == level, pl.col(name) == base, words))
    return replace(found, reason="no clip was asked at both levels") if found.value is None else found


def differences(first: Evidence, second: Evidence) -> list[Estimate]:
    """`accuracy difference` by task and layer, `f1 difference`, and `score difference` by judge: second − first."""
    rows = [replies(evidence.outcomes()) for evidence in (first, second)]
    return [*_differences(rows), *_scores([marks_of(evidence) for evidence in (first, second)])]


def _differences(rows: list[pl.DataFrame]) -> Iterator[Estimate]:
    for task in (PLAUSIBILITY, *CHOICES, INTERVAL, SEVERAL):
        both = _shared(
            [both_kinds(plain(each, task)[0]) if task == PLAUSIBILITY else plain(each, task)[0] for each in rows]
        )
        if both.is_empty():
            continue
        for keys in keys_of(both, ("layer",)):
            for where, within in groups(both, keys, {"task": task}):
                yield _difference(within, "accuracy difference", where, fractions=task in (INTERVAL, SEVERAL))
        if task == PLAUSIBILITY:
            yield _of_f1(both)


def _scores(marks: list[pl.DataFrame]) -> Iterator[Estimate]:
    by_judge = [{tuple(where.items()): own for where, own in judges(each) if "rubric" in where} for each in marks]
    for judge in by_judge[0]:
        if judge in by_judge[1]:
            chosen = [plain(each[judge], EXPLAINED)[0].with_columns(pl.col(TOTAL).alias("value")) for each in by_judge]
            yield _difference(_shared(chosen), "score difference", dict(judge), fractions=True)


def _shared(rows: list[pl.DataFrame]) -> pl.DataFrame:
    """The rows of the trials and repeats that both runs have, with `run`, 0 or 1."""
    both = pl.concat([each.select(*_KEPT, pl.lit(k).alias("run")) for k, each in enumerate(rows)])
    kept = with_status(both).drop_nulls("value")
    return kept.filter(pl.col("run").n_unique().over("trial", "repeat") == 2)


def _difference(rows: pl.DataFrame, metric: str, where: dict[str, Json], *, fractions: bool) -> Estimate:
    piece = Slice(
        NAME, where, doubled_rows(rows) if fractions else rows, _counts(rows, 1), "; on the trials that both have"
    )
    return replace(difference(piece, metric, "value", _SIDES), counts_first=_counts(rows, 0))


def _counts(rows: pl.DataFrame, run: int) -> Counts:
    return Counts.of(rows.filter(pl.col("run") == run))


def _of_f1(rows: pl.DataFrame) -> Estimate:
    piece = Slice(NAME, {}, rows, _counts(rows, 1))
    if not has_both(rows):
        lacking = piece.estimate("f1 difference", POINTS, _F1, None, NOTHING, LACKING)
        return replace(lacking, counts_first=_counts(rows, 0))
    data = clustered(rows, ("value",), sides(rows) + 2 * rows["run"].to_numpy(), 4)
    counts, rates = data.rows.sum(0), data.measured.value
    balance = float(counts[1] / counts[0])
    shares = [(float(rates[2 * k]), float(rates[2 * k + 1]), balance) for k in (0, 1)]
    slopes = np.concatenate([-np.array(f1_slopes(*shares[0])), np.array(f1_slopes(*shares[1]))])
    linear, low, high = (float(each) for each in data.measured.contrast(slopes))
    value = f1(*shares[1]) - f1(*shares[0])
    own = (data.sums[..., 0] - data.rows * rates) / counts @ slopes
    bounds = Interval(100 * (value - (linear - low)), 100 * (value + (high - linear)))
    found = piece.estimate("f1 difference", POINTS, _F1, 100 * value, bounds)
    return replace(found, p=sign_flip_p(value / data.units + own), counts_first=_counts(rows, 0))
