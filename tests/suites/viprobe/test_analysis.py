"""The analyses on observers whose mechanism is known, and on runs that lack what an analysis needs."""

import math
from functools import cache

import numpy as np
import polars as pl
import pytest
from scipy import stats

from studies.viprobe.validation import design_frame
from tests.suites.viprobe.test_viprobe import marked
from veridical.ask.outcomes import outcome_table
from veridical.stats import same_probability, sign_flip_p
from veridical.suite.evidence import Evidence
from veridical.suite.registry import get
from veridical.suites.viprobe.analysis.estimates import estimates as estimates_of
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.observers.simulation import MECHANISMS, ViprobeMechanism, simulate
from veridical.suites.viprobe.verdicts import NAMES, verdicts
from veridical.suites.viprobe.verdicts.names import DECIDED, kind
from veridical.verbs import sets

SUITE = get("viprobe")
CASES = ("muller_lyer", "zollner", "simultaneous_contrast")
PAIR = ("muller_lyer", "ponzo")
FOUR = (*CASES, "ponzo")
SIGMA_PER_JND = 1 / stats.norm.ppf(0.75)
RECALLS, SEES = ViprobeMechanism(memory=0.8, jnd=0.06, lapse=0.05), ViprobeMechanism(lapse=0.05)


@pytest.fixture(scope="module")
def pictures():
    options = sets.design("viprobe", cases=CASES, units=8, levels=10, size=128).options
    chunks = SUITE.design.chunks(options)
    return [stimulus for chunk in chunks for stimulus, _ in SUITE.design.make(options, chunk)]


@pytest.fixture(scope="module")
def planned(pictures):
    """The trials that a run with these settings would ask, as outcomes not yet asked."""

    def of(**levels):
        trials = list(SUITE.asking.stages[0].trials(pictures, SUITE.asked(levels), Evidence({})))
        return outcome_table("m", trials, {}, SUITE.asking.readers, factors=SUITE.design.factors)

    return of


@pytest.fixture(scope="module")
def default_questions(planned):
    return planned()


@pytest.fixture(scope="module")
def comparisons(planned):
    return planned(task="comparison")


@cache
def design(units, levels, cases, variants=TYPES):
    return design_frame(units, levels, cases, variants=variants)


@cache
def seen_by(mechanism, seed):
    """The estimates of an observer of the same design on two cases whose impressions have a direction."""
    return estimates_of(known(design(12, 10, PAIR), mechanism, seed))


def known(trials, mechanism, seed=0):
    return simulate(trials, mechanism, np.random.default_rng(seed))


def found(estimates, metric, **where):
    (one,) = [e for e in estimates if e.metric == metric and dict(e.slice) == where]
    return one


def right_pairs(outcomes):
    """Per picture (and way of asking) whether both polarities are right, counted without the library."""
    settings = pl.col("settings").str
    return outcomes.group_by(
        "stimulus",
        "unit",
        "family",
        "category",
        "variant",
        "alpha",
        "congruent",
        settings.json_path_match("$.instruction").alias("instruction"),
    ).agg(
        ((pl.col("status") == "answered") & (pl.col("answer") == pl.col("gold"))).all().cast(pl.Float64).alias("right")
    )


def rate(rows, *holds):
    return 100 * rows.filter(*holds)["right"].mean()


def covers(estimate, truth):
    low, high = (
        -math.inf if estimate.low is None else estimate.low,
        math.inf if estimate.high is None else estimate.high,
    )
    return low <= truth <= high


def few_miss(intervals):
    """Whether as many (estimate, truth) pairs agree as 95 % intervals should, but for a chance of 1 in 1000."""
    hits = sum(covers(estimate, truth) for estimate, truth in intervals)
    return hits >= stats.binom.ppf(0.001, len(intervals), 0.95)


PSYCHOMETRIC = [
    ViprobeMechanism(jnd=0.08, criterion=0.25),
    ViprobeMechanism(jnd=0.12, criterion=0.3, lapse=0.08),
    ViprobeMechanism(jnd=0.1, criterion=0.25, illusion=0.3),
    ViprobeMechanism(jnd=0.06, criterion=0.2, memory=0.4),
]


