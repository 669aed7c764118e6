"""VI-Probe's tables: their cells against the estimates and against plain counts, verdicts against known observers."""

import itertools
import json
import re
from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache, partial
from importlib import import_module

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.suites.viprobe.test_viprobe import OPPOSITE, SUITE, find, frame, marked, plain_count, row
from veridical.records import SHARE, Counts, Estimate, Z, canonical
from veridical.report import format_interval, format_value
from veridical.report.view import table_view
from veridical.suite.results import Result
from veridical.suites.viprobe.analysis.estimates import estimates as estimates_of
from veridical.suites.viprobe.analysis.measures import ALPHA, FACTOR_UNITS
from veridical.suites.viprobe.illusions import CASES as ILLUSIONS
from veridical.suites.viprobe.observers.simulation import MECHANISMS, ViprobeMechanism, simulate
from veridical.suites.viprobe.presentation.conclusions import conclusions_of
from veridical.suites.viprobe.presentation.more_tables import reading
from veridical.suites.viprobe.verdicts import NAMES, comparison_verdicts, verdicts

pytestmark = pytest.mark.usefixtures("no_figures")

YES_NO = ("forward", "reversed")
ALPHAS = (-1.0, -0.6, -0.2, 0.2, 0.6, 1.0)
CASES = (("muller_lyer", "size", "px"), ("zollner", "orientation", "deg"), ("chubb", "color", "percent"))
SCALE = 40
THREE = ("veridical", "memory_override", "competition")


@cache
def planned(units=10, cases=CASES, alphas=ALPHAS, instruction="none", placement="none", hints=False):
    """Trials not yet asked: both polarities of each picture, and a comparison where nothing is instructed."""
    types = {"O": (0.0,), "P": alphas, "OC": (0.0,), "PC": alphas}
    types |= {"OH": (0.0,), "PH": alphas} if hints else {}
    forms = ("forward", "reversed", *(("comparison",) if instruction == "none" else ()))
    found = []
    for family, category, unit in cases:
        pictures = [(k, variant, alpha) for k in range(units) for variant in types for alpha in types[variant]]
        for k, variant, alpha in pictures:
            for form in forms:
                r = row(k, variant, alpha, form, None, None, family=family, category=category)
                factors = {"value": SCALE * alpha, "value_unit": unit}
                if form == "comparison":
                    r["expects"] = canonical({"options": ["left", "right"]})
                    r["gold"] = ("left" if alpha > 0 else "right") if alpha else None
                else:
                    factors["answer_if_unchanged"] = "1" if form == "forward" else OPPOSITE["1"]
                settings = {"polarity": form, "instruction": instruction, "placement": placement}
                settings["task"] = "comparison" if form == "comparison" else "yes-no"
                r |= {"settings": canonical(settings), "factors": canonical(factors)}
                r |= {"congruent": alpha > 0 if alpha else None, "trial": f"{r['trial']}&{instruction}"}
                found.append(r)
    return frame(found)


@cache
def result(name, mechanism, plan=planned, seed=0):
    """The run of one observer, by its name in `MECHANISMS` or as a `ViprobeMechanism`; `plan` gives its trials."""
    chosen = mechanism if isinstance(mechanism, ViprobeMechanism) else MECHANISMS[mechanism]
    outcomes = simulate(plan(), chosen, np.random.default_rng(seed))
    return Result(name, outcomes, estimates_of(outcomes))


def three():
    """Three observers on the same plan."""
    return tuple(result(name, name) for name in THREE)


@cache
def helped():
    """An observer that looks when it is hinted at the size, and leans to "same" more when it is instructed."""
    looking, leaning = ViprobeMechanism(memory=0.9), ViprobeMechanism(memory=0.9, criterion=0.3)
    plain = planned(hints=True)
    hinted = pl.col("variant").is_in(["OH", "PH"])
    told = planned(instruction="weigh", placement="system")
    parts = ((plain.filter(~hinted), looking), (plain.filter(hinted), MECHANISMS["veridical"]), (told, leaning))
    rng = np.random.default_rng(1)
    outcomes = pl.concat([simulate(trials, mechanism, rng) for trials, mechanism in parts])
    return Result("helped", outcomes, estimates_of(outcomes))


@pytest.fixture
def unjudged(monkeypatch):
    """No tables of verdicts, whose fits take longer than all else, for tests that look at other tables of a new run."""
    monkeypatch.setattr(import_module("veridical.suites.viprobe.presentation.tables"), "mechanisms", lambda *_: [])


