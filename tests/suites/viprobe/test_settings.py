"""VI-Probe's figures where a run holds more than plain questions: instructions, comparisons, hints, inducers alone."""

import json

import polars as pl
import pytest

from tests.suites.viprobe.test_viprobe import OPPOSITE, SUITE, answered, find, frame, pictures, row
from veridical.errors import InputError
from veridical.records import canonical
from veridical.suite.results import Result
from veridical.suites.viprobe.analysis.differences import differences
from veridical.suites.viprobe.analysis.estimates import estimates as estimates_of

RECALLED, SEEN = "1", {True: "0", False: "1"}


def instructed(rows, instruction, placement="none", task="yes-no"):
    """The rows as they are where an instruction was given."""
    for r in rows:
        settings = {**json.loads(r["settings"]), "instruction": instruction, "placement": placement}
        settings["task"] = task
        yield {**r, "trial": f"{r['trial']}&{instruction}{placement}", "settings": canonical(settings)}


def said(answer, units=4, more=()):
    """The pairs of an observer that says `answer(picture)` to the forward question, and the opposite to the other."""
    found = [*pictures(units), *more]
    return [r for p in found for r in answered(p, answer(p), OPPOSITE[answer(p)])]


def looks(picture):
    return SEEN[bool(picture["alpha"])]


def recites(_):
    return RECALLED


def compared(status="answered", unit=0, variant="P", alpha=1.0, answer="top", gold="top"):
    plain = row(unit, variant, alpha, "comparison", status, answer)
    (found,) = instructed([plain], "none", task="comparison")
    return {**found, "gold": gold if alpha else None, "expects": canonical({"options": ["top", "bottom"]})}


def alone(unit, polarity, status, answer, unchanged="1"):
    r = row(unit, "I", 0.0, polarity, status, answer)
    template = unchanged if polarity == "forward" else OPPOSITE[unchanged]
    return {**r, "alpha": None, "gold": None, "factors": canonical({"answer_if_unchanged": template})}


def test_the_figures_without_a_slice_are_over_what_was_asked_without_an_instruction():
    rows = [*instructed(said(recites), "none"), *instructed(said(looks), "weigh", "system")]
    estimates = estimates_of(frame(rows))
    assert find(estimates, "PFA").value == 0.5
    assert find(estimates, "PFA").counts.planned == len(rows) / 2
    assert find(estimates, "PFA", {"instruction": "none"}).value == 0.5
    assert find(estimates, "PFA", {"instruction": "weigh"}).value == 1
    assert find(estimates, "PFA", {"instruction": "weigh"}).counts.planned == len(rows) / 2
    assert find(estimates, "PFA", {"instruction": "none", "variant": "P"}).value == 0
    assert find(estimates, "PFA", {"instruction": "weigh", "variant": "P"}).value == 1


def test_each_placement_has_its_slice_and_the_instruction_pools_them():
    rows = [
        *instructed(said(recites), "weigh", "system"),
        *instructed(said(looks), "weigh", "user"),
        *instructed(said(looks), "none"),
    ]
    estimates = estimates_of(frame(rows))
    assert find(estimates, "PFA").value == 1
    assert find(estimates, "PFA", {"instruction": "weigh"}).value == 0.75
    assert find(estimates, "PFA", {"instruction": "weigh", "placement": "system"}).value == 0.5
    assert find(estimates, "PFA", {"instruction": "weigh", "placement": "user"}).value == 1
    assert not [e for e in estimates if e.slice.get("instruction") == "none" and "placement" in e.slice]


def test_a_run_with_one_way_of_instructing_says_so_in_its_method():
    found = find(estimates_of(frame(instructed(said(looks), "measure", "user"))), "PFA")
    assert found.value == 1
    assert "instructed to measure, in the user turn" in found.method
    assert "instructed" not in find(estimates_of(frame(said(looks))), "PFA").method


def test_hints_have_their_own_slices_and_no_part_in_the_means():
    hinted = [{"unit": 0, "variant": "OH", "alpha": 0.0}, {"unit": 0, "variant": "PH", "alpha": 1.0}]
    estimates = estimates_of(frame(said(lambda p: "0" if p["variant"].endswith("H") else looks(p), more=hinted)))
    assert find(estimates, "PFA").value == 1
    assert find(estimates, "PFA").counts.planned == len(said(looks))
    assert find(estimates, "PFA", {"variant": "OH"}).value == 0
    assert find(estimates, "PFA", {"variant": "PH"}).value == 1


def test_perturbed_pictures_are_told_apart_by_the_direction_of_the_change():
    rows = [
        {**r, "congruent": r["alpha"] > 0 if r["alpha"] else None}
        for r in said(lambda p: "0" if p["alpha"] > 0 else "1")
    ]
    estimates = estimates_of(frame(rows))
    for variant in ("P", "PC"):
        assert find(estimates, "PFA", {"variant": variant, "congruent": True}).value == 1
        assert find(estimates, "PFA", {"variant": variant, "congruent": False}).value == 0
    assert not [e for e in estimates if e.slice.get("variant") == "O" and "congruent" in e.slice]


