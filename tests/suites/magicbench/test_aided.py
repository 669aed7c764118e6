"""Aids on made tables: what an aid does is told from what asking again does; a constant reply is marked by rule."""

import json

import numpy as np
import polars as pl
import pytest

from tests.suites.magicbench.outcomes import Mind, graded, run, unasked
from veridical.suite.evidence import Evidence
from veridical.suites.magicbench.analysis import ANALYSIS
from veridical.suites.magicbench.analysis.effects import aid_estimates

LIED = (("stance", ("forensic",)), ("patter", ("lie",)), ("task", ("explain",)))
JUDGE = {"judge": "judge", "rubric": "pcs"}
GAINS = {"none": 0.0, "ring": 3.0, "placebo": 0.0, "magnified": 2.0}


@pytest.fixture(scope="module")
def evidence():
    """A run whose clips with a CPA below 3 were asked again, with each aid: marks are 4 of 10 and what the aid adds."""
    first = run(*unasked(60, levels=LIED), Mind(mean=4.0), seed=2, noise=3.0)
    grades = first.outcomes("grade").filter(pl.col("score_cpa") < 3)
    low = first.outcomes().join(grades.select(pl.col("about_trial").alias("trial")), on="trial", how="semi")
    low = low.filter(pl.col("variant") == "trick")
    rng, rows, marks = np.random.default_rng(7), [], []
    for aid, gain in GAINS.items():
        settings = {**json.loads(low["settings"][0]), "aid": aid, "failures_again": "failed"}
        again = low.with_columns(
            pl.col("trial").alias("about_trial"),
            pl.lit(1, pl.Int64).alias("about_repeat"),
            pl.lit(json.dumps(settings)).alias("settings"),
            (pl.col("trial") + f"/{aid}").alias("trial"),
            pl.lit("ring").alias("stage"),
        )
        rows.append(again)
        for trial in again["trial"]:
            values = {name: float(np.clip(round(4 + gain + rng.normal(0, 1)), 1, 10)) for name in ("vtg", "cpa", "cfr")}
            own = {f"score_{name}": value for name, value in values.items()}
            own |= {"about_trial": trial, "about_repeat": 1, "model": "judge", "reader": "pcs", "status": "answered"}
            marks.append(own)
    tables = {"ask": first.outcomes(), "grade": first.outcomes("grade")}
    return Evidence.of({**tables, "ring": pl.concat(rows), "ring-grade": graded(marks)})


@pytest.fixture(scope="module")
def found(evidence):
    return {(each.metric, frozenset(each.slice.items())): each for each in aid_estimates(evidence)}


def of(found, metric, **where):
    return found[metric, frozenset({"score": "cpa", "failures_again": "failed", **JUDGE, **where}.items())]


def test_an_aid_is_compared_with_asking_again(found):
    for aid in ("ring", "magnified", "placebo"):
        effect = of(found, "effect of an aid", aid=aid, against="none")
        assert effect.low <= 10 * GAINS[aid] <= effect.high, effect
    assert of(found, "effect of an aid", aid="ring", against="placebo").p < 0.01
    assert of(found, "effect of an aid", aid="placebo", against="none").p > 0.01


def test_chosen_failures_do_better_without_any_aid_and_that_is_told(found):
    regression = of(found, "regression to the mean")
    assert regression.low > 10
    whole = of(found, "recovery with regression", aid="ring")
    effect = of(found, "effect of an aid", aid="ring", against="none")
    assert whole.value == pytest.approx(regression.value + effect.value)


def test_a_run_without_aids_has_no_such_estimates(evidence):
    assert not list(aid_estimates(Evidence.of({"ask": evidence.outcomes()})))
    assert any(each.metric == "effect of an aid" for each in ANALYSIS.estimates(evidence))
