"""A stimulus set for others: whole where its media may be passed on, else ids, hashes, and how to obtain the media."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from veridical.base.files import replace_atomically, write_whole
from veridical.errors import InputError
from veridical.records import Json, Stimulus, canonical, rows_hash
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.media_hashes import HASHES
from veridical.stimulus_set.stimulus_table import TABLE, to_row
from veridical.verbs.sets import open_set

FORMAT = 1
LIST, ITEMS, CARD, MANIFEST = "share.json", "items.jsonl", "README.md", "manifest.json"
_ZIP = ".zip"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_OPEN_TO_ALL = 0o644 << 16
_RIGHTS = ("source", "license", "attribution")


@dataclass(frozen=True)
class PackedSet:
    """What was packed: where, how many stimuli, how many files, and whether their media are among them."""

    out: Path
    stimuli: int
    files: int
    with_media: bool


def share(
    stimuli: StimulusSet | Path | str, out: Path | str, *, progress: Callable[[int, int], None] | None = None
) -> PackedSet:
    """What was packed for others, in the archive `out` (its name ends in .zip) or in a new or empty folder.

    A set that was drawn here, or whose manifest says that its media may be passed on, is packed as it is. Of any other,
    no medium, question or answer is: `items.jsonl` has the id of each stimulus, the hash of its row, and hashes and
    sizes of its media; `share.json` and `README.md` say how to obtain them. The same set gives the same bytes. Raises
    `InputError` for a damaged set and for a place that cannot be written to.
    """
    whole, place = open_set(stimuli), Path(out)
    whole.require_intact_table()
    if place.resolve().is_relative_to(whole.folder.resolve()):
        raise InputError(f"{place} is inside the set: choose a place outside of {whole.folder}")
    own = is_own(whole)
    files = _counted(_own(whole) if own else _of_others(whole), len(whole), progress)
    try:
        count = _archived(place, files) if place.suffix.lower() == _ZIP else _in_folder(place, files)
    except OSError as error:
        raise InputError(f"{place} cannot be written: {error.strerror or error}") from error
    return PackedSet(place, len(whole), count, own)


def is_own(whole: StimulusSet) -> bool:
    """Whether the media of a set may be passed on: they were drawn here, or its manifest says so."""
    return "import" not in whole.manifest or whole.manifest.get("may_be_passed_on") is True


def _own(whole: StimulusSet) -> Iterator[tuple[str, bytes]]:
    """The files of a set by their path inside it: what its table names, and nothing else that lies in the folder."""
    tables = (whole.manifest.get("tables") or {"image": TABLE}).values()
    for name in (MANIFEST, CARD, HASHES, *tables):
        if name not in (CARD, HASHES) or (whole.folder / name).exists():
            yield name, _content(whole.folder / name)
    for file in dict.fromkeys(medium.file for stimulus in whole.stimuli for medium in stimulus.media):
        yield file, whole.read(file)


def _of_others(whole: StimulusSet) -> Iterator[tuple[str, bytes]]:
    """Ids, hashes, and how the media are obtained."""
    lines = [canonical(_entry(whole, stimulus)) for stimulus in whole.stimuli]
    name = str(whole.manifest["arguments"].get("import", ""))
    facts: dict[str, Json] = {
        "format": FORMAT,
        "suite": whole.manifest["arguments"]["suite"],
        "stimuli": len(whole),
        "rows_sha256": whole.digest,
        "import": name,
        "versions": whole.manifest.get("versions"),
        **{key: whole.manifest.get(key) for key in _RIGHTS},
    }
    yield LIST, (json.dumps(facts, indent=2, ensure_ascii=False) + "\n").encode()
    yield ITEMS, "".join(line + "\n" for line in lines).encode()
    yield CARD, _card(facts).encode()


def _entry(whole: StimulusSet, stimulus: Stimulus) -> dict[str, Json]:
    media = []
    for medium in stimulus.media:
        content = whole.read(medium.file)
        sizes = {"kind": medium.kind, "width": medium.width, "height": medium.height, "bytes": len(content)}
        media.append({**sizes, "sha256": sha256(content).hexdigest(), "pixels_sha256": medium.sha256})
    entry = {"id": stimulus.id, "row_sha256": rows_hash([to_row(stimulus, whole.factors)]), "media": media}
    rights = stimulus.truth.get("rights")
    return {**entry, "rights": rights} if rights else entry


def _card(facts: dict[str, Json]) -> str:
    return "\n".join(
        (
            f"# {facts['stimuli']:,} stimuli of others",
            "",
            "Their media, questions and answers are not in here, because nobody stated that they may be passed on.",
            f"`{ITEMS}` has the id of each, the hash of its row, and the hashes of its media (file and pixels).",
            "",
            f"Source: {facts['source']}. License: {facts['license']}. Attribution: {facts['attribution']}.",
            "",
            f"Obtain them from their source, then: `veridical import {facts['import']} PLACE --out SET`.",
            f'`manifest.json` of the same set says `"rows_sha256": "{facts["rows_sha256"]}"`.',
            "",
        )
    )


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def _counted(
    files: Iterator[tuple[str, bytes]], total: int, progress: Callable[[int, int], None] | None
) -> Iterator[tuple[str, bytes]]:
    for done, file in enumerate(files, start=1):
        yield file
        if progress:
            progress(min(done, total), total)


def _archived(place: Path, files: Iterator[tuple[str, bytes]]) -> int:
    """How many files an archive holds that is new or overwritten; all have one date, so that bytes do not differ."""
    if place.is_dir():
        raise InputError(f"{place} is a folder: choose another name for the archive")
    with replace_atomically(place) as temporary, ZipFile(temporary, "w", ZIP_STORED) as archive:
        for name, content in files:
            entry = ZipInfo(name, _EPOCH)
            entry.external_attr = _OPEN_TO_ALL
            archive.writestr(entry, content)
        return len(archive.namelist())


def _in_folder(place: Path, files: Iterator[tuple[str, bytes]]) -> int:
    """How many files a folder holds, which is new or was empty, and is there when all are written."""
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise InputError(f"{place} is no new or empty folder: choose another, or an archive that ends in {_ZIP}")
    place.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".veridical-", dir=place.parent) as scratch:
        folder = Path(scratch) / "share"
        count = len([write_whole(folder / name, content) for name, content in files])
        if place.exists():
            place.rmdir()
        folder.rename(place)
    return count
