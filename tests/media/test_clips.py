"""A clip is a stream of the right frames at exact times, or one line that says why it is not usable."""

import io
import struct
from fractions import Fraction
from functools import cache
from hashlib import sha256

import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.media.clips import FRAMES, barcode, decoded_straight, found_wrong, only_audio, read_barcode, shifted, written
from veridical.errors import InputError
from veridical.media.clips.read import Clip
from veridical.media.decode import decode, hash_of, medium_of
from veridical.media.draw import encode_png

CONTAINERS = {
    "mp4": {},
    "mp4 in fragments": {"options": {"movflags": "frag_keyframe+empty_moov"}},
    "mp4 in a hurry": {"options": {"movflags": "faststart"}},
    "mov": {"container": "mov"},
    "mkv": {"container": "matroska"},
    "webm vp9": {"codec": "libvpx-vp9", "container": "webm"},
    "webm vp8": {"codec": "libvpx", "container": "webm"},
    "hevc": {"codec": "libx265"},
    "with sound": {"audio": True},
}


@cache
def clip_in(container="mp4"):
    return written(**CONTAINERS[container])


def drawn(clip):
    return [read_barcode(frame.pixels) for frame in clip.frames()]


@pytest.mark.parametrize("container", CONTAINERS)
def test_every_frame_comes_at_its_time_and_again_when_asked_again(container):
    clip = decode(clip_in(container), "clip")
    assert (clip.width, clip.height, clip.count, clip.rate) == (64, 64, 20, 24)
    step = clip.time_base
    assert all(abs(time - Fraction(k, 24)) < step for k, time in enumerate(clip.times))
    assert drawn(clip) == drawn(clip) == list(range(20))
    assert [frame.time for frame in clip.frames()] == list(clip.times)
    straight = decoded_straight(clip_in(container))
    assert [pts + straight[0][0] for pts in clip.pts] == [pts for pts, _ in straight]
    assert abs(clip.duration - Fraction(20, 24)) < 2 * step


def test_mp4_times_are_exact_also_at_odd_rates():
    clip = decode(written(rate=Fraction(30000, 1001), base=Fraction(1001, 30000)), "clip")
    assert clip.rate == Fraction(30000, 1001)
    assert clip.times == tuple(Fraction(k * 1001, 30000) for k in range(20))


@given(gaps=st.lists(st.integers(17, 133), min_size=1, max_size=19))
@settings(max_examples=15)
def test_a_varying_rate_is_none_and_its_times_are_kept(gaps):
    times = [sum(gaps[:k]) for k in range(len(gaps) + 1)]
    content = written(FRAMES[: len(times)], container="matroska", times=times, base=Fraction(1, 1000))
    clip = decode(content, "clip")
    assert clip.times == tuple(Fraction(time, 1000) for time in times)
    assert drawn(clip) == list(range(len(times)))
    even = all(abs(time - times[-1] * k / len(gaps)) <= 1 for k, time in enumerate(times))
    assert (clip.rate is not None) == even
    assert medium_of("m", content).rate == (float(clip.rate) if clip.rate else None)


def test_a_start_offset_is_taken_off():
    times = [7000 + round(1000 * k / 24) for k in range(20)]
    content = written(container="matroska", times=times, base=Fraction(1, 1000))
    assert decoded_straight(content)[0][0] == 7000
    clip = decode(content, "clip")
    assert clip.times[0] == 0
    assert next(clip.frames()).time == 0
    assert drawn(clip) == list(range(20))


def test_frames_that_an_edit_list_discards_are_not_there():
    content = shifted(clip_in(), -5 * 512)
    with av.open(io.BytesIO(content)) as file:
        stream = file.streams.video[0]
        assert stream.frames == 20
        assert sum(packet.is_discard for packet in file.demux(stream)) == 5
    clip = decode(content, "clip")
    assert clip.count == 15
    assert drawn(clip) == list(range(5, 20))
    assert clip.times == tuple(Fraction(k, 24) for k in range(15))


def test_reference_frames_that_vp8_never_shows_are_not_there():
    def hide(index, packet):
        return bytes([packet[0] & ~0x10]) + packet[1:] if index == 7 else packet

    content = shifted(clip_in("webm vp8"), 0, container="webm", change=hide)
    shown = [k for k in range(20) if k != 7]
    assert [index for _, index in decoded_straight(content)] == shown
    assert drawn(decode(content, "clip")) == shown


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_a_clip_is_turned_as_its_matrix_says(degrees, mirrored):
    corner = np.full((64, 96, 3), 128, np.uint8)
    corner[:16, :16], corner[:16, -16:], corner[-16:, :16] = (255, 0, 0), (0, 255, 0), (0, 0, 255)
    content = written([corner] * 3, turn=(degrees, mirrored))
    place = content.find(b"tkhd") + 4 + 40
    a, b, _, c, d, *_ = (value / 65536 for value in struct.unpack(">9i", content[place : place + 36]))
    clip = decode(content, "clip")
    frame = next(clip.frames()).pixels
    assert frame.shape == (clip.height, clip.width, 3) == ((96, 64, 3) if degrees % 180 else (64, 96, 3))
    # Each corner's offset from the center goes where the container's matrix takes it.
    for x, y, color in ((-40, -24, (255, 0, 0)), (40, -24, (0, 255, 0)), (-40, 24, (0, 0, 255))):
        at = frame[int(clip.height / 2 + b * x + d * y), int(clip.width / 2 + a * x + c * y)]
        assert np.abs(at.astype(int) - color).max() < 40