def test_the_point_of_subjective_equality_and_the_jnd_are_those_of_the_observer():
    """On figures all is stretched by what memory takes away, and shifted by what the impression adds."""
    intervals, values = [], []
    for k, mechanism in enumerate(PSYCHOMETRIC):
        estimates = seen_by(mechanism, k)
        for context, memory, illusion in (("figure", mechanism.memory, mechanism.illusion), ("control", 0.0, 0.0)):
            truth = {
                "PSE": -illusion / (1 - memory),
                "JND": mechanism.jnd / (1 - memory),
                "same_criterion": mechanism.criterion / (1 - memory),
            }
            for metric, value in truth.items():
                one = found(estimates, metric, context=context)
                intervals.append((one, value))
                values.append(abs(one.value - value))
    assert few_miss(intervals)
    assert max(values) < 0.06


def test_replies_follow_the_picture_as_far_as_the_observer_does():
    """`response`: the share of "changed" on perturbed pictures less that on originals, from the observer's formula."""
    alphas = sorted(set(design(12, 10, PAIR).filter(pl.col("variant") == "P")["alpha"]))
    intervals = []
    for k, mechanism in enumerate([*PSYCHOMETRIC, MECHANISMS["blind"]]):
        estimates = seen_by(mechanism, k)
        for context, memory, illusion in (("figure", mechanism.memory, mechanism.illusion), ("control", 0.0, 0.0)):
            same = [1.0, 1.0]
            if math.isfinite(mechanism.jnd):
                seen = [np.array(alphas) * (1 - memory) + illusion, np.array([illusion])]
                same = [
                    same_probability(
                        each, 0, mechanism.jnd * SIGMA_PER_JND, mechanism.criterion, mechanism.lapse
                    ).mean()
                    for each in seen
                ]
            intervals.append((found(estimates, "response", context=context), 100 * (same[1] - same[0])))
    assert few_miss(intervals)


@pytest.mark.parametrize("illusion", [-0.2, 0.0, 0.35])
def test_comparisons_give_the_size_of_the_illusion(comparisons, illusion):
    trials = comparisons
    outcomes = known(trials, ViprobeMechanism(jnd=0.12, illusion=illusion), 1)
    estimates = estimates_of(outcomes)
    directed = sorted(set(trials.filter(pl.col("congruent").is_not_null())["family"]))
    assert directed
    sizes = {case: found(estimates, "illusion_size", case=case) for case in directed}
    assert few_miss([(size, illusion) for size in sizes.values()])
    for case, size in sizes.items():
        assert size.value == pytest.approx(illusion, abs=0.15)
        factors = pl.col("factors").str.json_path_match("$.value").cast(pl.Float64)
        asked = trials.filter((pl.col("family") == case) & pl.col("variant").is_in(["P", "PC"]))
        scale = asked.select((factors / pl.col("alpha")).abs().mean()).item()
        in_units = found(estimates, "illusion_size_in_units", case=case)
        assert in_units.value == pytest.approx(size.value * scale)
        assert str(in_units.unit) == asked["factors"].str.json_path_match("$.value_unit")[0]


@pytest.mark.parametrize("bias", [-0.5, 0.0, 0.3])
def test_yes_bias_is_the_share_of_replies_that_are_yes_or_no_whatever_is_asked(bias):
    estimates = estimates_of(known(design(10, 10, CASES), ViprobeMechanism(yes_bias=bias, lapse=0.1), 2))
    every = [found(estimates, "yes_bias"), *(found(estimates, "yes_bias", context=c) for c in ("figure", "control"))]
    assert few_miss([(one, bias) for one in every])
    assert every[0].value == pytest.approx(bias, abs=0.05)


