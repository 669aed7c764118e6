"""Folders elsewhere as the library and its users name them: by a URL, or by what a file states."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from veridical.base.remote_folders import RemoteFolder
from veridical.base.working_copy import OPENED_BUCKETS, CopyMode, WorkingCopy
from veridical.errors import InputError


@contextmanager
def working_copy(
    url: str | Path, mode: CopyMode = "own", *, lazy: bool = False, take_over: bool = False
) -> Iterator[Path]:
    """The local folder in which a folder elsewhere (`s3://`, `gs://`, `hf://`) is worked on; a path is itself.

    It is brought up to date first. In the mode "own", what changes in it is uploaded while the block runs and at its
    end, and no other machine may write meanwhile, unless it takes over; in the mode "add", at the end alone; in the
    mode "read", never. With `lazy`, media of sets are fetched when they are first read. Raises `InputError` where the
    storage cannot be used, and where an upload failed: then all is kept, and the next call uploads it.
    """
    remote = RemoteFolder.of(url)
    if remote is None:
        yield Path(url)
        return
    copy = WorkingCopy(remote, mode, lazy=lazy)
    folder = copy.open(take_over=take_over)
    try:
        yield folder
    except BaseException as error:
        with suppress(InputError):
            copy.close()
        raise error
    copy.close()


def stored_folder(text: str) -> Path:
    """The folder that a file of a run states, as `stored_name` gave it: a path, or the working copy of a URL.

    The copy is brought up to date only where something in the same bucket was opened before: text in a run's file makes
    no connection to a place that the user did not name.
    """
    try:
        remote = RemoteFolder.of(text)
    except InputError:
        return Path(text)
    if remote is None:
        return Path(text)
    if remote.bucket in OPENED_BUCKETS:
        with suppress(InputError):
            WorkingCopy(remote, "read", lazy=True).open()
    return remote.local
