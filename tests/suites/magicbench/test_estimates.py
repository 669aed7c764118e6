"""Replies drawn at random give the figures that plain Python counts from them; made observers are recovered by size."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from statistics import fmean

import numpy as np
import polars as pl
import pytest

from tests.suites.magicbench.outcomes import AUTONOMOUS, BELIEVER, LED, TYPES, Mind, run, unasked
from veridical.stats import sensitivity
from veridical.suite.evidence import Evidence
from veridical.suites.magicbench.analysis import ANALYSIS
from veridical.suites.magicbench.analysis.rows import replies

JUDGE = {"judge": "judge", "rubric": "pcs"}
SOME = (("stance", ("vision-only", "forensic")), ("patter", TYPES))
OF_WORDS = (("stance", ("vision-only", "forensic")), ("patter", (*TYPES, "nouns")))
FULL = (
    ("stance", ("vision-only", "forensic", "image-of-thought", "text-only")),
    ("patter", (*TYPES, "cue", "nouns", "truth")),
)


def asked_of(evidence):
    """The rows of all replies as dictionaries, with their settings read."""
    rows = evidence.outcomes().iter_rows(named=True)
    return [{**row, "set": json.loads(row["settings"]), "known": json.loads(row["expects"])} for row in rows]


class Found:
    """The estimates of a run by metric and slice."""

    def __init__(self, evidence):
        self.every = ANALYSIS.estimates(evidence)
        self.by = {(each.metric, frozenset(each.slice.items())): each for each in self.every}

    def __call__(self, metric, **where):
        return self.by[metric, frozenset(where.items())]


@pytest.fixture(scope="module")
def rough():
    """A run with failures of every kind: no answer, and no verdict."""
    mind = Mind(answers=0.9, believes=0.3, sees={"silence": 0.5}, marks={"silence": 3.0, "lie": 6.0})
    evidence = run(*unasked(10, levels=SOME), mind, seed=3)
    grades = evidence.outcomes("grade")
    lost = pl.int_range(pl.len()) % 17 == 0
    columns = [pl.when(lost).then(None).otherwise(pl.col(c)).alias(c) for c in grades.columns if c.startswith("score_")]
    status = pl.when(lost).then(pl.lit("unparsed")).otherwise("status").alias("status")
    return Evidence.of({"ask": evidence.outcomes(), "grade": grades.with_columns(*columns, status)})


@pytest.fixture(scope="module")
def found(rough):
    return Found(rough)


@pytest.fixture(scope="module")
def rich():
    """A run with all stances and words that tables need."""
    return Found(
        run(*unasked(4, levels=FULL), LED, seed=1, judges=(("judge", "pcs"), ("judge", "no-pcs"), ("b", "pcs")))
    )


def test_every_estimate_has_a_measure_with_its_unit_and_no_two_have_one_slice(found, rich):
    for own in (found, rich):
        assert len(own.by) == len(own.every)
        assert all(ANALYSIS.measures[each.metric].unit == each.unit for each in own.every)
        assert all(each.n_units > 0 and each.counts.planned > 0 for each in own.every if each.value is not None)
        assert all(each.value is not None or each.reason for each in own.every)
    assert all(metric in ANALYSIS.measures for metric in ANALYSIS.headline)


def test_an_unanswered_probe_is_wrong_and_readable_ones_are_counted_apart(rough, found):
    own = [row for row in asked_of(rough) if row["set"]["task"] == "probe" and row["variant"] == "trick"]
    for words in TYPES:
        said = [row for row in own if row["set"].get("patter") == words]
        right = [float(bool(row["correct"])) for row in said]
        readable = [float(row["correct"]) for row in said if row["status"] == "answered"]
        assert found("probe accuracy", under=words).value == pytest.approx(fmean(right))
        assert found("probe accuracy", under=words, of="answered").value == pytest.approx(fmean(readable))
        assert found("probe accuracy", under=words).counts.refused == len(said) - len(readable)


def test_words_alone_stand_beside_every_accuracy(rich):
    for each in rich.every:
        if each.metric == "probe accuracy" and each.slice.get("variant") != "honest":
            where = {key: level for key, level in each.slice.items() if key not in ("under", "of")}
            assert rich("probe chance", chance="words alone", **where).value is not None, each.slice


def test_d_prime_before_the_reveal_is_that_of_the_secret_and_not_of_the_outcome():
    asked, table = unasked(40, levels=(("stance", ("vision-only",)),))
    rng = np.random.default_rng(2)
    for sees, expected in ((0.0, 0.0), (0.9, sensitivity(36, 40, 4, 40).d_prime)):
        said = []
        for trial in asked:
            cut = trial.settings.get("until") == "reveal"
            right = not cut or rng.random() < sees or rng.random() < (0.5 if not sees else 0)
            said.append(float((trial.variant == "trick") == right))
        scored = table.with_columns(
            pl.lit("answered").alias("status"), pl.Series("score_claims_trick", said), correct=pl.lit(value=False)
        )
        found = Found(Evidence.of({"ask": scored}))
        before = found("d_prime", stance="vision-only", until="reveal")
        assert before.value == pytest.approx(expected, abs=0.5)
        assert before.low < expected < before.high
        assert found("d_prime", stance="vision-only", words="none").value > 3
        assert before.n_units == 80


def test_chance_of_probes_is_that_of_the_best_answer_of_each_kind_and_family(rough, found):
    probes = {
        (row["stimulus"], row["known"]["probe"]): (row["unit"].split("/")[0], row["known"], row["gold"])
        for row in asked_of(rough)
        if row["set"]["task"] == "probe" and row["variant"] == "trick"
    }
    for chance, by_family in (("one answer", False), ("words alone", True)):
        kinds = defaultdict(Counter)
        for family, known, gold in probes.values():
            kind = (known["asks"], known["moment"], family if by_family else "")
            kinds[kind][known["options"][ord(gold) - 65]] += 1
        best = sum(max(each.values()) for each in kinds.values()) / len(probes)
        assert found("probe chance", chance=chance).value == pytest.approx(best)


def test_the_effect_of_a_lie_is_on_the_same_probes(rough, found):
    right = defaultdict(dict)
    for row in asked_of(rough):
        if row["set"]["task"] == "probe" and row["variant"] == "trick":
            key = (row["stimulus"], row["known"]["probe"], row["known"]["moment"])
            right[key][row["set"].get("patter", "vision-only")] = float(bool(row["correct"]))
    for against in ("vision-only", "silence"):
        every = [each["lie"] - each[against] for each in right.values()]
        after = [each["lie"] - each[against] for key, each in right.items() if key[2] == "after"]
        assert found("effect of a lie", against=against).value == pytest.approx(100 * fmean(every))
        assert found("effect of a lie", against=against, moment="after").value == pytest.approx(100 * fmean(after))
    assert found("effect of a lie").value == found("effect of a lie", against="vision-only").value


def test_told_apart_counts_the_probes_whose_answers_differ(rough, found):
    text = {}
    own = [row for row in asked_of(rough) if row["set"]["task"] == "probe"]
    for row in own:
        text[row["unit"], row["variant"], row["known"]["probe"]] = row["known"]["options"][ord(row["gold"]) - 65]
    for words in (*TYPES, "vision-only"):
        rates = defaultdict(list)
        for row in own:
            unit, probe = row["unit"], row["known"]["probe"]
            decides = text[unit, "trick", probe] != text[unit, "honest", probe]
            if decides and row["set"].get("patter", "vision-only") == words:
                rates[row["variant"]].append(float(bool(row["correct"])))
        assert len(rates["trick"]) == 40
        value = fmean(rates["trick"]) + fmean(rates["honest"]) - 1
        assert found("told apart", under=words).value == pytest.approx(value)


def marks_of(evidence, name):
    """Each explanation's mark of 1: 0 without an answer, `None` without a verdict."""
    grades = {row["about_trial"]: row for row in evidence.outcomes("grade").iter_rows(named=True)}
    made = {}
    for row in asked_of(evidence):
        if row["set"]["task"] != "explain" or row["set"].get("until") == "reveal":
            continue
        value = 0.0
        if row["status"] == "answered":
            mark = grades[row["trial"]][f"score_{name}"]
            value = None if mark is None else mark / 10
        key = (row["stimulus"], row["set"]["stance"], row["set"].get("patter"))
        made[key] = (row["variant"], row["status"], value)
    return made


