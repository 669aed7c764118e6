"""Observers that the models of the verdicts do not contain do what they are said to do, in the order of the trials."""

from collections import Counter
from typing import NamedTuple

import numpy as np
import polars as pl
import pytest

from studies.viprobe.validation import design_frame
from studies.viprobe.validation.observers import CATALOGUE, NAMES, Needs, judge, outcomes_of, planned
from studies.viprobe.validation.observers.in_words import catalogue
from studies.viprobe.validation.observers.lapsing import SIDES
from studies.viprobe.validation.observers.library import REGIONS
from studies.viprobe.validation.observers.observer import INDUCERS_AND_CLUTTER
from studies.viprobe.validation.observers.recalling import RECALLED
from veridical.ask.outcomes import outcome_table
from veridical.records import STATUSES
from veridical.suite import registry
from veridical.suite.evidence import Evidence
from veridical.suite.stages import AskingOptions
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.illusions import CASES as ILLUSIONS
from veridical.suites.viprobe.observers.simulation import MECHANISMS, simulate
from veridical.verbs import sets

pytestmark = pytest.mark.usefixtures("no_figures")

WIDER = (*TYPES, *INDUCERS_AND_CLUTTER)
ALL = Needs(variants=WIDER, tasks=("yes-no", "comparison"))
CASES = ("muller_lyer", "mach_band", "ebbinghaus", "cornsweet_case1", "twisted_cord")
FOUR = ("muller_lyer", "circle_muller_lyer", "ponzo", "ponzo_trapezoid")
FAR = 0.3
ANYTHING_BUT_CHANCE = ("yes to everything", "no to everything", "blind, default")
EVERY = pytest.mark.parametrize("known", CATALOGUE.values(), ids=CATALOGUE.keys())


def outcomes(name, seed=0, units=20, cases=FOUR, **needed):
    """The outcomes of an observer on the design that it needs, or on another of `Needs`."""
    known = CATALOGUE[name]
    needs = known.needs._replace(**needed)
    found = outcomes_of(known, seed, planned(needs, units, None, cases))
    factors, settings = pl.col("factors").str, pl.col("settings").str
    unchanged = factors.json_path_match("$.answer_if_unchanged")
    return found.with_columns(
        settings.json_path_match("$.task").alias("task"),
        settings.json_path_match("$.polarity").alias("polarity"),
        (pl.col("answer") == unchanged).alias("same"),
    )


def far(rows):
    """The yes-no replies about originals, and about changes far beyond the criterion of good sight."""
    return rows.filter((pl.col("task") == "yes-no") & ((pl.col("alpha") == 0) | (pl.col("alpha").abs() >= FAR)))


def share(rows, column, *variants):
    chosen = rows.filter(pl.col("variant").is_in(variants)) if variants else rows
    return chosen[column].cast(pl.Float64).mean()


def near(value, expected, n, margin=0.0):
    return abs(value - expected) < margin + 4.5 * np.sqrt(expected * (1 - expected) / n) + 1 / n


@pytest.fixture(scope="module")
def drawn_set(tmp_path_factory, one_process):
    return sets.make("viprobe", out=tmp_path_factory.mktemp("wider") / "set", cases=CASES, variants=WIDER, units=2)


@pytest.mark.parametrize("tasks", [("yes-no",), ("comparison",), ("yes-no", "comparison")])
def test_the_wider_design_is_that_of_the_set_when_it_is_drawn(drawn_set, tasks):
    suite = registry.get("viprobe")
    asking = AskingOptions({**suite.asking.defaults, "task": tasks})
    trials = list(suite.asking.stages[0].trials(drawn_set.stimuli, asking, Evidence({})))
    real = outcome_table("veridical/simulated", trials, {}, suite.asking.readers, factors=suite.design.factors)
    wider = design_frame(2, None, CASES, variants=WIDER, tasks=tasks, as_made=True)
    assert wider.equals(real)