def test_what_is_to_be_turned_by_some_other_angle_is_refused():
    with pytest.raises(InputError, match="not a multiple of 90 degrees"):
        decode(written(turn=(30, False)), "clip")


def test_the_hash_is_that_of_shapes_and_pixels_in_order():
    clip = decode(clip_in(), "clip")
    digest = sha256()
    for frame in clip.frames():
        digest.update(b"(64, 64, 3)" + frame.pixels.tobytes())
    assert medium_of("media/a.mp4", clip_in()).sha256 == hash_of(clip) == digest.hexdigest()


def test_a_medium_of_a_clip_is_checked_by_kind_size_frames_rate_and_pixels():
    medium = medium_of("media/a.mp4", clip_in())
    assert (medium.kind, medium.width, medium.height, medium.frames, medium.rate) == ("video", 64, 64, 20, 24.0)
    assert found_wrong(medium, clip_in()) is None
    for content, what in (
        (encode_png(FRAMES[0]), "kind is image"),
        (written(FRAMES[:19]), "number of frames is 19, but 20 in the table"),
        (written([frame[:32] for frame in FRAMES]), "size is 64x32, but 64x64"),
        (written(rate=25), "rate is 25.0, but 24.0"),
        (written([*FRAMES[:-1], barcode(40)]), "pixels are not those"),
        (clip_in()[:2000], "unusable clip"),
        (b"", "empty"),
    ):
        assert what in found_wrong(medium, content)


def test_only_what_is_wanted_is_turned_into_pixels():
    assert [frame.index for frame in decode(clip_in(), "clip").frames({3, 11})] == [3, 11]


@pytest.mark.parametrize("container", ["mp4 in a hurry", "mkv", "webm vp9"])
@pytest.mark.parametrize("share", [0.1, 0.3, 0.6, 0.9, 0.97])
def test_a_clip_that_is_cut_says_how_far_it_goes(container, share):
    content = clip_in(container)
    with pytest.raises(InputError, match=r"^cut\.mp4: (unusable clip|no clip|unknown)") as error:
        decode(content[: int(len(content) * share)], "cut.mp4")
    assert "\n" not in str(error.value)


def test_a_cut_clip_names_both_numbers():
    fast = clip_in("mp4 in a hurry")
    with pytest.raises(InputError, match=r"^cut\.mp4: unusable clip: decoded \d+ of 20 frames$"):
        decode(fast[: int(len(fast) * 0.6)], "cut.mp4")


def test_a_cut_fragmented_clip_is_refused():
    content = clip_in("mp4 in fragments")
    end = content.rfind(b"mfra") - 4
    for cut in (end - 1, end - 300):
        with pytest.raises(InputError, match=r"decoded \d+ of (20 frames|more frames: the file is cut)$"):
            decode(content[:cut], "cut.mp4")


@pytest.mark.parametrize(
    "content",
    [
        lambda: b"",
        lambda: b"just text, renamed to .mp4",
        only_audio,
        lambda: clip_in()[:-200],
        lambda: b"\0\0\0\x18ftypisom" + bytes(500),
    ],
    ids=["empty", "text", "audio", "no index", "zeros"],
)
def test_what_is_no_clip_is_one_line(content):
    with pytest.raises(InputError, match=r"^bad\.mp4: ") as error:
        decode(content(), "bad.mp4")
    assert "\n" not in str(error.value)


@given(seed=st.integers(0, 2**32), flips=st.integers(1, 60), which=st.sampled_from(sorted(CONTAINERS)))
@settings(max_examples=80)
def test_flipped_bits_are_noticed_by_the_hash_or_the_decoder_and_break_nothing(seed, flips, which):
    whole = clip_in(which)
    random = np.random.default_rng(seed)
    content = np.frombuffer(whole, np.uint8).copy()
    at = random.integers(0, len(content), flips)
    content[at] ^= (1 << random.integers(0, 8, flips)).astype(np.uint8)
    try:
        clip = decode(content.tobytes(), "flipped")
        frames = list(clip.frames()) if isinstance(clip, Clip) else []
    except InputError as error:
        refused = str(error)
    else:
        refused = None
    assert refused is None or "\n" not in refused
    if refused:
        return
    assert len(frames) == clip.count
    assert [frame.time for frame in frames] == list(clip.times)
    problem = found_wrong(medium_of("m", whole), content.tobytes())
    assert problem or [read_barcode(frame.pixels) for frame in frames] == list(range(20))


def test_limits_of_size_frames_and_pixels(monkeypatch):
    for module, name, value in (
        ("veridical.media.clips.read", "LARGEST_FILE", 100),
        ("veridical.media.clips.read", "MOST_PIXELS", 64 * 64 * 20 - 1),
        ("veridical.media.clips.container", "MOST_FRAMES", 19),
        ("veridical.media.clips.container", "LARGEST", 64 * 64 - 1),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(f"{module}.{name}", value)
            with pytest.raises(InputError, match="clip"):
                decode(clip_in(), "clip")
