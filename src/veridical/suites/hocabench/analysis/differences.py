"""What differs between two runs, on the trials that both have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl

from veridical.judges.marks import split_by_judge
from veridical.records import POINTS, Counts, Estimate
from veridical.stats import Interval, sign_flip_p
from veridical.suite.contrasts import rows_of_both, run_difference
from veridical.suite.evidence import Evidence
from veridical.suite.rates import NOTHING, Slice, cluster_rows
from veridical.suite.rows import groups, keys_of
from veridical.suites.hocabench.analysis.figures import LACKING, f1, f1_slopes, has_both, sides
from veridical.suites.hocabench.analysis.rows import both_kinds, plain_replies, replies
from veridical.suites.hocabench.analysis.scores import CHOICES, F1_DIFFERENCE, TOTAL, WORDS, marks_of
from veridical.suites.hocabench.asking.readers import EXPLAINED, INTERVAL, PLAUSIBILITY, SEVERAL
from veridical.suites.hocabench.stimuli import NAME


def differences(first: Evidence, second: Evidence) -> list[Estimate]:
    """`accuracy difference` by task and layer, `f1 difference`, and `score difference` by judge: second − first."""
    rows = [replies(evidence.outcomes()) for evidence in (first, second)]
    return [*_differences(rows), *_scores([marks_of(evidence) for evidence in (first, second)])]


def _differences(rows: list[pl.DataFrame]) -> Iterator[Estimate]:
    for task in (PLAUSIBILITY, *CHOICES, INTERVAL, SEVERAL):
        chosen = [plain_replies(each, task)[0] for each in rows]
        chosen = list(map(both_kinds, chosen)) if task == PLAUSIBILITY else chosen
        both = rows_of_both(chosen, "value", ("variant", "layer"))
        if both.is_empty():
            continue
        for keys in keys_of(both, ("layer",)):
            for where, within in groups(both, keys, {"task": task}):
                yield run_difference(NAME, within, "accuracy difference", where, fractions=task in WORDS)
        if task == PLAUSIBILITY:
            yield _of_f1(both)


def _scores(marks: list[pl.DataFrame]) -> Iterator[Estimate]:
    judges = [{tuple(where.items()): own for where, own in split_by_judge(each) if "rubric" in where} for each in marks]
    for judge in judges[0]:
        if judge in judges[1]:
            both = rows_of_both([plain_replies(each[judge], EXPLAINED)[0] for each in judges], TOTAL)
            yield run_difference(NAME, both, "score difference", dict(judge), fractions=True)


def _of_f1(rows: pl.DataFrame) -> Estimate:
    of_runs = [Counts.of(rows.filter(pl.col("run") == run)) for run in (0, 1)]
    piece = Slice(NAME, {}, rows, of_runs[1])
    if not has_both(rows):
        lacking = piece.estimate("f1 difference", POINTS, F1_DIFFERENCE, None, NOTHING, LACKING)
        return replace(lacking, counts_first=of_runs[0])
    data = cluster_rows(rows, ("value",), sides(rows) + 2 * rows["run"].to_numpy(), 4)
    counts, rates = data.rows.sum(0), data.measured.value
    balance = float(counts[1] / counts[0])
    shares = [(float(rates[2 * k]), float(rates[2 * k + 1]), balance) for k in (0, 1)]
    slopes = np.concatenate([-np.array(f1_slopes(*shares[0])), np.array(f1_slopes(*shares[1]))])
    linear, low, high = (float(each) for each in data.measured.contrast(slopes))
    value = f1(*shares[1]) - f1(*shares[0])
    own = (data.sums[..., 0] - data.rows * rates) / counts @ slopes
    bounds = Interval(100 * (value - (linear - low)), 100 * (value + (high - linear)))
    found = piece.estimate("f1 difference", POINTS, F1_DIFFERENCE, 100 * value, bounds)
    return replace(found, p=sign_flip_p(value / data.units + own), counts_first=of_runs[0])
