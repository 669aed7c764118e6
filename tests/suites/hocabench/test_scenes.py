"""Each event of each scene: its state logs keep the laws, its texts are whole, its things can be seen."""

from itertools import combinations, pairwise
from string import Formatter

import numpy as np
import pytest

from tests.suites.hocabench.masks import mask
from veridical.media.clips.write import encode_clip
from veridical.media.decode import Clip
from veridical.media.figures.brush import HEIGHT, WIDTH
from veridical.media.figures.clock import Clock
from veridical.media.figures.render import FilmView, boxes, frames
from veridical.media.figures.style import CAMERAS, STYLES
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.scene import problem, values
from veridical.suites.hocabench.physics.scenes import SCENES
from veridical.suites.hocabench.taxonomy import SUB_TYPES

EVENTS = [(scene, event) for scene in SCENES.values() for event in scene.events]
NAMES = [f"{scene.name}-{event.sub_type}" for scene, event in EVENTS]
CLOCK = Clock(24, 96)
each_event = pytest.mark.parametrize(("scene", "event"), EVENTS, ids=NAMES)
each_scene = pytest.mark.parametrize("scene", SCENES.values(), ids=list(SCENES))


def base_of(scene, index=0, seed=0):
    return scene.sample(Nuisances(scene.name, WIDTH, seed, index))


def played(event, base, clock):
    """The state logs of all courses of an event."""
    return {course: event.play(base, clock, course) for course in event.courses}


@each_event
def test_courses_are_one_until_the_event_and_break_the_stated_law_alone(scene, event):
    for index in range(12):
        for clock in (CLOCK, Clock(12, 48), Clock(30, 150)):
            base = base_of(scene, index)
            assert problem(scene, event, base, clock, played(event, base, clock)) is None


@each_event
def test_texts_are_whole_and_name_what_is_odd(scene, event):
    assert event.sub_type in SUB_TYPES
    fields = values(base_of(scene))
    for text in (scene.setup, event.claim, event.control, event.normal):
        assert {name for _, name, _, _ in Formatter().parse(text) if name} <= set(fields)
    claim = event.claim.format_map(fields)
    assert claim[0].isupper()
    assert claim.endswith(".")
    assert any(sign in claim.casefold() for sign in event.signs)
    assert any(word in event.normal.format_map(fields).casefold() for word in event.expected)
    assert not event.normal.endswith(".")


@each_scene
def test_claims_of_a_scene_are_of_like_length(scene):
    lengths = [len(event.claim.split()) for event in scene.events]
    assert max(lengths) <= 1.7 * min(lengths)


@each_event
def test_the_actors_can_be_seen_before_the_event_in_every_style(scene, event):
    base = base_of(scene, 1)
    states = event.play(base, CLOCK, "violating")
    for style in STYLES:
        view = FilmView(style, "still", 180)
        shown = boxes(scene, base, states, CLOCK, view, event.actors)
        for actor in event.actors:
            assert shown[actor], f"{actor} is never seen"
            frame = round(shown[actor][0][0] * CLOCK.rate)
            seen = mask(scene, base, states, CLOCK, view, frame, actor)
            _, x0, y0, x1, y1 = shown[actor][0]
            assert seen.any()
            rows, columns = np.nonzero(seen)
            assert x0 - 1 <= columns.min()
            assert columns.max() <= x1 + 1
            assert y0 - 1 <= rows.min()
            assert rows.max() <= y1 + 1


def shots(scene, event):
    """The pictures of each course from the frame before its event on, for a second."""
    base = base_of(scene, 4)
    begin = event.begins(base, CLOCK)
    view = FilmView("flat", "still", 180)
    return {
        course: [
            each.astype(np.int16) for each in frames(scene, base, states[: begin + CLOCK.rate], CLOCK, view, begin - 1)
        ]
        for course, states in played(event, base, CLOCK).items()
    }


def differing(one, two):
    """The share of pixels in which a channel differs by more than 24; channel by channel, which is much faster."""
    red, green, blue = (np.abs(one[..., channel] - two[..., channel]) > 24 for channel in range(3))
    return (red | green | blue).mean()


def encoded(pictures):
    return encode_clip([each.astype(np.uint8) for each in pictures], CLOCK.rate, "ultrafast")


@each_event
def test_the_courses_look_different_for_a_second_after_the_event_and_strike_the_eye(scene, event):
    """Each pair of courses differs in at least 0.2 % of the pixels in half of the frames of the second after it.

    Of the clip as it is decoded, the event's first frame or one beside it is the first that differs from the odd one.
    In the half second after the event, the largest change between frames is at least 0.3 of the violating one.
    """
    pictures = shots(scene, event)
    for one, two in combinations(pictures, 2):
        differs = [differing(a, b) > 0.002 for a, b in zip(pictures[one][1:], pictures[two][1:], strict=True)]
        assert np.mean(differs) >= 0.5, f"{one} and {two} look alike"
    decoded = {
        course: [frame.pixels for frame in Clip.open(encoded(each[:4]), "clip.mp4").frames(set(range(4)))]
        for course, each in pictures.items()
    }
    for course in decoded.keys() - {"violating"}:
        differs = [not np.array_equal(a, b) for a, b in zip(decoded["violating"], decoded[course], strict=True)]
        # The first of them is the frame before the event.
        assert True in differs[:3], f"{course} is seen late"
    largest = {course: max(np.abs(b - a).mean() for a, b in pairwise(each[:14])) for course, each in pictures.items()}
    assert all(each >= 0.3 * largest["violating"] for each in largest.values()), largest


@each_event
def test_pictures_fill_the_frame_with_drifting_cameras_too(scene, event):
    base = base_of(scene, 3)
    states = event.play(base, CLOCK, "violating")
    for camera in CAMERAS:
        for style in STYLES:
            picture = next(frames(scene, base, states[-1:], CLOCK, FilmView(style, camera, HEIGHT // 2)))
            assert picture.shape == (HEIGHT // 2, WIDTH // 2, 3)
            assert (picture != (236, 238, 240)).any(2).mean() > 0.999, "a part of the frame is not painted"
