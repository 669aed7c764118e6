"""Opening a stimulus set, reading its media, and verifying all of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.draw import decode_png, pixel_hash
from veridical.errors import InputError
from veridical.records import Json, Stimulus
from veridical.stimulus_set.table import from_row, rows_hash, to_row


@dataclass(frozen=True)
class Check:
    """What a verification found: how many stimuli there should be, how many are sound, and each failure by id."""

    stimuli: int
    verified: int
    failed: list[dict[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class StimulusSet:
    """A whole set on disk: its folder, its manifest, and its stimuli in order."""

    folder: Path
    manifest: dict[str, Json]
    stimuli: tuple[Stimulus, ...]

    @classmethod
    def open(cls, folder: Path) -> StimulusSet:
        """The set in a folder; raises `InputError` where there is none, or none that this version reads."""
        try:
            manifest = json.loads((folder / "manifest.json").read_bytes())
        except FileNotFoundError:
            half = " (it was begun and not finished: make it again with the same options)"
            raise InputError(f"{folder} holds no stimulus set{half * (folder / '.parts').exists()}") from None
        except (OSError, ValueError) as error:
            raise InputError(f"{folder / 'manifest.json'} cannot be read: {error}") from error
        if not isinstance(manifest, dict) or manifest.get("format") != 1:
            raise InputError(f"{folder / 'manifest.json'} is not of format 1, the one that is read here")
        if not isinstance(manifest.get("stimuli"), int) or not isinstance(manifest.get("rows_sha256"), str):
            raise InputError(f"{folder / 'manifest.json'} lacks 'stimuli' or 'rows_sha256'")
        try:
            frame = pl.read_parquet(folder / "metadata.parquet")
        except (OSError, pl.exceptions.PolarsError) as error:
            raise InputError(f"{folder / 'metadata.parquet'} cannot be read: {str(error).splitlines()[0]}") from error
        return cls(folder, manifest, tuple(from_row(row) for row in frame.iter_rows(named=True)))

    @property
    def digest(self) -> str:
        """The hash of the rows, which hold the hash of every picture."""
        return str(self.manifest["rows_sha256"])

    def read(self, name: str) -> bytes:
        """The bytes of a medium by its path inside the set; raises `InputError` for a path that leaves the set."""
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or path.parts[:1] != ("media",):
            raise InputError(f"'{name}' is no path inside {self.folder / 'media'}")
        try:
            return (self.folder / path).read_bytes()
        except OSError as error:
            raise InputError(f"{self.folder / path} cannot be read: {error.strerror}") from error

    def require_intact_table(self) -> None:
        """Raises `InputError` where the rows are not those that the manifest was written for."""
        problem = self._table_problem()
        if problem:
            raise InputError(f"{self.folder}: {problem}; see `veridical check {self.folder}`")

    def verify(self, measure: Callable[[Stimulus, NDArray[np.uint8]], str | None]) -> Check:
        """Hashes and measures every picture again, and holds the table against the manifest and the files."""
        failed = [
            {"id": stimulus.id, "problem": problem}
            for stimulus in self.stimuli
            if (problem := self._problem(stimulus, measure))
        ]
        bad = {failure["id"] for failure in failed}
        listed = {name for stimulus in self.stimuli for name in stimulus.media}
        media = self.folder / "media"
        found = {path.relative_to(self.folder).as_posix() for path in media.rglob("*") if path.is_file()}
        for name in sorted(found - listed):
            identity = name.removeprefix("media/").removesuffix(".png")
            failed.append({"id": identity, "problem": f"{name} is there and no row of the table tells of it"})
        problem = self._table_problem()
        if problem:
            failed.append({"id": "metadata.parquet", "problem": problem})
        return Check(int(self.manifest["stimuli"]), len(self.stimuli) - len(bad), failed)

    def _table_problem(self) -> str | None:
        count = self.manifest["stimuli"]
        if len(self.stimuli) != count:
            return f"{len(self.stimuli)} rows, {count} in the manifest"
        if rows_hash(map(to_row, self.stimuli)) != self.digest:
            return "the rows are not those that the manifest was written for"
        return None

    def _problem(self, stimulus: Stimulus, measure: Callable[[Stimulus, NDArray[np.uint8]], str | None]) -> str | None:
        try:
            pictures = [decode_png(self.read(name)) for name in stimulus.media]
        except (InputError, ValueError) as error:
            return str(error)
        if pixel_hash(pictures[0]) != stimulus.sha256:
            return "the pixels are not those that were written"
        if pictures[0].shape[:2] != (stimulus.height, stimulus.width):
            return (
                f"{stimulus.width}x{stimulus.height} in the table, {pictures[0].shape[1]}x{pictures[0].shape[0]} drawn"
            )
        return measure(stimulus, pictures[0])
