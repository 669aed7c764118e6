"""Working copies of folders elsewhere that nobody has opened for long, and that hold nothing which is only here."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from time import time

from veridical.base.copy_state import CopyState, file_stats
from veridical.base.files import lock_file, read_json
from veridical.base.remote_folders import cache_folder
from veridical.errors import InputError

UNUSED_DAYS = 90
"""Days after which a copy that no command has opened is deleted."""
_STATE = ".state.json"
_DAY = 86_400.0


def remove_unused_copies() -> list[Path]:
    """The working copies that were deleted: last opened more than `UNUSED_DAYS` ago, with nothing to be uploaded.

    A copy is kept while a process writes to it, if any file in it is not as it is elsewhere, as after an upload that
    failed, and if its state cannot be read.
    """
    until, removed = time() - UNUSED_DAYS * _DAY, []
    for state in sorted(cache_folder().glob(f"*/.*{_STATE}")):
        with suppress(OSError, InputError, ValueError, KeyError, TypeError):
            folder = state.with_name(state.name.removeprefix(".").removesuffix(_STATE))
            if state.stat().st_mtime < until and folder.exists() and _removed(folder, state):
                removed.append(folder)
    return removed


def _removed(folder: Path, path: Path) -> bool:
    """Whether a copy was deleted with its state, since it is whole elsewhere and no process works on it."""
    lock = lock_file(path.with_suffix(".lock"))
    if lock is None:
        return False
    try:
        whole = _is_whole_elsewhere(folder, CopyState.read(path, str(read_json(path)["url"])))
        if whole:
            path.unlink()  # first: what is left without it after a kill is brought up to date as a new copy
            rmtree(folder) if folder.is_dir() else folder.unlink()
        return whole
    finally:
        os.close(lock)


def _is_whole_elsewhere(folder: Path, state: CopyState) -> bool:
    """Whether every file of a copy was the same elsewhere when it was last compared, and nothing waits."""
    if state.pending or state.token or state.claim:
        return False
    stored = state.files
    return all(
        name in stored and stored[name].size == stat[0] and stored[name].modified in (None, stat[1])
        for name, stat in file_stats(folder).items()
    )