def tables(*results):
    return {table.name: table for table in SUITE.presentation.tables(results)}


def cells(table, **where):
    """The rows as dicts by column, those alone that hold these values."""
    rows = [dict(zip(table.columns, r, strict=True)) for r in table.rows]
    return [r for r in rows if all(r[name] == value for name, value in where.items())]


def polarity(outcomes, name):
    """The rows of one polarity."""
    return outcomes.filter(pl.Series([json.loads(text)["polarity"] == name for text in outcomes["settings"]]))


def noisy(**changes):
    """A noisy observer, whose functions can be fitted."""
    return replace(MECHANISMS["veridical"], jnd=0.15, spread=0.1, **changes)


def counted(run):
    """Pictures of a run by variant, case, strength and part, counted without the library."""
    both = pl.concat([polarity(run.outcomes, name) for name in YES_NO])
    return list(plain_count(both).values())


def share(found, part):
    return sum(p == part for *_, p in found) / len(found)


@pytest.mark.parametrize("name", THREE)
def test_pooled_over_pictures_is_a_plain_count_and_not_the_mean_of_types(name):
    run = result(name, name)
    table, found = tables(run)["consistency"], counted(run)
    (pooled,) = cells(table, Pictures="pooled over pictures")
    (mean,) = cells(table, Pictures="mean of types")
    for column in ("PFA", "CbW", "TFI"):
        assert pooled[column].value == pytest.approx(share(found, column))
        assert pooled[column].low <= pooled[column].value <= pooled[column].high
        types = [share([f for f in found if f[0] == kind], column) for kind in ("O", "P", "OC", "PC")]
        assert mean[column].value == pytest.approx(np.mean(types))
    assert pooled["Trials"] == mean["Trials"]


@pytest.mark.usefixtures("unjudged")
def test_an_unanswered_half_stays_in_the_pooled_denominator():
    run = three()[0]
    lost = run.outcomes.with_row_index().with_columns(
        status=pl.when(pl.col("index") < 30).then(pl.lit("error")).otherwise("status"),
        answer=pl.when(pl.col("index") < 30).then(None).otherwise("answer"),
    )
    outcomes = marked(lost.drop("index"))
    run = Result("m", outcomes, estimates_of(outcomes))
    (pooled,) = cells(tables(run)["consistency"], Pictures="pooled over pictures")
    assert pooled["No pair"].value > 0
    assert sum(pooled[name].value for name in ("PFA", "CbW", "TFI", "No pair")) == pytest.approx(1)
    assert pooled["PFA of answered"].value > pooled["PFA"].value


def test_every_estimate_in_a_table_is_one_of_its_run_or_counted_anew():
    anew = {("PFA", "over"), ("kendall_tau", "magnitude"), ("PFA", "variant")}
    runs, own = [*three(), helped()], defaultdict(list)
    for each in itertools.chain(*(run.estimates for run in runs)):
        own[each.metric, canonical(dict(each.slice))].append(each)
    for table in SUITE.presentation.tables(runs):
        for cell in itertools.chain(*table.rows):
            if isinstance(cell, Estimate) and cell not in own[cell.metric, canonical(dict(cell.slice))]:
                assert table.name in ("consistency", "ranks")
                assert table.name == "consistency" or (cell.metric, *cell.slice) in anew


@pytest.mark.usefixtures("unjudged")
def test_r_and_i_stand_beside_p_in_both_directions():
    fooled = result("illusory_percept", "illusory_percept")
    for name in ("isolation", "cases"):
        for r in cells(tables(fooled)[name]):
            assert r["P congruent"].value > r["P opposing"].value
            assert {"R", "I"} <= r.keys()


def test_accuracy_at_each_strength_is_a_plain_count():
    run = three()[2]
    (curve,) = cells(tables(run)["dose"], Pictures="P")
    for alpha in ALPHAS:
        found = [f for f in counted(run) if f[0] == "P" and f[2] == alpha]
        assert curve[f"{alpha:+g}".replace("-", "−")].value == pytest.approx(share(found, "PFA"))