def test_sensitivity_is_z_of_hits_less_z_of_false_alarms():
    outcomes = known(design(10, 4, CASES), ViprobeMechanism(jnd=0.4, criterion=0.4, lapse=0.1), 3)
    estimates = estimates_of(outcomes)
    changed = (pl.col("answer") == pl.col("gold")) == (pl.col("alpha") != 0)
    rows = outcomes.with_columns(changed.alias("changed"))
    for context, signal, noise in (("figure", "P", "O"), ("control", "PC", "OC")):
        for near in (None, 0.5, 1.0):
            hits = rows.filter(pl.col("variant") == signal, pl.col("alpha").abs() == (near or pl.col("alpha").abs()))
            alarms = rows.filter(pl.col("variant") == noise)
            z = [stats.norm.ppf((part["changed"].sum() + 0.5) / (len(part) + 1)) for part in (hits, alarms)]
            where = {"context": context} | ({"magnitude": near} if near else {})
            d_prime, criterion = (found(estimates, metric, **where) for metric in ("d_prime", "criterion"))
            assert d_prime.value == pytest.approx(z[0] - z[1])
            assert criterion.value == pytest.approx(-(z[0] + z[1]) / 2)
            assert d_prime.low < d_prime.value < d_prime.high


def test_an_instruction_that_changes_the_observer_is_seen_and_one_that_does_not_is_not(planned):
    trials = planned(instruction=["none", "weigh", "measure"], placement="system")
    way = pl.col("settings").str.json_path_match("$.instruction")
    parts = [
        known(trials.filter(way == name), mechanism, k)
        for k, (name, mechanism) in enumerate({"none": RECALLS, "weigh": SEES, "measure": RECALLS}.items())
    ]
    outcomes = pl.concat(parts)
    estimates, rows = estimates_of(outcomes), right_pairs(outcomes)
    for name in ("weigh", "measure"):
        for variant in ("O", "P", "OC", "PC", "OH", "PH"):
            here = pl.col("variant") == variant
            plain = rate(rows, here, pl.col("instruction") == name) - rate(rows, here, pl.col("instruction") == "none")
            effect = found(estimates, "instruction_effect", instruction=name, variant=variant)
            assert effect.value == pytest.approx(plain)
            assert covers(effect, plain)
    weighed, measured = (
        found(estimates, "instruction_effect", instruction=i, variant="P") for i in ("weigh", "measure")
    )
    assert weighed.low > 20
    assert weighed.p < 0.001
    assert measured.low < 0 < measured.high
    assert measured.p > 0.05
    sharper = found(estimates, "d_prime_change", instruction="weigh", context="figure")
    assert sharper.low > 0
    assert sharper.p < 0.001
    assert covers(found(estimates, "d_prime_change", instruction="measure", context="figure"), 0)


def test_a_hint_that_changes_the_observer_is_seen(default_questions):
    trials = default_questions
    hinted = pl.col("variant").is_in(["OH", "PH"])
    outcomes = pl.concat([known(trials.filter(~hinted), RECALLS, 1), known(trials.filter(hinted), SEES, 2)])
    estimates, rows = estimates_of(outcomes), right_pairs(outcomes)
    for metric, plain, hint in (("hint_effect_original", "O", "OH"), ("hint_effect_perturbed", "P", "PH")):
        effect = found(estimates, metric)
        assert effect.value == pytest.approx(
            rate(rows, pl.col("variant") == hint) - rate(rows, pl.col("variant") == plain)
        )
        for case in CASES:
            one = pl.col("family") == case
            difference = rate(rows, one, pl.col("variant") == hint) - rate(rows, one, pl.col("variant") == plain)
            assert found(estimates, metric, case=case).value == pytest.approx(difference)
    assert found(estimates, "hint_effect_perturbed").low > 20
    assert found(estimates, "d_prime_change", context="hint").low > 0


def test_pictures_of_inducers_alone_give_back_how_often_the_observer_recites(default_questions):
    estimates = estimates_of(known(default_questions, ViprobeMechanism(memory=0.7), 4))
    alone = found(estimates, "template_rate")
    # What is not recited is a coin's answer, and half of those are right of the unchanged figure.
    assert covers(alone, 0.7 + 0.3 / 2)


