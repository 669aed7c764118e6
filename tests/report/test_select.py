"""Which units are shown: whole, trouble first, every case in turn."""

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from tests.report import toy
from veridical.report.runs import combined_outcomes
from veridical.report.select import ReportUnit, first_units, order_units, units_of

STIMULI = toy.design(("ponzo", "zollner"), 2, (0.5,))
TRIALS = toy.trials(STIMULI)
REPLIES = st.sampled_from(["1", "0", "refused", "unparsed", "error", "unasked"])
UNITS = st.lists(
    st.builds(
        ReportUnit,
        name=st.uuids().map(str),
        family=st.sampled_from("abcde"),
        stimuli=st.lists(st.uuids().map(str), min_size=1, max_size=9).map(tuple),
        failed=st.booleans(),
        wrong=st.booleans(),
        disagree=st.booleans(),
        asked=st.just(True),
    )
)


def columns(reply):
    if reply == "unasked":
        return {}
    return toy.right(reply) if reply in "01" else {"status": reply, "attempt": 1}


@given(st.lists(REPLIES, min_size=2 * len(TRIALS), max_size=2 * len(TRIALS)))
def test_the_flags_of_a_unit_are_what_happened_on_its_trials(replies):
    of_run = [dict(zip(TRIALS, replies[i::2], strict=True)) for i in (0, 1)]
    runs = [toy.run(f"m{i}", TRIALS, lambda t, i=i: columns(of_run[i][t.id])) for i in (0, 1)]
    expected = defaultdict(set)
    for ident, trial in TRIALS.items():
        pair = [of_run[0][ident], of_run[1][ident]]
        flags = expected[trial.unit]
        flags |= {"failed"} if {"refused", "unparsed", "error"} & set(pair) else set()
        flags |= {"wrong"} if str(1 - int(trial.gold)) in pair else set()
        flags |= {"disagree"} if set(pair) == {"0", "1"} else set()
        flags |= {"asked"} if set(pair) != {"unasked"} else set()
    units = units_of(combined_outcomes(runs))
    for unit in units:
        assert {flag for flag in ("failed", "wrong", "disagree", "asked") if getattr(unit, flag)} == expected[unit.name]
        assert list(unit.stimuli) == [s.id for s in STIMULI.values() if s.unit == unit.name]
    assert [unit.name for unit in units] == list(dict.fromkeys(s.unit for s in STIMULI.values()))


def test_repeats_of_one_model_that_differ_are_no_disagreement_of_models():
    turn = iter("01" * len(TRIALS))
    run = toy.run("m", TRIALS, lambda _: toy.right(next(turn)), repeats=2)
    assert not any(unit.disagree for unit in units_of(combined_outcomes([run])))


@given(UNITS, st.integers(0, 5))
def test_the_order_is_a_permutation_by_tier_that_the_seed_alone_decides(units, seed):
    ordered = order_units(units, seed)
    assert sorted(ordered, key=units.index) == units
    assert [unit.tier for unit in ordered] == sorted(unit.tier for unit in units)
    assert order_units(units, seed) == ordered


@given(UNITS, st.integers(0, 5))
def test_no_family_of_a_tier_comes_twice_before_all_came_once(units, seed):
    ordered = order_units(units, seed)
    for tier in range(4):
        families = [unit.family for unit in ordered if unit.tier == tier]
        kinds = len(set(families))
        assert len(set(families[:kinds])) == kinds


@given(UNITS, st.integers(1, 40))
def test_what_is_shown_is_the_longest_beginning_of_whole_units_that_fits(units, items):
    shown = first_units(units, items)
    assert shown == units[: len(shown)]
    assert sum(len(unit.stimuli) for unit in shown) <= items or len(shown) == 1
    if len(shown) < len(units):
        assert shown
        assert sum(len(unit.stimuli) for unit in units[: len(shown) + 1]) > items


def test_another_seed_gives_another_sample():
    units = [ReportUnit(str(i), "f", ("p",), failed=False, wrong=False, disagree=False, asked=True) for i in range(40)]
    assert order_units(units, 0) != order_units(units, 1)
