"""Files that are whole or not there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from veridical.errors import InputError

_STEM = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")


def write_whole(path: Path, data: bytes) -> Path:
    """The path, after the bytes took the place of what was there in one step; folders are made as needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(data)
    part.replace(path)
    return path


def check_stems(kind: str, names: Iterable[str]) -> None:
    """Raises `InputError` where a name cannot be a file's, or where two differ by nothing but case."""
    seen: set[str] = set()
    for name in names:
        if not _STEM.fullmatch(name):
            raise InputError(f"{kind} name {name!r}: allowed are letters, digits, '_', '-' and '.', at most 100")
        if name.lower() in seen:
            raise InputError(f"{kind} name {name!r}: there are two of it; names must differ by more than case")
        seen.add(name.lower())
