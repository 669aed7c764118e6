"""Drawing one chunk: its media, and last its part of the table, so that a part that is there is whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from veridical.base.files import write_whole
from veridical.base.options import parsed
from veridical.base.processes import imported
from veridical.errors import InputError
from veridical.records import Chunk, FactorTypes, Json, Stimulus, canonical
from veridical.stimulus_set.stimulus_table import to_row

Make = Callable[[Any, Chunk], Iterator[tuple[Stimulus, tuple[bytes, ...]]]]
PARTS = ".parts"
_KINDS = {kind.__name__: kind for kind in (str, int, float, bool)}


def part_of(folder: Path, index: int) -> Path:
    """Where the rows of a chunk stand while the set is being made."""
    return folder / PARTS / f"{index:06d}.jsonl"


def draw_named(job: Json, item: Json) -> int:
    """Draws a chunk for a job in JSON, whose `make` and `kind` of options stand by name, and returns its index."""
    index, *chunk = item
    options = parsed(imported(job["kind"]), job["options"])
    factors = {name: _KINDS[kind] for name, kind in job["factors"].items()}
    draw_chunk(Path(job["folder"]), options, factors, index, Chunk(*chunk), imported(job["make"]))
    return int(index)


def draw_chunk(
    folder: Path,
    options: Any,  # noqa: ANN401 (each suite has its own)
    factors: FactorTypes,
    index: int,
    chunk: Chunk,
    make: Make,
) -> None:
    """Draws and stores a chunk. Raises `InputError` where the folder cannot be written to, or is full."""
    lines = []
    try:
        for stimulus, contents in make(options, chunk):
            for medium, content in zip(stimulus.media, contents, strict=True):
                path = folder / medium.file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            lines.append(canonical(to_row(stimulus, factors)) + "\n")
        write_whole(part_of(folder, index), "".join(lines).encode())
    except OSError as error:
        raise InputError(
            f"{folder} cannot be written: {error.strerror}; what is drawn is kept, the same call goes on"
        ) from error
