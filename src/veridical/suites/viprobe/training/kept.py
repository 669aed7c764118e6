"""What was examined before, and need not be again: neither the weights nor a line of the library have changed."""

from __future__ import annotations

import json
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from veridical.base.files import write_whole
from veridical.records import Json

LIBRARY = Path(__file__).parents[3]


class Kept:
    """Records of examined items in a folder, each under a name that item, weights and code make."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, item: Json, weights: Path) -> Json | None:
        """The record of an item with these weights, or `None` where there is none of this code's."""
        path = self._path(item, weights)
        return json.loads(path.read_bytes()) if path.exists() else None

    def put(self, item: Json, weights: Path, record: Json) -> None:
        """Keeps a record."""
        write_whole(self._path(item, weights), json.dumps(record).encode())

    def _path(self, item: Json, weights: Path) -> Path:
        told = json.dumps([item, sha256(weights.read_bytes()).hexdigest(), self._code])
        return self._folder / f"{sha256(told.encode()).hexdigest()}.json"

    @cached_property
    def _code(self) -> str:
        """The hash of every module of the library."""
        found = sha256()
        for path in sorted(LIBRARY.rglob("*.py")):
            found.update(path.relative_to(LIBRARY).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
        return found.hexdigest()
