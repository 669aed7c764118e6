"""Where a page finds a picture or a clip: in itself, or in a folder beside it."""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from veridical.base.files import write_whole
from veridical.base.path_checks import path_from
from veridical.errors import InputError
from veridical.records import Kind

_PICTURES = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif"}
_CLIPS = {b"\x1a\x45\xdf\xa3": "webm", b"OggS": "ogg"}
_MP4 = (b"iso", b"mp4", b"avc1", b"M4V", b"dash", b"MSNV", b"3gp")
WORDS: dict[Kind, str] = {"image": "picture", "video": "clip"}


@dataclass(frozen=True, slots=True)
class MediaSource:
    """What shows a medium, and a key that is the same for the same bytes; or neither, and a note in its place.

    A source that is `inline` holds the medium's bytes; of a `large` medium they are too many for that.
    """

    url: str | None
    key: str = ""
    note: str = ""
    inline: bool = False
    large: bool = False


class FindSource(Protocol):
    """Finds what shows a medium, by its file and kind; `within` lets an inline picture have no more px on a side."""

    def __call__(self, file: str, kind: Kind, *, within: int | None = None) -> MediaSource: ...


def media_sources(
    media: Callable[[str], bytes] | None, page: Path, assets: Path | None, largest_clip: int
) -> FindSource:
    """A function from a medium's file and kind to a data URL, or to the relative address of a copy in `assets`.

    Copies are named by the hash of their bytes; they are not reduced. What is missing, or is by its first bytes no PNG,
    JPEG, GIF or WebP picture and no MP4, WebM or Ogg clip, has no source, nor has a clip of more than `largest_clip`
    bytes where there is no folder; the note says why.
    """

    def source(file: str, kind: Kind, *, within: int | None = None) -> MediaSource:
        if media is None:
            return MediaSource(None, note="shown without the stimulus set")
        try:
            data = media(file)
        except (OSError, KeyError, InputError):
            return MediaSource(None, note=f"{WORDS[kind]} missing or changed: {file}")
        form = _picture(data) if kind == "image" else _clip(data)
        if form is None:
            return MediaSource(None, note=f"not a {WORDS[kind]} that a page can show: {file}")
        digest = hashlib.sha256(data).hexdigest()
        if assets is not None:
            copy = assets / f"{digest}.{form}"
            if not copy.exists():
                write_whole(copy, data)
            return MediaSource(quote(path_from(page.parent, copy)), digest[:16])
        if kind == "video" and len(data) > largest_clip:
            return MediaSource(None, note=too_large(file, len(data)), large=True)
        if kind == "image" and within is not None:
            data, form = reduced_picture(data, within) or (data, form)
            digest = hashlib.sha256(data).hexdigest()
        return MediaSource(f"data:{kind}/{form};base64,{base64.b64encode(data).decode()}", digest[:16], inline=True)

    return source


def too_large(file: str, size: int) -> str:
    """Why a clip is not in the page, and the way out."""
    return f"{file}: this clip of {size / 1e6:.1f} MB is left out for size; a report with a folder of assets shows it"


def reduced_picture(data: bytes, within: int) -> tuple[bytes, str] | None:
    """A picture as a JPEG of at most so many px on its longer side, and its form; as it is where that saves nothing.

    `None` for what is by its first bytes no picture that a page can show.
    """
    from PIL import Image, UnidentifiedImageError

    form = _picture(data)
    if form is None:
        return None
    try:
        with Image.open(io.BytesIO(data)) as image:
            image.draft("RGB", (within, within))
            small = image.convert("RGB")
        small.thumbnail((within, within))
        content = io.BytesIO()
        small.save(content, "JPEG", quality=80)
    except (UnidentifiedImageError, OSError, ValueError):
        return data, form
    return (content.getvalue(), "jpeg") if content.tell() < len(data) else (data, form)


def _picture(data: bytes) -> str | None:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    return next((form for magic, form in _PICTURES.items() if data.startswith(magic)), None)


def _clip(data: bytes) -> str | None:
    if data[4:8] == b"ftyp" and data[8:12].startswith(_MP4):
        return "mp4"
    return next((form for magic, form in _CLIPS.items() if data.startswith(magic)), None)