def test_the_catalogue_says_of_each_observer_what_is_right_in_known_words():
    groups = Counter(known.group for known in CATALOGUE.values())
    assert sum(groups.values()) >= 36
    for known in CATALOGUE.values():
        slices = [known.overall, known.by_case, *known.cases.values(), known.in_comparisons]
        for may in filter(None, slices):
            assert may.right, known.name
            assert not may.right & may.acceptable, known.name
            assert may.right | may.acceptable <= set(NAMES), known.name
        assert known.why.endswith("."), known.name
        assert all(low <= high for low, high in known.box.values()), known.name
        assert set(known.cases) <= set(ILLUSIONS), known.name


def test_memory_is_right_only_where_the_pictures_can_show_it():
    for known in CATALOGUE.values():
        for case in (None, *ILLUSIONS):
            may = known.expects({} if case is None else {"case": case})
            if "memory override" in may.right:
                assert known.needs.variants == WIDER, known.name
                assert case is None or ILLUSIONS[case].shows("inducers"), (known.name, case)


@EVERY
def test_all_planned_trials_are_answered_in_their_order_alike_by_the_same_seed(known):
    trials = planned(ALL, 2, None, CASES)
    first, again, other = (known.make(trials, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first.equals(again)
    assert known.name in ANYTHING_BUT_CHANCE or not first.equals(other)
    untouched = [name for name in trials.columns if trials[name].null_count() < len(trials)]
    assert first.columns == trials.columns
    assert first.select(untouched).equals(trials.select(untouched))
    assert set(first["status"]) <= set(STATUSES)
    assert ((first["status"] == "answered") == first["answer"].is_not_null()).all()
    options = first["expects"].str.json_path_match("$.options[0]"), first["expects"].str.json_path_match("$.options[1]")
    allowed = first.select(
        (pl.col("answer") == options[0].fill_null("0")) | (pl.col("answer") == options[1].fill_null("1"))
    )
    assert allowed.to_series().drop_nulls().all()
    right = first["gold"].eq_missing(first["answer"])
    assert first.filter(pl.col("gold").is_not_null())["correct"].equals(right.filter(first["gold"].is_not_null()))
    assert first.filter(pl.col("gold").is_null())["correct"].null_count() == first["gold"].null_count()


def test_a_perfect_perceiver_is_right_of_all_but_a_lapse_in_a_hundred():
    rows = outcomes("sees, P truncated in 80 %").filter(pl.col("status") == "answered")
    assert share(far(rows), "correct") > 0.998
    comparisons = outcomes("perfect", tasks=("comparison",)).filter(pl.col("gold").is_not_null())
    assert share(comparisons, "correct") > 0.99


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("lapses 10 %", 0.05), ("lapses 25 %", 0.125)],
)
def test_a_lapse_is_a_coin(name, wrong):
    rows = far(outcomes(name))
    assert near(1 - share(rows, "correct"), wrong, len(rows), 0.015)


@pytest.mark.parametrize(("name", "bias"), [("lapses 10 %, yes bias 25 %", 0.25), ("lapses 10 %, no bias 25 %", -0.25)])
def test_a_bias_is_the_surplus_of_its_word(name, bias):
    rows = far(outcomes(name))
    for truth in ("0", "1"):
        replies = rows.filter(pl.col("gold") == truth)["answer"]
        expected = (float(truth) * 0.9 + 0.05) * (1 - abs(bias)) + max(bias, 0)
        assert near((replies == "1").mean(), expected, len(replies), 0.05)


def test_lapses_that_claim_something_err_in_one_way_only():
    for name, claimed in (
        ("lapses that say same", True),
        ("lapses that say changed", False),
        ("side bias 40 %", False),
    ):
        wrong = far(outcomes(name)).filter(~pl.col("correct"))
        assert len(wrong) > 30
        assert (wrong["same"] == claimed).mean() > 0.99
    rows = outcomes("side bias 40 %", tasks=("comparison",)).filter(pl.col("gold").is_not_null())
    first = rows["expects"].str.json_path_match("$.options[0]") == rows["answer"]
    assert near(first.mean(), 0.5 + 0.2, len(rows), 0.03)


def test_a_neglected_side_is_the_only_one_that_is_missed():
    missed = far(outcomes("neglects one side")).filter(~pl.col("correct") & (pl.col("alpha") != 0))
    sides = Counter(missed["side"])
    assert any(sum(sides[side] for side in pair) > 0.98 * len(missed) for pair in SIDES)