def simulated_amid(trials, mechanism, strewn_like):
    """Replies of an observer to whom clutter is what one context is: "figure" or "control"."""
    names = {"OS": "O", "PS": "P"} if strewn_like == "figure" else {"OS": "OC", "PS": "PC"}
    said = known(trials.with_columns(pl.col("variant").replace(names).alias("variant")), mechanism)
    return said.drop("variant").join(trials.select("trial", "variant"), on="trial")


@pytest.mark.parametrize(
    ("strewn_like", "bound", "other"),
    [("control", "figure_gap", "clutter_gap"), ("figure", "clutter_gap", "figure_gap")],
)
def test_clutter_tells_what_the_classic_figure_does_from_what_anything_around_does(
    default_questions, strewn_like, bound, other
):
    without = (pl.col("family") == "zollner") & pl.col("variant").is_in(["OS", "PS"])
    outcomes = simulated_amid(default_questions, RECALLS, strewn_like).filter(~without)
    found_here = estimates_of(outcomes)
    assert found(found_here, bound).low > 10
    assert covers(found(found_here, other), 0)
    rows = right_pairs(outcomes).filter((pl.col("variant") == "PS").any().over("family"))
    assert set(rows["family"]) == set(CASES) - {"zollner"}
    sides = {name: rate(rows, pl.col("variant") == name) for name in ("P", "PC", "PS")}
    assert found(found_here, "clutter_gap").value == pytest.approx(sides["PC"] - sides["PS"])
    assert found(found_here, "figure_gap").value == pytest.approx(sides["PS"] - sides["P"])
    within = {e.slice["context"] for e in found_here if e.metric == "PSE" and len(e.slice) == 1}
    assert "clutter" in within


def test_gaps_are_plain_counts_and_their_p_values_holms():
    from statsmodels.stats.multitest import multipletests

    cases = ("muller_lyer", "ponzo", "zollner", "simultaneous_contrast", "chubb")
    outcomes = known(design(6, 4, cases), ViprobeMechanism(memory=0.3, recognition=0.5, jnd=0.3, criterion=0.3), 7)
    estimates, rows = estimates_of(outcomes), right_pairs(outcomes)
    for key, column in (("case", "family"), ("category", "category")):
        gaps = [e for e in estimates if e.metric == "gap" and set(e.slice) == {key}]
        raw = []
        for gap in gaps:
            here = rows.filter(pl.col(column) == gap.slice[key])
            assert gap.value == pytest.approx(
                rate(here, pl.col("variant") == "PC") - rate(here, pl.col("variant") == "P")
            )
            sides = [here.filter(pl.col("variant") == name) for name in ("PC", "P")]
            by_unit = [
                side.group_by("unit").agg(pl.col("right").sum()).sort("unit")["right"] / len(side) for side in sides
            ]
            raw.append(sign_flip_p(by_unit[0] - by_unit[1]))
        assert len({round(p, 6) for p in raw}) > 1
        assert [gap.p for gap in gaps] == pytest.approx(list(multipletests(raw, method="holm")[1]))


SAID = {
    "veridical": "veridical",
    "memory_override": "loss on figures",
    "competition": "loss on figures",
    "visual_limit": "weak vision",
    "illusory_percept": "illusory percept",
    "blind": "blind",
    "language_limited": "language-limited or guessing",
}


@pytest.mark.parametrize("name", MECHANISMS)
def test_each_mechanism_is_called_by_its_name_with_the_evidence_that_decided(name):
    overall, *cases = verdicts(known(design(10, 10, FOUR), MECHANISMS[name], 5))
    assert (overall.where, overall.name) == ({}, SAID[name])
    assert overall.evidence
    assert [each.where for each in cases] == [{"case": case} for case in sorted(FOUR)]
    assert {kind(each.name) for each in cases if each.name in DECIDED} == {kind(overall.name)}
    assert sum(each.name == overall.name for each in cases) >= 3


