"""Opening a stimulus set, reading its media, and verifying all of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.base.processes import cores, importable, imported, in_processes
from veridical.errors import InputError
from veridical.media.draw import decode_png, pixel_hash
from veridical.records import Json, Stimulus
from veridical.stimulus_set.table import from_row, rows_hash, to_row

Measure = Callable[[Stimulus, NDArray[np.uint8]], str | None]
_BATCH = 64
_WORTH_PROCESSES = 8


@dataclass(frozen=True)
class Check:
    """What a verification found: how many stimuli there should be, how many are sound, and each failure by id."""

    stimuli: int
    verified: int
    failed: list[dict[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class StimulusSet:
    """A whole set on disk: its folder, its manifest, and, read when they are first asked for, its stimuli in order."""

    folder: Path
    manifest: dict[str, Json]

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
        return cls(folder, manifest)

    @cached_property
    def stimuli(self) -> tuple[Stimulus, ...]:
        """The records, in the order of the table; raises `InputError` where it cannot be read."""
        return tuple(map(from_row, self._frame.iter_rows(named=True)))

    @cached_property
    def _frame(self) -> pl.DataFrame:
        table = self.folder / "metadata.parquet"
        try:
            return pl.read_parquet(table, glob=False)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise InputError(f"{table} cannot be read: {str(error).splitlines()[0]}") from error

    def __len__(self) -> int:
        return int(self.manifest["stimuli"])

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

    def verify(self, measure: Measure, *, progress: Callable[[int, int], None] | None = None) -> Check:
        """Hashes and measures every picture again, on all cores, and holds the table against manifest and files."""
        listed = {name for stimulus in self.stimuli for name in stimulus.media}
        problems: dict[int, str] = {}
        for count, found in enumerate(self._problems(measure), start=1):
            problems |= found
            if progress:
                progress(min(count * _BATCH, len(self.stimuli)), len(self.stimuli))
        failed = [{"id": self.stimuli[index].id, "problem": problems[index]} for index in sorted(problems)]
        media = self.folder / "media"
        there = {path.relative_to(self.folder).as_posix() for path in media.rglob("*") if path.is_file()}
        for name in sorted(there - listed):
            identity = name.removeprefix("media/").removesuffix(".png")
            failed.append({"id": identity, "problem": f"{name} is there and no row of the table tells of it"})
        problem = self._table_problem()
        if problem:
            failed.append({"id": "metadata.parquet", "problem": problem})
        return Check(len(self), len(self.stimuli) - len(problems), failed)

    def _problems(self, measure: Measure) -> Iterator[dict[int, str]]:
        """Problems by the stimulus's place in the table, batch by batch."""
        batches = [(start, start + _BATCH) for start in range(0, len(self.stimuli), _BATCH)]
        name = importable(measure)
        if name and cores() > 1 and len(batches) >= _WORTH_PROCESSES:
            job = {"folder": str(self.folder.resolve()), "measure": name}
            for found in in_processes(verify_named, job, batches, cores()):
                yield {int(index): problem for index, problem in found.items()}
            return
        for start, stop in batches:
            yield self.problems(start, stop, measure)

    def problems(self, start: int, stop: int, measure: Measure) -> dict[int, str]:
        """The problems of the stimuli from `start` up to `stop`, by place."""
        batch = enumerate(self.stimuli[start:stop], start)
        found = {index: self._problem(stimulus, measure) for index, stimulus in batch}
        return {index: problem for index, problem in found.items() if problem}

    def _table_problem(self) -> str | None:
        count = self.manifest["stimuli"]
        if len(self.stimuli) != count:
            return f"{len(self.stimuli)} rows, {count} in the manifest"
        if rows_hash(map(to_row, self.stimuli)) != self.digest:
            return "the rows are not those that the manifest was written for"
        return None

    def _problem(self, stimulus: Stimulus, measure: Measure) -> str | None:
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


@lru_cache(maxsize=1)
def _opened(folder: str) -> StimulusSet:
    return StimulusSet.open(Path(folder))


def verify_named(job: Json, item: Json) -> dict[int, str]:
    """The problems of a batch for a job that stands in JSON: `folder`, and `measure` by name."""
    return _opened(job["folder"]).problems(item[0], item[1], imported(job["measure"]))
