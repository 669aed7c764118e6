"""Writing files so that a reader never meets half of one."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, data: bytes) -> Path:
    """The path, after the bytes took its place in one step: after a crash there is the old content or the new.

    Missing folders are made. Raises `OSError` where the place cannot be written to.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    return path
