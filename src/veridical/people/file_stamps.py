"""What was found out about a file or folder holds until one of its files is written again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from veridical.base.files import os_errors

Stamp = tuple[tuple[str, int, int], ...]
Result = TypeVar("Result")


class FileStamps(Generic[Result]):
    """Results about files and folders, each kept as long as the names, sizes and times of its files are the same."""

    def __init__(self) -> None:
        self._results: dict[Path, tuple[Stamp, Result]] = {}

    def result(self, place: Path, compute: Callable[[], Result]) -> Result:
        """The result about a place: an earlier one where no file of it was written since.

        Hidden files, such as half-written ones, do not count. Raises `InputError` for a place that cannot be read, and
        whatever `compute` raises, which is not kept.
        """
        stamp = _stamp(place)
        kept = self._results.get(place)
        if kept is not None and kept[0] == stamp:
            return kept[1]
        fresh = compute()
        self._results[place] = (stamp, fresh)
        return fresh


def _stamp(place: Path) -> Stamp:
    """The names, sizes and times in nanoseconds of a file, or of the files directly in a folder."""
    with os_errors(place, "read"):
        files = sorted(place.iterdir()) if place.is_dir() else [place]
        stats = [(path, path.stat()) for path in files if not (path.is_dir() or path.name.startswith("."))]
    return tuple((path.name, stat.st_size, stat.st_mtime_ns) for path, stat in stats)
