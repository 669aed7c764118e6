"""Replies drawn at random give the figures that independent code counts from them."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import combinations
from statistics import fmean

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import cohen_kappa_score, precision_recall_fscore_support

from tests.suites.magic.outcomes import (
    ERRORS,
    EVERY_VIEW,
    asked,
    continued,
    evidence,
    healed,
    marked,
    prefixed,
    reasoned,
    relevant_of,
    verdicts,
)
from veridical.stats import sensitivity
from veridical.suite.evidence import Evidence
from veridical.suites.magic.analysis import ANALYSIS
from veridical.suites.magic.analysis.magiscore import BINS
from veridical.suites.magic.analysis.views import resolution

PARTS = ("precision", "recall", "f1")
BOXES = range(1, 5)


def rng_of(own, *more):
    return np.random.default_rng([*more, *own.id.encode()])


def at_random(own, repeat=1):
    """A reply that mentions boxes at random, relevant ones more often; one of twelve has no answer."""
    rng = rng_of(own, repeat)
    if rng.random() < 1 / 12:
        return "unparsed"
    relevant = relevant_of(own)
    mentioned = [k for k in (*BOXES, 7) if rng.random() < (0.7 if k in relevant else 0.2 if k < 7 else 0.1)]
    right = bool(rng.random() < (0.3 if own.settings["view"] == "relevant-masked" else 0.5 + 0.1 * len(mentioned)))
    checkable = int(rng.integers(0, 5))
    more = {"checkable": checkable, "right_steps": int(rng.integers(0, checkable + 1))}
    more |= {name: float(rng.random() < 0.3) for name in ERRORS}
    return right, mentioned, more


def mark(row, rubric):
    rng = np.random.default_rng([*row["trial"].encode(), *rubric.encode()])
    return None if rng.random() < 0.1 else {"right": float(rng.random() < (0.8 if row["correct"] else 0.2))}


def other_mark(row, rubric):
    rng = np.random.default_rng([7, *row["trial"].encode()])
    return {"right": float(rng.random() < 0.5)}


def drawn(row, name, share):
    return np.random.default_rng([*row["trial"].encode(), *name.encode()]).random() < share


@pytest.fixture(scope="module")
def stages():
    table = reasoned(asked(8, EVERY_VIEW, release=2), at_random)
    heal = continued(prefixed(8, injections=("prefill", "quoted"), release=2))
    grade = verdicts_of(marked(table, "a", ("short", "full"), mark), marked(table, "b", ("short",), other_mark))
    marks = healed(
        heal,
        lambda row: drawn(row, "heals", 0.4) or drawn(row, "states", 0.3),
        lambda row: drawn(row, "heals", 0.4),
        lambda row: drawn(row, "denies", 0.2),
        names=lambda row: drawn(row, "heals", 0.4) or drawn(row, "names", 0.2),
    )
    return {"reason": table, "grade": grade, "heal": heal, "heal_grade": marks}


def verdicts_of(*tables):
    return pl.concat(tables, how="diagonal")


@pytest.fixture(scope="module")
def estimates(stages):
    return ANALYSIS.estimates(evidence(**stages))


@pytest.fixture(scope="module")
def of(estimates):
    by_slice = {(each.metric, frozenset(each.slice.items())): each for each in estimates}
    assert len(by_slice) == len(estimates)
    return lambda metric, **where: by_slice[metric, frozenset(where.items())]


@pytest.fixture(scope="module")
def rows(stages):
    trials = {each.id: each for each in asked(8, EVERY_VIEW, release=2)}
    every = [row | json.loads(row["settings"]) for row in stages["reason"].iter_rows(named=True)]
    return [row | {"own": trials[row["trial"]]} for row in every]


def plain(rows, view="all-boxes", **where):
    return [row for row in rows if row["view"] == view and all(row[key] == value for key, value in where.items())]


def vectors(rows):
    """The relevant boxes of each question, and those that its reply mentions, as 0 and 1."""
    true = np.array([[k in relevant_of(row["own"]) for k in BOXES] for row in rows], int)
    replies = [at_random(row["own"]) for row in rows]
    named = np.array([[k in (own[1] if own != "unparsed" else ()) for k in BOXES] for own in replies], int)
    return true, named


@pytest.mark.parametrize("where", [{}, {"category": "logical"}, {"family": "room"}])
def test_magiscore_is_that_of_scikit_learn(rows, of, where):
    true, named = vectors(plain(rows, **where))
    macro = precision_recall_fscore_support(true, named, average="samples", zero_division=0)
    micro = precision_recall_fscore_support(true.ravel(), named.ravel(), average="binary", zero_division=0)
    spoken = named.any(1)
    assert spoken.all() == (where == {"category": "logical"})
    other = precision_recall_fscore_support(true[spoken], named[spoken], average="samples", zero_division=0)
    for k, part in enumerate(PARTS):
        assert of(f"magiscore {part}", **where).value == pytest.approx(macro[k])
        assert of(f"magiscore {part}", average="micro", **where).value == pytest.approx(micro[k])
        if part != "recall":
            assert of(f"magiscore {part}", silent="undefined", **where).value == pytest.approx(other[k])


@pytest.mark.parametrize("where", [{}, {"category": "compare"}])
def test_chance_is_that_of_every_selection_of_as_many_boxes(rows, of, where):
    true, named = vectors(plain(rows, **where))
    expected = defaultdict(list)
    sums = defaultdict(float)
    for relevant, own in zip(true, named, strict=True):
        for name, count in (("all boxes", 4), ("random boxes", int(own.sum()))):
            scores = []
            for chosen in combinations(range(4), count):
                hits, sizes = relevant[list(chosen)].sum(), (count, relevant.sum())
                parts = (hits / count if count else 0, hits / sizes[1], 2 * hits / sum(sizes))
                scores.append(parts)
                sums[name, "hits"] += hits / len(list(combinations(range(4), count)))
            for part, values in zip(PARTS, zip(*scores, strict=True), strict=True):
                expected[name, part].append(fmean(values))
            sums[name, "named"] += count
            sums[name, "relevant"] += relevant.sum()
    for (name, part), values in expected.items():
        assert of(f"chance {part}", chance=name, **where).value == pytest.approx(fmean(values))
        hits, count, relevant = (sums[name, each] for each in ("hits", "named", "relevant"))
        pooled = {"precision": hits / count, "recall": hits / relevant, "f1": 2 * hits / (count + relevant)}[part]
        assert of(f"chance {part}", chance=name, average="micro", **where).value == pytest.approx(pooled)


def test_mentions_of_boxes_that_do_not_exist_are_counted_apart(rows, of):
    replies = [at_random(row["own"]) for row in plain(rows)]
    answered = [own[1] for own in replies if own != "unparsed"]
    assert of("boxes beyond").value == pytest.approx(fmean(7 in own for own in answered))
    assert of("mentions boxes").value == pytest.approx(
        sum(bool(set(own) & set(BOXES)) for own in answered) / len(replies)
    )
    every = sum(set(own) >= set(BOXES) for own in answered) / len(replies)
    assert of("mentions every box").value == pytest.approx(every)


def test_answers_are_counted_by_the_reader_and_by_each_judge(rows, stages, of):
    chosen = plain(rows)
    assert of("accuracy").value == pytest.approx(fmean(row["correct"] is True for row in chosen))
    masked = plain(rows, "relevant-masked", category="query")
    assert of("accuracy", view="relevant-masked", category="query").value == pytest.approx(
        fmean(row["correct"] is True for row in masked)
    )
    by_key = {
        (row["model"], row["reader"], row["about_trial"]): row["score_right"]
        for row in stages["grade"].iter_rows(named=True)
    }
    for judge, rubric in (("a", "short"), ("b", "short"), ("a", "full")):
        given = [by_key[judge, rubric, row["trial"]] for row in chosen if row["status"] == "answered"]
        known = [value for value in given if value is not None]
        nothing = [0.0] * (len(chosen) - len(given)) if rubric == "short" else []
        found = of(f"{rubric} accuracy", judge=judge, rubric=rubric)
        assert found.value == pytest.approx(fmean([*known, *nothing]))
        assert (judge == "b") == ("without a verdict" not in found.method)


def test_agreement_is_cohens_kappa(stages, rows, of):
    right = {row["trial"]: row["correct"] for row in rows}
    marks = defaultdict(dict)
    for row in stages["grade"].iter_rows(named=True):
        if row["reader"] == "short" and row["score_right"] is not None:
            marks[row["model"]][row["about_trial"]] = row["score_right"]
    for judge, own in marks.items():
        kappa = cohen_kappa_score(list(own.values()), [float(right[name]) for name in own])
        found = of("agreement", judge=judge, against="reader", rubric="short")
        assert found.value == pytest.approx(kappa)
        assert found.low < found.value < found.high
    shared = [name for name in marks["a"] if name in marks["b"]]
    kappa = cohen_kappa_score([marks["a"][name] for name in shared], [marks["b"][name] for name in shared])
    assert of("agreement", judge="a", against="b", rubric="short").value == pytest.approx(kappa)


def test_accuracy_by_focus_and_its_slope_within_question_types(rows, of):
    chosen = plain(rows)
    true, named = vectors(chosen)
    f1 = 2 * (true * named).sum(1) / (true.sum(1) + named.sum(1))
    right = np.array([row["correct"] is True for row in chosen], float)
    edges = [0, 0.5, 0.75, 0.999]
    place = np.searchsorted(edges, f1)
    for k, name in enumerate(BINS):
        own = right[place == k]
        found = of("accuracy by focus", focus=name, by="reader")
        assert found.value == (pytest.approx(own.mean()) if len(own) else None)
    types = np.array([row["category"] for row in chosen])
    dummies = (types[:, None] == np.unique(types)).astype(float)
    slope = np.linalg.lstsq(np.column_stack([f1, dummies]), right, rcond=None)[0][0]
    found = of("focus slope", by="reader")
    assert found.value == pytest.approx(10 * slope)
    assert found.low < found.value < found.high
    assert 0 < found.p <= 1
    own = types == "verify"
    assert of("focus slope", by="reader", category="verify").value == pytest.approx(
        10 * np.polyfit(f1[own], right[own], 1)[0]
    )


def test_views_are_compared_on_the_same_questions(rows, of):
    right = {(row["stimulus"], row["view"]): float(row["correct"] is True) for row in rows}
    names = sorted({row["stimulus"] for row in rows})
    for view, base in (("relevant-masked", "all-boxes"), ("adversarial-masked", "relevant-masked")):
        found = of("view effect", view=view, against=base, of="accuracy", by="reader")
        expected = 100 * fmean(right[name, view] - right[name, base] for name in names)
        assert found.value == pytest.approx(expected)
        assert found.low <= found.value <= found.high
        assert "Holm over 5" in found.method
    for asks, parts in (("looks", ("color", "logical")), ("places", ("side",))):
        effect = of("view effect", view=view, against=base, of="accuracy", by="reader", asks=asks)
        own = {row["stimulus"] for row in rows if any(part in (row["template"] or "") for part in parts)}
        assert effect.value == pytest.approx(100 * fmean(right[name, view] - right[name, base] for name in own))
    f1 = {}
    for view in ("all-boxes", "renumbered"):
        own = plain(rows, view)
        true, named = vectors(own)
        values = 2 * (true * named).sum(1) / (true.sum(1) + named.sum(1))
        f1 |= {(row["stimulus"], view): value for row, value in zip(own, values, strict=True)}
    found = of("view effect", view="renumbered", against="all-boxes", of="f1", by="reader")
    expected = 100 * fmean(f1[name, "renumbered"] - f1[name, "all-boxes"] for name in names)
    assert found.value == pytest.approx(expected)


def test_where_all_boxes_shown_are_relevant_precision_is_not_compared(estimates):
    of_relevant = {
        each.slice["of"] for each in estimates if each.slice.get("view") == "relevant-boxes" and "of" in each.slice
    }
    assert of_relevant == {"accuracy", "recall"}


FALSE = ("region", "relation", "description")


def continuations(stages):
    marks = {row["about_trial"]: row for row in stages["heal_grade"].iter_rows(named=True)}
    for row in stages["heal"].iter_rows(named=True):
        own = json.loads(row["settings"]) | json.loads(row["expects"])
        yield own | {
            "stimulus": row["stimulus"],
            "category": row["category"],
            "unit": row["unit"],
            **marks[row["trial"]],
        }


PLACE = {"judge": "rule", "rubric": "heal", "injection": "prefill", "correcting": "prompted"}


@pytest.mark.parametrize("score", ["states", "heals"])
def test_healing_is_counted_by_kind_request_injection_and_whose_chain_it_was(stages, of, score):
    every = list(continuations(stages))
    for injection in ("prefill", "quoted"):
        for correcting in ("prompted", "unprompted"):
            where = PLACE | {"injection": injection, "correcting": correcting}
            own = [row for row in every if row["injection"] == injection and row["correcting"] == correcting]
            for kind in (*FALSE, "listing", "annotated"):
                by = "model-x" if kind == "annotated" else "generator"
                values = [row[f"score_{score}"] for row in own if row["prefix"] == kind]
                assert values
                assert of(score, prefix=kind, chain_by=by, **where).value == pytest.approx(fmean(values))
            pooled = [row[f"score_{score}"] for row in own if row["prefix"] in FALSE]
            assert of(score, chain_by="generator", **where).value == pytest.approx(fmean(pooled))
            some = [row[f"score_{score}"] for row in own if row["prefix"] in FALSE and row["category"] == "query"]
            assert of(score, chain_by="generator", category="query", **where).value == pytest.approx(fmean(some))


def test_right_reasoning_that_is_denied_and_mistakes_that_are_named_give_d_prime(stages, of):
    own = [row for row in continuations(stages) if row["injection"] == "prefill" and row["correcting"] == "prompted"]
    alarms = [row["score_denies"] for row in own if row["prefix"] == "true"]
    hits = [row["score_names"] for row in own if row["prefix"] in FALSE]
    found = of("over-correction", chain_by="generator", **(PLACE | {"rubric": "steady"}))
    assert found.value == pytest.approx(fmean(alarms))
    expected = sensitivity(sum(hits), len(hits), sum(alarms), len(alarms))
    told = {key: PLACE[key] for key in ("judge", "injection", "correcting")}
    assert of("healing d_prime", **told).value == pytest.approx(float(expected.d_prime))
    assert of("healing criterion", **told).value == pytest.approx(float(expected.criterion))


def test_each_wrong_stretch_is_counted_once_however_often_it_is_asked(of):
    assert of("wrong stretches", chain_by="generator").value == 8 * 5 * len(FALSE)
    assert of("wrong stretches", chain_by="model-x").value == 2 * 2
    assert of("wrong stretches", chain_by="generator", prefix="listing").value == 8 * 5


def test_the_request_to_correct_is_tested_on_the_same_stretches(stages, of):
    every = [row for row in continuations(stages) if row["injection"] == "prefill" and row["prefix"] in FALSE]
    means = {
        level: fmean(row["score_heals"] for row in every if row["correcting"] == level)
        for level in ("prompted", "unprompted")
    }
    found = of("request effect", of="heals", judge="rule", injection="prefill", chain_by="generator")
    assert found.value == pytest.approx(100 * (means["prompted"] - means["unprompted"]))
    assert "Holm over 3" in found.method


def test_own_prefixes_stand_apart_from_those_of_others(stages):
    import polars as pl

    own = (
        stages["heal"]
        .filter(pl.col("settings").str.contains('"description"'))
        .with_columns(
            stage=pl.lit("heal-own"),
            settings=pl.col("settings").str.replace('"description"', '"own"'),
            expects=pl.col("expects").str.replace('"generator"', '"m"'),
        )
    )
    mark = healed(own, lambda _: True, lambda _: True, lambda _: False)
    found = ANALYSIS.estimates(evidence(**stages, heal_own=own, heal_own_grade=mark))
    of_own = [each for each in found if each.metric == "heals" and each.slice["chain_by"] == "m"]
    assert {each.slice.get("prefix") for each in of_own} == {"own"}
    assert {each.value for each in of_own} == {1.0}
    without = ANALYSIS.estimates(evidence(**stages))
    assert [each for each in found if each.slice.get("chain_by") == "generator"] == [
        each for each in without if each.slice.get("chain_by") == "generator"
    ]


def test_stepsense_and_error_patterns_are_counted_from_the_checked_steps(rows, of):
    chosen = [row for row in plain(rows) if row["status"] == "answered"]
    sums = {name: sum(row[f"score_{name}"] for row in chosen) for name in ("right_steps", "checkable", "steps")}
    assert of("stepsense").value == pytest.approx(sums["right_steps"] / sums["checkable"])
    assert of("checkable steps").value == pytest.approx(sums["checkable"] / sums["steps"])
    own = [row for row in chosen if row["category"] == "choose"]
    share = sum(row["score_right_steps"] for row in own) / sum(row["score_checkable"] for row in own)
    assert of("stepsense", category="choose").value == pytest.approx(share)
    wrong = [row for row in chosen if row["correct"] is False]
    for name in ("exhaustive", "place", "relation", "description"):
        for among, own in (("wrong answers", wrong), ("all replies", chosen)):
            found = of("error pattern", pattern=name, among=among)
            assert found.value == pytest.approx(fmean(row[f"score_error_{name}"] for row in own))


def test_every_metric_has_a_measure_and_values_lie_in_the_range_of_their_unit(estimates):
    assert {each.metric for each in estimates} <= set(ANALYSIS.measures)
    assert set(ANALYSIS.headline) <= set(ANALYSIS.measures)
    for each in estimates:
        assert each.unit == ANALYSIS.measures[each.metric].unit
        assert each.value is not None or each.reason
        for value in (each.value, each.low, each.high):
            assert value is None or each.unit.low is None or value >= each.unit.low
            assert value is None or each.unit.high is None or value <= each.unit.high
        if None not in (each.value, each.low, each.high):
            assert each.low <= each.value + 1e-9
            assert each.value <= each.high + 1e-9


def test_without_a_judge_what_judges_say_has_a_reason_and_everything_else_a_value():
    table, heal = reasoned(asked(4), at_random), continued(prefixed(4))
    found = ANALYSIS.estimates(evidence(reason=table, grade=verdicts([]), heal=heal, heal_grade=verdicts([])))
    judged = [each for each in found if "judge" in each.slice]
    assert {each.metric for each in judged} == {"short accuracy", "full accuracy", "states", "heals", "over-correction"}
    assert {(each.value, each.reason) for each in judged} == {(None, "not judged")}
    assert {each.value for each in found if each.metric == "wrong stretches"} >= {60.0}
    alone = ANALYSIS.estimates(evidence(reason=table))
    assert not [each for each in alone if "judge" in each.slice]


def test_unreadable_verdicts_widen_the_bounds_and_count_nowhere():
    table, heal = reasoned(asked(4), at_random), continued(prefixed(4))
    half = marked(heal, "rule", ("heal",), lambda row, _: "skip" if row["prefix"] == "true" else None)
    found = ANALYSIS.estimates(evidence(reason=table, heal=heal, heal_grade=half))
    heals = [each for each in found if each.metric == "heals"]
    assert heals
    assert {each.value for each in heals} == {None}
    assert not [each for each in found if each.metric == "healing d_prime" and each.value is not None]


def test_a_run_of_which_nothing_is_asked_yet_has_no_value_but_reasons():
    table, heal = reasoned(asked(2, EVERY_VIEW), lambda *_: None), continued(prefixed(2), lambda _: False)
    found = ANALYSIS.estimates(evidence(reason=table, grade=verdicts([]), heal=heal, heal_grade=verdicts([])))
    assert found
    counted = ("wrong stretches",)
    assert all(each.value is None and each.reason for each in found if each.metric not in counted)
    nothing = ANALYSIS.estimates(Evidence.of({"reason": table.clear()}))
    assert {each.value for each in nothing} <= {None}


def test_trials_that_are_not_asked_yet_count_nowhere():
    kept = {trial.id for trial in asked(4)[:13]}
    some = reasoned(asked(4), lambda own, repeat: at_random(own, repeat) if own.id in kept else None)
    whole = reasoned(asked(4)[:13], at_random)
    a, b = (
        {
            (each.metric, frozenset(each.slice.items())): each.value
            for each in ANALYSIS.estimates(evidence(reason=table))
        }
        for table in (some, whole)
    )
    assert {key: a[key] for key in b} == pytest.approx(b, nan_ok=True)


def test_a_run_without_pictures_has_answers_and_no_focus():
    found = ANALYSIS.estimates(evidence(reason=reasoned(asked(4, ("blind",)), lambda *_: (True, [], {}))))
    assert {each.metric for each in found} == {"accuracy", "guessed accuracy", "accuracy by focus", "focus slope"}
    assert {each.value for each in found if each.metric == "accuracy"} == {1.0}
    assert all("view blind" in each.method for each in found if each.metric == "accuracy")


def test_differences_are_between_the_trials_that_both_have(stages):
    def better(own, repeat):
        return True, relevant_of(own), {}

    fewer = reasoned(asked(4, ("all-boxes",)), better)
    first, second = evidence(**stages), evidence(reason=fewer, heal=stages["heal"], heal_grade=stages["heal_grade"])
    found = {(each.metric, frozenset(each.slice.items())): each for each in ANALYSIS.differences(first, second)}
    names = {trial.id for trial in asked(4, ("all-boxes",))}
    own = [row for row in stages["reason"].iter_rows(named=True) if row["trial"] in names]
    assert len(own) == len(names)
    difference = found["accuracy difference", frozenset({("by", "reader")})]
    assert difference.value == pytest.approx(100 * (1 - fmean(row["correct"] is True for row in own)))
    assert difference.counts.planned == difference.counts_first.planned == len(names)
    assert found["focus difference", frozenset({("part", "f1")})].value > 0
    same = [each for each in found.values() if each.metric == "healing difference"]
    assert same
    assert {each.value for each in same} == {0.0}


def test_a_plan_of_several_views_says_what_it_can_measure():
    lines = list(resolution([(asked(8, EVERY_VIEW), 5)]))
    assert len(lines) == 1
    assert "40 scenes, 200 questions" in lines[0]
    assert list(resolution([(asked(8), 5)])) == []
