"""The parts of an export, joined: files of at most 200 MB for each split, and what a trainer wants beside them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import polars as pl

from veridical.base.files import flush_to_disk, locked_temporary, os_errors, write_whole
from veridical.records import Json
from veridical.rewards.forms import TrainerForm
from veridical.rewards.parts import IMAGES, TEST, TRAIN, rows_of_part, stored_facts

MOST_BYTES = 150_000_000
"""Pictures and texts in one row group, before a row that goes past it: with the page headers below 200 MB."""

_DATA = "data"


class DrawnPart(NamedTuple):
    """A part of an export, and the family that its unit is of, as SUITE/FAMILY."""

    path: Path
    family: str


def join_parts(
    folder: Path,
    form: TrainerForm,
    objective: str,
    sources: Sequence[tuple[Sequence[DrawnPart], int]],
    most_bytes: int = MOST_BYTES,
) -> dict[str, Json]:
    """Facts of an export whose parts were joined: its examples by split and family, and its files' hashes.

    Of the parts of each source, in order, as many examples are taken as is stated with them. Parts stay as they are.
    A row group of Parquet ends before the part that would make it larger than `most_bytes`.
    """
    taken = [share for parts, examples in sources for share in _shares(parts, examples)]
    left_out = sum(facts.left_out for part, _ in taken if (facts := stored_facts(part.path)))
    families: Counter[str] = Counter()
    for part, counted in taken:
        families[part.family] += counted[TRAIN]
    counts, by_split = {}, {}
    with os_errors(folder, "written", "; the same command goes on"):
        for split in (TRAIN, TEST):
            rows = [(rows_of_part(part.path, split), counted[split]) for part, counted in taken if counted[split]]
            counts[split] = sum(count for _, count in rows)
            if rows:
                tables = form.parquet
                by_split[split] = _tables(folder, split, rows, most_bytes) if tables else _lines(folder, split, rows)
        for name, text in form.beside(objective, by_split).items():
            write_whole(folder / name, text.encode())
    files = [name for names in by_split.values() for name in names]
    pictures = [] if form.parquet else _shown_pictures(folder, files)
    return {
        "examples": {split: count for split, count in counts.items() if count},
        "families": dict(families),
        "left_out": left_out,
        "files": {name: _digest(folder / name) for name in [*files, *form.beside(objective, by_split)]},
        "pictures": len(pictures),
        "columns": _columns(folder / files[0]) if form.parquet else {},
    }


def _shown_pictures(folder: Path, files: Sequence[str]) -> list[str]:
    """The paths of the pictures that the rows in these files show; those that only examples left over had are deleted.

    These are what the last unit made past the number that was asked for.
    """
    shown: set[str] = set()
    for name in files:
        with (folder / name).open(encoding="utf-8") as lines:
            for line in lines:
                shown.update(json.loads(line)["images"])
    with os_errors(folder, "written"):
        for path in (folder / IMAGES).glob("*"):
            if f"{IMAGES}/{path.name}" not in shown:
                path.unlink()
    return sorted(shown)


def _columns(table: Path) -> dict[str, Json]:
    """The columns of a Parquet file by name, as the card of a data set declares them."""
    return {name: _declared(kind) for name, kind in pl.read_parquet_schema(table).items()}


def _declared(kind: pl.DataType) -> Json:
    """A column's type in the form of a card; what has bytes and a path is a picture."""
    if isinstance(kind, pl.List):
        inner = _declared(kind.inner) if isinstance(kind.inner, pl.DataType) else {}
        return {"list": inner.get("struct", inner.get("dtype", inner.get("list", inner)))}
    if isinstance(kind, pl.Struct):
        names = {field.name: field.dtype for field in kind.fields}
        if set(names) == {"bytes", "path"}:
            return {"dtype": "image"}
        return {"struct": [{"name": name, **_declared(each)} for name, each in names.items()]}  # type: ignore[arg-type]
    return {"dtype": "int64" if kind == pl.Int64 else "string"}


def _shares(parts: Sequence[DrawnPart], examples: int) -> Iterator[tuple[DrawnPart, dict[str, int]]]:
    """Each part with how many examples of each split are taken of it: all of them, but of the last ones."""
    for part in parts:
        facts = stored_facts(part.path)
        assert facts is not None
        counted = {}
        for split in (TRAIN, TEST):
            counted[split] = min(examples, facts.counts.get(split, 0))
            examples -= counted[split]
        yield part, counted


def _tables(folder: Path, split: str, rows: Sequence[tuple[Path, int]], most_bytes: int) -> list[str]:
    """The names of the Parquet files of a split; each holds one row group."""
    groups = list(_groups(rows, most_bytes))
    names = [f"{_DATA}/{split}-{place:05d}-of-{len(groups):05d}.parquet" for place in range(len(groups))]
    for name, group in zip(names, groups, strict=True):
        frame = pl.concat([pl.read_ipc(path.read_bytes()).head(count) for path, count in group])
        with locked_temporary(folder / name) as temporary:
            # Pictures do not get smaller by compression.
            frame.write_parquet(temporary, compression="lz4", row_group_size=max(1, frame.height), statistics=False)
            flush_to_disk(temporary)
            temporary.replace(folder / name)
    return names


def _groups(rows: Sequence[tuple[Path, int]], most_bytes: int) -> Iterator[list[tuple[Path, int]]]:
    group: list[tuple[Path, int]] = []
    size = 0
    for path, count in rows:
        own = path.stat().st_size
        if group and size + own > most_bytes:
            yield group
            group, size = [], 0
        group.append((path, count))
        size += own
    yield group


def _lines(folder: Path, split: str, rows: Sequence[tuple[Path, int]]) -> list[str]:
    name = f"{split}.jsonl"
    with locked_temporary(folder / name) as temporary:
        with temporary.open("wb") as file:
            for path, count in rows:
                file.writelines(path.read_bytes().splitlines(keepends=True)[:count])
        flush_to_disk(temporary)
        temporary.replace(folder / name)
    return [name]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        digest = sha256()
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
