"""Runs that hold too little, in suites of clips and scenes: figures or reasons, no traceback, no verdict by name."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import polars as pl
import pytest

from tests.suites.hocabench import outcomes as clips
from tests.suites.magic import outcomes as scenes
from tests.suites.magicbench import outcomes as tricks
from veridical.suite import registry
from veridical.suite.evidence import Evidence
from veridical.suite.results import Result
from veridical.suites.hocabench.observers.simulation import MECHANISMS

MISSING = "undetermined: answers missing"
OPEN = {"undetermined", "not asked", MISSING}


@cache
def whole(suite):
    """Evidence of an observer that sees everything, with judged explanations or healing."""
    if suite == "hocabench":
        return clips.observed(clips.planned(2), MECHANISMS["perfect"])
    if suite == "magic":
        return scenes.observed("perfect", 8)
    return tricks.run(*tricks.unasked(8), tricks.Mind(usual=1.0))


def cut(evidence, keep):
    """The evidence of what is left of a run: `keep` is true for the rows of the first stage that stay."""
    asked, *later = evidence.stages
    rows = evidence.outcomes().filter(keep)
    trials = rows["trial"].unique().implode()
    units = rows["unit"].unique().implode()
    stages = {asked: rows}
    for name in later:
        table = evidence.outcomes(name)
        own = pl.col("unit").is_in(units) if "unit" in table.columns else pl.col("about_trial").is_in(trials)
        stages[name] = table.filter(own)
    return Evidence.of(stages)


def silent(evidence, where):
    """The evidence where no reply of a kind has an answer."""
    asked, *later = evidence.stages
    rows = evidence.outcomes()
    scores = [name for name in rows.columns if name.startswith("score_")]
    none = {"status": pl.lit("refused"), "answer": None, "correct": pl.lit(value=False), **dict.fromkeys(scores)}
    gone = {name: pl.when(where).then(value).otherwise(pl.col(name)) for name, value in none.items()}
    lost = rows.filter(where)["trial"].unique().implode()
    stages = {asked: rows.with_columns(**gone)}
    for name in later:
        table = evidence.outcomes(name)
        judged = "about_trial" in table.columns and asked_about(table, rows)
        stages[name] = table.filter(~pl.col("about_trial").is_in(lost)) if judged else table
    return Evidence.of(stages)


def asked_about(table, rows):
    return bool(len(table)) and table["about_trial"][0] in set(rows["trial"])


def result(suite, evidence):
    return Result("m", evidence.outcomes(), registry.get(suite).analysis.estimates(evidence), None, evidence)


def shown(suite, *results):
    """The findings of the opening, after all else that a report shows was made."""
    presentation = registry.get(suite).presentation
    assert all(table.frame().width for table in presentation.tables(results))
    list(presentation.figures(results))
    opening = presentation.opening(results)
    return opening.findings if opening else ()


def told(estimates):
    for each in estimates:
        assert (each.value is not None and math.isfinite(each.value)) or each.reason, each


def view(*names):
    return pl.col("settings").str.json_path_match("$.view").is_in(names)


KINDS = {
    "hocabench": {
        **{name: pl.col("variant") == name for name in ("violating", "plausible", "explained")},
        "Task I of violating clips": (pl.col("variant") == "violating") & pl.col("settings").str.contains("plausib"),
    },
    "magic": {name: view(name) for name in ("relevant-masked", "adversarial-masked", "relevant-boxes")},
    "magicbench": {
        **{name: pl.col("variant") == name for name in ("trick", "honest")},
        "probes of tricks": (pl.col("variant") == "trick") & pl.col("settings").str.contains('"probe"'),
    },
}
ALL = [(suite, kind) for suite, kinds in KINDS.items() for kind in kinds]


@pytest.mark.parametrize(("suite", "kind"), ALL)
def test_a_run_with_one_kind_of_item_has_figures_or_reasons_and_no_name(suite, kind):
    own = result(suite, cut(whole(suite), KINDS[suite][kind]))
    told(own.estimates)
    for each in shown(suite, own):
        assert each.tone == "open", each.verdict


@pytest.mark.parametrize("suite", KINDS)
def test_a_run_with_one_unit_of_each_family_has_figures_or_reasons(suite):
    units = whole(suite).outcomes().group_by("family").agg(pl.col("unit").min())["unit"]
    few = units.sort()[:1] if suite == "hocabench" else units
    own = result(suite, cut(whole(suite), pl.col("unit").is_in(few.implode())))
    told(own.estimates)
    for each in shown(suite, own):
        assert each.tone != "good", each.verdict


@pytest.mark.parametrize(("suite", "kind"), [each for each in ALL if each[1] not in ("relevant-boxes", "explained")])
def test_a_kind_of_item_without_any_reply_names_nothing_that_rests_on_it(suite, kind):
    own = result(suite, silent(whole(suite), KINDS[suite][kind]))
    told(own.estimates)
    for each in shown(suite, own):
        assert each.verdict in OPEN or suite == "magic", each.verdict
        assert "focus matters" not in each.verdict


@pytest.mark.parametrize("suite", KINDS)
def test_a_run_without_any_reply_or_any_trial_names_nothing(suite):
    for evidence in (silent(whole(suite), pl.lit(value=True)), cut(whole(suite), pl.lit(value=False))):
        own = result(suite, evidence)
        told(own.estimates)
        assert {each.tone for each in shown(suite, own)} <= {"open"}


@pytest.mark.parametrize("suite", KINDS)
def test_two_runs_of_one_model_stand_side_by_side(suite):
    own = result(suite, whole(suite))
    findings = shown(suite, own, replace(own, run="again"))
    assert len(findings) == 2
    assert findings[0].verdict == findings[1].verdict


@pytest.mark.parametrize("suite", KINDS)
def test_factors_that_a_release_lacks_leave_no_traceback(suite):
    declared = registry.get(suite).design.factors
    needed = {"box_count", "relevant_count", "layer"}
    evidence = whole(suite)
    name, *later = evidence.stages
    rows = evidence.outcomes()
    bare = rows.with_columns(
        pl.lit(None).cast(rows.schema[each]).alias(each)
        for each in declared
        if each in rows.columns and each not in needed
    )
    own = result(suite, Evidence.of({name: bare, **{each: evidence.outcomes(each) for each in later}}))
    told(own.estimates)
    assert shown(suite, own)
