"""Files that are odd or bad: each is read exactly, or is one line; and the rules of sampling on files of every kind."""

import io
import tracemalloc
from fractions import Fraction
from functools import cache

import av
import numpy as np
import pytest
from PIL import Image

from tests.media.clips import FRAMES, barcode, read_barcode, shifted, written
from tests.stimulus_set.standin import Still
from veridical.errors import InputError
from veridical.media.clips.container import MOST_FRAMES
from veridical.media.clips.sample import times_of
from veridical.media.decode import decode, medium_of
from veridical.media.derive import frames_of

RULES = ("uniform-5", "uniform-16", "uniform-5-ends", "4fps", "adaptive-2", "adaptive")
TIMES = [sum((17 + 31 * k % 117) for k in range(n)) for n in range(20)]
WIDE = [np.ascontiguousarray(np.repeat(frame, 2, axis=1)) for frame in FRAMES]
KINDS = {
    "constant rate, B-frames": lambda: written(),
    "varying rate": lambda: written(container="matroska", times=TIMES, base=Fraction(1, 1000)),
    "start offset": lambda: written(
        container="matroska", times=[7000 + 40 * k for k in range(20)], base=Fraction(1, 1000)
    ),
    "edit list": lambda: shifted(written(), -5 * 512),
    "rotated": lambda: written(WIDE, turn=(90, False)),
    "AV1 in MP4": lambda: written(codec=AV1),
    "AV1 in Matroska": lambda: written(codec=AV1, container="matroska"),
}
AV1 = next(name for name in ("libsvtav1", "libaom-av1") if name in av.codecs_available)


def of(content, *files):
    return Still("one", tuple(medium_of(name, content) for name in files or ("media/a.mp4",)))


def straight(content, turned):
    """(seconds, number in the barcode) of each frame that is shown, by PyAV alone."""
    with av.open(io.BytesIO(content)) as file:
        base = file.streams.video[0].time_base
        frames = [(frame.pts * base, frame.to_ndarray(format="rgb24")) for frame in file.decode(video=0)]
    return [(at - frames[0][0], read_barcode(pixels)) for at, pixels in frames]


def test_a_clip_whose_title_is_not_utf_8_is_read_like_any_other():
    target = io.BytesIO()
    with av.open(io.BytesIO(written())) as source, av.open(target, "w", format="mp4") as file:
        file.metadata["title"] = "Zxrich"
        stream = file.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                file.mux(packet)
    content = target.getvalue()
    assert content.count(b"Zxrich") == 1
    odd = content.replace(b"Zxrich", b"Z\xfcrich")
    assert [read_barcode(frame.pixels) for frame in decode(odd, "clip").frames()] == list(range(20))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("quality", [None, 90])
def test_no_frame_is_wrong_by_any_rule_in_any_kind_of_file(kind, rule, quality):
    content, stimulus, shown = shaped(kind)
    derived = list(frames_of(rule, quality=quality).make(stimulus, [decode(content, "clip")]))
    assert len(derived) == frames_of(rule).count(stimulus)
    assert [facts["requested"] for _, facts in derived] == [
        str(each) for each in times_of(rule, decode(content, "clip").span)
    ]
    for picture, facts in derived:
        requested, at = Fraction(facts["requested"]), facts["pts"] * Fraction(facts["time_base"])
        time, number = [each for each in shown if each[0] <= requested][-1]
        pixels = decode(picture, "frame").pixels
        upright = np.rot90(pixels, -1 if kind == "rotated" else 0)
        assert (at, read_barcode(upright)) == (time, number)
        assert picture.startswith(b"\xff\xd8" if quality else b"\x89PNG")


@cache
def shaped(kind):
    content = KINDS[kind]()
    return content, of(content), straight(content, kind == "rotated")


def test_the_kinds_are_what_they_are_called():
    def stream(kind):
        with av.open(io.BytesIO(shaped(kind)[0])) as file:
            first = file.streams.video[0]
            packets = [packet for packet in file.demux(first) if packet.size]
            return first, packets, first.codec_context.has_b_frames, first.codec_context.name

    assert stream("constant rate, B-frames")[2]
    assert any(packet.is_discard for packet in stream("edit list")[1])
    assert "av1" in stream("AV1 in MP4")[3]
    assert decode(shaped("varying rate")[0], "clip").rate is None
    rotated = decode(shaped("rotated")[0], "clip")
    assert (rotated.width, rotated.height) == (64, 128)


