"""The instruments on observers whose mechanism is known: a reduced validation, and what it counts with."""

import json
import re
import shlex
from collections import Counter
from dataclasses import asdict, replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from studies.viprobe import validation as validation_study
from studies.viprobe.commands import main
from studies.viprobe.validation import SEED, design_frame, validate, work
from studies.viprobe.validation.coverage import NULLS, OBSERVERS, fits, fitted, rejected
from studies.viprobe.validation.document import assembled
from studies.viprobe.validation.interval_grid import grid, gridded
from studies.viprobe.validation.observers import CATALOGUE, NAMES
from studies.viprobe.validation.planned import plans, powered
from studies.viprobe.validation.promises import Row, binomial, coverages, rejections
from studies.viprobe.validation.truth import right_of_both, truths
from studies.viprobe.validation.verdict_counts import DRAWS, MARKS, judged, named
from studies.viprobe.validation.verdict_tables import weak_by_case
from tests.calling import called
from veridical.ask.outcomes import outcome_table
from veridical.base.processes import map_processes
from veridical.errors import InputError
from veridical.records import OUTCOMES, columns_of
from veridical.suite import registry
from veridical.suite.evidence import Evidence
from veridical.suite.stages import AskingOptions
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.asking.settings import with_settings
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.observers.simulation import MECHANISMS, ViprobeMechanism, simulate
from veridical.suites.viprobe.options import strengths
from veridical.suites.viprobe.verdicts import ObserverVerdict
from veridical.verbs import sets


def test_the_planned_design_is_that_of_the_set_when_it_is_drawn(tmp_path):
    cases = ["muller_lyer", "mach_band", "zollner", "simultaneous_contrast"]
    drawn_set = sets.make("viprobe", out=tmp_path / "set", cases=cases, variants=TYPES, units=2, levels=4)
    suite = registry.get("viprobe")
    trials = list(suite.asking.stages[0].trials(drawn_set.stimuli, AskingOptions(suite.asking.defaults), Evidence({})))
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
    mechanism = ViprobeMechanism(jnd=jnd, criterion=criterion, memory=memory, recognition=recognition, lapse=lapse)
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


HERE = ("muller_lyer", "mach_band", "ebbinghaus", "zollner")
JOB = {"seed": SEED, "units": 10, "levels": None, "cases": HERE, "draws": DRAWS, "tested": 1}
SMALL = {**JOB, "units": 2, "levels": 2}


def instrument(name):
    """One that says the same of all outcomes, and of each case, whatever they are."""

    def says(outcomes, draws):
        tasks = with_settings(outcomes)["task"].unique()
        for task in tasks:
            where = {} if task == "yes-no" else {"task": task}
            yield ObserverVerdict(where=where, name=name, evidence=())
            for case in HERE:
                yield ObserverVerdict(where={**where, "case": case}, name=name, evidence=())

    return says


def validation(records, observers):
    """One that judged, with next to nothing else in it."""
    found = {"judged": records, "covered": [], "fitted": [], "rejected": [], "powered": [], "predicted": []}
    asked = {**{key: SMALL[key] for key in SMALL if key != "seed"}, "observers": observers, "seeds": 1, "only": None}
    return assembled(asked, {**found, "gridded": [gridded(SMALL, grid(1)[0])]})


counted = st.tuples(
    st.sampled_from(["overall", "by case"]),
    st.sampled_from(["yes-no", "comparison"]),
    st.sampled_from(NAMES),
    st.sampled_from(MARKS),
    st.just(True),
    st.integers(1, 30),
)
runs = st.tuples(st.sampled_from(["perfect", "a coin"]), st.booleans(), st.lists(counted, min_size=1, max_size=6))


