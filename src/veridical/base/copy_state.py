"""What is known of a working copy: of each file what was last the same here and elsewhere, and what waits."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from veridical.base.files import read_json, write_whole
from veridical.base.remote_files import RemoteFile
from veridical.errors import InputError

_FORMAT = 1


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
