"""Constructed replies give exactly the table that is known of them, counted here in plain Python."""

from itertools import combinations
from statistics import fmean

import polars as pl
import pytest

import veridical
from tests.suites.viabench.constructed import IN_WORDS, PUZZLES, REPEATS, replies, run
from veridical.stats import sensitivity
from veridical.suite.evidence import Evidence
from veridical.suites.viabench.analysis import ANALYSIS
from veridical.suites.viabench.presentation.tables import disagreements, trace_effects, traces
from veridical.suites.viabench.puzzles.puzzle import NOT_SURE

pytestmark = pytest.mark.usefixtures("no_figures")
CATEGORIES = tuple(PUZZLES.values())


@pytest.fixture(scope="module")
def made(tmp_path_factory, one_process):
    return veridical.make(
        "viabench", puzzles=list(PUZZLES), units=4, size=256, out=tmp_path_factory.mktemp("viabench") / "set"
    )


@pytest.fixture(scope="module")
def every(made):
    return list(replies(made))


@pytest.fixture(scope="module")
def plain(every):
    return [each for each in every if (each.cot, each.sight) == ("none", "shown")]


@pytest.fixture(scope="module")
def ran(made, tmp_path_factory, no_figures):
    return run(made, tmp_path_factory.mktemp("replayed"), judge="rule")


@pytest.fixture(scope="module")
def estimates(ran):
    return {(each.metric, frozenset(each.slice.items())): each for each in ran.estimates()}


@pytest.fixture(scope="module")
def value(estimates):
    return lambda metric, **where: estimates[metric, frozenset(where.items())].value


def share(kept, true):
    kept = list(kept)
    return fmean(map(true, kept)) if kept else None


def accuracy(kept):
    return share(kept, lambda each: each.right)


def within(rows, category):
    return [each for each in rows if category is None or each.stimulus.category == category]


def where(category):
    return {} if category is None else {"category": category}


@pytest.mark.parametrize("category", [None, *CATEGORIES])
def test_accuracies_and_leanings_are_those_of_the_replies(plain, value, category):
    rows, place = within(plain, category), where(category)
    assert value("accuracy", **place) == pytest.approx(accuracy(rows))
    assert value("not sure", **place) == pytest.approx(share(rows, lambda each: each.option == NOT_SURE))
    wrong = [each for each in rows if each.option is not None and not each.right]
    assert value("overconfidence", **place) == pytest.approx(share(wrong, lambda each: each.option != NOT_SURE))
    misled = [each for each in rows if each.stimulus.variant == "unusual" and each.usual]
    misled = [each for each in misled if each.usual != each.stimulus.label]
    assert value("recall rate", **place) == pytest.approx(share(misled, lambda each: each.option == each.usual))
    decided = [each for each in misled if each.option not in (None, NOT_SURE)]
    assert value("recall rate", of="decided", **place) == pytest.approx(
        share(decided, lambda each: each.option == each.usual)
    )
    right = accuracy(each for each in rows if each.usual == each.stimulus.label)
    pull = 100 * (right - accuracy(each for each in rows if each.usual not in (None, each.stimulus.label)))
    assert value("pull of the usual", **place) == pytest.approx(pull)
    assert value("chance", **place) == pytest.approx(share(rows, lambda each: 1 / len(each.stimulus.truth["answers"])))
    unusual, ordinary = (
        accuracy(each for each in rows if each.stimulus.variant == name) for name in ("unusual", "ordinary")
    )
    assert value("cost of the unusual", **place) == pytest.approx(100 * (ordinary - unusual))
    assert value("accuracy", variant="unusual", **place) == pytest.approx(unusual)


def test_what_was_constructed_is_what_comes_out(value):
    assert value("accuracy", category="geometric") == pytest.approx(3 / 4)
    assert value("overconfidence", category="geometric") == 0
    assert value("accuracy", category="motion") == pytest.approx((1 - 1 / 12) / 2)
    assert value("overconfidence", category="motion") == 1
    assert value("average") == pytest.approx(fmean(value("accuracy", category=each) for each in CATEGORIES))


