"""Logs of responses as they stand in a run: plain, or packed by Zstandard; each is read in the same way.

A log is packed or unpacked in three steps: a copy in the other form is written whole, it takes its place, and the log
in the old form is removed. A process that is killed leaves one form or both; of both, the plain one counts, and the
next step removes the other.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import file_digest, sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from veridical.base.files import flush_to_disk, locked_temporary, replace_atomically
from veridical.errors import InputError

SUFFIX = ".zst"
_LEVEL = 6
_BLOCK = 1 << 20


def packed_path(path: Path) -> Path:
    """Where a log stands when it is packed."""
    return path.with_name(path.name + SUFFIX)


def stored_path(path: Path) -> Path | None:
    """The file that a log stands in, plain or packed; `None` where there is none."""
    return next((place for place in (path, packed_path(path)) if place.exists()), None)


@contextmanager
def opened_log(path: Path) -> Iterator[BinaryIO]:
    """A log, opened for reading from its beginning to its end, plain or packed.

    Raises `FileNotFoundError` where there is none, and, while it is read, `InputError` for a damaged archive.
    """
    try:
        plain = path.open("rb")
    except FileNotFoundError:
        with packed_path(path).open("rb") as file:
            yield io.BufferedReader(_Unpacked(packed_path(path), file), _BLOCK)
    else:
        with plain:
            yield plain


@contextmanager
def seekable_log(path: Path) -> Iterator[BinaryIO]:
    """A log, opened for reading at any place; a packed one is unpacked to a temporary file that nobody else sees."""
    if path.exists():
        with path.open("rb") as file:
            yield file
        return
    with TemporaryFile() as file:
        for block in log_blocks(path):
            file.write(block)
        yield file


def log_blocks(path: Path) -> Iterator[bytes]:
    """The content of a log in blocks, plain or packed; nothing where there is none. Raises as `opened_log` does."""
    with suppress(FileNotFoundError), opened_log(path) as file:
        while block := file.read(_BLOCK):
            yield block


class _Unpacked(io.RawIOBase):
    """The content of an archive; raises `InputError` where it is damaged or cut off."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        import zstandard

        self._path, self._error = path, zstandard.ZstdError
        try:
            self._left = zstandard.get_frame_parameters(file.read(_HEADER)).content_size
        except zstandard.ZstdError as error:
            raise _damaged(path) from error
        file.seek(0)
        self._reader = zstandard.ZstdDecompressor().stream_reader(file)

    def readable(self) -> bool:
        return True

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        try:
            count = self._reader.readinto(target)
        except self._error as error:
            raise _damaged(self._path) from error
        self._left -= count
        if self._left < 0 or (not count and self._left):
            raise _damaged(self._path)
        return count


_HEADER = 18
"""The most bytes that the header of an archive has."""


def _damaged(path: Path) -> InputError:
    return InputError(f"{path} is damaged: it cannot be unpacked; restore it from a copy")


def pack_log(path: Path) -> None:
    """Writes a log's archive beside it; the plain log still counts until it is removed. The process must hold its lock.

    What was packed is read back. Raises `InputError` where it is not the same.
    """
    import zstandard

    packed, size = packed_path(path), path.stat().st_size
    compressor = zstandard.ZstdCompressor(_LEVEL, write_checksum=True, write_content_size=True)
    with replace_atomically(packed) as place:
        with path.open("rb") as source, place.open("wb") as target:
            compressor.copy_stream(source, target, size=size)
        with place.open("rb") as file:
            _require_same(path, _Unpacked(place, file))


def unpack_log(path: Path) -> None:
    """Makes a packed log a plain one, to which can be appended; a plain one stays as it is."""
    packed = packed_path(path)
    if not packed.exists():
        return
    with locked_temporary(path) as place:
        if not path.exists():  # else another process has unpacked it, or one was killed before it removed the archive
            with suppress(FileNotFoundError), place.open("wb") as target:
                for block in log_blocks(path):
                    target.write(block)
            flush_to_disk(place)
            place.rename(path)
        else:
            place.unlink()
        packed.unlink(missing_ok=True)


def _require_same(path: Path, unpacked: _Unpacked) -> None:
    digest = sha256()
    while block := unpacked.read(_BLOCK):
        digest.update(block)
    with path.open("rb") as source:
        same = file_digest(source, "sha256").digest() == digest.digest()
    if not same:
        raise InputError(f"{path} was not packed: what was written is not what it holds; try again")