def test_choices_are_right_of_all_asked():
    rows = [
        compared(unit=0),
        compared(unit=1, answer="bottom"),
        compared(unit=2, status="unparsed"),
        compared(unit=3, status=None),
        compared(unit=4, variant="PC", alpha=-1.0, answer="bottom", gold="bottom"),
    ]
    estimates = estimates_of(frame([*said(looks), *rows]))
    found = find(estimates, "choice_accuracy", {"variant": "P"})
    assert found.value == pytest.approx(1 / 3)
    assert (found.counts.planned, found.counts.asked) == (4, 3)
    assert find(estimates, "choice_accuracy", {"case": "muller_lyer", "variant": "PC", "alpha": -1.0}).value == 1
    assert find(estimates, "PFA").value == 1
    assert find(estimates, "PFA").counts.planned == len(said(looks))


def test_where_targets_are_equal_a_choice_has_a_side_and_is_never_right_or_wrong():
    rows = [compared(unit=k, variant="O", alpha=0.0, answer="top" if k else "bottom") for k in range(4)]
    rows.append(compared(unit=4, variant="O", alpha=0.0, status="refused"))
    estimates = estimates_of(frame(rows))
    assert find(estimates, "first_choice", {"variant": "O"}).value == 0.75
    assert find(estimates, "first_choice", {"case": "muller_lyer", "variant": "O"}).value == 0.75
    right = [e for e in estimates if e.metric == "choice_accuracy"]
    assert [(e.slice, e.value, e.reason) for e in right] == [({}, None, "nothing to count")]
    assert not [e for e in estimates if e.metric == "PFA"]


def test_the_template_rate_counts_what_recites_the_figure_that_is_not_there():
    rows = [
        alone(0, "forward", "answered", "1"),
        alone(0, "reversed", "answered", "0"),
        alone(1, "forward", "answered", "0"),
        alone(1, "reversed", "refused", None),
        alone(2, "forward", "answered", "0", unchanged="0"),
    ]
    estimates = estimates_of(frame([*said(looks), *rows]))
    assert find(estimates, "template_rate").value == pytest.approx(3 / 5)
    assert find(estimates, "template_rate").counts.planned == 5
    assert find(estimates, "template_rate_of_answered", {"case": "muller_lyer"}).value == 0.75
    assert find(estimates, "PFA").value == 1
    assert not [e for e in estimates if e.slice.get("variant") == "I"]


def test_one_polarity_alone_has_accuracy_and_no_pairs():
    rows = [r for r in said(recites) if r["trial"].endswith("forward")]
    estimates = estimates_of(frame(rows))
    assert find(estimates, "PFA").value is None
    assert find(estimates, "no_pair").value is None
    assert find(estimates, "accuracy", {"variant": "O"}).value == 1
    assert find(estimates, "accuracy", {"variant": "P"}).value == 0
    assert not [e for e in estimates_of(frame(said(recites))) if e.metric == "accuracy"]


def test_two_runs_are_compared_on_what_was_asked_without_an_instruction():
    blind = frame([*instructed(said(recites), "none"), *instructed(said(looks), "weigh", "system"), compared()])
    seeing = frame([*instructed(said(looks), "none"), *instructed(said(looks), "weigh", "system"), compared()])
    assert find(differences(blind, seeing), "PFA difference").value == 50
    with pytest.raises(InputError, match="no picture was asked a yes-no question in both"):
        differences(frame([compared()]), frame([compared()]))


def test_tables_show_instructions_choices_and_directions_where_there_are_any():
    plain = [*instructed(said(looks), "none")]
    rows = [*plain, *instructed(said(recites), "weigh", "system"), compared(), alone(0, "forward", "answered", "1")]
    names = {}
    for label, outcomes in (("plain", frame(plain)), ("rich", frame(rows))):
        tables = {t.name: t for t in SUITE.presentation.tables([Result("m", outcomes, estimates_of(outcomes))])}
        names[label] = list(tables)
        assert all(len(r) == len(t.columns) for t in tables.values() for r in t.rows)
    more = {"directions", "instructions", "choices", "illusion_sizes", "interventions"}
    assert {"isolation", "consistency", "cases", "strengths"} <= set(names["plain"])
    assert set(names["rich"]) == set(names["plain"]) | more
    assert not more & set(names["plain"])
    assert [r[1] for r in tables["instructions"].rows] == ["none", "weigh"]
    assert tables["choices"].rows[0][-1].planned == 1
    assert tables["directions"].rows[0][-1].planned == 1


def test_a_run_of_comparisons_alone_has_its_tables_and_no_figure():
    outcomes = frame([compared(unit=k) for k in range(3)])
    result = Result("m", outcomes, estimates_of(outcomes))
    assert "choices" in {t.name for t in SUITE.presentation.tables([result])}
    assert SUITE.presentation.figures([result]) == []


def test_names_of_pictures_and_of_metrics_do_not_meet():
    assert SUITE.presentation.variants["I"] == "inducers alone"
    assert SUITE.analysis.measures["I"].title == "interaction I"
    assert pl.Series(list(SUITE.presentation.variants)).is_in(["O", "P", "OC", "PC", "OS", "PS", "OH", "PH", "I"]).all()
