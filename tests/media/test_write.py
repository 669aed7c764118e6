"""What is written is what was drawn, at exact times, and its past does not depend on its future."""

import io
from fractions import Fraction

import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.media.clips import FRAMES, barcode, decoded_straight, read_barcode
from veridical.errors import InputError
from veridical.media.clips.write import clips_of_equal_length, encode_clip
from veridical.media.decode import decode
from veridical.media.draw import Disc, Rectangle, Scene, rasterise


def pixels_of(content):
    return [frame.pixels for frame in decode(content, "clip").frames()]


@pytest.mark.parametrize("rate", [24, 25, 30, Fraction(30000, 1001), Fraction(1, 2), 7])
def test_frame_k_is_on_display_from_k_over_rate(rate):
    clip = decode(encode_clip(iter(FRAMES), rate), "clip")
    assert clip.times == tuple(k / Fraction(rate) for k in range(20))
    assert (clip.rate, clip.duration) == (rate, 20 / Fraction(rate))
    assert [read_barcode(frame.pixels) for frame in clip.frames()] == list(range(20))


def test_the_same_frames_give_the_same_bytes_with_the_index_in_front():
    content = encode_clip(FRAMES, 24)
    assert content == encode_clip(iter(FRAMES), 24)
    assert content.find(b"moov") < content.find(b"mdat")
    assert [index for _, index in decoded_straight(content)] == list(range(20))


def test_clips_of_one_length_decode_as_before_and_are_whole_files():
    plain = [encode_clip(FRAMES[:count], 24) for count in (2, 20, 20)]
    padded = [content for _, (content,) in clips_of_equal_length([(k, (content,)) for k, content in enumerate(plain)])]
    assert len({len(content) for content in padded}) == 1
    for before, after in zip(plain, padded, strict=True):
        assert decoded_straight(after) == decoded_straight(before)
        assert decode(after, "clip").times == decode(before, "clip").times
        kinds, at = [], 0
        while at < len(after):
            kinds.append(after[at + 4 : at + 8])
            at += int.from_bytes(after[at : at + 4], "big")
        assert (at, kinds[-1]) == (len(after), b"free")


def moving(count, event, size, speed):
    """A disc over a texture; from frame `event` on it jumps, and the light goes out."""
    ground = barcode(0, size, size)
    for k in range(count):
        gone = k >= event
        color = (30, 60, 200) if gone else (210, 40, 30)
        disc = Disc((size * 0.2 + speed * k, size * (0.7 if gone else 0.4)), size / 8, color)
        scene = rasterise(Scene(size, size, (255, 255, 255), (Rectangle(0, 0, size, size, (200, 200, 200)), disc)))
        yield scene // 2 + ground // (4 if gone else 2)


@given(
    event=st.integers(1, 15),
    other=st.integers(1, 15),
    size=st.sampled_from([48, 64, 104]),
    speed=st.floats(0, 3),
    preset=st.sampled_from(["medium", "ultrafast"]),
)
@settings(max_examples=40)
def test_clips_that_share_their_first_frames_are_alike_in_them(event, other, size, speed, preset):
    one, two = (pixels_of(encode_clip(moving(16, at, size, speed), 24, preset)) for at in (event, other))
    for k in range(min(event, other) if event != other else 16):
        assert np.array_equal(one[k], two[k])
    assert event == other or not np.array_equal(one[min(event, other)], two[min(event, other)])


def test_each_preset_is_as_like_the_frames():
    frames = list(moving(16, 8, 104, 2.0))
    away = {
        preset: np.mean([np.abs(a.astype(int) - b) for a, b in zip(pixels_of(clip), frames, strict=True)])
        for preset, clip in ((each, encode_clip(frames, 24, each)) for each in ("medium", "ultrafast"))
    }
    assert away["ultrafast"] < 1.1 * away["medium"]


def test_a_longer_clip_begins_as_the_shorter_one():
    short, long = pixels_of(encode_clip(FRAMES[:7], 24)), pixels_of(encode_clip(FRAMES, 24))
    assert all(map(np.array_equal, short, long))


def test_colors_come_back_and_readers_are_told_how_they_are_coded():
    flat = np.zeros((64, 64, 3), np.uint8)
    for corner, color in enumerate([(200, 30, 40), (20, 160, 60), (30, 60, 210), (250, 250, 245)]):
        flat[32 * (corner // 2) :, 32 * (corner % 2) :] = color
    content = encode_clip([flat] * 3, 24)
    for pixels in pixels_of(content):
        assert np.abs(pixels.astype(int) - flat)[4:-4:8, 4:-4:8].max() <= 4
    with av.open(io.BytesIO(content)) as file:
        codec = file.streams.video[0].codec_context
        assert (codec.colorspace, codec.color_range) == (6, 1)
        assert not codec.has_b_frames


def test_what_cannot_be_written_is_said():
    with pytest.raises(InputError, match="a clip of 63x64: width and height must be even"):
        encode_clip([FRAMES[0][:, :63]], 24)
    with pytest.raises(ValueError, match="needs at least one frame"):
        encode_clip([], 24)
    with pytest.raises(ValueError, match="frame 1 is"):
        encode_clip([FRAMES[0], FRAMES[0][:32]], 24)
    with pytest.raises(ValueError, match="frame 0 is"):
        encode_clip([FRAMES[0].astype(float)], 24)
    with pytest.raises(ValueError, match="frames per second"):
        encode_clip(FRAMES, 0)