@pytest.mark.parametrize("who", ["sees", "recalls"])
@pytest.mark.parametrize(
    ("kind", "shares"),
    [
        ("P truncated in 80 %", {"P": 0.8}),
        ("P and PC refused in 40 %", {"P": 0.4, "PC": 0.4}),
        ("even 15 %", dict.fromkeys(TYPES, 0.15)),
        ("one polarity unparsed", dict.fromkeys(TYPES, 0.35)),
    ],
)
def test_replies_are_missing_in_the_share_that_was_asked_for(who, kind, shares):
    rows = outcomes(f"{who}, {kind}")
    for variant in TYPES:
        chosen = rows.filter(pl.col("variant") == variant)
        assert near((chosen["status"] != "answered").mean(), shares.get(variant, 0.0), len(chosen) / 2, 0.05)


def test_what_is_missing_follows_polarity_strength_or_truth():
    rows = outcomes("sees, one polarity unparsed").filter(pl.col("status") != "answered")
    assert set(rows["polarity"]) == {"reversed"}
    assert set(rows["status"]) == {"unparsed"}
    weak = outcomes("recalls, weak P refused").with_columns((pl.col("status") == "refused").alias("gone"))
    chosen = weak.filter(pl.col("variant") == "P")
    assert share(chosen.filter(pl.col("alpha").abs() < 0.25), "gone") > 0.5
    assert share(chosen.filter(pl.col("alpha").abs() > 0.25), "gone") < 0.12
    assert not weak.filter(pl.col("variant") != "P")["gone"].any()
    both = chosen.group_by("stimulus").agg(pl.col("gone").n_unique())
    assert (both["gone"] == 1).all()
    hidden = outcomes("recalls, refused where it would be wrong")
    assert 0.85 < share(hidden.with_columns(pl.col("answer").is_null().alias("gone")), "gone", "P") < 0.95
    assert set(outcomes("sees, even 15 %")["status"]) == set(STATUSES)


@pytest.mark.parametrize(
    ("name", "figure", "clutter"),
    [
        ("crowded by any inducers", False, False),
        ("loses figures alone", False, True),
        ("recalls every figure, inducers recited", False, True),
        ("recalls every figure, inducers not recited", False, True),
        ("recalls anything like an illusion", False, False),
        ("perfect", True, True),
    ],
)
def test_changes_pass_where_they_are_said_to_pass(name, figure, clutter):
    known = CATALOGUE[name]
    found = known.make(planned(ALL, 20, None, FOUR), np.random.default_rng(3))
    rows = found.filter(pl.col("gold").is_in(["0", "1"]) & (pl.col("alpha").abs() >= FAR))
    for variant, passes in (("P", figure), ("PC", True), ("PS", clutter)):
        assert near(share(rows, "correct", variant), float(passes), 100, 0.02)


@pytest.mark.parametrize(
    ("name", "recited"),
    [
        ("recalls every figure, inducers recited", 1.0),
        ("recalls every figure, inducers not recited", 0.5),
        ("loses figures alone", 0.5),
        ("recalls half of the replies", 0.75),
    ],
)
def test_inducers_alone_are_recited_or_left_to_a_coin(name, recited):
    bare = outcomes(name, units=100, variants=("O", "I")).filter(pl.col("variant") == "I")
    assert near(share(bare, "same"), recited, len(bare), 0.0 if recited in (0.5, 1) else 0.06)


def test_other_sight_on_figures_is_a_criterion_or_a_noise_of_their_own():
    strict = outcomes("strict criterion on figures").filter(pl.col("variant").is_in(["O", "P"]))
    assert strict.filter(pl.col("alpha").abs() < 0.45)["same"].mean() > 0.99
    assert strict.filter(pl.col("alpha").abs() == 1)["same"].mean() < 0.01
    noisy = outcomes("noise on figures, all look changed")
    assert share(noisy, "same", "O", "P") < 0.15
    assert share(noisy, "correct", "OC") > 0.99


