"""Stimuli of MagiC: five questions share a picture, which shows what the truth says, or a check finds it out."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

import veridical
from tests.suites.magic.stimuli import released
from veridical.errors import InputError
from veridical.media.decode import decode, problem_of
from veridical.media.pictures import Picture
from veridical.records import Chunk
from veridical.stimulus_set import NotMeasurable
from veridical.suites.magic.options import KINDS, MagicOptions
from veridical.suites.magic.scenes import make as making
from veridical.suites.magic.scenes.compose import compose
from veridical.suites.magic.scenes.make import chunks, make, verify
from veridical.suites.magic.scenes.paint import thing_map
from veridical.suites.magic.stimuli import FACTORS, QUESTION_TYPES, MagicTruth


@pytest.fixture(scope="module")
def made():
    return [pair for kind in KINDS for index in range(6) for pair in make(MagicOptions(seed=2), Chunk(kind, index))]


def picture(content):
    return decode(content, "x.png")


def test_a_scene_has_one_question_of_every_type_and_one_picture(made):
    for start in range(0, len(made), 5):
        stimuli = [stimulus for stimulus, _ in made[start : start + 5]]
        assert [stimulus.category for stimulus in stimuli] == list(QUESTION_TYPES)
        assert len({stimulus.media for stimulus in stimuli}) == 1
        assert len({contents for _, contents in made[start : start + 5]}) == 1
        assert len({stimulus.id for stimulus in stimuli}) == 5
        assert {stimulus.unit for stimulus in stimuli} == {stimuli[0].unit}


def test_the_record_of_a_picture_is_what_its_bytes_hold(made):
    assert all(problem_of(stimulus.media[0], picture(contents[0])) is None for stimulus, contents in made)


def test_truths_and_factors_have_the_declared_fields(made):
    for stimulus, _ in made:
        assert set(stimulus.truth) == set(MagicTruth.__annotations__)
        assert set(stimulus.factors) == set(FACTORS)
        assert stimulus.factors["box_count"] == len(stimulus.truth["boxes"])
        assert stimulus.factors["relevant_count"] == len(stimulus.truth["relevant"])
        assert stimulus.label == stimulus.truth["short"]
        assert stimulus.label == stimulus.label.casefold()


def test_marked_things_have_the_numbers_of_their_boxes(made):
    for stimulus, _ in made:
        for thing in stimulus.truth["graph"]["things"]:
            own = [number for number, box in enumerate(stimulus.truth["boxes"], 1) if box == thing["box"]]
            assert own == ([] if thing["number"] is None else [thing["number"]])


def test_pictures_show_what_their_truths_say(made):
    assert all(verify(stimulus, [picture(contents[0])]) is None for stimulus, contents in made)


def test_a_thing_of_another_color_is_found_out(made):
    stimulus, contents = made[0]
    truth = deepcopy(dict(stimulus.truth))
    thing = truth["graph"]["things"][0]
    thing["color"] = "blue" if thing["color"] != "blue" else "orange"
    assert thing["color"] in verify(replace(stimulus, truth=truth), [picture(contents[0])])


def test_a_picture_without_the_thing_is_found_out(made):
    stimulus, contents = made[0]
    pixels = picture(contents[0]).pixels.copy()
    x0, y0, x1, y1 = stimulus.truth["graph"]["things"][-1]["box"]
    pixels[y0:y1, x0:x1] = 255 - pixels[y0:y1, x0:x1]
    assert verify(stimulus, [Picture(pixels)])


def test_a_photo_is_not_measured():
    assert isinstance(verify(released(), []), NotMeasurable)


def test_the_same_options_make_the_same_bytes_and_another_seed_makes_others():
    first, again = (list(make(MagicOptions(seed=5), Chunk("room", 1))) for _ in range(2))
    other = list(make(MagicOptions(seed=6), Chunk("room", 1)))
    assert first == again
    assert first[0][1] != other[0][1]


@pytest.mark.parametrize("width", [480, 960])
@pytest.mark.parametrize("kind", KINDS)
def test_pictures_have_the_width_that_was_asked_for_and_can_be_read_back(kind, width):
    for stimulus, contents in make(MagicOptions(width=width), Chunk(kind, 3)):
        assert (stimulus.media[0].width, stimulus.media[0].height) == (width, width * 3 // 4)
        assert verify(stimulus, [picture(contents[0])]) is None


def test_a_hidden_thing_is_an_error():
    setting = compose("room", 640, 480, 0, 0).setting
    shown = thing_map(setting).copy()
    making.require_visible(setting, shown, "room/0000")
    x0, y0, x1, y1 = setting.things[-1].box
    shown[y0 : (y0 + y1) // 2 + 8, x0:x1] = -1
    with pytest.raises(InputError, match=rf"room/0000: the {setting.things[-1].kind} is hidden"):
        making.require_visible(setting, shown, "room/0000")


def test_units_are_scenes_of_each_chosen_kind():
    assert chunks(MagicOptions(units=2, scenes=("table",))) == [Chunk("table", 0), Chunk("table", 1)]
    assert len(chunks(MagicOptions(units=3))) == 6


def test_a_set_is_made_and_checked_whole(tmp_path):
    items = veridical.make("magic", out=tmp_path / "set", units=2)
    assert len(items) == 20
    assert len(list((tmp_path / "set" / "media").rglob("*.png"))) == 4
    assert items.verify(verify).verified == 20


def test_random_boxes_show_no_thing():
    """Where there are too few other things, boxes of background fill up."""
    for index in range(30):
        for stimulus, _ in make(MagicOptions(seed=9, width=480), Chunk("table", index)):
            boxes = stimulus.truth["boxes"]
            things = [thing["box"] for thing in stimulus.truth["graph"]["things"]]
            for box in (np.array(each) for each in boxes if each not in things):
                assert all(box[2] <= x0 or x1 <= box[0] or box[3] <= y0 or y1 <= box[1] for x0, y0, x1, y1 in things)