@given(st.lists(runs, min_size=1, max_size=12))
def test_every_verdict_is_counted_once(found):
    records = [{"observer": who, "number": k, "tested": t, "counts": rows} for k, (who, t, rows) in enumerate(found)]
    counted = named(reversed(records))
    assert len({(each.scope, each.title) for each in counted}) == len(counted)
    for each in counted:
        mine = [
            (number, tested, name, mark, n)
            for number, (who, tested, rows) in enumerate(found)
            for scope, task, name, mark, _, n in rows
            if (who, scope, task) == (each.observer, each.scope, each.task)
        ]
        assert each.runs == len({number for number, *_ in mine})
        assert each.tested == sum(n for _, tested, *_, n in mine if tested)
        for key, counts in ((2, each.names), (3, {mark: n for mark, n in each.hits.items() if n})):
            assert counts == {one: sum(row[4] for row in mine if row[key] == one) for one in {row[key] for row in mine}}
        for mark, (value, (low, high)) in (("right", each.right), ("wrong", each.wrong)):
            assert value == pytest.approx(each.hits[mark] / each.n)
            assert low <= value <= high
            assert high > low
    total = sum(n for _, _, rows in found for *_, n in rows)
    assert sum(each.n for each in counted) == total


@pytest.mark.parametrize(
    ("scope", "clear", "right", "wrong", "kept"),
    [
        ("overall", True, 190, 2, True),
        ("overall", True, 189, 0, False),
        ("overall", True, 190, 3, False),
        ("overall", False, 0, 2, True),
        ("overall", False, 190, 3, False),
        ("by case", True, 160, 2, True),
        ("by case", True, 159, 0, False),
        ("by case", True, 190, 3, False),
        ("by case", False, 0, 0, True),
    ],
)
def test_a_verdict_promise_is_of_what_is_wrong_and_where_clear_of_what_is_right(scope, clear, right, wrong, kept):
    marks = {"right": right, "wrong": wrong, "acceptable": 200 - right - wrong}
    counts = [[scope, "yes-no", "blind", mark, clear, n] for mark, n in marks.items() if n]
    (found,) = named([{"observer": "perfect", "number": 0, "tested": False, "counts": counts}])
    assert found.kept == kept


@pytest.mark.parametrize("name", ["veridical", "undetermined", "blind"])
def test_an_instrument_that_says_the_same_of_everyone_misses_its_promise(name):
    records = [judged(SMALL, [observer, 0], instrument(name)) for observer in CATALOGUE]
    found = validation(records, 1)
    first, table, said, *_ = re.split("^##.*verdicts are right$|^###.*", found.page, flags=re.MULTILINE)
    (line,) = re.findall(r"^- verdict overall \(\d+\): (.*)", first, re.MULTILINE)
    missed = [re.sub(r" \((right|wrong) .*", "", each) for each in line.split("; ")]
    rows = [[cell.strip() for cell in row[1:-1].split("|")] for row in re.findall(r"^\|.*\|.*\d.*", said, re.MULTILINE)]
    assert {tuple(row[2:-1]) for row in rows} == {tuple("100" if each == name else "" for each in NAMES)}
    verdicts = sum(len(known.needs.tasks) for known in CATALOGUE.values()) * (1 + len(HERE))
    assert sum(int(row[-1].replace(",", "")) for row in rows) == verdicts
    for observer, known in CATALOGUE.items():
        for task in known.needs.tasks:
            may = known.expects({} if task == "yes-no" else {"task": task})
            kept = name in may.right or (not known.clear and name in may.acceptable)
            title = observer if task == "yes-no" else f"{observer}: comparisons"
            assert found.promises[f"verdict overall: {title}"] == kept
            assert (title in missed) != kept
            (row,) = (line for line in table.splitlines() if f" | {title} | " in line)
            assert row.count("**missed**") == sum(
                not found.promises[f"verdict {scope}: {title}"] for scope in ("overall", "by case")
            )


def test_what_is_reached_for_weak_vision_is_counted_by_case():
    names = (("weak vision", "right", 3), ("undetermined", "acceptable", 5), ("blind", "wrong", 3))
    counts = [["by case", "yes-no", name, mark, False, n] for name, mark, n in names]
    records = [{"observer": who, "number": 0, "tested": False, "counts": counts} for who in ("weak vision", "perfect")]
    _, row = weak_by_case(named(records)).split("| --- | --- | --- | --- | --- |")
    assert [cell.split(" [")[0] for cell in row.strip(" |\n").split(" | ")] == [
        "weak vision",
        "27.3",
        "45.5",
        "27.3",
        "11",
    ]


