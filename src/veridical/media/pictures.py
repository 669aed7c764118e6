"""Decoding untrusted pictures: formats by their first bytes, bounded size. Encoding JPEG."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.errors import InputError
from veridical.records import Kind

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("PNG", "JPEG", "WEBP")
LARGEST = 4096 * 4096
"""The maximum number of pixels of a frame of a clip."""
MOST_DECODED = 512 * 2**20
"""The maximum number of bytes that a picture's pixels come to: three each, four where some are transparent."""
LARGEST_FILE = 256 * 2**20
"""The maximum number of bytes of a picture's file."""

_BUDGET = f"{MOST_DECODED >> 20} MB, the maximum; scale it down"
_MODES = ("1", "L", "LA", "P", "PA", "RGB", "RGBA", "CMYK")

ALLOWED = "PNG, JPEG and WebP pictures and MP4, MOV, WebM and Matroska clips are supported"
_PNG, _JPEG, _EBML = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"\x1a\x45\xdf\xa3"
_GIF = (b"GIF87a", b"GIF89a")
_OLD_MOV = (b"moov", b"mdat", b"wide")
# Pictures in the same container as MP4.
_STILL = (b"avif", b"avis", b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1", b"miaf")


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
    complete picture of these formats, or has several frames, more than 8 bits per channel, or comes to more than 512
    MB of pixels or 256 MB of file.
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
        raise InputError(f"{name} is too large: its pixels come to more than {_BUDGET}") from None
    except (OSError, SyntaxError, ValueError, struct.error, zlib.error) as error:
        raise InputError(f"{name} is not a complete picture ({', '.join(FORMATS)} are supported)") from error


def pooled_colors(content: bytes, name: str, cells: int = 16) -> NDArray[np.float32]:
    """The mean colors of `cells` × `cells` parts of a picture, row by row, from 0 to 1, shape (3 · cells²,).

    Raises `InputError` as `decode_picture` does.
    """
    from PIL import Image

    picture = Image.fromarray(decode_picture(content, name)).resize((cells, cells), Image.Resampling.BOX)
    return np.asarray(np.asarray(picture) / 255, np.float32).ravel()


def cell_grid(width: int, height: int, most_cells: int = 64) -> tuple[int, int]:
    """The size of a grid of at most so many cells a side: of those with at least half, the one nearest in shape.

    >>> cell_grid(640, 360), cell_grid(200, 150), cell_grid(120, 260), cell_grid(20, 10)
    ((64, 36), (64, 48), (24, 52), (20, 10))
    """
    longest = max(width, height)

    def rounded(cells: int) -> tuple[int, int]:
        return max(1, round(width * cells / longest)), max(1, round(height * cells / longest))

    def error(cells: int) -> float:
        columns, rows = rounded(cells)
        return abs(columns * height - rows * width) / (columns * height)

    most = min(most_cells, longest)
    return rounded(min(range(most, (most - 1) // 2, -1), key=error))


def pixel_shares(length: int, start: ArrayLike, end: ArrayLike) -> NDArray[np.float64]:
    """How much of each pixel of a row lies between two places, 0 to 1, of shape (places, length) or (length,).

    >>> pixel_shares(4, 0.5, 3).tolist()
    [0.5, 1.0, 1.0, 0.0]
    """
    edges = np.arange(length + 1, dtype=np.float64)
    first, last = (np.asarray(each, np.float64)[..., None] for each in (start, end))
    shares: NDArray[np.float64] = np.clip(np.minimum(edges[1:], last) - np.maximum(edges[:-1], first), 0.0, 1.0)
    return shares


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
    if width * height * (4 if picture.has_transparency_data else 3) > MOST_DECODED:
        raise InputError(f"{name} is a picture of {width}x{height}: its pixels come to more than {_BUDGET}")
    if getattr(picture, "n_frames", 1) != 1:
        raise InputError(f"{name} has {getattr(picture, 'n_frames', 0)} frames: a picture must have exactly one")
    if picture.mode not in _MODES:
        raise InputError(f"{name} has more than 8 bits per channel ({picture.mode}): save it with 8")


def kind_of(content: bytes, name: str) -> Kind:
    """Whether the content is a picture or a clip; raises `InputError`, which names the file, for anything else.

    >>> kind_of(b"BM", "a.png")
    Traceback (most recent call last):
    ...
    veridical.errors.InputError: a.png: unknown format: PNG, JPEG and WebP pictures and MP4, MOV, WebM and Matroska \
clips are supported
    """
    return "image" if mime_of(content, name).startswith("image/") else "video"


def mime_of(content: bytes, name: str) -> str:
    r"""The media type of the content; raises `InputError`, which names the file, for an unsupported format.

    >>> mime_of(b"\xff\xd8\xff\xe0", "a.png"), mime_of(b"\0\0\0\x14ftypisom", "b")
    ('image/jpeg', 'video/mp4')
    """
    if content.startswith(_PNG):
        return "image/png"
    if content.startswith(_JPEG):
        return "image/jpeg"
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    if content[4:8] == b"ftyp" and content[8:12] not in _STILL:
        return "video/quicktime" if content[8:12] == b"qt  " else "video/mp4"
    if content[4:8] in _OLD_MOV:
        return "video/quicktime"
    if content.startswith(_EBML):
        return "video/webm" if b"webm" in content[:64] else "video/x-matroska"
    if content.startswith(_GIF):
        raise InputError(f"{name}: a GIF: convert it to MP4 if it moves, else to PNG: {ALLOWED}")
    raise InputError(f"{name}: {'the file is empty' if not content else 'unknown format'}: {ALLOWED}")


SUFFIXES = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/webp": ".webp",
    "video/mp4": ".mp4",
    "video/quicktime": ".mov",
    "video/webm": ".webm",
    "video/x-matroska": ".mkv",
}


def suffix_of(content: bytes, name: str) -> str:
    r"""The file extension for this content; raises `InputError` as `mime_of` does.

    >>> suffix_of(b"\xff\xd8\xff\xe0", "a.png")
    '.jpg'
    """
    return SUFFIXES[mime_of(content, name)]