@pytest.mark.parametrize("over", ["replies", "pictures", "units"])
def test_a_mixture_recalls_replies_pictures_or_units_as_wholes(over):
    rows = far(outcomes(f"recalls half of the {over}", units=40)).filter(pl.col("variant") == "P")
    pictures = rows.group_by("stimulus", "unit").agg(pl.col("same").mean())
    units = rows.group_by("unit").agg(pl.col("same").mean())
    torn = (pictures["same"] == 0.5).mean()
    mixed = ((units["same"] > 0.02) & (units["same"] < 0.98)).mean()
    assert (torn > 0.4) == (over == "replies")
    assert (torn < 0.02) == (over != "replies")
    assert (mixed > 0.9) == (over != "units")
    assert (mixed < 0.1) == (over == "units")
    assert near(rows["same"].mean(), 0.5, 160, 0.1)


def test_half_of_the_cases_are_recalled():
    rows = far(outcomes("recalls half of the cases")).filter(pl.col("variant") == "P")
    for (case,), own in rows.group_by("family"):
        assert near(share(own, "same"), float(case in RECALLED), 100, 0.02)


def test_a_coin_and_a_reciter_answer_nothing_that_they_were_shown():
    coin = outcomes("a coin")
    torn = coin.group_by("stimulus").agg(pl.col("answer").n_unique() == 1)["answer"].mean()
    assert near(torn, 0.5, coin["stimulus"].n_unique(), 0.01)
    assert near(share(coin, "same"), 0.5, len(coin), 0.05)
    assert share(outcomes("recites to everything"), "same") > 0.97
    assert set(outcomes("yes to everything")["answer"]) == {"1"}
    figures = outcomes("same on figures, a coin elsewhere")
    assert share(figures, "same", "O", "P", "I") == 1
    assert near(share(figures, "same", "OC", "PC", "OS", "PS"), 0.5, 2000)


def test_who_is_deaf_gives_both_polarities_one_answer():
    rows = far(outcomes("deaf to the reversal"))
    one = rows.group_by("stimulus").agg(pl.col("answer").n_unique() == 1)["answer"].mean()
    assert 0.88 < one <= 1
    assert share(rows.filter(pl.col("polarity") == "forward"), "correct") > 0.99


@pytest.mark.parametrize(("name", "control"), [("inverted", 0.0), ("inverted on figures", 1.0)])
def test_who_is_inverted_says_the_opposite_in_both_polarities(name, control):
    rows = far(outcomes(name))
    for polarity in ("forward", "reversed"):
        chosen = rows.filter(pl.col("polarity") == polarity)
        assert share(chosen, "correct", "O", "P") < 0.01
        assert near(share(chosen, "correct", "OC", "PC"), control, 500, 0.01)


@pytest.mark.parametrize(
    ("name", "yes_no", "comparison"),
    [("sees in yes-no, recalls in comparisons", 1.0, 0.5), ("recalls in yes-no, sees in comparisons", 0.0, 1.0)],
)
def test_a_kind_of_question_may_be_seen_or_recalled(name, yes_no, comparison):
    rows = outcomes(name).filter(pl.col("alpha").abs() >= FAR)
    for task, expected in (("yes-no", yes_no), ("comparison", comparison)):
        chosen = rows.filter(pl.col("task") == task)
        assert near(share(chosen, "correct", "P"), expected, 500, 0.01)
        assert share(chosen, "correct", "PC") > 0.99


def test_heavy_tails_err_far_more_often_than_normal_noise():
    originals = outcomes("heavy tails, sharp", units=100, variants=("O", "OC"))
    assert 0.005 < 1 - share(originals, "correct") < 0.08


@pytest.mark.parametrize(("name", "worse"), [("drift, strong", True), ("drift, mild", True), ("practice", False)])
def test_drift_and_practice_go_from_the_first_picture_to_the_last(name, worse):
    rows = outcomes(name, units=40, variants=("O", "OC"))
    third = len(rows) // 3
    first, last = (1 - share(part, "correct") for part in (rows.head(third), rows.tail(third)))
    assert (last > first + 0.05) == worse
    assert (first > last + 0.05) != worse


