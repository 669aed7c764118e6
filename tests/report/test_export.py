"""Figures of several runs and suites leave in every form at once."""

import re
from dataclasses import replace

import pytest

from tests.report import toy
from tests.report.pages import TRIALS
from veridical.report.export import FORMS, export_text


def runs_of(*models):
    return [(run.suite, run.result) for run in (toy.run(model, TRIALS) for model in models)]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_takes_runs_of_several_suites_at_once(form):
    (first, result), (_, second), (_, third) = runs_of("model-a", "model-b", "model-c")
    text = export_text([(first, result), (replace(first, name="another"), second), (first, third)], form)
    for name in ("model-a", "model-b", "model-c"):
        assert name in text
    if form == "latex":
        assert re.findall(r"begin{tabular}{(l\w+)}", text) == ["lrr", "lr"]


GAP, PFA = toy.ESTIMATES[2], toy.ESTIMATES[0]
"""A figure of which less is better, and one that says nothing of it."""


@pytest.mark.parametrize(
    ("figure", "values", "bold"),
    [
        (GAP, (4.0, 6.0), [0]),
        (GAP, (6.0, -4.0), [1]),
        (GAP, (6.01, 6.04), [0, 1]),
        (GAP, (6.0, None), []),
        (PFA, (0.4, 0.6), []),
    ],
)
def test_bold_is_the_best_of_the_values_as_they_are_shown(figure, values, bold):
    runs = [
        (suite, replace(result, estimates=[replace(figure, value=value)]))
        for value, (suite, result) in zip(values, runs_of("a", "b"), strict=True)
    ]
    row = next(line for line in export_text(runs, "latex").splitlines() if line.startswith(("gap", "PFA")))
    assert [place for place, cell in enumerate(row.split(" & ")[1:]) if "textbf" in cell] == bold
    assert ("--" in row) == (None in values)