@pytest.mark.parametrize(
    ("mechanism", "name"),
    [
        ("veridical", "veridical"),
        ("memory_override", "loss on figures"),
        ("competition", "loss on figures"),
        ("illusory_percept", "illusory percept"),
        ("language_limited", "language-limited or guessing"),
        ("blind", "blind"),
    ],
)
def test_the_verdict_of_a_known_observer_comes_first_and_cases_are_counted(mechanism, name):
    run = result(mechanism, mechanism)
    found = tables(run)
    rows = cells(found["mechanism"], Questions="yes-no questions")
    assert (rows[0]["Case"], rows[0]["Verdict"]) == ("overall", name)
    assert [r["Case"] for r in rows[1:]] == [case for case, *_ in CASES]
    (short,) = cells(found["mechanisms"])
    assert short["Yes-no questions"] == name
    times = Counter(r["Verdict"] for r in rows[1:])
    columns = {n: n.capitalize() for n in NAMES}
    assert {n: short[column] for n, column in columns.items() if column in short} == times
    assert short["Cases"] == len(CASES)


def told(verdict):
    """What a row of the table of verdicts says, from the verdict itself."""
    return {
        "Case": verdict.where.get("case", "overall"),
        "Verdict": verdict.name,
        "In the paper's terms": verdict.in_the_paper or None,
        "Evidence": "; ".join(verdict.evidence) or None,
        "Parameters": "; ".join(f"{name} {value}" for name, value in verdict.parameters.items()) or None,
        "If missing at random": verdict.at_random,
        "What would decide it": "; ".join(verdict.needs) or None,
    }


def test_a_row_of_the_table_is_all_that_a_verdict_says():
    run = three()[2]
    for questions, found in (("yes-no questions", verdicts), ("comparisons", comparison_verdicts)):
        rows = cells(tables(run)["mechanism"], Questions=questions)
        said = sorted([told(each) for each in found(run.outcomes)], key=canonical)
        assert len(said) == (1 + len(CASES) if questions == "yes-no questions" else len(rows))
        assert sorted([{name: r[name] for name in said[0]} for r in rows], key=canonical) == said


of_one_case = partial(planned, 20, cases=CASES[:1], alphas=(-1.0, -0.4, -0.1, 0.1, 0.4, 1.0))


def test_who_sees_in_one_kind_of_question_and_recalls_in_the_other_has_that_as_the_headline():
    plan = of_one_case()
    chosen = polarity(plan, "comparison")
    rng = np.random.default_rng(2)
    recalls, sees = MECHANISMS["memory_override"], MECHANISMS["veridical"]
    said = [simulate(plan.join(chosen, on="trial", how="anti"), sees, rng), simulate(chosen, recalls, rng)]
    outcomes = pl.concat(said)
    run = Result("both", outcomes, estimates_of(outcomes))
    first = cells(tables(run)["mechanism"])[0]
    assert (first["Questions"], first["Verdict"]) == ("both", "differs by kind of question")
    (short,) = cells(tables(run)["mechanisms"])
    assert (short["Yes-no questions"], short["Comparisons"]) == ("veridical", "loss on figures")
    opening = SUITE.presentation.opening([run, three()[1]])
    assert [finding.verdict == "differs by kind of question" for finding in opening.findings] == [True, False]
    assert opening.findings[0].sentence == "Veridical on yes-no questions, loss on figures on comparisons."


def perceiver(lost):
    """The run of a perfect perceiver of one case, truncated in the yes-no trials for which that holds."""
    plan = of_one_case()
    said = simulate(
        plan.filter(~pl.col("settings").str.contains("comparison")), MECHANISMS["veridical"], np.random.default_rng(2)
    )
    outcomes = marked(
        said.with_columns(
            status=pl.when(lost).then(pl.lit("truncated")).otherwise("status"),
            answer=pl.when(lost).then(None).otherwise("answer"),
        )
    )
    return Result("perceiver", outcomes, estimates_of(outcomes))


def test_a_perfect_perceiver_whose_replies_to_changed_figures_are_missing_is_not_accused():
    run = perceiver((pl.col("variant") == "P") & (pl.col("unit").str.slice(-1) != "0"))
    rows = cells(tables(run)["mechanism"])
    assert {r["Verdict"] for r in rows} == {"undetermined: answers missing"}
    assert all("truncated" in r["Evidence"] and r["If missing at random"] is None for r in rows)
    (short,) = cells(tables(run)["mechanisms"])
    assert short["Undetermined: answers missing"] == short["Cases"] == 1


def test_what_is_missing_evenly_stands_beside_what_was_answered():
    overall = cells(tables(perceiver(pl.col("unit").str.slice(-1) == "0"))["mechanism"])[0]
    assert (overall["Verdict"], overall["If missing at random"]) == ("undetermined: answers missing", "veridical")


