"""Small clips whose frames carry their own index, written by PyAV straight, in every container that is read."""

import io
from fractions import Fraction

import av
import numpy as np

from veridical.errors import InputError
from veridical.media.decode import decode, problem_of

SIDE = 64


def barcode(index, width=SIDE, height=SIDE):
    """A frame with its index in eight black or white bars at the top, over a still texture."""
    texture = np.random.default_rng(7).integers(90, 160, (height // 8, width // 8, 3), np.uint8)
    pixels = texture.repeat(8, 0).repeat(8, 1)
    bars = np.array([255 * (index >> bit & 1) for bit in range(8)], np.uint8)
    pixels[: height // 4] = bars.repeat(width // 8)[None, :, None]
    return pixels


def read_barcode(pixels):
    height, width, _ = pixels.shape
    bars = pixels[: height // 4].mean((0, 2)).reshape(8, width // 8).mean(1)
    assert ((bars < 60) | (bars > 195)).all()
    return sum(1 << bit for bit in range(8) if bars[bit] > 128)


FRAMES = [barcode(index) for index in range(20)]


def written(
    frames=FRAMES,
    *,
    codec="libx264",
    container="mp4",
    rate=24,
    times=None,
    base=None,
    turn=None,
    audio=False,
    options=None,
):
    """The bytes of a clip; `times` are its frames' in steps of `base`, `turn` is (degrees, mirrored)."""
    target = io.BytesIO()
    again = {"io_open": lambda *_: io.BytesIO(target.getvalue())}
    with av.open(target, "w", format=container, options=options or {}, **again) as file:
        stream = file.add_stream(codec, rate=rate, options={"g": "10", "x265-params": "log-level=none"})
        stream.height, stream.width = frames[0].shape[:2]
        stream.pix_fmt = "yuv420p"
        if base:
            stream.codec_context.time_base = base
        if turn:
            stream.set_display_rotation(turn[0], hflip=turn[1])
        sound = file.add_stream("aac", rate=48000, layout="mono") if audio else None
        for index, pixels in enumerate(frames):
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            frame.pts = times[index] if times else index
            frame.time_base = base or Fraction(1, rate)
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
        if sound:
            file.mux(sound.encode(silence()))
            file.mux(sound.encode(None))
    return target.getvalue()


def silence():
    frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
    frame.rate, frame.pts = 48000, 0
    return frame


def only_audio():
    target = io.BytesIO()
    with av.open(target, "w", format="mp4") as file:
        sound = file.add_stream("aac", rate=48000, layout="mono")
        file.mux(sound.encode(silence()))
        file.mux(sound.encode(None))
    return target.getvalue()


def shifted(content, shift, *, container="mp4", change=None):
    """The packets of a clip with `shift` steps added to their times: below 0 the container discards frames."""
    target = io.BytesIO()
    with av.open(io.BytesIO(content)) as source, av.open(target, "w", format=container) as file:
        old = source.streams.video[0]
        new = file.add_stream_from_template(old)
        for index, packet in enumerate(packet for packet in source.demux(old) if packet.size):
            moved = av.Packet(change(index, bytes(packet)) if change else bytes(packet))
            moved.pts, moved.duration = packet.pts + shift, packet.duration
            moved.dts = moved.pts if packet.dts is None else packet.dts + shift
            moved.time_base, moved.is_keyframe, moved.stream = packet.time_base, packet.is_keyframe, new
            file.mux(moved)
    return target.getvalue()


def decoded_straight(content):
    """Frames as (pts, index in the barcode) by PyAV, with none of the library's code."""
    with av.open(io.BytesIO(content)) as file:
        return [(frame.pts, read_barcode(frame.to_ndarray(format="rgb24"))) for frame in file.decode(video=0)]


def found_wrong(medium, content):
    """What is wrong with the content of a medium, whether decoding says so or the comparison."""
    try:
        return problem_of(medium, decode(content, medium.file))
    except InputError as error:
        return str(error)