@pytest.mark.parametrize("container", ["mp4", "matroska"])
def test_a_clip_of_one_frame_shows_that_frame_as_often_as_a_rule_says(container):
    content = written(FRAMES[3:4], container=container)
    stimulus = of(content)
    for rule, count in (("uniform-4", 4), ("uniform-4-ends", 4), ("4fps", 1), ("adaptive-20", 1)):
        derived = list(frames_of(rule).make(stimulus, [decode(content, "clip")]))
        assert [facts["frame"] for _, facts in derived] == [0] * count
        assert {read_barcode(decode(picture, "frame").pixels) for picture, _ in derived} == {3}


@pytest.mark.parametrize("frames", [1, 4])
def test_a_gif_is_one_line_that_says_what_to_do_whatever_it_is_called(frames):
    file = io.BytesIO()
    first, *others = [Image.fromarray(frame) for frame in FRAMES[:frames]]
    first.save(file, "GIF", save_all=True, append_images=others)
    for name in ("a.gif", "a.mp4", "a.png"):
        with pytest.raises(InputError, match=rf"^{name}: a GIF: convert it to MP4 if it moves, else to PNG: ") as error:
            decode(file.getvalue(), name)
        assert "\n" not in str(error.value)


def test_ten_hours_at_a_low_rate_are_read_as_a_stream_and_four_a_second_are_one_line():
    frames, side = 720, 64
    content = written([barcode(k % 256) for k in range(frames)], rate=Fraction(1, 50))
    tracemalloc.start()
    stimulus = of(content)
    clip = decode(content, "long")
    assert (clip.count, clip.duration) == (frames, 36_000)
    derived = [
        (facts, read_barcode(decode(picture, "f").pixels))
        for picture, facts in frames_of("adaptive-7").make(stimulus, [clip])
    ]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    grid = [k * (144_000 - 1) // 6 // 4 // 50 for k in range(7)]
    assert [(facts["frame"], number) for facts, number in derived] == [(k, k % 256) for k in grid]
    assert peak < frames * side * side * 3 / 4
    with pytest.raises(
        InputError, match=r"^media/a.mp4: 4fps takes 144,000 frames of its 36000 s: at most 1,024 "
    ) as error:
        frames_of("4fps").count(stimulus)
    assert "\n" not in str(error.value)


def test_more_frames_than_are_supported_are_one_line():
    """Ten hours at 4 frames a second and more: the packets of a small clip, again and again."""
    target, small = io.BytesIO(), written(FRAMES[:8], options={"g": "1"})
    with av.open(io.BytesIO(small)) as source, av.open(target, "w", format="mp4") as file:
        old = source.streams.video[0]
        new = file.add_stream_from_template(old)
        content = next(bytes(packet) for packet in source.demux(old) if packet.is_keyframe)
        for index in range(MOST_FRAMES + 1):
            packet = av.Packet(content)
            packet.pts = packet.dts = index * 512
            packet.duration, packet.time_base, packet.is_keyframe, packet.stream = 512, old.time_base, True, new
            file.mux(packet)
    with pytest.raises(
        InputError, match=r"^long\.mp4: unusable clip: the clip has more than 131072 frames, the maximum$"
    ):
        decode(target.getvalue(), "long.mp4")


@pytest.mark.parametrize("break_", ["cut", "flipped"])
def test_no_frame_stands_in_for_one_that_is_missing(break_):
    content = written(options={"movflags": "faststart"})
    stimulus = of(content)
    if break_ == "cut":
        content = content[: int(len(content) * 0.6)]
    else:
        middle = len(content) * 3 // 4
        content = (
            content[:middle] + bytes(255 - each for each in content[middle : middle + 400]) + content[middle + 400 :]
        )
    with pytest.raises(InputError, match=r"^a\.mp4: unusable clip: decoded \d+ of 20 frames$"):
        list(frames_of("uniform-4").make(stimulus, [decode(content, "a.mp4")]))
