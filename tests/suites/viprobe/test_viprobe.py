"""VI-Probe's figures against a plain count, the paper's own rows, and observers whose mechanism is known."""

import json
from collections import defaultdict

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import InputError
from veridical.records import OUTCOMES, PROPORTION, STATUSES, canonical
from veridical.suite.contrasts import pair
from veridical.suite.registry import get, names
from veridical.suite.results import Result
from veridical.suites.viprobe.analysis.differences import differences
from veridical.suites.viprobe.analysis.estimates import estimates as estimates_of

SUITE = get("viprobe")
SCHEMA = {**OUTCOMES, "alpha": pl.Float64(), "congruent": pl.Boolean(), "side": pl.String()}
PARTS = ("PFA", "CbW", "TFI", "no_pair")
OPPOSITE = {"0": "1", "1": "0"}


def row(unit, variant, alpha, polarity, status, answer, *, family="muller_lyer", category="size"):
    label = "0" if alpha else "1"
    stimulus = f"{family}/{unit}/{variant}{alpha:+.2f}"
    return {
        **dict.fromkeys(SCHEMA),
        "model": "m",
        "trial": f"{stimulus}?{polarity}",
        "repeat": 1,
        "suite": "viprobe",
        "stage": "ask",
        "stimulus": stimulus,
        "unit": f"{family}/{unit}",
        "family": family,
        "category": category,
        "variant": variant,
        "alpha": alpha,
        "settings": canonical({"polarity": polarity}),
        "factors": "{}",
        "expects": "{}",
        "gold": label if polarity == "forward" else OPPOSITE[label],
        "status": status,
        "answer": answer if status == "answered" else None,
        "attempt": None if status is None else 1,
    }


def frame(rows):
    return marked(pl.DataFrame(rows, schema=SCHEMA, orient="row"))


def marked(outcomes):
    """The rows with what is correct: of those asked, and where there is a gold answer, that which is answered by it."""
    right = (pl.col("status") == "answered") & pl.col("answer").eq_missing(pl.col("gold"))
    marks = pl.when(pl.col("gold").is_not_null() & pl.col("status").is_not_null()).then(right)
    return outcomes.with_columns(marks.alias("correct"))


def pictures(units, alphas=(-1.0, 1.0), **options):
    for unit in range(units):
        for variant, strengths in (("O", (0.0,)), ("P", alphas), ("OC", (0.0,)), ("PC", alphas)):
            for alpha in strengths:
                yield {"unit": unit, "variant": variant, "alpha": alpha, **options}


def answered(picture, forward, backward):
    return [
        row(**picture, polarity=polarity, status="answered", answer=answer)
        for polarity, answer in (("forward", forward), ("reversed", backward))
    ]


def by_observer(answer, units=6, **options):
    """Outcomes of an observer that says `answer(picture)` to "same?" and its opposite to "different?"."""
    rows = [r for p in pictures(units, **options) for r in answered(p, answer(p), OPPOSITE[answer(p)])]
    return frame(rows)


def find(estimates, metric, where=None):
    (found,) = [e for e in estimates if e.metric == metric and dict(e.slice) == (where or {})]
    return found


halves = st.tuples(st.sampled_from([None, *STATUSES]), st.sampled_from(["0", "1"]))


@st.composite
def runs(draw):
    rows = []
    for family, category in (("muller_lyer", "size"), ("zollner", "orientation")):
        for picture in pictures(draw(st.integers(1, 3)), family=family, category=category):
            for polarity in ("forward", "reversed"):
                status, answer = draw(halves)
                rows.append(row(**picture, polarity=polarity, status=status, answer=answer))
    return frame(rows)


def plain_count(outcomes):
    """The parts of each picture, counted without any of the library's code."""
    pictures = defaultdict(dict)
    for r in outcomes.iter_rows(named=True):
        pictures[r["stimulus"]][json.loads(r["settings"])["polarity"]] = r
    found = {}
    for stimulus, halves in pictures.items():
        f, b = halves["forward"], halves["reversed"]
        if f["status"] is None and b["status"] is None:
            continue
        if f["status"] != "answered" or b["status"] != "answered":
            part = "no_pair"
        elif f["answer"] == b["answer"]:
            part = "TFI"
        else:
            part = "PFA" if f["answer"] == f["gold"] and b["answer"] == b["gold"] else "CbW"
        found[stimulus] = (f["variant"], f["family"], f["alpha"], part)
    return found


@given(runs())
def test_every_rate_equals_a_plain_count_and_the_parts_add_up_to_one_in_every_slice(outcomes):
    estimates = estimates_of(outcomes)
    every_rate_equals_a_plain_count(outcomes, estimates)
    the_parts_add_up_to_one_and_lie_in_their_intervals(estimates)
    rates = [e for e in estimates if e.metric in PARTS and not e.slice and e.value is not None]
    assert sum(e.value for e in rates) == pytest.approx(1 if rates else 0)