@pytest.mark.parametrize("name", ["vtg", "cpa", "cfr"])
def test_marks_have_both_denominators_and_both_averages(rough, found, name):
    made = marks_of(rough, name)
    means, everything, lost = [], [], [0, 0]
    for words in TYPES:
        own = [
            each for (_, stance, said), each in made.items()
            if stance == "forensic" and said == words and each[0] == "trick"
        ]  # fmt: skip
        valued = [value for _, _, value in own if value is not None]
        readable = [value for _, status, value in own if value is not None and status == "answered"]
        cell = {"stance": "forensic", "type": words, **JUDGE}
        assert found(name, **cell).value == pytest.approx(fmean(valued))
        assert found(name, **cell, of="readable").value == pytest.approx(fmean(readable))
        lost[0] += len(own) - len(valued)
        lost[1] += len(valued) - len(readable)
        means.append(fmean(valued))
        everything += valued
    assert min(lost) > 0
    whole = {"stance": "forensic", **JUDGE}
    assert found(name, **whole, average="types").value == pytest.approx(fmean(means))
    assert found(name, **whole, average="items").value == pytest.approx(fmean(everything))
    assert found(name).value == found(name, **whole, average="types").value


def test_an_error_is_that_of_a_mean_over_clips():
    evidence = run(*unasked(20, levels=SOME), AUTONOMOUS, seed=5)
    own = Found(evidence)
    values = pl.Series([v for (_, stance, _), (kind, _, v) in marks_of(evidence, "cpa").items()
                        if stance == "vision-only" and kind == "trick"])  # fmt: skip
    error = own("cpa error", stance="vision-only", **JUDGE).value
    assert error == pytest.approx(values.std() / len(values) ** 0.5, rel=0.1)


