"""Clips whose frames carry their number: moving discs over a panned, noisy texture, for tests of time and of speed."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from fractions import Fraction

import av
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
BITS = 12


def numbered(count: int, width: int, height: int) -> Iterator[Pixels]:
    """Frames of shape (height, width, 3) with their number, 0 to 4,095, in bars at the top."""
    random = np.random.default_rng(7)
    texture = random.integers(60, 190, (height // 8 + 1, width // 4, 3), np.uint8).repeat(8, 0).repeat(8, 1)
    noise = random.integers(0, 12, (height, width, 1), np.uint8)
    y, x = np.mgrid[:height, :width]
    for index in range(count):
        pan = index * 2 % width
        pixels = texture[:height, pan : pan + width] + np.roll(noise, index * 37, axis=1)
        for disc in range(4):
            row = height * (0.5 + 0.3 * np.sin(index / 25 + disc))
            column = width * (0.5 + 0.4 * np.cos(index / (20 + 7 * disc) + disc))
            pixels[(y - row) ** 2 + (x - column) ** 2 < (height / 10) ** 2] = (250, 60 * disc, 40)
        yield _with_bars(pixels, index)


def number_in(pixels: Pixels) -> int:
    """The number that the bars at the top of a frame state.

    >>> [number_in(frame) for frame in numbered(3, 96, 64)]
    [0, 1, 2]
    """
    height, width, _ = pixels.shape
    bars = pixels[: height // 8, : width // BITS * BITS].mean((0, 2)).reshape(BITS, -1).mean(1)
    return sum(1 << bit for bit in range(BITS) if bars[bit] > 128)


def encoded(
    frames: Iterator[Pixels],
    *,
    container: str = "mp4",
    rate: int = 30,
    times: Sequence[int] | None = None,
    turn: int = 0,
) -> bytes:
    """The bytes of an H.264 clip with B-frames; `times` are in milliseconds, `turn` in degrees."""
    target = io.BytesIO()
    base = Fraction(1, 1000) if times else Fraction(1, rate)
    with av.open(target, "w", format=container) as file:
        stream = file.add_stream("libx264", rate=rate, options={"g": "250", "threads": "1"})
        for index, pixels in enumerate(frames):
            if not index:
                stream.height, stream.width, _ = pixels.shape
                stream.pix_fmt, stream.codec_context.time_base = "yuv420p", base
                if turn:
                    stream.set_display_rotation(turn)
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            frame.pts, frame.time_base = times[index] if times else index, base
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
    return target.getvalue()


def repeated(content: bytes, times: int) -> bytes:
    """An MP4 clip several times in a row, its packets as they are."""
    return _remuxed(content, [0] * times)


def cut_before(content: bytes, frames: int, rate: int = 30) -> bytes:
    """An MP4 clip without its first frames, which stay in the file: an edit list discards them."""
    return _remuxed(content, [-frames], rate)


def _remuxed(content: bytes, shifts: Sequence[int], rate: int = 30) -> bytes:
    target = io.BytesIO()
    with av.open(target, "w", format="mp4") as file:
        stream = None
        for turn, shift in enumerate(shifts):
            with av.open(io.BytesIO(content), "r") as source:
                old = source.streams.video[0]
                stream = stream or file.add_stream_from_template(old)
                assert old.time_base is not None
                step = round(1 / rate / old.time_base)
                offset = (turn * old.frames + shift) * step
                for packet in source.demux(old):
                    if not packet.size:
                        continue
                    assert packet.pts is not None
                    assert packet.dts is not None
                    packet.pts, packet.dts, packet.stream = packet.pts + offset, packet.dts + offset, stream
                    file.mux(packet)
    return target.getvalue()


def _with_bars(pixels: Pixels, index: int) -> Pixels:
    height, width, _ = pixels.shape
    bars = np.array([255 * (index >> bit & 1) for bit in range(BITS)], np.uint8)
    pixels[: height // 8, : width // BITS * BITS] = bars.repeat(width // BITS)[None, :, None]
    return pixels