def test_an_offset_of_a_unit_is_shared_by_figure_and_control():
    rows = outcomes("units differ", seed=1, units=200, variants=("O", "OC"))
    wrong = rows.group_by("unit", "variant").agg((~pl.col("correct")).any().alias("wrong"))
    table = wrong.pivot("variant", index="unit", values="wrong")
    assert table["O"].sum() > 20
    assert np.corrcoef(table["O"], table["OC"])[0, 1] > 0.7


def test_offsets_on_figures_alone_leave_controls_as_they_are():
    rows = outcomes("figures push each unit its own way")
    assert share(rows, "correct", "OC") > 0.99
    assert share(rows, "correct", "O") < 0.5


@pytest.mark.parametrize("tasks", [("yes-no",), ("yes-no", "comparison")])
def test_a_copier_errs_only_by_its_last_answer(tasks):
    rows = outcomes("copies its last answer", tasks=tasks)
    for (_,), asked_alike in rows.group_by("task", maintain_order=True):
        told = asked_alike.with_columns(pl.col("answer").shift(1).alias("last"))
        clear = told.filter(pl.col("gold").is_not_null() & ((pl.col("alpha") == 0) | (pl.col("alpha").abs() >= FAR)))
        wrong = clear.filter(~pl.col("correct"))
        assert (wrong["answer"] == wrong["last"]).mean() > 0.99
        turned = clear.filter(pl.col("gold") != pl.col("last"))
        assert near(1 - share(turned, "correct"), 0.2, len(turned), 0.06)


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_defaults_of_the_library_are_asked_as_they_are_and_lie_in_their_region(name):
    trials = planned(ALL, 2, None, CASES)
    expected = simulate(trials, MECHANISMS[name], np.random.default_rng(5))
    assert CATALOGUE[f"{name}, default"].make(trials, np.random.default_rng(5)).equals(expected)
    for field, (low, high) in REGIONS[name].box.items():
        assert low <= getattr(MECHANISMS[name], field) <= high


class Said(NamedTuple):
    where: dict
    name: str


def held(name, *verdicts):
    def frames(needs):
        return planned(needs, 1, None, ("muller_lyer",))

    return [(each.right, each.wrong) for each in judge(CATALOGUE[name], 0, frames, lambda _: verdicts)]


def test_a_verdict_is_right_acceptable_or_wrong():
    right, acceptable, wrong = (True, False), (False, False), (False, True)
    names = ("veridical", "undetermined", "weak vision", "undetermined: answers missing")
    assert held("lapses 25 %", *(Said({}, name) for name in names)) == [right, acceptable, wrong, wrong]
    by_case = [Said({"case": case}, "veridical") for case in ("muller_lyer", "circle_muller_lyer")]
    assert held("recalls half of the cases", *by_case, Said({}, "mixed")) == [right, wrong, right]
    by_task = [Said({"task": task}, "loss on figures") for task in ("yes-no", "comparison")]
    assert held("sees in yes-no, recalls in comparisons", *by_task) == [wrong, right]
    memory = [Said({"case": case}, "memory override") for case in ("muller_lyer", "twisted_cord")]
    assert held("recalls every figure, inducers recited", *memory) == [right, wrong]


def test_the_verdicts_read_the_outcomes_of_that_observer():
    def readout(rows):
        missing = rows.filter(pl.col("variant") == "P")["answer"].is_null().mean()
        return [Said({}, "undetermined: answers missing" if missing > 0.5 else "veridical")]

    for name in ("sees, P truncated in 80 %", "perfect"):
        (found,) = judge(CATALOGUE[name], (1, 7), lambda needs: planned(needs, 4, None, FOUR), readout)
        assert found.right
        assert found.clear


def test_a_verdict_in_other_words_is_refused():
    with pytest.raises(ValueError, match="bad eyes"):
        held("perfect", Said({}, "bad eyes"))


def test_the_table_has_a_line_for_each_observer_with_its_reason():
    lines = catalogue(CATALOGUE.values()).splitlines()
    assert len(lines) == 2 + len(CATALOGUE)
    for line, known in zip(lines[2:], CATALOGUE.values(), strict=True):
        assert known.name in line
        assert known.why in line