def test_agency_loss_pairs_clips_that_have_both_marks(rough, found):
    made = marks_of(rough, "cpa")
    pairs = []
    for (stimulus, stance, said), (variant, _, value) in made.items():
        if (stance, said, variant) == ("forensic", "silence", "trick"):
            alone = made[stimulus, "vision-only", None][2]
            if value is not None and alone is not None:
                pairs.append(alone - value)
    loss = found("agency loss", score="cpa", stance="forensic", **JUDGE)
    assert loss.value == pytest.approx(100 * fmean(pairs))
    assert loss.low < loss.value < loss.high
    assert 0 < loss.p <= 1


def test_d_prime_is_that_of_the_counts_and_false_alarms_split_by_what_is_true(rough, found):
    counts = defaultdict(lambda: [0.0, 0])
    split = defaultdict(list)
    for row in asked_of(rough):
        if row["set"]["task"] == "explain" and row["set"].get("patter") == "lie" and row["status"] == "answered":
            counts[row["variant"]][0] += row["score_claims_trick"]
            counts[row["variant"]][1] += 1
            if row["variant"] == "honest":
                split[all(row["known"]["claims"])].append(row["score_claims_trick"])
    whole = sensitivity(*counts["trick"], *counts["honest"])
    assert found("d_prime", stance="forensic", words="lie").value == pytest.approx(float(whole.d_prime))
    assert found("criterion", stance="forensic", words="lie").value == pytest.approx(float(whole.criterion))
    assert set(split) == {True}, "on the control the lie is true"
    alarms = found("false alarms", stance="forensic", words="lie", claimed="claims true")
    assert alarms.value == pytest.approx(fmean(split[True]))


def test_a_language_led_observer_is_recovered_by_size(rich):
    own = Found(run(*unasked(25, levels=OF_WORDS), LED, seed=2, noise=1.0))
    cells = {"score": "cpa", "stance": "forensic", **JUDGE}
    within(own("agency loss", **cells), 30)
    within(own("spotlight gain", **cells, type="lie"), 15)
    within(own("component effect", **cells, words="nouns", against="vision-only"), 15)
    within(own("component effect", **cells, words="filler", against="vision-only"), -20)
    within(own("component effect", **cells, words="lie", against="nouns"), 0)
    within(own("change of told apart", words="silence", against="vision-only"), 100 * (0.25 - 0.8) * 2 * (1 - 7 / 24))
    assert rich("truth ceiling", score="cpa", stance="forensic", **JUDGE).value > 0


def test_a_believer_is_recovered_by_size():
    own = Found(run(*unasked(25, levels=SOME), BELIEVER, seed=2, noise=1.0))
    within(own("pull of the lie", against="vision-only"), 80 * (1 - 0.2 * 7 / 24))
    within(own("pull of the lie", against="silence"), 80 * (1 - 0.2 * 7 / 24))
    within(own("spotlight gain", score="cpa", stance="forensic", **JUDGE, type="lie"), -30)
    within(own("agency loss", score="cpa", stance="forensic", **JUDGE), 0)
    assert own("effect of a lie", against="vision-only", lie="false").high < -30
    assert own("effect of a lie", against="vision-only", moment="after").p < 0.01
    assert own("effect of a lie", against="vision-only", variant="honest").value > 0


def test_an_autonomous_observer_has_no_effects():
    own = Found(run(*unasked(25, levels=SOME), AUTONOMOUS, seed=4, noise=1.0))
    within(own("effect of a lie", against="vision-only"), 0)
    within(own("agency loss", score="cpa", stance="forensic", **JUDGE), 0)
    within(own("change of told apart", words="lie", against="vision-only"), 0)


def within(estimate, value):
    """The value of an observer lies in the interval, in points or hundredths."""
    scale = 1 if estimate.unit.name == "points" else 100
    assert scale * estimate.low <= value <= scale * estimate.high, (estimate, value)


