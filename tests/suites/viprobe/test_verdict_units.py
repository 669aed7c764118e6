"""How many units a verdict takes, measured on simulated runs of the quick design."""

import numpy as np
import pytest

from studies.viprobe.validation.design import design_frame
from veridical.suites.viprobe.observers.simulation import MECHANISMS, simulate
from veridical.suites.viprobe.options import RECIPES
from veridical.suites.viprobe.verdicts import names, verdicts

RUNS, SURE = 10, 0.8
OBSERVERS = {names.VERIDICAL: "veridical", names.LOSS: "memory_override", names.BLIND: "blind"}


def share_named(name, units, runs=RUNS):
    """The share of simulated runs, with so many units per case and all else as in a quick set, that get the name."""
    quick = RECIPES["quick"].values
    planned = design_frame(units, quick["levels"], None, variants=quick["variants"])
    runs_of = (simulate(planned, MECHANISMS[OBSERVERS[name]], np.random.default_rng(seed)) for seed in range(runs))
    return np.mean([verdicts(run, draws=0)[0].name == name for run in runs_of])


@pytest.mark.parametrize("name", OBSERVERS)
def test_so_many_units_are_given_their_verdict(name):
    cases = design_frame(1, 2, None)["family"].n_unique()
    assert names.NAMED_FROM.keys() == OBSERVERS.keys()
    assert names.NAMED_FROM[name] % cases == 0
    assert share_named(name, names.NAMED_FROM[name] // cases) >= SURE
