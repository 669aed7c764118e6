"""What is painted, converted and coded only where it changes has the numbers of what is made whole."""

import io
from itertools import pairwise

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.media.clips import FRAMES, written
from veridical.media.clips.changes import FrameCoding, FrameDisplay, shown_pixels
from veridical.media.clips.container import decoded_frames
from veridical.media.clips.write import encode_clip, encode_clips
from veridical.media.decode import Clip, clip_media, hash_of, hashes_of, medium_of
from veridical.media.draw import Animation, Curve, Disc, Line, PaintedBase, Patch, Polygon, Ring, Scene, TextLine, Veil
from veridical.media.figures.clock import Clock
from veridical.media.figures.render import FilmView, course_frames, frames

SIDE = 48
place = st.floats(-8, SIDE + 8)
color = st.sampled_from([(200, 30, 30), (30, 30, 200)])
point = st.tuples(place, place)
items = st.one_of(
    st.builds(Disc, point, st.floats(1, 9), color),
    st.builds(Ring, point, st.floats(2, 9), st.floats(1, 3), color),
    st.builds(Line, st.just((5.0, 5.0)), st.tuples(st.floats(6, 50), place), st.floats(1, 4), color),
    st.builds(Polygon, st.tuples(point, point, point), color),
    st.builds(Veil, st.tuples(point, point, point), color, st.floats(0.2, 0.8)),
    st.builds(TextLine, point, st.just("ab"), st.floats(6, 14), color),
    st.builds(Curve, st.just(((3.0, 3.0), (9.0, 12.0), (20.0, 14.0))), st.floats(1, 3), color),
    st.builds(Patch, st.integers(0, 40), st.integers(0, 40), st.just(np.full((6, 8, 3), 7, np.uint8))),
)


@given(shown=st.lists(st.lists(items, max_size=4), min_size=2, max_size=4), data=st.data())
def test_each_picture_has_the_pixels_that_it_has_alone(shown, data):
    start = PaintedBase.of(Scene(SIDE, SIDE, (240, 240, 240), (Disc((20.0, 20.0), 12.0, (9, 90, 9)),)))
    pool = [item for each in shown for item in each]
    animation = Animation(start)
    for own in shown:
        kept = data.draw(st.lists(st.sampled_from(pool), max_size=6)) if pool else []
        for one in (own, [*kept, *own]):
            alone = Animation(start).picture(one)
            assert np.array_equal(animation.variant(one), alone)
            picture = animation.picture(one)
            assert np.array_equal(picture, alone)
            assert animation.picture(list(one)) is picture


def test_a_picture_that_was_given_away_never_changes():
    animation = Animation(PaintedBase.of(Scene(SIDE, SIDE, (0, 0, 0), ())))
    first = animation.picture([Disc((10.0, 10.0), 4.0, (255, 255, 255))])
    before = first.copy()
    animation.picture([Disc((30.0, 30.0), 4.0, (255, 255, 255))])
    assert np.array_equal(first, before)


