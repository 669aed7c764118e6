"""Writing frames to an MP4 file in which no frame depends on later frames.

The encoder uses no lookahead, no B-frames and no rate control over time. So two clips that share their first frames
decode to the same pixels in these frames. The same frames give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from veridical.errors import InputError
from veridical.media.clips.changes import BT601, LIMITED, FrameCoding
from veridical.media.pictures import LARGEST

if TYPE_CHECKING:
    from av.container import OutputContainer
    from av.video.stream import VideoStream

_CAUSAL = "threads=1:sliced-threads=0:bframes=0:rc-lookahead=0:sync-lookahead=0:mbtree=0:force-cfr=1"
Preset = Literal["medium", "ultrafast"]
_QUALITY: dict[Preset, dict[str, str]] = {
    "medium": {"crf": "16", "x264-params": _CAUSAL},
    # At one quantizer after a first frame that is coded finely, what does not move is coded once.
    "ultrafast": {"qp": "14", "x264-params": f"{_CAUSAL}:ipratio=2"},
}
LIKE = 24.0
"""How far a decoded frame may be from the drawn one, as `furthest` has it."""
_BLOCK = 8
_HEAD = 8
"""How long the head of a box is, in bytes: its length and its kind."""
T = TypeVar("T")


def encode_clip(frames: Iterable[NDArray[np.uint8]], rate: int | Fraction, preset: Preset = "medium") -> bytes:
    """An MP4 file (H.264, 4:2:0) of frames of shape (height, width, 3), uint8, at `rate` frames per second.

    Frame k is on display from exactly k / rate seconds. Frames are consumed one by one. The preset "ultrafast" is for
    drawings: it takes a quarter of the time and a third more bytes, and is as like the frames. Raises `InputError` for
    odd sizes, which 4:2:0 does not support, and for more than 4096 x 4096 pixels; ValueError if there are no frames, or
    frames differ in shape or are not uint8.

    >>> still = np.zeros((16, 32, 3), np.uint8)
    >>> encode_clip([still] * 3, 24)[4:12]
    b'ftypisom'
    """
    (content,) = encode_clips(((pixels,) for pixels in frames), rate, preset)
    return content


def encode_clips(
    frames: Iterable[Sequence[NDArray[np.uint8]]], rate: int | Fraction, preset: Preset = "medium"
) -> list[bytes]:
    """The files of clips whose frames come together, one of each clip at a time, each as `encode_clip` has it."""
    writers: list[_ClipWriter] = []
    for pictures in frames:
        writers = writers or [_ClipWriter(rate, preset) for _ in pictures]
        for writer, pixels in zip(writers, pictures, strict=True):
            writer.add(pixels)
    if rate <= 0:
        raise ValueError(f"{rate} frames per second")
    if not writers:
        raise ValueError("a clip needs at least one frame")
    return [writer.content() for writer in writers]


class _ClipWriter:
    """Encodes frames as they come."""

    def __init__(self, rate: int | Fraction, preset: Preset) -> None:
        import av

        if rate <= 0:
            raise ValueError(f"{rate} frames per second")
        self._rate, self._preset = rate, preset
        target = io.BytesIO()
        self._target = target
        # Moving the index to the front reads the file again while it is written.
        options = {"movflags": "faststart", "fflags": "+bitexact"}
        again: Callable[..., io.BytesIO] = lambda *_: io.BytesIO(target.getvalue())  # noqa: E731
        self._container = av.open(target, "w", format="mp4", options=options, io_open=again)
        self._stream: VideoStream | None = None
        self._shape: tuple[int, ...] = ()
        self._coding = FrameCoding()
        self._count = 0

    def add(self, pixels: NDArray[np.uint8]) -> None:
        """Encodes the next frame."""
        if self._stream is None:
            self._shape = pixels.shape
            self._stream = _stream(self._container, self._shape, self._rate, self._preset)
        if pixels.shape != self._shape or pixels.dtype != np.uint8:
            raise ValueError(f"frame {self._count} is {pixels.shape} {pixels.dtype}, frame 0 {self._shape} uint8")
        self._container.mux(self._stream.encode(self._coding.frame(pixels, self._count)))
        self._count += 1

    def content(self) -> bytes:
        """The file of all frames, of which there is one at least."""
        assert self._stream is not None
        self._container.mux(self._stream.encode(None))
        self._container.close()
        return self._target.getvalue()


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
    options = {"preset": preset, **_QUALITY[preset]}
    stream = container.add_stream("libx264", rate=Fraction(rate), options=options)
    stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
    stream.codec_context.thread_count = 1
    stream.codec_context.colorspace = stream.codec_context.color_primaries = stream.codec_context.color_trc = BT601
    stream.codec_context.color_range = LIMITED
    return stream


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
