"""Runs of observers that are judged by rule, asked again with rings, and calibrated against people."""

from __future__ import annotations

import csv

import polars as pl
import pytest

import veridical
from tests.suites.magicbench.stimuli import clip, make_stimulus
from veridical.base.workers import Workers
from veridical.records import Chunk
from veridical.stimulus_set.write import write_set
from veridical.suites.magicbench.options import MagicBenchOptions
from veridical.suites.magicbench.stimuli import FACTORS

QUIET = {"show": "quiet", "analyze": False}
SETTINGS = {"task": "explain", "stance": ("vision-only", "forensic"), "grading": ("pcs", "jittered")}
UNITS = 2


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Runs of observers by mechanism, asked and judged twice, so that what is asked again is judged as well."""

    def make(options, chunk):
        for variant in ("trick", "honest"):
            yield make_stimulus(variant, chunk.index), (clip(60 if variant == "honest" else 100),)

    folder = tmp_path_factory.mktemp("judged")
    chunks = [Chunk("coin", index) for index in range(UNITS)]
    whole = write_set(
        folder / "set", "magicbench", MagicBenchOptions(), chunks, make, factors=FACTORS, workers=Workers(1)
    )
    made = {}
    for name in ("perfect", "believer"):
        options = {"model_args": {"mechanism": name, "sees": 1.0}, "settings": SETTINGS, "repeats": 1, **QUIET}
        for _ in range(2):
            veridical.run(whole, model="veridical/simulated", out=folder / name, **options)
            made[name] = veridical.judge(folder / name, judge="veridical/rule", **QUIET)
    return made


def marks(run, stage="grade", rubric="pcs"):
    """The marks by variant and words, each once."""
    asked = run.evidence().outcomes("ask" if stage == "grade" else "ring")
    rows = asked.select("trial", patter=pl.col("settings").str.json_path_match("$.patter"))
    verdicts = run.evidence().outcomes(stage).filter(pl.col("reader") == rubric)
    joined = verdicts.join(rows, left_on="about_trial", right_on="trial", how="left")
    columns = ("variant", "patter", "status", "score_vtg", "score_cpa", "score_cfr")
    return {(variant, patter): rest for variant, patter, *rest in joined.select(columns).unique().iter_rows()}


PATTERS = (None, "lie", "misdirection", "filler", "silence")
HIGH = ["answered", 9.0, 9.0, 9.0]


@pytest.mark.parametrize("rubric", ["pcs", "jittered"])
def test_who_sees_all_is_high_and_who_believes_is_so_except_under_a_lie(runs, rubric):
    seen = {(variant, patter): HIGH for variant in ("trick", "honest") for patter in PATTERS}
    perfect = marks(runs["perfect"], rubric=rubric)
    assert {key: row[::2] for key, row in perfect.items()} == {key: row[::2] for key, row in seen.items()}
    believes = marks(runs["believer"], rubric=rubric)
    assert believes["trick", "lie"] == ["answered", 1.0, 0.0, 1.0]
    assert {key for key, row in believes.items() if row[2] != 9} == {("trick", "lie")}


def test_the_failures_of_a_believer_are_asked_again_and_marked_and_those_of_a_seer_do_not_exist(runs):
    again = runs["believer"].evidence().outcomes("ring")
    aids = again["settings"].str.json_path_match("$.aid")
    assert dict(aids.value_counts().iter_rows()) == dict.fromkeys(("none", "ring", "placebo"), UNITS)
    assert marks(runs["believer"], "ring-grade") == {("trick", "lie"): ["answered", 1.0, 0.0, 1.0]}
    assert runs["perfect"].evidence().outcomes("ring").is_empty()


def test_people_label_what_the_judge_saw_and_the_judge_is_held_against_them(runs, tmp_path):
    sample = tmp_path / "sample.csv"
    own = runs["believer"]
    veridical.sample_replies(
        own, sample, rubric="pcs", score="cpa", judge="veridical/rule", by="variant", per_stratum=4
    )
    with sample.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert rows
    assert not {"facts", "about", "unjittered"} & set(rows[0])
    for row in rows:
        # A person who knows that a believer is wrong about a lie and about nothing else.
        fooled = "False in this clip" in row["resisted"]
        labels = {"cpa": "1" if fooled else "9", "hard_failure_triggered": "yes" if fooled else "no"}
        row["person"], row["label"] = "p1", labels.get(row["score_name"], "")
    with sample.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    made = veridical.calibrate_judges(sample, own, rubric="pcs")
    exact = made.frame().filter(pl.col("noise").is_null())
    found = {(row["name"], row["score"]): row["value"] for row in exact.iter_rows(named=True)}
    assert found["Pearson", "cpa"] == pytest.approx(1)
    vetoes = {name: value for (name, score), value in found.items() if score == "hard_failure_triggered"}
    assert (vetoes["veto agreement"], vetoes["veto kappa"]) == (1, 1)
