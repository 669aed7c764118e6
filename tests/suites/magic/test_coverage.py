"""Intervals contain the truth about as often as they say, of clustered replies; a test keeps its level."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from veridical.records import PROPORTION, Counts
from veridical.stats import sign_flip_p
from veridical.suite.contrasts import mean_score, share_of_sums, smallest_effect
from veridical.suite.rates import Slice
from veridical.suites.magic.analysis.magiscore import PARTS, SUMS, slope

RUNS, QUESTIONS, BOXES = 300, 5, 5
TYPES = ("verify", "query", "choose", "logical", "compare")


def replies(rng, units, hit, alarm):
    """Questions about scenes that differ in how well they are looked at; two of five boxes matter in each."""
    skill = rng.beta(4, 2, units).repeat(QUESTIONS)
    tp = rng.binomial(2, np.clip(hit * skill / (4 / 6), 0, 1))
    fp = rng.binomial(BOXES - 2, np.clip(alarm * (1 - skill) / (2 / 6), 0, 1))
    named = tp + fp
    f1 = 2 * tp / (named + 2)
    columns = {
        "unit": np.arange(units).repeat(QUESTIONS),
        "family": ["room"] * units * QUESTIONS,
        "category": list(TYPES) * units,
        "tp": tp.astype(float),
        "mentioned": named.astype(float),
        "relevant": np.full(len(tp), 2.0),
        "matched": 2.0 * tp,
        "both": named + 2.0,
        "precision": np.where(named > 0, tp / np.maximum(named, 1), 0.0),
        "recall": tp / 2,
        "f1": f1,
        "right": (rng.random(len(tp)) < 0.3 + 0.4 * f1).astype(float),
    }
    return pl.DataFrame(columns)


def piece(rows):
    nothing = dict.fromkeys(("unparsed", "refused", "truncated", "error"), 0)
    return Slice("magic", {}, rows, Counts(planned=len(rows), asked=len(rows), answered=len(rows), **nothing))


def figures(rows):
    for part in PARTS:
        yield part, mean_score(piece(rows), part, part, PROPORTION, "")
        yield f"micro {part}", share_of_sums(piece(rows), part, *SUMS[part], "")


def share_covered(units, hit, alarm):
    """The share of runs whose interval of each figure contains its value in very many scenes."""
    truth = {name: each.value for name, each in figures(replies(np.random.default_rng(99), 40_000, hit, alarm))}
    inside = dict.fromkeys(truth, 0)
    for run in range(RUNS):
        for name, each in figures(replies(np.random.default_rng([run, units]), units, hit, alarm)):
            inside[name] += each.low <= truth[name] <= each.high
    return {name: count / RUNS for name, count in inside.items()}


@pytest.mark.parametrize(("units", "hit", "alarm"), [(10, 0.7, 0.2), (40, 0.7, 0.2), (20, 0.3, 0.1), (20, 0.66, 0.01)])
def test_intervals_of_magiscore_cover(units, hit, alarm):
    covered = share_covered(units, hit, alarm)
    assert min(covered.values()) > 0.92, covered


def test_a_plan_states_the_effect_of_a_view_that_four_of_five_runs_find():
    """Changes between two views have a variance of 0.3, a tenth of it shared by the questions of a scene."""
    found = 0
    for run in range(RUNS):
        rng = np.random.default_rng([run, 11])
        shared, own = rng.normal(0, 0.03**0.5, (40, 1)), rng.normal(0, 0.27**0.5, (40, QUESTIONS))
        found += sign_flip_p((shared + own + smallest_effect(40, QUESTIONS) / 100).sum(1), draws=999) < 0.05
    assert 0.72 < found / RUNS < 0.87


def test_intervals_of_the_slope_cover_and_its_test_holds_its_level():
    """Half of each scene's easiness is shared by its questions; under the null, answers do not depend on focus."""
    truth = slope(piece(replies(np.random.default_rng(99), 5_000, 0.7, 0.2))).value
    inside = found = 0
    for run in range(RUNS // 2):
        rows = replies(np.random.default_rng([run, 7]), 25, 0.7, 0.2)
        own = slope(piece(rows))
        inside += own.low <= truth <= own.high
        easy = np.random.default_rng([run, 8]).random(25).repeat(QUESTIONS)
        chance = np.random.default_rng([run, 9]).random(len(rows))
        shuffled = rows.with_columns(right=pl.Series((chance < 0.2 + 0.6 * easy).astype(float)))
        found += slope(piece(shuffled)).p < 0.05
    assert inside / (RUNS // 2) > 0.9
    assert found / (RUNS // 2) < 0.09
