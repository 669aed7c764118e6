"""Units are asked in an order of their own: no kind of item comes first, and what is added changes no order."""

from __future__ import annotations

from itertools import pairwise

import pytest

import veridical
from tests.probe_suite import SUITE as PROBE
from veridical.suite import registry
from veridical.verbs.runs.setup import prepare, trials_of


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    folder = tmp_path_factory.mktemp("order")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_REGISTERED", {**registry._REGISTERED, PROBE.name: PROBE})
        yield {
            (units, seed): veridical.make("probe", out=folder / f"{units}-{seed}", units=units, seed=seed)
            for units, seed in ((3, 0), (8, 0), (8, 1))
        }


def units_of(trials):
    return list(dict.fromkeys(trial.unit for trial in trials))


def asked(whole, limit=None):
    return trials_of(PROBE, whole, PROBE.asked(), limit)


def test_families_are_mixed_and_units_stay_together(sets):
    trials = asked(sets[8, 0])
    order = units_of(trials)
    runs = [trial.unit for k, trial in enumerate(trials) if not k or trials[k - 1].unit != trial.unit]
    assert runs == order
    families = [unit.partition("/")[0] for unit in order]
    changes = sum(a != b for a, b in pairwise(families))
    assert changes > 2 * len(set(families))


def test_a_larger_set_keeps_the_order_of_a_smaller_one_and_a_limit_that_of_the_whole(sets):
    small, large = asked(sets[3, 0]), asked(sets[8, 0])
    assert units_of(small) == [unit for unit in units_of(large) if unit in {trial.unit for trial in small}]
    few = asked(sets[8, 0], limit=7)
    assert units_of(few) == [unit for unit in units_of(large) if unit in {trial.unit for trial in few}]


def test_another_seed_has_another_order_and_the_table_of_the_set_has_none(sets):
    assert units_of(asked(sets[8, 0])) != units_of(asked(sets[8, 1]))
    assert [each.unit for each in sets[8, 0].stimuli] == [each.unit for each in sets[8, 1].stimuli]


def test_the_table_of_trials_has_the_order_that_is_asked_in(sets, tmp_path):
    run = veridical.run(
        sets[3, 0], "veridical/eye", out=tmp_path / "run", show="quiet", analyze=False, max_connections=1
    )
    planned = [trial.id for trial in prepare(sets[3, 0], "veridical/eye").trials]
    assert run.outcomes()["trial"].to_list() == planned
