"""Where a page finds a picture: in itself, or in a folder beside it."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from veridical.base.files import write_whole
from veridical.errors import InputError
from veridical.report.items import Picture

_KINDS = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif"}


def picture_source(media: Callable[[str], bytes] | None, page: Path, assets: Path | None) -> Picture:
    """A function from a media file to a data URI, or to the relative address of a copy in the folder `assets`.

    Copies are named by the hash of their bytes. What is missing, or is no PNG, JPEG, GIF or WebP by its first bytes,
    has no source; the note says which.
    """

    def source(file: str) -> tuple[str | None, str]:
        if media is None:
            return None, "shown without the stimulus set"
        try:
            data = media(file)
        except (OSError, KeyError, InputError):
            return None, f"picture missing: {file}"
        kind = _kind(data)
        if kind is None:
            return None, f"not a picture that a page can show: {file}"
        if assets is None:
            return f"data:image/{kind};base64,{base64.b64encode(data).decode()}", ""
        copy = assets / f"{hashlib.sha256(data).hexdigest()}.{kind}"
        if not copy.exists():
            write_whole(copy, data)
        return quote(Path(os.path.relpath(copy, page.parent)).as_posix()), ""

    return source


def _kind(data: bytes) -> str | None:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    return next((kind for magic, kind in _KINDS.items() if data.startswith(magic)), None)
