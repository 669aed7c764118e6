"""The folder of a gallery: a page and a folder of pictures for each plate, which replace a former gallery whole."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from veridical.base.files import write_whole
from veridical.base.format import visible
from veridical.errors import InputError

SIGNATURE = '<meta name="generator" content="veridical gallery">'
"""What tells the page of a gallery from any other `index.html`."""


def former(folder: Path, kind: str) -> set[Path]:
    """The pictures `KIND/PLATE/FILE.KIND` of a former gallery in the folder; none where it is new or empty.

    Raises `InputError` where the folder holds anything else.
    """
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return set()
    index = folder / "index.html"
    if not folder.is_dir() or not index.is_file() or SIGNATURE.encode() not in index.read_bytes()[:1000]:
        raise InputError(f"{folder} holds something else: choose a new or empty folder, or one with a former gallery")
    files = re.compile(rf"index\.html|{kind}/[^/]+/[^/]+\.{kind}|({kind}/[^/]+/)?\.[^/]+\.tmp")
    folders = re.compile(rf"{kind}(/[^/]+)?")
    paths = list(folder.rglob("*"))
    for path in paths:
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() or not (folders if path.is_dir() else files).fullmatch(name):
            raise InputError(
                f"{folder} holds more than a former gallery ({visible(name)}): choose a new or empty folder"
            )
    return {path for path in paths if path.is_file() and path != index}


def write(folder: Path, page: bytes, pictures: Iterable[tuple[str, bytes]], old: Iterable[Path]) -> Path:
    """The path of the page, after it and the pictures (file in the folder, bytes) were written and `old` deleted."""
    index = write_whole(folder / "index.html", page)
    written = {write_whole(folder / file, data) for file, data in pictures}
    for path in set(old) - written:
        path.unlink(missing_ok=True)
    return index
