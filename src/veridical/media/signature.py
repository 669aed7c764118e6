"""The format of a file by its first bytes; names and extensions are ignored."""

from __future__ import annotations

from veridical.errors import InputError
from veridical.records import Kind

ALLOWED = "PNG, JPEG and WebP pictures and MP4, MOV, WebM and Matroska clips are supported"
_PNG, _JPEG, _EBML = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"\x1a\x45\xdf\xa3"
_GIF = (b"GIF87a", b"GIF89a")
_OLD_MOV = (b"moov", b"mdat", b"wide")
# Pictures in the same container as MP4.
_STILL = (b"avif", b"avis", b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1", b"miaf")


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
