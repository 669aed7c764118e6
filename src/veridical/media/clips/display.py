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


def displayed(frame: VideoFrame) -> NDArray[np.uint8]:
    """The pixels of a frame: shape (height, width, 3), uint8 sRGB, rotated as the container says.

    The exact conversion gives the same pixels on every processor. Raises `UnusableError` for a rotation that is not a
    multiple of 90 degrees, with or without mirroring.
    """
    from av.video.reformatter import Interpolation

    exact = Interpolation.BILINEAR | Interpolation.ACCURATE_RND | Interpolation.BITEXACT | Interpolation.FULL_CHR_H_INT
    pixels: Any = frame.to_ndarray(format="rgb24", interpolation=exact, threads=1)
    sides: Any = frame.side_data
    for side in (sides[place] for place in range(len(sides))):
        if side.type.name == "DISPLAYMATRIX":
            pixels = turned(pixels, struct.unpack("<9i", bytes(side)))
    return np.ascontiguousarray(pixels)


def turned(pixels: NDArray[np.uint8], matrix: tuple[int, ...]) -> NDArray[np.uint8]:
    """The pixels moved by a display matrix (a, b, u, c, d, v, ...), which maps (x, y) to (a x + c y, b x + d y)."""
    exact = [matrix[place] / _FIXED for place in (0, 1, 3, 4)]
    a, b, c, d = whole = [round(value) for value in exact]
    square = [abs(value) for value in whole] in ([1, 0, 0, 1], [0, 1, 1, 0])
    if not square or max(abs(value - near) for value, near in zip(exact, whole, strict=True)) > 0.01:
        raise UnusableError("its rotation is not a multiple of 90 degrees")
    if b:
        return pixels.transpose(1, 0, 2)[::b, ::c]
    return pixels[::d, ::a]