def test_a_release_compares_types_between_different_clips_and_says_so():
    evidence = run(*unasked(0, released=40), Mind(marks={"own": 5.0}), seed=1)
    own = Found(evidence)
    gap = own("type gap", score="cpa", stance="forensic", type="lie", clips="different", **JUDGE)
    assert gap.p is None
    assert "different clips" in gap.method
    assert own("agency loss", score="cpa", stance="forensic", **JUDGE).n_units == 10
    assert own("spotlight gain", score="cpa", stance="forensic", type="lie", **JUDGE).n_units == 10
    assert own("cpa", stance="vision-only", type="silence", **JUDGE).n_units == 10
    assert not any(each.metric == "probe accuracy" for each in own.every)
    assert own("cpa", stance="forensic", type="lie", difficulty="easy", **JUDGE).value is not None


def test_our_own_types_are_compared_on_the_same_clips(rich):
    gaps = [each for each in rich.every if each.metric == "type gap"]
    assert {each.slice["clips"] for each in gaps} == {"same"}


def test_judges_that_mark_alike_but_for_noise_correlate(rich):
    first = {"score": "cpa", **JUDGE}
    two = rich("judge correlation", **first, **{"against judge": "b", "against rubric": "pcs"})
    assert 0 < two.low < two.value < 1
    shift = rich("judge difference", **first, **{"against judge": "judge", "against rubric": "no-pcs"})
    assert shift.low <= 0 <= shift.high


def test_without_a_judge_marks_are_not_judged_and_probes_still_count():
    own = Found(run(*unasked(4, levels=SOME), AUTONOMOUS, judges=()))
    assert own("cpa", judge="not judged").reason == "not judged"
    assert own("effect of a lie").value is not None


def test_replies_that_were_not_asked_yet_count_for_nothing():
    _, table = unasked(4, levels=SOME)
    own = Found(Evidence.of({"ask": table}))
    assert all(each.value is None or "chance" in each.metric for each in own.every)


def test_columns_of_claims_and_words():
    _, table = unasked(2, released=4)
    rows = replies(table)
    released = rows.filter(pl.col("family") == "release")
    assert set(released["type"]) == set(TYPES)
    assert set(released.filter(pl.col("stance") == "vision-only")["words"]) == {None}
    ours = rows.filter((pl.col("family") != "release") & (pl.col("task") == "explain") & (pl.col("words") == "lie"))
    assert set(ours.select("variant", "claimed").unique().iter_rows()) == {
        ("trick", "claims false"),
        ("honest", "claims true"),
    }


def test_two_runs_differ_by_what_they_differ_in():
    asked, table = unasked(20, levels=SOME)
    first, second = (run(asked, table, mind, seed=6, noise=1.0) for mind in (AUTONOMOUS, LED))
    made = {(each.metric, frozenset(each.slice.items())): each for each in ANALYSIS.differences(first, second)}
    cell = {"score": "cpa", "stance": "forensic", "words": "silence", **JUDGE}
    within(made["mark difference", frozenset(cell.items())], -30)
    assert made["probe difference", frozenset({("under", "silence")})].value < -20
    assert made["probe difference", frozenset({("under", "vision-only")})].low < 0


def test_a_warning_and_other_frames_are_compared_on_the_same_clips():
    levels = (("stance", ("forensic",)), ("patter", ("lie", "silence")), ("hush", ("unwarned", "warned")))
    evidence = run(*unasked(6, levels=(*levels, ("frames", ("4fps", "uniform-8")))), AUTONOMOUS, seed=8)
    own = Found(evidence)
    hush = own("setting effect", setting="hush", level="warned", against="unwarned", of="probes")
    right = defaultdict(dict)
    for row in asked_of(evidence):
        level = row["set"].get("hush")
        wanted = row["set"]["task"] == "probe" and row["variant"] == "trick" and row["set"]["frames"] == "4fps"
        if wanted and level:
            right[row["stimulus"], row["known"]["probe"]][level] = float(bool(row["correct"]))
    assert hush.value == pytest.approx(100 * fmean(each["warned"] - each["unwarned"] for each in right.values()))
    frames = own("setting effect", setting="frames", level="uniform-8", against="4fps", of="cpa", **JUDGE)
    assert frames.low < 0 < frames.high


def test_a_plan_names_the_smallest_effects():
    asked, _ = unasked(4, levels=SOME)
    lines = list(ANALYSIS.resolution([(asked, 1)]))
    assert len(lines) == 2
    assert "8 tricks, 48 probes" in lines[0]
    assert not list(ANALYSIS.resolution([([each for each in asked if each.settings["stance"] == "forensic"], 1)]))