def test_the_fit_is_tested_in_the_first_runs_alone():
    asked = []

    def says(outcomes, draws):
        asked.append(draws)
        return [ObserverVerdict(where={}, name="no model fits" if draws else "veridical", evidence=())]

    records = [judged({**SMALL, "tested": 2}, ["perfect", number], says) for number in range(3)]
    (found,) = named(records)
    assert asked == [DRAWS, DRAWS, 0]
    assert (found.tested, found.names) == (2, {"no model fits": 2, "veridical": 1})
    page = validation(records, 3).page
    assert '"no model fits" is given in 2 of 2 overall and 0 of 0 by case, most often for perfect (2 of 2' in page


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


ONLY = "sees in yes-no, recalls in comparisons"


@pytest.fixture(scope="module")
def judged_here():
    """What the instruments say of one observer in this process."""
    return judged(JOB, [ONLY, 0])


def test_a_reduced_validation_names_mechanisms_and_covers_truths(monkeypatch, capsys, tmp_path, judged_here):
    page = tmp_path / "page.md"
    monkeypatch.setattr(validation_study, "cores", lambda: 1)  # processes are tested below
    words = ["--seeds", "1", "--observers", "1", "--only", ONLY, "--cases", ",".join(HERE)]
    code, out, err = called(main, monkeypatch, capsys, "validate", *words, "--out", str(page), "--json")
    found, first = json.loads(out), page.read_text().partition("## Whether")[0]
    assert (code, err) == (0, "")
    kept = sum(found["promises"].values())
    assert f"{kept} of {len(found['promises'])} promises are kept" in first
    assert all(name.partition(": ")[2] in first for name, held in found["promises"].items() if not held)
    assert shlex.join(words) in first
    # The same figures again.
    again = named([judged_here])
    assert found["verdicts"] == json.loads(json.dumps([asdict(each) for each in again]))
    fitted_here = [row for item in fits(1) for row in fitted(JOB, item)]
    assert sum(each["hits"] for each in found["fits"]) == sum(row[3] for row in fitted_here)
    assert {(each.scope, each.task): each.names for each in again[:2]} == {
        ("overall", "yes-no"): {"veridical": 1},
        ("overall", "comparison"): {"loss on figures": 1},
    }
    for each in again:
        share = f"{100 * each.hits['right'] / each.n:.1f} ["
        assert any(f"| {each.title} |" in line and share in line for line in page.read_text().splitlines())
    for name, least in (("all_cases", 0.85), ("one_case", 0.85), ("fits", 0.7)):
        assert sum(each["hits"] for each in found[name]) >= least * sum(each["n"] for each in found[name])
    for each in found["tests"]:
        assert each["hits"] <= stats.binom.ppf(0.9999, each["n"], 0.05)


@pytest.mark.parametrize(
    "words",
    [
        ("--seeds", "0"),
        ("--seeds", "-3"),
        ("--seeds", "100000"),
        ("--observers", "0"),
        ("--observers", "10001"),
        ("--only", "a coin", "--only", "two coins"),
        ("--cases", "muller_lyer,nowhere"),
        ("--cases", "muller_lyer,"),
    ],
)
def test_a_number_that_is_not_allowed_ends_in_one_line(monkeypatch, capsys, tmp_path, words):
    code, out, err = called(main, monkeypatch, capsys, "validate", "--out", str(tmp_path / "page.md"), *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert not list(tmp_path.iterdir())


def test_a_result_knows_its_place_whichever_process_it_comes_from(judged_here):
    items = [[place, "powered", item] for place, item in enumerate(plans(1)[:3])]
    found = dict(map_processes(work, JOB, [*items, [3, "judged", [ONLY, 0]]], 2))
    here = {place: powered(JOB, item) for place, _, item in items}
    assert found == {**here, 3: json.loads(json.dumps(judged_here))}


def test_no_process_is_no_number_of_processes():
    with pytest.raises(InputError, match="0 processes"):
        validate(1, processes=0)
