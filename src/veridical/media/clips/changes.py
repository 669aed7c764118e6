"""Conversion of frames between RGB and a codec's planes, only where a frame differs from the one before.

Both conversions are exact, and a pixel depends on its neighbors alone: a part of a frame, with a margin, gives the same
numbers as the whole frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from av.video.frame import VideoFrame

BT601, LIMITED = 6, 1
"""The color matrix and range (H.273 numbers) that readers assume if they ignore the file's own."""
_PLANAR = "yuv420p"
_SHARES = (1, 2, 2)
"""How many px of a frame a sample of each plane stands for, along each side."""
_MARGIN = 8
"""How far beyond a box is converted with it, in px; interpolation reaches 2 px."""


class PixelBox(NamedTuple):
    """A box of whole pixels: from (x0, y0) up to but without (x1, y1)."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.x1 - self.x0, self.y1 - self.y0

    def of(self, array: NDArray[np.uint8], share: int = 1) -> NDArray[np.uint8]:
        """The part of an array of pixels, or of samples that stand for `share` px along each side."""
        return array[self.y0 // share : self.y1 // share, self.x0 // share : self.x1 // share]

    def within(self, outer: PixelBox) -> PixelBox:
        """The same pixels, counted from the corner of another box."""
        return PixelBox(self.x0 - outer.x0, self.y0 - outer.y0, self.x1 - outer.x0, self.y1 - outer.y0)

    def grown(self, margin: int, size: tuple[int, int]) -> PixelBox:
        """The box with a margin, but no larger than a frame of that size, with even sides."""
        (width, height), edge = size, margin + 1
        x0, y0 = (max(0, each - edge) // 2 * 2 for each in self[:2])
        return PixelBox(x0, y0, min(width, (self.x1 + edge) // 2 * 2), min(height, (self.y1 + edge) // 2 * 2))


def difference(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> PixelBox | None:
    """The smallest box outside which two arrays, shape (height, width, ...), are equal; `None` if they are.

    >>> difference(np.zeros((4, 6), np.uint8), np.eye(4, 6, 2, dtype=np.uint8))
    PixelBox(x0=2, y0=0, x1=6, y1=4)
    """
    height, width = one.shape[:2]
    differs = (one != other).reshape(height, -1)
    rows = np.flatnonzero(differs.any(1))
    if not len(rows):
        return None
    first, last = int(rows[0]), int(rows[-1]) + 1
    columns = np.flatnonzero(differs[first:last].any(0)) // (differs.shape[1] // width)
    return PixelBox(int(columns[0]), first, int(columns[-1]) + 1, last)


class FrameCoding:
    """Makes frames for an encoder (4:2:0, BT.601, limited range) of pictures of one size, one after the other."""

    def __init__(self) -> None:
        self._pixels: NDArray[np.uint8] | None = None
        self._samples = np.empty(0, np.uint8)

    def frame(self, pixels: NDArray[np.uint8], index: int) -> VideoFrame:
        """The frame of this number with these pixels, shape (height, width, 3), both sides even."""
        height, width, _ = pixels.shape
        if self._pixels is None:
            self._samples = _coded(pixels)
        elif pixels is not self._pixels and (changed := difference(self._pixels, pixels)):
            box = changed.grown(2, (width, height))
            around = box.grown(_MARGIN, (width, height))
            parts = _planes(_coded(around.of(pixels)), around.size[0])
            for share, plane, part in zip(_SHARES, _planes(self._samples, width), parts, strict=True):
                box.of(plane, share)[...] = box.within(around).of(part, share)
        self._pixels = pixels
        frame = _video_frame(self._samples)
        frame.pts, frame.colorspace, frame.color_range = index, 5, LIMITED
        return frame


class FrameDisplay:
    """Gives the pixels of decoded frames, one after the other, as a conversion of each whole frame does."""

    def __init__(self) -> None:
        self._frame: VideoFrame | None = None
        self._pixels = np.empty(0, np.uint8)

    def pixels(self, frame: VideoFrame) -> NDArray[np.uint8]:
        """The pixels of a frame, shape (height, width, 3), uint8 sRGB, as they are stored: not rotated."""
        from av.video.reformatter import Interpolation

        last, self._frame = self._frame, frame
        if last is None or not _alike(last, frame):
            self._pixels = shown_pixels(frame)
            return self._pixels.copy()
        size, planes = (frame.width, frame.height), decoded_planes(frame)
        changes = [difference(*each) for each in zip(decoded_planes(last), planes, strict=True)]
        boxes = [[share * side for side in each] for share, each in zip(_SHARES, changes, strict=True) if each]
        if not boxes:
            return self._pixels.copy()
        x0, y0, x1, y1 = zip(*boxes, strict=True)
        box = PixelBox(min(x0), min(y0), max(x1), max(y1)).grown(2, size)
        around = box.grown(_MARGIN, size)
        if around.size == size:
            self._pixels = shown_pixels(frame)
        else:
            # A copy at another size is read as the frame is: it has the same colors, range, and place of chroma.
            part = frame.reformat(*around.size, interpolation=Interpolation.POINT, threads=1)
            for share, plane, piece in zip(_SHARES, planes, decoded_planes(part), strict=True):
                piece[...] = around.of(plane, share)
            box.of(self._pixels)[...] = box.within(around).of(shown_pixels(part))
        return self._pixels.copy()


def shown_pixels(frame: VideoFrame, size: tuple[int, int] | None = None) -> NDArray[np.uint8]:
    """The pixels of a frame, shape (height, width, 3), scaled down to a size (width, height), not rotated.

    The exact conversion gives the same pixels on every processor.
    """
    from av.video.reformatter import Interpolation

    width, height = own = frame.width, frame.height
    kind = Interpolation.BILINEAR if size in (None, own) else Interpolation.AREA
    width, height = size or own
    exact = kind | Interpolation.ACCURATE_RND | Interpolation.BITEXACT | Interpolation.FULL_CHR_H_INT
    pixels: Any = frame.to_ndarray(width=width, height=height, format="rgb24", interpolation=exact, threads=1)
    return np.asarray(pixels, np.uint8)


def decoded_planes(frame: VideoFrame) -> list[NDArray[np.uint8]]:
    """The samples of each plane, without the padding of rows."""
    return [
        np.frombuffer(plane, np.uint8)[: plane.height * plane.line_size].reshape(plane.height, -1)[:, : plane.width]  # type: ignore[call-overload]
        for plane in frame.planes
    ]


def _alike(one: VideoFrame, other: VideoFrame) -> bool:
    """Whether a part of one frame may be taken from the other."""
    if any(frame.format.name != _PLANAR or frame.width % 2 or frame.height % 2 for frame in (one, other)):
        return False
    return _form(one) == _form(other)


def _form(frame: VideoFrame) -> tuple[Any, ...]:
    return frame.width, frame.height, frame.colorspace, frame.color_range


def _coded(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The samples of all planes, one after the other, shape (3 / 2 height, width)."""
    from av.video.frame import VideoFrame
    from av.video.reformatter import Interpolation

    exact = Interpolation.BILINEAR | Interpolation.ACCURATE_RND | Interpolation.BITEXACT
    rgb = VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24")
    coded = rgb.reformat(format=_PLANAR, interpolation=exact, dst_colorspace=5, dst_color_range=LIMITED, threads=1)
    samples: Any = coded.to_ndarray()
    return np.asarray(samples, np.uint8)


def _planes(samples: NDArray[np.uint8], width: int) -> Sequence[NDArray[np.uint8]]:
    """The planes of samples that `_coded` gives, as views."""
    flat, count = samples.reshape(-1), samples.size // 6
    pieces = flat[: 4 * count], flat[4 * count : 5 * count], flat[5 * count :]
    return [piece.reshape(-1, width // share) for piece, share in zip(pieces, _SHARES, strict=True)]


def _video_frame(samples: NDArray[np.uint8]) -> VideoFrame:
    from av.video.frame import VideoFrame

    return VideoFrame.from_ndarray(samples, format=_PLANAR)
