"""Clips in messages: frames with their times, or whole; and the same frames for settings that are compared."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.ask.plans import plan
from veridical.errors import InputError
from veridical.media.derive import frames_of
from veridical.records import Media, Medium, Message, Stimulus, Text
from veridical.suite.frames import VIDEO, clip_parts, same_frames, seconds
from veridical.suite.stages import AskingOptions

RULE = frames_of("uniform-2")


def medium(name, duration="4", last="95/24"):
    return Medium(
        file=name,
        kind="video",
        width=64,
        height=64,
        sha256="5" * 64,
        frames=96,
        rate=24.0,
        duration=duration,
        last=last,
    )


def stimulus(*media):
    fixed = {"suite": "s", "family": "f", "unit": "u", "variant": "v", "category": "c", "question": "q"}
    return Stimulus(id="clip", label=None, seed=0, media=media, **fixed)


PICTURE = Medium(file="media/p.png", kind="image", width=8, height=8, sha256="7" * 64)


def texts(parts):
    return [part.text for part in parts if isinstance(part, Text)]


def test_before_each_frame_stands_its_place_and_its_time():
    asking, one = AskingOptions(), stimulus(medium("media/a.mp4"))
    parts = clip_parts(asking, one, RULE)
    assert texts(parts) == ["Frame 1 of 2, at 1.00 s:", "Frame 2 of 2, at 3.00 s:"]
    assert parts[1::2] == asking.derived(one, RULE)
    assert list(asking.derivations.rules) == [RULE.digest]


def test_frames_of_several_clips_name_their_clip_and_pictures_are_no_clips():
    both = stimulus(PICTURE, medium("media/a.mp4"), medium("media/b.mp4", "1001/1000", "1"))
    parts = clip_parts(AskingOptions(), both, RULE)
    assert texts(parts) == [
        f"Clip {clip} of 2, frame {frame} of 2, at {time} s:"
        for clip, frame, time in ((1, 1, "1.00"), (1, 2, "3.00"), (2, 1, "0.25"), (2, 2, "0.75"))
    ]
    native = clip_parts(AskingOptions(), both, RULE, "native")
    assert native == tuple(Media(f"media/{name}.mp4", "5" * 64, "video") for name in "ab")


def test_no_clip_an_unknown_level_and_a_set_without_durations_are_one_line():
    for given, level, line in (
        (stimulus(PICTURE), "frames", "has no clip"),
        (stimulus(PICTURE), "native", "has no clip"),
        (stimulus(medium("media/a.mp4")), "whole", "'whole': frames and native are allowed"),
        (stimulus(medium("media/a.mp4", None, None)), "frames", "media/a.mp4: the set does not state its duration"),
    ):
        with pytest.raises(InputError, match=line):
            clip_parts(AskingOptions(), given, RULE, level)


def shown(*media, **settings):
    (trial,) = plan(1, 1)
    return replace(trial, settings=settings, messages=(Message("user", (*media, Text(str(settings)))),))


def test_frames_that_are_planned_differ_from_clip_to_clip():
    clips = [replace(stimulus(medium("media/a.mp4")), id=name) for name in ("one", "two")]
    files = [each.file for clip in clips for each in AskingOptions().derived(clip, RULE)]
    assert len(set(files)) == len(files) == 4


A, B, WHOLE = Media(".derived/a/0", ""), Media(".derived/b/0", ""), Media("media/a.mp4", "1", "video")


def test_settings_that_are_compared_show_the_same_frames():
    trials = [shown(A, prompt="plain"), shown(A, prompt="cot")]
    assert same_frames(iter(trials)) == tuple(trials)
    with pytest.raises(InputError) as caught:
        same_frames([*trials, shown(A, B, prompt="hint")])
    assert str(caught.value) == (
        f"stimulus {trials[0].stimulus!r} is shown with prompt=hint by 2 media, with prompt=plain by 1 others: "
        "settings that are compared must show the same frames"
    )


def test_settings_that_show_media_of_their_own_differ_between_their_levels_alone():
    levels = [shown(A, prompt="plain", video=VIDEO[0]), shown(WHOLE, prompt="plain", video=VIDEO[1])]
    assert len(same_frames(levels, apart=("video",))) == 2
    with pytest.raises(InputError, match="is shown with video=native by"):
        same_frames(levels)
    with pytest.raises(InputError, match="is shown with prompt=cot by 1 media, with prompt=plain"):
        same_frames([*levels, shown(B, prompt="cot", video=VIDEO[0])], apart=("video",))


def test_a_time_is_exact_to_hundredths():
    assert [seconds(Fraction(*each)) for each in ((0, 1), (1001, 1000), (36000, 1), (1, 200))] == [
        "0.00", "1.00", "36000.00", "0.00"
    ]  # fmt: skip
