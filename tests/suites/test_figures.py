"""VI-Probe's figures: what is drawn of each run, and that nothing of it is cut off."""

import re
from xml.etree import ElementTree as ET

import numpy as np
import polars as pl
import pytest

from tests.suites.test_tables import ALPHAS, CASES, THREE, polarity, result, three
from tests.suites.test_viprobe import SUITE, find
from veridical.records import canonical
from veridical.report.svg import inline_svg
from veridical.suites import Result
from veridical.suites.viprobe.psychometric_figures import same_rates

NAME = "a model's name of more than forty letters $\\frac{1}{2}$ <b>&"


def figures(results):
    return {figure.name: figure for figure in SUITE.figures(results)}


def ids(figure):
    return {element.get("id") for element in ET.fromstring(figure.svg).iter() if element.get("id")}


def marks(figure, name):
    """The places of the markers of one drawn line, (n, 2)."""
    root = ET.fromstring(figure.svg)
    group = next(element for element in root.iter() if element.get("id") == name)
    return np.array([(float(e.get("x")), float(e.get("y"))) for e in group.iter() if e.tag.endswith("use")])


def test_every_figure_parses_fits_and_can_be_put_in_a_page():
    runs = [Result(NAME, three()[0].outcomes, three()[0].estimates), *three()[1:]]
    found = figures(runs)
    assert list(found) == ["consistency", "dose_response", "heat_map", "category_gaps", "psychometric"]
    for figure in found.values():
        root = ET.fromstring(figure.svg)
        assert float(root.get("width").removesuffix("pt")) <= 7.2 * 72
        assert inline_svg(figure.svg, "f", figure.title).startswith("<svg")
        assert figure.note
    assert {name: figure.svg for name, figure in figures(runs).items()} == {n: f.svg for n, f in found.items()}


def test_the_dose_response_has_one_curve_for_each_run_and_context_at_its_estimates():
    figure = figures(three())["dose_response"]
    curves = {name for name in ids(figure) if name.startswith("curve-")}
    assert curves == {f"curve-{k}-{context}" for k in range(3) for context in ("figure", "control")}
    order = sorted(three(), key=lambda run: -find(run.estimates, "PFC").value)
    for k, run in enumerate(order):
        for context, variant in (("figure", "P"), ("control", "PC")):
            drawn = marks(figure, f"curve-{k}-{context}")
            values = [find(run.estimates, "PFA", {"variant": variant, "alpha": a}).value for a in ALPHAS]
            assert len(drawn) == len(ALPHAS)
            if np.ptp(values) > 0.05:
                assert np.corrcoef(drawn[:, 1], values)[0, 1] < -0.9999
            assert np.corrcoef(drawn[:, 0], ALPHAS)[0, 1] > 0.9999


def test_no_figure_has_more_than_twelve_panels():
    one = three()[0]
    found = figures([Result(f"m{k}", one.outcomes, one.estimates) for k in range(13)])
    for name in ("dose_response", "psychometric"):
        panels = [
            len({re.sub(r"\D", "", i) for i in ids(found[n]) if i.startswith(("curve-", "points-"))})
            for n in (name, f"{name}_2")
        ]
        assert panels == [12, 1]


def test_a_map_needs_two_models_and_gaps_two_categories():
    assert "heat_map" not in figures(three()[:1])
    first = CASES[0][0]
    outcomes = three()[0].outcomes.filter(pl.col("family") == first)
    assert "category_gaps" not in figures([Result("m", outcomes, SUITE.estimates(outcomes))])
    dots = {name for name in ids(figures(three())["category_gaps"]) if name.startswith("gap-")}
    assert dots == {f"gap-{panel}-{model}" for panel in range(4) for model in range(3)}


def test_two_strengths_make_no_curve():
    few = three()[0].outcomes.filter(pl.col("alpha").abs().is_in([0.0, 1.0]))
    assert list(figures([Result("m", few, SUITE.estimates(few))])) == ["consistency", "category_gaps"]


@pytest.mark.parametrize("model", THREE)
def test_the_share_of_same_is_a_plain_count_of_answers(model):
    run, said = three()[THREE.index(model)], {}
    for name in ("forward", "reversed"):
        for r in polarity(run.outcomes, name).iter_rows(named=True):
            context = "figure" if r["variant"] in ("O", "P") else "control"
            said.setdefault((context, r["alpha"]), []).append((r["answer"] == "1") == (name == "forward"))
    rates = same_rates(run.outcomes)
    found = {(context, alpha): value for context, part in rates.items() for alpha, value, *_ in part}
    assert found == pytest.approx({key: np.mean(same) for key, same in said.items()})
    assert all(low <= value <= high for part in rates.values() for _, value, low, high in part)


def test_a_function_is_drawn_where_every_parameter_is_identified():
    runs = [*three(), result("blind", "blind")]
    figure = figures(runs)["psychometric"]
    order = sorted(runs, key=lambda run: -find(run.estimates, "PFC").value)
    wanted = {
        f"fit-{k}-{context}"
        for k, run in enumerate(order)
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
    silent = three()[0].outcomes.with_columns(status=pl.lit("refused"), answer=pl.lit(None, pl.String))
    found = figures([Result("silent", silent, SUITE.estimates(silent))])
    assert "consistency" in found
    assert "psychometric" not in found
    asked = canonical({"polarity": "forward"})
    assert figures([Result("none", silent.filter(pl.col("settings") == asked), [])]) == {}
