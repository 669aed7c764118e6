"""Fresh against standard units by simulation: twenty runs of one that memorized, and of five that did not.

What is right is drawn at the size of the quick designs of all five suites, with units that differ; effects, intervals and
gains are those of the library.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from veridical.records import Counts
from veridical.report.profiles import ModelProfile, Profile, ProfileLine, with_fresh
from veridical.suite import registry
from veridical.suite.conclusions import Conclusion
from veridical.suite.contrasts import difference
from veridical.suite.evaluation import ProfileAnswer
from veridical.suite.rates import Slice

RUNS = 20
ROWS = {"viprobe": 4, "viabench": 2, "magic": 2, "magicbench": 2, "hocabench": 1}
"""Rows of a unit on either side, as the quick designs of all suites have them or fewer."""
SIZES = {
    name: (len((suite := registry.get(name)).design.families), suite.evaluation.designs["quick"].values["units"], rows)
    for name, rows in ROWS.items()
}
"""Families, units of each, and rows of a unit on either side."""
SIDES = (pl.col("figure"), ~pl.col("figure"), "figures − controls")
MECHANISMS = {
    "perceives": (0.95, 0.95, 0.0),
    "recalls the usual": (0.95, 0.1, 0.05),
    "guesses": (0.25, 0.25, 0.0),
    "sees some units": (0.6, 0.5, 0.3),
    "says yes": (0.0, 0.0, 0.0),
}
"""How often one is right about controls and figures, and by how much units differ (a standard deviation)."""


def outcomes(rng, shape, controls, figures, spread):
    """Rows of an asked set: of a unit's rows, each is right with the unit's own chance."""
    families, units, each = shape
    shift = np.repeat(rng.normal(0, spread, families * units), 2 * each)
    figure = np.tile(np.repeat([False, True], each), families * units)
    chance = np.clip(np.where(figure, figures, controls) + shift, 0, 1)
    unit = np.repeat(np.arange(families * units), 2 * each)
    columns = {"unit": unit, "family": unit // units, "figure": figure, "right": rng.random(len(unit)) < chance}
    rows = pl.DataFrame(columns).with_columns(pl.col("right").cast(pl.Float64))
    return rows.with_columns(pl.lit("answered").alias("status"), pl.lit(1).alias("attempt"))


def sides(question):
    """The two sides of a difference, the other way round where low effects are good."""
    one, other, text = SIDES
    return (other, one, text) if question.better == "lower" else SIDES


def model(name, rng, mechanism):
    """The profile of a model whose rows are drawn: two questions of each suite."""
    lines = []
    for suite, shape in SIZES.items():
        rows, part = outcomes(rng, shape, *mechanism), registry.get(suite).evaluation
        controls = rows.filter(~pl.col("figure"))
        effects = (
            Slice(suite, {}, controls, Counts.of(controls)).rate("right", "right", "of all"),
            difference(Slice(suite, {}, rows, Counts.of(rows)), "figures", "right", sides(part.questions[1])),
        )
        lines += [
            ProfileLine(
                suite=registry.get(suite),
                part=part,
                question=question,
                answer=ProfileAnswer(effect, Conclusion("undetermined", "", "open")),
            )
            for question, effect in zip(part.questions[:2], effects, strict=True)
        ]
    return ModelProfile(name=name, lines=tuple(lines))


def compared(name, seed, standard, fresh):
    """What is decided of a model that answers by one mechanism on standard and by another on fresh units."""
    rng = np.random.default_rng(seed)
    both = [model(name, rng, mechanism) for mechanism in (standard, fresh)]
    joined = with_fresh(Profile(models=(both[0],), version="0"), [both[1]], "")
    return [gap.conclusion.name for gap in joined.fresh.decided(name)]


@pytest.mark.parametrize("name", MECHANISMS)
def test_one_that_has_not_memorized_is_never_said_to_recall_the_standard_set(name):
    assert [compared(name, seed, MECHANISMS[name], MECHANISMS[name]) for seed in range(RUNS)] == [[]] * RUNS


@pytest.mark.parametrize("otherwise", ["guesses", "recalls the usual", "sees some units"])
def test_one_that_has_memorized_is_found_in_every_run_whatever_it_does_otherwise(otherwise):
    for seed in range(RUNS):
        found = compared(otherwise, seed, (1.0, 1.0, 0.0), MECHANISMS[otherwise])
        assert set(found) == {"recalls the standard set"}


def test_intervals_of_the_gain_hold_the_truth_as_often_as_they_say():
    gains = []
    for seed in range(RUNS // 2):
        rng = np.random.default_rng(seed)
        both = [model("m", rng, MECHANISMS["sees some units"]) for _ in range(2)]
        joined = with_fresh(Profile(models=(both[0],), version="0"), [both[1]], "")
        gains += [gap.gain for gap in joined.fresh.gaps["m"]]
    covered = np.mean([gain.low <= 0 <= gain.high for gain in gains])
    assert covered >= 0.93
