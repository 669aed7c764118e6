"""Making a stimulus set: chunk by chunk, resumable, whole only when the manifest stands."""

from __future__ import annotations

import io
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from veridical.errors import InputError
from veridical.files import write_whole
from veridical.records import Json, Stimulus, canonical
from veridical.stimulus_set.design import Design
from veridical.stimulus_set.read import StimulusSet
from veridical.stimulus_set.table import rows_hash, to_frame, to_row

Made = Iterator[tuple[Stimulus, tuple[bytes, ...]]]
_PARTS = ".parts"


def write_set(
    folder: Path,
    design: Design,
    chunks: Sequence[str],
    make: Callable[[Design, str], Made],
    *,
    title: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> StimulusSet:
    """The stimulus set of a design, written to a folder that is new, empty, or half-made by the same call.

    A whole set of the same design is returned as it is. Raises `InputError` for a folder that holds anything else.
    """
    arguments: dict[str, Json] = json.loads(canonical(asdict(design)))
    if (folder / "manifest.json").exists():
        return _same(StimulusSet.open(folder), arguments)
    parts = folder / _PARTS
    _begin(folder, parts, arguments)
    for done, chunk in enumerate(chunks):
        part = parts / f"{done:06d}.jsonl"
        if not part.exists():
            rows = [_store(folder, stimulus, media) for stimulus, media in make(design, chunk)]
            write_whole(part, "".join(canonical(row) + "\n" for row in rows).encode())
        if progress:
            progress(done + 1, len(chunks))
    _join(folder, [parts / f"{index:06d}.jsonl" for index in range(len(chunks))], arguments, title)
    shutil.rmtree(parts)
    return StimulusSet.open(folder)


def versions() -> dict[str, str]:
    """What besides the arguments determines the pixels: our version, and Matplotlib's up to the minor number."""
    return {"veridical": version("veridical"), "matplotlib": ".".join(version("matplotlib").split(".")[:2])}


def _same(whole: StimulusSet, arguments: dict[str, Json]) -> StimulusSet:
    asked = {"arguments": arguments, "versions": versions()}
    for key, value in asked.items():
        there = whole.manifest.get(key)
        if there != value:
            differing = [name for name in value if not isinstance(there, dict) or there.get(name) != value[name]]
            raise InputError(f"{whole.folder} holds another set ({', '.join(differing)} differ): choose another folder")
    return whole


def _begin(folder: Path, parts: Path, arguments: dict[str, Json]) -> None:
    plan = canonical({"arguments": arguments, "versions": versions()}).encode()
    try:
        begun = parts / "design.json"
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file: choose another folder")
        if begun.exists():
            if begun.read_bytes() != plan:
                raise InputError(f"{folder} holds a half-made set of another design: choose another folder")
        elif folder.exists() and any(path.name != _PARTS for path in folder.iterdir()):
            raise InputError(f"{folder} holds something else: choose a new or empty folder")
        else:
            write_whole(begun, plan)
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}") from error


def _store(folder: Path, stimulus: Stimulus, media: tuple[bytes, ...]) -> dict[str, Json]:
    for name, data in zip(stimulus.media, media, strict=True):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return to_row(stimulus)


def _join(folder: Path, parts: Sequence[Path], arguments: dict[str, Json], title: str) -> None:
    rows = [json.loads(line) for part in parts for line in part.read_text().splitlines()]
    table = io.BytesIO()
    to_frame(rows).write_parquet(table)
    write_whole(folder / "metadata.parquet", table.getvalue())
    counts = Counter(f"{row['family']}/{row['variant']}" for row in rows)
    manifest = {
        "format": 1,
        "generator": "veridical",
        "versions": versions(),
        "arguments": arguments,
        "seed": arguments["seed"],
        "stimuli": len(rows),
        "counts": dict(counts),
        "rows_sha256": rows_hash(rows),
        "source": "generated; no third-party data",
    }
    write_whole(folder / "README.md", _card(manifest, title).encode())
    write_whole(folder / "manifest.json", (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode())


def _card(manifest: dict[str, Json], title: str) -> str:
    arguments, made_with = manifest["arguments"], manifest["versions"]
    lines = [
        "---",
        f"pretty_name: {title or arguments['suite']}",
        "task_categories: [visual-question-answering]",
        "tags: [synthetic, veridical]",
        "---",
        f"# {title or arguments['suite']}: {manifest['stimuli']} stimuli",
        "",
        f"Drawn by veridical {made_with['veridical']}, Matplotlib {made_with['matplotlib']}, seed {arguments['seed']}.",
        "The truth of each picture is exact and was read back from its pixels before it was written.",
        "",
        "| family/variant | pictures |",
        "|---|---:|",
        *(f"| {name} | {count} |" for name, count in manifest["counts"].items()),
        "",
        "`metadata.parquet` has one row per picture; the folder loads as it is with",
        '`load_dataset("imagefolder", data_dir=...)`.',
        "`factors`, `truth` and `measured` are JSON. Verify the whole with `veridical check`.",
    ]
    return "\n".join(lines) + "\n"
