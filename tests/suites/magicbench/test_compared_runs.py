"""Two runs are compared probe by probe, though the probes of a clip share all settings."""

from __future__ import annotations

import polars as pl
import pytest

import veridical
from tests.suites.magicbench.stimuli import clip, make_stimulus
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.records import Chunk
from veridical.stimulus_set.write import write_set
from veridical.suites.magicbench.options import MagicBenchOptions
from veridical.suites.magicbench.stimuli import FACTORS

SETTINGS = {"task": "probe", "patter": ("lie", "silence")}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Runs of an observer that sees all and of one that believes, on the same clips, and one of other probes."""

    def make(changes):
        def of(options, chunk):
            for variant in ("trick", "honest"):
                yield make_stimulus(variant, chunk.index, **changes), (clip(60 if variant == "honest" else 100),)

        return of

    def ask(name, whole, mechanism):
        options = {"model_args": {"mechanism": mechanism, "sees": 1.0}, "settings": SETTINGS, "repeats": 1}
        return veridical.run(whole, model="veridical/simulated", out=folder / name, show="quiet", **options)

    folder = tmp_path_factory.mktemp("compared")
    chunks = [Chunk("coin", index) for index in range(2)]
    fixed = {"factors": FACTORS, "workers": Workers(1)}
    first = write_set(folder / "set", "magicbench", MagicBenchOptions(), chunks, make({}), **fixed)
    fewer = {"probes": make_stimulus("trick").truth["probes"][1:]}
    second = write_set(folder / "fewer", "magicbench", MagicBenchOptions(), chunks, make(fewer), **fixed)
    return {
        "perfect": ask("perfect", first, "perfect"),
        "believer": ask("believer", first, "believer"),
        "fewer": ask("few", second, "perfect"),
    }


def right(run, patter):
    rows = run.outcomes().with_columns(pl.col("settings").str.json_path_match("$.patter").alias("patter"))
    return rows.filter((pl.col("variant") == "trick") & pl.col("patter").eq_missing(patter))["correct"].mean()


def test_the_difference_in_probes_is_that_of_the_replies(runs):
    compared = veridical.compare(runs["perfect"], runs["believer"])
    measured = {each.slice.get("under"): each.value for each in compared if each.metric == "probe difference"}
    for under, patter in (("vision-only", None), ("lie", "lie"), ("silence", "silence")):
        points = 100 * (right(runs["believer"], patter) - right(runs["perfect"], patter))
        assert measured[under] == pytest.approx(points)
    assert measured["lie"] < 0 == measured["silence"]


def test_runs_with_other_probes_are_not_compared(runs):
    with pytest.raises(InputError, match="differ in their trials"):
        veridical.compare(runs["perfect"], runs["fewer"])
