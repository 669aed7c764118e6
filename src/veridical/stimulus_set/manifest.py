"""`manifest.json`: what a stimulus set was made with, and the hash of its rows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from veridical.base.json_files import Shape, read_json, require_format, require_shape
from veridical.base.places import MANIFEST, require_set
from veridical.errors import InputError
from veridical.records import Json

FORMAT = 2
_Table = Literal["metadata.parquet", "metadata-video.parquet", "without-media.parquet"]


class _Arguments(Shape):
    suite: str = ""


class _Versions(Shape):
    veridical: str
    matplotlib: str


class _Import(Shape):
    measured: int
    contradicted: list[Any]


class _Manifest(Shape):
    stimuli: Annotated[int, Field(ge=0)]
    rows_sha256: str
    arguments: _Arguments = _Arguments()
    tables: dict[Literal["image", "video", "none"], _Table] = Field(default_factory=dict)
    counts: dict[str, int] = Field(default_factory=dict)
    versions: _Versions | None = None
    source: str = ""
    license: str = ""
    attribution: str = ""
    imported: Annotated[_Import | None, Field(alias="import")] = None


def read_manifest(folder: Path) -> dict[str, Json]:
    """The manifest of the set in a folder; raises `InputError` where there is none, or none that is read here."""
    require_set(folder)
    path = folder / MANIFEST
    try:
        manifest = read_json(path)
    except ValueError as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    require_format(folder, manifest, FORMAT, what="set", again="make")
    if "stimuli" not in manifest or "rows_sha256" not in manifest:
        raise InputError(f"{path} lacks 'stimuli' or 'rows_sha256'")
    require_shape(path, manifest, _Manifest)
    stored: dict[str, Json] = manifest
    return stored
