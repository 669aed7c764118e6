"""Observers whose mechanism is known: each gives the numbers that its definition implies."""

from __future__ import annotations

import json

import polars as pl
import pytest

import veridical
from tests.suites.magicbench.stimuli import clip, make_stimulus
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.records import Chunk
from veridical.stimulus_set.write import write_set
from veridical.suites.magicbench.observers.simulation import MECHANISMS, SIMULATION
from veridical.suites.magicbench.options import MagicBenchOptions
from veridical.suites.magicbench.stimuli import FACTORS

UNITS = 20
ALL = {
    "stance": ("vision-only", "forensic", "image-of-thought", "text-only"),
    "patter": ("lie", "misdirection", "filler", "silence", "cue", "nouns", "truth"),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    def make(options, chunk):
        for variant in ("trick", "honest"):
            yield make_stimulus(variant, chunk.index), (clip(60 if variant == "honest" else 100),)

    chunks = [Chunk("coin", index) for index in range(UNITS)]
    folder = tmp_path_factory.mktemp("magicbench") / "set"
    return write_set(folder, "magicbench", MagicBenchOptions(), chunks, make, factors=FACTORS, workers=Workers(1))


@pytest.fixture(scope="module")
def replies(whole, tmp_path_factory):
    """The outcomes of an observer, with columns for task, stance and patter."""

    def outcomes(**args):
        options = {"model_args": args, "settings": ALL, "show": "quiet", "analyze": False}
        folder = tmp_path_factory.mktemp("run") / "run"
        run = veridical.run(whole, model="veridical/simulated", out=folder, **options)
        names = ("task", "stance", "patter")
        columns = [pl.col("settings").str.json_path_match(f"$.{name}").alias(name) for name in names]
        rows = run.evidence().outcomes("ask").with_columns(columns)
        assert set(rows["status"]) == {"answered"}
        return rows

    return outcomes


def right(rows, task, patter):
    """The share of right probes, or of explanations of tricks that say so, under a patter; `None` is vision-only."""
    stance = pl.col("stance") == ("vision-only" if patter is None else "forensic")
    own = rows.filter(stance & (pl.col("task") == task) & pl.col("patter").eq_missing(patter))
    own = own.filter(pl.col("variant") == "trick") if task == "explain" else own
    values = own["correct"].cast(pl.Float64) if task == "probe" else own["score_claims_trick"]
    assert len(values) >= UNITS
    return values.mean()


def test_the_perfect_observer_is_always_right(replies):
    rows = replies(mechanism="perfect")
    for patter in (None, *ALL["patter"]):
        assert right(rows, "probe", patter) == right(rows, "explain", patter) == 1
    honest = rows.filter((pl.col("variant") == "honest") & (pl.col("stance") != "text-only"))
    assert set(honest["score_claims_trick"].drop_nulls()) == {0}
    thought = rows.filter(pl.col("stance") == "image-of-thought")
    assert set(thought["score_inventory"]) == {1}
    lies = thought.filter((pl.col("patter") == "lie") & (pl.col("variant") == "trick"))
    assert set(lies["score_claims_denied"]) == {1}


def test_words_change_nothing_for_the_autonomous_one(replies):
    rows = replies(mechanism="autonomous")
    for task, spread in (("probe", 0.12), ("explain", 0.22)):
        shares = {right(rows, task, patter) for patter in (None, *ALL["patter"])}
        assert len(shares) == 1
        assert shares.pop() == pytest.approx(0.7, abs=spread)


def test_the_language_led_one_gains_from_nouns_and_loses_without_them(replies):
    rows = replies(mechanism="language-led")
    alone = right(rows, "probe", None)
    assert alone == pytest.approx(0.6, abs=0.12)
    for patter in ("lie", "misdirection", "nouns", "truth"):
        assert right(rows, "probe", patter) - alone == pytest.approx(0.2, abs=0.1)
    for patter in ("filler", "silence", "cue"):
        assert right(rows, "probe", patter) - alone == pytest.approx(-0.3, abs=0.1)


def test_the_believer_accepts_what_is_claimed_after_the_secret(replies):
    rows = replies(mechanism="believer", sees=1.0)
    own = rows.filter((pl.col("task") == "probe") & (pl.col("patter") == "lie"))
    about = [(e["moment"] != "before" and bool(e["claimed"])) for e in map(json.loads, own["expects"])]
    believed = own.filter(pl.Series(about))
    assert set(believed.filter(pl.col("variant") == "trick", pl.col("gold") == "B")["correct"]) == {False}
    assert set(own.filter(~pl.Series(about))["correct"]) == {True}
    assert right(rows, "explain", "lie") == 0
    assert right(rows, "explain", "misdirection") == right(rows, "explain", "silence") == 1
    assert right(rows, "probe", "misdirection") == 1


def test_nothing_is_seen_without_frames_and_alarms_are_raised_over_honest_clips(replies):
    rows = replies(mechanism="perfect", alarms=1.0)
    assert set(rows.filter(pl.col("stance") == "text-only", pl.col("variant") == "trick")["score_claims_trick"]) == {0}
    honest = rows.filter(pl.col("variant") == "honest", pl.col("task") == "explain")
    assert set(honest["score_claims_trick"]) == {1}


def test_image_of_thought_takes_a_share_of_the_loss_away():
    mechanism, _ = SIMULATION.mechanism_of({"mechanism": "language-led", "thought": 0.5})
    trial = type("Trial", (), {"settings": {"stance": "image-of-thought", "patter": "silence"}, "factors": {}})()
    assert mechanism.seeing(trial) == pytest.approx(0.45)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"mechanism": "magician"}, "mechanism"),
        ({"sees": 1.5}, "sees 1.5: a number from 0 to 1"),
        ({"sees": "0.5"}, "sees '0.5'"),
        ({"sees": 0.9, "anchor": 0.2}, "their sum is no probability"),
        ({"peeks": 1}, "peeks"),
        ({"seed": -1}, "seed -1"),
    ],
)
def test_arguments_that_are_none_are_refused(args, message):
    with pytest.raises(InputError, match=message):
        SIMULATION.mechanism_of(args)


def test_mechanisms_are_different():
    assert len({repr(mechanism) for mechanism in MECHANISMS.values()}) == len(MECHANISMS)
