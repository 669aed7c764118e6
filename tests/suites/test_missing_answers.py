"""Verdicts where replies lack an answer: given only where what these replies were could not change it."""

from __future__ import annotations

from random import Random

import polars as pl
import pytest

from tests.suites.hocabench import outcomes as clips
from tests.suites.magic import outcomes as scenes
from tests.suites.magicbench import outcomes as tricks
from veridical.suite.evidence import Evidence
from veridical.suites.hocabench.analysis.verdict import verdict as clip_verdict
from veridical.suites.magic.analysis.accuracy import accuracies
from veridical.suites.magic.analysis.fills import filled_outcomes
from veridical.suites.magic.analysis.magiscore import magiscore
from veridical.suites.magic.analysis.verdict import verdict as scene_verdict
from veridical.suites.magic.analysis.views import effects
from veridical.suites.magicbench.analysis.probes import decisive
from veridical.suites.magicbench.analysis.rows import replies
from veridical.suites.magicbench.analysis.trick_detection import detection_estimates
from veridical.suites.magicbench.analysis.verdict import verdict as trick_verdict

MISSING = "undetermined: answers missing"
SAME = "whatever they had been, the verdict is the same."
TASKS = (("task", ("plausibility", "description")),)
PROBES = (("stance", ("vision-only", "forensic")), ("task", ("probe",)))


def of_clips(evidence):
    return clip_verdict(evidence)


def of_scenes(evidence):
    return scene_verdict(evidence, [*magiscore(evidence), *accuracies(evidence), *effects(evidence)])


def of_tricks(evidence):
    rows = replies(evidence.outcomes())
    return trick_verdict(evidence, [*decisive(rows), *detection_estimates(rows)])


def noticed(share, named=1.0, seed=0):
    """Calls so large a share of violating clips implausible, and knows as much of what is wrong with them."""

    def reply(trial, _):
        rng = Random(f"{seed} {trial.id}")
        if trial.settings["task"] == "plausibility":
            odd = trial.variant == "violating" and rng.random() < share
            return "Answer: No" if odd else "Answer: Yes"
        wrong = [letter for letter in "ABCD" if letter != trial.gold]
        return f"Answer: {trial.gold if rng.random() < named else rng.choice(wrong)}"

    return clips.quick(clips.planned(4, TASKS), reply)


def focused(share, seed=0):
    """Mentions the relevant boxes in so large a share of replies, else every box; always right."""

    def reply(trial, _):
        every = range(1, trial.factors["box_count"] + 1)
        return True, scenes.relevant_of(trial) if Random(f"{seed} {trial.id}").random() < share else list(every)

    table = scenes.reasoned(scenes.asked(40, ("all-boxes",)), reply)
    return Evidence.of({"reason": table, "heal": table.clear()})


def sighted(share, seed=0, **sees):
    """Sees so large a share of tricks and controls, under each kind of words that is not named."""
    mind = tricks.Mind(usual=share, sees=sees)
    return tricks.run(*tricks.unasked(30, levels=PROBES), mind, seed=seed, judges=())


def lacking(evidence, every, where=None, first=0):
    """The evidence without the answer to every so many of the replies that `where` holds for."""
    name = next(iter(evidence.stages))
    rows = evidence.outcomes()
    chosen = rows.filter(where if where is not None else pl.lit(value=True))["trial"].unique(maintain_order=True)
    gone = pl.col("trial").is_in(chosen.gather_every(every, first).implode())
    scores = [each for each in rows.columns if each.startswith("score_")]
    none = {"status": pl.lit("refused"), "answer": None, "correct": pl.lit(value=False), **dict.fromkeys(scores)}
    cut = rows.with_columns(**{key: pl.when(gone).then(value).otherwise(pl.col(key)) for key, value in none.items()})
    return Evidence.of({name: cut, **{stage: evidence.outcomes(stage) for stage in evidence.stages if stage != name}})


VIOLATING = (pl.col("variant") == "violating") & pl.col("settings").str.contains('"plausibility"')
CLEAR = {
    "clips": (of_clips, noticed(1.0), VIOLATING),
    "scenes": (of_scenes, focused(1.0), None),
    "scenes, every box": (of_scenes, focused(0.0), None),
    "tricks": (of_tricks, sighted(0.0), None),
    "tricks, led by silence": (of_tricks, sighted(1.0, silence=0.0), None),
}


@pytest.mark.parametrize("name", CLEAR)
def test_a_clear_verdict_stands_while_fewer_than_one_in_ten_lacks_an_answer(name):
    verdict, evidence, where = CLEAR[name]
    whole = verdict(evidence)
    assert whole.tone != "open", whole
    few = verdict(lacking(evidence, 14, where))
    assert few.name == whole.name
    assert few.sure.endswith(SAME)
    many = verdict(lacking(evidence, 8, where))
    assert (many.name, many.tone) == (MISSING, "open")
    assert "have no answer; up to" in many.sure
    assert SAME not in verdict(lacking(evidence, 30, where)).sure


@pytest.mark.parametrize(
    ("verdict", "observer", "where", "shares"),
    [
        (of_clips, noticed, VIOLATING, (0.4, 0.55, 0.8)),
        (of_scenes, focused, None, (0.2, 0.4, 0.6)),
        (of_tricks, sighted, None, (0.0, 0.1, 0.8)),
    ],
    ids=["clips", "scenes", "tricks"],
)
def test_what_stands_is_the_verdict_that_all_answers_give(verdict, observer, where, shares):
    standing = closed = 0
    for share in shares:
        for seed in range(2):
            evidence = observer(share, seed=seed)
            found = verdict(lacking(evidence, 13, where, first=seed))
            closed += found.name == MISSING
            if found.name != MISSING and found.tone != "open":
                standing += 1
                assert found.name == verdict(evidence).name, (share, seed)
    assert closed, "at some of these shares the missing answers decide"
    assert standing


def test_missing_descriptions_of_clips_are_filled_in_as_well():
    described = pl.col("settings").str.contains('"description"')
    assert of_clips(noticed(1.0)).name == "sees both layers"
    assert of_clips(lacking(noticed(1.0), 14, described)).sure.endswith(SAME)
    unsure = noticed(1.0, named=0.75)
    assert of_clips(unsure).name == "sees both layers"
    assert of_clips(lacking(unsure, 11, described)).name in (MISSING, "sees both layers")


def test_every_filled_reply_about_a_scene_adds_up():
    rows = lacking(focused(0.5), 12).outcomes()
    fills = list(filled_outcomes(rows))
    assert len(fills) == 8
    for own in fills:
        assert set(own["status"]) == {"answered"}
        assert (own["score_tp"] + own["score_fn"] == own["relevant_count"]).all()
        assert (own["score_fp"] <= own["box_count"] - own["relevant_count"]).all()
        assert own.filter(rows["status"] == "answered").equals(rows.filter(pl.col("status") == "answered"))