def parts(height, width, count=12):
    """Frames of noise in which one box after the other changes; some do not change at all."""
    rng = np.random.default_rng(5)
    pixels = rng.integers(0, 256, (height, width, 3), np.uint8)
    for k in range(count):
        if k % 4 != 3:
            pixels = pixels.copy()
            y, x, high, wide = (int(rng.integers(0, each)) for each in (height, width, height, width))
            pixels[y : y + high // 2 + 1, x : x + wide // 2 + 1] = rng.integers(0, 256, 3)
        yield pixels


@pytest.mark.parametrize("size", [(64, 64), (50, 38), (96, 160), (2, 2)])
def test_frames_are_coded_as_each_alone(size):
    coding = FrameCoding()
    for index, pixels in enumerate(parts(*size)):
        whole = FrameCoding().frame(pixels, index)
        frame = coding.frame(pixels, index)
        assert np.array_equal(frame.to_ndarray(), whole.to_ndarray())
        assert (frame.pts, frame.colorspace, frame.color_range) == (index, whole.colorspace, whole.color_range)


def reads(content):
    display = FrameDisplay()
    return [(display.pixels(frame), shown_pixels(frame)) for frame in decoded_frames(content, "clip")]


@pytest.mark.parametrize("size", [(64, 64), (50, 38), (96, 160)])
@pytest.mark.parametrize("preset", ["medium", "ultrafast"])
def test_pixels_are_those_of_a_conversion_of_each_whole_frame(size, preset):
    for part, whole in reads(encode_clip(parts(*size), 24, preset)):
        assert np.array_equal(part, whole)


@pytest.mark.parametrize("codec", ["libx264", "mpeg4", "libx265"])
def test_pixels_of_other_codecs_too(codec):
    for part, whole in reads(written(list(parts(64, 96)), codec=codec)):
        assert np.array_equal(part, whole)


def test_pixels_that_a_reader_paints_on_do_not_come_back():
    clip = Clip.open(encode_clip(parts(64, 64), 24), "clip")
    plain = [frame.pixels for frame in clip.frames()]
    for frame, before in zip(clip.frames(), plain, strict=True):
        assert np.array_equal(frame.pixels, before)
        frame.pixels[...] = 0


def test_clips_that_are_encoded_together_are_those_encoded_alone():
    one, two = list(parts(64, 64)), [*list(parts(64, 64))[:5], *FRAMES[:7]]
    assert encode_clips(zip(one, two, strict=True), 24) == [encode_clip(one, 24), encode_clip(two, 24)]


@pytest.mark.parametrize("shared", [0, 1, 5, 12])
def test_hashes_of_clips_that_begin_alike_are_those_of_each_alone(shared):
    one = list(parts(64, 64))
    clips = [encode_clip(each, 24, "ultrafast") for each in (one, [*one[:shared], *FRAMES[shared:12]], one[:7])]
    files = [(f"{k}.mp4", content) for k, content in enumerate(clips)]
    assert clip_media(files) == [medium_of(*each) for each in files]
    opened = [Clip.open(content, name) for name, content in files]
    assert hashes_of(opened[::-1]) == [hash_of(each) for each in opened[::-1]]


def test_what_does_not_move_is_coded_once():
    """Beyond the blocks around the disc, decoded pixels stay as they were, and packets are small."""
    size = 128
    texture = np.random.default_rng(3).integers(60, 200, (size // 8, size // 8, 3), np.uint8).repeat(8, 0).repeat(8, 1)
    animation = Animation(PaintedBase.of(Scene(size, size, (0, 0, 0), (Patch(0, 0, texture),))))
    shown = [animation.picture([Disc((20.0 + 0.4 * k, 40.0), 9.0, (250, 20, 20))]) for k in range(24)]
    content = encode_clip(shown, 24, "ultrafast")
    pixels = [frame.pixels[:, 64:] for frame in Clip.open(content, "clip").frames()]
    assert all(np.array_equal(each, pixels[1]) for each in pixels[2:])
    with av.open(io.BytesIO(content)) as file:
        lengths = [packet.size for packet in file.demux(video=0) if packet.size]
    assert max(lengths[2:]) < lengths[0] / 10


class Drawing:
    """A scene in which a disc moves over a checked ground."""

    @staticmethod
    def ground(_base, brush):
        for k in range(-1, 33):
            brush.plain([(20 * k, -20), (20 * k + 10, -20), (20 * k + 10, 380), (20 * k, 380)], (90, 120, 7 * (k + 1)))

    @staticmethod
    def paint(_base, brush, state):
        brush.disc((100.0 + state, 150.0), 30.0, (230, 40, 40))


def test_a_camera_that_drifts_moves_the_picture_by_whole_pixels():
    clock, view = Clock(24, 48), FilmView("shaded", "drifting", 180)
    shown = list(frames(Drawing, None, [0.0] * 48, clock, view))
    steps = [view.steps(clock, k) for k in range(48)]
    assert len(set(steps)) > 6
    (x0, y0), (x1, y1) = steps[0], steps[24]
    dx, dy = x1 - x0, y1 - y0
    assert dx > 0
    rows = slice(max(0, dy), 180 + min(0, dy)), slice(max(0, -dy), 180 + min(0, -dy))
    assert np.array_equal(shown[24][rows[0], dx:], shown[0][rows[1], : 320 - dx])
    assert all(abs(a - b) < 2 for one, two in pairwise(steps) for a, b in zip(one, two, strict=True))


@pytest.mark.parametrize("camera", ["still", "drifting"])
def test_courses_together_have_the_pictures_of_each_alone(camera):
    clock, view = Clock(24, 24), FilmView("textured", camera, 180)
    courses = [
        [float(k) for k in range(24)],
        [float(min(k, 9)) for k in range(24)],
        [2.0 * max(k, 9) - 9 for k in range(24)],
    ]
    together = list(course_frames(Drawing, None, courses, clock, view))
    for place, states in enumerate(courses):
        alone = frames(Drawing, None, states, clock, view)
        assert all(np.array_equal(each[place], one) for each, one in zip(together, alone, strict=True))
    same = [each[0] is each[1] for each in together]
    assert same == [k < 10 for k in range(24)]
