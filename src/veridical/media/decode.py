"""Decoding media from bytes, and the records of media in a stimulus set."""

from __future__ import annotations

from hashlib import sha256

import numpy as np

from veridical.media.clips.read import Clip, Frame
from veridical.media.pictures import Picture, decode_picture, kind_of, mime_of
from veridical.records import Medium

Decoded = Picture | Clip

__all__ = [
    "Clip",
    "Decoded",
    "Frame",
    "Picture",
    "decode",
    "decode_picture",
    "hash_of",
    "kind_of",
    "medium_from",
    "medium_of",
    "mime_of",
    "problem_of",
]


def decode(content: bytes, name: str) -> Decoded:
    """The picture or clip in these bytes; the content decides the kind, `name` is only used in messages.

    Raises `InputError`, which names the file, for an unsupported format, an incomplete file, or a file over a limit. A
    clip's frames are decoded and checked only when they are requested.
    """
    return Picture(decode_picture(content, name)) if kind_of(content, name) == "image" else Clip.open(content, name)


def hash_of(decoded: Decoded) -> str:
    """The sha256 over shape and pixels of a picture, or of all frames of a clip in order; frames are streamed."""
    digest = sha256()
    for pixels in [decoded.pixels] if isinstance(decoded, Picture) else (frame.pixels for frame in decoded.frames()):
        digest.update(f"{pixels.shape}".encode())
        digest.update(np.ascontiguousarray(pixels).data)
    return digest.hexdigest()


def medium_of(file: str, content: bytes) -> Medium:
    """The record of a medium at this path inside its set; raises `InputError` as `decode` does."""
    return medium_from(file, decode(content, file))


def medium_from(file: str, decoded: Decoded) -> Medium:
    """The record of a decoded medium at this path inside its set."""
    if isinstance(decoded, Picture):
        return Medium(file=file, kind="image", width=decoded.width, height=decoded.height, sha256=hash_of(decoded))
    return Medium(
        file=file,
        kind="video",
        width=decoded.width,
        height=decoded.height,
        sha256=hash_of(decoded),
        frames=decoded.count,
        rate=None if decoded.rate is None else float(decoded.rate),
        duration=str(decoded.span.duration),
        last=str(decoded.span.last),
    )


def problem_of(medium: Medium, decoded: Decoded) -> str | None:
    """The problem of a medium, in one line; `None` if the decoded medium agrees with its record.

    Raises `InputError` for an incomplete clip.
    """
    actual = medium_from(medium.file, decoded)
    for what, stated, present in (
        ("kind", medium.kind, actual.kind),
        ("size", f"{medium.width}x{medium.height}", f"{actual.width}x{actual.height}"),
        ("number of frames", medium.frames, actual.frames),
        ("rate", medium.rate, actual.rate),
        ("duration", medium.duration, actual.duration),
        ("time of the last frame", medium.last, actual.last),
    ):
        if stated != present:
            return f"{medium.file}: the {what} is {present}, but {stated} in the table"
    return None if actual.sha256 == medium.sha256 else f"{medium.file}: the pixels are not those that were written"
