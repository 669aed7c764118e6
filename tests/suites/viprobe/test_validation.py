"""The instruments on observers whose mechanism is known: a reduced validation, and what it counts with."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.calling import call
from veridical.ask.outcomes import outcome_table
from veridical.errors import InputError
from veridical.records import OUTCOMES, columns_of
from veridical.suite import registry
from veridical.suite.asking import Asking
from veridical.suite.evidence import Evidence
from veridical.suites.viprobe.analysis.mechanism import NAMES
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.observers.simulated import MECHANISMS, Mechanism, simulate
from veridical.suites.viprobe.options import strengths
from veridical.suites.viprobe.validation import BOXES, SEED, design_frame, validate
from veridical.suites.viprobe.validation.coverage import NULLS, OBSERVERS, rejected
from veridical.suites.viprobe.validation.mechanisms import confusion, drawn, judged
from veridical.suites.viprobe.validation.promises import Row, binomial, coverages, rejections
from veridical.suites.viprobe.validation.truth import right_of_both, truths
from veridical.verbs import sets


def test_the_planned_design_is_that_of_the_set_when_it_is_drawn(tmp_path):
    cases = ["muller_lyer", "mach_band", "zollner", "simultaneous_contrast"]
    drawn_set = sets.make("viprobe", out=tmp_path / "set", cases=cases, variants=TYPES, units=2, levels=4)
    suite = registry.get("viprobe")
    trials = list(suite.asking.stages[0].trials(drawn_set.stimuli, Asking(suite.asking.defaults), Evidence({})))
    real = outcome_table("veridical/simulated", trials, {}, suite.asking.readers, factors=suite.design.factors)
    planned = design_frame(2, 4, cases)
    assert dict(planned.schema) == {**OUTCOMES, **columns_of(suite.design.factors)}
    assert planned.sort("trial").equals(real.sort("trial"))


def test_the_default_design_has_all_classic_cases_in_both_polarities():
    frame = design_frame()
    assert frame["trial"].is_unique().all()
    assert set(frame["family"]) == {case.name for case in CASES.values() if not case.novel}
    assert frame.group_by("family").len()["len"].unique().to_list() == [10 * (1 + 10 + 1 + 10) * 2]


@pytest.mark.parametrize(("units", "levels"), [(0, 10), (10, 3), (10, 0)])
def test_a_design_that_cannot_be_is_refused(units, levels):
    with pytest.raises(InputError):
        design_frame(units, levels, ["muller_lyer"])


@pytest.mark.parametrize("mechanism", [*OBSERVERS.values(), *NULLS.values()])
def test_the_truth_in_closed_form_is_what_many_units_come_to(mechanism):
    outcomes = simulate(design_frame(400, 4, ["muller_lyer"]), mechanism, np.random.default_rng(5))
    right = outcomes.group_by("stimulus", "unit", "variant", "alpha").agg(
        (pl.col("answer") == pl.col("gold")).all().alias("right")
    )
    for (variant, alpha), rows in right.group_by("variant", "alpha"):
        expected = right_of_both(mechanism, [alpha], figure=variant in ("O", "P"))[0]
        assert abs(rows["right"].sum() - 400 * expected) < 4.5 * np.sqrt(400 * expected * (1 - expected)) + 1


@given(
    st.floats(0.01, 0.5),
    st.floats(0, 0.5),
    st.floats(0, 1),
    st.floats(0, 1),
    st.floats(0, 0.3),
    st.sampled_from([2, 4, 10]),
)
def test_the_true_figures_agree_with_each_other(jnd, criterion, memory, recognition, lapse, levels):
    mechanism = Mechanism(jnd=jnd, criterion=criterion, memory=memory, recognition=recognition, lapse=lapse)
    known = truths(mechanism, strengths(levels))
    assert all(0 <= known["PFA", name] <= 1 for name in TYPES)
    assert known["I", None] == pytest.approx(known["delta_original", None] - known["delta_perturbed", None])
    assert known["asymmetry", None] == pytest.approx(0, abs=1e-9)
    assert known["delta_original", None] == pytest.approx(0, abs=1e-9)
    without = truths(replace(mechanism, memory=0.0), strengths(levels))
    assert without["I", None] == pytest.approx(0, abs=1e-9)
    assert known["PFA", "P"] <= without["PFA", "P"] + 1e-12


@pytest.mark.parametrize("name", ["blind", "language_limited"])
def test_replies_that_do_not_follow_the_picture_have_no_closed_form(name):
    with pytest.raises(ValueError, match="follow the picture"):
        right_of_both(MECHANISMS[name], [0.0], figure=True)


@given(st.sampled_from(sorted(BOXES)), st.integers(0, 2**32))
def test_every_drawn_mechanism_lies_in_its_box_and_has_defaults_elsewhere(box, seed):
    mechanism = drawn(BOXES[box], np.random.default_rng(seed))
    for name, (low, high) in BOXES[box].items():
        assert low <= getattr(mechanism, name) <= high
    assert replace(mechanism, **{name: getattr(Mechanism(), name) for name in BOXES[box]}) == Mechanism()


def test_the_boxes_are_the_mechanisms_that_the_rule_can_name():
    assert set(BOXES) == set(NAMES) - {"undetermined"}


verdict = st.sampled_from(NAMES)
said = st.fixed_dictionaries({"": verdict, "muller_lyer": verdict, "mach_band": verdict})


@given(st.lists(st.tuples(st.sampled_from(sorted(BOXES)), said), min_size=1, max_size=12))
def test_the_confusion_matrix_counts_every_verdict_once(found):
    records = [{"box": box, "number": k, "verdicts": names} for k, (box, names) in enumerate(found)]
    for by_case in (False, True):
        rows = {each.box: each for each in confusion(records, by_case=by_case)}
        for box in {box for box, _ in found}:
            cases = (
                [""] if not by_case else ["muller_lyer"] if box == "illusory percept" else ["muller_lyer", "mach_band"]
            )
            plain = Counter(names[case] for other, names in found if other == box for case in cases)
            n = plain.total()
            assert (rows[box].counts, rows[box].n) == (plain, n)
            assert rows[box].right[0] == pytest.approx(plain[box] / n)
            assert rows[box].wrong[0] == pytest.approx((n - plain[box] - plain["undetermined"]) / n)
            for value, (low, high) in (rows[box].right, rows[box].wrong):
                assert low <= value <= high
                assert high > low


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(1, 50), st.floats(0, 1)), min_size=1, max_size=8))
def test_coverage_is_of_all_runs_and_each_observer_keeps_its_own(rows):
    rows = [Row(name, ("PFA",), runs, round(share * runs), 0) for name, runs, share in rows]
    (found,) = coverages(rows)
    held, runs = sum(row.held for row in rows), sum(row.runs for row in rows)
    assert (found.hits, found.n) == (held, runs)
    assert [sum(part[k] for part in found.parts.values()) for k in (0, 1)] == [held, runs]
    assert found.kept == (0.93 <= held / runs <= 0.97)


@given(st.integers(1, 5000))
def test_the_binomial_interval_leaves_at_most_a_fortieth_on_either_side(n):
    low, high = binomial(n)
    assert stats.binom.cdf(round(low * n) - 1, n, 0.05) <= 0.025
    assert stats.binom.sf(round(high * n), n, 0.05) <= 0.025 + 1e-12


@pytest.mark.parametrize(
    ("hits", "exact", "random"), [(0, True, False), (50, True, True), (60, False, True), (90, False, False)]
)
def test_an_exact_test_may_err_less_and_a_random_one_may_not(hits, exact, random):
    rows = [(scope, k < hits) for scope in ("one case", "all cases") for k in range(1000)]
    found = {each.name[1]: each.kept for each in rejections(("gap", scope, hit) for scope, hit in rows)}
    assert found == {"one case": exact, "all cases": random}


def test_two_runs_of_one_observer_are_each_tested():
    tests = Counter((test, scope) for test, scope, _ in rejected({"seed": 0}, [next(iter(NULLS)), 0]))
    assert set(tests.values()) == {1, 4}


def test_a_reduced_validation_names_mechanisms_and_covers_truths(monkeypatch, capsys, tmp_path):
    page = tmp_path / "page.md"
    code, out, err = call(monkeypatch, capsys, "viprobe", "validate", "--seeds", "1", "--out", str(page), "--json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert page.read_text().count("kept") + page.read_text().count("**missed**") > len(found["promises"])
    named = {each["box"]: list(each["counts"]) for each in found["overall"]}
    assert sum(names == [box] for box, names in named.items()) >= 6
    job = {"seed": SEED, "units": 10, "levels": 10}
    for box in ("blind", "language-limited"):
        assert named[box] == [judged(job, [box, 0])["verdicts"][""]]
    for name, least in (("all_cases", 0.85), ("one_case", 0.85), ("fits", 0.7)):
        assert sum(each["hits"] for each in found[name]) >= least * sum(each["n"] for each in found[name])
    for each in found["tests"]:
        assert each["hits"] <= stats.binom.ppf(0.9999, each["n"], 0.05)


@pytest.mark.parametrize("words", [("--seeds", "0"), ("--seeds", "-3"), ("--seeds", "100000")])
def test_a_number_that_is_not_allowed_ends_in_one_line(monkeypatch, capsys, tmp_path, words):
    code, out, err = call(monkeypatch, capsys, "viprobe", "validate", "--out", str(tmp_path / "page.md"), *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert not list(tmp_path.iterdir())


def test_no_process_is_no_number_of_processes():
    with pytest.raises(InputError, match="0 processes"):
        validate(1, processes=0)