def every_rate_equals_a_plain_count(outcomes, estimates):
    counted = list(plain_count(outcomes).values())
    for variant in ("O", "P", "OC", "PC"):
        parts = [part for v, _, _, part in counted if v == variant]
        for name in PARTS:
            found = find(estimates, name, {"variant": variant})
            if parts:
                assert found.value == pytest.approx(parts.count(name) / len(parts))
            else:
                assert found.value is None
                assert found.reason
    types = [[part for v, _, _, part in counted if v == variant] for variant in ("O", "P", "OC", "PC")]
    if all(types):
        for name in PARTS:
            mean = np.mean([parts.count(name) / len(parts) for parts in types])
            assert find(estimates, name).value == pytest.approx(mean)
        o, p, oc, pc = (100 * parts.count("PFA") / len(parts) for parts in types)
        assert find(estimates, "I").value == pytest.approx((o - p) - (oc - pc))
        multiplier = find(estimates, "R")
        if abs(oc - pc) > 1e-9:
            assert multiplier.value == pytest.approx(abs(o - p) / (abs(oc - pc) + 0.001))
        else:
            assert multiplier.value is None
            assert "controls do not move" in multiplier.reason


def the_parts_add_up_to_one_and_lie_in_their_intervals(estimates):
    slices = defaultdict(dict)
    for e in estimates:
        slices[canonical(dict(e.slice))][e.metric] = e
        assert (e.value is None) <= (e.reason is not None)
        if e.value is not None and e.low is not None:
            assert e.low <= e.value + 1e-9
        if e.value is not None and e.high is not None:
            assert e.value <= e.high + 1e-9
        if e.value is not None and e.unit == PROPORTION:
            assert 0 <= e.low < e.high <= 1
        c = e.counts
        assert c.asked == c.answered + c.unparsed + c.refused + c.truncated + c.error <= c.planned
    for found in slices.values():
        values = [found[name].value for name in PARTS if name in found]
        if not values:
            continue
        if None not in values:
            assert sum(values) == pytest.approx(1)
            assert found["PFC"].value == pytest.approx(found["PFA"].value + found["CbW"].value)


def test_the_slices_that_are_always_there():
    outcomes = pl.concat(
        [by_observer(lambda _: "1"), by_observer(lambda _: "1", family="zollner", category="orientation")]
    )
    slices = {canonical(dict(e.slice)) for e in estimates_of(outcomes) if e.metric == "PFA"}
    wanted = [
        {},
        {"variant": "PC"},
        {"category": "size"},
        {"case": "zollner"},
        {"case": "zollner", "variant": "P", "alpha": -1.0},
        {"case": "muller_lyer", "variant": "O", "alpha": 0.0},
    ]
    assert {canonical(where) for where in wanted} <= slices


PAPER = {
    "GPT-5": ((266, 129, 280, 1515), (-4.83, -47.79, 26.31, 1.97)),
    "Qwen3-VL-8B": ((184, 949, 272, 835), (-30.34, 3.93, 13.21, 0.47)),
    "Qwen2.5-VL-3B": ((65, 408, 216, 311), (-52.07, 3.34, 24.36, 0.13)),
}


@pytest.mark.parametrize("model", PAPER)
def test_counts_behind_rows_of_the_papers_table_2_give_its_effects_and_multipliers(model):
    """290 base items with ten strengths each; so many right pairs of O, P, OC, PC as the printed percentages mean."""
    alphas = tuple(a / 10 for a in (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5))
    right = dict(zip(("O", "P", "OC", "PC"), PAPER[model][0], strict=True))
    rows = []
    for picture in pictures(290, alphas):
        label = "0" if picture["alpha"] else "1"
        right[picture["variant"]] -= 1
        said = label if right[picture["variant"]] >= 0 else OPPOSITE[label]
        rows += answered(picture, said, OPPOSITE[said])
    estimates = estimates_of(frame(rows))
    printed = PAPER[model][1]
    effects = ("delta_original", "delta_perturbed", "delta_average")
    for metric, value in zip(effects, printed[:3], strict=True):
        assert find(estimates, metric).value == pytest.approx(value, abs=0.011)
    assert round(find(estimates, "R").value, 2) == printed[3]


def test_an_observer_that_recalls_has_r_near_one_and_no_interaction():
    estimates = estimates_of(by_observer(lambda _: "1", units=20))
    assert find(estimates, "R").value == pytest.approx(1, abs=1e-4)
    assert find(estimates, "I").value == 0
    assert find(estimates, "I").low < 0 < find(estimates, "I").high
    assert find(estimates, "PFA", {"variant": "P"}).value == 0


def test_an_observer_that_only_the_inducers_make_recall_shows_the_interaction():
    def said(picture):
        return "1" if not picture["alpha"] or picture["variant"] == "P" else "0"

    estimates = estimates_of(by_observer(said, units=20))
    assert find(estimates, "I").value == 100
    assert find(estimates, "I").low > 50
    assert find(estimates, "R").value is None


