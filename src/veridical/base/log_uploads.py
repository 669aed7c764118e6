"""Uploads of append-only logs: what was added since the last upload is a block of its own, the whole replaces them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from veridical.base.remote_files import LogBlock, block_name
from veridical.base.remote_folders import RemoteFolder

_MOST_BLOCKS = 100
"""With so many blocks, the next upload is of the whole log: who reads it need not fetch more."""


@dataclass
class _UploadedLog:
    """What is elsewhere of a log: the file that it was read from, its bytes and their hash, and its blocks."""

    inode: int
    size: int
    hashed: Any
    blocks: list[LogBlock] = field(default_factory=list)


class LogUploads:
    """The logs of a folder that are uploaded by this process; the first upload of each is of the whole log."""

    def __init__(self, remote: RemoteFolder) -> None:
        self._remote = remote
        self._logs: dict[str, _UploadedLog] = {}

    def in_blocks(self) -> list[str]:
        """The logs that end in blocks elsewhere."""
        return [name for name, log in self._logs.items() if log.blocks]

    def upload(self, name: str, path: Path, *, final: bool) -> int:
        """Uploads what was added to a log, up to the end of its last line, or, at the end, the whole log.

        Returns how many bytes of it are elsewhere. A log that was replaced by another is uploaded whole.
        """
        log = self._logs.get(name)
        with path.open("rb") as file:
            stat = os.fstat(file.fileno())
            grown = log is not None and stat.st_ino == log.inode and stat.st_size >= log.size
            if log is not None and grown and not final and len(log.blocks) < _MOST_BLOCKS:
                file.seek(log.size)
                self._add(name, log, _lines(file.read()))
                return log.size
            content = file.read()
        content = content if final else _lines(content)
        self._remote.storage.pipe_file(self._remote.place(name), content)
        self.remove(name)
        self._logs[name] = _UploadedLog(stat.st_ino, len(content), sha256(content))
        return len(content)

    def remove(self, name: str) -> None:
        """Removes the blocks of a log that this process uploaded."""
        log = self._logs.pop(name, None)
        self.remove_blocks(log.blocks if log else ())

    def remove_blocks(self, blocks: Iterable[LogBlock]) -> None:
        """Removes blocks that are in their log by now."""
        for block in blocks:
            with suppress(FileNotFoundError):
                self._remote.storage.rm_file(block.key)

    def _add(self, name: str, log: _UploadedLog, added: bytes) -> None:
        if not added:
            return
        after = log.hashed.copy()
        after.update(added)
        key = self._remote.place(block_name(name, log.size, after.hexdigest()))
        self._remote.storage.pipe_file(key, added)
        log.blocks.append(LogBlock(log.size, after.hexdigest(), key))
        log.size, log.hashed = log.size + len(added), after


def _lines(content: bytes) -> bytes:
    """The whole lines of a content."""
    return content[: content.rfind(b"\n") + 1]
