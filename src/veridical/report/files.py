"""Names that can be a file's on every system."""

from __future__ import annotations

import re
from collections.abc import Iterable

from veridical.errors import InputError

_STEM = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")


def check_stems(kind: str, names: Iterable[str]) -> None:
    """Raises `InputError` where a name cannot be a file's, or where two differ by nothing but case."""
    seen: set[str] = set()
    for name in names:
        if not _STEM.fullmatch(name):
            raise InputError(f"{kind} name {name!r}: allowed are letters, digits, '_', '-' and '.', at most 100")
        if name.lower() in seen:
            raise InputError(f"{kind} name {name!r}: there are two of it; names must differ by more than case")
        seen.add(name.lower())
