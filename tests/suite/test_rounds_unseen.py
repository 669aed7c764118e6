"""The verdict of rounds on a model that is measured not to see what it was asked about."""

from __future__ import annotations

import polars as pl
import pytest

from veridical.records import CRITICAL_SEEN, OUTCOMES
from veridical.suite import registry
from veridical.suite.results import Result
from veridical.suite.rounds_taken import VERDICT, RoundsTaken, adaptive_suite
from veridical.suite.sequential import SequentialStanding

PICTURES = 40


def finding(tone, unseen):
    """What is said first of a run in rounds about 40 pictures, so many of which change where nothing is seen."""
    columns = {name: [None] * PICTURES for name in OUTCOMES} | {
        "stimulus": [f"s{n}" for n in range(PICTURES)],
        "variant": ["P"] * PICTURES,
        "status": ["answered"] * PICTURES,
        CRITICAL_SEEN: [0.2] * unseen + [None] + [1.0] * (PICTURES - unseen - 1),
    }
    rows = pl.DataFrame(columns, schema={**OUTCOMES, CRITICAL_SEEN: pl.Float64()})
    standing = SequentialStanding(verdict="a name", rule="a rule", tone=tone, sentence="A sentence.")
    taken = RoundsTaken(goal=VERDICT, standing=standing, questions=PICTURES, rounds=1, most=PICTURES)
    opening = adaptive_suite(registry.get("viprobe")).presentation.opening([Result("m", rows, [], rounds=taken)])
    return opening.findings[0]


@pytest.mark.parametrize(("tone", "unseen", "stands"), [("bad", 3, False), ("bad", 2, True), ("good", 30, True)])
def test_no_verdict_of_rounds_blames_a_model_for_what_it_does_not_see(tone, unseen, stands):
    found = finding(tone, unseen)
    if stands:
        assert (found.verdict, found.tone, found.sentence) == ("a name", tone, "A sentence.")
    else:
        assert (found.verdict, found.tone) == ("undetermined: outside what the model sees", "open")
        assert any("3 of 40 stimuli" in line for line in found.reasons[0].evidence)
        assert found.needs
