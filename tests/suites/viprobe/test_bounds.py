"""What missing answers could have made of a figure: bounds from every way to fill them in, and how they read."""

from functools import cache
from itertools import product

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.suites.viprobe.test_unanswered import without
from tests.suites.viprobe.test_viprobe import OPPOSITE, frame, marked, row
from veridical.base.format import format_interval
from veridical.cli.terminal import _cell
from veridical.records import canonical
from veridical.report.view import Table, table_view
from veridical.suites.viprobe.analysis.differences import differences
from veridical.suites.viprobe.analysis.estimates import estimates
from veridical.suites.viprobe.analysis.missing_answers import PAIRED, withhold
from veridical.suites.viprobe.analysis.pairs import pooled_estimates
from veridical.verbs.results.conditions import Condition, failures

KINDS = [
    ("O", 0.0),
    ("OC", 0.0),
    ("OH", 0.0),
    *((kind, a) for kind in ("P", "PC", "PS", "PH") for a in (-1, -0.5, 0.5, 1)),
]
CLOSER = 1e-9
OF_OTHERS = ("hint_effect_original", "delta_original", "instruction_effect")
"""Figures that P and PC without an instruction have no part in."""


def planned(units=4, cases=("muller_lyer", "zollner"), instructions=("none", "weigh")):
    """Every picture type, two cases, with and without an instruction; each reply by a rule that looks like a die."""
    rows = []
    for family, unit, (variant, alpha), instruction in product(cases, range(units), KINDS, instructions):
        for polarity in ("forward", "reversed"):
            picture = {"unit": unit, "variant": variant, "alpha": float(alpha), "family": family}
            made = row(**picture, category=family, polarity=polarity, status="answered", answer="1")
            number = len(rows) * 2654435761 % 2**32 / 2**32
            rows.append(
                made
                | {
                    "answer": made["gold"] if number < 0.7 else OPPOSITE[made["gold"]],
                    "congruent": alpha > 0 if alpha else None,
                    "trial": f"{made['trial']} {instruction}",
                    "settings": canonical({"polarity": polarity, "instruction": instruction, "placement": "system"}),
                }
            )
    return frame(rows)


PLANNED = planned()
AMONG = {
    (kind, instruction): [
        k
        for k, each in enumerate(PLANNED.iter_rows(named=True))
        if each["variant"] == kind and each["unit"] < "muller_lyer/2" and f'"{instruction}"' in each["settings"]
    ]
    for kind in ("O", "P", "PC", "PS", "PH", "OH")
    for instruction in ("none", "weigh")
}


def shown(outcomes):
    return {(e.metric, *e.slice.items()): e for e in [*estimates(outcomes), *pooled_estimates(outcomes)]}


@cache
def everything():
    return shown(PLANNED)


def filled(outcomes, places):
    """The outcomes with every way to answer what is missing."""
    index = pl.int_range(pl.len())
    for answers in product("01", repeat=len(places)):
        given_ = pl.col("answer")
        for place, answer in zip(places, answers, strict=True):
            given_ = pl.when(index == place).then(pl.lit(answer)).otherwise(given_)
        status = pl.when(index.is_in(places)).then(pl.lit("answered")).otherwise(pl.col("status"))
        yield marked(outcomes.with_columns(given_.alias("answer"), status.alias("status")))


def bounds_are_reached(bounded, every):
    """Each bound is that of all ways to fill in; but R's two differences no one way need bring to their ends."""
    checked = set()
    for key, each in bounded.items():
        if each.value is not None or each.low is None:
            continue
        values = [found[key].value for found in every if found[key].value is not None]
        assert each.low - CLOSER <= min(values), each
        assert each.high is None or max(values) <= each.high + CLOSER, each
        if each.metric != "R":
            assert (each.low, each.high) == (pytest.approx(min(values)), pytest.approx(max(values))), each
        checked.add(each.metric)
    return checked


@settings(max_examples=5, deadline=None)
@given(st.sets(st.sampled_from([place for places in AMONG.values() for place in places]), min_size=2, max_size=16))
def test_bounds_hold_the_value_of_the_whole_run_however_answers_are_removed(places):
    lacking = without(PLANNED, places)
    counted = shown(lacking)
    whole = everything()
    for key, each in zip(counted, withhold(counted.values(), lacking), strict=True):
        value = whole[key].value
        if each.value is None and each.low is not None and value is not None:
            assert each.low - CLOSER <= value
            assert each.high is None or value <= each.high + CLOSER


@pytest.mark.parametrize(
    ("kinds", "metrics"),
    [
        ([("P", "none"), ("PC", "none")], set(PAIRED) - {"PFA difference", *OF_OTHERS}),
        ([("O", "none"), ("P", "weigh")], {"PFA", "TFI", "CbW", "PFC", "R", *OF_OTHERS}),
    ],
)
def test_every_bound_of_every_figure_of_pairs_is_reached_by_a_way_to_fill_in_the_answers(kinds, metrics):
    places = sorted(place for kind in kinds for place in AMONG[kind][:2])
    lacking = without(PLANNED, places)
    counted = shown(lacking)
    bounded = dict(zip(counted, withhold(counted.values(), lacking), strict=True))
    found = bounds_are_reached(bounded, [shown(each) for each in filled(lacking, places)])
    assert found >= metrics


def test_bounds_of_a_difference_of_runs_are_reached():
    plain = PLANNED.filter(pl.col("settings").str.contains('"none"'))
    other = marked(plain.with_columns(pl.col("answer").shuffle(3)))
    places = [k for k, kind in enumerate(plain["variant"]) if kind == "P"][:3]
    lacking = without(plain, places)
    for swap in (False, True):
        runs = [(other, each) if swap else (each, other) for each in (lacking, *filled(lacking, places))]
        found = [{(e.metric, *e.slice.items()): e for e in differences(*both)} for both in runs]
        bounded = dict(zip(found[0], withhold(found[0].values(), *runs[0]), strict=True))
        assert bounds_are_reached(bounded, found[1:]) == {"PFA difference"}


def test_bounds_are_said_in_words_wherever_figures_are_shown():
    places = AMONG["P", "none"][:3]
    lacking = without(PLANNED, places, "refused")
    (found,) = (e for e in withhold(estimates(lacking), lacking) if e.metric == "PFA" and e.slice == {"variant": "P"})
    words = f"between {100 * found.low:.1f} and {100 * found.high:.1f} %"
    assert found.between == words
    assert f" {words}: " in repr(found)
    assert format_interval(found) == ""
    assert _cell(found).replace("\n", " ") == words
    (cells,) = table_view(Table("name", "title", "", ("Model", "PFA"), (("m", found),))).rows
    assert (cells[1].text, cells[1].interval, bool(cells[1].note)) == (words, "", True)
    (said,) = failures([Condition("PFA", {"variant": "P"}, "<", 0.5)], [found], dict)
    assert said.endswith(f"PFA is {words}: {found.reason}")
