"""A cache of examined items, valid while neither the weights nor the library's code change."""

from __future__ import annotations

import json
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import veridical
from veridical.base.files import write_whole
from veridical.base.path_checks import sort_paths
from veridical.records import Json

LIBRARY = Path(veridical.__file__).parent
STUDY = Path(__file__).parents[1]


class Kept:
    """Records of examined items in a folder, keyed by item, weights and code."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, item: Json, weights: Path) -> Json | None:
        """The record of an item with these weights and this code, or `None`."""
        path = self._path(item, weights)
        return json.loads(path.read_bytes()) if path.exists() else None

    def put(self, item: Json, weights: Path, record: Json) -> None:
        """Stores a record."""
        write_whole(self._path(item, weights), json.dumps(record).encode())

    def _path(self, item: Json, weights: Path) -> Path:
        key = json.dumps([item, sha256(weights.read_bytes()).hexdigest(), self._code])
        return self._folder / f"{sha256(key.encode()).hexdigest()}.json"

    @cached_property
    def _code(self) -> str:
        """The hash of every module of the library and of this study."""
        digest = sha256()
        for root in (LIBRARY, STUDY):
            for path in sort_paths(root.rglob("*.py")):
                digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
        return digest.hexdigest()
