"""The model of reply pairs and its verdicts, held against simulated replies, algebra and observers unknown to it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studies.viprobe.validation.design import design_frame
from studies.viprobe.validation.items_left_out import left_out
from veridical.suites.viprobe.analysis.estimates import estimates
from veridical.suites.viprobe.analysis.filled_ranges import filled_ranges
from veridical.suites.viprobe.analysis.missing_answers import FILLS, fills, gate
from veridical.suites.viprobe.asking.settings import with_settings
from veridical.suites.viprobe.observers.simulation import (
    MECHANISMS,
    ViprobeMechanism,
    answer_trials,
    facts,
    mark_outcomes,
    simulate,
)
from veridical.suites.viprobe.presentation.conclusions import certainty_sentence
from veridical.suites.viprobe.verdicts import NAMES, comparison_verdicts, names, verdicts
from veridical.suites.viprobe.verdicts.adequacy import adequacy, recalled_by_unit, with_own_lapses
from veridical.suites.viprobe.verdicts.counts import SAYS, pair_counts, rates
from veridical.suites.viprobe.verdicts.explain import explanation
from veridical.suites.viprobe.verdicts.fit import PairProblem, best_fit, starting_values
from veridical.suites.viprobe.verdicts.hypotheses import LOSS, NOTHING, RIVALS
from veridical.suites.viprobe.verdicts.model import (
    CRITERION,
    CRITERION_RATIO,
    NOISE,
    NOISE_RATIO,
    PARAMETERS,
    SHARE,
    Design,
    Habits,
    reply_chances,
    unchanged_probability,
)
from veridical.suites.viprobe.verdicts.weigh import form, pooled_weights, profile_range, weights

CASES = ("muller_lyer", "ebbinghaus", "mach_band", "zollner", "simultaneous_contrast")
SIGMA_PER_JND = 1 / 0.6744897501960817


@lru_cache(maxsize=2)
def frame(units=10):
    return design_frame(units, None, CASES)


def replies(mechanism, seed=0, units=10):
    return simulate(frame(units), mechanism, np.random.default_rng(seed))


def explained_by(outcomes):
    contexts = pair_counts(with_settings(outcomes))
    return explanation(contexts["control"], contexts["figure"])


def one_case(alphas=(-1.0, -0.3, 0.0, 0.3, 1.0), forward_first=True):
    both = np.array([*alphas, *alphas])
    zeros = np.zeros((1, len(both)))
    return Design(
        both[None],
        zeros + 1,
        zeros,
        np.arange(len(both)) >= len(alphas),
        np.array([True]),
        np.array([forward_first]),
    )


def parameters(**given_):
    theta = np.zeros((1, len(PARAMETERS)))
    places = {"sigma": NOISE, "c": CRITERION, "share": SHARE, "wider": NOISE_RATIO, "stricter": CRITERION_RATIO}
    for name, value in given_.items():
        theta[0, places[name]] = value
    return theta


def test_every_pair_is_counted_once_under_what_it_said():
    outcomes = replies(MECHANISMS["competition"])
    lost = outcomes.with_columns(
        pl.when(pl.int_range(pl.len()) % 7 == 0).then(pl.lit("refused")).otherwise(pl.col("status")).alias("status")
    )
    for asked in (outcomes, lost):
        contexts = pair_counts(with_settings(asked))
        by_hand = asked.filter(pl.col("status") == "answered").height
        halves = np.array([2, 2, 2, 2, 1, 1, 1, 1])
        assert sum((each.pairs @ halves).sum() for each in contexts.values()) == by_hand
        assert all(each.cases == tuple(sorted(CASES)) for each in contexts.values())
    # An observer without lapses says the same in both polarities.
    control = pair_counts(with_settings(replies(ViprobeMechanism(jnd=0.01))))["control"]
    assert control.total[..., [SAYS.index("SC"), SAYS.index("CS")]].sum() == 0
    original = control.alpha == 0
    assert control.total[original][:, SAYS.index("SS")].sum() > 0.9 * control.total[original].sum()


@given(
    sigma=st.floats(0.01, 3),
    c=st.floats(0.01, 3),
    share=st.floats(0, 1),
    habits=st.tuples(*[st.floats(0, 0.5)] * 10),
    effect=st.sampled_from(["nothing", "shift", "picture", "reply", "blunt", "flat", "inverted"]),
    forward_first=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_chances_of_replies_add_up_whatever_the_parameters(sigma, c, share, habits, effect, forward_first):
    design = one_case(forward_first=forward_first)
    theta = parameters(sigma=np.log(sigma), c=np.log(c), share=share)
    held, place = Habits(*habits), np.array([0])
    same = unchanged_probability(theta, place, design, effect, held)
    chances = reply_chances(same, theta, place, design, effect, held)
    assert ((same > -1e-9) & (same < 1 + 1e-9)).all()
    for group in (slice(0, 4), slice(4, 6), slice(6, 8)):
        assert chances[..., group].sum(-1) == pytest.approx(1)
    assert chances.min() > -1e-9


@given(m=st.floats(0.05, 0.95), sigma=st.floats(0.02, 0.5), c=st.floats(0.03, 0.5))
@settings(max_examples=40, deadline=None)
def test_a_figure_seen_by_a_share_is_one_seen_with_more_noise_and_a_stricter_criterion(m, sigma, c):
    """|(1 − m) α + noise| < c, divided by 1 − m: no reply can tell a pull to the template from blunter sight."""
    alphas = (-1.0, -0.3, 0.0, 0.3, 1.0)
    blunt = parameters(sigma=np.log(sigma), c=np.log(c), wider=-np.log(1 - m), stricter=-np.log(1 - m))
    as_blunt = unchanged_probability(blunt, np.array([0]), one_case(alphas), "blunt", Habits())[0, len(alphas) :]
    pulled = one_case(tuple((1 - m) * a for a in alphas))
    plain = parameters(sigma=np.log(sigma), c=np.log(c))
    as_pulled = unchanged_probability(plain, np.array([0]), pulled, "nothing", Habits())[0, : len(alphas)]
    assert as_blunt == pytest.approx(as_pulled, abs=1e-12)


@pytest.mark.parametrize(
    ("mechanism", "habits"),
    [
        (ViprobeMechanism(jnd=0.1, criterion=0.2), Habits(lapse=0, blank=0, deaf=0)),
        (ViprobeMechanism(jnd=0.1, criterion=0.2, lapse=0.3), Habits(lapse=0.3, blank=0, deaf=0)),
        (ViprobeMechanism(jnd=0.1, criterion=0.2, yes_bias=0.3), Habits(lapse=0, blank=0, deaf=0, yes=0.3)),
        (
            ViprobeMechanism(jnd=0.1, criterion=0.2, yes_bias=-0.2, lapse=0.1),
            Habits(lapse=0.1, blank=0, deaf=0, no=0.2),
        ),
        (ViprobeMechanism(jnd=0.1, criterion=0.2, insensitivity=0.4), Habits(lapse=0, blank=0, deaf=0.4)),
    ],
)
def test_the_chances_are_the_rates_of_simulated_replies(mechanism, habits):
    contexts = pair_counts(with_settings(replies(mechanism, 3, units=40)))
    design = Design.of(contexts["control"], contexts["figure"])
    counts = np.concatenate([contexts["control"].total, contexts["figure"].total], 1)[..., :4]
    theta = np.tile(parameters(sigma=np.log(0.1 * SIGMA_PER_JND), c=np.log(0.2)), (len(CASES), 1))
    place = np.arange(len(CASES))
    chances = reply_chances(
        unchanged_probability(theta, place, design, "nothing", habits),
        theta,
        place,
        design,
        "nothing",
        habits,
        whole=True,
    )
    asked = counts.sum(-1, keepdims=True)
    expected = asked * chances
    z = ((counts - expected) / np.sqrt(np.maximum(expected * (1 - chances), 1e-9)))[expected > 3]
    assert len(z) > 200
    assert np.abs(z).max() < 5
    assert z.std() < 1.15


def test_a_fit_is_a_top_and_no_simpler_model_lies_above_it():
    found = explained_by(replies(MECHANISMS["competition"], 1))
    problem, everyone = found.problem, np.arange(len(CASES))
    rng = np.random.default_rng(0)
    for hypothesis in (NOTHING, *LOSS):
        theta, height = best_fit(problem, hypothesis, starting_values(problem, hypothesis)[0], steps=60)
        for _ in range(20):
            near = theta.copy()
            places = list(hypothesis.free)
            near[:, places] += rng.normal(0, 0.02, (len(theta), len(places)))
            near[:, SHARE] = np.clip(near[:, SHARE], 0, 1)
            near[:, NOISE_RATIO] = np.maximum(near[:, NOISE_RATIO], 0)
            assert (problem.height(near, everyone, hypothesis) <= height + 0.02).all()
    plain = found.together[NOTHING].height
    assert all(fit.height > plain - 0.5 for each, fit in found.together.items() if set(NOTHING.free) < set(each.free))


def test_parameters_come_back():
    truth = ViprobeMechanism(jnd=0.08, criterion=0.15, lapse=0.2)
    found = explained_by(replies(truth, 4, units=40))
    theta = found.together[NOTHING].theta
    assert np.exp(theta[:, NOISE]).mean() == pytest.approx(0.08 * SIGMA_PER_JND, rel=0.15)
    assert np.exp(theta[:, CRITERION]).mean() == pytest.approx(0.15, rel=0.1)
    assert found.problem.habits.lapse == pytest.approx(0.2, abs=0.04)
    assert found.problem.dispersion < 1.3
    shifted = explained_by(replies(replace(truth, illusion=0.3), 5, units=40))
    shift = next(each for each in RIVALS if each.effect == "shift")
    interval = profile_range(shifted.problem, shifted.together[shift], shift.free[-1])
    assert interval.low < 0.3 < interval.high
    assert interval.high - interval.low < 0.1


def test_items_with_offsets_of_their_own_raise_the_dispersion_and_not_the_verdict():
    found = explained_by(replies(ViprobeMechanism(spread=0.3, criterion=0.3), 2))
    assert found.problem.dispersion > 1.3


def test_whole_items_recalled_are_told_from_pictures_recalled():
    by_item = explained_by(replies(ViprobeMechanism(memory=1.0, recognition=0.5), 1))
    gained, share = recalled_by_unit(by_item)
    assert gained > 100
    assert share == pytest.approx(0.5, abs=0.15)
    rng = np.random.default_rng(1)
    seen = replies(ViprobeMechanism(), 2)
    recalled = replies(ViprobeMechanism(memory=1.0, jnd=0.01), 3)
    picture = seen.select(pl.col("stimulus").rank("dense")).to_series().to_numpy() - 1
    mixed = pl.when(pl.Series(rng.random(picture.max() + 1) < 0.5)[picture])
    by_picture = explained_by(
        mark_outcomes(seen.with_columns(mixed.then(recalled["answer"]).otherwise(pl.col("answer")).alias("answer")))
    )
    assert recalled_by_unit(by_picture)[0] < 0
    assert form(by_picture.together).effect == "picture"


def test_weights_add_up_and_what_other_cases_say_counts():
    one = {"nothing": 0.5, "loss": 0.5}
    sure = {"nothing": 0.99, "loss": 0.01}
    found = pooled_weights([one, *[sure] * 20])
    assert all(sum(each.values()) == pytest.approx(1) for each in found)
    assert found[0]["nothing"] > 0.9
    assert pooled_weights([one])[0] == pytest.approx(one)
    fits = explained_by(replies(MECHANISMS["veridical"], 6))
    assert sum(weights(fits.together, 50).values()) == pytest.approx(1)


@pytest.mark.parametrize("name", ["veridical", "competition", "illusory_percept"])
def test_items_that_were_left_out_have_the_same_explanation_as_bic(name):
    contexts = pair_counts(with_settings(replies(MECHANISMS[name], 11)))
    control, figure = contexts["control"], contexts["figure"]
    told = left_out(control, figure, folds=2)
    weighed = weights(explanation(control, figure).together, len(control.case))
    best = max(weighed, key=weighed.get)
    # Where figures do nothing, richer explanations that do next to nothing predict as well.
    assert told[best] > max(told.values()) - 3
    assert told["flat"] < told[best] - 100


def missing(outcomes, where, status="truncated"):
    lost = pl.when(where).then
    return mark_outcomes(
        outcomes.with_columns(
            lost(pl.lit(status)).otherwise(pl.col("status")).alias("status"),
            lost(pl.lit(None, pl.String)).otherwise(pl.col("answer")).alias("answer"),
        )
    )


def test_the_gate_is_closed_where_much_is_missing_or_unevenly():
    rows = replies(ViprobeMechanism(), 1)
    place = pl.int_range(pl.len())
    assert gate(rows).open
    few = gate(missing(rows, place.over("variant") % 40 == 0))
    assert few.open
    even = gate(missing(rows, place.over("variant") % 10 == 0))
    assert not even.open
    assert even.even
    assert even.ignorable
    uneven = gate(missing(rows, (pl.col("variant") == "P") & (place % 2 == 0)))
    assert not uneven.open
    assert not uneven.even
    said_ = next(row for row in uneven.rows if row.variant == "P")
    assert 0.35 < said_.share < 0.65
    assert said_.reasons[0][0] == "truncated"


def test_fills_answer_what_is_missing_and_nothing_else():
    rows = missing(replies(ViprobeMechanism(lapse=0.2), 1), pl.int_range(pl.len()) % 5 == 0)
    there = rows["status"].to_numpy() == "answered"
    figures = rows["variant"].is_in(["O", "P"]).to_numpy()
    for (which, right), full in zip(FILLS, fills(rows), strict=True):
        assert full["status"].unique().to_list() == ["answered"]
        assert full["correct"].to_numpy()[there].tolist() == rows["correct"].to_numpy()[there].tolist()
        expected = figures == right if which == "figure" else np.full(len(rows), right)
        assert (full["correct"].to_numpy()[~there] == expected[~there]).all()
        assert mark_outcomes(full)["correct"].to_list() == full["correct"].to_list()


SAID = {
    "veridical": {names.VERIDICAL},
    "memory_override": {names.LOSS},
    "competition": {names.LOSS},
    "visual_limit": {names.WEAK},
    "illusory_percept": {names.ILLUSION},
    "blind": {names.BLIND},
    "language_limited": {names.LANGUAGE},
}


@pytest.mark.parametrize("name", MECHANISMS)
def test_each_mechanism_has_its_verdict_overall_and_none_accuses_wrongly_by_case(name):
    overall, *cases = verdicts(replies(MECHANISMS[name], 7), draws=19)
    assert overall.name in SAID[name]
    assert overall.evidence
    assert [each.where["case"] for each in cases] == sorted(CASES)
    undirected = {names.VERIDICAL} if name == "illusory_percept" else set()
    assert {each.name for each in cases} <= SAID[name] | undirected | {names.OPEN}
    assert {each.name for each in cases} <= set(NAMES)


@pytest.mark.parametrize("first_is_changed", [True, False])
def test_a_habit_of_sides_is_never_sight(first_is_changed):
    """It calls every picture changed whose target on one side would change, whether it does or not."""
    outcomes = frame(10)
    base = outcomes.with_columns(pl.col("side").drop_nulls().first().over("unit").alias("own"))
    first = pl.col("own") == pl.col("own").drop_nulls().first().over("family")
    changed = base.select((first == first_is_changed).fill_null(value=True)).to_series().to_numpy()
    unchanged = (facts(outcomes)["unchanged"] == "1").fill_null(value=False).to_numpy()
    found = verdicts(answer_trials(outcomes, np.where(changed != unchanged, "1", "0")), draws=0)
    assert not {names.VERIDICAL, names.WEAK, names.INVERTED} & {each.name for each in found}
    likely = [certainty_sentence(each) for each in found if each.name == names.OPEN]
    assert all("controls are seen" in each and "Likeliest" not in each for each in likely)


def test_without_evidence_that_controls_are_seen_nothing_that_sounds_like_sight_is_likeliest():
    for seed in range(8):
        few = frame(2).filter(pl.col("family").is_in(["ponzo", "zollner", "delboeuf"]))
        coin = np.random.default_rng(seed).choice(["0", "1"], len(few))
        for each in verdicts(answer_trials(few, coin), draws=0):
            if each.name == names.OPEN:
                words = certainty_sentence(each)
                assert each.controls_seen or "Likeliest" not in words
    (sees, *_) = verdicts(replies(MECHANISMS["competition"], 1, units=2), draws=0)
    assert sees.controls_seen


def test_replies_that_no_model_makes_are_said_to_fit_none():
    """It sees weak changes and misses strong ones, on figures and on controls."""
    rows = frame()
    size = pl.col("alpha").abs()
    seen = (size == 0) | (size < 0.35) | (size > 0.9)
    wrong = pl.when(pl.col("gold") == "1").then(pl.lit("0")).otherwise(pl.lit("1"))
    answer = pl.when(seen).then(pl.col("gold")).otherwise(wrong).alias("answer")
    outcomes = mark_outcomes(rows.with_columns(answer, pl.lit("answered").alias("status"), pl.lit(1).alias("attempt")))
    found = explained_by(outcomes)
    fit = adequacy(found, draws=199)
    assert fit.fails()
    assert verdicts(outcomes)[0].name == names.NO_MODEL


def test_a_model_that_made_the_replies_fits_them():
    found = explained_by(replies(MECHANISMS["competition"], 8))
    fit = adequacy(found, draws=99)
    assert not fit.fails()
    assert fit.p > 0.01


def test_nobody_is_accused_of_memory_for_missing_answers():
    rows = replies(ViprobeMechanism(), 2)
    place = pl.int_range(pl.len())
    truncated = missing(rows, (pl.col("variant") == "P") & (place % 5 > 0))
    overall, *cases = verdicts(truncated, draws=0)
    assert overall.name == names.MISSING
    assert overall.at_random is None
    assert "P" in overall.evidence[0]
    assert {each.name for each in cases} == {names.MISSING}


def test_the_bounds_of_differences_hold_every_way_to_fill_in_and_are_reached():
    whole = replies(ViprobeMechanism(lapse=0.3), 3).filter(pl.col("family").is_in(CASES[:2]))
    rows = missing(whole, pl.int_range(pl.len()) * 7919 % 97 < 20)
    found = filled_ranges(rows)
    reached = {name: [] for name in found}
    figures, original = pl.col("variant").is_in(["O", "P"]), pl.col("variant").is_in(["O", "OC"])
    lacking = pl.col("status") != "answered"
    wrong = pl.when(pl.col("gold") == "1").then(pl.lit("0")).otherwise(pl.lit("1"))
    for right in (figures, ~figures, original, ~original, figures == original, figures != original, pl.lit(True)):
        answer = pl.when(lacking).then(pl.when(right).then("gold").otherwise(wrong)).otherwise(pl.col("answer"))
        filled = mark_outcomes(rows.with_columns(answer.alias("answer"), pl.lit("answered").alias("status")))
        told = {e.metric: e.value for e in estimates(filled) if not e.slice}
        for name, bounds in found.items():
            assert bounds.least - 1e-9 <= told[name] <= bounds.most + 1e-9
            reached[name].append(told[name])
    for name, bounds in found.items():
        assert bounds.least < bounds.value < bounds.most
        if name != "R":  # its bounds are those of its two differences apart, which no one filling need reach
            assert min(reached[name]) == pytest.approx(bounds.least)
            assert max(reached[name]) == pytest.approx(bounds.most)
    assert filled_ranges(whole) == {}


def test_a_run_without_controls_figures_or_replies_is_undetermined_and_says_what_it_needs():
    rows = replies(ViprobeMechanism(), 2)
    for lacking in (
        rows.filter(pl.col("variant").is_in(["O", "P"])),
        rows.filter(pl.col("variant").is_in(["OC", "PC"])),
        missing(rows, pl.lit(True), "error"),
        rows.clear(),
    ):
        (overall,) = verdicts(lacking, draws=0)[:1]
        assert overall.name in (names.OPEN, names.MISSING)
        assert overall.needs or overall.evidence
    assert comparison_verdicts(rows) == []


def test_a_problem_without_missing_halves_is_the_same_with_and_without_their_columns():
    contexts = pair_counts(with_settings(replies(ViprobeMechanism(lapse=0.1), 9)))
    design = Design.of(contexts["control"], contexts["figure"])
    counts = np.concatenate([contexts["control"].total, contexts["figure"].total], 1)
    theta = np.tile(parameters(sigma=np.log(0.1), c=np.log(0.2)), (len(CASES), 1))
    everyone = np.arange(len(CASES))
    heights = [
        PairProblem(each, everyone, design, Habits()).height(theta, everyone, NOTHING)
        for each in (counts, counts[..., :4])
    ]
    assert heights[0] == pytest.approx(heights[1])


def lapsing_in(case, share, seed=0):
    """It sees everything, but in one case answers a share of questions by a coin."""
    rows, coin = replies(ViprobeMechanism(jnd=0.01), seed), replies(MECHANISMS["blind"], seed)
    drawn = pl.Series(np.random.default_rng(seed).random(len(rows)) < share)
    return mark_outcomes(
        rows.with_columns(
            pl.when(drawn & (pl.col("family") == case)).then(coin["answer"]).otherwise(pl.col("answer")).alias("answer")
        )
    )


def test_a_case_with_lapses_of_its_own_is_not_accused():
    for seed in range(3):
        _, *cases = verdicts(lapsing_in("ebbinghaus", 0.5, seed), draws=0)
        assert {each.name for each in cases} <= {names.VERIDICAL, names.OPEN}


def test_lapses_of_a_case_s_own_come_back_and_leave_runs_without_lapses_as_they_are():
    found = explained_by(lapsing_in("ebbinghaus", 0.5))
    own = with_own_lapses(found)
    lapses = [fits[NOTHING].habits.lapse for fits in own.by_case]
    place = found.control.cases.index("ebbinghaus")
    assert found.problem.habits.lapse < 0.2
    assert lapses[place] >= 0.35
    assert max(lapses[:place] + lapses[place + 1 :]) < 0.2
    for before, after in zip(found.by_case, own.by_case, strict=True):
        assert all(after[each].height >= fit.height for each, fit in before.items())
    steady = explained_by(replies(ViprobeMechanism(jnd=0.01)))
    assert with_own_lapses(steady) is steady


def test_a_shift_counts_only_from_what_a_tested_strength_could_show():
    sharp = ViprobeMechanism(jnd=0.004, criterion=0.1)
    for shift, expected in ((0.008, {names.VERIDICAL}), (0.1, {names.ILLUSION})):
        overall, *_ = verdicts(replies(replace(sharp, illusion=shift), 4, units=40), draws=0)
        assert overall.name in expected


def test_the_bound_on_the_sensitivity_of_a_blind_observer_holds_its_truth_and_that_of_a_seeing_one_is_large():
    contexts = pair_counts(with_settings(replies(MECHANISMS["blind"], 5, units=40)))
    found = rates(contexts["control"], contexts["figure"])
    assert 0 < found.sensitivity_control < 1
    assert 0 < found.sensitivity_figure < 1
    contexts = pair_counts(with_settings(replies(ViprobeMechanism(jnd=0.01), 5)))
    assert rates(contexts["control"], contexts["figure"]).sensitivity_control > 4
    overall, *_ = verdicts(replies(MECHANISMS["blind"], 5), draws=0)
    assert any("d' of strong changes at most" in each for each in overall.evidence)
