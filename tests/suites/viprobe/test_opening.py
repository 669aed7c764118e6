"""What a report of VI-Probe says first, of observers whose mechanism is known."""

from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl
import pytest

from tests.report.test_browser import CHROMIUM, observed
from tests.suites.viprobe.test_tables import planned, result
from tests.suites.viprobe.test_unanswered import without
from tests.suites.viprobe.test_viprobe import SUITE, find
from veridical.report import ReportRun, write_report
from veridical.suite.results import PEOPLE
from veridical.suites.viprobe.presentation.conclusions import (
    UNITS_BY_CASE,
    certainty_sentence,
    conclusions_of,
)
from veridical.suites.viprobe.presentation.terms import TERMS
from veridical.suites.viprobe.verdicts import NAMES
from veridical.suites.viprobe.verdicts.names import DECIDED
from veridical.suites.viprobe.verdicts.sentences import SENTENCES, tone

OBSERVERS = ("memory_override", "veridical", "blind")


def opening(*results):
    return SUITE.presentation.opening(results)


def few(units=2):
    return result("few", "competition", partial(planned, units=units))


def test_every_verdict_has_a_sentence_and_a_meaning_in_the_glossary():
    assert set(SENTENCES) == set(NAMES)
    assert set(NAMES) <= set(TERMS)


def test_models_stand_by_their_accuracy_on_changed_figures_with_the_sentence_of_their_verdict():
    runs = {name: result(name, name) for name in OBSERVERS}
    found = opening(*runs.values())
    assert found.findings[0].model == "veridical"
    for finding in found.findings:
        outcomes = runs[finding.model].outcomes.filter(pl.col("status").is_not_null())
        verdict = conclusions_of(runs[finding.model].outcomes).yes_no[0]
        assert finding.verdict == verdict.name
        assert finding.sentence == SENTENCES[verdict.name]
        assert finding.tone == tone(verdict.name)
        assert finding.sure
        pictures, units = outcomes["stimulus"].n_unique(), outcomes["unit"].n_unique()
        assert finding.basis == f"{pictures} pictures of {units} base items in 3 cases"
        assert finding.counts.answered == outcomes["status"].eq("answered").sum()


def test_rates_stand_in_one_order_and_are_the_estimates_of_the_four_picture_types():
    run = result("memory_override", "memory_override")
    found = opening(run)
    assert list(found.rates) == ["O", "P", "OC", "PC"]
    (finding,) = found.findings
    for (estimate, size), variant in zip(finding.rates, found.rates, strict=True):
        assert estimate == find(run.estimates, "PFA", {"variant": variant})
        pictures = run.outcomes.filter(pl.col("variant") == variant)["stimulus"].n_unique()
        assert size == f"{pictures} pictures"


def test_the_chart_has_both_sides_of_zero_apart_and_people_where_they_were_asked():
    run, people = result("memory_override", "memory_override"), result("veridical", "veridical")
    alone = opening(run).findings[0].chart
    assert [curve.name for curve in alone.curves] == ["figures", "controls"]
    for curve in alone.curves:
        signs = [{np.sign(alpha) for alpha, _ in piece} for piece in curve.pieces]
        assert signs == [{-1.0}, {0.0}, {1.0}]
    beside = opening(run, replace(people, model=f"{PEOPLE}/study")).findings
    curves = {finding.model: [curve.name for curve in finding.chart.curves] for finding in beside}
    assert curves["memory_override"] == ["figures", "controls", "people, on figures"]


def test_cases_with_too_few_base_items_are_one_line_that_says_how_many_are_needed():
    (reasons, *_) = opening(few()).findings[0].reasons
    shown = {part.verdict for part in reasons.parts}
    assert "undetermined" not in shown
    (folded,) = [each for each in reasons.folded if each.verdict == "undetermined"]
    assert folded.line.endswith(f"with 2 base items: a verdict by case needs about {UNITS_BY_CASE}")
    assert len(reasons.parts) + len(folded.names) == 3
    enough = opening(result("memory_override", "memory_override")).findings[0].reasons[0]
    assert len(enough.parts) == 3
    assert not enough.folded


def test_an_open_verdict_says_what_is_likeliest_and_what_would_decide_it():
    for units, words in ((1, "cannot tell yet whether controls are seen"), (3, "a verdict needs 95 %")):
        (finding,) = opening(few(units)).findings
        assert finding.tone == "open"
        assert words in finding.sure.lower()
        assert finding.needs


def test_a_run_without_pairs_of_questions_has_no_verdict_and_says_what_to_ask():
    run = result("veridical", "veridical")
    forward = run.outcomes.filter(pl.col("settings").str.contains('"forward"'))
    (finding,) = opening(replace(run, outcomes=forward)).findings
    assert finding.verdict == "no verdict"
    assert "were not asked" in finding.sure
    assert finding.needs


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    runs = [ReportRun(SUITE, result(name, name), {}, {"model": name}) for name in OBSERVERS]
    return write_report(runs, tmp_path_factory.mktemp("page") / "report.html", stimuli={}, media={}, items=1)


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH")
def test_no_column_is_cut_at_1300_pixels(page, tmp_path):
    shown = observed(
        page,
        tmp_path / "profile",
        """
        for (const node of document.querySelectorAll("details")) node.open = true;
        const name = (node) => node.getAttribute("aria-labelledby") ?? node.getAttribute("aria-label");
        const cut = (node) => [name(node), node.scrollWidth - node.clientWidth];
        return [innerWidth, ...[...document.querySelectorAll(".scroll")].map(cut)];
        """,
        "--window-size=1300,900",
    )
    width, *tables = shown
    assert width == 1300
    assert len(tables) > 5
    assert [each for each in tables if each[1] > 0] == []


def test_a_verdict_that_stands_whatever_the_missing_answers_were_says_so():
    outcomes = result("memory_override", "memory_override").outcomes
    changed = [place for place, variant in enumerate(outcomes["variant"]) if variant == "P"]
    verdict = conclusions_of(without(outcomes, changed[::15])).yes_no[0]
    assert verdict.name in DECIDED
    assert certainty_sentence(verdict).endswith("; the same whatever the missing answers were.")
    assert "missing answers" not in certainty_sentence(conclusions_of(outcomes).yes_no[0])
