"""VI-Probe's figures: what is drawn of each run, and that nothing of it is cut off."""

import re
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import polars as pl
import pytest

from tests.suites.viprobe.test_tables import ALPHAS, CASES, THREE, polarity, result, three
from tests.suites.viprobe.test_viprobe import SUITE, find, marked
from veridical.records import canonical
from veridical.report.svg import inline_svg
from veridical.suite.results import Result
from veridical.suites.viprobe.analysis.estimates import estimates as estimates_of
from veridical.suites.viprobe.presentation.conclusions import conclusions_of
from veridical.suites.viprobe.presentation.dose_figures import dose_response
from veridical.suites.viprobe.presentation.figures import psychometric, same_rates
from veridical.suites.viprobe.presentation.terms import CASE_TITLES
from veridical.suites.viprobe.presentation.verdict_exhibits import parameters

NAME = "a model's name of more than forty letters $\\frac{1}{2}$ <b>&"


def figures(results):
    return {figure.name: figure for figure in SUITE.presentation.figures(results)}


def ids(figure):
    return {element.get("id") for element in ET.fromstring(figure.svg).iter() if element.get("id")}


def marks(figure, name):
    """The places of the markers of one drawn line, (n, 2)."""
    root = ET.fromstring(figure.svg)
    group = next(element for element in root.iter() if element.get("id") == name)
    return np.array([(float(e.get("x")), float(e.get("y"))) for e in group.iter() if e.tag.endswith("use")])


@pytest.fixture(scope="module")
def runs():
    """Four observers on the same plan, one of them with a long name."""
    return [replace(three()[0], model=NAME), *three()[1:], result("blind", "blind")]


@pytest.fixture(scope="module")
def ordered(runs):
    """The runs in the order in which they are drawn."""
    return sorted(runs, key=lambda run: -find(run.estimates, "PFC").value)


@pytest.fixture(scope="module")
def drawn(runs):
    return figures(runs)


def test_every_figure_parses_fits_and_can_be_put_in_a_page(runs, drawn):
    found = drawn
    verdicts = ["verdicts", *(f"verdicts_{number}" for number in range(2, 10))]
    assert list(found) == [*verdicts, "consistency", "dose_response", "heat_map", "category_gaps", "psychometric"]
    for figure in found.values():
        root = ET.fromstring(figure.svg)
        assert float(root.get("width").removesuffix("pt")) <= 7.2 * 72
        assert inline_svg(figure.svg, "f", figure.title).startswith("<svg")
        assert figure.note
    assert {name: figure.svg for name, figure in figures(runs).items()} == {n: f.svg for n, f in found.items()}


def words(figure):
    """The texts of a figure, which draws their letters."""
    return re.findall(r"<!-- (.*?) -->", figure.svg)


def test_the_verdicts_of_all_models_stand_together_and_then_those_of_every_case(ordered, drawn):
    overall, *pages = (figure for name, figure in drawn.items() if name.startswith("verdicts"))
    told = [
        each
        for run in ordered
        for each in (conclusions_of(run.outcomes).yes_no, conclusions_of(run.outcomes).comparison)
    ]
    assert len(pages) == len(told) == 2 * len(ordered)
    for page, verdicts in zip(pages, told, strict=True):
        said = words(page)
        cases = {CASE_TITLES[each.where["case"]] for each in verdicts[1:]}
        assert {"all cases", *cases} <= set(said)
        times = Counter(each.name for each in verdicts)
        assert {name: said.count(name) for name in times} == times
        small = [parameters(each) for each in verdicts if each.parameters]
        assert set(small) <= set(said)
    assert {verdicts[0].name for verdicts in told} <= set(words(overall))
    assert len([each for each in words(overall) if each.endswith(", comparisons")]) == len(ordered)


def test_the_figure_of_one_model_is_of_its_cases_and_its_bars_are_the_weights(drawn):
    run = result("illusory_percept", "illusory_percept")
    alone = replace(run, outcomes=run.outcomes.filter(~pl.col("settings").str.contains("comparison")))
    (figure,) = [each for name, each in figures([alone]).items() if name.startswith("verdicts")]
    assert words(figure).count("illusory percept") == 1 + len(CASES)
    assert "100" in words(figure)
    assert any(each.startswith("shift 0.") for each in words(figure))


