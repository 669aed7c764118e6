"""Decoding untrusted pictures: known formats, bounded size. Encoding JPEG."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from veridical.errors import InputError

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("PNG", "JPEG", "WEBP")
LARGEST = 4096 * 4096
"""The maximum number of pixels of a picture or of a frame of a clip."""
LARGEST_FILE = 64 * 2**20
"""The maximum number of bytes of a picture's file."""

_MODES = ("1", "L", "LA", "P", "PA", "RGB", "RGBA", "CMYK")


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A decoded picture: `pixels` of shape (height, width, 3), uint8."""

    pixels: NDArray[np.uint8]

    @property
    def width(self) -> int:
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        return int(self.pixels.shape[0])


def decode_picture(content: bytes, name: str) -> NDArray[np.uint8]:
    """The pixels of a PNG, JPEG or WebP picture: shape (height, width, 3), uint8; transparent parts become white.

    The picture is rotated according to its EXIF data. Raises `InputError`, which names the file, if it is not a
    complete picture of these formats, or has several frames, more than 8 bits per channel, more than 4096 x 4096
    pixels, or more than 64 MB.
    """
    from PIL import Image, ImageOps

    if len(content) > LARGEST_FILE:
        raise too_large(name)
    try:
        with warnings.catch_warnings():
            # Pillow warns about sizes that are refused below.
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(content), formats=FORMATS) as picture:
                _require_readable(name, picture)
                turned = ImageOps.exif_transpose(picture)
                if turned.has_transparency_data:
                    ground = Image.new("RGBA", turned.size, "white")
                    turned = Image.alpha_composite(ground, turned.convert("RGBA"))
                return np.asarray(turned.convert("RGB"))
    except Image.DecompressionBombError:
        raise InputError(f"{name} is too large: at most 4096x4096 pixels are supported") from None
    except (OSError, SyntaxError, ValueError, struct.error, zlib.error) as error:
        raise InputError(f"{name} is not a complete picture ({', '.join(FORMATS)} are supported)") from error


def encode_jpeg(pixels: NDArray[np.uint8], quality: int) -> bytes:
    """A JPEG file of pixels of shape (height, width, 3), uint8, at a quality of 1 to 100, with chroma at half the size.

    >>> encode_jpeg(np.zeros((16, 16, 3), np.uint8), 90)[:3].hex()
    'ffd8ff'
    """
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=quality, subsampling="4:2:0")
    return file.getvalue()


def too_large(name: str) -> InputError:
    """The error for a file of more than `LARGEST_FILE` bytes."""
    return InputError(f"{name} is larger than {LARGEST_FILE >> 20} MB, the maximum for a picture")


def _require_readable(name: str, picture: Image) -> None:
    width, height = picture.size
    if width * height > LARGEST:
        raise InputError(f"{name} is a picture of {width}x{height}: at most 4096x4096 pixels are supported")
    if getattr(picture, "n_frames", 1) != 1:
        raise InputError(f"{name} has {getattr(picture, 'n_frames', 0)} frames: a picture must have exactly one")
    if picture.mode not in _MODES:
        raise InputError(f"{name} has more than 8 bits per channel ({picture.mode}): save it with 8")
