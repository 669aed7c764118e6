"""Verdicts on models that are measured not to see some critical regions: none blames the model for these."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import polars as pl
import pytest

from tests.suites.hocabench import outcomes as clips
from tests.suites.magic import outcomes as scenes
from tests.suites.magicbench import outcomes as tricks
from tests.suites.test_missing_answers import TASKS, focused, lacking, noticed, of_clips, of_scenes, of_tricks, sighted
from veridical.records import CRITICAL_SEEN
from veridical.suite.evidence import Evidence
from veridical.suites.hocabench.physics.make import critical as of_events
from veridical.suites.magic.design import critical as of_boxes
from veridical.suites.magicbench.make import critical as of_secrets

UNSEEN = "undetermined: outside what the model sees"
MISSING = "undetermined: answers missing"


def astray():
    """Mentions one adversarial box; always right."""

    def reply(trial, _):
        relevant = scenes.relevant_of(trial)
        return True, [n for n in range(1, trial.factors["box_count"] + 1) if n not in relevant][:1]

    table = scenes.reasoned(scenes.asked(40, ("all-boxes",)), reply)
    return Evidence.of({"reason": table, "heal": table.clear()})


def credulous():
    """Calls most clips implausible, whatever they show."""

    def reply(trial, _):
        if trial.settings["task"] != "plausibility":
            return f"Answer: {trial.gold}"
        return "Answer: No" if Random(trial.id).random() < 0.95 else "Answer: Yes"

    return clips.quick(clips.planned(4, TASKS), reply)


def outside(evidence, every, share=0.49):
    """The evidence with a share seen of the critical regions of every so many stimuli of each variant, else all."""
    name = next(iter(evidence.stages))
    rows = evidence.outcomes()
    by_variant = rows.select("stimulus", "variant").unique(maintain_order=True).partition_by("variant")
    chosen = pl.concat([part["stimulus"].gather_every(every) for part in by_variant])
    seen = pl.when(pl.col("stimulus").is_in(chosen.implode())).then(share).otherwise(1.0)
    more = {stage: evidence.outcomes(stage) for stage in evidence.stages if stage != name}
    return Evidence.of({name: rows.with_columns(seen.alias(CRITICAL_SEEN)), **more})


def worst(evidence, every):
    """How many of how many stimuli are chosen, of the variant with the largest share."""
    rows = evidence.outcomes().filter(pl.col("status").is_not_null())
    sizes = rows.group_by("variant").agg(pl.col("stimulus").n_unique())["stimulus"].to_list()
    return {f"Of {math.ceil(size / every)} of {size} stimuli" for size in sizes}


BLAMED = {
    "calls all possible": (of_clips, noticed(0.0)),
    "cannot say what": (of_clips, noticed(1.0, named=0.3)),
    "wrong boxes": (of_scenes, astray()),
    "sees little": (of_tricks, sighted(0.0)),
    "led by silence": (of_tricks, sighted(1.0, silence=0.0)),
}
OTHERS = {
    "sees clips": (of_clips, noticed(1.0)),
    "calls all odd": (of_clips, credulous()),
    "right boxes": (of_scenes, focused(1.0)),
    "every box": (of_scenes, focused(0.0)),
    "sees tricks": (of_tricks, sighted(1.0)),
}


@pytest.mark.parametrize("name", BLAMED)
def test_no_verdict_blames_a_model_for_more_than_one_region_in_twenty_that_it_does_not_see(name):
    verdict, evidence = BLAMED[name]
    before = verdict(evidence)
    assert before.tone == "bad", before
    many = verdict(outside(evidence, 10))
    assert (many.name, many.tone) == (UNSEEN, "open")
    assert any(many.sure.startswith(line) for line in worst(evidence, 10)), many.sure
    assert len(many.parts) == len(before.parts)
    assert not before.parts or UNSEEN in {part.name for part in many.parts}
    assert verdict(outside(evidence, 10, share=0.5)) == before
    assert verdict(outside(evidence, 10**6, share=1.0)) == before


@pytest.mark.parametrize("name", BLAMED | OTHERS)
def test_a_verdict_that_stands_says_how_many_regions_are_not_seen(name):
    verdict, evidence = (BLAMED | OTHERS)[name]
    before = verdict(evidence)
    assert before.name not in (UNSEEN, MISSING)
    every = 10 if name in OTHERS else 10**6
    noted = verdict(outside(evidence, every))
    assert noted._replace(sure="") == before._replace(sure="")
    assert noted.sure.startswith(before.sure)
    assert any(line in noted.sure for line in worst(evidence, every)), noted.sure


def test_missing_answers_are_said_before_regions_that_are_not_seen():
    verdict, evidence = BLAMED["wrong boxes"]
    assert verdict(outside(lacking(evidence, 3), 2)).name == MISSING


def test_an_unknown_share_is_no_unseen_region():
    verdict, evidence = BLAMED["sees little"]
    assert verdict(outside(evidence, 1, share=None)) == verdict(evidence)


def test_what_must_be_seen_of_a_trick_is_where_its_secret_shows():
    for stimulus in tricks.stimuli(2):
        (rows,) = of_secrets(stimulus)
        assert [list(row) for row in rows] == [list(row[1:]) for row in stimulus.truth["critical"]]
        assert of_secrets(replace(stimulus, truth=dict(stimulus.truth) | {"critical": []})) == []


def test_what_must_be_seen_of_a_scene_are_its_relevant_boxes():
    for stimulus in scenes.stimuli(4):
        boxes = of_boxes(stimulus)
        assert [box for (box,) in boxes] == [stimulus.truth["boxes"][n - 1] for n in stimulus.truth["relevant"]]


def test_what_must_be_seen_of_an_event_is_where_its_actors_are_from_then_on_or_were_last():
    (violating, *_) = (each for each in clips.stimuli() if each.variant == "violating")
    before, after, last = [0.5, 0, 0, 4, 4], [2.0, 8, 8, 12, 12], [1.0, 2, 2, 6, 6]
    boxes = {"ball": [before, after], "ghost": [before, last], "none": []}
    told = replace(violating, truth={"boxes": boxes}, factors=dict(violating.factors) | {"event": 1.5})
    assert of_events(told) == [[after[1:]], [last[1:]]]
    assert of_events(replace(told, factors=dict(told.factors) | {"event": None})) == []
    assert of_events(replace(told, truth={})) == []