@pytest.mark.parametrize(
    ("more", "said"),
    [(("I",), "memory override"), (("OS", "PS", "I"), "memory override"), (("OS", "PS"), "loss on figures")],
)
def test_memory_is_said_only_where_inducers_alone_show_it(more, said):
    outcomes = known(
        design_frame(10, 6, FOUR[:2], variants=("O", "P", "OC", "PC", *more)), ViprobeMechanism(memory=1.0), 5
    )
    overall = verdicts(outcomes)[0]
    assert overall.name == said
    assert ("inducers alone (I)" in overall.needs) == ("I" not in more)


def by_rule(right):
    """Outcomes of an observer that is right of a picture where `right` holds, in both polarities.

    Of inducers alone it says what is right of the unchanged figure.
    """
    frame = design(20, 4, PAIR, variants=("O", "P", "OC", "PC", "I"))
    wrong = pl.when(pl.col("gold") == "1").then(pl.lit("0")).otherwise(pl.lit("1"))
    unchanged = pl.col("factors").str.json_path_match("$.answer_if_unchanged")
    answer = pl.when(right).then("gold").otherwise(wrong)
    answer = pl.when(pl.col("variant") == "I").then(unchanged).otherwise(answer).alias("answer")
    said = frame.with_columns(answer, pl.lit("answered").alias("status"), pl.lit(1, pl.Int64).alias("attempt"))
    return marked(said)


def test_r_and_the_interaction_cannot_tell_who_is_fooled_from_who_sees_badly_and_the_split_can():
    """Both miss half of all changes in 7 base items of 10, on figures as on controls: R is 1 and I is 0 for either."""
    sharp, strong = pl.col("unit").str.slice(-1).is_in(["7", "8", "9"]), pl.col("alpha").abs() > 0.5
    always = (pl.col("alpha") == 0) | sharp
    fooled = by_rule(always | pl.when(pl.col("variant") == "P").then(pl.col("alpha") > 0).otherwise(strong))
    dim = by_rule(always | strong)
    told = []
    for outcomes in (fooled, dim):
        estimates = estimates_of(outcomes)
        assert found(estimates, "R").value == pytest.approx(1, abs=1e-4)
        assert found(estimates, "I").value == pytest.approx(0, abs=1e-9)
        sides = [found(estimates, "PFA", variant="P", congruent=side).value for side in (True, False)]
        told.append((sides, found(estimates, "asymmetry"), verdicts(outcomes)))
    (seen, missed), asymmetry, (overall, *cases) = told[0]
    assert (seen, missed) == pytest.approx((1, 0.3))
    assert asymmetry.low > 50
    assert {each.name for each in cases} == {"illusory percept"}
    # Base items that are all or nothing lie outside of the model of a run, which may say so.
    assert overall.name in ("illusory percept", "no model fits")
    assert overall.weights["shift"] > 0.99
    (seen, missed), asymmetry, said = told[1]
    assert (seen, missed) == pytest.approx((0.65, 0.65))
    assert asymmetry.low < 0 < asymmetry.high
    assert "illusory percept" not in {each.name for each in said}
    assert all(each.weights["shift"] < 0.5 for each in said)


def failed(status):
    return [pl.lit(status, pl.String).alias("status"), pl.lit(None, pl.String).alias("answer")]


