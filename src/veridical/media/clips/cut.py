"""Detection of truncated clip files that have no index of frames: Matroska files and fragmented MP4 files."""

from __future__ import annotations

_EBML = b"\x1a\x45\xdf\xa3"


def is_cut(content: bytes) -> bool:
    """Whether the segment of a Matroska file, or the last box of a fragmented MP4 file, reaches past the end.

    A segment of unknown size, as in a live recording, never counts as cut; nor does a file that ends between fragments.
    """
    return _segment_is_cut(content) if content.startswith(_EBML) else _fragment_is_cut(content)


def _segment_is_cut(content: bytes) -> bool:
    header, size = _body(content, len(_EBML))
    segment, size = _body(content, header + (size or 0) + 4)
    return size is not None and segment + size > len(content)


def _body(content: bytes, place: int) -> tuple[int, int | None]:
    """The start of the body of the element whose size field is at this place, and the size; `None` if unknown."""
    first = content[place] if place < len(content) else 0
    length = 9 - first.bit_length()
    bits = 7 * length
    size = int.from_bytes(content[place : place + length]) & ((1 << bits) - 1)
    return place + length, None if size == (1 << bits) - 1 else size


def _fragment_is_cut(content: bytes) -> bool:
    place, fragmented = 0, False
    while place + 8 <= len(content):
        size, kind = int.from_bytes(content[place : place + 4]), content[place + 4 : place + 8]
        if size == 1:
            size = int.from_bytes(content[place + 8 : place + 16])
        if size < 8:
            return False
        fragmented |= kind == b"moof"
        place += size
    return fragmented and place > len(content)
