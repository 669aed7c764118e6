"""The formula of a figure, evaluated on the rates that it names, gives the figure."""

import ast
import operator
import re

import pytest

import veridical
from veridical.records import POINTS
from veridical.suites.viprobe.analysis.measures import FORMULAS, MEASURES

TYPES = ("O", "P", "OC", "PC", "OS", "PS", "OH", "PH")
OF_TYPES = {
    name: text.removesuffix(", in percent")
    for name, text in FORMULAS.items()
    if not re.sub(r"(O|P)[CSH]?\b|[\d.]+|[-−+/|() ]", "", text.removesuffix(", in percent"))
}
"""The formulas that are made of picture types, numbers and signs alone."""
SIGNS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Div: operator.truediv}


def value(node, rates):
    match node:
        case ast.Expression(body=inner):
            return value(inner, rates)
        case ast.BinOp(left=left, op=sign, right=right):
            return SIGNS[type(sign)](value(left, rates), value(right, rates))
        case ast.Call(args=[inner]):
            return abs(value(inner, rates))
        case ast.Name(id=name):
            return rates[name]
        case ast.Constant(value=number):
            return number


def evaluated(text, rates):
    python = re.sub(r"\|([^|]+)\|", r"abs(\1)", text).replace("−", "-")
    return value(ast.parse(python, mode="eval"), rates)


@pytest.fixture(scope="module")
def estimates():
    stimuli = veridical.make(
        "viprobe", cases=["muller_lyer", "zollner"], units=4, levels=4, size=128, variants=[*TYPES]
    )
    run = veridical.run(
        stimuli, "veridical/simulated", model_args={"mechanism": "competition"}, show="quiet", analyze=False
    )
    return {
        (each.metric, each.slice.get("variant")): each for each in run.estimates() if set(each.slice) <= {"variant"}
    }


def test_every_measure_has_a_formula_and_every_formula_a_measure():
    assert FORMULAS.keys() == MEASURES.keys()
    assert all(MEASURES[name].formula == text for name, text in FORMULAS.items())


@pytest.mark.parametrize("name", OF_TYPES)
def test_a_formula_of_picture_types_gives_the_figure(name, estimates):
    found = estimates[name, None]
    scale = 100 if found.unit is POINTS or name == "R" else 1
    rates = {variant: scale * estimates["PFA", variant].value for variant in TYPES}
    assert found.value == pytest.approx(evaluated(OF_TYPES[name], rates), abs=1e-9)


def test_formulas_of_picture_types_are_tested_at_all():
    assert {"I", "R", "gap", "clutter_gap", "hint_effect_original", "illusion_average", "delta_average"} <= set(
        OF_TYPES
    )


@pytest.mark.parametrize("variant", [None, *TYPES])
def test_the_parts_of_consistency_add_up_as_their_formulas_say(variant, estimates):
    share = {name: estimates[name, variant].value for name in ("PFC", "PFA", "CbW", "TFI", "no_pair")}
    assert share["PFC"] == pytest.approx(share["PFA"] + share["CbW"])
    assert share["no_pair"] == pytest.approx(1 - share["PFA"] - share["CbW"] - share["TFI"])
