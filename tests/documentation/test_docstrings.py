"""Docstrings reach autodoc as they are meant: code as code, and no character by accident as markup."""

import inspect

import pytest

from docs.pages.docstrings import as_restructured_text
from veridical.base import run_options
from veridical.stats import rates

EXAMPLE = [">>> a * b, `c`", "|d|"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("|O − P| of `Unit`", r"\|O − P\| of ``Unit``"),
        ("*args and snake_case, the_end_", r"\*args and snake_case, the_end\_"),
        ("`-S NAME=LEVEL,…` is given", "``-S NAME=LEVEL,…`` is given"),
        ("a `|` in code", "a ``|`` in code"),
    ],
)
def test_code_becomes_literal_and_signs_stay_signs(line, told):
    assert as_restructured_text([line]) == [told]


def test_code_may_go_over_the_end_of_a_line():
    assert as_restructured_text(["see `one", "two` here"]) == ["see ``one", "two`` here"]


def test_examples_stay_as_they_are():
    assert as_restructured_text(["text `x`", "", *EXAMPLE, "", "more `y`"]) == [
        "text ``x``",
        "",
        *EXAMPLE,
        "",
        "more ``y``",
    ]


@pytest.mark.parametrize("subject", [rates.Rates, run_options.RunOptions], ids=lambda each: each.__name__)
def test_no_line_is_lost(subject):
    lines = inspect.cleandoc(subject.__doc__).splitlines()
    assert len(as_restructured_text(lines)) == len(lines)
