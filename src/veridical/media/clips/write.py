"""Writing frames to an MP4 file in which no frame depends on later frames.

The encoder uses no lookahead, no B-frames and no rate control over time. So two clips that share their first frames
decode to the same pixels in these frames. The same frames give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from veridical.errors import InputError
from veridical.media.pictures import LARGEST

if TYPE_CHECKING:
    from av.container import OutputContainer
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

_CAUSAL = "threads=1:sliced-threads=0:bframes=0:rc-lookahead=0:sync-lookahead=0:mbtree=0:force-cfr=1"
Preset = Literal["medium", "veryfast"]
_OPTIONS = {"crf": "16", "x264-params": _CAUSAL}
_BT601, _LIMITED = 6, 1
"""The color matrix and range (H.273 numbers) that readers assume if they ignore the file's own."""

LIKE = 24.0
"""How far a decoded frame may be from the drawn one, as `furthest` has it."""
_BLOCK = 8
_HEAD = 8
"""How long the head of a box is, in bytes: its length and its kind."""
T = TypeVar("T")


def encode_clip(frames: Iterable[NDArray[np.uint8]], rate: int | Fraction, preset: Preset = "medium") -> bytes:
    """An MP4 file (H.264, 4:2:0) of frames of shape (height, width, 3), uint8, at `rate` frames per second.

    Frame k is on display from exactly k / rate seconds. Frames are consumed one by one. With the preset "veryfast" a
    clip takes half the time, is as like the frames, and is about a tenth longer in bytes. Raises `InputError` for odd
    sizes, which 4:2:0 does not support, and for more than 4096 x 4096 pixels; ValueError if there are no frames, or
    frames differ in shape or are not uint8.

    >>> still = np.zeros((16, 32, 3), np.uint8)
    >>> encode_clip([still] * 3, 24)[4:12]
    b'ftypisom'
    """
    import av

    if rate <= 0:
        raise ValueError(f"{rate} frames per second")
    target = io.BytesIO()
    # Moving the index to the front reads the file again while it is written.
    options = {"movflags": "faststart", "fflags": "+bitexact"}
    with av.open(
        target, "w", format="mp4", options=options, io_open=lambda *_: io.BytesIO(target.getvalue())
    ) as container:
        stream: VideoStream | None = None
        shape: tuple[int, ...] = ()
        for index, pixels in enumerate(frames):
            if stream is None:
                shape = pixels.shape
                stream = _stream(container, shape, rate, preset)
            if pixels.shape != shape or pixels.dtype != np.uint8:
                raise ValueError(f"frame {index} is {pixels.shape} {pixels.dtype}, frame 0 {shape} uint8")
            container.mux(stream.encode(_frame(pixels, index)))
        if stream is None:
            raise ValueError("a clip needs at least one frame")
        container.mux(stream.encode(None))
    return target.getvalue()


def clips_of_equal_length(made: Sequence[tuple[T, tuple[bytes]]]) -> Iterator[tuple[T, tuple[bytes]]]:
    """Records with the same clips at one length, so that the number of bytes gives nothing away.

    A box of the kind "free", which players skip, fills the end of a file; pixels and times do not change.

    >>> still = np.zeros((16, 32, 3), np.uint8)
    >>> made = [(count, (encode_clip([still] * count, 24),)) for count in (3, 30)]
    >>> len({len(content) for _, (content,) in clips_of_equal_length(made)})
    1
    """
    length = max((len(content) for _, (content,) in made), default=0) + _HEAD
    for record, (content,) in made:
        rest = length - len(content)
        yield record, (content + rest.to_bytes(4, "big") + b"free" + bytes(rest - _HEAD),)


def _stream(container: OutputContainer, shape: tuple[int, ...], rate: int | Fraction, preset: Preset) -> VideoStream:
    if len(shape) != 3 or shape[2] != 3:
        raise ValueError(f"frames of shape {shape}: (height, width, 3) is needed")
    height, width, _ = shape
    if height % 2 or width % 2 or not 0 < height * width <= LARGEST:
        raise InputError(f"a clip of {width}x{height}: width and height must be even, at most 4096x4096 pixels in all")
    stream = container.add_stream("libx264", rate=Fraction(rate), options={"preset": preset, **_OPTIONS})
    stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
    stream.codec_context.thread_count = 1
    stream.codec_context.colorspace = stream.codec_context.color_primaries = stream.codec_context.color_trc = _BT601
    stream.codec_context.color_range = _LIMITED
    return stream


def _frame(pixels: NDArray[np.uint8], index: int) -> VideoFrame:
    from av.video.frame import VideoFrame
    from av.video.reformatter import Interpolation

    exact = Interpolation.BILINEAR | Interpolation.ACCURATE_RND | Interpolation.BITEXACT
    rgb = VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24")
    frame = rgb.reformat(format="yuv420p", interpolation=exact, dst_colorspace=5, dst_color_range=_LIMITED, threads=1)
    frame.pts = index
    return frame


def furthest(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """The largest difference, 0 to 255, of two pictures (height, width, 3) in the mean over a block of 8 x 8 px.

    Coding changes these means little. Rows and columns beyond the last whole block are not looked at.

    >>> grey = np.full((16, 16, 3), 100, np.uint8)
    >>> furthest(grey, grey + np.uint8(7))
    7.0
    """
    return float(np.abs(_blocks(one) - _blocks(other)).max())


def _blocks(pixels: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The mean of each block, shape (rows, columns, 3)."""
    height, width = (side - side % _BLOCK for side in pixels.shape[:2])
    blocks = pixels[:height, :width].reshape(height // _BLOCK, _BLOCK, width // _BLOCK, _BLOCK, 3)
    return np.asarray(blocks.mean((1, 3)))
