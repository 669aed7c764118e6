"""Observers that the models of the verdicts do not contain do what they are said to do, in the order of the trials."""

import pytest

from veridical.ask.outcomes import outcome_table
from veridical.suite import registry
from veridical.suite.asking import Asking
from veridical.suite.evidence import Evidence
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.validation import design_frame
from veridical.verbs import sets

pytestmark = pytest.mark.usefixtures("no_figures")

WIDER = (*TYPES, "OS", "PS", "I")
CASES = ["muller_lyer", "mach_band", "ebbinghaus", "cornsweet_case1", "twisted_cord"]


@pytest.mark.parametrize("tasks", [("yes-no",), ("comparison",), ("yes-no", "comparison")])
def test_the_wider_design_is_that_of_the_set_when_it_is_drawn(tmp_path, tasks):
    drawn_set = sets.make("viprobe", out=tmp_path / "set", cases=CASES, variants=WIDER, units=2)
    suite = registry.get("viprobe")
    asking = Asking({**suite.asking.defaults, "task": tasks})
    trials = list(suite.asking.stages[0].trials(drawn_set.stimuli, asking, Evidence({})))
    real = outcome_table("veridical/simulated", trials, {}, suite.asking.readers, factors=suite.design.factors)
    planned = design_frame(2, None, CASES, variants=WIDER, tasks=tasks, as_made=True)
    assert planned.equals(real)
