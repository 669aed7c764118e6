"""Drawing one chunk: its media, and last its part of the table, so that a part that is there is whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from veridical.base.files import write_whole
from veridical.base.processes import imported
from veridical.errors import InputError
from veridical.records import Json, Stimulus, canonical
from veridical.stimulus_set.design import Design
from veridical.stimulus_set.table import to_row

Make = Callable[[Design, str], Iterator[tuple[Stimulus, tuple[bytes, ...]]]]
PARTS = ".parts"


def part_of(folder: Path, index: int) -> Path:
    """Where the rows of a chunk stand while the set is being made."""
    return folder / PARTS / f"{index:06d}.jsonl"


def draw_named(job: Json, item: Json) -> int:
    """Draws a chunk for a job in JSON (`folder`, `design`, and `make` by name) and returns the chunk's index."""
    index, chunk = item
    draw_chunk(Path(job["folder"]), Design.of(job["design"]), index, chunk, imported(job["make"]))
    return int(index)


def draw_chunk(folder: Path, design: Design, index: int, chunk: str, make: Make) -> None:
    """Draws and stores a chunk. Raises `InputError` where the folder cannot be written to, or is full."""
    lines = []
    try:
        for stimulus, media in make(design, chunk):
            for name, data in zip(stimulus.media, media, strict=True):
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            lines.append(canonical(to_row(stimulus)) + "\n")
        write_whole(part_of(folder, index), "".join(lines).encode())
    except OSError as error:
        raise InputError(
            f"{folder} cannot be written: {error.strerror}; what is drawn is kept, the same call goes on"
        ) from error
