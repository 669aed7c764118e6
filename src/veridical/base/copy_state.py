"""What is known of a working copy: of each file what was last the same here and elsewhere, and what waits."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from veridical.base.files import read_json, write_whole
from veridical.base.remote_files import BLOCKS, RemoteFile
from veridical.errors import InputError

Stat = tuple[int, int]
"""The size of a file and the time of its last change, in nanoseconds."""
_FORMAT = 1


def file_stats(folder: Path) -> dict[str, Stat]:
    """Size and time of each file of a copy by path, without temporary ones; a single file stands under ""."""
    if folder.is_file():
        found = folder.stat()
        return {"": (found.st_size, found.st_mtime_ns)}
    stats = {}
    for above, _, names in os.walk(folder):
        for each in names:
            path = Path(above, each)
            name = path.relative_to(folder).as_posix()
            if not (each.startswith(".") and each.endswith(".tmp")) and not name.startswith(f"{BLOCKS}/"):
                with suppress(FileNotFoundError):
                    stat = path.stat()
                    stats[name] = (stat.st_size, stat.st_mtime_ns)
    return stats


class StoredFile(NamedTuple):
    """A file as it was last the same here and elsewhere: its size, its time here, and its version elsewhere.

    `modified` is `None` for a medium that was not fetched, and −1 for a log of which only a part was uploaded.
    `version` is `None` for what was uploaded and not listed since.
    """

    size: int
    modified: int | None
    version: str | None

    @property
    def stat(self) -> tuple[int, int | None]:
        return self.size, self.modified

    def is_of(self, file: RemoteFile) -> bool:
        """Whether the file elsewhere is still this one."""
        return self.size == file.size if self.version is None else self.version == file.version


@dataclass
class CopyState:
    """The state of a working copy, in a file beside it.

    `pending` says that the copy may hold what is to be uploaded; without it, what differs here counts for nothing.
    While the folder elsewhere names the writer `token`, nobody else has written since the copy was brought up to date.
    `claim` is the token of a writer that may have ended before that.
    """

    path: Path
    url: str
    pending: bool
    token: str | None
    claim: str | None
    files: dict[str, StoredFile]

    @classmethod
    def read(cls, path: Path, url: str) -> CopyState:
        """The stored state, or that of a new copy; raises `InputError` for a damaged one."""
        if not path.exists():
            return cls(path, url, False, None, None, {})
        try:
            stored = read_json(path)
            files = {str(name): StoredFile(*facts) for name, facts in stored["files"].items()}
            if stored["format"] != _FORMAT or stored["url"] != url:
                raise ValueError("another format or URL")
            return cls(path, url, bool(stored["pending"]), stored["token"], stored["claim"], files)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{path} is damaged: move the folder {path.parent} away") from error

    def write(self) -> None:
        """Stores the state."""
        files = {name: list(stored) for name, stored in sorted(self.files.items())}
        whole = {"format": _FORMAT, "url": self.url, "pending": self.pending}
        whole |= {"token": self.token, "claim": self.claim, "files": files}
        write_whole(self.path, json.dumps(whole).encode())
