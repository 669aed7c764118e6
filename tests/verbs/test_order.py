"""Units are asked in an order of their own: no kind of item comes first, and what is added changes no order."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

import veridical
from tests.probe_suite import SUITE as PROBE
from tests.suites.hocabench.outcomes import planned, quick, stimuli
from veridical.ask.pending_trials import pending_items
from veridical.ask.run_folder import TRIALS, RunFolder
from veridical.suite import registry
from veridical.suites.hocabench.analysis.verdict import LAG, REVERSE, verdict
from veridical.suites.hocabench.observers.simulation import MECHANISMS, reply_to
from veridical.verbs.runs.stage_trials import place_of, trials_of

TASKS = (("task", ("plausibility", "description")),)


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    folder = tmp_path_factory.mktemp("order")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_REGISTERED", {**registry._REGISTERED, PROBE.name: PROBE})
        yield {
            (units, seed): veridical.make("probe", out=folder / f"{units}-{seed}", units=units, seed=seed)
            for units, seed in ((3, 0), (8, 0), (8, 1))
        }


def order_of(trials, repeats=1):
    return [item.trial for item in pending_items(trials, repeats, {}, frozenset())]


def units_of(whole, limit=None):
    return list(dict.fromkeys(trial.unit for trial in order_of(trials_of(PROBE, whole, PROBE.asked(), limit))))


def test_families_are_mixed_and_units_stay_together(sets):
    trials = order_of(trials_of(PROBE, sets[8, 0], PROBE.asked(), None))
    order = list(dict.fromkeys(trial.unit for trial in trials))
    assert [trial.unit for k, trial in enumerate(trials) if not k or trials[k - 1].unit != trial.unit] == order
    families = [unit.partition("/")[0] for unit in order]
    assert sum(a != b for a, b in pairwise(families)) > 2 * len(set(families))


def test_a_larger_set_keeps_the_order_of_a_smaller_one_and_a_limit_that_of_the_whole(sets):
    large = units_of(sets[8, 0])
    for few in (units_of(sets[3, 0]), units_of(sets[8, 0], limit=7)):
        assert few == [unit for unit in large if unit in set(few)]


def test_another_seed_has_another_order_and_the_tables_keep_that_of_the_set(sets):
    assert units_of(sets[8, 0]) != units_of(sets[8, 1])
    planned_units = [trial.unit for trial in trials_of(PROBE, sets[8, 0], PROBE.asked(), None)]
    assert list(dict.fromkeys(planned_units)) == list(dict.fromkeys(each.unit for each in sets[8, 0].stimuli))


def test_a_run_asks_by_the_place_that_its_table_of_trials_states(sets, tmp_path):
    run = veridical.run(
        sets[3, 0], "veridical/eye", out=tmp_path / "run", show="quiet", analyze=False, max_connections=1
    )
    table = pl.read_parquet(tmp_path / "run" / TRIALS)
    asked = [response.trial for response in RunFolder.open(tmp_path / "run").attempts()]
    assert len(asked) == len(table)
    assert asked == table.sort("place", maintain_order=True)["id"].to_list() != table["id"].to_list()
    assert run.outcomes()["trial"].to_list() == table["id"].to_list()


def tired(trials, rng):
    """Replies of one that sees all at first, and says that all is plausible with a probability that rises to one."""
    awake = {trial.id: rng.random() >= k / len(trials) for k, trial in enumerate(trials)}
    perfect, blind = MECHANISMS["perfect"], MECHANISMS["credulous"]
    return lambda trial, _: reply_to(trial, perfect if awake[trial.id] else blind, rng.random(8).tolist(), rng)


def test_an_observer_that_tires_misses_no_layer_more_than_the_other():
    found = {"set": [], "place": []}
    for seed in range(6):
        places = {each.unit: place_of(replace(each, seed=seed)) for each in stimuli(4)}
        trials = [replace(trial, place=places[trial.unit]) for trial in planned(4, TASKS)]
        for order, asked in (("set", trials), ("place", order_of(trials))):
            found[order].append(verdict(quick(asked, tired(asked, np.random.default_rng(seed)))).name)
    assert not {LAG, REVERSE} & set(found["place"])
    assert LAG in found["set"]
