"""Decoded frames as displayed: converted to sRGB and rotated."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from av.video.frame import VideoFrame

_FIXED = 1 << 16


class UnusableError(Exception):
    """A problem of a clip, without the clip's name."""


def displayed(frame: VideoFrame, longest: int | None = None) -> NDArray[np.uint8]:
    """The pixels of a frame: shape (height, width, 3), uint8 sRGB, rotated as the container says.

    A frame whose longer side has more than `longest` pixels is scaled down to it. The exact conversion gives the same
    pixels on every processor. Raises `UnusableError` for a rotation that is not a multiple of 90 degrees, with or
    without mirroring.
    """
    from av.video.reformatter import Interpolation

    a, b, c, d = _turn(frame)
    width, height = scaled_to(frame.width, frame.height, longest)
    kind = Interpolation.BILINEAR if (width, height) == (frame.width, frame.height) else Interpolation.AREA
    exact = kind | Interpolation.ACCURATE_RND | Interpolation.BITEXACT | Interpolation.FULL_CHR_H_INT
    pixels: Any = frame.to_ndarray(width=width, height=height, format="rgb24", interpolation=exact, threads=1)
    turned = pixels.transpose(1, 0, 2)[::b, ::c] if b else pixels[::d, ::a]
    return np.ascontiguousarray(turned)


def size_of(frame: VideoFrame) -> tuple[int, int]:
    """The width and height of a frame as displayed. Raises `UnusableError` as `displayed` does."""
    return (frame.height, frame.width) if _turn(frame)[1] else (frame.width, frame.height)


def scaled_to(width: int, height: int, longest: int | None) -> tuple[int, int]:
    """The size at which neither side is longer than `longest` pixels and the shape is kept; never a larger size.

    >>> scaled_to(1280, 720, 768), scaled_to(300, 200, 768), scaled_to(1280, 720, None)
    ((768, 432), (300, 200), (1280, 720))
    """
    if longest is None or max(width, height) <= longest:
        return width, height
    share = longest / max(width, height)
    return max(1, round(width * share)), max(1, round(height * share))


def _turn(frame: VideoFrame) -> tuple[int, int, int, int]:
    """The rotation of a frame: a display matrix (a, b, u, c, d, v, ...) maps (x, y) to (a x + c y, b x + d y)."""
    sides: Any = frame.side_data
    for side in (sides[place] for place in range(len(sides))):
        if side.type.name == "DISPLAYMATRIX":
            return _whole(struct.unpack("<9i", bytes(side)))
    return 1, 0, 0, 1


def _whole(matrix: tuple[int, ...]) -> tuple[int, int, int, int]:
    exact = [matrix[place] / _FIXED for place in (0, 1, 3, 4)]
    a, b, c, d = whole = [round(value) for value in exact]
    square = [abs(value) for value in whole] in ([1, 0, 0, 1], [0, 1, 1, 0])
    if not square or max(abs(value - near) for value, near in zip(exact, whole, strict=True)) > 0.01:
        raise UnusableError("its rotation is not a multiple of 90 degrees")
    return a, b, c, d