def test_the_dose_response_has_one_curve_for_each_run_and_context_at_its_estimates(ordered, drawn):
    figure = drawn["dose_response"]
    curves = {name for name in ids(figure) if name.startswith("curve-")}
    assert curves == {f"curve-{k}-{context}" for k in range(4) for context in ("figure", "control")}
    for k, run in enumerate(ordered):
        for context, variant in (("figure", "P"), ("control", "PC")):
            places = marks(figure, f"curve-{k}-{context}")
            values = [find(run.estimates, "PFA", {"variant": variant, "alpha": a}).value for a in ALPHAS]
            assert len(places) == len(ALPHAS)
            if np.ptp(values) > 0.05:
                assert np.corrcoef(places[:, 1], values)[0, 1] < -0.9999
            assert np.corrcoef(places[:, 0], ALPHAS)[0, 1] > 0.9999


def test_no_figure_has_more_than_twelve_panels():
    many = [replace(three()[0], model=f"m{k}") for k in range(13)]
    found = {figure.name: figure for figure in (*dose_response(many), *psychometric(many))}
    for name in ("dose_response", "psychometric"):
        panels = [
            len({re.sub(r"\D", "", i) for i in ids(found[n]) if i.startswith(("curve-", "points-"))})
            for n in (name, f"{name}_2")
        ]
        assert panels == [12, 1]


def test_a_map_needs_two_models_and_gaps_two_categories(drawn):
    first = CASES[0][0]
    outcomes = three()[0].outcomes.filter(pl.col("family") == first)
    alone = figures([Result("m", outcomes, estimates_of(outcomes))])
    assert "dose_response" in alone
    assert not {"heat_map", "category_gaps"} & alone.keys()
    dots = {name for name in ids(drawn["category_gaps"]) if name.startswith("gap-")}
    assert dots == {f"gap-{panel}-{model}" for panel in range(4) for model in range(4)}


def test_two_strengths_make_no_curve():
    few = three()[0].outcomes.filter(pl.col("alpha").abs().is_in([0.0, 1.0]))
    found = figures([Result("m", few, estimates_of(few))])
    assert [name for name in found if not name.startswith("verdicts")] == ["consistency", "category_gaps"]


@pytest.mark.parametrize("observer", THREE)
def test_the_share_of_same_is_a_plain_count_of_answers(observer):
    run, said = result(observer, observer), {}
    for name in ("forward", "reversed"):
        for r in polarity(run.outcomes, name).iter_rows(named=True):
            context = "figure" if r["variant"] in ("O", "P") else "control"
            said.setdefault((context, r["alpha"]), []).append((r["answer"] == "1") == (name == "forward"))
    rates = same_rates(run.outcomes)
    found = {(context, alpha): value for context, part in rates.items() for alpha, value, *_ in part}
    assert found == pytest.approx({key: np.mean(same) for key, same in said.items()})
    assert all(low <= value <= high for part in rates.values() for _, value, low, high in part)


def test_a_function_is_drawn_where_every_parameter_is_identified(ordered, drawn):
    figure = drawn["psychometric"]
    wanted = {
        f"fit-{k}-{context}"
        for k, run in enumerate(ordered)
        for context in ("figure", "control")
        if all(
            find(run.estimates, metric, {"context": context}).value is not None
            for metric in ("PSE", "JND", "same_criterion", "lapse")
        )
    }
    assert {name for name in ids(figure) if name.startswith("fit-")} == wanted
    assert {name for name in ids(figure) if name.startswith("points-")} == {
        f"points-{k}-{context}" for k in range(4) for context in ("figure", "control")
    }


def test_runs_without_an_answer_have_the_figures_that_can_be_drawn():
    silent = marked(three()[0].outcomes.with_columns(status=pl.lit("refused"), answer=pl.lit(None, pl.String)))
    found = figures([Result("silent", silent, estimates_of(silent))])
    assert "consistency" in found
    assert "psychometric" not in found
    asked = canonical({"polarity": "forward"})
    assert figures([Result("none", silent.filter(pl.col("settings") == asked), [])]) == {}