@pytest.mark.parametrize("category", [None, *CATEGORIES])
def test_repeats_agree_as_counted_pair_by_pair(plain, value, category):
    trials = {}
    for each in within(plain, category):
        trials.setdefault(each.trial, []).append(each.option)
    agree = []
    for options in trials.values():
        assert len(options) == REPEATS
        pairs = list(combinations(options, 2))
        agree.append(share(pairs, lambda pair: pair[0] is not None and pair[0] == pair[1]))
    assert value("consistency", **where(category)) == pytest.approx(fmean(agree))
    for repeat in range(1, REPEATS + 1):
        rows = [each for each in within(plain, category) if each.repeat == repeat]
        assert value("accuracy", repeat=repeat, **where(category)) == pytest.approx(accuracy(rows))


def test_anomalies_are_ruled_from_normal_versions_as_signal_from_noise(plain, value):
    rows = [each for each in plain if each.stimulus.family == "hands" and each.option not in (None, NOT_SURE)]
    kinds = [[each for each in rows if each.stimulus.variant == name] for name in ("unusual", "ordinary")]
    counts = [part for kind in kinds for part in (sum(each.option != "5" for each in kind), len(kind))]
    expected = sensitivity(*counts)
    assert value("d_prime") == pytest.approx(float(expected.d_prime))
    assert value("criterion") == pytest.approx(float(expected.criterion))


def test_yes_is_preferred_as_often_as_it_is_said(plain, value):
    rows = [each for each in plain if each.option in ("Yes", "No")]
    rates = [
        share((each for each in rows if each.stimulus.factors["polarity"] == name), lambda each: each.option == "Yes")
        for name in ("forward", "reversed")
    ]
    assert value("polarity bias") == pytest.approx(sum(rates) - 1)


@pytest.mark.parametrize("category", [None, *CATEGORIES])
def test_what_settings_gain_is_the_difference_on_the_same_items(every, value, category):
    rates = {}
    for each in within(every, category):
        rates.setdefault((each.cot, each.sight), []).append(each.right)
    rates = {arm: fmean(right) for arm, right in rates.items()}
    gain = 100 * (rates["none", "shown"] - rates["none", "blind"])
    assert value("gain over blind", **where(category)) == pytest.approx(gain)
    effect = 100 * (rates["zero-shot", "shown"] - rates["none", "shown"])
    assert value("cot effect", cot="zero-shot", **where(category)) == pytest.approx(effect)