VARIANT = pl.col("variant")
LACKING = {
    "controls": (
        lambda o: o.filter(VARIANT.is_in(["O", "P"])),
        {("R",): "no pair of type OC, PC", ("gap",): "no pair of the first kind"},
        [("PFA", {"variant": "P"}), ("asymmetry", {}), ("PSE", {"context": "figure"})],
    ),
    "perturbed pictures": (
        lambda o: o.filter(VARIANT.is_in(["O", "OC"])),
        {("I",): "no pair of type P, PC", ("response", "figure"): "first kind", ("PSE", "figure", "ponzo"): "1 levels"},
        [("PFA", {"variant": "OC"}), ("yes_bias", {})],
    ),
    "all but one level": (
        lambda o: o.filter(pl.col("alpha").is_in([0.0, 1.0])),
        {("rise",): "no pair", ("PSE", "figure"): "2 levels", ("asymmetry",): "no pair of the second kind"},
        [("R", {}), ("gap", {}), ("d_prime", {"context": "figure"})],
    ),
    "all but one unit": (
        lambda o: o.filter(pl.col("unit") == o["unit"][0]),
        {("PSE", "figure"): "1 unit", ("d_prime", "figure"): "at least 2 units"},
        [("PFA", {}), ("I", {}), ("gap", {})],
    ),
    "replies": (
        lambda o: o.with_columns(*failed("error")),
        {("PSE", "figure"): "no replies", ("PFA_of_answered",): "no pair", ("d_prime", "figure"): "are needed"},
        [("PFA", {}), ("no_pair", {})],
    ),
    "questions": (
        lambda o: o.with_columns(*failed(None)),
        {("PFA",): "no pair", ("R",): "no pair to count", ("PSE", "figure"): "no replies"},
        [],
    ),
    "a polarity": (
        lambda o: o.filter(pl.col("settings").str.contains("forward")),
        {("PFA",): "no pair", ("yes_bias",): "both polarities"},
        [("accuracy", {"variant": "P"}), ("response", {"context": "figure"})],
    ),
    "strengths": (
        lambda o: o.with_columns(pl.lit(None, pl.Float64).alias("alpha")),
        {("rise",): "no pair", ("PSE", "figure"): "1 levels"},
        [("PFA", {}), ("gap", {})],
    ),
}


@pytest.mark.parametrize("lack", LACKING)
def test_a_run_without_something_says_so_where_it_is_needed_and_the_rest_comes_out(lack):
    without, reasons, standing = LACKING[lack]
    outcomes = marked(without(known(design(4, 4, PAIR), ViprobeMechanism(lapse=0.1, jnd=0.2, criterion=0.4), 6)))
    estimates = estimates_of(outcomes)
    for (metric, *where), reason in reasons.items():
        one = found(estimates, metric, **dict(zip(("context", "case"), where, strict=False)))
        assert one.value is None
        assert reason in one.reason
    for metric, where in standing:
        one = found(estimates, metric, **where)
        assert one.value is not None
        assert one.low <= one.value <= one.high
    for one in estimates:
        assert (one.value is not None and None not in (one.low, one.high)) or one.reason
        assert one.counts.planned <= len(outcomes)
    for verdict in verdicts(outcomes, draws=0):
        assert verdict.name in NAMES
        assert verdict.evidence or verdict.needs


def test_no_outcomes_at_all_are_no_trouble(comparisons):
    for outcomes in (design(1, 2, CASES).clear(), comparisons.clear()):
        for one in estimates_of(outcomes):
            assert one.value is None
            assert one.reason


def test_nobody_remembers_a_figure_whose_classic_form_they_miss():
    """Inducers disturb it: figures look changed to it, all or 4 in 10, but for weak changes; it sees all controls."""
    figure, strong = pl.col("variant").is_in(["O", "P"]), pl.col("alpha").abs() > 0.5
    often = pl.col("unit").str.slice(-1).is_in(["0", "1", "2", "3"])
    disturbed = by_rule(pl.when(figure).then(strong).otherwise(True))
    partly = by_rule(
        pl.when(figure).then(pl.when(pl.col("alpha") == 0).then(~often).otherwise(strong | ~often)).otherwise(True)
    )
    weighs = by_rule(pl.when(figure).then(strong | (pl.col("alpha") == 0)).otherwise(True))
    remembers = by_rule(pl.when(figure).then(pl.col("alpha") == 0).otherwise(True))
    names = [verdicts(outcomes)[0].name for outcomes in (disturbed, partly, weighs, remembers)]
    assert "memory override" not in names[:2]
    assert names[2:] == ["loss on figures", "memory override"]