def test_verdicts_are_found_once_for_the_same_outcomes():
    run = three()[0]
    again = run.outcomes.with_columns(latency=pl.lit(1.0), model=pl.lit("another"))
    assert conclusions_of(again) is conclusions_of(run.outcomes)
    assert conclusions_of(three()[1].outcomes) is not conclusions_of(run.outcomes)


def test_gaps_come_with_their_corrected_p_and_say_over_how_many():
    run = three()[1]
    rows = cells(tables(run)["gaps"])
    assert [(r["Slice"], r["Correction"]) for r in rows].count(("case", f"Holm over {len(CASES)}")) == len(CASES)
    for r in rows:
        where = {} if r["Slice"] == "all" else {r["Slice"]: r["Name"]}
        assert r["p"] == find(run.estimates, "gap", where).p


def test_what_a_fit_leaves_open_is_named_and_has_its_reason():
    table = tables(result("blind", "blind"), three()[2])["psychometric"]
    view = table_view(table)
    open_, fitted = cells(table, Model="blind"), cells(table, Model="competition", Case="all", Pictures="figures")
    assert all("PSE" in r["Not identified"] for r in open_)
    assert all(r["PSE"].value is None and r["PSE"].reason.startswith("not identified") for r in open_)
    assert [r["Not identified"] for r in fitted] == [None]
    assert abs(fitted[0]["PSE"].value) < 0.1
    assert set(view.notes.values()) == {
        cell.reason for cell in itertools.chain(*table.rows) if isinstance(cell, Estimate) and cell.reason
    }


of_two_cases = partial(planned, cases=CASES[:2])


@pytest.mark.usefixtures("unjudged")
def test_the_size_of_an_illusion_stands_in_alpha_and_in_the_unit_of_its_factor():
    rows = cells(tables(result("m", noisy(illusion=0.4), of_two_cases))["illusion_sizes"])
    assert [(r["Case"], r["Unit"]) for r in rows] == [(case, unit) for case, _, unit in CASES[:2]]
    for r in rows:
        assert r["Illusion size, α"].low < 0.4 < r["Illusion size, α"].high
        assert r["Illusion size"].value == pytest.approx(SCALE * r["Illusion size, α"].value)
        assert str(r["Illusion size"].unit) == r["Unit"]


@pytest.mark.usefixtures("unjudged")
def test_the_size_of_an_illusion_stands_beside_that_of_people_where_people_were_asked():
    people = result("people/lab (9 people, 40 pictures)", noisy(illusion=0.3), of_two_cases, seed=1)
    alone = result("m", noisy(), of_two_cases)
    rows = cells(tables(alone, people)["illusion_sizes"])
    assert len(rows) == 4
    for r in rows:
        assert r["Of people, α"] == find(people.estimates, "illusion_size", {"case": r["Case"]})
    assert "Of people, α" not in tables(alone)["illusion_sizes"].columns


def test_sensitivity_rises_with_the_strength_of_the_change():
    rows = cells(tables(three()[2])["sensitivity"], Pictures="figures")
    by_strength = [r["d'"].value for r in rows if r["|α|"] != "all"]
    assert [r["|α|"] for r in rows] == ["all", "0.2", "0.6", "1"]
    assert by_strength == sorted(by_strength)
    assert by_strength[0] < by_strength[-1]


def test_a_hint_that_helps_reads_as_sensitivity_and_an_instruction_that_leans_as_bias():
    table = tables(helped())["interventions"]
    (hint,) = cells(table, With="hint", Category="all")
    assert "sensitivity" in hint["Reading"]
    assert hint["Perturbed"].low > 0
    assert hint["d' change"] == find(helped().estimates, "d_prime_change", {"context": "hint"})
    (told,) = cells(table, With="weigh", Pictures="controls", Category="all")
    assert told["Criterion change"].low > 0
    assert told["p, criterion"] == told["Criterion change"].p
    assert {r["Category"] for r in cells(table, With="hint")} == {"all", *(category for _, category, _ in CASES)}
    assert all(r["Reading"] is None for r in cells(table) if r["Category"] != "all")


bounds = st.none() | st.floats(-3, 3)


