"""Runs that hold too little: figures or reasons, no traceback, no verdict by name."""

from __future__ import annotations

import polars as pl
import pytest

from tests.suites.test_thin_runs import cut, result, shown, silent, told
from tests.suites.viabench.test_invented_minds import MISSING, OPEN

KINDS = {
    "unusual": pl.col("variant") == "unusual",
    "ordinary": pl.col("variant") == "ordinary",
    "one family": pl.col("family") == "hands",
}


@pytest.fixture(scope="module")
def seen(observed):
    return observed("simulated", mechanism="sees").evidence()


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_with_one_kind_of_item_has_figures_or_reasons_and_no_name(seen, kind):
    own = result("viabench", cut(seen, KINDS[kind]))
    told(own.estimates)
    assert {each.verdict for each in shown("viabench", own)} == {OPEN}


@pytest.mark.parametrize("kind", ["unusual", "ordinary"])
def test_a_kind_of_item_without_any_reply_names_nothing(seen, kind):
    own = result("viabench", silent(seen, KINDS[kind]))
    told(own.estimates)
    assert {each.verdict for each in shown("viabench", own)} == {MISSING}


def test_a_run_with_one_unit_has_figures_or_reasons_and_no_name(seen):
    own = result("viabench", cut(seen, pl.col("unit") == "hands/0000"))
    told(own.estimates)
    assert {each.verdict for each in shown("viabench", own)} == {OPEN}


def test_factors_that_a_release_lacks_leave_no_traceback(seen):
    none = {name: pl.lit(None, pl.String) for name in ("usual", "polarity", "capability")}
    own = result("viabench", cut(seen, pl.lit(value=True)))
    bare = own.outcomes.with_columns(**none, variant=pl.lit("unusual"), difficulty=pl.lit(None, pl.Int64))
    stages = {"ask": bare, "grade": own.evidence.outcomes("grade")}
    less = result("viabench", type(own.evidence).of(stages))
    told(less.estimates)
    assert {each.verdict for each in shown("viabench", less)} == {OPEN}
