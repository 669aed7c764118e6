"""Interventions on the picture: which items are asked again, what differs between the arms, and what is drawn where."""

import json
from fractions import Fraction

import numpy as np
import pytest

from tests.suites.magicbench.graded import asked, evidence, graded, judged_as, outcomes, said
from tests.suites.magicbench.stimuli import SIDE, clip, make_stimulus, stimuli
from veridical.errors import InputError
from veridical.media.clips.read import Clip
from veridical.media.derive import frames_of
from veridical.media.pictures import decode_picture
from veridical.records import Media, Text
from veridical.suite.stages import AskingOptions, PlannedMedia
from veridical.suites.magicbench.asking import ASKING
from veridical.suites.magicbench.asking.aids import AIDS, aided_frames, box_at, draw_ring, magnify
from veridical.suites.magicbench.asking.ring import RING_GRADE, RING_STAGE, choose_cells

WORDS = {"stance": ("vision-only", "forensic"), "patter": ("lie", "silence")}


def judged_once(made, cpa, **levels):
    """Evidence of explanations whose CPA is a function of the clip's variant and its words (`None` without words)."""
    table = outcomes(asked(made, **{**WORDS, **levels}), lambda _: said())
    planned = graded(made, table)
    by_trial = {row["trial"]: row for row in table.iter_rows(named=True)}

    def verdict(trial):
        row = by_trial[trial.sources[0].trial]
        mark = cpa(row["variant"], json.loads(row["settings"]).get("patter"))
        return judged_as(cpa=mark) if mark is not None else "prose"

    return evidence(ask=table, grade=outcomes(planned, verdict, "judge"))


def again(made, own, **levels):
    chosen_levels = {name: (level,) if isinstance(level, str) else level for name, level in levels.items()}
    return list(RING_STAGE.trials(made, AskingOptions(chosen_levels), own))


def bad_under_a_lie(variant, patter):
    return {None: 8, "lie": 2, "silence": 5}[patter]


def text_of(trial):
    return "\n".join(part.text for message in trial.messages for part in message.parts if isinstance(part, Text))


def media_of(trial):
    return [part for message in trial.messages for part in message.parts if isinstance(part, Media)]


def test_by_default_a_triplet_is_asked_of_what_is_bad_with_words_and_good_without():
    made = stimuli(2)
    trials = again(made, judged_once(made, bad_under_a_lie))
    assert len(trials) == len({trial.id for trial in trials}) == 3 * len(made)
    assert {trial.settings["patter"] for trial in trials} == {"lie"}
    assert [trial.settings["aid"] for trial in trials[:3]] == ["none", "ring", "placebo"]


MARKS = {
    "good with words": ((8, 8, 8), 0, 0, 2),
    "bad everywhere": ((2, 2, 2), 0, 2, 2),
    "just not bad": ((8, 3, 8), 0, 0, 2),
    "just not good alone": ((7, 2, 8), 0, 1, 2),
    "bad under a lie": ((8, 2, 8), 1, 1, 2),
    "bad with any words": ((8, 0, 2), 2, 2, 2),
    "no verdict alone": ((None, 2, 8), 0, 1, 2),
    "no verdict with words": ((8, None, 2), 1, 1, 1),
}


@pytest.mark.parametrize("name", MARKS)
def test_items_are_chosen_by_their_scores_and_never_without_a_verdict(name):
    (alone, lie, silence), *expected = MARKS[name]
    made = [make_stimulus()]
    own = judged_once(made, lambda _, patter: {None: alone, "lie": lie, "silence": silence}[patter])
    assert [len(choose_cells(own, level)) for level in ("discrepant", "failed", "every")] == expected
    for level, count in zip(("discrepant", "failed", "every"), expected, strict=True):
        assert len(again(made, own, failures_again=level, aid="ring")) == count


def test_the_scores_are_those_of_the_first_judge():
    import polars as pl

    made = [make_stimulus()]
    own = judged_once(made, bad_under_a_lie)
    good = judged_once(made, lambda *_: 9).outcomes("grade").with_columns(pl.lit("second").alias("model"))
    both = evidence(ask=own.outcomes("ask"), grade=pl.concat([own.outcomes("grade"), good]))
    assert [item.cpa for item in choose_cells(both, "discrepant")] == [2.0]


def test_the_arms_of_an_item_differ_in_their_frames_alone_and_come_from_its_reply_and_verdict():
    made = [make_stimulus()]
    own = judged_once(made, bad_under_a_lie)
    trials = again(made, own, aid=("none", "ring", "placebo", "magnified"))
    first = next(trial for trial in asked(made, **WORDS) if trial.settings.get("patter") == "lie")
    assert {text_of(trial) for trial in trials} == {text_of(first)}
    assert len({tuple(each.file for each in media_of(trial)) for trial in trials}) == 4
    for trial in trials:
        assert {
            name: level for name, level in trial.settings.items() if name not in ("aid", "failures_again")
        } == first.settings
        assert [source.stage for source in trial.sources] == ["ask", "grade"]
        assert trial.sources[0].trial == first.id
        assert (trial.reader, trial.prompt, trial.expects) == (first.reader, first.prompt, first.expects)
    (dense,) = again(made, own, aid="dense")
    assert len(media_of(dense)) == 64


def test_what_is_asked_again_is_no_request_that_was_sent_before():
    """Else a cache would answer with the reply that chose the item, and nothing would regress to the mean."""
    made = [make_stimulus()]
    (unaided,) = again(made, judged_once(made, bad_under_a_lie), aid="none")
    first = next(trial for trial in asked(made, **WORDS) if trial.settings.get("patter") == "lie")
    assert {each.file for each in media_of(unaided)}.isdisjoint(each.file for each in media_of(first))


