"""Padding files to one length, so that the file size reveals nothing about the picture."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

_END = b"\x00\x00\x00\x00IEND\xaeB`\x82"
_NAME = b"veRd"
"""An ancillary, private chunk that decoders skip (PNG specification, section 5.4)."""
_FRAME = 12


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
    body = _NAME + bytes(count)
    chunk = struct.pack(">I", count) + body + struct.pack(">I", zlib.crc32(body))
    return file[: -len(_END)] + chunk + _END