@given(*[st.tuples(bounds, bounds) for _ in range(2)])
def test_a_reading_names_just_what_leaves_out_zero(d_prime, criterion):
    counts = Counts(planned=0, asked=0, answered=0, unparsed=0, refused=0, truncated=0, error=0)
    plain = Estimate(
        suite="s", metric="m", slice={}, value=0.0, low=0, high=0, unit=Z, n_units=1, counts=counts, method=""
    )
    ends = [sorted(e) if None not in e else e for e in (d_prime, criterion)]
    moved = [(low or -9) > 0 or (high or 9) < 0 for low, high in ends]
    said = reading(*(replace(plain, low=low, high=high) for low, high in ends))
    assert ("sensitivity" in said, "bias" in said) == tuple(moved)
    assert (said == "bias shift") == (moved == [False, True])
    assert reading(replace(plain, value=None), plain) == reading(plain, None) == "not estimated"


@pytest.mark.usefixtures("unjudged")
def test_ranks_and_their_tau_are_those_of_plain_counts():
    runs = [*three(), result("weak", "visual_limit")]
    rows = cells(tables(*runs)["ranks"])
    assert sorted({r["|α|"] for r in rows}) == [0.2, 0.6, 1.0]
    for magnitude in (0.2, 0.6, 1.0):
        here = {r["Model"]: r for r in rows if r["|α|"] == magnitude}
        rates = {
            kind: [share([f for f in counted(run) if f[0] == kind and abs(f[2]) == magnitude], "PFA") for run in runs]
            for kind in ("P", "PC")
        }
        shown = [here[run.model] for run in runs]
        assert [r["PFA, figures"].value for r in shown] == pytest.approx(rates["P"])
        assert [r["Rank, figures"] for r in shown] == list(stats.rankdata([-x for x in rates["P"]]))
        assert [r["Rank, controls"] for r in shown] == list(stats.rankdata([-x for x in rates["PC"]]))
        expected = stats.kendalltau(rates["P"], rates["PC"]).statistic
        tau = shown[0]["Kendall's τ"]
        assert (np.nan if tau.value is None else tau.value) == pytest.approx(expected, nan_ok=True)
        assert (tau.low is None and bool(tau.reason)) or tau.low <= tau.value <= tau.high


@pytest.mark.usefixtures("unjudged")
def test_models_on_different_pictures_get_no_rank_and_the_reason():
    rows = cells(tables(*three()[:2], result("other", "competition", partial(planned, 4)))["ranks"])
    assert {(r["Rank, figures"], r["Kendall's τ"].value) for r in rows} == {(None, None)}
    assert {r["Kendall's τ"].reason for r in rows} == {"the runs are not on the same pictures"}


def test_what_no_run_has_is_left_out():
    plain = planned(alphas=(-1.0, 1.0)).filter(~pl.col("settings").str.contains("comparison"))
    names = tables(result("m", "veridical", lambda: plain)).keys()
    assert not {"ranks", "interventions", "illusion_sizes", "instructions", "choices"} & names
    assert {"mechanism", "sensitivity", "gaps", "dose"} <= names
    forward = result("a", "veridical", lambda: polarity(plain, "forward"))
    assert "ranks" not in tables(*[replace(forward, model=name) for name in "abc"])
    compared = result("m", "veridical", lambda: polarity(planned(), "comparison"))
    assert tables(compared).keys() == {"illusion_sizes", "choices"}


def test_every_table_of_every_kind_of_run_can_be_shown():
    for table in SUITE.presentation.tables([*three(), helped(), result("blind", "blind")]):
        assert all(len(r) == len(table.columns) for r in table.rows)
        assert len(table_view(table).rows) == len(table.rows) > 0


UNITS = {FACTOR_UNITS[case.factor.unit] for case in ILLUSIONS.values()} | {ALPHA, Z, SHARE}


@pytest.mark.parametrize("unit", sorted(UNITS, key=str), ids=str)
def test_a_value_in_any_unit_of_an_estimate_is_shown_with_its_bounds(unit):
    plain = find(three()[0].estimates, "PSE", {"context": "figure"})
    changed = replace(plain, value=-1.25, low=-2.0, high=None, unit=unit)
    shown = f"{format_value(-1.25, unit)} {format_interval(changed)}"
    assert float(re.match("−([0-9.]+)", shown)[1]) == pytest.approx(1.25, abs=0.051)
    assert "[≥ −2.0" in shown
    assert format_interval(replace(plain, value=None, low=None, high=0.5, unit=unit)).startswith("[≤ 0.5")