def test_clips_without_boxes_or_frames_have_no_aid():
    bare = make_stimulus(critical=[], placebo=[])
    assert again([bare], judged_once([bare], bad_under_a_lie)) == []
    made = [make_stimulus()]
    native = judged_once(made, bad_under_a_lie, video="native")
    assert again(made, native, failures_again="every") == []
    blind = judged_once(made, lambda *_: 1, stance="text-only")
    assert again(made, blind, failures_again="every") == []


def test_one_level_chooses():
    with pytest.raises(InputError, match="one level chooses"):
        again([make_stimulus()], judged_once([make_stimulus()], bad_under_a_lie), failures_again=("failed", "every"))
    with pytest.raises(InputError, match="one level chooses"):
        RING_STAGE.at_most([make_stimulus()], AskingOptions({"failures_again": ("failed", "every")}))


def test_a_plan_bounds_both_stages_and_aided_replies_are_marked_like_the_first():
    made = stimuli(1)
    levels = {**WORDS, "task": ("explain",), "grading": ("pcs",), "aid": ("none", "ring")}
    own = judged_once(made, lambda *_: 0)
    trials = again(made, own, failures_again="every", aid=("none", "ring"))
    assert RING_STAGE.at_most(made, AskingOptions(levels)).trials == len(trials) == 2 * 2 * len(made)
    assert RING_GRADE.at_most(made, AskingOptions(levels)).trials == len(trials)
    table = outcomes(trials, lambda _: said())
    marked = graded(made, table, stage=RING_GRADE, about="ring")
    assert len(marked) == len(trials)
    assert {trial.expects["shown"]["about"] for trial in marked} == {"claim", "effect", "nothing"}
    assert [stage.name for stage in ASKING.ordered] == ["ask", "grade", "ring", "ring-grade"]


def frames(stimulus, rule):
    content = clip(100)
    opened = Clip.open(content, "clip.mp4")
    return [(decode_picture(pixels, "frame"), facts) for pixels, facts in rule.make(stimulus, [opened])]


@pytest.mark.parametrize("aid", AIDS)
def test_a_frame_changes_only_while_its_box_is_there(aid):
    stimulus = make_stimulus()
    bare, aided = frames(stimulus, aided_frames("4fps", "none")), frames(stimulus, aided_frames("4fps", aid))
    rule = aided_frames("4fps", aid)
    assert len(aided) == rule.count(stimulus) == (64 if aid == "dense" else 24)
    if aid == "dense":
        return
    times = {row[0] for row in stimulus.truth["critical"]}
    for (before, _), (after, facts) in zip(bare, aided, strict=True):
        boxed = float(Fraction(facts["requested"])) in times and aid != "none"
        assert (facts["box"] is not None) == boxed
        if aid != "magnified" or not boxed:
            assert (before.tobytes() != after.tobytes()) == boxed
        assert before.shape == after.shape == (SIDE, SIDE, 3)


def test_a_ring_runs_around_its_box_and_covers_nothing_of_it():
    pixels = np.full((120, 160, 3), 128, np.uint8)
    box = (60, 40, 100, 70)
    made = draw_ring(pixels, box).astype(int)
    changed = (made != 128).any(2)
    assert not changed[40:70, 60:100].any()
    red = (made[..., 0] > 200) & (made[..., 1] < 80)
    rows, columns = np.nonzero(red)
    assert abs(columns.mean() - 80) < 0.6
    assert abs(rows.mean() - 55) < 0.6
    assert columns.min() < 60
    assert columns.max() > 99


def test_magnified_is_the_part_around_the_box_in_the_pictures_own_shape():
    pixels = np.zeros((90, 160, 3), np.uint8)
    pixels[30:60, 60:100] = 200
    made = magnify(pixels, (60, 30, 100, 60))
    assert made.shape == pixels.shape
    across, down = (made[45, :, 0] > 100).sum(), (made[:, 80, 0] > 100).sum()
    assert (across, down) == (120, 90)
    corner = magnify(pixels, (0, 0, 16, 9))
    assert corner.shape == pixels.shape
    assert corner.max() == 0
    assert (magnify(pixels, (0, 0, 160, 90)) == pixels).all()


def test_the_box_of_a_frame_is_the_nearest_in_time():
    rows = [(2.0, 0, 0, 8, 8), (2.25, 1, 0, 9, 8), (2.5, 2, 0, 10, 8)]
    assert box_at(rows, Fraction(5, 2)) == (2, 0, 10, 8)
    assert box_at(rows, Fraction(11, 4)) is None
    assert box_at([], Fraction(0)) is None


def test_an_aid_without_boxes_and_an_unknown_one_are_refused():
    with pytest.raises(InputError, match="no critical boxes"):
        aided_frames("4fps", "ring").count(make_stimulus(critical=[]))
    with pytest.raises(InputError, match="aid 'circle'"):
        aided_frames("4fps", "circle")
    assert aided_frames("4fps", "none").count(make_stimulus(critical=[])) == frames_of("4fps").count(make_stimulus())


def test_planned_media_are_those_of_the_rule():
    made, planned = [make_stimulus()], PlannedMedia()
    levels = {"aid": ("ring",)}
    list(RING_STAGE.trials(made, AskingOptions(levels, derivations=planned), judged_once(made, bad_under_a_lie)))
    assert {rule.name for rule in planned.rules.values()} == {"4fps-ring"}
