"""Opening pictures that somebody else made: inside one folder, of known formats, of bounded size."""

from __future__ import annotations

import struct
import warnings
import zlib
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from veridical.errors import InputError

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("PNG", "JPEG", "WEBP")
LARGEST = 4096 * 4096
"""The most pixels that a picture may have."""

_LARGEST_FILE = 64 * 2**20
_MODES = ("1", "L", "LA", "P", "PA", "RGB", "RGBA", "CMYK")


def inside(folder: Path, name: str) -> Path | None:
    """The file of that relative name in a folder, or `None` where there is none.

    Raises `InputError` for a name that is no relative path inside the folder, or a link that leads out of it.

    >>> inside(Path("mine"), "../etc/passwd")
    Traceback (most recent call last):
    ...
    veridical.errors.InputError: '../etc/passwd' is no path inside mine
    """
    path = PurePosixPath(name)
    outside = InputError(f"{name!r} is no path inside {folder}")
    if not name or "\0" in name or "\\" in name or path.is_absolute() or ".." in path.parts:
        raise outside
    try:
        found = (folder / path).resolve()
        if not found.is_relative_to(folder.resolve()):
            raise outside
        return found if found.is_file() else None
    except OSError as error:
        raise InputError(f"{name!r} cannot be a file in {folder}: {error.strerror}") from error


def read_picture(path: Path) -> NDArray[np.uint8]:
    """The pixels of a PNG, JPEG or WebP picture: shape (height, width, 3), uint8; what is transparent is white.

    Turned as its EXIF data say. Raises `InputError` for what is no whole picture of a format known here, has several
    frames, more than 8 bits a channel, or more than 4096 x 4096 pixels.
    """
    from PIL import Image, ImageOps

    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise InputError(f"{path} is larger than {_LARGEST_FILE >> 20} MB, the most that is read of a picture")
        with warnings.catch_warnings():
            # Pillow warns of sizes that are refused just below.
            warnings.simplefilter("ignore")
            with Image.open(path, formats=FORMATS) as picture:
                _require_readable(path, picture)
                turned = ImageOps.exif_transpose(picture)
                if turned.has_transparency_data:
                    ground = Image.new("RGBA", turned.size, "white")
                    turned = Image.alpha_composite(ground, turned.convert("RGBA"))
                return np.asarray(turned.convert("RGB"))
    except Image.DecompressionBombError:
        raise InputError(f"{path} is too large: at most 4096x4096 pixels are read") from None
    except (OSError, SyntaxError, ValueError, struct.error, zlib.error) as error:
        raise InputError(f"{path} is no whole picture ({', '.join(FORMATS)} are read)") from error


def _require_readable(path: Path, picture: Image) -> None:
    width, height = picture.size
    if width * height > LARGEST:
        raise InputError(f"{path} is a picture of {width}x{height}: at most 4096x4096 pixels are read")
    if getattr(picture, "n_frames", 1) != 1:
        raise InputError(f"{path} has {getattr(picture, 'n_frames', 0)} frames: pictures of one are read")
    if picture.mode not in _MODES:
        raise InputError(f"{path} has more than 8 bits a channel ({picture.mode}): save it with 8")
