"""From media of others to a stimulus set: opened with limits, measured where that fits, hashed, kept as they came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from veridical.base.files import os_errors, write_whole
from veridical.errors import InputError
from veridical.media.decode import Decoded, decode, medium_from
from veridical.media.pictures import kind_of, suffix_of
from veridical.records import Json, Kind, Medium, Stimulus, canonical
from veridical.stimulus_set.describe import published_comparison
from veridical.stimulus_set.imports.item import (
    EmbeddedFile,
    ExcludedItem,
    Import,
    ImportItem,
    MeasuredMedia,
    bytes_of,
    left_out_facts,
)
from veridical.stimulus_set.media_hashes import hash_line
from veridical.stimulus_set.read import StimulusSet
from veridical.stimulus_set.stimulus_table import to_row
from veridical.stimulus_set.write import hashes_of_part, join_set

NOT_OPENED = "a picture that cannot be opened"
"""The kind of reason for an item whose medium is broken, over a limit, or of a kind that is not taken."""
CLIP_NOT_OPENED = "a clip that cannot be opened"
"""The same where clips alone are taken."""
_WORDS: Mapping[Kind, str] = {"image": "picture", "video": "clip"}


def write_import(
    what: Import, out: Path, progress: Callable[[int, int], None] | None = None, *, strict: bool = False
) -> StimulusSet:
    """The stimulus set of imported media, whole, in a folder that is new or empty.

    Files are copied byte for byte. The manifest says where they are from and, under `import`, what was found: how many
    items were measured, how many could not be, each whose media say another answer than its label, and each that is
    left out, which `strict` refuses. Raises `InputError` for a folder that holds something, a file that cannot be read
    or is of a kind that is not taken (unless the import leaves it out), two items with one id, or with one place for
    different files, and an import of which no item is left; nothing is left behind.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} is no new or empty folder: choose another")
    with os_errors(out, "written"):
        out.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".veridical-", dir=out.parent) as scratch:
            folder = Path(scratch) / "set"
            _write(what, folder, progress, strict=strict)
            if out.exists():
                out.rmdir()
            folder.rename(out)
    return StimulusSet.open(out)


def _write(what: Import, folder: Path, progress: Callable[[int, int], None] | None, *, strict: bool) -> None:
    tally = _Tally(what.measure)
    stimuli: list[Stimulus] = []
    ids: set[str] = set()
    left_out, hashes = list(what.left_out or ()), []
    reason = CLIP_NOT_OPENED if what.kinds == ("video",) else NOT_OPENED
    folder.mkdir()
    for done, item in enumerate(what.items, start=1):
        if item.record.id in ids:
            raise InputError(f"two items have the id '{item.record.id}': one is needed for each")
        ids.add(item.record.id)
        try:
            opened = _opened(item, what.kinds)
        except InputError as error:
            if what.left_out is None:
                raise
            left_out.append(ExcludedItem(item.record.id, reason, str(error)))
        else:
            media = tuple(_written(each, folder) for each in opened)
            hashes += [hash_line(each.name, each.content) for each in opened]
            truth = {**item.record.truth, **({"rights": dict(item.rights)} if item.rights else {})}
            stimulus = replace(item.record, media=media, truth=truth)
            stimuli.append(tally.completed(stimulus, [each.decoded for each in opened]))
        if progress:
            progress(done, len(what.items))
    if left_out and (strict or not stimuli):
        total, first = len(stimuli) + len(left_out), left_out[0]
        raise InputError(
            f"{len(left_out):,} of {total:,} items cannot be used; the first, {first.place}: {first.detail}"
        )
    facts = {**what.facts, **tally.facts()}
    if what.left_out is not None:
        facts["left_out"] = left_out_facts(left_out)
    if what.published is not None:
        facts["published"] = published_comparison(what.published, stimuli)
    rows = "".join(canonical(to_row(stimulus, what.factors)) + "\n" for stimulus in stimuli)
    part = write_whole(folder.parent / "parts" / "0.jsonl", rows.encode())
    write_whole(hashes_of_part(part), "".join(hashes).encode())
    origin = {"arguments": {"suite": what.suite, "import": what.name}}
    join_set(folder, [part], origin, {**what.about, "import": facts}, what.factors, what.title)


class _Opened(NamedTuple):
    """A medium before it is written: its source, its path inside the set, its bytes, and what decoding them gives."""

    file: Path | EmbeddedFile
    name: str
    content: bytes
    decoded: Decoded


def _opened(item: ImportItem, kinds: Sequence[Kind]) -> list[_Opened]:
    """The media of an item; raises `InputError` for one that cannot be opened or is of a kind that is not taken."""
    opened = []
    for file, place in zip(item.files, item.places, strict=True):
        content = bytes_of(file)
        kind = kind_of(content, str(file))
        if kind not in kinds:
            raise InputError(
                f"{file} is a {_WORDS[kind]}: {' or '.join(f'{_WORDS[each]}s' for each in kinds)} are needed"
            )
        name = f"{place}{suffix_of(content, str(file))}"
        opened.append(_Opened(file, name, content, decode(content, str(file))))
    return opened


def _written(medium: _Opened, folder: Path) -> Medium:
    """The record of a medium, whose bytes are written as they came; several items may share one."""
    path = folder / medium.name
    if path.exists():
        if path.read_bytes() == medium.content:
            return medium_from(medium.name, medium.decoded)
        raise InputError(f"{medium.file}: there is a file for '{medium.name}' already")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(medium.content)
    return medium_from(medium.name, medium.decoded)


class _Tally:
    """What measuring found, item by item."""

    def __init__(self, measure: Callable[[Stimulus, Sequence[Decoded]], MeasuredMedia | None]) -> None:
        self._measure = measure
        self._counts: Counter[str] = Counter()
        self._contradicted: list[dict[str, Json]] = []
        self._doubts: Counter[tuple[str, str, str]] = Counter()

    def completed(self, stimulus: Stimulus, media: Sequence[Decoded]) -> Stimulus:
        reading = self._measure(stimulus, media)
        self._counts["measured" if reading else "not_measurable"] += 1
        self._counts["unlabelled"] += stimulus.label is None
        for doubt in stimulus.truth.get("doubts", ()):
            self._doubts[stimulus.family, stimulus.variant, doubt] += 1
        if reading is None:
            return stimulus
        if stimulus.label not in (None, reading.answer):
            readings = {"id": stimulus.id, "label": stimulus.label, "media": reading.answer}
            self._contradicted.append({**readings, **reading.facts})
        return replace(stimulus, measured=dict(reading.facts))

    def facts(self) -> dict[str, Json]:
        counts = {name: self._counts[name] for name in ("measured", "not_measurable", "unlabelled")}
        doubtful = [
            {"family": family, "variant": variant, "stimuli": stimuli, "doubt": doubt}
            for (family, variant, doubt), stimuli in sorted(self._doubts.items())
        ]
        return {**counts, "contradicted": self._contradicted, "doubtful": doubtful}
