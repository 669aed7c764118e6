"""What brings one file of a working copy up to date: it is fetched, dropped, kept, adopted, or left for later."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

from veridical.base.copy_state import StoredFile
from veridical.base.remote_files import RemoteFile, is_log

Decision = Literal["fetch", "leave", "adopt", "keep", "drop", "deleted", "compare"]
"""`leave`: to be fetched when it is read. `adopt`: it is the same here and elsewhere. `deleted`: here, so it is to be
removed elsewhere. `compare`: both have changed, and their contents decide."""
_MADE_AGAIN = ("outcomes.parquet", "status.json", "tables", "figures", "report.html", "README.md")


class FileVersions(NamedTuple):
    """A file as it was last the same here and elsewhere, as it is elsewhere, and its size and time here."""

    stored: StoredFile | None
    remote: RemoteFile | None
    local: tuple[int, int] | None


def is_medium(name: str) -> bool:
    """Whether a file is a picture or clip of a set, by its path."""
    return "media" in Path(name).parts[:-1]


def decision_of_copy(file: FileVersions, *, lazy: bool, exact: bool) -> Decision:
    """What is done with a file where the copy holds nothing that waits to be uploaded.

    With `exact`, what is not elsewhere is dropped even if it never was.

    >>> decision_of_copy(FileVersions(None, RemoteFile(3, "a"), None), lazy=False, exact=True)
    'fetch'
    """
    stored, remote, local = file
    if remote is None:
        return "drop" if stored is not None or exact else "keep"
    missing: Decision = "leave" if lazy else "fetch"
    if local is None or stored is None or not stored.is_of(remote):
        return missing
    if stored.modified is None:  # it was fetched when it was read
        return "adopt" if local[0] == remote.size else missing
    return "keep" if stored.stat == local else missing


def decision_of_pending(file: FileVersions, *, lazy: bool, ours: bool, mirrors: bool) -> Decision:
    """What is done with a file where the copy may hold what was not uploaded.

    `ours` says that nobody else can have written since; `mirrors`, that nothing here is dropped.

    >>> decision_of_pending(FileVersions(None, None, (3, 1)), lazy=False, ours=False, mirrors=False)
    'keep'
    """
    stored, remote, local = file
    missing: Decision = "leave" if lazy else "fetch"
    if remote is None:
        unchanged = stored is not None and local in (None, stored.stat)
        return "drop" if unchanged and not (ours or mirrors) else "keep"
    if local is None:
        if stored is None:  # ours: uploaded and deleted here by a process that ended before it could say so
            return "deleted" if ours else missing
        return missing if stored.modified is None or not (ours or stored.is_of(remote)) else "keep"
    if ours or (stored is not None and stored.is_of(remote)):
        return "keep"
    return missing if stored is not None and stored.stat == local else "compare"


def decision_of_contents(name: str, own: bytes, other: bytes) -> Decision | None:
    """Which content of a file counts, that here or `other`; `None` if neither goes on from the other.

    >>> decision_of_contents("responses.jsonl", b"1", b"12"), decision_of_contents("run.json", b"1", b"12")
    ('fetch', None)
    """
    if own == other:
        return "adopt"
    if is_log(name) and other.startswith(own):
        return "fetch"
    made_again = bool(name) and Path(name).parts[0] in _MADE_AGAIN
    return "keep" if made_again or (is_log(name) and own.startswith(other)) else None
