"""Decoding media from bytes, and the records of media in a stimulus set."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from veridical.media.clips.read import Clip, Frame, common_start
from veridical.media.pictures import Picture, decode_picture, kind_of, mime_of
from veridical.records import Medium

if TYPE_CHECKING:
    from hashlib import _Hash

Decoded = Picture | Clip

__all__ = [
    "Clip",
    "Decoded",
    "Frame",
    "Picture",
    "clip_media",
    "decode",
    "decode_picture",
    "hash_of",
    "hashes_of",
    "kind_of",
    "medium_from",
    "medium_of",
    "mime_of",
    "problem_of",
    "undrawn_clip",
]


def decode(content: bytes, name: str) -> Decoded:
    """The picture or clip in these bytes; the content decides the kind, `name` is only used in messages.

    Raises `InputError`, which names the file, for an unsupported format, an incomplete file, or a file over a limit. A
    clip's frames are decoded and checked only when they are requested.
    """
    return Picture(decode_picture(content, name)) if kind_of(content, name) == "image" else Clip.open(content, name)


def hash_of(decoded: Decoded) -> str:
    """The sha256 over shape and pixels of a picture, or of all frames of a clip in order; frames are streamed."""
    if isinstance(decoded, Clip):
        return hashes_of([decoded])[0]
    digest = sha256()
    _add(digest, decoded.pixels)
    return digest.hexdigest()


def hashes_of(clips: Sequence[Clip]) -> list[str]:
    """The hash of each clip, as `hash_of` has it; what a clip has in common with the beginning of the first is shared.

    Frames are in common as long as the packets are, from which they are decoded.
    """
    lead, *others = clips
    common = [common_start(lead, clip) for clip in others]
    digest = sha256()
    begun = {0: digest.copy()}
    for frame in lead.frames():
        _add(digest, frame.pixels)
        if frame.index + 1 in common:
            begun[frame.index + 1] = digest.copy()
    hashes = [digest.hexdigest()]
    for clip, count in zip(others, common, strict=True):
        digest = begun[count].copy()
        for frame in clip.frames(range(count, clip.count)):
            _add(digest, frame.pixels)
        hashes.append(digest.hexdigest())
    return hashes


def _add(digest: _Hash, pixels: NDArray[np.uint8]) -> None:
    digest.update(f"{pixels.shape}".encode())
    digest.update(np.ascontiguousarray(pixels).data)


def medium_of(file: str, content: bytes) -> Medium:
    """The record of a medium at this path inside its set; raises `InputError` as `decode` does."""
    return medium_from(file, decode(content, file))


def clip_media(files: Sequence[tuple[str, bytes]]) -> list[Medium]:
    """The records of clips of one unit, each at its path; raises `InputError` as `decode` does."""
    clips = [Clip.open(content, file) for file, content in files]
    return [_clip_medium(clip.name, clip, own) for clip, own in zip(clips, hashes_of(clips), strict=True)]


def medium_from(file: str, decoded: Decoded) -> Medium:
    """The record of a decoded medium at this path inside its set."""
    if isinstance(decoded, Clip):
        return _clip_medium(file, decoded, hash_of(decoded))
    return Medium(file=file, kind="image", width=decoded.width, height=decoded.height, sha256=hash_of(decoded))


def undrawn_clip(file: str, size: tuple[int, int], frames: int, rate: int) -> Medium:
    """The record that a clip of this size (width, height) will have at its path, without its hash.

    >>> undrawn_clip("media/a.mp4", (640, 360), 48, 24).duration
    '2'
    """
    duration, last = str(Fraction(frames, rate)), str(Fraction(frames - 1, rate))
    return Medium(
        file=file,
        kind="video",
        width=size[0],
        height=size[1],
        sha256="",
        frames=frames,
        rate=float(rate),
        duration=duration,
        last=last,
    )


def _clip_medium(file: str, clip: Clip, digest: str) -> Medium:
    return Medium(
        file=file,
        kind="video",
        width=clip.width,
        height=clip.height,
        sha256=digest,
        frames=clip.count,
        rate=None if clip.rate is None else float(clip.rate),
        duration=str(clip.span.duration),
        last=str(clip.span.last),
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