def test_what_was_not_asked_yet_is_planned_and_neither_right_nor_wrong(ran, every):
    first = pl.col("repeat") == 1
    table = ran.outcomes().with_columns(
        pl.when(first).then(pl.col(name)).alias(name) for name in ("status", "answer", "correct", "text")
    )
    begun = Evidence.of({"ask": table, "grade": ran.outcomes(stage="grade").clear()})
    found = {(each.metric, frozenset(each.slice.items())): each for each in ANALYSIS.estimates(begun)}
    for category in (None, *CATEGORIES):
        rows = [each for each in within(every, category) if (each.cot, each.sight) == ("none", "shown")]
        accuracies = found["accuracy", frozenset(where(category).items())]
        assert accuracies.value == pytest.approx(accuracy(each for each in rows if each.repeat == 1))
        assert (accuracies.counts.planned, accuracies.counts.asked) == (len(rows), len(rows) // REPEATS)
    assert not [metric for metric, _ in found if metric == "consistency"]


def test_nothing_asked_yet_gives_no_value(ran):
    nothing = ran.outcomes().with_columns(
        pl.lit(None, ran.outcomes().schema[name]).alias(name) for name in ("status", "answer", "correct", "text")
    )
    begun = Evidence.of({"ask": nothing, "grade": ran.outcomes(stage="grade").clear()})
    values = [each for each in ANALYSIS.estimates(begun) if each.value is not None]
    assert not values


def test_rule_judge_and_letters_differ_on_the_one_reply_without_a_letter(ran, plain, value, estimates):
    in_words = [each for each in plain if each.text == IN_WORDS]
    assert len(in_words) >= 1
    judged = next(
        each for (metric, place), each in estimates.items() if metric == "judged accuracy" and len(place) == 2
    )
    ruled = [each for each in plain if each.option is not None or each.text == IN_WORDS]
    expected = (sum(each.right for each in ruled) + len(in_words)) / len(ruled)
    assert judged.value == pytest.approx(expected)
    assert judged.low < value("accuracy") < judged.high
    listed = disagreements([ran.result()])
    assert len(listed.rows) == len(in_words)
    assert all(row[-1] == IN_WORDS and row[-2] == "right" for row in listed.rows)


def test_marks_of_reasoning_are_counted_on_the_replies_that_show_it(every, value):
    shown = [each for each in every if each.sight == "shown"]
    steps = [each for each in shown if each.cot == "zero-shot"]
    assert value("visible reasoning") == pytest.approx(len(steps) / len(shown))
    for category in (None, *CATEGORIES):
        kept, place = within(steps, category), where(category)
        assert value("trace rate", mark="hedging", **place) == pytest.approx(1 / REPEATS)
        lost = share(kept, lambda each: each.stimulus.family == "hands" and not each.right)
        assert value("trace rate", mark="overturned", **place) == pytest.approx(lost)
        assert value("trace rate", mark="self-negation", **place) == pytest.approx(lost)
        assert value("trace rate", mark="loop", **place) == 0
        words = fmean(len(each.text.partition("Answer:")[0].split()) for each in kept)
        assert value("trace words", **place) == pytest.approx(words)


def test_a_mark_is_set_against_the_other_repeats_of_its_trial(every, value, estimates, ran):
    trials = {each.trial: each.stimulus.category for each in every if (each.cot, each.sight) == ("zero-shot", "shown")}
    turned = sum(category == "motion" for category in trials.values())
    assert value("trace effect", mark="hedging") == pytest.approx(-100 * turned / len(trials))
    assert value("trace effect", mark="hedging", category="motion") == pytest.approx(-100)
    assert value("trace effect", mark="hedging", category="geometric") == pytest.approx(0)
    assert value("trace effect", mark="longer") == value("trace effect", mark="hedging")
    assert value("trace effect", mark="loop") is None
    assert value("trace effect", mark="self-negation") is None
    assert estimates["trace effect", frozenset({("mark", "loop")})].reason
    assert next(row[1] for row in traces([ran.result()]).rows) == "all"
    assert {row[1] for row in trace_effects([ran.result()]).rows} == {"Hedging", "Longer than the median"}


def test_a_mark_is_set_against_the_other_pictures_of_its_unit_where_each_is_asked_once(ran, every):
    hedged = pl.when(pl.col("variant") == "ordinary").then(2).otherwise(1)
    once = ran.outcomes().filter(pl.col("repeat") == hedged).with_columns(repeat=pl.lit(1, pl.Int64))
    evidence = Evidence.of({"ask": once, "grade": ran.outcomes(stage="grade").clear()})
    found = {(each.metric, frozenset(each.slice.items())): each for each in ANALYSIS.estimates(evidence)}
    effects = {
        category: found["trace effect", frozenset({("mark", "hedging"), ("category", category)})]
        for category in CATEGORIES
    }
    assert effects["motion"].value == pytest.approx(-100)
    assert effects["geometric"].value == pytest.approx(0)
    assert effects["anomalies"].value == pytest.approx(100)
    whole = found["trace effect", frozenset({("mark", "hedging")})]
    assert whole.n_units == len({each.stimulus.unit for each in every})
    assert whole.value == pytest.approx(0)


def test_without_visible_reasoning_its_marks_have_no_rate(ran):
    bare = ran.outcomes().filter(pl.col("settings").str.contains('"cot":"none"'))
    assert len(bare)
    evidence = Evidence.of({"ask": bare, "grade": ran.outcomes(stage="grade").clear()})
    found = {each.metric: each for each in ANALYSIS.estimates(evidence)}
    assert found["trace rate"].value is None
    assert found["trace rate"].reason == "no reply shows reasoning"
    assert "trace effect" not in found
