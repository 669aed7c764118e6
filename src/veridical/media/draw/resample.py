"""Exact downscaling of pictures by area averaging, as preprocessors do it."""

from __future__ import annotations

from functools import lru_cache
from math import gcd
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Plane = NDArray[np.float32]
_LARGEST_PERIOD = 128


def area_resize(pixels: NDArray[np.uint8], longer: int) -> NDArray[np.uint8]:
    """The picture with its longer side at `longer` px; each pixel is the mean over the area that it covers, in sRGB.

    Shape (height, width, 3), uint8. The shorter side is rounded to a whole pixel. Raises ValueError for upscaling.

    >>> area_resize(np.array([[[0] * 3, [90] * 3, [60] * 3]], np.uint8), 2)[0, :, 0].tolist()
    [30, 70]
    """
    height, width, _ = pixels.shape
    return area_fit(pixels, *reduced_size(width, height, longer))


def reduced_size(width: int, height: int, longer: int) -> tuple[int, int]:
    """Width and height after reducing the longer side to `longer` px; raises ValueError for upscaling.

    >>> reduced_size(512, 256, 224)
    (224, 112)
    """
    scale = longer / max(height, width)
    if not 0 < scale <= 1:
        raise ValueError(f"{width}x{height} px cannot be reduced to {longer} px")
    return max(round(width * scale), 1), max(round(height * scale), 1)


def area_fit(pixels: NDArray[np.uint8], columns: int, rows: int) -> NDArray[np.uint8]:
    """The picture at exactly this width and height, each side scaled separately: shape (rows, columns, 3), uint8.

    Each pixel is the mean over the area that it covers, in sRGB. Raises ValueError for upscaling a side.
    """
    planes = area_planes(np.ascontiguousarray(pixels.transpose(2, 0, 1)), columns, rows)
    fitted = np.empty((rows, columns, len(planes)), np.uint8)
    for channel, plane in enumerate(planes):  # many times as fast as one copy of all channels
        fitted[..., channel] = plane
    return fitted


def area_planes(planes: NDArray[np.uint8], columns: int, rows: int) -> NDArray[np.uint8]:
    """`area_fit` for planar channels, shape (channels, height, width), contiguous."""
    channels, height, width = planes.shape
    if not (0 < rows <= height and 0 < columns <= width):
        raise ValueError(f"{width}x{height} px cannot be reduced to {columns}x{rows} px")
    # Most stretches of rows in a figure repeat the previous one; a repeated stretch is reduced only once.
    period, count = _period(height, rows)
    stretches = planes.reshape(-1, period * width)
    words = stretches.view(np.uint64) if period * width % 8 == 0 else stretches
    new = np.ones(len(stretches), bool)
    new[1:] = (words[1:] != words[:-1]).any(1)
    once = stretches[new].astype(np.float32).reshape(-1, width)
    small = _fewer_columns(_fewer_rows(once, len(once) // period * count), columns)
    whole = np.rint(small, out=small).astype(np.uint8).reshape(-1, count * columns)
    filled: NDArray[np.uint8] = whole if new.all() else whole[np.cumsum(new) - 1]
    return filled.reshape(channels, rows, columns)


class Part(NamedTuple):
    """A part of a map that is 0 elsewhere: its top left corner and its values."""

    x: int
    y: int
    values: NDArray[np.uint8]


def area_part(part: Part, size: tuple[int, int], smaller: tuple[int, int]) -> Part:
    """A part of a map of this size (width, height) after `area_fit` has reduced the map to the smaller size.

    >>> area_part(Part(1, 0, np.array([[90, 60]], np.uint8)), (3, 1), (2, 1))
    Part(x=0, y=0, values=array([[30, 70]], dtype=uint8))
    """
    (width, height), (columns, rows) = size, smaller
    (across, wide), (down, high) = _period(width, columns), _period(height, rows)
    left, top = part.x // across, part.y // down
    right, bottom = -(-(part.x + part.values.shape[1]) // across), -(-(part.y + len(part.values)) // down)
    around = np.zeros(((bottom - top) * down, (right - left) * across), np.float32)
    x, y = part.x - left * across, part.y - top * down
    around[y : y + len(part.values), x : x + part.values.shape[1]] = part.values
    narrow = _fewer_rows(around, (bottom - top) * high)
    small = np.rint(_fewer_columns(narrow, (right - left) * wide)).astype(np.uint8)
    return Part(left * wide, top * high, small)


def _period(length: int, count: int) -> tuple[int, int]:
    """The shortest stretch of pixels that repeats over the whole length, and the number of pixels it is reduced to."""
    times = gcd(length, count)
    return length // times, count // times


def _fewer_rows(values: Plane, rows: int) -> Plane:
    """Fewer rows by many small matrix products: the shares repeat if the two lengths have a common divisor."""
    height, width = values.shape
    period, count = _period(height, rows)
    if period > _LARGEST_PERIOD:
        return cast(Plane, _shares(height, rows) @ values)
    return cast(Plane, np.matmul(_dense(period, count), values.reshape(-1, period, width)).reshape(rows, width))


def _fewer_columns(values: Plane, columns: int) -> Plane:
    height, width = values.shape
    period, count = _period(width, columns)
    if period > _LARGEST_PERIOD:
        return cast(Plane, (_shares(width, columns) @ np.ascontiguousarray(values.T)).T)
    return cast(Plane, (values.reshape(-1, period) @ _dense(period, count).T).reshape(height, columns))


@lru_cache(maxsize=64)
def _dense(length: int, count: int) -> Plane:
    """`_shares` as a dense matrix."""
    return cast(Plane, _shares(length, count).toarray())


@lru_cache(maxsize=64)
def _shares(length: int, count: int) -> csr_array:
    """The weight of each of `length` pixels in each of `count` equal stretches, shape (count, length)."""
    from scipy.sparse import csr_array

    edges = np.linspace(0, length, count + 1)
    first = np.floor(edges[:-1]).astype(int)
    span = int(np.ceil(length / count)) + 1
    at = first[:, None] + np.arange(span)
    covered = np.minimum(at + 1, edges[1:, None]) - np.maximum(at, edges[:-1, None])
    shares = np.clip(covered, 0, 1) * (count / length)
    row = np.repeat(np.arange(count), span)
    kept = (shares.ravel() > 1e-12) & (at.ravel() < length)
    values = shares.ravel()[kept].astype(np.float32)
    return csr_array((values, (row[kept], at.ravel()[kept])), shape=(count, length))
