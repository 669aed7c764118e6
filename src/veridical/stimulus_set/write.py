"""Making a stimulus set: chunk by chunk, on all cores, resumable, whole only when the manifest stands."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from veridical.base.files import folder_lock, locked_temporary, os_errors, write_whole
from veridical.base.options import Options, parse_options, seed_space
from veridical.base.processes import cores, function_at, importable
from veridical.base.shared_folder import map_in_folder, require_shared
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.records import Chunk, FactorTypes, Json, Stimulus, canonical
from veridical.stimulus_set.describe import card
from veridical.stimulus_set.media_hashes import HASHES, hash_line
from veridical.stimulus_set.read import FORMAT, StimulusSet
from veridical.stimulus_set.stimulus_table import join_parts, tables_digest, to_row

_WORTH_PROCESSES = 24

Make = Callable[[Any, Chunk], Iterator[tuple[Stimulus, tuple[bytes, ...]]]]
PARTS = ".parts"
_KINDS = {kind.__name__: kind for kind in (str, int, float, bool)}


def write_set(
    folder: Path,
    suite: str,
    options: Options,
    chunks: Sequence[Chunk],
    make: Make,
    *,
    factors: FactorTypes,
    title: str = "",
    origin: Mapping[str, str] | None = None,
    engine: Mapping[str, str] | None = None,
    progress: Callable[[int, int], None] | None = None,
    workers: Workers | None = None,
) -> StimulusSet:
    """The stimulus set of a suite with these options, written to a folder that is new, empty, or half-made by them.

    A whole set with the same options is returned as it is. Drawn by `workers` (default: one process per core; in this
    process where there is little to draw). Raises `InputError` for a folder that holds anything else, or that cannot be
    written to (what is drawn by then is kept), and while another process makes it. `origin` says which file of a user's
    the suite is in, and in which state; a set of another state is another set, as is one that another `engine` draws,
    of which versions and the like are stated by name.
    """
    stated = {"suite": suite, **(origin or {}), **options.model_dump(mode="json")}
    arguments: dict[str, Json] = json.loads(canonical(stated))
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: choose another folder")
    if (whole := _made(folder, arguments, engine)) is not None:
        return whole
    with folder_lock(folder):
        if (whole := _made(folder, arguments, engine)) is not None:  # by another process, before this one had the lock
            return whole
        begin_set(folder, arguments, engine)
        todo = [(index, chunk) for index, chunk in enumerate(chunks) if not part_of(folder, index).exists()]
        drawn = draw_chunks(folder, options, factors, todo, make, workers or Workers(cores()))
        for count, _ in enumerate(drawn, start=len(chunks) - len(todo) + 1):
            if progress:
                progress(count, len(chunks))
        with os_errors(folder, "written", "; the same call goes on"):
            parts = [part_of(folder, index) for index in range(len(chunks))]
            facts = {"source": "made by a user's own file" if origin else "generated; no third-party data"}
            origin_facts = {"arguments": arguments, "seed": options.seed, "space": seed_space(options.seed)}
            join_set(folder, parts, origin_facts, facts, factors, title, engine)
        # Windows deletes no file that is open, as to a virus scanner; what it leaves here does no harm.
        shutil.rmtree(folder / PARTS, ignore_errors=True)
    return StimulusSet.open(folder)


def _made(folder: Path, arguments: dict[str, Json], engine: Mapping[str, str] | None) -> StimulusSet | None:
    """The set that stands in a folder, if there is one; raises `InputError` for one with other arguments."""
    if not (folder / "manifest.json").exists():
        return None
    whole = StimulusSet.open(folder)
    if differing := _differing(whole.manifest, arguments, engine):
        raise InputError(f"{folder} holds another set ({differing}): choose another folder")
    return whole


def versions(engine: Mapping[str, str] | None = None) -> dict[str, str]:
    """What besides the arguments determines the pixels: our version, Matplotlib's minor one, an engine's."""
    own = {"veridical": version("veridical"), "matplotlib": ".".join(version("matplotlib").split(".")[:2])}
    return {**own, **(engine or {})}


def draw_chunks(
    folder: Path,
    options: Options,
    factors: FactorTypes,
    todo: list[tuple[int, Chunk]],
    make: Make,
    crew: Workers,
) -> Iterator[int]:
    """Draws and stores chunks, each under its number, and yields the number of each that is done."""
    name = importable(make) if crew.worth(len(todo), _WORTH_PROCESSES) else None
    if name:
        job: Json = {"folder": str(folder.resolve()), "make": name, "options": options.model_dump(mode="json")}
        job |= {"kind": importable(type(options)), "factors": {name: kind.__name__ for name, kind in factors.items()}}
        items = [[index, *astuple(chunk)] for index, chunk in todo]
        yield from map_in_folder(crew, draw_named, job, items, folder / PARTS)
        crew.require_visible([part_of(folder, index) for index, _ in todo])
        return
    for index, chunk in todo:
        draw_chunk(folder, options, factors, index, chunk, make)
        yield index


def _differing(stored: Json, arguments: dict[str, Json], engine: Mapping[str, str] | None) -> str | None:
    """What a set that is there was made otherwise with, in words; `None` where it is the same."""
    stated = {key: stored.get(key) if isinstance(stored, dict) else None for key in ("arguments", "versions")}
    own, made = (value if isinstance(value, dict) else {} for value in stated.values())
    if other := [f"{name} differs" for name, value in arguments.items() if own.get(name) != value]:
        return ", ".join(other)
    current = versions(engine).items()
    other = [
        f"made with {name} {made.get(name)}, this is {value}" for name, value in current if made.get(name) != value
    ]
    return ", ".join(other) or None


def begin_set(folder: Path, arguments: dict[str, Json], engine: Mapping[str, str] | None = None) -> None:
    """Notes what a set is made from in a folder that is new, empty, or half-made by the same arguments.

    Raises `InputError` for a folder that holds anything else, or that cannot be written to.
    """
    plan = canonical({"arguments": arguments, "versions": versions(engine)}).encode()
    begun = folder / PARTS / "design.json"
    with os_errors(folder, "written"):
        if not begun.exists():
            if folder.exists() and any(path.name != PARTS for path in folder.iterdir()):
                raise InputError(f"{folder} holds something else: choose a new or empty folder")
            write_whole(begun, plan)
        elif (stored := begun.read_bytes()) != plan:
            try:
                differing = _differing(json.loads(stored), arguments, engine)
            except ValueError as error:
                raise InputError(f"{begun} is damaged: choose another folder") from error
            raise InputError(f"{folder} holds another, half-made set ({differing}): choose another folder")


def join_set(
    folder: Path,
    parts: Sequence[Path],
    origin: Mapping[str, Json],
    facts: Mapping[str, Json],
    factors: FactorTypes,
    title: str,
    engine: Mapping[str, str] | None = None,
) -> None:
    """Joins parts to the tables of a set, part by part, and writes its card and, last, its manifest.

    The manifest has the `origin` before its counts, and the `facts` after them. The rows are never all in memory.
    Beside each part stand the hashes of its media (see `hashes_of_part`).
    """
    digest = sha256()
    for part in parts:
        digest.update(part.read_bytes())
    joined = join_parts(parts, folder, factors)
    lines = (line for part in parts for line in hashes_of_part(part).read_bytes().splitlines(keepends=True))
    hashes = b"".join(dict.fromkeys(lines))
    manifest = {
        "format": FORMAT,
        "generator": "veridical",
        "versions": versions(engine),
        **origin,
        "stimuli": sum(joined.counts.values()),
        "counts": joined.counts,
        "tables": joined.tables,
        "rows_sha256": digest.hexdigest(),
        "tables_sha256": tables_digest(folder, joined.tables),
        "media_sha256": sha256(hashes).hexdigest(),
        **facts,
    }
    write_whole(folder / HASHES, hashes)
    write_whole(folder / "README.md", card(manifest, title, factors=factors).encode())
    write_whole(folder / "manifest.json", (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode())


def part_of(folder: Path, index: int) -> Path:
    """Where the rows of a chunk stand while the set is being made."""
    return folder / PARTS / f"{index:06d}.jsonl"


def hashes_of_part(part: Path) -> Path:
    """Where the hashes of the media in a part stand, one `hash_line` each; a part is whole only with them."""
    return part.with_suffix(".sha256")


def draw_named(job: Json, item: Json) -> int:
    """Draws a chunk for a job in JSON, whose `make` and `kind` of options stand by name, and returns its index."""
    require_shared(job["token"])
    index, *chunk = item
    options = parse_options(function_at(job["kind"]), job["options"])
    factors = {name: _KINDS[kind] for name, kind in job["factors"].items()}
    draw_chunk(Path(job["folder"]), options, factors, index, Chunk(*chunk), function_at(job["make"]))
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
    lines, hashes = [], []
    with os_errors(folder, "written", "; what is drawn is kept, the same call goes on"):
        for stimulus, contents in make(options, chunk):
            for medium, content in zip(stimulus.media, contents, strict=True):
                # Not flushed to the disk: a part without its rows is drawn again.
                with locked_temporary(folder / medium.file) as temporary:
                    temporary.write_bytes(content)
                    temporary.replace(folder / medium.file)
                hashes.append(hash_line(medium.file, content))
            lines.append(canonical(to_row(stimulus, factors)) + "\n")
        write_whole(hashes_of_part(part_of(folder, index)), "".join(hashes).encode())
        write_whole(part_of(folder, index), "".join(lines).encode())
