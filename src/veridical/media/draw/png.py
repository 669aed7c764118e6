"""PNG encoding by a fast small writer, padded to one length if wanted; decoding by Pillow."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Sequence
from hashlib import sha256

import numpy as np
from isal import isal_zlib
from numpy.typing import NDArray

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LARGEST = 4096 * 4096

_END = b"\x00\x00\x00\x00IEND\xaeB`\x82"
_NAME = b"veRd"
"""An ancillary, private chunk that decoders skip (PNG specification, section 5.4)."""
_FRAME = 12


def encode_png(pixels: NDArray[np.uint8]) -> bytes:
    """An RGB PNG of shape (height, width, 3) uint8 pixels; the filter is "up" if a sample gets smaller, else "none".

    >>> len(encode_png(np.zeros((8, 8, 3), np.uint8))) < 100
    True
    """
    height, width, _ = pixels.shape
    rows = pixels.reshape(height, width * 3)
    filtered = np.empty((height, width * 3 + 1), np.uint8)
    if _up_is_smaller(rows):
        filtered[:, 0], filtered[0, 1:] = 2, rows[0]
        np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
    else:
        filtered[:, 0], filtered[:, 1:] = 0, rows
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = isal_zlib.compress(filtered, 1)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _END


def _up_is_smaller(rows: NDArray[np.uint8]) -> bool:
    """Whether a sample of rows (every sixteenth) compresses better after subtracting the row above."""
    sample = rows[1::16]
    less = sample - rows[::16][: len(sample)]
    return len(isal_zlib.compress(less, 1)) < len(isal_zlib.compress(sample.tobytes(), 1))


def decode_png(data: bytes) -> NDArray[np.uint8]:
    """The pixels of a PNG: shape (height, width, 3), uint8.

    Raises ValueError for bytes that are not a complete PNG, or a picture of more than 4096 x 4096 pixels.
    """
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=("PNG",)) as picture:
            if picture.width * picture.height > _LARGEST:
                raise ValueError(f"a picture of {picture.width}x{picture.height}: at most 4096x4096 is supported")
            return np.asarray(picture.convert("RGB"))
    except (OSError, SyntaxError, zlib.error) as error:
        raise ValueError("not a complete PNG picture") from error


def pixel_hash(pixels: NDArray[np.uint8]) -> str:
    """The sha256 of a picture's shape and pixels, independent of the file format."""
    digest = sha256(f"{pixels.shape}".encode())
    digest.update(np.ascontiguousarray(pixels).data)
    return digest.hexdigest()


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def same_length(files: Sequence[bytes]) -> list[bytes]:
    """The PNG files padded to one length by a chunk of zeros before the end; their pixels do not change.

    >>> from veridical.media.draw import encode_png
    >>> import numpy as np
    >>> small, large = np.zeros((2, 2, 3), np.uint8), np.arange(768, dtype=np.uint8).reshape(16, 16, 3)
    >>> len({len(file) for file in same_length([encode_png(small), encode_png(large)])})
    1
    """
    length = max(map(len, files)) + _FRAME
    return [_padded(file, length - len(file) - _FRAME) for file in files]


def _padded(file: bytes, count: int) -> bytes:
    if not file.endswith(_END):
        raise ValueError("not a PNG file with an IEND chunk at its end")
    return file[: -len(_END)] + _chunk(_NAME, bytes(count)) + _END