def test_yes_to_everything_is_template_fixation():
    rows = [r for p in pictures(5) for r in answered(p, "1", "1")]
    estimates = estimates_of(frame(rows))
    assert find(estimates, "TFI").value == 1
    assert find(estimates, "PFC").value == 0


def test_no_failure_leaves_the_denominator():
    rows = by_observer(lambda p: "0" if p["alpha"] else "1", units=4).to_dicts()
    for r in rows[:8]:
        r |= {"status": "error", "answer": None}
    estimates = estimates_of(frame(rows))
    assert find(estimates, "PFA").value < 1
    assert find(estimates, "no_pair").value > 0
    assert find(estimates, "PFA_of_answered").value == 1
    assert find(estimates, "PFA").counts.error == 8


def test_an_unasked_half_of_a_pair_counts_as_no_pair_and_an_unasked_pair_as_planned_only():
    rows = by_observer(lambda p: "0" if p["alpha"] else "1", units=4).to_dicts()
    for r in rows[-3:]:
        r |= {"status": None, "answer": None}
    found = find(estimates_of(frame(rows)), "no_pair", {"variant": "PC"})
    assert found.value == pytest.approx(1 / 7)
    assert (found.counts.planned, found.counts.asked) == (16, 13)


def test_a_run_without_controls_says_what_it_lacks_and_the_rest_stands():
    outcomes = by_observer(lambda _: "1").filter(pl.col("variant").is_in(["O", "P"]))
    estimates = estimates_of(outcomes)
    assert find(estimates, "R").reason == "no pair of type OC, PC"
    assert find(estimates, "PFA", {"variant": "O"}).value == 1


def test_a_pair_that_is_there_twice_is_refused():
    outcomes = by_observer(lambda _: "1", units=1)
    with pytest.raises(ValueError, match="more than one row"):
        pair(pl.concat([outcomes, outcomes]), "polarity", ("forward", "reversed"), ["answer"])


def test_pairing_keeps_settings_apart():
    rows = by_observer(lambda _: "1", units=1).to_dicts()
    other = [{**r, "settings": canonical({**json.loads(r["settings"]), "instruction": "yes"})} for r in rows]
    paired = pair(frame(rows + other), "polarity", ("forward", "reversed"), ["answer"])
    assert len(paired) == len(rows)
    assert paired["answer_forward"].null_count() == paired["answer_reversed"].null_count() == 0


def test_two_runs_differ_by_what_their_observers_differ_by():
    blind, seeing = by_observer(lambda _: "1", units=12), by_observer(lambda p: "0" if p["alpha"] else "1", units=12)
    estimates = differences(blind, seeing)
    assert find(estimates, "PFA difference").value == 50
    found = find(estimates, "PFA difference", {"variant": "P"})
    assert (found.value, found.p) == (100, 2 / 2**12)
    assert found.low > 50
    same = find(differences(blind, blind), "PFA difference")
    assert (same.value, same.p) == (0, 1)
    assert same.low < 0 < same.high


def test_a_difference_turns_its_sign_with_the_order_of_the_runs():
    rng = np.random.default_rng(0)
    a, b = (by_observer(lambda _: str(rng.integers(2)), units=10) for _ in range(2))
    there, back = (find(differences(*order), "PFA difference") for order in ((a, b), (b, a)))
    assert there.value == pytest.approx(-back.value)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
    assert there.p == back.p


def test_runs_on_different_trials_are_not_compared():
    with pytest.raises(InputError, match=r"differ in \d+ trials, such as"):
        differences(by_observer(lambda _: "1", units=3), by_observer(lambda _: "1", units=4))


def test_tables_and_figures_order_models_by_pfc_and_hold_their_estimates():
    outcomes = {
        "steady": by_observer(lambda _: "1"),
        "fixed": frame([r for p in pictures(6) for r in answered(p, "1", "1")]),
    }
    results = [Result(name, table, estimates_of(table)) for name, table in outcomes.items()][::-1]
    tables = {table.name: table for table in SUITE.presentation.tables(results)}
    assert [row[0] for row in tables["isolation"].rows] == ["steady", "fixed"]
    assert tables["isolation"].columns[2] == "Original"
    assert [row[2].value for row in tables["isolation"].rows] == [1, 0]
    found = SUITE.presentation.figures(results)
    assert [figure.name for figure in found] == ["verdicts", "verdicts_2", "verdicts_3", "consistency"]
    assert [figure.svg for figure in found] == [figure.svg for figure in SUITE.presentation.figures(results)]
    assert all("<svg" in figure.svg for figure in found)


def test_the_registry_knows_the_suite():
    assert "viprobe" in names()
    with pytest.raises(InputError, match="did you mean 'viprobe'"):
        get("vi-probe")
